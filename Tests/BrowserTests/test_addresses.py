"""URLs and search: any case, invalid targets, synonyms."""

import re

import pytest
from playwright.sync_api import expect


@pytest.mark.thorough
@pytest.mark.parametrize("path, to, shows", [
    ("/symbol/aapl", "/symbol/AAPL", ".price.big .number"), ("/book/xbtusd", "/book/XBTUSD", ".level:not([data-empty])"),
    ("/trades/btc/usd", "/trades/BTC%2FUSD", ".trade"), ("/product/SB26493", "/product/SB26493", ".price.big .number"),
    ("/Stocks", "/stocks", ".stock-rows > li"), ("/Feed", "/feed", ".feed-rows > li"),
])
def test_an_address_is_understood_in_any_case(open_page, path, to, shows):
    page = open_page(path)
    expect(page.locator(shows).first).to_have_text(re.compile(r"\d|\w"))
    expect(page).to_have_url(re.compile(re.escape(to) + "$"))


def test_a_market_is_addressed_by_its_venue_and_symbol(open_page, desktop):
    page = open_page("/book/Kraken:btc/usd", viewport=desktop)
    expect(page).to_have_url(re.compile(r"/book/kraken:BTC%2FUSD$"))
    expect(page.locator(".level:not([data-empty])").first).to_have_text(re.compile(r"\d"))
    expect(page.locator(".trade").first).to_have_text(re.compile(r"\d"))
    expect(page.locator(".market-name")).to_have_text("Bitcoin / US dollar · Kraken")
    expect(page.locator("#market-title")).to_have_text("BTC/USD")
    # The rail's rows have one name each, the market several.
    expect(page.locator(".watch-row[aria-current]")).to_have_attribute("data-row", "kraken/BTC/USD")
    page.keyboard.press("3")
    expect(page).to_have_url(re.compile(r"/kraken:BTC%2FUSD$"))
    for path, row in (("/book/BTC/USD", "kraken/BTC/USD"), ("/book/XBTUSD", "bitmex/XBTUSD"), ("/book/binance:BTCUSDT", "binance/BTCUSDT")):
        page.goto(page.evaluate("location.origin") + path)
        expect(page.locator(".watch-row[aria-current]")).to_have_attribute("data-row", row)


@pytest.mark.thorough
@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("path", ["/nonsense", "/orders/17", "/stocks/US0378331005/x", "/symbol", "/book/A/B/C", "//nonsense"])
def test_an_address_that_leads_nowhere_says_so(open_page, path, width):
    page = open_page(path, viewport={"width": width, "height": 900})
    notice = page.locator(".missing .pane-notice")
    expect(notice.locator("h3")).to_have_text("There is nothing here")
    expect(notice).to_contain_text(path)
    expect(page).to_have_title("Not found · Livetape")
    expect(page.locator(":is(.places, .bottom) [aria-current]")).to_have_count(0)
    page.get_by_role("button", name="All markets").click()
    expect(page.locator(".market-row").first).to_be_visible()
    expect(page.locator(".missing")).to_have_count(0)


@pytest.mark.parametrize("length", [*(pytest.param(each, marks=pytest.mark.thorough) for each in (40, 70)), 300])
def test_a_name_that_is_too_long_is_unknown_and_everything_else_goes_on(open_page, length):
    page = open_page("/symbol/" + "X" * length, viewport={"width": 1440, "height": 900})
    expect(page.locator(".symbol .pane-notice h3")).to_have_text(re.compile(r"^There is no symbol X{40}…?$"))
    expect(page.locator(".watch-row").first).to_contain_text(re.compile(r"\d"))
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_an_unknown_instrument_is_said_to_be_unknown_once(open_page, desktop):
    page = open_page("/book/NOPE", viewport=desktop)
    expect(page.locator(".pane-notice h3:visible")).to_have_text(["Unknown instrument: NOPE"])


def search(page, words):
    box = page.get_by_role("combobox", name="Search")
    if not box.is_visible():
        page.keyboard.press("/")
    box.fill(words)
    return page.locator(".result")


def test_what_is_traded_and_its_orders_are_found(open_page):
    page = open_page("/stocks")
    for words, shows, leads in [
            ("troad", "TROAD", "/exchange"), ("orders", "Order history", "/orders"), ("two roads", "Two Roads", "/exchange")]:
        expect(search(page, words).first).to_contain_text(shows)
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile(f"{leads}$"))


def test_instruments_of_the_same_name_say_their_venue(open_page):
    page = open_page("/stocks")
    results = search(page, "bitcoin")
    expect(results.filter(has_text="Kraken").first).to_contain_text("BTC/USD")
    expect(results.filter(has_text="BitMEX").first).to_contain_text("XBTUSD")


def test_search_is_closed_by_touch(open_page):
    page = open_page("/feed", has_touch=True)
    page.locator("[data-tool=search]").tap()
    expect(page.get_by_role("combobox", name="Search")).to_be_visible()
    button = page.get_by_role("button", name="Close search")
    box = button.bounding_box()
    assert min(box["width"], box["height"]) >= 44
    button.tap()
    expect(page.get_by_role("combobox", name="Search")).to_be_hidden()
