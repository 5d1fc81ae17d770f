"""A second token for viewing everything and changing nothing."""

import re

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP
from test_access import findings
from tokens import SOCKET, TOKENS, guarded_server


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    with guarded_server(tmp_path_factory.mktemp("tokens")) as server:
        yield server


def sign_in(page, address, token):
    """Opens a page with one of the tokens."""
    page.goto(address)
    page.get_by_label("Access token").fill(TOKENS[token])
    page.get_by_role("button", name="Open").click()


@pytest.fixture
def enter(browser, guarded):
    """Opens the exchange with one of the tokens."""
    contexts = []

    def enter(token, locale="en-US", viewport=DESKTOP):
        context = browser.new_context(locale=locale, service_workers="block", viewport=viewport)
        contexts.append(context)
        page = context.new_page()
        sign_in(page, guarded.address + "/exchange", token)
        expect(page.locator(".exchange .price.big .arrow:not(:empty)")).to_be_visible()
        return page

    yield enter
    for context in contexts:
        context.close()


@pytest.mark.thorough
@pytest.mark.parametrize("locale, words", [
    ("en-US", "View only: you can’t place orders"), ("de-DE", "Nur Ansicht: Sie können keine Orders erteilen"),
    ("nl-NL", "Alleen kijken: je kunt geen orders plaatsen")])
def test_a_viewer_sees_prices_and_is_told_that_they_may_not_trade(enter, locale, words):
    page = enter("viewer", locale)
    page.locator("[name=quantity]").fill("1")
    expect(page.locator("#ticket-reason")).to_contain_text(words)
    expect(page.locator(".ticket-form .ticket-go")).to_be_disabled()


@pytest.mark.thorough
def test_the_other_token_trades_on_the_same_server(enter):
    page = enter("token")
    page.locator("[name=quantity]").fill("1")
    expect(page.locator(".ticket-form .ticket-go")).to_be_enabled()


def test_a_viewer_who_sends_an_order_all_the_same_is_refused(enter):
    page = enter("viewer")
    reply = page.evaluate("""async () => { const socket = %s; return new Promise((resolve) => {
      const order = { clientId: "a", type: "market", side: "buy", quantity: "1" };
      socket.onopen = () => socket.send(JSON.stringify({ do: "order.place", order }));
      socket.onmessage = ({ data }) => resolve(JSON.parse(data).reply);
    }); }""" % SOCKET)
    assert reply["ok"] is False and "for looking" in reply["message"]
    page.goto(page.url.replace("/exchange", "/orders"))
    expect(page.locator(".order")).to_have_count(0)


# Controls that change something, by name, and where they are for authorised users.
CHANGES = re.compile(
    r"^(Amend |Cancel order|Cancel \d|Cancel all|Cancel this order|Add .* to favourites|Remove .* from favourites|Favourite |New list|"
    r"Rename|(Delete|Edit) the alert|Set alert|Set the alert|Inject|Clear$|Retry now|Start$|Stop$|Move (up|down|to)|Favourites$)")
NAMED = """() => [...document.querySelectorAll("button, [role=menuitem], [role=menuitemcheckbox], [role=slider]")]
  .filter((control) => control.checkVisibility({ visibilityProperty: true }) && !control.disabled)
  .map((control) => control.getAttribute("aria-label") ?? control.textContent.trim())"""
SIZES = {"360": {"width": 360, "height": 740}, "1440": DESKTOP}
SEND = """async (messages) => { const socket = %s; return new Promise((resolve) => {
  let left = messages.filter((message) => message.do.startsWith("order.")).length;
  socket.onopen = () => messages.forEach((message) => socket.send(JSON.stringify(message)));
  socket.onmessage = ({ data }) => {
    if (JSON.parse(data).reply && (left -= 1) === 0) resolve();
  };
}); }""" % SOCKET


def order(name):
    """A resting limit order."""
    return {"do": "order.place", "order": {"clientId": name, "type": "limit", "side": "buy", "quantity": "8", "price": "0.50"}}


@pytest.fixture(scope="module")
def used(guarded, browser):
    """The server with one of everything that a user may change."""
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    sign_in(page, guarded.address + "/feed", "token")
    expect(page.locator(".feed-rows > li").first).to_be_visible()
    page.evaluate(SEND, [
        {"do": "list.create", "name": "Mine"}, {"do": "list.add", "list": "list-1", "member": "kraken/BTC/USD"},
        {"do": "list.add", "list": "list-1", "member": "bitmex/XBTUSD"},
        {"do": "alert.add", "market": "kraken/BTC/USD", "price": "1", "again": False},
        {"do": "fault.inject", "venue": "isin", "faults": "delay=10ms for 600s"}, order("one"), order("two")])
    context.close()
    return guarded


def visit(page, address, size):
    """Every place with something to change; yields its name, and the controls that it has for this user."""
    def controls():
        page.wait_for_timeout(50)
        return sorted({name for name in page.evaluate(NAMED) if CHANGES.match(name)})

    def go(path, settled):
        page.goto(address + path)
        expect(page.locator(".chip-count")).not_to_be_empty()
        expect(page.locator(settled).first).to_be_visible()
        expect(page.locator("[data-settling]")).to_have_count(0)

    go("/exchange", ".exchange .price.big .arrow:not(:empty)")
    if size == "1440":
        page.locator("[role=tab][data-tab=open]").click()
        expect(page.locator(".open-order")).to_have_count(2)
        yield "open orders", controls()
        # Both have the same price, far below the chart's: they share a tag.
        page.locator(".chart-orders .order-more:visible", has_text="2 below").click()
        expect(page.locator(".order-list-rows li")).to_have_count(2)
        yield "orders on the chart", controls()
        page.keyboard.press("Escape")
        page.locator("[role=tab][data-tab=alerts]").click()
        expect(page.locator(".alert-table .table-row").first).to_be_visible()
        yield "table of alerts", controls()
    go("/orders", ".order")
    page.locator(".order-line").first.click()
    yield "order", controls()
    go("/book/BTC%2FUSD", ".level:not([data-empty])")
    page.locator(".bell").click()
    expect(page.locator(".bell-sheet .bell-row")).to_have_count(1)
    yield "alerts of a market", controls()
    page.keyboard.press("Escape")
    go("/markets/list-1", ".market-row")
    expect(page.locator(".list-tabs")).to_contain_text("Mine")
    yield "list", controls()
    page.locator(".market-row").first.focus()
    page.keyboard.press("m")
    expect(page.locator(".menu")).to_be_visible()
    yield "menu of a row", controls()
    page.keyboard.press("Escape")
    go("/feed", ".feed-rows > li")
    yield "tracker", controls()
    page.locator(".chip").click()
    expect(page.locator(".venue-break")).not_to_have_count(0)
    for place in page.locator(".venue-break > summary:visible").all():
        place.click()
    yield "connections", controls()


@pytest.mark.thorough
@pytest.mark.parametrize("size", SIZES)
def test_a_viewer_finds_nothing_that_the_server_would_refuse_and_is_told_why(enter, used, size):
    page = enter("viewer", viewport=SIZES[size])
    for place, found in visit(page, used.address, size):
        assert found == [], place
        assert page.locator(".view-note:visible").count() > 0 or place == "menu of a row", place
        if place == "menu of a row":
            expect(page.get_by_role("menuitem", name="You may look here")).to_be_disabled()
    expect(page.locator(".venue-break:visible")).to_have_count(1)
    expect(page.locator(".venue-break:visible summary")).to_contain_text("Fault injected · 1 running")


@pytest.mark.parametrize("size", SIZES)
def test_who_may_trade_finds_all_of_it_on_the_same_server(enter, used, size):
    page = enter("token", viewport=SIZES[size])
    for place, found in visit(page, used.address, size):
        assert found, place
        assert page.locator(".view-note:visible").count() == 0, place


@pytest.mark.thorough
def test_no_key_of_a_viewer_changes_anything_and_each_says_why(enter, used):
    page = enter("viewer")
    why = re.compile("You may look here, not change anything")
    page.goto(used.address + "/markets/list-1")
    page.locator(".market-row").nth(1).focus()
    for key in ("s", "Alt+ArrowUp"):
        page.keyboard.press(key)
        expect(page.locator(".list-complaint")).to_contain_text(why)
        page.locator(".list-complaint button").click()
        expect(page.locator(".list-complaint")).to_be_hidden()
        page.locator(".market-row").nth(1).focus()
    page.goto(used.address + "/book/BTC%2FUSD")
    page.locator(".level:not([data-empty])").first.click(button="right")
    page.wait_for_timeout(100)
    expect(page.locator(".bell-sheet:visible")).to_have_count(0)
    expect(page.locator(".chart-legend b").nth(3)).not_to_be_empty()
    page.locator(".chart-surface, .chart-view [tabindex='0'][role]").first.focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("l")
    expect(page.locator(".chart-view").first).to_contain_text(why)
    page.goto(used.address + "/exchange")
    page.locator(".chart-orders .order-more:visible", has_text="2 below").click()
    expect(page.locator(".order-list-rows li")).to_have_count(2)
    expect(page.locator(".order-list-rows button:visible, .chart-orders [role=slider]")).to_have_count(0)


@pytest.mark.thorough
@pytest.mark.parametrize("locale, words", [("de-DE", "nichts ändern"), ("nl-NL", "niets wijzigen")])
def test_a_viewer_is_told_why_in_their_language(enter, used, locale, words):
    page = enter("viewer", locale)
    page.locator(".chip").click()
    expect(page.locator(".status-panel .view-note").first).to_contain_text(words)


@pytest.mark.thorough
def test_whoever_can_not_see_is_told_so_too(enter, used):
    page = enter("viewer")
    page.locator(".chip").click()
    expect(page.locator(".status-panel")).to_be_visible()
    assert findings(page) == []
