"""Overlays of the candles, and the bar's menus: scales, studies, order lines, drawn lines, pictures."""

import json
import re

import pytest
from playwright.sync_api import expect

from test_chart import START, STEP, at, drawn, frame, harness, pages, plot, view  # noqa: F401
from watching import wait_until

pytestmark = pytest.mark.thorough

OPEN = "{ instrument: 'kraken/BTC/USD', interval: 60000, now: () => window.time ?? %d, caption: () => ({ " \
    "title: 'BTC/USD · Kraken', details: 'Nov 23 · Live · origin: simulated', file: 'BTC-USD.png' }) }" % (START + 20_000_000)


@pytest.fixture
def tools(harness):  # noqa: F811
    """Opens a chart with all of its tools; `chosen` is stored before."""

    def open_tools(chosen=None, **options):
        def setup(page):
            page.add_init_script("for (const [key, value] of %s) localStorage.setItem('livetape.' + key, value)"
                                 % json.dumps(list((chosen or {}).items())))
        page = harness(OPEN, setup=setup, **options)
        wait_until(page, lambda: page.locator(".chart-legend b").nth(3).text_content())
        frame(page)
        return page

    return open_tools


def close(page):
    return float(page.locator(".chart-legend b").nth(3).text_content().replace(",", ""))


def open_menu(page, name):
    """Opens a menu of the bar; where the tools have no room they are in a menu themselves."""
    more = page.get_by_role("button", name="Chart tools")
    if more.is_visible() and not page.locator(".chart-tools").is_visible():
        more.click()
    page.locator(".chart-tools").get_by_role("button", name=name, exact=True).click()


def test_the_latest_price_counts_down_to_the_close_of_its_candle(tools):
    page = tools()
    words = """([closesIn, more]) => import("/assets/chart/model/composer.js").then(({ belowPrice }) =>
        belowPrice({ closesIn }, { now: 1000, dimmed: false, confirmedAt: null, ...more }))"""
    assert page.evaluate(words, [53_000, {}]) == "in 0:53"
    assert page.evaluate(words, [12 * 60_000 + 52_001, {}]) == "in 12:53"
    assert page.evaluate(words, [3 * 3_600_000 + 61_000, {}]) == "in 3:01:01"
    assert page.evaluate(words, [3 * 86_400_000, {}]) == "in 3 d"
    assert page.evaluate(words, [53_000, {"dimmed": True, "confirmedAt": -11_000}]) == "12 s ago"
    assert page.evaluate(words, [53_000, {"dimmed": True}]) == ""


def test_the_crosshair_s_price_is_on_a_tick(tools):
    page = tools()
    page.evaluate("chart.setScales({ priceScale: 2, priceDecimals: 1, quantityScale: 0 })")
    for y in range(60, 200, 17):
        page.mouse.move(*at(page, 300, y))
        frame(page)
        assert re.fullmatch(r"[\d,]+\.\d", page.locator(".cross-price").text_content())


def test_the_axis_is_dragged_to_stretch_and_double_clicked_to_fit(tools):
    page = tools()
    strip = page.locator(".chart-prices").bounding_box()
    x, y = strip["x"] + 20, strip["y"] + 100
    face = page.locator(".chart-tools").get_by_role("button", name="Price scale", exact=True)
    expect(face).to_have_text("Auto · linear")

    def price_at(height):
        page.mouse.move(*at(page, 300, height))
        frame(page)
        return float(page.locator(".cross-price").text_content().replace(",", ""))

    before = price_at(40) - price_at(240)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 80, steps=4)
    page.mouse.up()
    expect(face).to_have_text("Own · linear")
    stretched = price_at(40) - price_at(240)
    assert stretched == pytest.approx(before / 1.649, rel=0.02), "80 of 160 pixels are a half of e"
    # The plot then moves vertically, too.
    middle = price_at(140)
    page.mouse.move(*at(page, 500, 200))
    page.mouse.down()
    page.mouse.move(*at(page, 500, 240), steps=3)
    page.wait_for_timeout(150)
    page.mouse.up()
    assert price_at(180) == pytest.approx(middle, abs=before / 100)
    page.mouse.dblclick(x, y)
    expect(face).to_have_text("Auto · linear")


def test_scales_are_chosen_in_a_menu_and_by_keys_and_remembered(tools):
    page = tools()
    face = page.locator(".chart-tools").get_by_role("button", name="Price scale", exact=True)
    open_menu(page, "Price scale")
    page.get_by_role("radio", name="Logarithmic").check()
    expect(face).to_have_text("Auto · log")
    page.get_by_role("radio", name="Percent").check()
    expect(face).to_have_text("Auto · percent")
    page.get_by_role("button", name="Zoom in (price)").click()
    expect(face).to_have_text("Own · percent")
    page.get_by_role("button", name="Auto", exact=True).click()
    expect(face).to_have_text("Auto · percent")
    page.keyboard.press("Escape")
    page.mouse.move(*at(page, 300, 100))
    expect(page.locator(".cross-price")).to_have_text(re.compile(r"^[+−]?\d+\.\d\d%$"))
    page.evaluate("chart.surface.focus()")
    page.keyboard.press("Shift+ArrowUp")
    expect(face).to_have_text("Own · percent")
    page.keyboard.press("a")
    expect(face).to_have_text("Auto · percent")
    assert page.evaluate("localStorage.getItem('livetape.chart.scale')") == "percent"


def test_studies_are_chosen_remembered_and_say_what_they_know(tools):
    page = tools()
    expect(page.locator(".legend-study:visible")).to_have_count(0)
    open_menu(page, "Studies")
    page.get_by_role("checkbox", name="Moving average", exact=True).check()
    page.get_by_label("Exponential average, candles").select_option("9")
    page.get_by_role("checkbox", name="VWAP").check()
    page.get_by_role("checkbox", name="Volume profile").check()
    page.keyboard.press("Escape")
    assert page.evaluate("localStorage.getItem('livetape.chart.studies')") == "ma20 ema9 vwap profile"
    expect(page.locator(".of-moving")).to_have_text(re.compile(r"^MA 20[\d,.]+$"))
    expect(page.locator(".of-exponential")).to_have_text(re.compile(r"^EMA 9[\d,.]+$"))
    expect(page.locator(".of-weighted")).to_have_text(re.compile(r"^VWAP[\d,.]+since "))
    expect(page.locator(".of-profile")).to_have_text(re.compile(r"^Most traded[\d,.]+–[\d,.]+of "))
    mean = page.evaluate("""([start, count]) => {
        const flat = harness.candles(count);
        const closes = new Map();
        for (let at = 0; at < count; at += 1) closes.set(Math.floor(flat[at * 10] / 60000), flat[at * 10 + 4]);
        return Math.round([...closes.values()].slice(-20).reduce((sum, close) => sum + close) / 20) / 100;
    }""", [START, 20_000])
    assert float(page.locator(".of-moving strong").text_content().replace(",", "")) == pytest.approx(mean, abs=0.011)
    page.evaluate("([from, to]) => chart.noteGap(from, to)", [START + 19_500 * STEP, START + 19_700 * STEP])
    expect(page.locator(".of-moving")).to_have_text(re.compile(r"^MA 20–\d of 20 candles since "))
    expect(page.locator(".of-weighted")).to_have_text(re.compile(r"without \d\d:\d\d(:\d\d)?–\d\d:\d\d"))
    page.evaluate("chart.surface.focus()")
    page.keyboard.press("ArrowLeft")
    assert "VWAP" in page.locator(".chart-surface").get_attribute("aria-valuetext")


def test_studies_in_panes_take_room_below_the_prices_and_have_no_price(tools):
    page = tools()
    box = page.locator(".chart-surface").bounding_box()
    low = box["height"] - 26 - 20
    page.mouse.move(*at(page, 300, low))
    expect(page.locator(".cross-price")).to_be_visible()
    open_menu(page, "Studies")
    page.get_by_role("checkbox", name="Bollinger Bands").check()
    page.get_by_role("checkbox", name="Relative strength").check()
    page.get_by_label("MACD, candles").select_option("5/35/5")
    page.get_by_role("checkbox", name="Average true range").check()
    page.keyboard.press("Escape")
    stored = "bb20/2 rsi14 macd5/35/5 atr14"
    assert page.evaluate("localStorage.getItem('livetape.chart.studies')") == stored
    expect(page.locator(".of-bands")).to_have_text(re.compile(r"^BB 20 · 2[\d,.]+ · [\d,.]+ · [\d,.]+$"))
    expect(page.locator(".of-strength")).to_have_text(re.compile(r"^RSI 14\d{1,2}(\.\d+)?since "))
    expect(page.locator(".of-convergence")).to_have_text(re.compile(r"^MACD 5 · 35 · 5[−-]?[\d,.]+ · [−-]?[\d,.]+since "))
    expect(page.locator(".of-range")).to_have_text(re.compile(r"^ATR 14[\d,.]+since "))
    lower, middle, upper = (float(text.replace(",", "")) for text in page.locator(".of-bands strong").text_content().split(" · "))
    assert lower < middle < upper
    # In a pane the crosshair has a time and no price, and an alert can't be set.
    page.mouse.move(*at(page, 300, low - 1))
    expect(page.locator(".cross-price")).to_be_hidden()
    expect(page.locator(".cross-time")).to_be_visible()
    page.mouse.move(*at(page, 300, 60))
    expect(page.locator(".cross-price")).to_be_visible()
    page.mouse.move(0, 0)
    # Behind an interruption they begin again, and state what they lack.
    page.evaluate("([from, to]) => chart.noteGap(from, to)", [START + 19_500 * STEP, START + 19_700 * STEP])
    expect(page.locator(".of-strength")).to_have_text(re.compile(r"^RSI 14–\d+ of 15 candles since "))
    page = tools({"chart.studies": stored})
    open_menu(page, "Studies")
    expect(page.get_by_label("MACD, candles")).to_have_value("5/35/5")
    page.get_by_role("checkbox", name="Relative strength").uncheck()
    expect(page.locator(".of-strength")).to_be_hidden()


@pytest.mark.parametrize("text", ["ma7 emaX vwap2 profile", "x" * 999, "[]", "ma999999999 vwap"])
def test_what_was_remembered_of_studies_may_be_anything(tools, text):
    page = tools({"chart.studies": text})
    expect(page.locator(".of-moving")).to_be_hidden()


ORDERS = """([price, more]) => {
    window.sent = [];
    window.rows = [{ id: "1", side: "buy", price: price.toFixed(2), leaves: "150" },
        { id: "2", side: "sell", price: (price + 900).toFixed(2), leaves: "40" }, ...more];
    chart.setOrders(rows, {
        amend: (id, to) => { sent.push(["amend", id, to]); return new Promise((done) => { window.answer = done; }); },
        cancel: (id) => sent.push(["cancel", id]),
    });
}"""


def test_an_order_is_dragged_to_amend_and_crossed_to_cancel(tools):
    page = tools()
    price = round(close(page) + 20, 2)
    page.evaluate(ORDERS, [price, [{"id": "3", "side": "buy", "price": "x", "leaves": "1"}]])
    grip = page.get_by_role("slider", name="Buy 150, limit")
    expect(grip).to_have_attribute("aria-valuetext", f"{price:,.2f}")
    expect(page.locator(".level-line")).to_have_count(2)
    expect(page.locator(".level-line").nth(1)).to_have_attribute("data-beyond", "above")
    frame(page)
    box = grip.bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 8)
    page.mouse.down()
    page.mouse.move(box["x"] + 30, box["y"] + 40, steps=4)
    expect(page.locator(".level-line").first).to_have_attribute("data-moved", "")
    assert page.evaluate("sent.length") == 0, "it is sent when it is let go"
    page.mouse.up()
    sent = page.evaluate("sent[0]")
    assert sent[:2] == ["amend", "1"] and re.fullmatch(r"\d+\.\d\d", sent[2]) and float(sent[2]) < price
    expect(page.locator(".level-line").first).to_have_attribute("data-sent", "")
    page.evaluate("answer()")
    expect(grip).to_have_attribute("aria-valuetext", f"{price:,.2f}")
    # Presses count once the line has visibly returned to its price.
    expect(page.locator("[data-settling]")).to_have_count(0)
    page.get_by_role("button", name=re.compile("^Cancel Sell 40")).click()
    assert page.evaluate("sent[1]") == ["cancel", "2"]
    page.evaluate("chart.setOrders([])")
    expect(page.locator(".level-line")).to_have_count(0)


def test_an_order_is_moved_by_keys_sent_by_enter_and_kept_by_escape(tools):
    page = tools()
    price = close(page)
    page.evaluate(ORDERS, [price, []])
    grip = page.get_by_role("slider", name="Buy 150, limit")
    grip.focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Shift+ArrowUp")
    expect(grip).to_have_attribute("aria-valuetext", re.compile(re.escape(f"{price + 0.11:,.2f}, was {price:,.2f}. Enter sends")))
    page.keyboard.press("Escape")
    expect(grip).to_have_attribute("aria-valuetext", f"{price:,.2f}")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert page.evaluate("sent") == [["amend", "1", f"{price - 0.01:.2f}"]]
    # The order is where it was dropped: nothing moves when the response arrives.
    page.evaluate("price => { rows[0] = { ...rows[0], price }; chart.setOrders(rows, { amend() {} }); answer(); }", f"{price - 0.01:.2f}")
    expect(grip).to_have_attribute("aria-valuetext", f"{price - 0.01:,.2f}")
    expect(page.locator(".order-cross:visible")).to_have_count(0)


def test_no_tag_stands_on_the_latest_price(tools):
    page = tools()
    price = close(page)
    page.evaluate(ORDERS, [price, [{"id": str(n), "side": "sell", "price": f"{price + n:.2f}", "leaves": "1"} for n in range(3, 6)]])
    frame(page)
    boxes = sorted((box.bounding_box() for box in page.locator(".order-tag:visible").all()), key=lambda box: box["y"])
    assert len(boxes) > 1
    for one, other in zip(boxes, boxes[1:]):
        assert one["y"] + one["height"] <= other["y"] + 0.5
    # The lowest line is at the latest price.
    live = page.evaluate("""() => Math.max(...[...document.querySelectorAll(".order-rule")]
        .map((rule) => rule.getBoundingClientRect()).filter(({ width }) => width > 0).map(({ y }) => y))""")
    for box in boxes:
        assert abs(box["y"] + box["height"] / 2 - live) >= 29


def ladder(page, count, price, step="0.01", side="buy"):
    """Open orders from a price downwards, on the chart."""
    page.evaluate("""([count, price, step, side]) => {
        window.cancelled = [];
        window.show = (rows) => chart.setOrders(rows, { amend() {}, cancel: (id) => cancelled.push(id) });
        window.rows = Array.from({ length: count }, (_, at) =>
            ({ id: String(at), side, price: (price - at * step).toFixed(2), leaves: "12" }));
        show(rows);
    }""", [count, price, float(step), side])
    frame(page)


@pytest.mark.parametrize("width", [320, 390, 820, 1440])
def test_tags_of_many_orders_cover_neither_each_other_nor_the_chart(tools, width):
    page = tools()
    page.set_viewport_size({"width": width, "height": 700})
    frame(page)
    for count, step in [(3, 1), (12, 2), (64, 5), (439, 40)]:
        ladder(page, count, close(page) + 20, step)
        cover = page.evaluate("""() => {
            const boxes = [...document.querySelectorAll(".order-tag")].map((tag) => tag.getBoundingClientRect())
                .filter(({ width }) => width > 0).sort((a, b) => a.top - b.top);
            const plot = document.querySelector(".chart-surface").getBoundingClientRect();
            return {
                apart: boxes.slice(1).every((box, at) => box.top >= boxes[at].bottom - 0.5),
                inside: boxes.every((box) => box.left >= plot.left && box.right <= plot.right),
                share: boxes.reduce((sum, { width, height }) => sum + width * height, 0) / (plot.width * plot.height),
                count: boxes.length,
            };
        }""")
        assert cover["apart"] and cover["inside"] and cover["count"] > 0 and cover["share"] <= 0.25, (width, count, cover)


def test_orders_out_of_view_are_counted_at_the_edge_and_cancelled_one_by_one(tools):
    page = tools()
    ladder(page, 439, 50)
    tag = page.get_by_role("button", name="439 below ↓")
    expect(tag).to_be_visible()
    expect(page.locator(".order-cross:visible")).to_have_count(0)
    expect(page.locator("[data-settling]")).to_have_count(0)
    tag.click()
    listed = page.get_by_role("dialog", name="Open orders")
    expect(listed.get_by_role("listitem")).to_have_count(439)
    assert page.evaluate("cancelled.length") == 0
    expect(page.locator("[data-settling]")).to_have_count(0)
    listed.get_by_role("button", name="Cancel Buy 12 at 49.99", exact=True).click()
    assert page.evaluate("cancelled") == ["1"]
    page.evaluate("show(rows.filter(({ id }) => id !== '1'))")
    expect(listed.get_by_role("listitem")).to_have_count(438)
    page.evaluate("show([])")
    expect(listed).to_be_hidden()


def test_near_orders_share_a_tag_until_they_are_apart(tools):
    page = tools()
    price = close(page)
    ladder(page, 3, price + 20)
    expect(page.get_by_role("button", name="3 orders ▾")).to_be_visible()
    expect(page.locator(".order-rule:visible")).to_have_count(3)
    page.evaluate("show([rows[0]])")
    expect(page.get_by_role("slider", name="Buy 12, limit")).to_be_visible()
    expect(page.locator(".order-more:visible")).to_have_count(0)


ALERTS = """levels => {
    window.asked = [];
    chart.allowAlerts({ add: (price) => asked.push(price) });
    chart.setAlerts(levels.map(([id, level, isArmed]) => ({ id, level, isArmed, again: !isArmed })));
}"""


def alerts_of(page):
    """Price, top and middle of the line of each visible alert, at one moment."""
    return page.evaluate("""() => [...document.querySelectorAll(".alert-level:not([data-beyond])")].map((line) => {
        const [rule, price] = [".alert-rule", ".alert-price"].map((part) => line.querySelector(part).getBoundingClientRect());
        return { text: line.innerText.trim(), y: rule.y, tag: price.y + price.height / 2, right: price.right };
    })""")


def test_an_alert_is_a_dashed_line_with_its_bell_at_the_axis(tools):
    page = tools()
    price = close(page)
    page.evaluate(ORDERS, [price + 10, []])
    page.evaluate(ALERTS, [["1", f"{price + 10:.2f}", True], ["2", f"{price - 10:.2f}", False], ["3", "9.00", True]])
    frame(page)
    rules = page.locator(".alert-level:not([data-beyond]) .alert-rule")
    expect(rules.first).to_have_css("border-top-style", "dashed")
    expect(rules.last).to_have_css("border-top-style", "dotted")
    expect(page.locator(".alert-price .icon:visible")).to_have_count(2)
    # A distant one has no line; it is named with the others.
    expect(page.get_by_role("listitem")).to_have_count(2)
    expect(page.locator(".chart-surface")).to_have_attribute(
        "aria-label", re.compile(re.escape(f"Alerts at {price + 10:,.2f}, {price - 10:,.2f} and 9.00.")))
    high, low = alerts_of(page)
    assert high["text"].endswith(f"{price + 10:,.2f}") and high["y"] < low["y"]
    order = page.evaluate("document.querySelector('.order-tag').getBoundingClientRect().y") + 12
    assert abs(high["tag"] - order) >= 25, "the tag stands beside that of the order"
    page.evaluate("chart.setAlerts([])")
    expect(page.locator(".alert-level")).to_have_count(0)
    expect(page.locator(".chart-surface")).not_to_have_attribute("aria-label", re.compile("Alert"))


def test_an_alert_is_set_where_the_crosshair_stands(tools):
    page = tools()
    page.locator(".chart-surface").press("l")
    page.evaluate(ALERTS, [])
    page.locator(".chart-surface").press("l")
    assert page.evaluate("asked") == [], "without a crosshair there is no price"
    page.mouse.move(*at(page, 200, 100))
    frame(page)
    pointed = page.locator(".cross-price").text_content().replace(",", "")
    page.locator(".chart-surface").press("l")
    assert page.evaluate("asked") == [pointed]
    # The label appears once the alert is set.
    expect(page.locator(".chart-hint")).to_be_hidden()
    page.evaluate("price => chart.setAlerts([{ id: '1', level: price, isArmed: true, again: false }])", pointed)
    expect(page.locator(".chart-hint")).to_have_text(f"Alert set at {float(pointed):,.2f}")
    frame(page)
    (line,) = alerts_of(page)
    assert abs(line["y"] - at(page, 200, 100)[1]) <= 2
    expect(page.locator(".chart-hint")).to_be_hidden()


def test_an_alert_is_set_from_the_menu_by_a_press_or_by_enter(tools):
    page = tools()
    open_menu(page, "Draw")
    expect(page.get_by_role("button", name="Price alert")).to_be_hidden()
    page.keyboard.press("Escape")
    page.evaluate(ALERTS, [])
    open_menu(page, "Draw")
    page.get_by_role("button", name="Price alert").click()
    expect(page.locator(".chart-hint")).to_contain_text("price of the alert")
    page.mouse.click(*at(page, 300, 90))
    expect(page.locator(".chart-hint")).to_be_hidden()
    assert page.evaluate("asked.length") == 1
    open_menu(page, "Draw")
    page.get_by_role("button", name="Price alert").click()
    page.keyboard.press("Escape")
    page.mouse.click(*at(page, 300, 90))
    assert page.evaluate("asked.length") == 1, "Escape ends it"
    open_menu(page, "Draw")
    page.get_by_role("button", name="Price alert").click()
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    assert page.evaluate("asked[1]") == f"{close(page):.2f}"
    assert page.evaluate("localStorage.getItem('livetape.chart.drawings')") is None, "it is no drawn line"


def test_lines_are_drawn_moved_kept_and_deleted_by_pointer(tools):
    page = tools()
    open_menu(page, "Draw")
    page.get_by_role("button", name="Trend line").click()
    page.mouse.click(*at(page, 200, 100))
    page.mouse.click(*at(page, 400, 220))
    open_menu(page, "Draw")
    page.get_by_role("button", name="Line at a price").click()
    page.mouse.click(*at(page, 300, 300))
    expect(page.locator(".drawing-handle:visible")).to_have_count(3)
    kept = json.loads(page.evaluate("localStorage.getItem('livetape.chart.drawings')"))
    assert kept[0][0] == "kraken/BTC/USD" and [len(row) for row in kept[0][1]] == [2, 1]
    before = page.get_by_role("button", name=re.compile("^Trend line, ends")).bounding_box()
    page.mouse.move(*at(page, 300, 160))
    page.mouse.down()
    page.mouse.move(*at(page, 340, 190), steps=4)
    page.mouse.up()
    after = page.get_by_role("button", name=re.compile("^Trend line, ends")).bounding_box()
    assert after["x"] - before["x"] == pytest.approx(40, abs=2) and after["y"] - before["y"] == pytest.approx(30, abs=2)
    page.evaluate("window.drawings = localStorage.getItem('livetape.chart.drawings')")
    page.evaluate(f"open_chart({OPEN})")
    page.evaluate("chart.setHistory(harness.history(harness.candles(20000)))")
    drawn(page, 20_000)
    expect(page.locator(".drawing-handle")).to_have_count(3)
    open_menu(page, "Draw")
    page.get_by_role("button", name="Delete all drawings").click()
    expect(page.locator(".drawing-handle")).to_have_count(0)
    assert page.evaluate("localStorage.getItem('livetape.chart.drawings')") == "[]"


def test_a_handle_is_not_seen_before_its_line_is(tools):
    page = tools()
    open_menu(page, "Draw")
    page.get_by_role("button", name="Line at a price").click()
    page.evaluate("""() => {
        window.frames = [];
        window.drawFrame = window.requestAnimationFrame;
        window.requestAnimationFrame = (draw) => window.frames.push(draw);
    }""")
    page.mouse.click(*at(page, 300, 300))
    handle = page.locator(".drawing-handle")
    expect(handle).to_have_count(1)
    expect(handle).to_be_hidden()
    page.evaluate("""() => {
        window.requestAnimationFrame = window.drawFrame;
        for (const draw of window.frames) draw(performance.now());
    }""")
    expect(handle).to_be_visible()
    expect(handle).to_be_focused()
    assert abs(handle.bounding_box()["y"] - at(page, 300, 300)[1]) < 20


def draw_level(page, x, y):
    open_menu(page, "Draw")
    page.get_by_role("button", name="Line at a price").click()
    page.mouse.click(*at(page, x, y))
    expect(page.locator(".drawing-handle").last).to_be_focused()


def test_each_drawn_line_has_its_price_at_the_axis_and_the_selected_one_a_visible_delete(tools):
    page = tools()
    remove = page.get_by_role("button", name="Delete this drawing")
    expect(remove).to_be_hidden()
    for y in (100, 300):
        draw_level(page, 300, y)
    prices = page.locator(".drawing-price:visible")
    expect(prices).to_have_count(2)
    for price, handle, y in zip(prices.all(), page.locator(".drawing-handle").all(), (100, 300)):
        assert price.text_content() in handle.get_attribute("aria-label")
        box = price.bounding_box()
        assert abs(box["y"] + box["height"] / 2 - at(page, 0, y)[1]) < 3
    # The line that is pressed is the selected one.
    page.mouse.click(*at(page, 200, 100))
    expect(prices.nth(0)).to_have_attribute("data-selected", "")
    remove.click()
    expect(page.locator(".drawing-handle")).to_have_count(1)
    expect(remove).to_be_hidden()
    assert abs(page.locator(".drawing-price:visible").bounding_box()["y"] + 10 - at(page, 0, 300)[1]) < 3
    page.mouse.click(*at(page, 200, 300))
    expect(remove).to_be_visible()
    page.mouse.click(*at(page, 200, 200))
    expect(remove).to_be_hidden()


def test_the_price_of_a_drawn_line_does_not_cover_the_latest_price(tools):
    page = tools()
    page.evaluate(ALERTS, [["1", f"{close(page):.2f}", True]])
    frame(page)
    live = alerts_of(page)[0]["y"]
    draw_level(page, 300, round(live - at(page, 0, 0)[1]) + 4)
    frame(page)
    box = page.locator(".drawing-price:visible").bounding_box()
    assert abs(box["y"] + box["height"] / 2 - live) >= 26


def test_the_crosshair_follows_a_line_that_is_dragged(tools):
    page = tools()
    draw_level(page, 300, 100)
    page.mouse.move(*at(page, 200, 100))
    page.mouse.down()
    page.mouse.move(*at(page, 240, 180), steps=4)
    page.mouse.up()
    frame(page)
    across = page.locator(".cross-across").bounding_box()
    assert abs(across["y"] - at(page, 0, 180)[1]) < 2
    assert abs(page.locator(".cross-down").bounding_box()["x"] - at(page, 240, 0)[0]) < 2


def test_lines_are_drawn_moved_and_deleted_by_keys(tools):
    page = tools()
    price = close(page)
    open_menu(page, "Draw")
    page.get_by_role("button", name="Line at a price").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".chart-hint")).to_contain_text("arrow keys and Enter")
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    handle = page.locator(".drawing-handle")
    expect(handle).to_be_focused()
    expect(handle).to_have_attribute("aria-label", re.compile(re.escape(f"Line at {price:,.2f}")))
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Shift+ArrowUp")
    expect(handle).to_have_attribute("aria-label", re.compile(re.escape(f"Line at {price + 0.11:,.2f}")))
    page.keyboard.press("Delete")
    expect(handle).to_have_count(0)
    expect(page.locator(".chart-surface")).to_be_focused()
    open_menu(page, "Draw")
    page.get_by_role("button", name="Trend line").click()
    page.keyboard.press("Escape")
    expect(page.locator(".chart-hint")).to_be_hidden()


SHAPES = ["Ray", "Rectangle", "Fibonacci retracement", "Measure"]


def draw_shape(page, name, *points):
    open_menu(page, "Draw")
    page.get_by_role("button", name=name, exact=True).click()
    for point in points:
        page.mouse.click(*at(page, *point))


@pytest.mark.parametrize("name", SHAPES)
def test_a_shape_is_drawn_moved_by_a_point_and_as_a_whole_kept_and_deleted(tools, name):
    page = tools()
    draw_shape(page, name, (200, 100), (320, 220))
    handles = page.locator(".drawing-handle:visible")
    expect(handles).to_have_count(2)
    expect(handles.last).to_be_focused()
    expect(handles.last).to_have_attribute("aria-label", re.compile(f"^{name}, ends at "))
    expect(page.locator(".drawing-price:visible")).to_have_count(1)
    begin, end = (handle.bounding_box() for handle in handles.all())
    page.keyboard.press("ArrowRight")
    frame(page)
    assert handles.last.bounding_box()["x"] > end["x"] and handles.first.bounding_box() == begin
    # The whole, at its edge: the upper left corner is on all of them.
    page.mouse.move(*at(page, 200, 100))
    page.mouse.move(begin["x"] + 12, begin["y"] + 12)
    grip = (210, 110) if name in ("Ray", "Fibonacci retracement") else (200, 150)
    page.mouse.move(*at(page, *grip))
    page.mouse.down()
    page.mouse.move(*at(page, grip[0] + 40, grip[1] + 30), steps=4)
    page.mouse.up()
    frame(page)
    assert handles.first.bounding_box()["x"] - begin["x"] == pytest.approx(40, abs=3)
    assert handles.first.bounding_box()["y"] - begin["y"] == pytest.approx(30, abs=3)
    kept = json.loads(page.evaluate("localStorage.getItem('livetape.chart.drawings')"))[0][1]
    assert [len(row) for row in kept] == [3]
    page.evaluate(f"open_chart({OPEN})")
    page.evaluate("chart.setHistory(harness.history(harness.candles(20000)))")
    drawn(page, 20_000)
    expect(page.locator(".drawing-handle")).to_have_count(2)
    handles.last.press("Delete")
    expect(page.locator(".drawing-handle")).to_have_count(0)
    expect(page.locator(".drawing-label:visible")).to_have_count(0)


def test_a_ray_goes_on_behind_its_end_and_is_grabbed_there(tools):
    page = tools()
    draw_shape(page, "Ray", (200, 100), (300, 150))
    remove = page.get_by_role("button", name="Delete this drawing")
    page.mouse.click(*at(page, 100, 300))
    expect(remove).to_be_hidden()
    page.mouse.click(*at(page, 400, 200))
    expect(remove).to_be_visible()


def test_a_retracement_names_the_price_of_each_level(tools):
    page = tools()
    draw_shape(page, "Fibonacci retracement", (200, 100), (320, 300))
    frame(page)
    labels = page.locator(".drawing-label:visible").all_text_contents()
    assert sorted(label.split(" · ")[0] for label in labels) == ["0", "0.236", "0.382", "0.5", "0.618", "0.786", "1"]
    prices = {label.split(" · ")[0]: float(label.split(" · ")[1].replace(",", "")) for label in labels}
    for level, price in prices.items():
        assert price == pytest.approx(prices["0"] + (prices["1"] - prices["0"]) * float(level), abs=0.0051)
    begin = page.locator(".drawing-handle").first.get_attribute("aria-label")
    assert f"{prices['1']:,.2f}" in begin


def test_a_measure_gives_price_share_candles_and_time(tools):
    page = tools()
    draw_shape(page, "Measure", (200, 300), (320, 100))
    label = page.locator(".drawing-label:visible")
    expect(label).to_have_text(re.compile(r"^\+[\d,.]+ \(\+\d+\.\d\d%\) · \d+ bars · \d+ min$"))
    begin, end = (float(re.search(r"at ([\d,.]+)\.", handle.get_attribute("aria-label"))[1].replace(",", ""))
                  for handle in page.locator(".drawing-handle").all())
    change, share, bars, minutes = (float(part.replace(",", "")) for part in re.findall(r"[\d,.]+", label.text_content()))
    assert change == pytest.approx(end - begin, abs=0.001)
    assert share == pytest.approx((end - begin) / begin * 100, abs=0.0051)
    assert bars == minutes, "candles of a minute"


def test_a_text_is_written_edited_and_deleted_when_it_is_empty(tools):
    page = tools()
    draw_shape(page, "Text", (200, 100))
    field = page.locator(".drawing-text")
    expect(field).to_be_focused()
    page.keyboard.type("supply <b>")
    page.keyboard.press("Enter")
    expect(field).to_have_count(0)
    label = page.locator(".drawing-label:visible")
    expect(label).to_have_text("supply <b>")
    handle = page.get_by_role("button", name=re.compile("^Text “supply <b>” at "))
    handle.press("Enter")
    page.keyboard.type("!")
    page.keyboard.press("Escape")
    expect(label).to_have_text("supply <b>")
    handle.click()
    field.fill("")
    page.keyboard.press("Enter")
    expect(page.locator(".drawing-handle")).to_have_count(0)
    expect(label).to_have_count(0)
    draw_shape(page, "Text", (200, 100))
    page.keyboard.press("Escape")
    expect(page.locator(".drawing-handle")).to_have_count(0)


def test_writing_at_the_right_edge_moves_no_drawing(tools):
    page = tools(viewport={"width": 390, "height": 844})
    draw_shape(page, "Rectangle", (60, 100), (120, 200))
    frame(page)
    before = page.locator(".drawing-handle").first.bounding_box()
    width = page.locator(".chart-surface").bounding_box()["width"]
    draw_shape(page, "Text", (round(width) - 90, 250))
    page.keyboard.type("a text that is longer than its field, which scrolls")
    frame(page)
    assert page.locator(".drawing-handle").first.bounding_box() == before
    field, plot = (page.locator(part).bounding_box() for part in (".drawing-text", ".chart-surface"))
    assert field["x"] + field["width"] <= plot["x"] + plot["width"]


def test_a_shape_is_drawn_by_taps(tools):
    page = tools(viewport={"width": 390, "height": 844}, has_touch=True)
    open_menu(page, "Draw")
    page.get_by_role("button", name="Rectangle").tap()
    page.touchscreen.tap(*at(page, 100, 100))
    page.touchscreen.tap(*at(page, 200, 200))
    expect(page.locator(".drawing-handle:visible")).to_have_count(2)


@pytest.mark.parametrize("kept", [
    "x", "{}", "[[\"kraken/BTC/USD\"]]", json.dumps([["kraken/BTC/USD", [[[1, 5]], "a", [[1, "1.234"]], [["x", "1"]], [[1, "4"], 5]]]]),
    json.dumps([["kraken/BTC/USD", [[[START, "1"], None, "text"], [[START, "1"], None, "ray"], [[START, "1"], [START, "1"], "text", "x"]]]]),
    json.dumps([["kraken/BTC/USD", [[[START, "1"]]] * 500]])])
def test_what_was_kept_of_lines_may_be_anything(tools, kept):
    page = tools({"chart.drawings": kept})
    assert page.locator(".drawing-handle").count() in (0, 64)


OUTSIDE = """(width) => {
    const bar = document.querySelector(".chart-bar");
    const box = bar.getBoundingClientRect();
    const parts = [...bar.querySelectorAll("button, select")].filter((part) => part.checkVisibility());
    return {
        page: document.documentElement.scrollWidth - Math.max(innerWidth, width), bar: bar.scrollWidth - bar.clientWidth,
        parts: parts.map((part) => [part.ariaLabel, part.getBoundingClientRect()])
            .filter(([, { left, right }]) => left < box.left - 0.5 || right > box.right + 0.5).map(([label]) => label),
    };
}"""


@pytest.mark.parametrize("touch", [False, True], ids=["mouse", "touch"])
def test_no_tool_is_cut_off_at_any_width(tools, touch):
    page = tools(has_touch=touch, is_mobile=touch)
    # The longest text of a tool.
    open_menu(page, "Price scale")
    page.get_by_label("Percent (from").check()
    page.get_by_role("button", name="Zoom in (price)").click()
    expect(page.locator(".chart-tools").get_by_text("Own · percent")).to_be_attached()
    page.keyboard.press("Escape")
    for width in (280, 320, 360, 440, 540, 561, 600, 661, 700, 737, 760, 800, 840, 865, 900, 1000):
        page.set_viewport_size({"width": width, "height": 600})
        # Below 320 px the page scrolls sideways.
        laid_out = max(width, 320)
        page.wait_for_function("width => Math.abs(document.querySelector('.chart-bar').clientWidth - width) < 40", arg=laid_out)
        assert page.evaluate(OUTSIDE, laid_out) == {"page": 0, "bar": 0, "parts": []}, width


@pytest.mark.parametrize("width", [320, 360])
def test_tools_are_a_menu_on_a_phone(tools, width):
    page = tools(viewport={"width": width, "height": 640}, has_touch=True, is_mobile=True)
    menu = page.locator(".chart-tools")
    expect(menu).to_be_hidden()
    more = page.get_by_role("button", name="Chart tools")
    assert more.bounding_box()["width"] >= 44
    more.tap()
    expect(more).to_have_attribute("aria-expanded", "true")
    for name in ("Studies", "Price scale", "Draw", "Save a picture"):
        box = menu.get_by_role("button", name=name, exact=True).bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= width and box["width"] >= 44, name
    menu.get_by_role("button", name="Studies").tap()
    page.get_by_label("VWAP").check()
    expect(page.locator(".legend-study.of-weighted")).not_to_be_empty()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    menu.evaluate("element => element.showPopover()")
    menu.get_by_role("button", name="Draw").tap()
    page.get_by_role("button", name="Line at a price").tap()
    # Nothing covers the plot at the next press.
    expect(menu).to_be_hidden()
    page.touchscreen.tap(*at(page, 100, 100))
    expect(page.locator(".drawing-handle")).to_have_count(1)


def test_a_picture_is_the_chart_over_what_it_is_of(tools):
    page = tools()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save a picture").click()
    assert saved.value.suggested_filename == "BTC-USD.png"
    data = saved.value.path().read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    canvas = page.evaluate("(({ width, height }) => [width, height])(document.querySelector('.chart-canvas'))")
    assert width == canvas[0] and height == canvas[1] + 28 + 36


def test_fills_of_a_candle_are_one_flag_with_their_number(tools):
    page = tools()
    counted = page.evaluate("""([time]) => {
        const words = [];
        const context = document.querySelector(".chart-canvas").getContext("2d");
        const own = context.fillText;
        context.fillText = function (text, ...place) { words.push(text); own.call(this, text, ...place); };
        chart.setFills(Array.from({ length: 130 }, (_, at) => ({ time: time + at, price: 450000, side: at < 120 ? "buy" : "sell" })));
        return new Promise((done) => setTimeout(() => done(words), 300));
    }""", [START + 19_000 * STEP])
    assert counted.count("99+") >= 1 and counted.count("10") >= 1
    assert view(page)["count"] == 20_000 and plot(page)["width"] > 0
