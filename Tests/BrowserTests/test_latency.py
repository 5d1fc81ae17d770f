"""LT3: the list of connections shows the latency from the venue to the picture, and a steady delay."""

import re

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP
from servers import Server
from test_access import findings
from watching import wait_until

pytestmark = pytest.mark.thorough

BOOK = "/book/BTC%2FUSD"
RUNGS = ["Venue to socket", "Decoding", "Until shown", "Sending", "To the page", "Painting"]


@pytest.fixture(scope="module")
def measured():
    """A server that only these tests delay."""
    server = Server()
    yield server
    server.stop()


@pytest.fixture
def book(open_page, measured):
    """A phone's page of Kraken's book, live."""
    page = open_page(BOOK, at=measured.address)
    expect(page.locator(".panel .note-text")).to_have_text("Live")
    return page


def ladder(page, venue="Kraken"):
    """A venue's open latency ladder."""
    if not page.locator(".status-panel").is_visible():
        page.locator(".chip").click()
    place = page.locator(".venue", has=page.get_by_role("heading", name=venue, exact=True)).locator(".venue-latency")
    expect(place).to_be_visible()
    if place.get_attribute("open") is None:
        place.locator("summary").click()
    return place


def figures(place, name):
    """The texts of a rung's row for the last minute: now, p50, p90, p99, max."""
    row = place.locator("tbody").first.locator("tr", has=place.page.get_by_role("rowheader", name=name, exact=True))
    return row.locator("td").all_inner_texts() if row.is_visible() else []


def latest(place):
    """The newest message's latency from the venue to the socket, in milliseconds; 0 where that is uncertain."""
    text = (figures(place, "Venue to socket") or [""])[0]
    found = re.fullmatch(r"([\d.]+) (µs|ms|s)", text)
    return float(found[1]) * {"µs": 0.001, "ms": 1, "s": 1000}[found[2]] if found else 0


def test_every_rung_is_shown_with_its_percentiles(book):
    place = ladder(book)
    for name in RUNGS:
        wait_until(book, lambda name=name: len(figures(place, name)) == 5)
        assert all(re.fullmatch(r"±?[\d.,]+ (µs|ms|s)", text) for text in figures(place, name)), figures(place, name)
    for name in ("In the reader", "Over the bus"):
        assert figures(place, name) == [], "there is no bus"
    expect(place.locator(".latency-note:visible")).to_have_count(2)
    expect(place.locator(".latency-note").first).to_have_text(
        re.compile(r"Its clock is [\d.]+ (µs|ms) (ahead|behind), ±[\d.]+ (µs|ms)\."))
    assert not findings(book)


def test_a_steady_delay_of_kraken_shows_in_the_rung_of_the_venue(book):
    place = ladder(book)
    wait_until(book, lambda: figures(place, "Venue to socket"))
    panel = place.locator("xpath=..").locator(".venue-break")
    panel.locator("summary").click()
    panel.get_by_role("combobox", name="Fault").select_option("delay")
    panel.get_by_label("Strength").select_option("=300ms")
    panel.get_by_label("Duration").select_option("")
    panel.get_by_role("button", name="Inject").click()
    # At least the delay, less the clocks' uncertainty; a busy machine adds to it.
    wait_until(book, lambda: latest(place) >= 290)
    expect(place.locator(".latency-latest")).to_have_text(re.compile(r" · \d"))
    panel.get_by_role("button", name="Clear").click()
    wait_until(book, lambda: latest(place) < 290)


def test_venues_whose_messages_tell_no_time_say_so(open_page, measured):
    page = open_page("/exchange", DESKTOP, at=measured.address)
    place = ladder(page, "Two Roads Exchange")
    wait_until(page, lambda: len(figures(place, "Painting")) == 5)
    assert figures(place, "Venue to socket") == []
    expect(place.locator(".latency-note").first).to_have_text(
        "Its messages tell no time: the ladder begins at the socket.")
