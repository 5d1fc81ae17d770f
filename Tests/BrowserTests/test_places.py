"""The places of the page: the same four in the same order at every width, and where each leads."""

import re

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE
from watching import follow

WIDTHS = pytest.mark.parametrize("width", [320, 390, 820, 1024, 1366, 1920])
PLACES = ["Markets", "Trade", "Orders", "Watch"]
BAR = ":is(.places, .bottom):visible"


def current(page):
    return page.locator(f"{BAR} [aria-current=page]")


@pytest.mark.thorough
@WIDTHS
def test_the_places_are_the_same_four_at_every_width(open_page, width):
    page = open_page("/feed", viewport={"width": width, "height": 844})
    links = page.locator(f"{BAR} .place:visible")
    expect(links).to_have_text(PLACES)
    expect(current(page)).to_have_text("Watch")
    for name, url in (("Markets", "/markets$"), ("Orders", "/orders$"), ("Watch", "/feed$"), ("Trade", "/exchange$")):
        links.filter(has_text=name).click()
        expect(page).to_have_url(re.compile(url))
        # On a phone the bar to trade with replaces the places.
        if name != "Trade" or width >= 700:
            expect(current(page)).to_have_text(name)


def test_each_screen_is_marked_under_its_place(open_page):
    page = open_page("/feed", viewport=DESKTOP)
    expect(current(page)).to_have_text("Watch")
    # Each time another place than before.
    for path, place in [
            ("/", "Trade"), ("/stocks", "Watch"), ("/markets/all", "Markets"), ("/products", "Watch"), ("/orders", "Orders"),
            ("/symbol/AAPL", "Watch"), ("/exchange", "Trade"), ("/product/sb26493", "Watch"), ("/book/XBTUSD", "Trade")]:
        follow(page, path)
        expect(current(page), path).to_have_text(place)


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_address_without_a_path_opens_the_same_live_market(open_page, viewport):
    page = open_page("/", viewport=viewport)
    expect(page.locator(".market .chooser")).to_have_text("BTC/USD")
    expect(page.locator(".level:not([data-empty])").first).to_be_visible()
    expect(page).to_have_title(re.compile(r"BTC/USD · Livetape$"))


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_tracker_stocks_and_products_are_tabs_of_one_place(open_page, viewport):
    page = open_page("/feed", viewport=viewport)
    lists = page.get_by_role("navigation", name="Watch")
    expect(lists.get_by_role("link")).to_have_text(["Tracker", "Stocks", "Products"])
    lists.get_by_role("link", name="Stocks").click()
    expect(page.locator(".stock-rows > li").first).to_be_visible()
    expect(lists.locator("[aria-current=page]")).to_have_text("Stocks")
    # The place remembers its tab.
    page.locator(f"{BAR} [data-place=markets]").click()
    page.locator(f"{BAR} [data-place=watch]").click()
    expect(page).to_have_url(re.compile("/stocks$"))


def test_a_folded_rail_opens_for_a_list(open_page):
    page = open_page("/book/XBTUSD", viewport=DESKTOP)
    page.get_by_role("button", name="Narrow the list").click()
    page.locator(".places [data-place=watch]").click()
    expect(page.locator(".feed-rows > li").first).to_be_visible()


def test_an_isin_has_an_address(open_page):
    page = open_page("/stocks/us0378331005", viewport=PHONE)
    expect(page.locator("[data-row=US0378331005]")).to_be_focused()


def test_the_search_has_what_was_spelt_out_first(open_page):
    page = open_page("/markets/all", viewport=DESKTOP)
    page.locator("[data-tool=search]").click()
    # Each time another result than before.
    for typed, found in [
            ("btcusd", "BTC/USD"), ("ethbtc", "ETH/BTC"), ("btc-usd", "BTC/USD"), ("xrpusd", "XRP/USD"), ("btc usd", "BTC/USD"),
            ("stocks", "Stocks"), ("xbt usd", "BTC/USD"), ("isin", "Stocks")]:
        page.get_by_role("combobox", name="Search").fill(typed)
        expect(page.locator(".result").first, typed).to_contain_text(found)
        expect(page.locator(".result-code").first, typed).to_have_text(found if "/" in found else "")


def test_the_first_visit_says_that_prices_are_simulated_until_it_is_dismissed(open_page):
    page = open_page("/book/BTC%2FUSD", viewport=DESKTOP)
    line = page.locator("#intro")
    expect(line).to_contain_text("prices are simulated")
    expect(line).to_contain_text("--venues live")
    before = page.locator("#main").bounding_box()
    line.get_by_role("button", name="Dismiss").click()
    expect(line).to_be_hidden()
    assert page.locator("#main").bounding_box() == before
    page.reload()
    expect(page.locator(".chip-count")).not_to_be_empty()
    expect(line).to_be_hidden()
