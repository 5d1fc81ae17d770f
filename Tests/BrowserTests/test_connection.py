"""Freshness, connection and recovery: nothing on screen lies when a venue or the server is gone."""

import json
import re
import urllib.request

from playwright.sync_api import expect

from live import Tap


def tapped():
    """A setup for `open_page` and the tap it makes."""
    taps = []
    return taps, lambda page: taps.append(Tap(page))


def test_the_chip_lists_every_venue_and_marks_what_is_simulated(open_page):
    page = open_page("/")
    chip = page.locator(".chip")
    expect(chip).to_contain_text("connected")
    chip.click()
    venues = page.locator(".status-panel .venue")
    expect(venues).to_have_count(7)
    expect(venues.first.locator("h3")).to_have_text("This page")
    for at in range(1, 7):
        expect(venues.nth(at).locator(".badge")).to_have_text("Simulated")
        expect(venues.nth(at).locator(".venue-state")).to_have_text("Connected")
    expect(venues.nth(1)).to_contain_text(re.compile(r"Since (just now|\d+ (s|min|h) ago)"))
    page.keyboard.press("Escape")
    expect(page.locator(".status-panel")).to_be_hidden()


def test_a_second_page_opens_no_second_connection_to_a_venue(open_page, address):
    def counts():
        with urllib.request.urlopen(address + "/healthz") as answer:
            return json.load(answer)["upstreamConnections"]

    first = open_page("/book/XBTUSD")
    expect(first.locator(".bids .level:not([data-empty])")).to_have_count(20)
    before = counts()
    second = open_page("/book/XBTUSD")
    expect(second.locator(".bids .level:not([data-empty])")).to_have_count(20)
    assert counts() == before


def test_without_the_server_values_are_dimmed_with_their_age_and_nothing_moves(open_page):
    taps, setup = tapped()
    page = open_page("/", setup=setup)
    page.wait_for_selector(".feed-rows .arrow:not(:empty)")
    taps[0].refuse = True
    taps[0].cut()
    expect(page.locator(".chip")).to_have_attribute("data-state", re.compile("disconnected|connecting"))
    expect(page.locator(".feed-rows .price[data-dimmed]")).to_have_count(25)
    expect(page.locator(".feed-rows .flash")).to_have_count(0)
    expect(page.locator(".feed-rows .arrow:not(:empty)")).to_have_count(0)
    expect(page.locator(".feed .note-text")).to_have_text(re.compile(r"^Disconnected · [1-9]\d* s ago$"))
    expect(page.locator(".feed-rows .number").first).to_have_text(re.compile(r"\$\d"))
    expect(page.locator(".start-stop")).to_be_disabled()
    taps[0].refuse = False
    expect(page.locator(".chip")).to_have_attribute("data-state", "connected")
    expect(page.locator(".feed-rows .price[data-dimmed]")).to_have_count(0)
    page.wait_for_selector(".feed-rows .flash")


def test_a_banner_comes_only_when_an_outage_lasts(open_page):
    taps, setup = tapped()
    page = open_page("/", setup=setup)
    page.evaluate("""() => {
      window.bannerShown = 0;
      new MutationObserver(() => window.bannerShown += document.getElementById("banner").hidden ? 0 : 1)
        .observe(document.getElementById("banner"), { attributes: true });
    }""")
    taps[0].cut()
    page.wait_for_function("() => document.querySelector('.chip').dataset.state !== 'connected'")
    expect(page.locator(".chip")).to_have_attribute("data-state", "connected")
    assert page.evaluate("() => window.bannerShown") == 0
    taps[0].refuse = True
    taps[0].cut()
    expect(page.locator("#banner")).to_contain_text("Connection to Livetape lost")
    assert page.evaluate("() => document.scrollingElement.scrollHeight <= innerHeight")
    taps[0].refuse = False
    page.get_by_role("button", name="Try now").click()
    expect(page.locator("#banner")).to_be_hidden()


def test_a_hidden_banner_stays_hidden_while_the_chip_goes_on_saying_it(open_page):
    taps, setup = tapped()
    page = open_page("/", setup=setup)
    taps[0].refuse = True
    taps[0].cut()
    page.get_by_role("button", name="Hide this message").click()
    expect(page.locator("#banner")).to_be_hidden()
    age = page.locator(".feed .note-text").text_content()
    page.wait_for_function("(age) => document.querySelector('.feed .note-text').textContent !== age", arg=age)
    expect(page.locator("#banner")).to_be_hidden()
    expect(page.locator(".chip")).to_have_attribute("data-state", re.compile("disconnected|connecting"))


def test_a_reconnected_page_opens_its_topics_again(open_page):
    taps, setup = tapped()
    page = open_page("/book/XBTUSD", setup=setup)
    expect(page.locator(".bids .level:not([data-empty])")).to_have_count(20)
    taps[0].from_page.clear()
    taps[0].cut()
    page.wait_for_function("() => document.querySelector('.chip').dataset.state !== 'connected'")
    expect(page.locator(".chip")).to_have_attribute("data-state", "connected")
    opened = {topic for message in taps[0].from_page for topic in message.get("open", [])}
    assert opened == {"status", "books", "book/XBTUSD"}
    expect(page.locator(".panel .note-text")).to_have_text("Live")


def test_values_are_late_by_their_own_measure_before_a_silent_server_is_given_up(open_page):
    taps, setup = tapped()
    page = open_page("/book/XBTUSD", setup=setup, viewport={"width": 1440, "height": 900})
    note = page.locator(".panel .note-text").first
    expect(note).to_have_text("Live")
    page.evaluate("""() => {
      const note = document.querySelector(".panel .note-text");
      window.said = [];
      new MutationObserver(() => window.said.push(note.textContent))
        .observe(note, { characterData: true, childList: true, subtree: true });
    }""")
    taps[0].mute = True
    # That word is there for a moment only: the page connects anew at once.
    page.wait_for_function("() => window.said.some((text) => text.startsWith('Disconnected'))")
    said = page.evaluate("() => window.said.map((text) => text.split(' ')[0])")
    assert "Late" in said and said.index("Late") < said.index("Disconnected"), said
    taps[0].mute = False
    expect(note).to_have_text("Live")


def test_a_server_that_falls_silent_is_noticed(open_page):
    taps, setup = tapped()
    page = open_page("/", setup=setup)
    expect(page.locator(".feed-rows > li")).to_have_count(25)
    taps[0].mute = True
    expect(page.locator(".feed-rows .price[data-dimmed]")).to_have_count(25)
    taps[0].mute = False
    expect(page.locator(".chip")).to_have_attribute("data-state", "connected")
    expect(page.locator(".feed-rows .price[data-dimmed]")).to_have_count(0)


def test_stale_values_stay_visible_dimmed_with_their_age_in_words(open_page):
    taps, setup = tapped()
    page = open_page("/exchange", setup=setup)
    expect(page.locator(".price.big .number")).to_have_text(re.compile(r"\d"))

    def stale(message):
        for item in message.get("topics", []):
            if item["topic"] == "exchange":
                part = item.get("snapshot") or item["patch"]
                part["freshness"] = {"state": "stale", "origin": "simulated", "confirmedAt": message["now"] - 12_000}
        return message

    taps[0].change = stale
    expect(page.locator(".exchange .note-text")).to_have_text(re.compile(r"^Stale · 1\d s ago$"))
    expect(page.locator(".price.big")).to_have_attribute("data-dimmed", "")
    expect(page.locator(".price.big .arrow")).to_be_empty()
    expect(page.locator(".price.big.flash")).to_have_count(0)
    expect(page.locator(".price.big .number")).to_have_text(re.compile(r"\d"))


def test_a_pane_without_an_answer_says_so_and_offers_to_ask_again(open_page):
    taps, setup = tapped()

    def silent_on_symbols(message):
        topics = [item for item in message.get("topics", []) if not item["topic"].startswith("symbol/")]
        return {**message, "topics": topics} if "topics" in message else message

    def prepared(page):
        setup(page)
        taps[0].change = silent_on_symbols

    page = open_page("/symbol/AAPL", setup=prepared)
    expect(page.locator(".skeleton").first).to_be_attached()
    expect(page.locator(".pane-notice h3")).to_have_text("No answer yet")
    taps[0].change = lambda message: message
    page.get_by_role("button", name="Ask again").click()
    expect(page.locator(".price.big .number")).to_have_text(re.compile(r"\d"))


def test_a_venue_that_dies_and_returns_is_told_without_a_reload(open_page, outage):
    address, venues = outage
    page = open_page("/book/XBTUSD", at=address)
    expect(page.locator(".bids .level:not([data-empty])")).to_have_count(20)
    venues.kill()
    expect(page.locator(".chip")).to_have_attribute("data-state", re.compile("disconnected|connecting"))
    expect(page.locator(".book-side[data-dimmed]")).to_have_count(2)
    expect(page.locator(".panel .note-text")).to_have_text(re.compile(r"(Disconnected|Stale) · \d+ s ago"))
    expect(page.locator(".bids .level-price").first).to_have_text(re.compile(r"\d"))
    expect(page.locator("#banner")).to_contain_text("disconnected")
    page.locator(".chip").click()
    broken = page.locator(".venue", has_text="BitMEX")
    expect(broken.locator(".venue-reason")).to_have_text(re.compile(r"\w+ \w+"))
    expect(broken.get_by_role("button", name="Retry now")).to_be_visible()
    expect(broken.locator(".venue-since")).to_have_text(re.compile(r"^Since (just now|\d+ s ago)$"))
    page.keyboard.press("Escape")
    venues.revive()
    expect(page.locator(".chip")).to_have_attribute("data-state", "connected", timeout=60_000)
    expect(page.locator(".book-side[data-dimmed]")).to_have_count(0)
    expect(page.locator(".panel .note-text")).to_have_text("Live", timeout=20_000)
    expect(page.locator("#banner")).to_be_hidden()


def test_all_connections_fit_one_window_and_their_counts_are_explained(open_page, desktop):
    page = open_page("/", viewport=desktop)
    page.locator(".chip").click()
    expect(page.locator(".status-panel .venue-state", has_text="Connected")).to_have_count(7)
    assert page.locator(".status-panel").evaluate("(panel) => panel.scrollHeight <= panel.clientHeight")
    venue = page.locator(".venue", has_text="BitMEX")
    expect(venue.locator("dd").first).to_be_hidden()
    venue.get_by_text("Details").click()
    refused = venue.locator("dl > div", has_text="Messages refused")
    expect(refused).to_be_visible()
    expect(refused).to_have_attribute("title", re.compile("left out"))
    expect(venue).not_to_contain_text("Rejected")
