"""EX2, OB2: the chart tab against the real server: live candles, stored choices, gaps, failures, keys."""

import re
import time

import pytest
from playwright.sync_api import expect

from live import Tap
from watching import wait_until

CLOSE = ".chart-legend .legend-field:nth-of-type(5) b"
TOPIC = "chart/bitmex/XBTUSD"
# Columns of the plot in which background and another colour alternate as only diagonal hatching does.
HATCHED = """() => {
    const canvas = document.querySelector(".chart-canvas");
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
    copy.drawImage(canvas, 0, 0);
    let columns = 0;
    for (let x = 20; x < canvas.width - 110; x += 1) {
        const { data } = copy.getImageData(x, 60, 1, 140);
        const pixels = new Uint32Array(data.buffer);
        let turns = 0;
        for (let y = 1; y < pixels.length; y += 1) turns += pixels[y] !== pixels[y - 1];
        columns += turns > 24;
    }
    return columns;
}"""


def show_seconds(page):
    """A narrow chart has a list of intervals, a wide one a button for each."""
    intervals, seconds = page.locator(".chart-interval"), page.get_by_role("button", name="1 second", exact=True)
    expect(intervals.or_(seconds).filter(visible=True)).to_have_count(1)
    if intervals.is_visible():
        intervals.select_option("1000")
    else:
        seconds.click()


def text(page, selector):
    return page.locator(selector).first.text_content()


@pytest.mark.thorough
def test_a_deep_link_shows_candles_that_go_on(open_page):
    page = open_page("/chart/XBTUSD")
    expect(page.locator(".panel.chart .note-text")).to_have_text(re.compile("^(Live|Late)"))
    expect(page.locator(CLOSE)).to_have_text(re.compile(r"^\d{2},\d{3}\.\d$"))
    before = text(page, CLOSE)
    page.wait_for_function("([selector, old]) => document.querySelector(selector).textContent !== old", arg=[CLOSE, before])
    newest = page.wire.states[TOPIC]["ticks"][-1]
    assert newest[2] > 0 and page.wire.states[TOPIC]["known"]


def test_the_topic_is_open_only_while_the_chart_shows(open_page):
    page = open_page("/chart/XBTUSD")
    expect(page.locator(CLOSE)).not_to_be_empty()
    assert TOPIC in page.wire.open
    page.get_by_role("tab", name="Book").click()
    expect(page.locator(".chart-view")).to_have_count(0)
    wait_until(page, lambda: TOPIC not in page.wire.open)


def test_interval_and_style_are_kept(open_page):
    page = open_page("/chart/XBTUSD")
    show_seconds(page)
    page.get_by_role("button", name="Line", exact=True).click()
    page.reload()
    expect(page.locator(".chart-interval")).to_have_value("1000")
    expect(page.get_by_role("button", name="Line", exact=True)).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".chart-surface")).to_have_attribute("aria-label", re.compile("Line chart of XBTUSD, 1 second each"))


def test_a_candle_that_was_seen_in_part_says_since_when_and_has_no_change(open_page):
    def history(route):
        answer = route.fetch(headers={**route.request.headers, "accept": "application/json"})
        body = answer.json()
        # As by a server that started within the day of the latest candle, which this one may not have done.
        if body["interval"] == 86_400_000 and body["candles"]:
            last = body["candles"][-1]
            seen_since = last[0] + 3_600_000
            body["candles"][-1] = [*last[:6], *(last[6:] or [1, 0, 2, 0])]
            body["candles"][-1][7:9] = [3_600_000, 2]
            body["seenSince"] = seen_since
            # A gap while this one ran would be missing from the day as well.
            body["gaps"] = []
        route.fulfill(response=answer, json=body)

    page = open_page("/chart/XBTUSD", setup=lambda page: page.context.route("**/history/**", history))
    legend = page.locator(".chart-legend").first
    show_seconds(page)
    expect(legend.locator(".legend-since")).to_be_hidden()
    expect(legend.locator(".legend-change")).to_be_visible()
    page.locator(".chart-interval").select_option("86400000")
    # The day's candle begins where the server started to observe.
    expect(legend.locator(".legend-since")).to_have_text(re.compile(r"^since .*\d:\d\d"))
    expect(legend.locator(".legend-change")).to_be_hidden()


def test_an_unknown_instrument_is_said_to_be_unknown(open_page):
    page = open_page("/chart/NOPE")
    expect(page.locator(".pane-notice h3")).to_have_text("Unknown instrument: NOPE")


def test_a_history_that_fails_says_so_and_is_asked_for_again(open_page):
    works = []
    page = open_page("/chart/XBTUSD", setup=lambda page: page.context.route(
        "**/history/**", lambda route: route.continue_() if works else route.fulfill(status=500)))
    expect(page.locator(".chart-note")).to_contain_text("could not be loaded")
    works.append(True)
    page.get_by_role("button", name="Retry").click()
    expect(page.locator(CLOSE)).not_to_be_empty()
    expect(page.locator(".chart-empty")).to_be_hidden()


@pytest.mark.thorough
def test_arrow_keys_walk_candles_and_stay_in_the_chart(open_page):
    page = open_page("/chart/XBTUSD")
    show_seconds(page)
    expect(page.locator(CLOSE)).not_to_be_empty()
    surface = page.locator(".chart-surface")
    # The candles of a minute stay until those of a second have loaded.
    page.wait_for_function("""() => {
      const surface = document.querySelector(".chart-surface");
      return /second/.test(surface.getAttribute("aria-label")) && /open .* close/.test(surface.getAttribute("aria-valuetext"));
    }""")
    surface.focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".chart-cross")).to_be_visible()
    expect(surface).to_have_attribute("aria-valuetext", re.compile("open .* close"))
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowDown")
    expect(surface).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".chart-cross")).to_be_hidden()
    expect(page).to_have_url(re.compile("/chart/XBTUSD$"))
    page.keyboard.press("2")
    expect(page).to_have_url(re.compile("/book/XBTUSD$"))


@pytest.mark.thorough
def test_a_venue_that_goes_leaves_a_gap(open_page, outage):
    address, venues = outage
    # Wide enough for the gap to be still visible once everything is back.
    page = open_page("/chart/XBTUSD", at=address, reduced_motion="reduce", color_scheme="light",
                     viewport={"width": 1440, "height": 900})
    show_seconds(page)
    expect(page.locator(CLOSE)).not_to_be_empty()
    page.wait_for_function(f"() => ({HATCHED})() === 0")
    venues.kill()
    expect(page.locator(".panel.chart .note-text")).to_have_text(re.compile("^(Disconnected|Stale)"))
    page.wait_for_function(f"() => ({HATCHED})() > 5")
    venues.revive()
    expect(page.locator(".panel.chart .note-text")).to_have_text(re.compile("^Live"))
    page.reload()
    expect(page.locator(CLOSE)).not_to_be_empty()
    page.wait_for_function(f"() => ({HATCHED})() > 5")


@pytest.mark.thorough
def test_the_page_without_its_link_shades_what_it_can_not_hear(open_page):
    taps = []
    page = open_page("/chart/XBTUSD", color_scheme="light", setup=lambda page: taps.append(Tap(page)))
    show_seconds(page)
    expect(page.locator(CLOSE)).not_to_be_empty()
    taps[0].refuse = True
    taps[0].cut()
    expect(page.locator(".panel.chart .note-text")).to_have_text(re.compile("^Disconnected"))
    page.wait_for_function(f"() => ({HATCHED})() > 5")
    taps[0].refuse = False
    expect(page.locator(".panel.chart .note-text")).to_have_text(re.compile("^(Live|Late)"))
    # The server kept receiving: its history fills the page's gap.
    page.wait_for_function(f"() => ({HATCHED})() === 0")


@pytest.mark.parametrize("width, height", [(320, 568), (667, 375), (820, 1100), (1440, 900)])
def test_all_controls_fit_and_the_plot_has_room(open_page, width, height):
    page = open_page("/chart/XBTUSD", viewport={"width": width, "height": height})
    expect(page.locator(CLOSE)).not_to_be_empty()
    plot = page.locator(".chart-plot").bounding_box()
    # The reason for no ticket is below it on a phone.
    end = page.locator(".no-ticket").bounding_box()["y"] if width < 700 else height
    assert plot["height"] >= 112 and plot["y"] + plot["height"] <= end
    for name in ["Candles", "Line"]:
        box = page.get_by_role("button", name=name, exact=True).bounding_box()
        assert box["x"] + box["width"] <= width
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
