"""OB7: the same screens on Kraken's BTC/USD, reached through the chooser."""

import re

import pytest
from playwright.sync_api import expect

from watching import choose_market, is_sorted

BIDS, ASKS = ".bids .level:not([data-empty])", ".asks .level:not([data-empty])"


@pytest.mark.thorough
def test_the_chooser_leads_to_btc_usd_with_book_bars_and_trades(open_page):
    page = open_page("/book/XBTUSD")
    expect(page.locator(".market .chooser")).to_have_text("XBTUSD")
    choose_market(page, "BTC/USD")
    page.wait_for_url("**/book/BTC%2FUSD")
    expect(page.locator(BIDS)).to_have_count(20)
    expect(page.locator(ASKS)).to_have_count(20)
    page.wait_for_function(is_sorted(f"{BIDS} .level-price", -1))
    page.wait_for_function(is_sorted(f"{ASKS} .level-price", 1))
    expect(page.locator(".book-heads .head")).to_have_text(
        ["Qty (BTC)", "Price (USD)", "Price (USD)", "Qty (BTC)"])
    expect(page.get_by_role("button", name="Contracts")).to_be_hidden()
    expect(page.locator(".balance")).to_have_attribute("title", re.compile(r"100 bid and 100 ask levels loaded\."))
    expect(page.locator(".market-name")).to_have_text("Bitcoin / US dollar · Kraken")
    bars = page.evaluate("""() => [...document.querySelectorAll(".level")]
      .flatMap((row) => getComputedStyle(row).backgroundSize.split(", ").map((size) => parseFloat(size)))""")
    assert max(bars) == 100
    page.get_by_role("tab", name="Trades").click()
    page.wait_for_url("**/trades/BTC%2FUSD")
    expect(page.locator(".trade")).to_have_count(30)
    expect(page.locator(".tape-heads .head")).to_have_text(["Price (USD)", "Qty (BTC)", "Time"])


def test_a_pair_is_opened_by_its_path_and_an_unknown_one_says_so(open_page):
    page = open_page("/book/SHIB/USD")
    expect(page.locator(BIDS)).to_have_count(20)
    expect(page.locator(".market .chooser")).to_have_text("SHIB/USD")
    page = open_page("/book/ABC%2FXYZ")
    expect(page.get_by_text("Unknown instrument: ABC/XYZ")).to_be_visible()
    choose_market(page, "ETH/BTC")
    expect(page.locator(BIDS)).to_have_count(20)
    expect(page.locator(".book-heads .head").first).to_have_text("Qty (ETH)")
    expect(page.locator(".spread")).to_have_text(re.compile(r"^Spread 0\.0\d+$"))
