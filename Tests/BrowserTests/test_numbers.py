"""No number on any screen is cut, whatever the width: a cut number is a wrong number."""

import pytest
from playwright.sync_api import expect

from measures import CUT_NUMBERS, nothing
from ordering import place_many
from test_trading import three_orders

WIDTHS = [320, 344, 360, 390, 412, 480, 560, 640, 700, 768, 820, 900, 960, 1024, 1100, 1180, 1280, 1366, 1440, 1536, 1680, 1920]
PATHS = {
    "/feed": ".feed-rows .number", "/stocks": ".stock-rows .number", "/products": "a[data-row]", "/product/sb26493": ".price .number",
    "/symbol/AAPL": ".price .number", "/markets/all": ".market-row:not([hidden])", "/book/BTC%2FUSD": ".level:not([data-empty])",
    "/book/SHIB%2FUSD": ".level:not([data-empty])", "/book/XBTUSD": ".level:not([data-empty])", "/chart/ETH%2FBTC": ".chart-legend",
    "/trades/SHIB%2FUSD": ".trade", "/exchange": ".price.big .number", "/orders": ".orders",
}


@pytest.mark.thorough
@pytest.mark.parametrize("path", PATHS)
def test_no_number_is_cut_at_any_width(open_page, path):
    page = open_page(path, viewport={"width": WIDTHS[0], "height": 844})
    expect(page.locator(PATHS[path]).first).to_be_visible()
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 844})
        nothing(page, CUT_NUMBERS)


def test_no_number_is_cut_in_the_list_of_connections(open_page):
    page = open_page("/feed", viewport={"width": 320, "height": 844})
    page.locator(".chip").click()
    expect(page.locator(".venue-more").first).to_be_attached()
    page.evaluate("() => document.querySelectorAll('.venue-more').forEach((more) => { more.open = true; })")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 844})
        nothing(page, CUT_NUMBERS)


@pytest.mark.thorough
@pytest.mark.parametrize("tab", ["open", "positions", "fills", "history"])
def test_no_number_is_cut_in_the_tables_of_own_orders(trade, tab):
    page = trade()
    three_orders(page)
    place_many(page, 2, price="31.25", quantity="12345")
    page.locator(f".dock-tab[data-tab={tab}]").click()
    expect(page.locator(f".dock-panel[data-tab={tab}]")).to_contain_text("$")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 844})
        nothing(page, CUT_NUMBERS)


CUTTING = [
    ".headline-price .number { display: block; width: 2rem; overflow: hidden; }",
    ".market > .pane-bar.pane-bar { height: 2.25rem; }",
    ".headline-price .number { display: block; width: 2rem; overflow: hidden; text-overflow: ellipsis; }",
    ".headline-price { position: fixed; right: -5rem; top: 2rem; }",
]


def test_a_cut_number_is_found(open_page, desktop):
    page = open_page("/book/BTC%2FUSD", viewport=desktop)
    expect(page.locator(".headline-price .number")).to_be_visible()
    for style in CUTTING:
        page.evaluate("(style) => { const sheet = new CSSStyleSheet(); sheet.replaceSync(style); document.adoptedStyleSheets = [sheet]; }", style)
        assert any("price" in found or "number" in found for found in page.evaluate(CUT_NUMBERS)), style
