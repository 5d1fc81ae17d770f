"""A server with an access token requests it once, and no URL ever contains it."""

import pytest
from playwright.sync_api import expect

from servers import Server
from live import Wire
from test_access import findings
from watching import wait_until

TOKEN = "0123456789abcdef-secret"


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    """A server that requires a token."""
    file = tmp_path_factory.mktemp("token") / "token"
    file.write_text(TOKEN + "\n")
    server = Server("--token-file", file)
    yield server
    server.stop()


@pytest.fixture
def asked(browser, guarded):
    """A page that shows the token form."""
    context = browser.new_context(locale="en-US", service_workers="block", viewport={"width": 360, "height": 740})
    page = context.new_page()
    page.goto(guarded.address + "/book/XBTUSD")
    yield page
    context.close()


def test_the_right_token_opens_the_page_that_was_asked_for(asked, guarded):
    page = asked
    expect(page.get_by_label("Access token")).to_be_focused()
    page.keyboard.type(TOKEN)
    page.keyboard.press("Enter")
    expect(page.locator(".level:not([data-empty])").first).to_be_visible()
    assert page.url == guarded.address + "/book/XBTUSD"
    cookie, = page.context.cookies()
    assert cookie["httpOnly"] and cookie["sameSite"] == "Strict" and cookie["name"] == "livetape"
    page.goto(guarded.address + "/exchange")
    expect(page.locator(".chip-count")).not_to_be_empty()


def test_a_wrong_token_is_said_to_be_wrong_and_another_can_be_typed(asked):
    page = asked
    field = page.get_by_label("Access token")
    field.fill("not the token at all")
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_role("alert")).to_have_text("That is not this server's token.")
    assert page.context.cookies() == []
    field.fill(TOKEN)
    page.get_by_role("button", name="Open").click()
    expect(page.locator(".chip-count")).not_to_be_empty()


def test_a_token_in_the_address_opens_nothing(asked, guarded):
    page = asked
    page.goto(f"{guarded.address}/?token={TOKEN}")
    expect(page.get_by_label("Access token")).to_be_visible()
    assert page.context.cookies() == []


def test_whoever_can_not_see_finds_the_way_in(asked):
    page = asked
    assert findings(page) == []
    assert page.locator("body").evaluate("(body) => body.scrollWidth <= innerWidth")


OPEN = """(protocols) => new Promise((resolve) => {
  const socket = new WebSocket(`ws://${location.host}/live`, protocols);
  socket.onopen = () => resolve(`open: ${socket.protocol}`);
  socket.onerror = () => resolve("refused");
})"""


def test_each_socket_needs_a_ticket_of_its_own_once(asked):
    page = asked
    page.get_by_label("Access token").fill(TOKEN)
    page.get_by_role("button", name="Open").click()
    expect(page.locator(".chip-count")).not_to_be_empty()
    ticket = page.evaluate("fetch('/session/socket').then((answer) => answer.text())")
    protocols = ["livetape", f"livetape.ticket.{ticket}"]
    assert page.evaluate(OPEN, []) == "refused"
    assert page.evaluate(OPEN, protocols) == "open: livetape"
    assert page.evaluate(OPEN, protocols) == "refused"


@pytest.mark.thorough
@pytest.mark.parametrize("remembered", ["needed", "needless", None])
def test_a_page_has_its_ticket_whether_or_not_it_knows_that_it_needs_one(asked, remembered):
    page = asked
    page.get_by_label("Access token").fill(TOKEN)
    page.get_by_role("button", name="Open").click()
    expect(page.locator(".chip-count")).not_to_be_empty()
    page.evaluate("""(value) => value ? localStorage.setItem("livetape.ticket", value)
      : localStorage.removeItem("livetape.ticket")""", remembered)
    wire, tickets = Wire(page), []
    page.on("request", lambda request: request.url.endswith("/session/socket") and tickets.append(request))
    page.reload()
    expect(page.locator(".level:not([data-empty])").first).to_be_visible()
    assert len(tickets) == 1
    assert wire.sockets == (1 if remembered == "needed" else 2)
    assert page.evaluate("localStorage.getItem('livetape.ticket')") == "needed"


def test_a_page_whose_code_comes_late_knows_that_its_first_socket_was_refused(asked):
    page = asked
    page.get_by_label("Access token").fill(TOKEN)
    page.get_by_role("button", name="Open").click()
    expect(page.locator(".chip-count")).not_to_be_empty()
    page.evaluate("localStorage.removeItem('livetape.ticket')")
    wire, held = Wire(page), []
    page.route("**/app-*.js", lambda route: held.append(route))
    page.reload(wait_until="commit")
    page.wait_for_function("() => window.firstSocket?.readyState === WebSocket.CLOSED")
    wait_until(page, lambda: held)
    held[0].continue_()
    expect(page.locator(".level:not([data-empty])").first).to_be_visible()
    # The rejected one, and the one with a socket token.
    assert wire.sockets == 2


@pytest.mark.thorough
def test_a_page_asks_for_a_ticket_again_when_it_comes_back(browser, tmp_path):
    (tmp_path / "token").write_text(TOKEN + "\n")
    server = Server("--token-file", tmp_path / "token", data=tmp_path / "data")
    try:
        context = browser.new_context(locale="en-US", service_workers="block")
        page = context.new_page()
        page.goto(server.address + "/feed")
        page.get_by_label("Access token").fill(TOKEN)
        page.get_by_role("button", name="Open").click()
        expect(page.locator(".chip-count")).not_to_be_empty()
        server.kill()
        expect(page.locator("#banner")).to_contain_text("Connection to Livetape lost")
        server = Server("--token-file", tmp_path / "token", data=tmp_path / "data",
                        port=server.address.rpartition(":")[2])
        expect(page.locator("#banner")).to_be_hidden()
        expect(page.locator(".chip-count")).not_to_be_empty()
        context.close()
    finally:
        server.stop()


def test_a_server_without_a_token_is_asked_for_no_ticket(open_page):
    asked = []
    page = open_page("/feed", setup=lambda page: page.on("request", lambda request: asked.append(request.url)))
    expect(page.locator(".feed-rows > li").first).to_be_visible()
    assert [url for url in asked if "/session" in url] == []
