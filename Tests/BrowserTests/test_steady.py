"""Controls stay in place: nothing that appears by itself moves or covers them, and a press after a shift is ignored."""

import pytest
from playwright.sync_api import expect

from live import Tap
from ordering import fill, offers, place_many, put_pointer_away, review
from watching import wait_until

WIDTHS = {"390": {"width": 390, "height": 844}, "820": {"width": 820, "height": 1180}, "1440": {"width": 1440, "height": 900}}
SIZES = pytest.mark.parametrize("viewport", WIDTHS.values(), ids=WIDTHS.keys())
# Every enabled control, by its path in the page, with its box.
CONTROLS = """() => {
  const path = (element) => !element.parentElement ? "" : `${path(element.parentElement)}/${[...element.parentElement.children].indexOf(element)}`;
  const found = {};
  for (const element of document.querySelectorAll("button, a[href], input, select")) {
    // The tags of orders follow their prices; an order that has ended loses its buttons.
    if (!element.checkVisibility({ visibilityProperty: true }) || element.closest(".chart-orders, .skip, [data-ended]")) continue;
    const { left, top, width, height } = element.getBoundingClientRect();
    if (width <= 1 || height <= 1) continue;
    found[path(element)] = [element.className || element.tagName, ...[left, top, width, height].map(Math.round)];
  }
  return found;
}"""
# Controls covered by a message.
COVERED = """() => [...document.querySelectorAll("button, a[href], input, select")].filter((element) => {
  if (!element.checkVisibility({ visibilityProperty: true }) || element.closest(".skip")) return false;
  const box = element.getBoundingClientRect();
  return [...document.querySelectorAll("#banner, .toast")].some((message) => {
    const over = message.getBoundingClientRect();
    return over.width > 0 && Math.min(box.right, over.right) - Math.max(box.left, over.left) > 0.5
      && Math.min(box.bottom, over.bottom) - Math.max(box.top, over.top) > 0.5;
  });
}).map((element) => element.className)"""
# Two frames, for pending changes to appear.
FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def parts(message, topic):
    """A message's parts of a topic."""
    return [item.get("snapshot") or item.get("patch") or {} for item in message.get("topics", []) if item["topic"] == topic]


def down(message):
    """The server's status with BitMEX down, which trades no orders here."""
    for part in parts(message, "status"):
        if "bitmex" in part.get("venues", {}):
            part["venues"]["bitmex"].update(
                connected=False, phase="backingOff", reason="BitMEX is temporarily unavailable.")
    return message


def failing(message):
    """The orders of a server that can't store them any more."""
    for part in parts(message, "orders"):
        part["failure"] = "The disk is full."
    return message


class Transients:
    """Elements that appear by themselves: each method triggers one and returns once it is shown."""

    def __init__(self, page, tap, exchange):
        self._page, self._tap, self._exchange = page, tap, exchange

    def venue_outage(self):
        self._tap.change = down
        self._tap.cut()
        expect(self._page.locator("#banner")).to_contain_text("BitMEX is disconnected")

    def own_outage(self):
        self._tap.refuse = True
        self._tap.cut()
        expect(self._page.locator("#banner")).to_contain_text("Connection to Livetape lost")

    def notice_of_an_order(self):
        self._tap.say({"notice": {"order": "1", "text": "Sold {1} TROAD at {$45.10}.", "warning": True, "at": 1_790_000_000_000}})
        # Where the notification list is visible, that is enough; elsewhere it is a toast.
        expect(self._page.locator(".toast, .receipt:visible").first).to_be_visible()

    def alert(self):
        self._page.evaluate("""(market) => {
          const socket = new WebSocket(location.origin.replace("http", "ws") + "/live");
          socket.onopen = () => socket.send(JSON.stringify({ do: "alert.add", market, price: "45.50", again: false }));
        }""", "exchange/TROAD")
        rows = lambda: self._page.wire.states.get("alerts", {}).get("rows", [])
        wait_until(self._page, lambda: rows() and all("side" in row for row in rows()))
        self._exchange.feed.offer(last="45.60")
        expect(self._page.locator(".toast")).to_contain_text("45.6")

    def late_prices(self):
        self._exchange.feed.pause()
        expect(self._page.locator(".exchange .note").first).not_to_have_attribute("data-state", "live")

    def refusal_of_orders(self):
        self._tap.change = failing
        self._tap.cut()
        expect(self._page.locator(".ticket-reason", has_text="The disk is full.").last).to_be_attached()

    def fill_of_another_order(self):
        # The older order, below in the list, fills and leaves.
        self._exchange.feed.offer(bid=("44.30", 17), ask=("44.40", 1))
        expect(self._page.locator(".open-order[data-ended]")).to_have_count(1)


TRANSIENTS = pytest.mark.parametrize("transient", [name for name in vars(Transients) if not name.startswith("_")])


def opened(trade, exchange, viewport):
    """An exchange with two open orders, and a tap on its messages."""
    taps = []
    page = trade(viewport=viewport, setup=lambda page: taps.append(Tap(page)))
    place_many(page, 1, price="44.40", name="first")
    place_many(page, 1, price="44.00", name="second")
    # The tap holds the latest connection.
    page.reload()
    offers(page, "$45.01", "$45.10")
    expect(page.locator(".open-order")).to_have_count(2)
    return page, Transients(page, taps[0], exchange)


def rest(page):
    """Waits until nothing is settling and toasts are gone."""
    expect(page.locator("[data-settling]")).to_have_count(0)
    expect(page.locator(".toast")).to_have_count(0)


@pytest.mark.thorough
@SIZES
@TRANSIENTS
def test_what_comes_by_itself_moves_and_covers_no_control(trade, exchange, viewport, transient):
    page, transients = opened(trade, exchange, viewport)
    if viewport["width"] == 1440:
        # The pointer is on its way out of a review, next to the order button.
        fill(page, "3")
        review(page)
        page.get_by_role("button", name="Back", exact=True).hover()
    else:
        page.get_by_role("button", name="Cancel order 2,").hover()
    rest(page)
    before = page.evaluate(CONTROLS)
    getattr(transients, transient)()
    page.evaluate(FRAMES)
    after = page.evaluate(CONTROLS)
    assert page.evaluate(COVERED) == []
    moved = {path: (box, after[path]) for path, box in before.items() if path in after and after[path] != box}
    assert moved == {}


# Pushes the page down, as a banner above it would, and presses at once where the control is by then: both before the
# next frame, so that a slow machine doesn't matter.
PUSH_AND_PRESS = """(element, height) => {
  const main = document.getElementById("main");
  main.style.paddingTop = `${height}px`;
  const bar = document.createElement("div");
  bar.style.height = `${height}px`;
  main.before(bar);
  const box = element.getBoundingClientRect();
  const [clientX, clientY] = [box.left + box.width / 2, box.top + box.height / 2];
  const what = { bubbles: true, cancelable: true, composed: true, clientX, clientY, detail: 1 };
  for (const kind of ["pointerdown", "pointerup"]) {
    document.elementFromPoint(clientX, clientY).dispatchEvent(new PointerEvent(kind, { ...what, pointerType: "mouse" }));
  }
  document.elementFromPoint(clientX, clientY).dispatchEvent(new MouseEvent("click", what));
}"""


def sent(page, what):
    return [message for message in page.wire.sent if message.get("do") == what]


@pytest.mark.thorough
@SIZES
def test_a_press_right_after_any_shift_orders_and_cancels_nothing(trade, viewport):
    page = trade(viewport=viewport)
    place_many(page, 2, price="44.00")
    expect(page.locator(".open-order")).to_have_count(2)
    cancel = page.get_by_role("button", name="Cancel order 2,")
    cancel.scroll_into_view_if_needed()
    rest(page)
    cancel.evaluate(PUSH_AND_PRESS, 30)
    expect(cancel).to_be_enabled()
    page.evaluate(FRAMES)
    assert sent(page, "order.cancel") == []
    cancel.click()
    wait_until(page, lambda: sent(page, "order.cancel"))
    put_pointer_away(page)
    fill(page, "3")
    review(page)
    rest(page)
    before = len(sent(page, "order.place"))
    place = page.locator(".ticket-review .ticket-go")
    place.evaluate(PUSH_AND_PRESS, 60)
    page.evaluate(FRAMES)
    expect(page.locator(".ticket-review")).to_be_visible()
    assert len(sent(page, "order.place")) == before
    place.click()
    wait_until(page, lambda: len(sent(page, "order.place")) == before + 1)


def test_a_press_on_a_row_that_has_just_moved_cancels_nothing(trade):
    """A finger does not hover, so the page has no pointer position."""
    page = trade(viewport=WIDTHS["390"], has_touch=True)
    place_many(page, 2, price="44.00")
    expect(page.locator(".open-order")).to_have_count(2)
    rest(page)
    box = page.get_by_role("button", name="Cancel order 2,").bounding_box()
    page.evaluate("""() => new Promise((done) => new MutationObserver((records) =>
      records.some(({ addedNodes }) => [...addedNodes].some((node) => node.matches?.(".open-order"))) && done())
      .observe(document.querySelector(".open-rows"), { childList: true }))
      .then(() => { window.hasMoved = true; }) && null""")
    place_many(page, 1, price="43.00", name="late")
    page.wait_for_function("() => window.hasMoved")
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert sent(page, "order.cancel") == []


def test_the_latest_toast_is_in_sight_and_says_how_many_it_hides(trade):
    page = trade("/markets/all", viewport=WIDTHS["820"])
    page.evaluate("""async () => {
      const { toast } = await import("/assets/ui/toast.js");
      for (const text of ["One.", "Two.", "Three."]) toast(text);
    }""")
    expect(page.locator(".toast:visible")).to_have_text("Three.")
    expect(page.locator("#toasts")).to_have_attribute("data-more", "2")
