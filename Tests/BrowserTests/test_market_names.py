"""Every order, fill and sentence about one names its market, on every screen."""

import re

import pytest
from playwright.sync_api import expect

from ordering import again, order, place_many, review
from watching import wait_until

pytestmark = pytest.mark.thorough

DESKTOP = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}
SIZES = pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["1440", "390"])


def tab(page, name):
    page.get_by_role("tab", name=re.compile(f"^{name}")).click()
    return page.locator(".dock-panel:visible")


@SIZES
def test_the_tables_name_the_market_of_each_row_also_beside_another_market(trade, viewport):
    page = trade("/book/BTC%2FUSD", viewport=viewport)
    if viewport is PHONE:
        page.goto(page.url.replace("/book/BTC%2FUSD", "/exchange"))
    place_many(page, 2, price="44.00", name="open")
    place_many(page, 1, quantity="5", name="filled")
    row = page.locator(".open-order").first
    expect(row).to_contain_text("TROAD")
    expect(row.get_by_role("button", name="Cancel order")).to_have_accessible_name(re.compile("TROAD"))
    expect(row.get_by_role("button", name="Amend order")).to_have_accessible_name(re.compile("TROAD"))
    page.get_by_role("button", name="Cancel all").click()
    expect(page.get_by_role("button", name="Cancel 2 TROAD orders")).to_be_visible()
    page.get_by_role("button", name="Don’t cancel").click()
    expect(tab(page, "Fills").locator(".table-row").first).to_contain_text("TROAD")
    for line in tab(page, "History").locator(".order-line").all():
        expect(line).to_contain_text("TROAD")
        expect(line).to_have_accessible_name(re.compile("TROAD"))
    if viewport is DESKTOP:
        for receipt in tab(page, "Activity").locator(".receipt").all():
            expect(receipt.locator(".receipt-title")).to_contain_text("TROAD")
            expect(receipt.locator(".receipt-text")).to_contain_text("TROAD")


def test_a_toast_names_the_market(trade):
    page = trade(viewport=PHONE)
    place_many(page, 1, quantity="5")
    expect(page.locator(".toast")).to_have_text("Bought 5 TROAD at $45.10.")


def test_the_tab_counts_fills_not_orders(trade, exchange):
    page = trade()
    place_many(page, 1, price="45.00", quantity="10")
    exchange.feed.offer(bid=("44.90", 17), ask=("45.00", 4))
    wait_until(page, lambda: page.wire.states["orders"]["fillCount"] == 1)
    exchange.feed.offer(bid=("44.90", 17), ask=("44.99", 3))
    wait_until(page, lambda: page.wire.states["orders"]["fillCount"] == 2)
    expect(page.locator(".dock-tab[data-tab=fills] .count")).to_have_text("2")
    expect(tab(page, "Fills").locator(".table-row")).to_have_count(2)


def test_a_partial_fill_is_titled_as_one_and_a_shortfall_is_no_improvement(trade, exchange):
    page = trade()
    page.get_by_label("Quantity", exact=True).fill("60")
    review(page)
    exchange.feed.offer(ask=("45.06", 3))
    wait_until(page, lambda: page.wire.states["exchange"]["ask"] == "45.06")
    page.locator(".ticket-review .ticket-go").click()
    outcome = page.locator(".ticket-outcome")
    expect(outcome.locator(".review-title")).to_have_text("Buy 60 TROAD at market")
    expect(outcome.locator(".status")).to_have_text("PARTIALLY FILLED")
    expect(outcome.locator(".outcome-figures")).to_have_text("3 of 60 at $45.06 · 57 cancelled")
    expect(outcome.locator(".drift")).to_have_text("Filled only 3 at $45.06 (reviewed: 60 at $45.10).")
    expect(outcome.locator(".drift")).to_have_attribute("data-kind", "worse")


def test_the_tags_of_orders_on_the_chart_name_the_market(trade):
    page = trade()
    order(page, "5", "44.90")
    expect(page.get_by_role("slider", name="Buy 5 TROAD, limit")).to_be_visible()
    expect(page.get_by_role("button", name="Cancel Buy 5 TROAD at $44.90")).to_be_visible()
    again(page)


BITCOIN = "kraken:BTC/USD"
BITCOIN_NAME = "BTC/USD · Kraken"


def counts(page):
    """The counts of the tabs whose rows are of one market each."""
    return page.locator(".dock-tab .count").all_text_contents()[:4]


def narrow(page, name):
    page.locator(".dock-filter").get_by_role("button", name=name).click()
    expect(page.locator(".dock-body[data-settling]")).to_have_count(0)


def test_the_dock_shows_the_orders_of_this_market_or_all_and_counts_what_it_shows(trade):
    page = trade("/book/BTC/USD")
    wait_until(page, lambda: page.wire.states["books"]["instruments"])
    place_many(page, 2, price="44.00", name="open")
    place_many(page, 1, quantity="5", name="filled")
    place_many(page, 3, price="10", name="bitcoin", instrument=BITCOIN)
    everything = ["5", "1", "1", "6"]
    expect(page.locator(".open-order")).to_have_count(5)
    assert counts(page) == everything
    narrow(page, "This market")
    expect(page.locator(".open-order")).to_have_count(3)
    assert counts(page) == ["3", "0", "0", "3"]
    expect(tab(page, "Positions")).to_contain_text(f"No position in {BITCOIN_NAME}.")
    expect(page.locator(".positions tbody tr:visible").filter(has_text="TROAD")).to_have_count(0)
    expect(tab(page, "Fills")).to_contain_text(f"No fills in {BITCOIN_NAME}.")
    expect(tab(page, "History").locator(".order-line")).to_have_count(3)
    # What was chosen lasts, and is of the market that is shown.
    page.goto(page.url.split("/book")[0] + "/exchange")
    expect(page.locator(".dock-filter [aria-pressed=true]")).to_have_text("This market")
    expect(tab(page, "History").locator(".order-line")).to_have_count(3)
    wait_until(page, lambda: counts(page) == ["2", "1", "1", "3"])
    expect(tab(page, "Fills").locator(".table-row")).to_have_count(1)
    narrow(page, "All")
    wait_until(page, lambda: counts(page) == everything)


def test_cancel_all_ends_the_orders_that_are_shown_and_no_other(trade):
    page = trade("/book/BTC/USD")
    wait_until(page, lambda: page.wire.states["books"]["instruments"])
    place_many(page, 2, price="44.00", name="open")
    # More than a page may cancel within a second.
    place_many(page, 45, price="10", name="bitcoin", instrument=BITCOIN)
    tab(page, "Open")
    narrow(page, "This market")
    wait_until(page, lambda: counts(page)[0] == "45")
    page.get_by_role("button", name=f"Cancel all {BITCOIN_NAME}").click()
    page.get_by_role("button", name=f"Cancel 45 {BITCOIN_NAME} orders").click()
    expect(page.locator("#announcer")).to_contain_text(f"45 orders cancelled in {BITCOIN_NAME}.")
    expect(page.locator(".dock")).to_contain_text(f"No open orders in {BITCOIN_NAME}.")
    narrow(page, "All")
    expect(page.locator(".open-order")).to_have_count(2)
    expect(page.locator(".open-order").first).to_contain_text("TROAD")


def test_the_filter_keeps_its_place_beside_every_table(trade):
    page = trade("/book/BTC/USD")
    button = page.locator(".dock-filter button").last
    before = button.bounding_box()
    for name in ("Alerts", "Activity", "Positions"):
        tab(page, name)
        assert button.bounding_box() == before


# Texts of one row that reach into the next; a clipped one ends with its cell.
COLLIDING = """([selector, cells]) => [...document.querySelectorAll(selector)].flatMap((row) => {
  const texts = [...row.querySelectorAll(cells)].map((cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    const { left, right, top, bottom, width } = range.getBoundingClientRect();
    const isClipped = getComputedStyle(cell).overflowX !== "visible";
    return { left, right: isClipped ? Math.min(right, cell.getBoundingClientRect().right) : right, top, bottom, width,
      text: cell.textContent };
  }).filter(({ width }) => width > 0).sort((a, b) => a.left - b.left);
  return texts.flatMap((text, at) => texts.slice(at + 1)
    .filter((next) => text.right > next.left + 0.5 && text.top < next.bottom && next.top < text.bottom)
    .map((next) => `${text.text} | ${next.text}`));
})"""


@pytest.mark.parametrize("viewport", [{"width": 1366, "height": 768}, DESKTOP], ids=["1366", "1440"])
def test_a_market_of_a_venue_has_room_in_every_table(trade, viewport):
    page = trade("/book/BTC/USD", viewport=viewport)
    wait_until(page, lambda: page.wire.states["books"]["instruments"])
    place_many(page, 2, price="10", quantity="0.12", name="open", instrument="coinbase:BTC-USD")
    place_many(page, 1, quantity="0.12", name="filled", instrument="coinbase:BTC-USD")
    for name, rows, cells in [("Open", ".open-order", ".open-cell, .open-acts"), ("Fills", ".table-row", "[role=cell]"),
                              ("History", ".order-line", ".order-what, .order-quantity, .order-average, .order-limit, .order-time")]:
        expect(tab(page, name).locator(rows).first).to_contain_text("BTC-USD · Coinbase")
        assert page.evaluate(COLLIDING, [f".dock-panel:not([hidden]) {rows}", cells]) == [], name
