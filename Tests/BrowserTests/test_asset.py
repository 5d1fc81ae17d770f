"""One asset at all venues: best prices, exclusions, the consolidated order book."""

import re

import pytest
from playwright.sync_api import expect

from servers import Server
from watching import wait_until

INJECT = """async (faults) => {
  const socket = new WebSocket(`ws://${location.host}/live`);
  await new Promise((resolve) => (socket.onopen = resolve));
  const heard = new Promise((resolve) => (socket.onmessage = resolve));
  socket.send(JSON.stringify({ open: ["faults"] }));
  socket.send(JSON.stringify({ do: "fault.inject", venue: "coinbase", faults }));
  await heard;
  socket.close();
}"""


@pytest.fixture(scope="module")
def broken():
    """A server that only these tests break."""
    server = Server()
    yield server
    server.stop()


def row(page, venue):
    return page.locator(".asset-table .table-row").filter(has=page.get_by_role("link", name=venue, exact=True))


def clipped(page):
    """Cells whose text is wider than they are."""
    return page.evaluate("""() => [...document.querySelectorAll(".asset [role=cell]")]
        .filter((cell) => cell.offsetParent && cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent)""")


@pytest.mark.parametrize("quote, venues", [("usd", ["Kraken", "Coinbase"]), ("usdt", ["OKX", "Bybit"])])
@pytest.mark.parametrize("width", [390, 820, 1440])
def test_an_asset_shows_each_venue_and_one_book(open_page, width, quote, venues):
    page = open_page(f"/asset/btc/{quote}", viewport={"width": width, "height": 900})
    for venue in venues:
        expect(row(page, venue)).to_contain_text(re.compile(r"Live.*\d"))
    expect(page.locator(".asset-best")).to_have_text(re.compile(r"Best bid .* at .* · best ask .* at .* · spread .* bp · (just now|\d+ s ago)$"))
    # Venues without such a market are left out, once they have refused it.
    expect(page.locator(".asset-table .table-row", has_text="not listed")).to_have_count(0)
    expect(page.locator(".asset-excluded")).to_have_text("")
    for side in [".asks", ".bids"]:
        levels = page.locator(f".asset-side{side} .asset-level")
        expect(levels.first).to_have_text(re.compile(r"\d"))
        # Several venues have a colour each.
        colours = f"() => new Set([...document.querySelectorAll('.asset-side{side} .asset-bar i')].map((bar) => bar.dataset.colour)).size"
        wait_until(page, lambda: page.evaluate(colours) > 1)
    assert clipped(page) == []
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_a_perpetual_is_no_part_of_the_spot_pair(open_page, desktop):
    page = open_page("/asset/BTC/USDT", viewport=desktop)
    expect(row(page, "Bybit")).to_contain_text("Live")
    expect(page.locator(".asset-table .table-row", has_text="perpetuals")).to_have_count(0)
    page = open_page("/book/bybit-linear:BTCUSDT", viewport=desktop)
    expect(page.locator("body")).to_contain_text("Bitcoin / Tether perpetual")
    expect(page.get_by_role("link", name="All venues")).to_have_count(0)


def test_a_coarser_step_sums_more_prices(open_page, desktop):
    page = open_page("/asset/BTC/USD", viewport=desktop)
    step = page.get_by_role("combobox", name="Price step")
    expect(page.locator(".asset-side.bids .asset-level").first).to_have_text(re.compile(r"\d"))
    step.select_option("100")
    expect(page.locator(".asset-side.bids .asset-level").first.locator("span").first).to_have_text(
        re.compile(r"^[\d,]+00$"))


@pytest.mark.parametrize("scheme, width", [("light", 1440), ("dark", 390)])
def test_a_venue_that_is_lost_is_named_and_not_counted(broken, open_page, scheme, width):
    page = open_page("/asset/BTC/USD", at=broken.address, viewport={"width": width, "height": 900}, color_scheme=scheme)
    expect(row(page, "Coinbase")).to_contain_text("Live")
    page.evaluate(INJECT, "refuse for 8s, cut")
    expect(page.locator(".asset-excluded")).to_have_text(re.compile(r"^Not counted: Coinbase \("))
    expect(page.locator(".asset-best")).not_to_contain_text("Coinbase")
    expect(page.locator(".asset-bar i[data-colour='1']")).to_have_count(0)
    expect(row(page, "Coinbase")).to_have_attribute("data-dimmed", "")
    expect(row(page, "Coinbase")).to_contain_text(re.compile(r"\d+ s ago"))
    assert clipped(page) == []


def test_search_and_the_market_lead_to_the_asset(open_page, desktop):
    page = open_page("/book/BTC%2FUSD", viewport=desktop)
    page.get_by_role("link", name="All venues").click()
    expect(page).to_have_url(re.compile(r"/asset/BTC%2FUSD$"))
    row(page, "Coinbase").get_by_role("link").click()
    expect(page).to_have_url(re.compile(r"BTC-USD$"))


def test_an_asset_that_no_venue_may_have_is_unknown(open_page, desktop):
    page = open_page("/asset/%20/USD", viewport=desktop)
    expect(page.locator(".pane-notice h3:visible")).to_have_text(re.compile("There is nothing here|No venue trades"))
