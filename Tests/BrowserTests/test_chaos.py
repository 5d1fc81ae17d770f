"""LT7: a simulated venue is broken from the list of connections; the book shows it and recovers by itself."""

import re

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP
from servers import VENUES, Server, Venues
from test_access import findings
from watching import wait_until

BOOK = "/book/BTC%2FUSD"
SLOW = re.compile(r"^Slow: what it says may be \d(\.\d)? s old\.$")
BAD = re.compile("Late|Stale|Resyncing|Disconnected|Waiting")
# Every state that the book has shown since, in order, without repeats.
STATES = """() => {
  const note = () => document.querySelector(".panel .note-text")?.textContent.split(" · ")[0] ?? "";
  window.states = [note()];
  new MutationObserver(() => { if (note() !== window.states.at(-1)) window.states.push(note()); })
    .observe(document.querySelector(".panel"), { subtree: true, childList: true, characterData: true });
}"""
CROSSED = """() => {
  const best = (side) => Number(document.querySelector(`.${side} .level:not([data-empty]) .level-price`)
    ?.textContent.replace(/[^0-9.]/g, ""));
  return document.querySelector(".panel .note-text").textContent === "Live" && best("bids") >= best("asks");
}"""


@pytest.fixture(scope="module")
def broken():
    """A server that only these tests break."""
    server = Server()
    yield server
    server.stop()


@pytest.fixture
def book(open_page, broken):
    """A phone's page of Kraken's book, live, that records its states."""
    page = open_page(BOOK, at=broken.address)
    expect(page.locator(".panel .note-text")).to_have_text("Live")
    page.evaluate(STATES)
    return page


def section(page, venue="Kraken"):
    """A venue's open "Inject a fault" section."""
    if not page.locator(".status-panel").is_visible():
        page.locator(".chip").click()
    place = page.locator(".venue", has=page.get_by_role("heading", name=venue, exact=True)).locator(".venue-break")
    expect(place).to_be_visible()
    if place.get_attribute("open") is None:
        place.locator("summary").click()
    return place


def reason(page, venue="Kraken"):
    """A venue's problem in the list of connections."""
    return page.locator(".venue", has=page.get_by_role("heading", name=venue, exact=True)).locator(".venue-reason")


def inject(page, fault, strength=None, time=None, venue="Kraken"):
    place = section(page, venue)
    place.get_by_role("combobox", name="Fault").select_option(fault)
    if strength is not None:
        place.get_by_label("Strength").select_option(strength)
    if time is not None:
        place.get_by_label("Duration").select_option(time)
    place.get_by_role("button", name="Inject").click()


def recovered(page):
    """Waits until no fault runs and the book is live."""
    expect(section(page).locator(".faults-running li")).to_have_count(0)
    expect(page.locator(".panel .note-text")).to_have_text("Live")
    assert not page.evaluate(CROSSED)


@pytest.mark.thorough
@pytest.mark.parametrize("fault, strength, time", [
    ("stall", None, " for 10s"), ("half-open", None, " for 10s"), ("delay", "=10s", " for 10s"),
    ("drop", "=100%", " for 10s"), ("gap", "=50", None), ("checksum", "=100%", " for 2s"),
    ("reorder", "=100%", " for 5s"), ("corrupt", "=100%", " for 2s"), ("truncate", "=100%", " for 2s"),
    ("refuse", "=503", " for 2s"), ("close", "=1012", None), ("cut", None, None),
])
def test_a_fault_shows_on_the_book_and_is_over_without_a_hand(book, fault, strength, time):
    before = counts(book)
    inject(book, fault, strength, time)
    # A fault shorter than a frame still shows in the venue's counters: a reconnect or a refetched book.
    wait_until(book, lambda: book.evaluate("window.states.length > 1") or counts(book) != before)
    assert all(BAD.match(state) or state == "Live" for state in book.evaluate("window.states"))
    recovered(book)


@pytest.mark.thorough
def test_a_steady_delay_makes_every_row_late_until_it_is_over(book):
    """Prices continue, each three seconds old: they are not shown as live, and the venue's row gives the reason."""
    inject(book, "delay", "=3s", " for 30s")
    expect(reason(book)).to_have_text(SLOW)
    seen = book.wire.states["book/BTC/USD"]
    assert seen["freshness"]["state"] == "late"
    # It stays late while rows change.
    sequence = seen["sequence"]
    wait_until(book, lambda: book.wire.states["book/BTC/USD"]["sequence"] > sequence + 2)
    assert book.wire.states["book/BTC/USD"]["freshness"]["state"] == "late"
    # The age includes the delay.
    expect(book.locator(".panel .note-text")).to_have_text(re.compile("^Late · [2-5] s ago$"))
    recovered(book)
    expect(reason(book)).to_be_hidden()


@pytest.mark.thorough
def test_a_steady_delay_shows_at_every_venue_that_can_be_pinged(open_page, broken):
    """Each responds to WebSocket pings, whatever times its own messages have."""
    page = open_page("/book/XBTUSD", at=broken.address)
    expect(page.locator(".panel .note-text")).to_have_text("Live")
    venues = ["BitMEX", "Stock Price Stream", "BUX", "Price Tracker Echo"]
    for venue in venues:
        inject(page, "delay", "=3s", " for 30s", venue=venue)
    for venue in venues:
        expect(reason(page, venue)).to_have_text(SLOW)
    sequence = page.wire.states["book/XBTUSD"]["sequence"]
    wait_until(page, lambda: page.wire.states["book/XBTUSD"]["sequence"] > sequence + 2)
    assert page.wire.states["book/XBTUSD"]["freshness"]["state"] == "late"
    expect(page.locator(".panel .note-text")).to_have_text(re.compile("^Late"))
    for venue in venues:
        section(page, venue).get_by_role("button", name="Clear").click()
    for venue in venues:
        expect(reason(page, venue)).to_be_hidden()
    expect(page.locator(".panel .note-text")).to_have_text("Live")


def counts(page):
    """Kraken's reconnects and refetched books."""
    venue = page.wire.states["status"]["venues"]["kraken"]
    return venue["reconnects"], venue["resyncs"]


@pytest.mark.thorough
@pytest.mark.parametrize("fault, strength, time", [
    ("duplicate", "=100%", " for 5s"), ("clock", "=+90s", " for 5s"), ("flood", "=1000/s", " for 5s"),
    ("delay", "=300ms", " for 5s"),
])
def test_what_makes_no_number_wrong_or_late_is_borne(book, fault, strength, time):
    inject(book, fault, strength, time)
    expect(section(book).locator(".faults-running li")).to_have_count(1)
    recovered(book)
    assert "Disconnected" not in book.evaluate("window.states")


def test_what_runs_is_said_with_its_time_on_every_page_and_cleared(book, open_page, broken):
    inject(book, "delay", "=300ms", " for 30s")
    inject(book, "drop", "=1%", "")
    other = open_page(BOOK, at=broken.address)
    for page in (book, other):
        rows = section(page).locator(".faults-running li")
        expect(rows).to_have_text([re.compile(r"^Delay 300 ms\d+ s left$"), "Lose messages 1 %until cleared"])
        expect(section(page).locator("summary")).to_have_text("Inject a fault · 2 running")
    first = section(book).locator(".fault-left").first.text_content()
    expect(section(book).locator(".fault-left").first).not_to_have_text(first)
    section(other).get_by_role("button", name="Clear").click()
    recovered(book)
    expect(section(other).get_by_role("button", name="Clear")).to_be_hidden()


def test_a_fault_is_chosen_by_keys_and_asks_only_what_it_needs(book):
    place = section(book)
    labels = place.locator(".faults-choice:visible > span")
    expect(labels).to_have_text(["Fault", "Duration"])
    place.get_by_role("combobox", name="Fault").focus()
    place.get_by_role("combobox", name="Fault").select_option("drop")
    expect(labels).to_have_text(["Fault", "Strength", "Duration"])
    place.get_by_label("Strength").select_option("")
    expect(labels).to_have_text(["Fault", "Strength"])
    place.get_by_role("combobox", name="Fault").select_option("checksum")
    # It runs until it is ended by hand, however long the check takes.
    place.get_by_label("Duration").select_option("")
    place.get_by_role("combobox", name="Fault").press("Tab")
    book.keyboard.press("Tab")
    book.keyboard.press("Tab")
    expect(place.get_by_role("button", name="Inject")).to_be_focused()
    book.keyboard.press("Enter")
    expect(place.locator(".faults-running li")).to_have_count(1)
    assert findings(book) == []
    place.get_by_role("button", name="Clear").press("Enter")
    expect(place.get_by_role("combobox", name="Fault")).to_be_focused()
    recovered(book)
    kinds = section(book, "BitMEX").get_by_role("combobox", name="Fault").locator("option")
    assert "Wrong checksum" not in kinds.all_text_contents()


@pytest.mark.thorough
def test_a_fault_that_ends_by_itself_leaves_the_focus_in_its_form(book):
    inject(book, "delay", "=300ms", " for 5s")
    clear = section(book).locator("button", has_text="Clear")
    book.wait_for_function("(button) => { button.focus(); return document.activeElement === button; }",
                           arg=clear.element_handle())
    recovered(book)
    expect(section(book).get_by_role("combobox", name="Fault")).to_be_focused()


def test_what_is_not_simulated_here_offers_nothing_to_break(open_page):
    venues = Venues()
    try:
        server = Server(*venues.flags())
        try:
            page = open_page("/feed", viewport=DESKTOP, at=server.address)
            page.locator(".chip").click()
            # Five of the venues have a configured address.
            expect(page.locator(".venue-break")).to_have_count(VENUES - 5)
            expect(page.locator(".venue", has=page.locator(".venue-break")).first).to_contain_text("Kraken")
        finally:
            server.stop()
    finally:
        venues.kill()
