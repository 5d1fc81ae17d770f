"""A second token for people who may see everything and change nothing."""

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP
from tokens import TOKENS, guarded_server


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    """A server with both tokens."""
    with guarded_server(tmp_path_factory.mktemp("tokens")) as server:
        yield server


@pytest.fixture
def enter(browser, guarded):
    """Opens the exchange with one of the tokens."""
    contexts = []

    def enter(token, locale="en-US"):
        context = browser.new_context(locale=locale, service_workers="block", viewport=DESKTOP)
        contexts.append(context)
        page = context.new_page()
        page.goto(guarded.address + "/exchange")
        page.get_by_label("Access token").fill(TOKENS[token])
        page.get_by_role("button", name="Open").click()
        expect(page.locator(".exchange .price.big .arrow:not(:empty)")).to_be_visible()
        return page

    yield enter
    for context in contexts:
        context.close()


@pytest.mark.parametrize("locale, words", [
    ("en-US", "You may look here, not trade"), ("de-DE", "Sie können hier zusehen, nicht handeln"),
    ("nl-NL", "Je kunt hier meekijken, niet handelen")])
def test_a_viewer_sees_prices_and_is_told_that_they_may_not_trade(enter, locale, words):
    page = enter("viewer", locale)
    page.locator("[name=quantity]").fill("1")
    expect(page.locator("#ticket-reason")).to_contain_text(words)
    expect(page.locator(".ticket-form .ticket-go")).to_be_disabled()


def test_the_other_token_trades_on_the_same_server(enter):
    page = enter("token")
    page.locator("[name=quantity]").fill("1")
    expect(page.locator(".ticket-form .ticket-go")).to_be_enabled()


def test_a_viewer_who_sends_an_order_all_the_same_is_refused(enter):
    page = enter("viewer")
    reply = page.evaluate("""() => new Promise((resolve) => {
      const socket = new WebSocket(`ws://${location.host}/live`);
      const order = { clientId: "a", type: "market", side: "buy", quantity: "1" };
      socket.onopen = () => socket.send(JSON.stringify({ do: "order.place", order }));
      socket.onmessage = ({ data }) => resolve(JSON.parse(data).reply);
    })""")
    assert reply["ok"] is False and "for looking" in reply["message"]
    page.goto(page.url.replace("/exchange", "/orders"))
    expect(page.locator(".order")).to_have_count(0)
