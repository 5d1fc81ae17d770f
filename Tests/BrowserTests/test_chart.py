"""The chart in a real browser: painting, pointer and keys, late or broken data."""

import pathlib
import re
import time

import pytest
from playwright.sync_api import expect

from browsers import close
from chart_pages import ChartPages
from watching import PATIENCE_SECONDS, wait_until

HARNESS = pathlib.Path(__file__).resolve().parent / "chart_harness"
START = 1_790_000_000_000
STEP = 1000
UP, DOWN, OWN = (70, 217, 138), (255, 123, 127), (163, 176, 255)  # --up, --down and --accent of the dark theme


@pytest.fixture(scope="module")
def pages():
    server = ChartPages(HARNESS)
    yield server
    server.stop()


@pytest.fixture
def harness(browser, pages):
    """Opens the harness with a chart; fails at the end if a page reported an error."""
    contexts, complaints = [], []

    def heard(message):
        if message.type == "error" and "Failed to load resource" not in message.text:
            complaints.append(message.text)

    def open_harness(options="{}", count=20_000, setup=None, worker=False, **context_options):
        settings = {"viewport": {"width": 1000, "height": 600}, "color_scheme": "dark", "locale": "en-US"}
        context = browser.new_context(**{**settings, **context_options})
        context.set_default_timeout(1000 * PATIENCE_SECONDS)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", heard)
        if not worker:
            # Painted on the page's thread, as in a browser without offscreen canvases: pixels can be read at once.
            page.add_init_script("delete HTMLCanvasElement.prototype.transferControlToOffscreen")
        if setup:
            setup(page)
        page.goto(pages.address + "/index.html")
        page.wait_for_selector("[data-ready]", state="attached")
        page.evaluate(f"open_chart({options})")
        if count:
            page.evaluate("count => chart.setHistory(harness.history(harness.candles(count)))", count)
            drawn(page, count)
        return page

    yield open_harness
    for context in contexts:
        close(context)
    assert complaints == [], complaints


def drawn(page, count):
    page.wait_for_function("count => chart.view?.count === count", arg=count)
    frame(page)


def frame(page):
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def view(page):
    frame(page)
    return page.evaluate("chart.view")


def span(page):
    """The visible time, in milliseconds."""
    now = view(page)
    return now["right"] - now["left"]


def at_rest(page):
    """The view once it has stopped moving."""
    deadline, seen = time.monotonic() + PATIENCE_SECONDS, view(page)
    while (now := view(page)) != seen:
        assert time.monotonic() < deadline, "it moves on and on"
        seen = now
    return seen


def plot(page):
    return page.locator(".chart-surface").bounding_box()


def at(page, x, y):
    box = plot(page)
    return box["x"] + x, box["y"] + y


def drag(page, by, steps=6, release=True):
    page.mouse.move(*at(page, 500, 250))
    page.mouse.down()
    page.mouse.move(*at(page, 500 + by, 250), steps=steps)
    if release:
        # Held still before the release: no momentum.
        page.wait_for_timeout(150)
        page.mouse.up()


def legend(page):
    """Open, high, low, close and volume in the legend."""
    return page.locator(".chart-legend b").all_text_contents()


def pixels(page, colour, left, right, top=40, bottom=10_000):
    """How many pixels of a colour are in columns left ..< right of the canvas."""
    return page.evaluate("""([r, g, b, left, right, top, bottom]) => {
        const canvas = document.querySelector(".chart-canvas");
        const height = Math.min(bottom, canvas.height) - top;
        const { data } = canvas.getContext("2d").getImageData(left, top, right - left, height);
        let found = 0;
        for (let at = 0; at < data.length; at += 4) {
            if (Math.abs(data[at] - r) + Math.abs(data[at + 1] - g) + Math.abs(data[at + 2] - b) < 12) found += 1;
        }
        return found;
    }""", [*colour, left, right, top, bottom])


PAINTED = """([r, g, b, least]) => {
    const canvas = document.querySelector(".chart-canvas");
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
    let found = 0;
    for (let at = 0; at < data.length; at += 4) {
        if (Math.abs(data[at] - r) + Math.abs(data[at + 1] - g) + Math.abs(data[at + 2] - b) < 12) found += 1;
    }
    return found >= least;
}"""


def test_a_worker_paints_and_follows_theme_and_size(harness):
    page = harness(worker=True)
    page.wait_for_function(PAINTED, arg=[*DOWN, 500])
    assert page.evaluate("""() => {
        try { return document.querySelector(".chart-canvas").getContext("2d") && "the page's"; } catch { return "a worker's"; }
    }""") == "a worker's"
    page.evaluate("import('/assets/text/preferences.js').then(({ choose }) => choose('theme', 'light'))")
    page.wait_for_function(PAINTED, arg=[255, 255, 255, 100_000])
    page.set_viewport_size({"width": 700, "height": 400})
    page.wait_for_function("() => document.querySelector('.chart-canvas').width === 700")


def test_without_its_worker_the_page_paints_itself(harness):
    page = harness(worker=True, setup=lambda page: page.route("**/chart-worker.js", lambda route: route.abort()))
    page.wait_for_function(PAINTED, arg=[*DOWN, 500])
    assert page.evaluate("document.querySelector('.chart-canvas').getContext('2d') !== null")


def minute_under(page, time):
    """Open, high, low, close and volume of the minute around a time, summed from the seconds."""
    return page.evaluate("""([time, count]) => {
        const flat = harness.candles(count);
        const rows = [];
        for (let at = 0; at < count; at += 1) rows.push([...flat.subarray(at * 10, at * 10 + 10)]);
        const minute = rows.filter(([start]) => Math.floor(start / 60000) === Math.floor(time / 60000));
        const text = (units) => (units / 100).toLocaleString("en-US", { minimumFractionDigits: 2 });
        return [text(minute[0][1]), text(Math.max(...minute.map((row) => row[2]))),
            text(Math.min(...minute.map((row) => row[3]))), text(minute.at(-1)[4]),
            minute.reduce((sum, row) => sum + row[5], 0).toLocaleString("en-US")];
    }""", [time, 20_000])


def test_candles_and_volume_are_painted_in_both_directions(harness):
    page = harness()
    assert pixels(page, UP, 0, 880) > 200
    assert pixels(page, DOWN, 0, 880) > 500
    page.get_by_role("button", name="Line").click()
    frame(page)
    assert pixels(page, DOWN, 0, 880, bottom=400) < 100, "no candles in a line chart"
    assert pixels(page, (163, 176, 255), 0, 880) > 400


def test_intervals_are_made_of_the_same_ticks(harness):
    page = harness()
    assert view(page)["interval"] == 60_000
    for name, interval in [("1 second", 1000), ("5 minutes", 300_000), ("1 hour", 3_600_000), ("1 day", 86_400_000)]:
        page.get_by_role("button", name=name, exact=True).click()
        assert view(page)["interval"] == interval
        expect(page.get_by_role("button", name=name, exact=True)).to_have_attribute("aria-pressed", "true")
        wait_until(page, lambda: len(legend(page)) > 3 and legend(page)[3])
        assert legend(page)[3] == minute_under(page, START + 19_999 * STEP)[3], "all end at the same close"


def test_a_drag_moves_the_view_and_a_button_leads_back_to_live(harness):
    page = harness()
    before = view(page)
    assert before["followsLive"]
    expect(page.get_by_role("button", name="Back to live")).to_be_hidden()
    drag(page, 300)
    after = view(page)
    per_pixel = (before["right"] - before["left"]) / (plot(page)["width"] - 70)
    assert not after["followsLive"]
    assert before["right"] - after["right"] == pytest.approx(300 * per_pixel, rel=0.05)
    page.evaluate("chart.addTicks([[1001, %d, 400000, 5]])" % (START + 30_000 * STEP))
    assert view(page)["right"] == after["right"], "a tick does not move what a person looks at"
    page.get_by_role("button", name="Back to live").click()
    assert view(page)["followsLive"] and view(page)["right"] > START + 30_000 * STEP
    expect(page.get_by_role("button", name="Back to live")).to_be_hidden()


def test_the_wheel_zooms_around_the_pointer_and_pans_sideways(harness):
    page = harness()
    drag(page, 400)
    page.mouse.move(*at(page, 300, 200))
    before = view(page)
    time_before = page.locator(".cross-time").text_content()
    page.mouse.wheel(0, -300)
    # The wheel event returns before the chart has moved.
    wait_until(page, lambda: span(page) < 0.8 * (before["right"] - before["left"]))
    after = at_rest(page)
    assert page.locator(".cross-time").text_content() == time_before
    page.mouse.wheel(200, 0)
    wait_until(page, lambda: view(page)["right"] > after["right"])
    closer = span(page)
    page.mouse.wheel(0, 100_000)
    wait_until(page, lambda: span(page) > closer)
    at_rest(page)
    wide = span(page)
    assert wide <= 1.3 * 20_000 * STEP
    page.mouse.wheel(0, -100_000)
    wait_until(page, lambda: span(page) < wide)
    at_rest(page)
    assert span(page) > 5 * 60_000


def test_the_crosshair_tells_the_candle_under_it(harness):
    page = harness()
    shown = view(page)
    width = plot(page)["width"] - 70
    page.mouse.move(*at(page, 420, 200))
    expect(page.locator(".chart-cross")).to_be_visible()
    frame(page)
    axis = page.evaluate("document.querySelector('.cross-price').style.minWidth")
    width = plot(page)["width"] - float(axis.removesuffix("px")) - 3
    time = shown["left"] + 420 / width * (shown["right"] - shown["left"])
    assert legend(page) == minute_under(page, time)
    price = float(page.locator(".cross-price").text_content().replace(",", ""))
    assert 3000 < price < 6000
    page.mouse.move(5, 5)
    expect(page.locator(".chart-cross")).to_be_hidden()


def test_gaps_are_shaded_and_never_bridged(harness):
    page = harness("{ interval: 1000, style: 'line' }", count=0)
    page.evaluate("""([start, step]) => {
        const flat = harness.candles(300);
        const rows = [];
        for (let at = 0; at < 300; at += 1) if (at < 240 || at >= 260) rows.push([...flat.subarray(at * 10, at * 10 + 10)]);
        chart.setHistory(harness.history(rows, { gaps: [[start + 240 * step, start + 260 * step]] }));
    }""", [START, STEP])
    drawn(page, 280)
    shown = view(page)
    width = page.evaluate("document.querySelector('.chart-canvas').width") - 66
    x = [int((START + index * STEP - shown["left"]) / (shown["right"] - shown["left"]) * width) for index in (241, 259)]
    line = (163, 176, 255)
    assert pixels(page, line, x[0] + 12, x[1] - 12) == 0
    assert pixels(page, line, x[0] - 100, x[0] - 10) > 50
    ground = page.evaluate("""([x, y]) => [...document.querySelector(".chart-canvas").getContext("2d")
        .getImageData(x, y, 40, 40).data].filter((_, at) => at % 4 === 0)""", [x[0] + 20, 300])
    plain = max(set(ground), key=ground.count)
    assert len(ground) / 20 < sum(each != plain for each in ground) < len(ground) / 2, "the gap is hatched"


def test_an_interruption_that_goes_on_reaches_the_edge_and_dims_the_price(harness):
    page = harness("{ interval: 1000 }", count=300)
    assert pixels(page, UP, 940, 1000) + pixels(page, DOWN, 940, 1000) > 300, "the live price's label"
    surface, corner = page.get_by_role("slider"), page.locator(".chart-legend")
    assert re.search(r"\. Latest \d", surface.get_attribute("aria-label"))
    expect(corner).not_to_have_attribute("data-dimmed", "")
    page.evaluate("chart.setDimmed(true); chart.setInterrupted(%d)" % (START + 295 * STEP))
    frame(page)
    assert pixels(page, UP, 940, 1000) + pixels(page, DOWN, 940, 1000) == 0
    # Announced as soon as it is shown, for users of screen readers.
    assert re.search(r"\. Last known \d", surface.get_attribute("aria-label"))
    expect(corner).to_have_attribute("data-dimmed", "")


def test_a_chart_has_its_name_before_its_core_is_loaded(harness):
    page = harness(count=0, setup=lambda page: page.route("**/core.wasm", lambda route: None))
    expect(page.locator(".chart-surface")).to_have_attribute("aria-label", re.compile("^Candle chart.*nothing yet"))


def test_a_chart_whose_core_does_not_come_says_so_and_keeps_nothing(harness):
    # A network failure or a page closed meanwhile is not an error of the page's code.
    page = harness(count=0, setup=lambda page: page.route("**/core.wasm", lambda route: route.abort()))
    expect(page.locator(".chart-note")).to_contain_text("its core could not be loaded")
    page.evaluate("""() => {
        let ticks = [[1001, 1790000000000, 450000, 1]];
        window.handed = new WeakRef(ticks);
        chart.addTicks(ticks);
        ticks = null;
    }""")
    page.context.new_cdp_session(page).send("HeapProfiler.collectGarbage")
    assert page.evaluate("handed.deref() === undefined")


def test_ticks_change_the_latest_candle_and_the_same_arrival_counts_once(harness):
    page = harness("{ interval: 1000 }", count=300)
    last = START + 300 * STEP
    page.evaluate("t => chart.addTicks([[1001, t, 500000, 5], [1002, t + 10, 500900, 6]])", last)
    page.evaluate("t => chart.addTicks([[1001, t, 500000, 5], [1002, t + 10, 500900, 6], [1003, t + 20, 499900, 1]])", last)
    expect(page.locator(".chart-legend b").nth(3)).to_have_text("4,999.00")
    assert legend(page) == ["5,000.00", "5,009.00", "4,999.00", "4,999.00", "12"]


def test_a_hole_in_the_arrivals_asks_for_the_history_again(harness):
    page = harness("""{ interval: 1000, load: () => {
        window.asked = (window.asked ?? 0) + 1;
        return Promise.resolve(harness.history(harness.candles(200 + 100 * asked), { lastArrival: 900 + 100 * asked }));
    } }""", count=0)
    drawn(page, 300)
    assert page.evaluate("asked") == 1
    page.evaluate("t => chart.addTicks([[1050, t, 500000, 5]])", START + 500 * STEP)
    page.wait_for_function("() => asked === 2")
    drawn(page, 400)
    page.evaluate("t => chart.addTicks([[1100, t, 500000, 5], [1101, t, 500000, 5]])", START + 500 * STEP)
    drawn(page, 401)
    assert page.evaluate("asked") == 2
    page.evaluate("t => chart.addTicks([[3, t, 500000, 5]])", START + 501 * STEP)
    page.wait_for_function("() => asked === 3")


def test_a_history_that_fails_says_so_and_can_be_asked_for_again(harness):
    page = harness("{ load: () => window.works ? Promise.resolve(harness.history(harness.candles(50))) : Promise.reject(new Error('no')) }", count=0)
    expect(page.locator(".chart-note")).to_contain_text("could not be loaded")
    page.evaluate("window.works = true")
    page.get_by_role("button", name="Retry").click()
    drawn(page, 50)
    expect(page.locator(".chart-empty")).to_be_hidden()


def test_an_empty_history_says_that_there_is_nothing_yet(harness):
    page = harness("{ load: () => Promise.resolve(harness.history([])) }", count=0)
    expect(page.locator(".chart-note")).to_have_text("No trades yet")
    page.evaluate("chart.addTicks([[1001, %d, 500000, 5]])" % START)
    drawn(page, 1)
    expect(page.locator(".chart-empty")).to_be_hidden()


def test_broken_data_changes_nothing(harness):
    page = harness(count=500)
    page.evaluate("""() => {
        chart.addTicks(null);
        chart.addTicks([null, [], [1001], [1002, NaN, 1, 1], [1003, 5, 1.5, 1], [1004, Infinity, 1, 1], ["x", 1, 1, 1]]);
        chart.addTicks([[1005, 1790000600000, "abc", 1], [1006, 1790000600000, 2 ** 60, 1], [1007, 1790000600000, 5, -1]]);
        for (const gap of [[NaN, 1], ["a", null], [1e300, -1e300]]) chart.noteGap(...gap);
        chart.setFills([{ time: NaN, price: "x", side: "buy" }]);
        chart.setInterval(777);
        chart.setInterrupted(NaN);
        for (const history of [null, {}, { interval: 777, candles: [] }, { interval: 1000, candles: "x" }]) chart.setHistory(history);
    }""")
    assert view(page)["count"] == 500
    page.evaluate("""() => chart.setHistory(harness.history(
        [[0, 5, 9, 4, 6, 1], null, "x", [1000, 5, 4, 9, 6, 1], [2000, 5, 9, 4, 10, 1], [500, 5, 9, 4, 6, 1], [3000, 5, 9, 4, 6, 1]]))""")
    drawn(page, 2)


def test_who_waits_in_the_chart_is_told_of_the_first_candles(harness):
    page = harness(count=0)
    surface = page.get_by_role("slider")
    surface.focus()
    expect(surface).to_have_attribute("aria-valuetext", "nothing yet")
    page.evaluate("chart.setHistory(harness.history(harness.candles(100)))")
    drawn(page, 100)
    expect(surface).to_have_attribute("aria-valuetext", re.compile(r"open .* close"))


def test_arrow_keys_step_through_candles_and_each_is_announced(harness):
    page = harness()
    page.locator(".chart-surface").focus()
    page.keyboard.press("ArrowLeft")
    surface = page.get_by_role("slider")
    told = [surface.get_attribute("aria-valuetext")]
    assert re.search(r"open 4,\d{3}\.\d\d, high .* low .* close .* volume", told[0])
    frame(page)
    newest = legend(page)
    index = int(surface.get_attribute("aria-valuenow"))
    for step in range(1, 8):
        page.keyboard.press("ArrowLeft")
        told.append(surface.get_attribute("aria-valuetext"))
        assert int(surface.get_attribute("aria-valuenow")) == index - step
    assert len(set(told)) == 8, "each press tells its own candle"
    frame(page)
    assert legend(page) != newest
    page.keyboard.press("Home")
    assert view(page)["left"] == pytest.approx(START, abs=60_000)
    assert not view(page)["followsLive"]
    before = view(page)
    page.keyboard.press("+")
    assert view(page)["right"] - view(page)["left"] < before["right"] - before["left"]
    page.keyboard.press("End")
    assert view(page)["followsLive"]
    assert legend(page) == newest
    page.keyboard.press("Escape")
    expect(page.locator(".chart-cross")).to_be_hidden()


def test_the_surface_is_described_for_who_can_not_see_it(harness):
    page = harness("{ name: 'XBTUSD' }")
    label = page.locator(".chart-surface").get_attribute("aria-label")
    assert re.search(r"Candle chart of XBTUSD, 1 minute each", label)


def test_the_surface_says_nothing_yet_only_while_there_is_nothing(harness):
    page = harness(count=0)
    surface = page.get_by_role("slider")
    expect(surface).to_have_attribute("aria-label", re.compile("nothing yet"))
    page.evaluate("chart.setHistory(harness.history(harness.candles(300)))")
    drawn(page, 300)
    # Together with the picture, not with the next five-second summary.
    assert re.search(r"Latest \d", surface.get_attribute("aria-label"))
    assert "close" in surface.get_attribute("aria-valuetext")


def test_the_crosshair_tells_prices_that_can_be_paid_and_is_never_cut(harness):
    page = harness(count=0)
    # Units finer than the tick, as after a change of scale: prices move in 0.1, units are 0.0001.
    page.evaluate("""([start, step]) => {
        const rows = Array.from({ length: 300 }, (_, at) => [start + at * step, 322051000 + at * 1000, 322071000 + at * 1000,
            322041000 + at * 1000, 322061000 + at * 1000, 5]);
        chart.setHistory(harness.history(rows, { priceScale: 4 }));
        chart.setScales({ priceScale: 4, priceDecimals: 1, quantityScale: 0 });
    }""", [START, STEP])
    drawn(page, 300)
    box = plot(page)
    for y in (60, 143, 227, 311):
        page.mouse.move(*at(page, 420, y))
        expect(page.locator(".cross-price")).to_have_text(re.compile(r"^32,\d{3}\.\d$"))
        label = page.locator(".cross-price").bounding_box()
        assert label["x"] + label["width"] <= box["x"] + box["width"]
        assert page.locator(".cross-price").evaluate("(e) => e.scrollWidth <= e.clientWidth")


@pytest.mark.thorough
@pytest.mark.parametrize("width", [320, 500, 1000])
def test_the_legend_has_a_row_of_its_own_that_never_shrinks(harness, width):
    page = harness(viewport={"width": width, "height": 500})
    wait_until(page, lambda: len(legend(page)) > 3 and legend(page)[3])
    box = page.locator(".chart-legend").bounding_box()
    assert box["height"] >= 20 and box["y"] + box["height"] <= plot(page)["y"] + 0.5
    assert page.evaluate("document.querySelector('.chart-legend').scrollWidth <= innerWidth")
    before = plot(page)
    page.mouse.move(*at(page, 100, 100))
    frame(page)
    page.mouse.move(*at(page, 180, 120))
    frame(page)
    after = page.locator(".chart-legend").bounding_box()
    assert after["height"] >= box["height"] and plot(page)["height"] <= before["height"]


def test_the_change_in_the_corner_is_named_after_its_candle(harness):
    page = harness()
    expect(page.locator(".legend-change")).to_have_text(re.compile(r"^1m candle"))
    page.get_by_role("button", name="5 seconds", exact=True).click()
    expect(page.locator(".legend-change")).to_have_text(re.compile(r"^5s candle"))


def test_the_pressed_interval_is_the_one_that_is_drawn(harness):
    page = harness("{ interval: 5000 }")
    expect(page.get_by_role("button", name="5 seconds", exact=True)).to_have_attribute("aria-pressed", "true")
    page.mouse.move(*at(page, 300, 200))
    for _ in range(8):
        page.mouse.wheel(0, 400)
    wait_until(page, lambda: view(page)["interval"] > 5000)
    shown = at_rest(page)["interval"]
    names = {15_000: "15 seconds", 60_000: "1 minute", 300_000: "5 minutes", 900_000: "15 minutes", 3_600_000: "1 hour"}
    expect(page.get_by_role("button", name=names[shown], exact=True)).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("button", name="5 seconds", exact=True)).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".chart-bar [aria-label=Interval] [aria-pressed=true]")).to_have_count(1)


def test_back_to_live_goes_when_the_live_edge_is_in_view(harness):
    page = harness("{ interval: 1000 }")
    back = page.get_by_role("button", name="Back to live")
    drag(page, 300)
    expect(back).to_be_visible()
    page.get_by_role("button", name="1 hour", exact=True).click()
    expect(back).to_be_hidden()
    assert view(page)["followsLive"]


def test_a_live_price_out_of_view_points_where_it_is(harness):
    page = harness("{ interval: 1000 }", count=2000)
    drag(page, 400)
    page.evaluate("t => chart.addTicks([[1001, t, 990000, 5]])", START + 2000 * STEP)
    surface = page.get_by_role("slider")
    frame(page)
    assert "above the view" in surface.get_attribute("aria-label")
    page.evaluate("t => chart.addTicks([[1002, t, 1000, 5]])", START + 2000 * STEP)
    frame(page)
    assert "below the view" in surface.get_attribute("aria-label")


def test_own_fills_are_counted_for_the_candle_under_the_pointer(harness):
    page = harness("{ interval: 60000 }")
    last = START + 19_999 * STEP
    minute = last - last % 60_000 - 600_000
    page.evaluate("""([minute]) => chart.setFills([
        ...[1, 2, 3].map((at) => ({ time: minute + at * 1000, price: 450000, side: "buy", quantity: "8" })),
        { time: minute + 9000, price: 450000, side: "sell", quantity: "5" },
        { time: minute + 61000, price: 450000, side: "sell", quantity: "1" }])""", [minute])
    shown = view(page)
    axis = float(page.evaluate("document.querySelector('.chart-canvas').width")) - 70
    expect(page.locator(".legend-fills")).to_be_hidden()
    page.mouse.move(*at(page, (minute + 30_000 - shown["left"]) / (shown["right"] - shown["left"]) * axis, 250))
    expect(page.locator(".legend-fills")).to_have_text("3 buys of 24 · 1 sell of 5")


@pytest.mark.thorough
def test_a_thrown_chart_glides_on_unless_less_motion_is_wanted(harness):
    for motion, glides in [("no-preference", True), ("reduce", False)]:
        page = harness(reduced_motion=motion)
        before = view(page)
        per_pixel = (before["right"] - before["left"]) / (plot(page)["width"] - 70)
        # The events carry their own times: a finger's speed does not depend on the machine.
        page.evaluate("""() => {
            const surface = document.querySelector(".chart-surface");
            surface.setPointerCapture = () => {};
            let time = performance.now();
            const send = (type, x) => {
                const event = new PointerEvent(type, {
                    pointerId: 1, pointerType: "touch", clientX: x, clientY: 300, bubbles: true });
                Object.defineProperty(event, "timeStamp", { value: time });
                surface.dispatchEvent(event);
            };
            send("pointerdown", 200);
            for (let x = 230; x <= 500; x += 30) {
                time += 12;
                send("pointermove", x);
            }
            send("pointerup", 500);
        }""")
        moved = before["right"] - at_rest(page)["right"]
        if glides:
            assert moved > 1.2 * 300 * per_pixel
        else:
            assert moved == pytest.approx(300 * per_pixel, rel=0.05)


def test_two_fingers_zoom(harness):
    page = harness(has_touch=True)
    before = view(page)
    session = page.context.new_cdp_session(page)
    box = plot(page)

    def touch(kind, *xs):
        session.send("Input.dispatchTouchEvent", {
            "type": kind, "touchPoints": [{"x": box["x"] + x, "y": box["y"] + 200, "id": index} for index, x in enumerate(xs)]})

    touch("touchStart", 400, 500)
    for spread in range(10, 110, 20):
        touch("touchMove", 400 - spread, 500 + spread)
    touch("touchEnd")
    wait_until(page, lambda: span(page) < 0.6 * (before["right"] - before["left"]))


def test_nothing_is_done_while_nothing_changes(harness):
    page = harness()
    at_rest(page)
    painted = page.evaluate("""async () => {
        const frames = async (count) => {
            for (let frame = 0; frame < count; frame += 1) await new Promise(requestAnimationFrame);
        };
        // Sizes and the legend's timer settle.
        await new Promise((done) => setTimeout(done, 400));
        await frames(20);
        let calls = 0;
        let pictures = 0;
        const context = document.querySelector(".chart-canvas").getContext("2d");
        const own = context.fillRect;
        context.fillRect = function (...box) {
            calls += 1;
            if (box[0] === 0 && box[1] === 0) pictures += 1;
            own.apply(this, box);
        };
        await frames(30);
        const idle = calls;
        pictures = 0;
        for (const arrival of [1001, 1002, 1003, 1004]) chart.addTicks([[arrival, 1790020000000, 450000, 1]]);
        await frames(4);
        return { idle, frames: pictures };
    }""")
    assert painted["idle"] == 0
    assert 1 <= painted["frames"] <= 3, "four ticks in one frame are one picture (grid lines at 0 count too)"


@pytest.mark.thorough
def test_a_million_candles_stay_fluid(harness):
    page = harness("{ interval: 1000 }", count=1_000_000, worker=True)
    page.mouse.move(*at(page, 500, 200))
    work = page.evaluate("""async () => {
        const surface = document.querySelector(".chart-surface");
        surface.setPointerCapture = () => {};
        const send = (type, x) => surface.dispatchEvent(new PointerEvent(type, {
            pointerId: 1, pointerType: "mouse", button: 0, clientX: x, clientY: 300, bubbles: true }));
        const spent = [];
        const request = window.requestAnimationFrame;
        window.requestAnimationFrame = (callback) => request.call(window, (time) => {
            const from = performance.now();
            callback(time);
            spent.push(performance.now() - from);
        });
        for (const turns of [0, 12, 12, 12]) {
            for (let index = 0; index < turns; index += 1) {
                surface.dispatchEvent(new WheelEvent("wheel", { deltaY: 400, clientX: 500, clientY: 200, cancelable: true }));
            }
            send("pointerdown", 300);
            for (let x = 300; x < 600; x += 5) {
                send("pointermove", x);
                await new Promise((done) => request.call(window, done));
            }
            send("pointercancel", 600);
        }
        window.requestAnimationFrame = request;
        // What a fixed piece of work costs this machine as it is loaded now.
        const control = [];
        for (let turn = 0; turn < 60; turn += 1) {
            const from = performance.now();
            let sum = 0;
            for (let index = 0; index < 400_000; index += 1) sum += Math.sqrt(index);
            window.kept = sum;
            control.push(performance.now() - from);
            await new Promise((done) => request.call(window, done));
        }
        const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];
        return { median: median(spent), frames: spent.length, control: median(control) };
    }""")
    assert work["frames"] > 100
    # The goal is 2 ms, which the benchmark measures; this only checks that the work does not grow with a million
    # candles.
    assert work["median"] < 10 * max(1, work["control"]), work


@pytest.mark.thorough
def test_colours_follow_theme_and_preset(harness):
    page = harness()
    assert pixels(page, DOWN, 0, 880) > 500
    page.evaluate("import('/assets/text/preferences.js').then(({ choose }) => choose('colours', 'blue-orange'))")
    frame(page)
    assert pixels(page, DOWN, 0, 880) == 0
    assert pixels(page, (255, 173, 102), 0, 880) > 500
    page.evaluate("import('/assets/text/preferences.js').then(({ choose }) => choose('theme', 'light'))")
    frame(page)
    assert pixels(page, (255, 255, 255), 0, 880) > 100_000


@pytest.mark.thorough
@pytest.mark.parametrize("ratio", [1, 2, 3])
def test_the_canvas_has_the_pixels_of_the_screen(harness, ratio):
    page = harness(device_scale_factor=ratio, viewport={"width": 320, "height": 500})
    # At one moment: the legend takes its lines, and the plot the rest, when there is text to show.
    page.wait_for_function("""(ratio) => {
      const canvas = document.querySelector(".chart-canvas");
      const { width, height } = document.querySelector(".chart-surface").getBoundingClientRect();
      return width > 0 && canvas.width === Math.round(width * ratio) && canvas.height === Math.round(height * ratio);
    }""", arg=ratio)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_feed_joins_history_and_topic_and_marks_what_was_not_heard(harness):
    page = harness("""{ interval: 1000, load: () => {
        window.asked = (window.asked ?? 0) + 1;
        return Promise.resolve(harness.history(harness.candles(300), { lastArrival: 1000 }));
    } }""", count=0)
    drawn(page, 300)
    page.evaluate("""end => {
        window.feed = new harness.ChartFeed(chart);
        window.topic = (ticks) => ({ priceScale: 2, priceDecimals: 2, quantityScale: 0, ticks });
        const live = { state: "live", dimmed: false };
        const down = { state: "disconnected", dimmed: true, confirmedAt: end };
        feed.update(topic([[1000, end - 5, 1, 1], [1001, end, 450000, 1]]), live, { now: end });
        feed.update(topic([[1001, end, 450000, 1]]), down, { now: end + 5000 });
        feed.update(topic([[1001, end, 450000, 1], [1002, end + 9000, 450100, 1]]), live, { now: end + 9000 });
    }""", START + 300 * STEP)
    drawn(page, 302)
    assert page.evaluate("asked") == 1, "the venue was away, not the page"
    page.evaluate("""end => {
        const down = { state: "disconnected", dimmed: true, confirmedAt: end };
        feed.update(topic([[1002, end, 450100, 1]]), down, { now: end + 5000, isPageDown: true });
        feed.update(topic([[1002, end, 450100, 1]]), { state: "live", dimmed: false }, { now: end + 9000 });
    }""", START + 309 * STEP)
    page.wait_for_function("() => asked === 2")


@pytest.mark.thorough
def test_a_chart_that_is_gone_leaves_nothing_behind(harness):
    page = harness(count=100)
    page.evaluate("""() => {
        for (let index = 0; index < 100; index += 1) open_chart({});
        chart.dispose();
    }""")
    frame(page)
    assert page.locator(".chart-view").count() == 0
    page.evaluate("open_chart({})")
    page.evaluate("chart.setHistory(harness.history(harness.candles(100)))")
    drawn(page, 100)


FAKE_MARKET = """async ({ start, fills }) => {
    const { MarketChart } = await import("/assets/chart/market-chart.js");
    const freshness = { state: "live", origin: "simulated" };
    const state = { venue: "exchange", symbol: "TROAD", known: true, priceScale: 2, quantityScale: 0, priceDecimals: 2,
        freshness, ticks: [[1001, start + 300_000, 450_000, 3]] };
    window.opened = new Set();
    const topics = { open: (name) => {
        opened.add(name);
        return { entry: { name, state, confirmed: true, openedAt: 0 }, close: () => opened.delete(name) };
    } };
    const link = { state: "connected", trusted: true, topics, now: () => start + 300_500, observe: () => () => {} };
    window.market = new MarketChart({ link }, { venue: "exchange", symbol: "TROAD",
        formatPrice: (digits) => `$${digits}` });
    const place = document.createElement("div");
    place.style.cssText = "display: flex; width: 320px; height: 240px";
    place.append(market.element);
    document.getElementById("main").replaceChildren(place);
    market.setFills(fills);
}"""


def test_a_market_chart_is_small_marks_own_fills_and_closes_its_topic(harness):
    asked = []

    def history(route):
        asked.append(route.request.url)
        rows = [[START + index * 5 * STEP, 450_000, 450_010, 449_990, 450_000, 5, 1, 0, 2, 0] for index in range(60)]
        route.fulfill(json={"interval": 5000, "priceScale": 2, "quantityScale": 0, "lastArrival": 1000,
                            "candles": rows, "gaps": []})

    page = harness(count=0, setup=lambda page: page.route("**/history/exchange/**", history))
    fills = [{"time": START + 280 * STEP, "price": "4500.00", "quantity": "7", "side": side} for side in ("buy", "sell")]
    page.evaluate("() => localStorage.setItem('livetape.chart.interval.exchange/TROAD', '5000')")
    page.evaluate(FAKE_MARKET, {"start": START, "fills": []})
    expect(page.locator(".chart-legend b").nth(3)).to_have_text("$4500.00")
    expect(page.locator(".chart-interval")).to_have_value("5000")
    assert asked[0].endswith("/history/exchange/TROAD?interval=5000&limit=320")
    assert page.evaluate("[...opened]") == ["chart/exchange/TROAD"]
    box = page.locator(".chart-plot").bounding_box()
    assert box["width"] == 320 and box["y"] + box["height"] <= page.locator(".market-chart").bounding_box()["y"] + 240
    # The topic's tick is in a candle of its own: history and topic are both drawn.
    expect(page.locator(".chart-legend b").nth(4)).to_have_text("3")
    frame(page)
    bare = pixels(page, OWN, 0, 250, top=0)
    page.evaluate("fills => market.setFills(fills)", fills)
    frame(page)
    assert pixels(page, OWN, 0, 250, top=0) > bare + 40, "flags mark what was bought and sold"
    page.evaluate("market.setFills([{ time: 0, price: 'x', side: 'buy' }, { time: 0, price: '1.234', side: 'buy' }])")
    frame(page)
    assert pixels(page, OWN, 0, 250, top=0) == bare, "a price that is no count of units is no mark"
    page.evaluate("market.dispose()")
    assert page.evaluate("opened.size") == 0 and page.locator(".chart-view").count() == 0
