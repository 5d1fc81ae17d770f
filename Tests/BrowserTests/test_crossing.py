"""An amendment that would trade at once asks for confirmation first, from the chart and from the form."""

import pytest
from playwright.sync_api import expect

from ordering import again, order, place_many, put_pointer_away
from watching import wait_until

DESKTOP = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}
SIZES = pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["1440", "390"])


def amended(page):
    return [message for message in page.wire.sent if message.get("do") == "order.amend"]


def resting_sell(trade, viewport=DESKTOP):
    """An order to sell 20 at 46.00, with a bid for 17 at 45.01."""
    page = trade(viewport=viewport)
    place_many(page, 1, price="46.00", quantity="20", word="sell", name="resting")
    expect(page.locator(".open-order")).to_have_count(1)
    return page


def grip(page):
    return page.get_by_role("slider", name="Sell 20 TROAD, limit")


def put_across(page):
    """With keys, far below the best bid."""
    for _ in range(12):
        grip(page).press("Shift+ArrowDown")


@SIZES
def test_an_order_put_across_the_market_says_what_it_sells_and_asks(trade, viewport):
    page = resting_sell(trade, viewport)
    put_across(page)
    line = page.locator(".level-line")
    expect(line).to_have_attribute("data-crossing", "")
    expect(line.locator(".order-words")).to_have_text("Sells 17 TROAD at $45.01 now")
    amber = page.evaluate("() => getComputedStyle(document.documentElement).getPropertyValue('--warn')")
    assert amber and line.evaluate("(line) => getComputedStyle(line).getPropertyValue('--chart-own')") == amber
    grip(page).press("Enter")
    dialog = page.get_by_role("alertdialog")
    expect(dialog).to_be_visible()
    expect(dialog.locator(".crossing-now")).to_have_text("Sells 17 TROAD at $45.01 now.")
    expect(dialog.locator(".crossing-rest")).to_contain_text("3 rest at $44.80.")
    expect(dialog.locator(".crossing-title")).to_contain_text("Amend order #1: Sell 20 TROAD at $44.80 or better?")
    # Enter declines: it was pressed before the question was read.
    expect(dialog.get_by_role("button", name="Don’t change")).to_be_focused()
    page.keyboard.press("Enter")
    expect(dialog).to_be_hidden()
    expect(line.locator(".order-words")).to_have_text("Sell 20 · $46.00")
    assert amended(page) == []
    put_across(page)
    grip(page).press("Enter")
    dialog.get_by_role("button", name="Sell now").click()
    wait_until(page, lambda: amended(page))
    expect(page.locator(".open-order")).to_contain_text("17 of 20 filled")


@pytest.mark.thorough
def test_a_drag_across_the_market_asks_on_release_and_one_beside_it_does_not(trade, exchange):
    page = resting_sell(trade)
    # The chart covers the range from the old price to the new one, below which there is no bid any more.
    exchange.feed.offer(last="46.40", bid=("46.35", 20), ask=("46.45", 60))
    expect(page.locator(".open-order")).to_have_count(0)
    exchange.feed.offer(last="46.40", bid=("46.35", 17), ask=("46.45", 60))
    place_many(page, 1, price="46.50", quantity="20", word="sell", name="second")
    box = grip(page).bounding_box()
    x, y = box["x"] + 20, box["y"] + box["height"] / 2
    lines = page.locator(".chart-orders").bounding_box()
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, lines["y"] + lines["height"] - 30, steps=8)
    expect(page.locator(".level-line")).to_have_attribute("data-crossing", "")
    expect(page.locator(".level-line .order-words")).to_have_text("Sells 17 TROAD at $46.35 now")
    page.mouse.up()
    expect(page.get_by_role("alertdialog")).to_be_visible()
    assert amended(page) == []
    page.keyboard.press("Escape")
    expect(page.locator(".level-line:not([data-moved])")).to_have_count(1)
    grip(page).press("ArrowUp")
    expect(page.locator(".level-line")).not_to_have_attribute("data-crossing", "")
    grip(page).press("Enter")
    wait_until(page, lambda: amended(page))
    expect(page.get_by_role("alertdialog")).to_be_hidden()


@pytest.mark.thorough
def test_the_form_that_amends_shows_what_would_trade_and_asks(trade, exchange):
    page = resting_sell(trade)
    page.get_by_role("button", name="Amend order 1,").click()
    form = page.locator(".amend-form")
    before = form.bounding_box()
    form.get_by_label("Price").fill("45.00")
    expect(form.get_by_role("status")).to_have_text("Sells 17 TROAD at $45.01 now. 3 rest at $45.00.")
    assert form.bounding_box() == before
    form.get_by_label("Quantity").fill("10")
    expect(form.get_by_role("status")).to_have_text("Sells 10 TROAD at $45.01 now.")
    page.keyboard.press("Enter")
    dialog = page.get_by_role("alertdialog")
    expect(dialog).to_be_visible()
    # The text follows the market.
    exchange.feed.offer(bid=("44.90", 17))
    expect(dialog.locator(".crossing-now")).to_have_text("It no longer trades at once; it will rest.")
    expect(dialog.get_by_role("button", name="Amend")).to_be_enabled()
    exchange.feed.offer(bid=("45.02", 4))
    expect(dialog.locator(".crossing-now")).to_have_text("Sells 4 TROAD at $45.02 now.")
    dialog.get_by_role("button", name="Don’t change").click()
    expect(form.get_by_label("Price")).to_have_value("45.00")
    assert amended(page) == []
    form.get_by_role("button", name="Save").click()
    dialog.get_by_role("button", name="Sell now").click()
    wait_until(page, lambda: amended(page))
    assert amended(page)[0]["order"] | {"clientId": ""} == {"clientId": "", "quantity": "10", "price": "45.00"}
    put_pointer_away(page)


def test_an_order_that_ends_under_the_question_is_not_amended(trade, exchange):
    page = resting_sell(trade)
    put_across(page)
    grip(page).press("Enter")
    dialog = page.get_by_role("alertdialog")
    expect(dialog).to_be_visible()
    exchange.feed.offer(bid=("46.00", 20), ask=("46.10", 20))
    expect(dialog.locator(".crossing-now")).to_have_text("Too late to amend: the order is no longer open.")
    expect(dialog.locator(".crossing-yes")).to_be_disabled()
    page.keyboard.press("Escape")
    assert amended(page) == []


@pytest.mark.thorough
@pytest.mark.parametrize("validity", ["ioc", "fok"])
def test_immediate_or_cancel_and_fill_or_kill_hold_for_one_order(trade, validity):
    page = trade()
    page.locator(".choice", has_text="Limit").click()
    page.get_by_label("Time in force").select_option(validity)
    order(page, "5", "45.10")
    placed = [message["order"] for message in page.wire.sent if message.get("do") == "order.place"]
    assert [order["timeInForce"] for order in placed] == [validity]
    again(page)
    expect(page.get_by_label("Time in force")).to_have_value("gtc")
