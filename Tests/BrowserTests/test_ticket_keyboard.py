"""Every kind of order in a venue's market, placed with the keyboard alone."""

import re

import pytest
from playwright.sync_api import expect

from desk import request
from ordering import settled
from servers import Server
from watching import wait_until

MARKET = "kraken:SOL/USD"
# Name, side, choices and figures by label, and what the newest order has then.
KINDS = [
    ("market", "buy", {}, {"Quantity": "0.2"}, {"type": "market", "timeInForce": "ioc"}),
    ("reduce-only", "sell", {"reduce": True}, {"Quantity": "0.1"}, {"type": "market", "reduceOnly": True}),
    ("limit", "buy", {"type": "limit"}, {"Quantity": "0.1", "Limit price": "100"}, {"price": "100.00", "timeInForce": "gtc"}),
    ("ioc", "buy", {"type": "limit", "validity": "ioc"}, {"Quantity": "0.1", "Limit price": "100"},
     {"timeInForce": "ioc", "status": "CANCELLED"}),
    ("fok", "buy", {"type": "limit", "validity": "fok"}, {"Quantity": "0.1", "Limit price": "100"},
     {"timeInForce": "fok", "status": "CANCELLED"}),
    ("post-only", "buy", {"type": "limit", "validity": "post"}, {"Quantity": "0.1", "Limit price": "100"}, {"postOnly": True}),
    ("for a day", "buy", {"type": "limit", "validity": "day"}, {"Quantity": "0.1", "Limit price": "100"}, {"expires": "later"}),
    ("stop", "sell", {"condition": "stop"}, {"Quantity": "0.1", "Trigger": "20"}, {"trigger": "stop"}),
    ("stop-limit", "sell", {"type": "limit", "condition": "stop"},
     {"Quantity": "0.1", "Limit price": "19", "Trigger": "20"}, {"trigger": "stop", "type": "limit"}),
    ("take-profit", "sell", {"condition": "takeProfit"}, {"Quantity": "0.1", "Trigger": "900"}, {"trigger": "takeProfit"}),
    ("trailing", "sell", {"condition": "trail"}, {"Quantity": "0.1", "Distance": "30"}, {"trigger": "stop"}),
    ("trailing percent", "sell", {"condition": "trailPercent"}, {"Quantity": "0.1", "Distance in %": "20"}, {"trigger": "stop"}),
    ("oco", "sell", {"condition": "oco"}, {"Quantity": "0.1", "Limit price": "500", "Stop": "20"}, {"link": "oco"}),
    ("bracket", "buy", {"type": "limit", "condition": "bracket"},
     {"Quantity": "0.1", "Limit price": "50", "Stop": "40", "Take profit": "70"}, {"link": "bracket"}),
]


@pytest.fixture(scope="module")
def server():
    """A server with a ledger that only these tests use."""
    server = Server()
    yield server
    server.stop()


def reach(page, control):
    """Walks to a control with the Tab key."""
    for _ in range(90):
        if control.evaluate("(control) => control === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not reach {control}")


def choose(page, select, value):
    reach(page, select)
    page.keyboard.press("Home")
    for _ in range(12):
        if select.evaluate("(select) => select.value") == value:
            return
        page.keyboard.press("ArrowDown")
    raise AssertionError(f"no {value}")


def press(page, group, wanted):
    """Walks to a group's stop, along it, and presses one of its buttons unless it is pressed."""
    if wanted.get_attribute("aria-pressed") == "true":
        return
    reach(page, group.locator("button[tabindex='0'], button:not([tabindex])").first)
    for _ in range(6):
        if wanted.evaluate("(button) => button === document.activeElement"):
            page.keyboard.press("Space")
            return
        page.keyboard.press("ArrowRight")
    raise AssertionError(f"the arrows do not reach {wanted}")


@pytest.mark.thorough
@pytest.mark.parametrize("width, height", [(360, 740), (820, 1180), (1440, 900)])
def test_every_kind_of_order_is_placed_with_the_keyboard(open_page, server, width, height):
    page = open_page("/book/SOL/USD", viewport={"width": width, "height": height}, at=server.address)
    form, review = page.locator(".ticket-form"), page.locator(".ticket-review")
    for name, side, choices, figures, expected in KINDS:
        total = request(server, "/orders")[1]["total"]
        expect(page.locator(".market .trade-buy b")).to_have_text(re.compile(r"\d"))
        reach(page, page.locator(f".market .trade-{side}"))
        page.keyboard.press("Enter")
        expect(form).to_be_visible()
        settled(page)
        if choices.get("condition") != "oco":
            types = form.get_by_role("group", name="Order type")
            press(page, types, types.locator(f"[data-value={choices.get('type', 'market')}]"))
        choose(page, form.get_by_label("When", exact=True), choices.get("condition", "none"))
        if "validity" in choices:
            choose(page, form.get_by_label("Time in force", exact=True), choices["validity"])
        for label, figure in figures.items():
            reach(page, form.get_by_label(label, exact=True))
            page.keyboard.press("ControlOrMeta+A")
            page.keyboard.type(figure)
        if choices.get("reduce"):
            press(page, form.get_by_role("group", name="Quantities"), form.get_by_role("button", name="Reduce"))
        reach(page, form.locator(".ticket-go"))
        expect(form.locator(".ticket-go")).to_be_enabled()
        settled(page)
        page.keyboard.press("Enter")
        expect(review).to_be_visible()
        settled(page)
        reach(page, review.locator(".ticket-go"))
        page.keyboard.press("Enter")
        wait_until(page, lambda: request(server, "/orders")[1]["total"] > total)
        newest = request(server, "/orders")[1]["orders"][0]
        assert (newest["symbol"], newest["status"] != "REJECTED") == (MARKET, True), (name, newest)
        for member, value in expected.items():
            found = newest[member]
            if member in ("trigger", "link"):
                found = found["kind"]
            assert found == value if member != "expires" else found > newest["placedAt"], (name, member, newest)
        expect(page.locator(".ticket-outcome")).to_be_visible()
        for order in request(server, "/orders")[1]["orders"][:3]:
            request(server, f"/orders/{order['id']}", "DELETE")
        page.keyboard.press("Escape")
        page.reload()
