"""EX3 to EX9 in the page: ticket, receipts, open orders and their history, against scripted prices."""

import json
import re

import pytest
from playwright.sync_api import expect

from live import Tap
from measures import CONTRAST, OVERFLOWING, SMALL_TARGETS, nothing
from ordering import again, fill, history, offers, order, place, place_many, put_pointer_away, review, settled, side, switch
from test_alerts import set_alert
from watching import wait_until

TABLET = {"width": 820, "height": 1180}


# Market and limit orders


def test_a_market_order_takes_what_is_offered_and_says_why_the_rest_is_cancelled(trade):
    page = trade()
    fill(page, "100")
    expect(page.locator(".ticket-form .preview")).to_contain_text("60 × $45.10")
    expect(page.locator(".ticket-form .preview-left")).to_contain_text("40 will be cancelled: only 60 available")
    place(page)
    said = page.locator(".ticket-outcome .outcome-texts")
    expect(said).to_contain_text("Bought 60 of 100 TROAD at $45.10; 40 cancelled: only 60 offered")
    expect(said).to_have_attribute("data-warning", "")
    expect(page.locator(".ticket-outcome .status")).to_have_text("PARTIALLY FILLED")
    expect(page.locator(".outcome-figures")).to_have_text("60 of 100 at $45.10 · 40 cancelled")
    expect(page.locator("#announcer")).to_contain_text("Bought 60 of 100 TROAD at $45.10")
    history(page)
    row = page.locator(".order")
    expect(row).to_have_count(1)
    expect(row.locator(".order-quantity")).to_have_text("60 of 100")
    expect(row.locator(".status")).to_have_text("PARTIALLY FILLED")
    row.locator(".order-line").click()
    expect(row.locator(".order-reason")).to_contain_text("only 60 offered")
    expect(row.locator(".order-levels td")).to_have_text(
        ["60", "at $45.10", "", "a level of 60"])
    expect(row.locator(".order-facts")).to_contain_text("Slippagenone")


@pytest.mark.thorough
def test_a_sale_takes_the_best_buy_offer(trade):
    page = trade()
    order(page, "17", word="Sell")
    expect(page.locator(".outcome-texts")).to_contain_text("Sold 17 TROAD at $45.01")
    expect(page.locator(".ticket-outcome .status")).to_have_text("FILLED")


@pytest.mark.thorough
def test_a_limit_order_waits_over_a_crash_and_fills_when_the_offer_comes(trade, exchange):
    page = trade()
    order(page, "100", "44.90")
    expect(page.locator(".outcome-texts")).to_contain_text("Order open: buy 100 TROAD at $44.90 or better")
    waiting = page.locator(".open-order")
    expect(waiting).to_contain_text("Buy 100 TROAD at $44.90 or better")
    expect(waiting).to_contain_text("0 of 100 filled")
    exchange.crash()
    expect(page.locator(".chip")).not_to_have_attribute("data-state", "connected")
    exchange.start()
    expect(page.locator(".chip")).to_have_attribute("data-state", "connected")
    offers(page, "$45.01", "$45.10")
    expect(waiting).to_contain_text("0 of 100 filled")
    exchange.feed.offer(bid=("44.50", 17), ask=("44.90", 30))
    expect(waiting).to_contain_text("30 of 100 filled")
    expect(page.locator(".ticket-outcome .status")).to_have_text("PARTIALLY FILLED")
    exchange.feed.offer(bid=("44.50", 17), ask=("44.80", 500))
    expect(page.locator(".ticket-outcome .status")).to_have_text("FILLED")
    put_pointer_away(page)
    expect(waiting).to_have_count(0)
    expect(page.locator(".outcome-texts")).to_contain_text("the order is filled")
    history(page)
    row = page.locator(".order")
    expect(row.locator(".status")).to_have_text("FILLED")
    row.locator(".order-line").click()
    expect(row.locator(".order-levels td")).to_have_text(
        ["30", "at $44.90", "", "a level of 30", "70", "at $44.80", "", "a level of 500"])


@pytest.mark.thorough
def test_a_limit_order_gets_the_better_price(trade):
    page = trade()
    order(page, "10", "45.50")
    expect(page.locator(".outcome-texts")).to_contain_text("Bought 10 TROAD at $45.10")


@pytest.mark.thorough
def test_what_one_order_took_the_next_one_does_not_get(trade, exchange):
    page = trade()
    order(page, "50")
    again(page)
    fill(page, "50")
    expect(page.locator(".ticket-form .preview-left")).to_contain_text(
        "40 will be cancelled: earlier orders leave only 10 of the 60 available at $45.33 or better.")
    place(page)
    expect(page.locator(".outcome-texts")).to_contain_text("Bought 10 of 50 TROAD at $45.10; 40 cancelled")
    expect(page.locator(".receipt")).to_contain_text("Bought 50 TROAD at $45.10")


# One order, whatever happens


def test_a_held_enter_key_stops_at_the_review(look):
    page = look()
    fill(page, "5")
    expect(page.locator(".ticket-form .preview-facts")).to_be_visible()
    expect(page.locator(".ticket-form .ticket-go")).to_be_enabled()
    page.get_by_label("Quantity", exact=True).focus()
    page.keyboard.down("Enter")
    go = page.locator(".ticket-review .ticket-go")
    expect(go).to_be_enabled()
    go.focus()
    page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    expect(page.locator(".ticket-review")).to_be_visible()
    assert [m for m in page.wire.sent if m.get("do") == "order.place"] == []


def without_orders(message):
    """Removes the lists of orders from the page's messages."""
    if "topics" in message:
        message["topics"] = [topic for topic in message["topics"] if topic["topic"] not in ("orders", "openOrders")]
    return message


def deaf_to_orders(message):
    """Removes responses about orders from the page's messages."""
    if "reply" in message and message["reply"]["to"] != "order.preview" or "notice" in message:
        return None
    return without_orders(message)


def reviewed(trade):
    """A page with a reviewed purchase of 20, and a tap on its socket."""
    taps = []
    page = trade(setup=lambda page: taps.append(Tap(page)))
    fill(page, "20")
    review(page)
    return page, taps[0]


def test_a_lost_answer_is_asked_for_under_the_same_name(trade):
    page, tap = reviewed(trade)
    tap.change = deaf_to_orders
    page.locator(".ticket-review .ticket-go").click()
    said = page.locator(".outcome-texts")
    expect(said).to_have_text("Sent; waiting for the answer.")
    expect(page.locator(".ticket-go:visible")).to_have_count(0)
    # The topic resends everything after a reconnect; here only the response itself is to show it.
    tap.change = without_orders
    tap.cut()
    expect(page.locator(".ticket-outcome")).to_have_attribute("data-state", "placed")
    expect(said).to_contain_text("No duplicate was placed")
    tap.change = None
    placed = [m["order"] for m in tap.from_page if m.get("do") == "order.place"]
    assert len(placed) >= 2 and len({m["clientId"] for m in placed}) == 1
    page.reload()
    expect(page.locator(".open-orders")).to_be_visible()
    history(page)
    expect(page.locator(".order")).to_have_count(1)


def test_while_the_server_is_away_a_sent_order_is_said_to_be_unknown(trade):
    page, tap = reviewed(trade)
    tap.mute = True
    page.locator(".ticket-review .ticket-go").click()
    expect(page.locator(".outcome-texts")).to_have_text("Sent; waiting for the answer.")
    tap.refuse = True
    tap.cut()
    expect(page.locator(".outcome-texts")).to_contain_text("The connection is gone")
    tap.refuse = tap.mute = False
    expect(page.locator(".outcome-texts")).to_contain_text("Bought 20 TROAD at $45.10")


def test_a_reload_forgets_no_order_that_waits_for_its_answer(trade):
    page, tap = reviewed(trade)
    tap.change = deaf_to_orders
    page.locator(".ticket-review .ticket-go").click()
    expect(page.locator(".outcome-texts")).to_have_text("Sent; waiting for the answer.")
    tap.change = None
    page.reload()
    expect(page.locator(".ticket-outcome")).to_have_attribute("data-state", "placed")
    expect(page.locator(".ticket-outcome .status")).to_have_text("FILLED")
    placed = [m["order"]["clientId"] for m in tap.from_page if m.get("do") == "order.place"]
    assert len(set(placed)) == 1
    history(page)
    expect(page.locator(".order")).to_have_count(1)


# The ticket


@pytest.mark.thorough
def test_what_is_typed_outlives_ticks_and_other_screens(trade, exchange):
    page = trade()
    fill(page, "37", "44.44")
    exchange.feed.offer(last="46.00", bid=("45.90", 5), ask=("46.10", 7))
    offers(page, "$45.90", "$46.10")
    expect(page.get_by_label("Quantity", exact=True)).to_have_value("37")
    expect(page.get_by_label("Limit price")).to_have_value("44.44")
    page.locator(".places [data-place=markets]").click()
    page.locator(".places [data-place=trade]").click()
    expect(page.get_by_label("Quantity", exact=True)).to_have_value("37")
    expect(page.get_by_label("Limit price")).to_have_value("44.44")


def test_the_age_of_a_review_includes_time_asleep(trade):
    page = trade()
    fill(page, "60")
    review(page)
    # During sleep the wall clock advances, the page's monotonic clock does not.
    page.evaluate("() => { const now = Date.now; Date.now = () => now() + 40_000; }")
    expect(page.locator(".ticket-review .drift")).to_contain_text(re.compile(r"since review 4\d s ago"))


def test_the_review_is_pinned_and_shows_how_far_the_market_moved(trade, exchange):
    page = trade()
    fill(page, "60")
    review(page)
    expect(page.locator(".ticket-review .drift")).to_contain_text("Best ask unchanged since review")
    exchange.feed.offer(ask=("45.14", 10))
    expect(page.locator(".ticket-review .drift")).to_contain_text("Best ask moved $45.10 → $45.14")
    expect(page.locator(".ticket-review .drift")).to_contain_text("+$0.04, worse")
    expect(page.locator(".ticket-review .preview")).to_contain_text("60 × $45.10")
    exchange.feed.offer(ask=("45.00", 10), bid=("44.90", 5))
    expect(page.locator(".ticket-review .drift")).to_contain_text("−$0.10, better")
    page.keyboard.press("Escape")
    expect(page.locator(".ticket-form")).to_be_visible()
    expect(page.get_by_label("Quantity", exact=True)).to_have_value("60")
    expect(page.locator(".ticket-form .preview-left")).to_contain_text("50 will be cancelled: only 10 available")


@pytest.mark.thorough
def test_the_review_can_be_switched_off_and_stays_off(trade):
    page = trade()
    switch(page, "Review before placing")
    page.reload()
    fill(page, "5")
    page.get_by_role("button", name="Place buy order").click()
    expect(page.locator(".outcome-texts")).to_contain_text("Bought 5 TROAD at $45.10")


def test_a_side_puts_its_best_price_into_an_empty_limit_and_again_when_it_is_pressed_twice(look):
    page = look()
    price = page.get_by_label("Limit price")
    side(page, "Limit")
    side(page, "Sell")
    expect(price).to_have_value("45.01")
    side(page, "Buy")
    expect(price).to_have_value("45.01")
    side(page, "Buy")
    expect(price).to_have_value("45.10")


def test_steps_are_lots_and_ticks(look):
    page = look()
    side(page, "Limit")
    quantity, price = page.get_by_label("Quantity", exact=True), page.get_by_label("Limit price")
    page.get_by_role("button", name="Increase quantity").click()
    expect(quantity).to_have_value("1")
    quantity.press("PageUp")
    expect(quantity).to_have_value("11")
    page.get_by_role("button", name="Decrease price").click()
    expect(price).to_have_value("45.10")
    price.press("ArrowDown")
    expect(price).to_have_value("45.09")
    price.press("Shift+ArrowUp")
    expect(price).to_have_value("45.19")
    price.fill("45.123")
    price.press("ArrowUp")
    expect(price).to_have_value("45.13")
    for _ in range(2):
        quantity.press("PageDown")
    expect(quantity).to_have_value("1")


def test_what_is_pressed_before_the_ticket_is_loaded_is_done_in_the_steps_of_the_stock(look):
    held = []
    page = look(setup=lambda page: page.route(
        "**/ticket-*.wasm", lambda route: held.append(route)))
    quantity = page.get_by_label("Quantity", exact=True)
    page.locator(".choice", has_text="Limit").click()
    page.get_by_role("button", name="Increase quantity").click()
    wait_until(page, lambda: held)
    expect(quantity).to_have_value("")
    held[0].continue_()
    expect(quantity).to_have_value("1")
    expect(page.get_by_label("Limit price")).to_be_visible()


@pytest.mark.thorough
def test_a_quantity_that_can_not_be_is_refused_at_its_field(look):
    page = look()
    quantity = page.get_by_label("Quantity", exact=True)
    for typed, said in [
            ("0", "must be more than 0"), ("-1", "must be more than 0"), ("1e9", "must be a number in plain digits"),
            ("NaN", "must be a number in plain digits"), ("ten", "must be a number in plain digits"),
            ("1.5", "must be a multiple of 1"), ("1000001", "at most 1,000,000"), ("9" * 30, "at most 1,000,000"),
            ("1,00", "without separators"), ("1 2", "is ambiguous"), ("٣٠", "must be a number in plain digits"),
            ("<b>7</b>", "must be a number")]:
        fill(page, typed)
        expect(page.locator(".field-error[data-for=quantity]")).to_contain_text(said)
        expect(quantity).to_have_attribute("aria-invalid", "true")
        page.locator(".ticket-form .ticket-go").click()
        expect(quantity).to_be_focused()
        expect(page.locator(".ticket-review")).to_be_hidden()
        expect(page.locator(".ticket b")).to_have_count(0)
        fill(page, "7")
        expect(quantity).not_to_have_attribute("aria-invalid", "true")
    assert [m for m in page.wire.sent if m.get("do") == "order.place"] == []


def test_signs_that_are_in_no_number_are_not_even_sent(look):
    page = look()
    fill(page, "数" * 40)
    expect(page.locator(".field-error[data-for=quantity]")).to_contain_text("must be a number in plain digits")
    fill(page, "7")
    expect(page.locator(".ticket-form .preview-facts")).to_contain_text("7 × $45.10")
    assert {m["order"]["quantity"] for m in page.wire.sent if m.get("do") == "order.preview"} == {"7"}


def test_a_price_that_can_not_be_is_refused_at_its_field(look):
    page = look()
    for typed, said in [
            ("0", "must be more than 0"), ("-45", "must be more than 0"), ("45.105", "must be a multiple of $0.01"),
            ("NaN", "must be a number in plain digits"), ("9000", "times the best offer"), ("9999999", "at most $1,000,000")]:
        fill(page, "10", typed)
        expect(page.locator(".field-error[data-for=price]")).to_contain_text(said)
        page.locator(".ticket-form .ticket-go").click()
        expect(page.get_by_label("Limit price")).to_be_focused()
        expect(page.locator(".ticket-review")).to_be_hidden()
        page.get_by_label("Limit price").fill("44.00")
        expect(page.locator(".field-error[data-for=price]")).to_be_empty()


def test_an_empty_ticket_says_what_is_missing_only_when_asked(look):
    page = look()
    fault = page.locator(".field-error[data-for=quantity]")
    expect(fault).to_be_empty()
    page.locator(".ticket-form .ticket-go").click()
    expect(fault).to_have_text("Enter a quantity.")


@pytest.mark.thorough
def test_numbers_are_read_as_the_reader_writes_them(trade):
    page = trade(locale="sl-SI", path="/orders")
    page.goto(page.url.replace("/orders", "/exchange"))
    expect(page.locator(".side[data-value=buy] .side-price")).to_contain_text("45,10")
    fill(page, "10", "45,02")
    expect(page.locator(".ticket-form .preview-left")).to_contain_text("will rest at 45,02")
    side(page, "Limit")
    side(page, "Buy")
    expect(page.get_by_label("Limit price")).to_have_value("45,10")
    page.get_by_label("Limit price").fill("1.000")
    expect(page.locator(".field-error[data-for=price]")).to_contain_text("is ambiguous")
    page.get_by_label("Limit price").fill("45,10")
    place(page)
    expect(page.locator(".outcome-texts")).to_contain_text("Bought 10 TROAD at 45,10\u00a0$")


def test_previews_are_few_and_the_latest_counts(look):
    page = look()
    # All keys within one task of the page, so that a slow machine doesn't matter.
    page.get_by_label("Quantity", exact=True).evaluate("""(field) => {
      for (const text of ["1", "12", "123", "1234", "12345", "123456"]) {
        field.value = text;
        field.dispatchEvent(new InputEvent("input", { bubbles: true }));
      }
    }""")
    expect(page.locator(".ticket-form .preview-left")).to_contain_text("123,396 will be cancelled: only 60 available")
    asked = [m["order"]["quantity"] for m in page.wire.sent if m.get("do") == "order.preview"]
    assert asked[-1] == "123456" and set(asked) <= {"1", "123456"}


def test_an_answer_to_an_older_question_is_not_shown(look):
    taps, held = [], []

    def hold(message):
        if message.get("reply", {}).get("to") == "order.preview" and not held:
            held.append(message)
            return None
        return message

    page = look(setup=lambda page: taps.append(Tap(page)))
    taps[0].change = hold
    fill(page, "7")
    wait_until(page, lambda: held)
    fill(page, "9")
    expect(page.locator(".ticket-form .preview-facts")).to_contain_text("9 × $45.10")
    taps[0].say(held[0])
    fill(page, "8")
    expect(page.locator(".ticket-form .preview-facts")).to_contain_text("8 × $45.10")
    assert "7 ×" not in page.locator(".ticket-form .preview-facts").text_content()


def test_without_live_prices_a_market_order_is_held_and_a_limit_order_may_wait(trade, exchange):
    page = trade()
    fill(page, "10")
    exchange.feed.pause()
    reason = page.locator(".ticket-form .ticket-reason")
    expect(reason).to_contain_text("Market orders need live prices")
    expect(page.locator(".ticket-form .ticket-go")).to_be_disabled()
    fill(page, "10", "45.50")
    expect(reason).to_contain_text("a limit order waits for them")
    place(page)
    expect(page.locator(".ticket-outcome .status")).to_have_text("PENDING")
    exchange.feed.resume()
    exchange.feed.offer()
    expect(page.locator(".ticket-outcome .status")).to_have_text("FILLED")


def test_the_ticket_is_closed_while_orders_can_not_be_stored(look):
    def fail(message):
        for item in message.get("topics", []):
            if item["topic"] == "orders" and "snapshot" in item:
                item["snapshot"]["failure"] = "The disk is full."
        return message

    def setup(page):
        Tap(page).change = fail

    page = look(setup=setup)
    fill(page, "10")
    expect(page.locator(".ticket-form .ticket-reason")).to_have_text("Orders are refused: The disk is full.")
    # Visible at any window height; once.
    said = page.locator(".ticket-form .preview").get_by_text("Orders are refused: The disk is full.")
    expect(said).to_be_in_viewport(ratio=1)
    assert page.locator(".ticket-form .ticket-reason").bounding_box()["height"] <= 1
    expect(page.locator(".ticket-form .ticket-go")).to_be_disabled()
    history(page)
    expect(page.locator(".order-failure")).to_have_text("Orders are refused: The disk is full.")


def test_without_a_connection_nothing_can_be_sent(look):
    taps = []
    page = look(setup=lambda page: taps.append(Tap(page)))
    fill(page, "10")
    taps[0].refuse = True
    taps[0].cut()
    expect(page.locator(".ticket-form .ticket-reason")).to_contain_text("Offline: orders can’t be sent")
    expect(page.locator(".ticket-form .ticket-go")).to_be_disabled()


# Cells of the front table that lack the colour of unconfirmed data, and the number of cells.
UNDIMMED = """() => {
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.color = "var(--muted)";
  const muted = getComputedStyle(probe).color;
  probe.remove();
  const cells = [...document.querySelectorAll(".dock-panel:not([hidden]) :is(.open-cell, .table-row > [role=cell], .order-line > span)")]
    .filter((cell) => cell.checkVisibility() && cell.textContent && !cell.querySelector("button"));
  return [cells.length > 0, cells.filter((cell) => getComputedStyle(cell).color !== muted).map((cell) => cell.textContent)];
}"""


def test_without_the_server_no_table_shows_as_known_what_may_have_changed(trade, exchange):
    page = trade()
    place_many(page, 1)
    place_many(page, 1, price="44.00", name="waits")
    set_alert(page, "46")
    expect(page.locator(".open-order")).to_have_count(1)
    assert page.evaluate(UNDIMMED)[1] != []
    exchange.crash()
    expect(page.locator(".exchange .note").first).to_have_attribute("data-state", "disconnected")
    for tab in ("Open", "Fills", "History", "Alerts"):
        page.get_by_role("tab", name=re.compile(f"^{tab}")).click()
        page.wait_for_function(f"() => ({UNDIMMED})()[0]")
        assert page.evaluate(UNDIMMED) == [True, []], tab


# Open orders


def test_an_order_that_waits_is_marked_at_its_price_and_can_be_cancelled(trade):
    page = trade()
    order(page, "40", "45.01")
    expect(page.locator(".side[data-value=sell] .side-own")).to_have_text("yours 40")
    expect(page.locator(".side[data-value=buy] .side-own")).to_be_hidden()
    page.locator(".open-order").get_by_role("button", name="Cancel").click()
    expect(page.locator(".ticket-outcome .status")).to_have_text("CANCELLED")
    put_pointer_away(page)
    expect(page.locator(".open-order")).to_have_count(0)
    expect(page.locator(".outcome-texts")).to_contain_text("Order cancelled: buy 40 of 40 TROAD at $45.01")
    expect(page.locator(".side[data-value=sell] .side-own")).to_be_hidden()


@pytest.mark.thorough
def test_the_keyboard_keeps_its_place_when_an_order_is_cancelled(trade):
    page = trade()
    order(page, "40", "44.01")
    again(page)
    order(page, "41", "44.02")
    again(page)
    expect(page.locator(".open-order")).to_have_count(2)
    page.get_by_role("button", name="Cancel order 2").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Cancel order 1")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".open-orders h2")).to_be_focused()


def test_a_cancellation_that_meets_a_fill_says_what_happened(trade, exchange):
    taps = []
    page = trade(setup=lambda page: taps.append(Tap(page)))
    order(page, "40", "45.01")
    again(page)
    taps[0].change = lambda message: None if "notice" in message else without_orders(message)
    exchange.feed.offer(ask=("45.00", 100), bid=("44.00", 1))
    offers(page, "$44.00", "$45.00")
    page.locator(".open-order").get_by_role("button", name="Cancel").click()
    expect(page.locator(".receipt-text, .outcome-texts").first).to_contain_text(re.compile("filled", re.I))
    taps[0].change = None
    exchange.feed.offer()
    history(page)
    expect(page.locator(".order .status")).to_have_text("FILLED")


# History


def three_orders(page):
    order(page, "100")
    again(page)
    order(page, "40", "45.01")
    again(page)
    order(page, "5", word="Sell")


@pytest.mark.thorough
def test_the_history_is_newest_first_filtered_and_searched(trade):
    page = trade()
    three_orders(page)
    history(page)
    sides = page.locator(".order-side")
    expect(sides).to_have_text(["Sell", "Buy", "Buy"])
    expect(page.locator(".order .status")).to_have_text(["FILLED", "PENDING", "PARTIALLY FILLED"])
    status = page.get_by_label("Status")
    status.select_option("PENDING")
    expect(page.locator(".order .status")).to_have_text(["PENDING"])
    status.select_option("PARTIALLY FILLED")
    expect(page.locator(".empty:visible")).to_have_text("No order matches.")
    status.select_option("ALL")
    expect(status.locator("option").first).to_have_text("All (3)")
    page.get_by_label("Search the orders").fill("sell filled")
    expect(sides).to_have_text(["Sell"])
    page.get_by_label("Search the orders").fill("45.01 buy")
    expect(page.locator(".order .status")).to_have_text(["PENDING"])


@pytest.mark.thorough
def test_the_history_is_taken_away_as_csv_and_json(trade):
    page = trade()
    order(page, "100")
    history(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="as CSV").click()
    text = download.value.path().read_text()
    assert "CANCELLED" in text and "100" in text
    with page.expect_download() as download:
        page.get_by_role("link", name="as JSON").click()
    assert "CANCELLED" in json.dumps(json.loads(download.value.path().read_text()))


@pytest.mark.thorough
def test_the_ledger_says_that_it_is_intact(trade):
    page = trade()
    order(page, "10")
    history(page)
    expect(page.locator(".ledger")).to_have_text(re.compile(r"^Ledger intact · [1-9]\d* events · [0-9a-f]{8}$"))


@pytest.mark.thorough
def test_an_order_is_cancelled_from_the_history(trade):
    page = trade()
    order(page, "40", "45.01")
    history(page)
    page.locator(".order-line").click()
    page.get_by_role("button", name="Cancel this order").click()
    expect(page.locator(".order .status")).to_have_text("CANCELLED")
    expect(page.get_by_role("button", name="Cancel this order")).to_have_count(0)


@pytest.mark.thorough
def test_a_history_without_orders_leads_to_the_ticket(look):
    page = look(path="/orders")
    expect(page.locator(".pane-notice h3")).to_have_text("No orders yet")
    page.get_by_role("button", name="Go to the ticket").click()
    expect(page.locator(".ticket")).to_be_visible()


def test_a_history_that_does_not_come_is_said_to_be_missing(open_page):
    def setup(page):
        Tap(page).change = without_orders

    page = open_page("/orders", setup=setup)
    expect(page.locator(".orders .skeletons")).to_be_attached()
    expect(page.locator(".pane-notice h3")).to_have_text("Still loading")


# Keys, sizes, appearance


@pytest.mark.thorough
def test_the_trading_keys_are_off_until_switched_on(trade):
    page = trade()
    page.locator("main").focus()
    page.keyboard.press("s")
    expect(page.locator(".ticket")).to_have_attribute("data-side", "buy")
    switch(page, "Trading keys")
    page.locator("main").focus()
    page.keyboard.press("s")
    expect(page.locator(".ticket")).to_have_attribute("data-side", "sell")
    expect(page.get_by_label("Quantity", exact=True)).to_be_focused()
    page.keyboard.type("5b")
    expect(page.locator(".ticket")).to_have_attribute("data-side", "buy")
    expect(page.get_by_label("Quantity", exact=True)).to_have_value("5")
    expect(page.locator(".ticket-form .ticket-go")).to_be_enabled()
    page.keyboard.press("Enter")
    expect(page.locator(".ticket-review .ticket-go")).to_be_focused()
    page.keyboard.press("Escape")
    # The button, or the quantity when a slow machine has let the price become late meanwhile.
    expect(page.locator(".ticket-form :focus")).to_have_count(1)
    go = page.locator(".ticket-form .ticket-go")
    expect(go).to_be_enabled()
    go.focus()
    page.keyboard.press("Enter")
    go = page.locator(".ticket-review .ticket-go")
    expect(go).to_be_enabled()
    go.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".outcome-texts")).to_contain_text("Bought 5 TROAD at $45.10")


def test_enter_means_what_was_typed_however_quickly(look):
    page = look(path="/")
    page.keyboard.press("/")
    expect(page.locator(".result").nth(1)).to_be_visible()
    page.get_by_role("combobox", name="Search").evaluate("""(field) => {
      field.value = "history";
      field.dispatchEvent(new InputEvent("input", { bubbles: true }));
      field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
    }""")
    expect(page).to_have_url(re.compile("/orders$"))


def test_four_leads_to_the_exchange_and_the_search_to_the_orders(look):
    page = look(path="/")
    page.keyboard.press("4")
    expect(page).to_have_url(re.compile("/exchange$"))
    page.keyboard.press("2")
    expect(page).to_have_url(re.compile("/book/BTC%2FUSD$"))
    page.keyboard.press("/")
    page.get_by_role("combobox", name="Search").fill("history")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/orders$"))
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Help")).to_contain_text("once switched on under Display and trading")


@pytest.mark.thorough
def test_rows_of_the_history_are_walked_and_opened_by_keys(trade):
    page = trade()
    three_orders(page)
    history(page)
    expect(page.locator(".order")).to_have_count(3)
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(page.locator(".order-line").nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".order").nth(1).locator(".order-details")).to_be_visible()


@pytest.mark.thorough
def test_a_wide_page_shows_list_chart_tables_and_ticket_side_by_side(trade, desktop):
    page = trade(viewport=desktop)
    expect(page.locator(".watch-row").first).to_be_visible()
    order(page, "40", "45.01")
    expect(page.locator(".dock .open-order")).to_have_count(1)
    lefts = [page.locator(part).bounding_box()["x"] for part in (".slot-list", ".exchange-chart", ".ticket")]
    assert lefts == sorted(lefts)
    page.get_by_role("tab", name=re.compile("^History")).click()
    expect(page.locator(".dock .order .status")).to_have_text("PENDING")
    page.locator('.watch-row[data-row="kraken/BTC/USD"]').click()
    expect(page.locator(".slot-market .level").first).to_be_visible()
    # The own orders are under every chart.
    expect(page.locator(".dock .order")).to_have_count(1)
    page.locator('.watch-row[data-row="exchange/TROAD"]').click()
    expect(page.locator(".slot-exchange .ticket")).to_be_visible()


SIZES = [{"width": 320, "height": 640}, {"width": 360, "height": 760}, {"width": 740, "height": 360}, TABLET,
         {"width": 1100, "height": 720}, {"width": 1440, "height": 900}]


@pytest.mark.thorough
@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size["width"]))
def test_nothing_is_cut_off_at_any_size(trade, exchange, size):
    page = trade(viewport=size)
    order(page, "1000", "45.10")
    again(page)
    fill(page, "1000", "45.01")
    expect(page.locator(".ticket-form .preview-left")).to_contain_text("will rest")
    nothing(page, OVERFLOWING)
    review(page)
    nothing(page, OVERFLOWING)
    page.locator(".ticket-review .ticket-go").click()
    expect(page.locator(".ticket-outcome")).to_have_attribute("data-state", "placed")
    exchange.feed.offer()
    expect(page.locator(".receipt, .outcome-texts").first).to_be_visible()
    nothing(page, OVERFLOWING)
    history(page)
    page.locator(".order-line").last.click()
    nothing(page, OVERFLOWING)


@pytest.mark.thorough
def test_nothing_is_cut_off_while_the_server_is_away(trade, desktop):
    taps = []
    page = trade(viewport=desktop, setup=lambda page: taps.append(Tap(page)))
    order(page, "40", "45.01")
    again(page)
    taps[0].refuse = True
    taps[0].cut()
    expect(page.locator(".ticket-form .ticket-reason")).to_contain_text("Offline: orders can’t be sent")
    expect(page.get_by_role("button", name="Cancel order 1")).to_be_disabled()
    expect(page.locator(".exchange .note-text").first).to_contain_text("Disconnected")
    # It may have filled meanwhile.
    mark = page.locator(".side[data-value=sell] .side-own")
    expect(mark).to_have_text("yours 40")
    expect(mark).to_have_attribute("data-dimmed", "")
    expect(mark).to_have_attribute("title", "as last heard")
    nothing(page, OVERFLOWING)
    assert page.evaluate(CONTRAST) == []


@pytest.mark.thorough
def test_everything_to_touch_is_44_pixels_big(trade):
    page = trade(viewport={"width": 390, "height": 844}, has_touch=True)
    order(page, "1000", "45.10")
    nothing(page, SMALL_TARGETS)
    again(page)
    expect(page.get_by_role("button", name="Last quantity, 1,000")).to_be_visible()
    nothing(page, SMALL_TARGETS)
    fill(page, "5", "45.01")
    nothing(page, SMALL_TARGETS)
    review(page)
    expect(page.locator(".ticket-review .ticket-go")).to_be_enabled()
    nothing(page, SMALL_TARGETS)
    history(page)
    page.locator(".order-line").first.click()
    nothing(page, SMALL_TARGETS)


def contrast(page):
    """Text with too little contrast, in any of the selectable colours."""
    return page.evaluate("""(measure) => ["red-green", "blue-orange", "mono", "green-red"].flatMap((colours) => {
      document.documentElement.dataset.colours = colours;
      return eval(measure)();
    })""", f"({CONTRAST})")


@pytest.mark.thorough
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_text_has_a_contrast_of_four_and_a_half(trade, desktop, exchange, theme):
    page = trade(viewport=desktop, color_scheme=theme, reduced_motion="reduce")
    three_orders(page)
    assert contrast(page) == []
    again(page)
    side(page, "Sell")
    fill(page, "abc", "45.01")
    expect(page.locator(".field-error[data-for=quantity]")).not_to_be_empty()
    assert contrast(page) == []
    fill(page, "100")
    review(page)
    exchange.feed.offer(bid=("44.00", 3))
    expect(page.locator(".ticket-review .drift")).to_contain_text("worse")
    page.get_by_role("tab", name=re.compile("^History")).click()
    page.locator(".order-line").last.click()
    assert contrast(page) == []


# Arithmetic


def test_digits_are_added_exactly(open_page):
    page = open_page("/products")
    wrong = page.evaluate("""async () => {
      const { compare, sum, decimal } = await import("/assets/base/decimal.js");
      const cases = [
        [sum(["0.1", "0.2", "x"]), "0.3"], [sum([]), "0"], [sum(["9007199254740993.1", "0.1"]), "9007199254740993.2"],
        [compare("45.1", "45.10"), 0], [compare("2", "10"), -1], [decimal("."), null], [decimal("1e5"), null],
        [decimal("9".repeat(41)), null],
      ];
      return cases.filter(([found, expected]) => found !== expected).map(String);
    }""")
    assert wrong == []
