"""Places orders as a user does, on an exchange with a scripted feed."""

import json
import re
import urllib.request

from playwright.sync_api import expect

from servers import Server, free_port
from tick_feed import TickFeed
from watching import wait_until


class Exchange:
    """A server over a scripted feed, with orders on disk that outlive the server."""

    def __init__(self, folder, *arguments):
        self.feed = TickFeed()
        self._folder, self._arguments = folder, arguments
        self._port = free_port()
        self.start()

    def start(self):
        self.server = Server("--exchange-url", self.feed.url, *self._arguments, data=self._folder, port=self._port)
        self.address = self.server.address

    def crash(self):
        """Kills the server: what is not on disk is lost."""
        self.server.kill()

    def close(self):
        self.feed.close()
        # Kills the venues, too: a clean close takes a second.
        self.server.kill()


class Standing:
    """One exchange for many tests, as long as none places an order."""

    def __init__(self, make):
        self._make, self._exchange = make, None

    def take(self):
        """The exchange; a new one if the last has orders or has ended."""
        if self._exchange is None:
            self._exchange = self._make()
        return self._exchange

    def check(self):
        """Fails if it has orders; the next test then gets a new one."""
        try:
            self._exchange.server.check()
            with urllib.request.urlopen(f"{self._exchange.address}/api/v1/orders", timeout=60) as answer:
                assert json.load(answer)["total"] == 0, "a test that is to place no order has placed one"
        except BaseException:
            self.close()
            raise

    def close(self):
        if self._exchange:
            self._exchange.close()
            self._exchange = None


def offers(page, buy, sell):
    expect(page.locator(".side-price")).to_have_text([buy, sell])
    expect(page.locator(".exchange .note").first).to_have_attribute("data-state", "live")


def settled(page):
    """Waits until the ticket accepts presses, and opens it first where it is a sheet."""
    buy = page.locator(".trade-bar:not([data-open]) > .trade-buy")
    if buy.is_visible():
        buy.click()
    expect(page.locator(".ticket-sheet[data-settling]")).to_have_count(0)
    expect(page.locator(".ticket:not([data-settling])")).to_be_visible()


def side(page, word):
    choice = page.locator(".choice", has_text=word)
    press(choice, lambda timeout: expect(choice).to_have_attribute("aria-pressed", "true", timeout=timeout))


def fill(page, quantity, price=None):
    """Types an order; with a price it is a limit order."""
    side(page, "Market" if price is None else "Limit")
    if price is not None:
        page.get_by_label("Limit price").fill(price)
    page.get_by_label("Quantity", exact=True).fill(quantity)


def press(button, opened):
    """Presses a button until `opened` finds within some milliseconds what the press opens.

    The press guard ignores a press just after the layout has moved, as by a late preview.
    """
    page = button.page
    settled(page)
    button.click()

    def is_open():
        try:
            opened(timeout=3000)
            return True
        except AssertionError:
            # Pressed within the page: that does not wait for a button that is gone by now.
            button.evaluate("(button) => button.checkVisibility() && !button.disabled && button.click()")
            return False

    wait_until(page, is_open)


def review(page):
    press(page.locator(".ticket-form .ticket-go"), expect(page.locator(".ticket-review")).to_be_visible)
    settled(page)


def place(page):
    """Reviews and places an order; waits for the result."""
    review(page)
    outcome = expect(page.locator(".ticket-outcome"))
    press(page.locator(".ticket-review .ticket-go"),
          lambda timeout: outcome.to_have_attribute("data-state", re.compile("placed|rejected"), timeout=timeout))


def order(page, quantity, price=None, word="Buy"):
    side(page, word)
    fill(page, quantity, price)
    place(page)


def put_pointer_away(page):
    """Moves the pointer off all controls: a list under the pointer keeps its rows in place."""
    page.mouse.move(2, 2)


def switch(page, name):
    """Toggles a switch of the display menu."""
    page.get_by_role("button", name="Display and trading").click()
    page.get_by_role("switch", name=name).click()
    page.keyboard.press("Escape")
    expect(page.locator("#display-menu")).to_be_hidden()


def put_ticket_away(page):
    """Closes the sheet that contains the ticket on a small screen."""
    close = page.get_by_role("button", name="Close the ticket")
    if close.is_visible():
        close.click()


def again(page):
    """Begins a new order: beside the chart the form does so by itself."""
    settled(page)
    following = page.get_by_role("button", name="New order")
    if following.is_visible():
        following.click()
    expect(page.locator(".ticket[data-phase=form]")).to_be_visible()
    settled(page)


def history(page, reload=False):
    """Opens the history of all orders, by the navigation or from the table under the chart.

    A lagging page keeps orders that drop out of its list; a reloaded page does not have them.
    """
    if reload:
        page.reload()
        expect(page.locator(".chip-count")).not_to_be_empty()
    place = page.locator(".places [data-place=orders]")
    if place.is_visible():
        place.click()
    else:
        put_ticket_away(page)
        page.get_by_role("tab", name=re.compile("^History")).click()
        expect(page.locator(".dock-body[data-settling]")).to_have_count(0)
        page.get_by_role("link", name="All orders").click()
    expect(page).to_have_url(re.compile("/orders$"))


# A double click as the browser sees it: two presses at one moment, the second on whatever is shown by then. Both are
# created before the first is handled, so that a slow machine doesn't matter.
# Returns whether the first press got through the press guard.
DOUBLE_CLICK = """(element) => {
  let isTaken = false;
  element.addEventListener("click", () => { isTaken = true; }, { once: true, capture: true });
  element.scrollIntoView({ block: "nearest" });
  const box = element.getBoundingClientRect();
  const [clientX, clientY] = [box.left + box.width / 2, box.top + box.height / 2];
  const make = (detail) => ["pointerover", "pointerdown", "pointerup", "click"].map((kind) => kind === "click"
    ? new MouseEvent(kind, { bubbles: true, cancelable: true, composed: true, clientX, clientY, detail })
    : new PointerEvent(kind, { bubbles: true, cancelable: true, composed: true, clientX, clientY, pointerType: "mouse" }));
  for (const events of [make(1), make(2)]) {
    for (const event of events) document.elementFromPoint(clientX, clientY).dispatchEvent(event);
    if (!isTaken) return false;
  }
  return true;
}"""


def double_click(locator):
    """Two presses on the same spot of a control, with anything the first one opens in between."""
    expect(locator).to_be_enabled()
    wait_until(locator.page, lambda: locator.evaluate(DOUBLE_CLICK))


# Places orders over separate connections, as other pages would; a page may send 50 messages a second.
PLACE_MANY = """async (orders) => {
  const parts = [];
  for (let at = 0; at < orders.length; at += 30) parts.push(orders.slice(at, at + 30));
  for (const part of parts) {
    await new Promise((resolve, reject) => {
      const socket = new WebSocket(location.origin.replace("http", "ws") + "/live");
      let left = part.length;
      const fail = (why) => reject(new Error(`${why}; ${left} of ${part.length} orders without an answer`));
      setTimeout(() => fail("no answer in time"), 60_000);
      socket.onopen = () => part.forEach((order) => socket.send(JSON.stringify({ do: "order.place", order })));
      socket.onerror = () => fail("no connection");
      socket.onclose = () => left > 0 && fail("the connection was closed");
      socket.onmessage = ({ data }) => {
        const { reply } = JSON.parse(data);
        if (reply?.to !== "order.place") return;
        if (!reply.ok) return fail(reply.message);
        left -= 1;
        if (left > 0) return;
        socket.close();
        resolve();
      };
    });
  }
}"""


def place_many(page, count, price=None, quantity="1", word="buy", name="many", instrument=None):
    """Orders from elsewhere, in this order; with a price they are limit orders, without a market on the exchange."""
    def total():
        return page.wire.states.get("orders", {}).get("total", 0)

    before = total()
    kind = {"type": "market"} if price is None else {"type": "limit", "price": price}
    if instrument:
        kind["instrument"] = instrument
    page.evaluate(PLACE_MANY, [
        {"clientId": f"{name}-{number}", "side": word, "quantity": quantity, **kind} for number in range(count)])
    # The list receives them a moment later; rows that drop out of it meanwhile would stay in the page.
    wait_until(page, lambda: total() >= before + count)
