"""The user sees the newest row at the top of a list: checked by the pixels, not by the order in the page."""

import re

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE
from ordering import again, history, order, place_many, put_pointer_away
from test_alerts import set_alert, side_is_known
from watching import wait_until

pytestmark = pytest.mark.thorough

# The scroll container of an element: itself or an ancestor.
PORT = """const portOf = (element) => {
  let port = element;
  while (port !== document.body && !(/auto|scroll/.test(getComputedStyle(port).overflowY) && port.scrollHeight > port.clientHeight)) {
    port = port.parentElement;
  }
  return port;
};"""
# A list's first fully visible row from the top of its scroll container: its mark, or "" for none.
FIRST_SEEN = f"([list, row, mark]) => {{ {PORT}" + """
  const rows = document.querySelector(list);
  if (!rows?.checkVisibility()) return "";
  const { top, bottom } = portOf(rows).getBoundingClientRect();
  const { left, right } = rows.getBoundingClientRect();
  for (let y = Math.max(0, top) + 1; y < Math.min(bottom, innerHeight); y += 2) {
    const seen = document.elementFromPoint((left + right) / 2, y)?.closest(row);
    if (!seen || !rows.contains(seen)) continue;
    const box = seen.getBoundingClientRect();
    if (box.top < top - 1 || box.bottom > bottom + 1) return "cut";
    return mark === "" ? seen.textContent : (mark.startsWith("data-") ? seen.getAttribute(mark)
      : seen.querySelector(mark).textContent);
  }
  return "";
}"""
# Each list with its rows and the attribute that identifies a row.
TAPE = (".tape", ".trade", "data-arrival")
OPEN = (".open-rows", ".open-order", "data-order")
FILLS = (".fill-table .table-rows", ".table-row", "[role=cell]:last-child")
HISTORY = (".dock-history .order-rows", ".order", "data-order")
ORDERS = (".orders .order-rows", ".order", "data-order")
NEWS = (".receipt-rows", ".receipt", "data-order")
LOG = (".alert-log", ".alert-line", "")
SIZES = pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])


def first_is(page, rows, newest):
    """Waits until the first visible row is the newest; `newest` reads the wire again at each attempt."""
    seen = []

    def is_so():
        seen[:] = [page.evaluate(FIRST_SEEN, list(rows)), newest()]
        return seen[0] == seen[1]

    try:
        wait_until(page, is_so)
    except AssertionError as error:
        raise AssertionError(f"{rows[0]} shows {seen[0]!r} at its top, the newest is {seen[1]!r}") from error


def scroll(page, rows, key):
    """Scrolls to the end of a list or back to its top, as the keys End and Home do."""
    page.locator(rows[0]).evaluate(f"(rows, key) => {{ {PORT}" + """
      const port = portOf(rows);
      port.scrollTop = key === "End" ? port.scrollHeight : 0;
    }""", key)


def scroll_away(page, rows, newest):
    """Scrolls to the end of a list, as soon as it has more rows than fit."""
    def is_away():
        scroll(page, rows, "End")
        return page.evaluate(FIRST_SEEN, list(rows)) != newest()

    wait_until(page, is_away)


# Low, so that the tape has more rows than fit.
@pytest.mark.parametrize("viewport", [PHONE, {"width": 1440, "height": 600}], ids=["phone", "desktop"])
@pytest.mark.parametrize("symbol", ["XBTUSD", "BTC%2FUSD"])
def test_the_newest_trade_is_seen_at_the_top_of_the_tape(open_page, viewport, symbol):
    page = open_page(f"/trades/{symbol}", viewport=viewport)
    topic = f"trades/{symbol.replace('%2F', '/')}"

    def newest():
        # A reopened tape may have to wait for its first trades.
        trades = page.wire.states.get(topic, {}).get("trades")
        return str(trades[0][0]) if trades else None

    wait_until(page, newest)
    first_is(page, TAPE, newest)
    for _ in range(4):
        before = newest()
        wait_until(page, lambda: newest() != before)
        first_is(page, TAPE, newest)
    scroll_away(page, TAPE, newest)
    before = newest()
    wait_until(page, lambda: newest() != before)
    scroll(page, TAPE, "Home")
    first_is(page, TAPE, newest)
    # To another screen and back, by the browser's history.
    page.locator(f"{'.bottom' if viewport is PHONE else '.places'} [data-place=markets]").click()
    expect(page.locator(".tape")).to_be_hidden()
    page.go_back()
    first_is(page, TAPE, newest)


def test_the_newest_order_and_fill_are_seen_at_the_top_of_each_table(trade):
    page = trade()
    count = 0

    def place(number, **options):
        nonlocal count
        place_many(page, number, name=f"from{count}", **options)
        count += number

    def tab(name):
        page.get_by_role("tab", name=re.compile(f"^{name}")).click()
        expect(page.locator(".dock-body:not([data-settling])")).to_be_visible()
        put_pointer_away(page)

    def newest():
        return str(count)

    place(25, price="44.00")
    first_is(page, OPEN, newest)
    place(1, price="44.01")
    first_is(page, OPEN, newest)
    scroll_away(page, OPEN, newest)
    place(1, price="44.00")
    scroll(page, OPEN, "Home")
    first_is(page, OPEN, newest)
    scroll(page, OPEN, "End")
    place(12)
    for name, rows, mark in (("Fills", FILLS, lambda: f"#{count}"), ("History", HISTORY, newest)):
        # A table that was never opened, after another one was scrolled down.
        tab(name)
        first_is(page, rows, mark)
        place(1)
        first_is(page, rows, mark)
        scroll_away(page, rows, mark)
        place(1)
        scroll(page, rows, "Home")
        first_is(page, rows, mark)
        scroll_away(page, rows, mark)
    tab("Fills")
    first_is(page, FILLS, lambda: f"#{count}")
    page.reload()
    first_is(page, FILLS, lambda: f"#{count}")


@SIZES
def test_the_newest_order_is_seen_at_the_top_of_the_history(trade, viewport):
    page = trade(viewport=viewport)
    place_many(page, 40, price="44.00")
    history(page)
    first_is(page, ORDERS, lambda: "40")
    place_many(page, 1, price="44.00", name="later")
    first_is(page, ORDERS, lambda: "41")
    scroll_away(page, ORDERS, lambda: "41")
    place_many(page, 1, price="44.00", name="last")
    scroll(page, ORDERS, "Home")
    first_is(page, ORDERS, lambda: "42")
    scroll(page, ORDERS, "End")
    # A new search starts at the top.
    page.get_by_label("Status").select_option("OPEN")
    first_is(page, ORDERS, lambda: "42")


@pytest.mark.thorough
def test_the_latest_news_of_orders_is_seen_at_the_top(trade):
    page = trade()
    page.get_by_role("tab", name="Activity").click()
    order(page, "1")
    for number in range(1, 5):
        again(page)
        order(page, "1")
        # The newest is in the ticket, until the next one is placed.
        first_is(page, NEWS, lambda: str(number))


@pytest.mark.thorough
def test_what_fired_last_is_seen_at_the_top_of_the_log(trade, exchange):
    page = trade()
    set_alert(page, "45.5", again=True)
    side_is_known(page)
    page.locator(".dock-tab[data-tab=alerts]").click()
    put_pointer_away(page)
    for number, last in enumerate(["45.60", "45.40"] * 6, 1):
        exchange.feed.offer(last=last)
        wait_until(page, lambda: len(page.wire.states["alerts"]["firings"]) == number)
    count = page.locator(".alert-log > [data-kind=fired]")
    expect(count).to_have_count(12)
    texts = count.all_text_contents()
    first_is(page, LOG, lambda: texts[0])
    scroll_away(page, LOG, lambda: texts[0])
    exchange.feed.offer(last="45.61")
    expect(count).to_have_count(13)
    scroll(page, LOG, "Home")
    newest = count.first.text_content()
    assert newest not in texts
    first_is(page, LOG, lambda: newest)
