"""Every order, fill and sentence about one names its market, on every screen."""

import re

import pytest
from playwright.sync_api import expect

from ordering import again, offers, order, place_many
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
    page.locator(".ticket-form .ticket-go").click()
    expect(page.locator(".ticket-review")).to_be_visible()
    exchange.feed.offer(ask=("45.06", 3))
    offers(page, "$45.01", "$45.06")
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
