"""User-given names contain no marks that reorder or hide text, wherever they are typed."""

import pytest
from playwright.sync_api import expect

from servers import Server

pytestmark = pytest.mark.thorough

TYPED = {
    "Na\u202eme": "Name", "\u2066Ahead\u2069": "Ahead", "\u200f\u200eSides\ufeff": "Sides", "In\u200dside\u00ad": "Inside",
    "\U0001f469\u200d\U0001f4bb": "\U0001f469\u200d\U0001f4bb", "می\u200cخواهم": "می\u200cخواهم",
}


@pytest.fixture
def own_server():
    """A server with separate lists."""
    server = Server()
    try:
        yield server
    finally:
        server.stop()


def make_list(page, typed):
    page.get_by_role("button", name="New list").click()
    page.get_by_role("dialog", name="New list").get_by_role("textbox").fill(typed)
    page.keyboard.press("Enter")


def rename_list(page, typed):
    make_list(page, "Before")
    expect(page.get_by_role("link", name="Before", exact=True)).to_have_attribute("aria-current", "true")
    page.get_by_role("button", name="Rename or delete the list").click()
    page.get_by_role("menuitem", name="Rename…").click()
    page.get_by_role("textbox", name="Name of the list").fill(typed)
    page.keyboard.press("Enter")


def keep_layout(page, typed):
    page.get_by_role("button", name="Layouts").click()
    page.get_by_label("Name of the layout").fill(typed)
    page.keyboard.press("Enter")


FIELDS = {
    "a new list": ("/markets/all", make_list, "nav[aria-label='Lists of markets'] a[aria-current]"),
    "a list's new name": ("/markets/all", rename_list, "nav[aria-label='Lists of markets'] a[aria-current]"),
    "a layout": ("/book/XBTUSD", keep_layout, ".layout-name"),
}


@pytest.mark.parametrize("field", FIELDS)
def test_a_name_holds_no_mark_that_reorders_or_hides_text(open_page, own_server, desktop, field):
    path, give, shown = FIELDS[field]
    for typed, name in TYPED.items():
        page = open_page(path, viewport=desktop, at=own_server.address)
        give(page, typed)
        expect(page.locator(shown)).to_have_text(name)
        assert page.locator(shown).inner_text() == name


def test_a_layout_kept_by_an_older_page_loses_its_marks(open_page, desktop):
    page = open_page("/book/XBTUSD", viewport=desktop)
    page.evaluate("""localStorage.setItem("livetape.frame.layouts", JSON.stringify([["Na\\u202eme", "rail-15"]]))""")
    page.reload()
    page.get_by_role("button", name="Layouts").click()
    expect(page.get_by_role("button", name="Name", exact=True)).to_be_visible()
