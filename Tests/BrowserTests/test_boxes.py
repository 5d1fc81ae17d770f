"""Boxes of the trading screens through ticks, a toast, an outage and a resize: no control moves, no number is cut."""

import pytest
from playwright.sync_api import expect

from browsers import launch
from live import Tap
from measures import CUT_NUMBERS, nothing
from test_steady import CONTROLS, COVERED, FRAMES, down
from watching import wait_until

WIDTHS = {320: 640, 390: 844, 820: 1180, 1024: 768, 1366: 768, 1440: 900, 1920: 1080}
SIZES = pytest.mark.parametrize("width", WIDTHS)
LEVEL = ".level:not([data-empty])"
# How many levels of each side are in sight.
LEVELS = """() => ["asks", "bids"].map((side) => {
  const box = document.querySelector(`.book-side.${side}`).getBoundingClientRect();
  return [...document.querySelectorAll(`.${side} .level:not([data-empty])`)].map((row) => row.getBoundingClientRect())
    .filter(({ top, bottom }) => top >= box.top - 0.5 && bottom <= box.bottom + 0.5 && top >= 0 && bottom <= innerHeight).length;
})"""
# The baselines of the headline's texts: bottoms of an inline box with the text's own descent taken away.
BASELINES = """() => [".market-identity .chooser, .market-symbol", ".headline-price .number, .exchange-last .number", ".day-fact:not([hidden]) dd"]
  .map((selector) => [...document.querySelectorAll(`.slot[data-active] ${selector.replaceAll(", ", ", .slot[data-active] ")}`)]
    // Figures without room wrap below the bar's edge, out of sight.
    .find((element) => element.checkVisibility()
      && element.getBoundingClientRect().bottom <= element.closest(".pane-bar").getBoundingClientRect().bottom))
  .filter(Boolean).map((element) => {
    const mark = document.createElement("span");
    mark.style.cssText = "display:inline-block;width:1px;height:0";
    if (element.localName !== "select") element.append(mark);
    const at = element.localName === "select" ? null : mark.getBoundingClientRect().bottom;
    mark.remove();
    return at;
  }).filter((at) => at !== null)"""


def ready(page, path):
    if path.startswith("/book"):
        expect(page.locator(LEVEL).first).to_be_visible()
    else:
        expect(page.locator(".exchange .price.big .number")).not_to_be_empty()
    expect(page.locator("[data-settling]")).to_have_count(0)
    page.evaluate("document.fonts.ready")


@pytest.mark.thorough
@SIZES
@pytest.mark.parametrize("path", ["/book/BTC%2FUSD", "/book/SHIB%2FUSD", "/exchange"])
def test_nothing_moves_a_control_and_cuts_a_number(open_page, width, path):
    taps = []
    page = open_page(path, viewport={"width": width, "height": WIDTHS[width]}, setup=lambda page: taps.append(Tap(page)))
    ready(page, path)
    # What comes with the first figures has come.
    page.wait_for_timeout(1500)
    before = page.evaluate(CONTROLS)

    def unmoved(what):
        page.evaluate(FRAMES)
        after = page.evaluate(CONTROLS)
        moved = {path: (box, after[path]) for path, box in before.items() if path in after and after[path] != box}
        assert moved == {}, what
        nothing(page, CUT_NUMBERS)

    unmoved("nothing")
    price = page.locator(".slot[data-active] :is(.headline-price, .price.big) .number").first
    last = price.text_content()
    wait_until(page, lambda: price.text_content() != last)
    unmoved("a tick")
    page.evaluate("""async () => (await import("/assets/ui/toast.js")).toast("Bought 5 TROAD at $45.10.")""")
    expect(page.locator(".toast")).to_be_visible()
    assert page.evaluate(COVERED) == []
    unmoved("a toast")
    page.set_viewport_size({"width": width + 120, "height": WIDTHS[width] + 60})
    page.evaluate(FRAMES)
    nothing(page, CUT_NUMBERS)
    page.set_viewport_size({"width": width, "height": WIDTHS[width]})
    page.wait_for_function("width => innerWidth === width", arg=width)
    unmoved("a resize")
    taps[0].change = down
    taps[0].cut()
    expect(page.locator("#banner")).to_contain_text("BitMEX is disconnected")
    assert page.evaluate(COVERED) == []
    unmoved("an outage")


@pytest.mark.thorough
@pytest.mark.parametrize("size, least", [((1280, 720), 13), ((1366, 768), 15), ((1440, 900), 18), ((1920, 1080), 20)])
@pytest.mark.parametrize("market", ["BTC%2FUSD", "XBTUSD"])
def test_the_book_shows_its_levels_over_the_whole_column(open_page, size, least, market):
    page = open_page(f"/book/{market}", viewport={"width": size[0], "height": size[1]})
    expect(page.locator(LEVEL).first).to_be_visible()
    wait_until(page, lambda: min(page.evaluate(LEVELS)) >= least)
    nothing(page, CUT_NUMBERS)


@pytest.mark.thorough
@pytest.mark.parametrize("width", [1024, 1366, 1920])
@pytest.mark.parametrize("path", ["/book/BTC%2FUSD", "/exchange"])
def test_the_headline_begins_at_the_left_edge_on_one_baseline(open_page, width, path):
    page = open_page(path, viewport={"width": width, "height": 800})
    ready(page, path)
    expect(page.locator(".slot[data-active] .day-fact:not([hidden])").first).to_be_visible()
    lines = page.evaluate(BASELINES)
    assert len(lines) >= 2 and max(lines) - min(lines) <= 1, lines
    bar = page.locator(".slot[data-active] .pane-bar").first.bounding_box()
    identity = page.locator(".slot[data-active] .market-identity").bounding_box()
    price = page.locator(".slot[data-active] :is(.headline-price, .price.big)").first.bounding_box()
    assert identity["x"] - bar["x"] <= 18 and price["x"] - identity["x"] - identity["width"] <= 40


@pytest.mark.thorough
@pytest.mark.parametrize("text", [20, 24, 32])
@pytest.mark.parametrize("size", [(1280, 720), (1440, 900), (390, 844)], ids=["1280", "1440", "390"])
@pytest.mark.parametrize("path", ["/book/BTC%2FUSD", "/exchange", "/markets/all"])
def test_large_text_keeps_rows_chart_and_button_usable(browser, address, text, size, path):
    large = launch(browser.browser_type, f"--blink-settings=defaultFontSize={text}")
    try:
        context = large.new_context(viewport={"width": size[0], "height": size[1]}, locale="en-US", service_workers="block")
        page = context.new_page()
        page.goto(address + path)
        expect(page.locator(".chip-count")).not_to_be_empty()
        page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth")
        nothing(page, CUT_NUMBERS)
        if path == "/exchange":
            expect(page.locator(".exchange .price.big .number")).not_to_be_empty()
            go = page.locator(".ticket-form .ticket-go, .trade-buy").locator("visible=true").first
            box = go.bounding_box()
            assert box["y"] + box["height"] <= size[1]
            chart = page.locator(".exchange-chart").bounding_box()
            assert chart["height"] >= 150
        elif path == "/markets/all":
            expect(page.locator(".market-row .row-title").first).to_be_visible()
            assert page.locator(".market-row .row-title").first.bounding_box()["width"] >= 60
        else:
            expect(page.locator(LEVEL).first).to_be_visible()
            wait_until(page, lambda: min(page.evaluate(LEVELS)) >= 3)
    finally:
        large.close()


@pytest.mark.parametrize("width", [390, 1366])
@pytest.mark.parametrize("path", ["/book/BTC%2FUSD", "/exchange"])
def test_star_symbol_and_bell_are_on_one_line(open_page, width, path):
    page = open_page(path, viewport={"width": width, "height": 800})
    ready(page, path)
    middles = page.evaluate("""() => [".star-button svg", ":is(.chooser, .market-symbol)", ".bell svg"].map((part) => {
      const { top, height } = document.querySelector(`.slot[data-active] ${part}`).getBoundingClientRect();
      return top + height / 2;
    })""")
    assert max(middles) - min(middles) <= 2.5, middles


@pytest.mark.thorough
def test_a_narrow_list_keeps_the_names_of_its_markets(open_page):
    page = open_page("/markets/all", viewport={"width": 320, "height": 640}, has_touch=True, is_mobile=True)
    expect(page.locator(".market-row .row-title").first).to_be_visible()
    cut = page.evaluate("""() => [...document.querySelectorAll(".market-row .row-title")].slice(0, 10)
      .filter((name) => name.scrollHeight > name.clientHeight + 1 || name.scrollWidth > name.clientWidth + 1)
      .map((name) => name.textContent)""")
    assert cut == []
    nothing(page, CUT_NUMBERS)
