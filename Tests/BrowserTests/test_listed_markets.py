"""Any market that a venue lists has its complete screen: book, chart and trades, by every route."""

import os
import random
import re

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE
from test_market_list import ROWS, listed, open_list, row, search
from watching import wait_until

SEED = int(os.environ.get("LIVETAPE_SEED") or random.randrange(1_000_000))
CLOSE = ".chart-legend .legend-field:nth-of-type(5) b"
SIZES = pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["1440", "390"])


@pytest.fixture(autouse=True)
def seed():
    print(f"LIVETAPE_SEED={SEED}")


@pytest.fixture
def markets(open_page):
    """Pairs of Kraken's list: random ones, and names that begin with a digit or contain a lower-case letter."""
    page = open_list(open_page, viewport=DESKTOP)
    rows = [each for each in listed(page) if each["venue"] == "kraken" and each["open"]]
    page.context.close()
    chance = random.Random(SEED)
    kinds = (r"", r"^\d", r"^[A-Z.]+x/", r"/EUR$")
    chosen = [chance.choice([each for each in rows if re.search(kind, each["symbol"])]) for kind in kinds]
    if not os.environ.get("LIVETAPE_ALL"):
        chosen = chance.sample(chosen, 2)
    print([each["symbol"] for each in chosen])
    return chosen


def expect_chart(page, market):
    """Waits until the market's chart is drawn under its own name."""
    topic = f"chart/kraken/{market['symbol']}"
    wait_until(page, lambda: topic in page.wire.open and page.wire.states.get(topic, {}).get("known"))
    expect(page.locator(".chart-surface")).to_have_attribute("aria-label", re.compile(re.escape(market["symbol"])))
    expect(page.locator(CLOSE)).to_have_text(re.compile(r"\d"))
    expect(page.get_by_text("Unknown instrument")).to_have_count(0)


def path(tab, market):
    return f"/{tab}/{market['symbol'].replace('/', '%2F')}"


@SIZES
def test_a_deep_link_to_any_listed_market_opens_its_chart(open_page, markets, viewport):
    for market in markets:
        page = open_page(path("chart", market), viewport=viewport)
        expect_chart(page, market)
        expect(page.locator(".market-name")).to_have_text(f"{market['name']} · Kraken")
        expect(page.locator(".market-identity > .badge")).to_have_text("Simulated")
        expect(page.locator(".star-button")).to_have_attribute("aria-label", f"Add {market['symbol']} to favourites")
        page.context.close()


@pytest.mark.thorough
@SIZES
def test_a_click_in_all_markets_opens_its_chart(open_page, markets, viewport):
    page = open_page("/markets/all", viewport=viewport)
    list_address = page.url
    for market in markets:
        expect(page.locator(ROWS).first).to_be_visible()
        search(page, market["symbol"])
        row(page, market["id"]).click()
        page.wait_for_url(f"**{path('book', market)}")
        if viewport is PHONE:
            page.get_by_role("tab", name="Chart").click()
        expect_chart(page, market)
        page.goto(list_address)


@pytest.mark.thorough
@SIZES
def test_search_opens_its_chart(open_page, markets, viewport):
    page = open_page("/book/XBTUSD", viewport=viewport)
    for market in markets:
        page.locator("body").press("/")
        page.get_by_role("combobox", name="Search").fill(market["symbol"])
        expect(page.locator(".result").first).to_contain_text(market["name"])
        page.keyboard.press("Enter")
        page.wait_for_url(f"**{path('book', market)}")
        if viewport is PHONE:
            page.get_by_role("tab", name="Chart").click()
        expect_chart(page, market)


@pytest.mark.parametrize("tab", ["chart", "book", "trades"])
@SIZES
def test_a_pair_that_no_venue_lists_is_said_to_be_unknown_on_every_tab(open_page, viewport, tab):
    page = open_page(f"/{tab}/ABC%2FXYZ", viewport=viewport)
    expect(page.get_by_text("Unknown instrument: ABC/XYZ").locator("visible=true")).to_have_count(1)
    expect(page.locator(".star-button")).to_be_hidden()
    expect(page.locator(".market-name")).to_be_empty()


@pytest.mark.parametrize("venue, symbol, name", [
    ("okx", "LTC-USDT", "Litecoin / Tether · OKX"), ("bybit", "LTCUSDT", "Litecoin / Tether · Bybit"),
    ("bybit-linear", "LTCUSDT", "Litecoin / Tether perpetual · Bybit perpetuals"),
    ("binance", "LTCUSDT", "Litecoin / Tether · Binance")])
def test_a_market_outside_the_catalogue_has_the_currencies_of_its_venues_list(open_page, venue, symbol, name):
    page = open_page(f"/book/{venue}:{symbol}", viewport=DESKTOP)

    def book():
        states = [state for topic, state in page.wire.states.items() if topic.startswith(f"book/{venue}:{symbol}")]
        return states and states[0].get("status") == "synced" and states[0].get("quote") and states[0]

    state = wait_until(page, book)
    assert (state["base"], state["quote"], len(state["bids"])) == ("LTC", "USDT", 20)
    expect(page.locator(".market-name")).to_have_text(name)
    expect(page.get_by_text("Unknown instrument")).to_have_count(0)
    facts = page.locator(".market .day-fact").filter(has_text="24 h volume")
    expect(facts).to_have_text(re.compile(r"\d[\d,.]*[kM]?( LTC)?$"))
