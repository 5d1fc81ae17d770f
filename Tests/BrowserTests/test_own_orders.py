"""The lists of own orders: every open order is visible, and a press never hits another order than intended."""

import re

import pytest
from playwright.sync_api import expect

from live import Tap
from ordering import DOUBLE_CLICK, again, double_click, fill, history, offers, order, place_many, put_pointer_away
from test_steady import parts
from watching import wait_until

DESKTOP = {"width": 1440, "height": 900}
PHONE = {"width": 360, "height": 740}
SIZES = pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["1440", "360"])

# Counts the list's row changes, without ages, from now on: window.redrawn.
REDRAWN = """(rows) => {
  window.redrawn = 0;
  new MutationObserver((records) => {
    for (const { target, attributeName } of records) {
      const element = target.nodeType === Node.TEXT_NODE ? target.parentElement : target;
      // A link that is in doubt for a moment dims all rows; that is not the tick's doing.
      if (attributeName === "data-dimmed" || attributeName === "disabled") continue;
      if (!element?.closest(".open-facts")) window.redrawn += 1;
    }
  }).observe(document.querySelector(rows), { subtree: true, childList: true, characterData: true, attributes: true });
}"""


def cancellations(page):
    """The orders that the page requested to cancel, each once: a request is repeated when its response is late."""
    return list(dict.fromkeys(message["id"] for message in page.wire.sent if message.get("do") == "order.cancel"))


# All open orders are visible


@pytest.mark.thorough
@SIZES
def test_orders_that_wait_are_in_sight_however_many_came_after_them(trade, viewport):
    page = trade(viewport=viewport)
    place_many(page, 3, price="44.00", name="patient")
    place_many(page, 210, word="sell", name="later")
    waiting = page.locator(".open-order")
    expect(waiting).to_have_count(3)
    expect(page.locator(".open-orders .count")).to_have_text(" 3")
    page.get_by_role("button", name="Cancel order 1,").click()
    put_pointer_away(page)
    expect(waiting).to_have_count(2)
    history(page)
    page.get_by_label("Status").select_option("OPEN")
    expect(page.locator(".order .status")).to_have_text(["PENDING", "PENDING"])
    page.get_by_label("Status").select_option("ALL")
    page.get_by_label("Search the orders").fill("pending")
    expect(page.locator(".order")).to_have_count(2)


def test_open_orders_that_are_not_listed_are_counted_and_cancelled(trade):
    """The server lists a thousand (OrderHistoryTests)."""
    taps = []
    page = trade(setup=lambda page: taps.append(Tap(page)))

    def more(message):
        for part in parts(message, "orders"):
            if part.get("openCount"):
                part["openCount"] += 1000
        return message

    taps[0].change = more
    place_many(page, 3, price="40.00")
    expect(page.locator(".open-orders .count")).to_have_text(" 1,003")
    expect(page.get_by_text("1,000 older open orders are not listed.")).to_be_visible()
    page.get_by_role("button", name="Cancel all", exact=True).click()
    page.get_by_role("button", name="Cancel 1,003 TROAD orders").click()
    put_pointer_away(page)
    expect(page.get_by_text("No open orders.")).to_be_visible()
    expect(page.get_by_text("older open orders are not listed.")).to_be_hidden()


@pytest.mark.thorough
def test_older_orders_come_when_a_person_asks_for_more(trade):
    page = trade()
    place_many(page, 2, price="44.00", name="patient")
    place_many(page, 403, word="sell", name="later")
    history(page, reload=True)
    more = page.locator(".order-more")
    expect(more).to_contain_text("The latest 200 of 405 and all open ones.")
    expect(page.locator(".order")).to_have_count(202)
    page.get_by_role("button", name="Load more").click()
    expect(more).to_contain_text("The latest 400 of 405 and all open ones.")
    expect(page.locator(".order")).to_have_count(402)
    page.get_by_role("button", name="Load more").click()
    expect(page.locator(".order")).to_have_count(405)
    expect(more).to_be_hidden()
    oldest = page.locator(".order").last
    expect(oldest.locator(".status")).to_have_text("PENDING")
    # One that was loaded as open, and ends, is not shown as open any more.
    oldest.locator(".order-line").click()
    oldest.get_by_role("button", name="Cancel this order").click()
    expect(oldest.locator(".status")).to_have_text("CANCELLED")
    expect(page.locator(".order")).to_have_count(405)


@pytest.mark.thorough
def test_a_page_of_older_orders_that_does_not_come_can_be_asked_for_again(trade):
    page = trade()
    place_many(page, 202, word="sell")
    history(page, reload=True)
    page.route("**/history/orders*", lambda route: route.abort())
    page.get_by_role("button", name="Load more").click()
    expect(page.locator(".order-more")).to_contain_text("Older orders could not be loaded.")
    page.unroute("**/history/orders*")
    page.get_by_role("button", name="Load more").click()
    expect(page.locator(".order")).to_have_count(202)


@pytest.mark.thorough
def test_what_a_late_page_still_calls_waiting_is_asked_for_again_only_after_a_pause(trade):
    page = trade()
    place_many(page, 2, price="44.00", name="patient")
    place_many(page, 203, word="sell", name="later")
    history(page, reload=True)
    page.get_by_role("button", name="Load more").click()
    expect(page.locator(".order")).to_have_count(205)
    asked, late = [], []

    def behind(route):
        asked.append(route)
        if late:
            route.fulfill(json=late[0])

    page.route("**/history/orders*", behind)
    oldest = page.locator(".order").last
    oldest.locator(".order-line").click()
    oldest.get_by_role("button", name="Cancel this order").click()
    wait_until(page, lambda: asked)
    late.append(asked[0].fetch().json())
    late[0]["orders"]["1"]["status"] = "PENDING"
    asked[0].fulfill(json=late[0])
    # However often the list is drawn meanwhile: one request in five seconds.
    page.wait_for_timeout(2000)
    assert len(asked) <= 2
    page.unroute("**/history/orders*")
    expect(oldest.locator(".status")).to_have_text("CANCELLED")


@pytest.mark.thorough
def test_a_long_history_counts_all_orders_and_says_which_of_them_are_listed(trade):
    """The numbers beside the filters cover all orders, listed or not."""
    page = trade()
    place_many(page, 1, name="first")
    place_many(page, 204, word="sell", quantity="100", name="later")
    history(page, reload=True)
    status, more = page.get_by_label("Status"), page.locator(".order-more")
    expect(status.locator("option")).to_have_text([
        "All (205)", "Open (0)", "Pending (0)", "Partially filled (0)", "Filled (2)", "Cancelled (204)", "Rejected (0)"])
    status.select_option("FILLED")
    expect(page.locator(".order")).to_have_count(0)
    expect(page.locator(".empty:visible")).to_have_text("No order matches among the latest 200 of 205 and all open ones.")
    expect(more).to_contain_text("0 of 2 filled, among the latest 200 of 205 and all open ones.")
    page.get_by_role("button", name="Load more").click()
    expect(page.locator(".order")).to_have_count(2)
    expect(more).to_be_hidden()


@pytest.mark.thorough
@SIZES
def test_a_tick_redraws_no_order_that_it_did_not_change(trade, exchange, viewport):
    page = trade(viewport=viewport)
    place_many(page, 150, price="44.00")
    rows = page.locator(".dock-body" if viewport is DESKTOP else ".open-rows")
    expect(page.locator(".open-order")).to_have_count(150)
    # Long lists scroll in themselves: what is below stays in reach.
    assert rows.evaluate("(list) => list.scrollHeight > 5 * list.clientHeight && list.clientHeight < innerHeight / 2")
    page.evaluate(REDRAWN, ".open-rows")
    for ask in ("45.20", "45.30"):
        exchange.feed.offer(ask=(ask, 60))
        offers(page, "$45.01", f"${ask}")
    assert page.evaluate("redrawn") == 0
    exchange.feed.offer(bid=("43.80", 5), ask=("44.00", 1))
    offers(page, "$43.80", "$44.00")
    expect(page.locator(".open-order")).to_have_count(149)
    assert 0 < page.evaluate("redrawn") < 20


# A press hits the intended order


@SIZES
def test_a_double_click_on_cancel_cancels_one_order(trade, viewport):
    page = trade(viewport=viewport)
    place_many(page, 4, price="44.00")
    expect(page.locator(".open-order")).to_have_count(4)
    page.locator(".open-rows").hover()
    row = page.locator('.open-order[data-order="3"]')
    double_click(row.locator(".open-acts > :last-child"))
    expect(row.locator(".open-acts > :last-child")).to_have_text("Cancelled")
    assert cancellations(page) == ["3"]
    # While the pointer is on the list the row stays in its place, without a control to press.
    row.locator(".open-acts > :last-child").evaluate(DOUBLE_CLICK)
    expect(row).to_have_attribute("data-ended", "")
    page.wait_for_timeout(2500)
    assert row.evaluate("(row) => row.parentElement.matches(':hover')"), "the pointer is on the list"
    assert [order.get_attribute("data-order") for order in page.locator(".open-order").all()] == ["4", "3", "2", "1"]
    assert cancellations(page) == ["3"]
    page.mouse.move(2, 2)
    expect(page.locator(".open-order")).to_have_count(3)


@pytest.mark.thorough
def test_a_cancelled_row_stays_for_two_seconds_without_a_pointer(trade):
    page = trade(has_touch=True)
    place_many(page, 2, price="44.00")
    expect(page.locator(".open-order")).to_have_count(2)
    page.evaluate("""() => {
      const rows = document.querySelector(".open-rows");
      new MutationObserver(() => {
        if (rows.querySelector("[data-ended]")) window.endedAt ??= performance.now();
        if (rows.children.length === 1) window.goneAt ??= performance.now();
      }).observe(rows, { subtree: true, childList: true, attributes: true });
    }""")
    page.locator('.open-order[data-order="2"]').locator(".open-acts > :last-child").tap()
    expect(page.locator(".open-order")).to_have_count(1)
    # Two seconds, less the drawing time of a slow machine.
    assert page.evaluate("goneAt - endedAt") >= 1000


@pytest.mark.thorough
@SIZES
def test_a_row_that_its_filter_shows_no_more_stays_under_the_pointer(trade, viewport):
    page = trade(path="/orders", viewport=viewport)
    place_many(page, 3, price="44.00")
    rows = page.locator(".orders .order")
    page.get_by_label("Status").select_option("OPEN")
    expect(rows).to_have_count(3)
    for number in (3, 2):
        page.locator(f'.order[data-order="{number}"] .order-line').click()
    cancel = page.locator('.order[data-order="3"] .order-details button')
    cancel.click()
    expect(cancel).to_have_text("Cancelled")
    expect(rows).to_have_count(3)
    cancel.evaluate(DOUBLE_CLICK)
    assert cancellations(page) == ["3"]
    put_pointer_away(page)
    expect(rows).to_have_count(2)


def test_cancel_is_not_pressed_again_before_the_list_shows_what_came_of_it(trade):
    """The response may come before the list."""
    taps, held = [], []
    page = trade(setup=lambda page: taps.append(Tap(page)))
    order(page, "40", "44.00")
    again(page)

    def late(message):
        names = [topic["topic"] for topic in message.get("topics", [])]
        if "openOrders" in names:
            held.append(message)
            return None
        return message

    taps[0].change = late
    button = page.locator(".open-order").locator(".open-acts > :last-child")
    button.click()
    wait_until(page, lambda: held)
    expect(page.locator(".receipt-text, .outcome-texts").first).to_contain_text("Order cancelled: buy 40 of 40 TROAD at $44.00")
    expect(button).to_have_text("Cancelling…")
    button.click(force=True)
    taps[0].change = None
    taps[0].say(held[0])
    expect(button).to_have_text("Cancelled")
    # One press; a page that waits long for the response repeats the request by itself.
    assert {m["id"] for m in taps[0].from_page if m.get("do") == "order.cancel"} == {"1"}


@SIZES
def test_all_that_wait_are_cancelled_in_two_presses_and_not_in_one(trade, viewport):
    page = trade(viewport=viewport)
    place_many(page, 1, price="44.00")
    expect(page.locator(".open-order")).to_have_count(1)
    head = page.locator(".open-orders .section-head")
    everything = head.get_by_role("button", name="Cancel all")
    expect(everything).to_be_hidden()
    place_many(page, 60, price="43.00", name="more")
    expect(page.locator(".open-order")).to_have_count(61)
    double_click(everything)
    confirm = head.get_by_role("button", name="Cancel 61 TROAD orders")
    expect(confirm).to_be_visible()
    expect(confirm).to_be_focused()
    assert head.evaluate("(head) => head.scrollWidth <= head.clientWidth")
    # Orders that arrive after the question are not part of it.
    place_many(page, 1, price="42.00", name="later")
    expect(page.locator(".open-order")).to_have_count(62)
    # The header ignores presses for a moment after it has changed.
    expect(page.locator(".open-orders .section-head:not([data-settling])")).to_be_visible()
    head.get_by_role("button", name="Don’t cancel").click()
    expect(everything).to_be_focused()
    expect(page.locator(".open-orders .count")).to_have_text(" 62")
    page.keyboard.press("Enter")
    head.get_by_role("button", name="Cancel 62 TROAD orders").press("Enter")
    put_pointer_away(page)
    expect(page.locator(".open-order")).to_have_count(0)
    assert {m["id"] for m in page.wire.sent if m.get("do") == "orders.cancelAll"} == {"62"}


# Presses a button and returns which element has the focus before the next frame is drawn.
PRESSED = "(button) => { button.click(); return document.activeElement.textContent; }"


@pytest.mark.thorough
def test_the_question_of_cancel_all_has_the_keyboard_at_once(trade):
    page = trade()
    place_many(page, 2, price="44.00")
    expect(page.locator(".open-order")).to_have_count(2)
    head = page.locator(".open-orders .section-head")
    everything = head.get_by_role("button", name="Cancel all")
    assert everything.evaluate(PRESSED) == "Cancel 2 TROAD orders"
    assert head.get_by_role("button", name="Don’t cancel").evaluate(PRESSED) == "Cancel all"
    assert everything.evaluate(PRESSED) == "Cancel 2 TROAD orders"
    assert head.get_by_role("button", name="Cancel 2 TROAD orders").evaluate(PRESSED) == "Open orders 2"
    expect(page.locator(".open-order")).to_have_count(0)


@SIZES
def test_news_of_orders_move_no_cancel_button(trade, viewport):
    page = trade(viewport=viewport)
    place_many(page, 2, price="44.00")
    button = page.locator('.open-order[data-order="1"]').locator(".open-acts > :last-child")
    expect(page.locator(".open-order")).to_have_count(2)
    news = page.locator(".dock-tab[data-tab=news] .count")
    expect(news).to_have_text("2")
    before = button.bounding_box()
    place_many(page, 2, word="sell", quantity="100", name="news")
    expect(news).to_have_text("4")
    assert button.bounding_box() == before


# Types into the amend form as soon as it is shown; ends two frames later.
TYPE_AT_ONCE = """() => new Promise((done) => {
  const row = document.querySelector(".open-order");
  new MutationObserver((_, observer) => {
    const price = row.querySelector("[name=amend-price]");
    if (!price) return;
    observer.disconnect();
    price.focus();
    price.select();
    document.execCommand("insertText", false, "44.5");
    requestAnimationFrame(() => requestAnimationFrame(done));
  }).observe(row, { childList: true });
  row.querySelector(".open-acts > :first-child").click();
})"""


@pytest.mark.thorough
def test_the_form_that_amends_takes_no_keyboard_from_the_field_that_was_touched_at_once(trade):
    page = trade()
    place_many(page, 1, price="44.00")
    row = page.locator(".open-order")
    expect(row).to_have_count(1)
    page.evaluate(TYPE_AT_ONCE)
    expect(page.locator("[name=amend-price]")).to_be_focused()
    page.keyboard.type("1")
    expect(page.locator("[name=amend-quantity]")).to_have_value("1")
    expect(page.locator("[name=amend-price]")).to_have_value("44.51")
    page.keyboard.press("Enter")
    expect(row).to_contain_text("Buy 1 TROAD at $44.51")


# Draws fills and open orders of one moment a minute later, and a day after that; returns their times as shown.
A_DAY_LATER = """async () => {
  const { DockFills } = await import("/assets/orders/tables.js");
  const { OpenOrders } = await import("/assets/orders/open-orders.js");
  const at = new Date(2026, 10, 5, 12).getTime();
  const order = { symbol: "TROAD", placedAt: at, side: "buy", type: "limit", limit: "45", quantity: "2", filled: "1", fills: [[at, "45", "1"]], status: "OPEN" };
  const orders = { all: { 1: order }, open: ["1"], openRows: { 1: order }, state: { openCount: 1 } };
  const [fills, open] = [new DockFills(), new OpenOrders({ isCancelling: () => false }, () => {})];
  return [60_000, 86_400_000].map((later) => {
    const view = { orders, market: undefined, format: String, isKnown: true, now: at + later };
    for (const table of [fills, open]) table.render(view);
    return [fills.element.querySelectorAll("[role=cell]")[1], open.element.querySelectorAll(".open-cell")[1]].map((cell) => cell.textContent);
  });
}"""


@pytest.mark.thorough
def test_what_is_of_another_day_says_its_date_without_a_new_order(look):
    page = look()
    assert page.evaluate(A_DAY_LATER) == [["12:00:00", "12:00"], ["Nov 5, 12:00:00", "Nov 5, 12:00"]]


@pytest.mark.thorough
def test_fills_are_money_also_where_the_market_is_known_after_them(trade, exchange, open_page):
    page = trade()
    place_many(page, 1)
    taps, held = [], []

    def later(message):
        late = [item for item in message.get("topics", []) if item["topic"] == "exchange"]
        if late:
            held.append({**message, "topics": late})
            message["topics"] = [item for item in message["topics"] if item["topic"] != "exchange"]
        return message

    def setup(page):
        taps.append(Tap(page))
        taps[0].change = later

    other = open_page("/book/BTC%2FUSD", viewport=DESKTOP, at=exchange.address, setup=setup)
    other.get_by_role("tab", name="Fills").click()
    price = other.locator(".fill-table .table-rows [role=cell]:nth-child(5)")
    expect(price).to_have_text("45.10")
    wait_until(other, lambda: held)
    taps[0].change = None
    for message in held:
        taps[0].say(message)
    expect(price).to_have_text("$45.10")


# Presses the Cancel of another row as soon as the amend form is shown in the first one.
PRESS_BELOW = """() => {
  const [row, other] = document.querySelectorAll(".open-order");
  window.pressed = new Promise((done) => new MutationObserver((_, observer) => {
    if (!row.querySelector(".amend-form")) return;
    observer.disconnect();
    const cancel = other.querySelector(".open-acts > :last-child");
    cancel.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
    done(cancel.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1 })));
  }).observe(row, { childList: true }));
}"""


def test_the_form_that_amends_waits_for_what_reads_and_writes_its_numbers(trade):
    held = []
    page = trade(
        "/book/XBTUSD", locale="de-DE",
        setup=lambda page: page.route("**/ticket-*.wasm", lambda route: held.append(route)))
    place_many(page, 2, price="44.50")
    row = page.locator(".open-order")
    expect(row).to_have_count(2)
    page.evaluate(PRESS_BELOW)
    row.first.locator(".open-acts > :first-child").click()
    wait_until(page, lambda: held)
    expect(page.locator(".amend-form")).to_have_count(0)
    held[0].continue_()
    # The rows below have moved: the press was meant for another one.
    assert page.evaluate("pressed") is False
    price = page.locator("[name=amend-price]")
    expect(price).to_have_value("44,50")
    expect(page.locator("[name=amend-quantity]")).to_be_focused()
    price.fill("44,40")
    page.keyboard.press("Enter")
    expect(row.first).to_contain_text("44,40")
    amended = {m["order"]["clientId"]: m["order"]["price"] for m in page.wire.sent if m.get("do") == "order.amend"}
    assert list(amended.values()) == ["44.40"]
    assert cancellations(page) == []


@pytest.mark.thorough
def test_a_form_that_could_not_be_loaded_is_told_and_comes_with_the_next_press(trade):
    page = trade("/book/XBTUSD", setup=lambda page: page.route("**/ticket-*.wasm", lambda route: route.abort()))
    place_many(page, 1, price="44.50")
    amend = page.get_by_role("button", name="Amend order 1")
    amend.click()
    expect(page.locator(".toast", has_text="Livetape was updated. Reload to continue.")).to_be_visible()
    page.unroute("**/ticket-*.wasm")
    amend.click()
    expect(page.locator("[name=amend-quantity]")).to_be_focused()


@pytest.mark.thorough
def test_an_order_dragged_on_the_chart_stays_there_until_it_is_answered_and_says_what_was_wrong(trade):
    taps = []
    page = trade(setup=lambda page: taps.append(Tap(page)))
    order(page, "1", "44.50")
    line, row = page.locator(".level-line"), page.locator(".open-order")
    grip = line.locator(".order-grip")

    def move():
        grip.press("ArrowDown")
        grip.press("Enter")

    taps[0].mute = True
    move()
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    expect(line).to_have_attribute("data-sent", "")
    taps[0].mute = False
    expect(row).to_contain_text("Buy 1 TROAD at $44.49")
    expect(line).not_to_have_attribute("data-sent", "")

    def refused(message):
        reply = message.get("reply", {})
        return {"reply": {**reply, "ok": False, "message": "Not at this price."}} if reply.get("to") == "order.amend" else message

    taps[0].change = refused
    move()
    expect(page.locator(".chart-hint")).to_have_text("Not at this price.")
    expect(line).not_to_have_attribute("data-sent", "")


# Texts about orders


def test_an_order_that_traded_in_part_says_so_beside_its_status(trade, desktop):
    page = trade(viewport=desktop)
    order(page, "100")
    expect(page.locator(".outcome-figures")).to_have_text("60 of 100 at $45.10 · 40 cancelled")
    page.locator(".places [data-place=orders]").click()
    row = page.locator(".slot-orders .order")
    expect(row.locator(".status")).to_have_text("PARTIALLY FILLED")
    expect(row.locator(".order-part")).to_have_text("60 filled · 40 cancelled")
    page.get_by_label("Status").select_option("FILLED")
    expect(row).to_have_count(1)
    expect(page.get_by_label("Status").locator("option[value=FILLED]")).to_have_text("Filled (1)")


@pytest.mark.thorough
def test_figures_of_another_moment_say_which(trade):
    page = trade()
    order(page, "10", "44.00")
    expect(page.locator(".outcome-texts")).to_have_text(re.compile(
        r"^Order open: buy 10 TROAD at \$44\.00 or better; the best offer was \$45\.10 at \d\d:\d\d:\d\d\.$"))
    again(page)
    expect(page.locator(".open-order")).to_have_count(1)
    page.locator(".open-order").locator(".open-acts > :last-child").click()
    expect(page.locator(".outcome-texts")).to_contain_text("Order cancelled: ")
    expect(page.locator(".outcome-texts")).to_contain_text(re.compile(r"was \$45\.10 at \d\d:\d\d:\d\d"))
    history(page)
    page.locator(".order-line").click()
    expect(page.locator(".order-facts")).to_contain_text(re.compile(r"Would have filled60 at \$45\.10 \(at \d\d:\d\d:\d\d\)"))


@pytest.mark.thorough
def test_receipts_are_written_as_the_reader_writes(trade):
    page = trade(path="/orders", locale="sl-SI")
    page.goto(page.url.replace("/orders", "/exchange"))
    expect(page.locator(".side[data-value=buy] .side-price")).to_contain_text("45,10")
    order(page, "100")
    expect(page.locator(".outcome-texts")).to_have_text("Bought 60 of 100 TROAD at 45,10\u00a0$; 40 cancelled: only 60 offered within 45,33\u00a0$.")
    again(page)
    fill(page, "1000001")
    expect(page.locator(".field-error[data-for=quantity]")).to_have_text(
        "One order can be for at most 1.000.000; 1.000.001 is more.")
    fill(page, "x")
    expect(page.locator(".field-error[data-for=quantity]")).to_contain_text("such as 100;")


@pytest.mark.thorough
@pytest.mark.parametrize("locale", ["en-US", "ar-EG"])
def test_dates_of_an_order_stand_on_one_line_with_24_hours(trade, locale):
    page = trade(path="/orders", locale=locale, timezone_id="Asia/Tokyo")
    place_many(page, 1, price="44.00")
    page.locator(".order-line").click()
    placed = page.locator(".order-facts bdi").first
    expect(placed).to_be_visible()
    assert placed.evaluate("(text) => text.getBoundingClientRect().height < 2 * parseFloat(getComputedStyle(text).fontSize)")
    assert not re.search("[AaPp][Mm]|[صم]$", placed.text_content())
    expect(page.locator(".order-time bdi")).to_have_count(1)


def test_a_minus_is_a_minus_and_shares_are_local(open_page):
    page = open_page("/products", locale="de-DE")
    found = page.evaluate("""async () => {
      const { money, number, percent } = await import("/assets/text/format.js");
      return [percent("-0.83"), percent("0.2", "never"), number("-0.5"), money("-1.5", "EUR", 2)];
    }""")
    assert found == ["\u22120,83\u00a0%", "0,20\u00a0%", "\u22120,5", "\u22121,50\u00a0€"]
