"""Every screen through axe-core: names, roles, contrast and structure."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

# Each screen, with the element that appears once it shows real data.
SCREENS = {
    "/feed": ".feed-rows > li", "/stocks": ".stock-rows .arrow:not(:empty)", "/products": ".product-rows > li",
    "/product/sb26493": ".product .price.big .number", "/symbol/AAPL": ".symbol .price.big .number",
    "/markets/all": ".market-row", "/book/BTC%2FUSD": ".level:not([data-empty])", "/trades/BTC%2FUSD": ".trade",
    "/chart/BTC%2FUSD": ".market-chart", "/exchange": ".market-chart", "/orders": ".orders .pane-notice:not([hidden])",
    "/nowhere": ".missing .pane-notice",
}
SIZES = {"360": {"width": 360, "height": 740}, "1440": {"width": 1440, "height": 900}}


def run(page, **options):
    result = Axe().run(page, options={"resultTypes": ["violations"], **options}).response
    return [f"{found['id']}: {node['target']}" for found in result["violations"] for node in found["nodes"]]


def findings(page):
    """axe's findings in both themes, one "rule: element" a line. Only contrast depends on the theme."""
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    found = run(page)
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    return found + [f"dark {line}" for line in run(page, runOnly=["color-contrast"])]


@pytest.mark.thorough
@pytest.mark.parametrize("size", SIZES)
def test_axe_finds_nothing_on_any_screen_in_either_theme(open_page, size):
    page = open_page("/feed", viewport=SIZES[size])
    origin = page.url.removesuffix("/feed")
    found = {}
    for path, settled in SCREENS.items():
        if page.url != origin + path:
            page.goto(origin + path)
        expect(page.locator(settled).first).to_be_visible()
        found[path] = findings(page)
    page.goto(f"{origin}/book/kraken:BTC%2FUSD")
    page.get_by_label("Book view").select_option("DOM")
    expect(page.get_by_role("button", name="One click")).to_be_visible()
    found["the DOM"] = findings(page)
    page.get_by_label("Book view").select_option("Ladder")
    page.goto(f"{origin}/exchange")
    if size == "360":
        page.locator(".trade-buy").click()
    expect(page.locator(".ticket-form .ticket-go")).to_be_visible()
    found["the ticket"] = findings(page)
    page.locator(".chip").click()
    expect(page.locator(".status-panel")).to_be_visible()
    found["the connections"] = findings(page)
    assert {path: lines for path, lines in found.items() if lines} == {}
