"""A server with an access token asks a person for it once, and no address ever holds it."""

import pytest
from playwright.sync_api import expect

from servers import Server
from test_access import findings

TOKEN = "0123456789abcdef-secret"


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    """A server that needs a token."""
    file = tmp_path_factory.mktemp("token") / "token"
    file.write_text(TOKEN + "\n")
    server = Server("--token-file", file)
    yield server
    server.stop()


@pytest.fixture
def asked(browser, guarded):
    """A page that was asked for the token."""
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
