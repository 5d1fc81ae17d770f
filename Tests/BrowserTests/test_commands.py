"""The palette's commands, and their keys, which the user can change."""

import re

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE


def palette(page, words, keys="ControlOrMeta+k"):
    page.keyboard.press(keys)
    page.get_by_role("combobox", name="Search").fill(words)
    first = page.locator(".result").first
    expect(first).to_contain_text(re.compile(re.escape(words), re.I))
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Search")).to_be_hidden()


@pytest.fixture
def market(open_page):
    page = open_page("/book/XBTUSD", viewport=DESKTOP)
    expect(page.locator(".level:not([data-empty])").first).to_be_visible()
    expect(page.locator(".chart-legend b").nth(3)).not_to_be_empty()
    return page


def test_commands_are_run_from_the_palette(market):
    palette(market, "Theme: Dark")
    expect(market.locator("html")).to_have_attribute("data-theme", "dark")
    palette(market, "Interval: 5 minutes")
    expect(market.locator(".chart-intervals [aria-pressed=true]")).to_have_attribute("aria-label", "5 minutes")
    palette(market, "Go to date")
    expect(market.locator(".chart-menu:popover-open")).to_have_attribute("aria-label", "Go to date")
    market.keyboard.press("Escape")
    before = market.get_by_label("Book view", exact=True).input_value()
    palette(market, "Change the book view")
    expect(market.get_by_label("Book view", exact=True)).not_to_have_value(before)


def test_the_palette_opens_from_a_field_and_offers_no_command_without_its_control(open_page):
    page = open_page("/stocks", viewport=PHONE)
    page.keyboard.press("ControlOrMeta+k")
    page.get_by_role("combobox", name="Search").fill("interval")
    expect(page.locator(".no-result, .result").first).to_be_visible()
    expect(page.locator(".result", has_text="Interval:")).to_have_count(0)
    page.get_by_role("combobox", name="Search").fill("theme")
    expect(page.locator(".result", has_text="Theme: Light")).to_contain_text("Command")


def test_a_key_is_changed_kept_and_reset_and_a_conflict_is_named(market):
    market.keyboard.press("?")
    sheet = market.get_by_role("dialog", name="Help")
    key = sheet.get_by_role("button", name="Change the book view: v")
    key.click()
    expect(key).to_have_text("Press a key")
    market.keyboard.press("4")
    expect(sheet.locator(".key-said")).to_have_text("4 is the key of: Exchange")
    market.keyboard.press("g")
    expect(sheet.locator(".key-said")).to_have_text("g is the key of: Go to a date on the chart")
    market.keyboard.press("x")
    expect(sheet.get_by_role("button", name="Change the book view: x")).to_be_focused()
    market.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    market.reload()
    view = market.get_by_label("Book view", exact=True)
    expect(market.locator(".level:not([data-empty])").first).to_be_visible()
    before = view.input_value()
    market.keyboard.press("x")
    expect(view).not_to_have_value(before)
    changed = view.input_value()
    market.keyboard.press("v")
    market.keyboard.press("?")
    expect(sheet).to_be_visible()
    assert view.input_value() == changed, "its former key does nothing"
    sheet.get_by_role("button", name="Reset keys").click()
    expect(sheet.get_by_role("button", name="Change the book view: v")).to_be_visible()


def test_a_key_is_removed_and_escape_keeps_it(market):
    market.keyboard.press("?")
    sheet = market.get_by_role("dialog", name="Help")
    key = sheet.get_by_role("button", name="Full screen: f")
    key.click()
    market.keyboard.press("Escape")
    expect(sheet).to_be_visible()
    expect(key).to_have_text("f")
    key.click()
    market.keyboard.press("Delete")
    expect(sheet.get_by_role("button", name="Full screen: No key")).to_be_focused()


@pytest.mark.parametrize("kept", ["x", "[]", '{"help": 5, "search": "toString", "exchange": " ", "chart": "y"}'])
def test_what_was_kept_of_keys_may_be_anything(open_page, kept):
    def setup(page):
        page.add_init_script(f"if (location.host) localStorage.setItem('livetape.keys', {kept!r})")

    page = open_page("/book/XBTUSD", viewport=DESKTOP, setup=setup)
    page.keyboard.press("?")
    sheet = page.get_by_role("dialog", name="Help")
    expect(sheet.get_by_role("button", name="Search everything: /")).to_be_visible()
    expect(sheet.get_by_role("button", name=re.compile("^Chart: " + ("y" if "chart" in kept else "1")))).to_be_visible()
