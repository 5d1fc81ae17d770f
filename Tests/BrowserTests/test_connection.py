"""Freshness, connection and recovery: the screen stays truthful when a venue or the server is gone."""

import json
import re
import urllib.request

import pytest
from playwright.sync_api import expect

from live import Tap
from measures import OVERFLOWING, nothing
from servers import VENUES
from watching import wait_until


def tapped():
    """A setup for `open_page` and the tap that it creates."""
    taps = []
    return taps, lambda page: taps.append(Tap(page))


def test_the_chip_lists_every_venue_and_marks_what_is_simulated(open_page):
    page = open_page("/feed")
    chip = page.locator(".chip")
    expect(chip).to_have_attribute("data-state", "connected")
    chip.click()
    venues = page.locator(".status-panel .venue")
    expect(venues).to_have_count(1 + VENUES)
    expect(venues.first.locator("h3")).to_have_text("This page")
    for at in range(1, 1 + VENUES):
        expect(venues.nth(at).locator(".badge")).to_have_text("Simulated")
        expect(venues.nth(at).locator(".venue-state")).to_have_text("Connected")
    expect(venues.nth(1)).to_contain_text(re.compile(r"up \d+ (s|min|h)"))
    page.keyboard.press("Escape")
    expect(page.locator(".status-panel")).to_be_hidden()


def test_a_slow_answer_is_said_in_seconds(open_page):
    def slow(message):
        for item in message.get("topics", []):
            if item["topic"] == "status":
                state = item.get("snapshot") or item.get("patch")
                bitmex = state.setdefault("venues", {}).setdefault("bitmex", {})
                bitmex["roundTripMicroseconds"] = 4_594_900
                bitmex["delayMilliseconds"] = 4595
        return message

    def setup(page):
        Tap(page).change = slow

    page = open_page("/feed", setup=setup)
    page.locator(".chip").click()
    venue = page.locator(".status-panel .venue").nth(1)
    expect(venue).to_contain_text("ping 4.6 s")
    expect(venue.locator(".venue-reason")).to_have_text("Slow: what it says may be 4.6 s old.")


def test_a_second_page_opens_no_second_connection_to_a_venue(open_page, address):
    def opened():
        """Connections to BitMEX so far that did not replace a lost one."""
        with urllib.request.urlopen(address + "/healthz", timeout=60) as answer:
            count = json.load(answer)["upstreamConnections"]["bitmex"]
        return count - first.wire.states["status"]["venues"]["bitmex"]["reconnects"]

    def book(page):
        expect(page.locator(".bids .level:not([data-empty])")).to_have_count(20)

    first = open_page("/book/XBTUSD")
    book(first)
    # A venue that reconnects meanwhile is counted here before it is counted there.
    for _ in range(3):
        before = opened()
        book(open_page("/book/XBTUSD"))
        if opened() == before:
            return
    raise AssertionError("each page opened a connection")


def test_without_the_server_values_are_dimmed_with_their_age_and_nothing_moves(open_page):
    taps, setup = tapped()
    page = open_page("/feed", setup=setup)
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


@pytest.mark.thorough
def test_a_banner_comes_only_when_an_outage_lasts(open_page):
    taps, setup = tapped()
    page = open_page("/feed", setup=setup)
    page.evaluate("""() => {
      window.bannerShown = window.downFor = 0;
      const chip = document.querySelector(".chip");
      let since = null;
      new MutationObserver(() => {
        if (chip.dataset.state !== "connected") since ??= performance.now();
        else if (since !== null) [window.downFor, since] = [performance.now() - since, null];
      }).observe(chip, { attributes: true, attributeFilter: ["data-state"] });
      new MutationObserver(() => window.bannerShown += document.getElementById("banner").hidden ? 0 : 1)
        .observe(document.getElementById("banner"), { attributes: true });
    }""")
    taps[0].cut()
    wait_until(page, lambda: taps[0].connections > 1)
    expect(page.locator(".chip")).to_have_attribute("data-state", "connected")
    shown, down = page.evaluate("() => [window.bannerShown, window.downFor]")
    # A machine that takes two seconds to connect has an outage.
    assert shown == 0 or down > 1500
    taps[0].refuse = True
    taps[0].cut()
    expect(page.locator("#banner")).to_contain_text("Connection to Livetape lost")
    assert page.evaluate("() => document.scrollingElement.scrollHeight <= innerHeight")
    # The banner has no control; the status chip beside it has.
    expect(page.locator("#banner").locator("button, a")).to_have_count(0)
    tries = taps[0].connections
    page.locator(".chip").click()
    page.locator(".venue", has_text="This page").get_by_role("button", name="Retry now").click()
    page.keyboard.press("Escape")
    wait_until(page, lambda: taps[0].connections > tries)
    taps[0].refuse = False
    expect(page.locator("#banner")).to_be_hidden()


def test_a_reconnected_page_opens_its_topics_again(open_page):
    taps, setup = tapped()
    page = open_page("/book/XBTUSD", setup=setup)
    expect(page.locator(".bids .level:not([data-empty])")).to_have_count(20)
    # Its code loads after the book.
    expect(page.locator(".truth-strip")).to_be_attached()
    taps[0].from_page.clear()
    taps[0].cut()

    def opened():
        return {topic for message in taps[0].from_page for topic in message.get("open", [])}

    wait_until(page, lambda: opened() >= {"status", "books", "book/XBTUSD"})
    expect(page.locator(".chip")).to_have_attribute("data-state", "connected")
    assert opened() == {"status", "books", "lists", "alerts", "book/XBTUSD", "figures/bitmex/XBTUSD", "truth/bitmex/XBTUSD"}
    expect(page.locator(".panel .note-text")).to_have_text("Live")


def test_values_are_late_by_their_own_measure_before_a_silent_server_is_given_up(open_page):
    taps = []

    def impatient(message):
        """Every value is late after a second and a half, whatever the venue's recent rhythm."""
        for item in message.get("topics", []):
            part = item.get("snapshot") or item.get("patch") or {}
            if isinstance(part.get("freshness"), dict):
                part["freshness"]["lateAfter"] = 1500
        return message

    def setup(page):
        taps.append(Tap(page))
        taps[0].change = impatient

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
    # The word shows only briefly: the page reconnects at once.
    page.wait_for_function("() => window.said.some((text) => text.startsWith('Disconnected'))")
    said = page.evaluate("() => window.said.map((text) => text.split(' ')[0])")
    assert {"Late", "Stale"} & set(said[:said.index("Disconnected")]), said
    taps[0].mute = False
    expect(note).to_have_text("Live")


@pytest.mark.thorough
def test_a_server_that_falls_silent_is_noticed(open_page):
    taps, setup = tapped()
    page = open_page("/feed", setup=setup)
    expect(page.locator(".feed-rows > li")).to_have_count(25)
    taps[0].mute = True
    expect(page.locator(".feed-rows .price[data-dimmed]")).to_have_count(25)
    taps[0].mute = False
    expect(page.locator(".chip")).to_have_attribute("data-state", "connected")
    expect(page.locator(".feed-rows .price[data-dimmed]")).to_have_count(0)


# The page's confidence in its data


# Ticks once a second, like the timers of a hidden page.
SLOW_BEATS = """() => {
  const own = window.setInterval;
  window.setInterval = (act, wait, ...more) => own(act, wait === 250 ? 1000 : wait, ...more);
}"""
# Makes the page hidden or shown, as far as it can detect.
HIDE = """(isHidden) => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => isHidden });
  Object.defineProperty(document, "visibilityState", { configurable: true, get: () => (isHidden ? "hidden" : "visible") });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
DIMMED = ".feed-rows .price[data-dimmed]"
# Runs something, and waits until all values are dimmed, even for a single frame.
DIMS = f"""(act) => new Promise((done, failed) => {{
  setTimeout(() => failed(new Error("nothing was doubted")), 60_000);
  const look = () => (document.querySelectorAll("{DIMMED}").length === 25 ? done() : requestAnimationFrame(look));
  eval(act)();
  look();
}})"""


def with_slow_beats(open_page):
    taps = []

    def setup(page):
        page.add_init_script(f"({SLOW_BEATS})()")
        taps.append(Tap(page))

    page = open_page("/feed", setup=setup)
    expect(page.locator(".feed-rows > li")).to_have_count(25)
    expect(page.locator(DIMMED)).to_have_count(0)
    return page, taps[0]


@pytest.mark.thorough
def test_late_beats_renew_no_trust_in_a_server_that_is_silent(open_page):
    page, tap = with_slow_beats(open_page)
    tap.mute = True
    wait_until(page, lambda: tap.connections > 1)
    expect(page.locator(DIMMED)).to_have_count(25)
    tap.mute = False
    expect(page.locator(DIMMED)).to_have_count(0)


def test_what_waited_in_the_socket_is_not_believed_before_the_server_answers(open_page):
    taps, waiting = [], []
    is_held = False

    def hold(message):
        if is_held:
            waiting.append(message)
            return None
        return message

    def setup(page):
        taps.append(Tap(page))
        taps[0].change = hold

    page = open_page("/feed", setup=setup)
    expect(page.locator(".feed-rows > li")).to_have_count(25)
    expect(page.locator(DIMMED)).to_have_count(0)
    is_held = True
    page.wait_for_timeout(2000)
    frames = [message for message in waiting if message.get("topics")]
    assert frames, "the feed went on while nothing was read"
    taps[0].say(frames[0])
    # Within a time in which no value gets old by itself, and the server is not given up.
    expect(page.locator(DIMMED)).to_have_count(25, timeout=1500)
    is_held = False
    expect(page.locator(DIMMED)).to_have_count(0)


def test_a_page_that_is_shown_again_believes_nothing_old_until_the_server_answers(open_page):
    page, tap = with_slow_beats(open_page)
    page.evaluate(HIDE, True)
    tap.mute = True
    # Some ticks without a message, too few to give the server up.
    page.wait_for_timeout(2500)
    dimmed = page.evaluate(f"""async () => {{
      ({HIDE})(false);
      for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
      return document.querySelectorAll("{DIMMED}").length;
    }}""")
    assert dimmed == 25
    tap.mute = False
    expect(page.locator(DIMMED)).to_have_count(0)


def without_answers(message):
    """All server messages except replies to pings."""
    return None if "pong" in message else message


def test_a_page_that_slept_believes_nothing_until_the_server_answers(open_page):
    taps, setup = tapped()
    page = open_page("/feed", setup=setup)
    expect(page.locator(".feed-rows > li")).to_have_count(25)
    expect(page.locator(DIMMED)).to_have_count(0)
    taps[0].change = without_answers
    # The page's monotonic clock stops while a computer sleeps; the wall clock does not. What arrives now may have been
    # sent before the sleep.
    page.evaluate(DIMS, """() => {
      const now = Date.now;
      Date.now = () => now() + 3_600_000;
    }""")
    taps[0].change = None
    expect(page.locator(DIMMED)).to_have_count(0)
    expect(page.locator(".chip")).to_have_attribute("data-state", "connected")


@pytest.mark.thorough
def test_a_frozen_page_believes_nothing_until_the_server_answers(open_page):
    taps, setup = tapped()
    page = open_page("/feed", setup=setup)
    expect(page.locator(".feed-rows > li")).to_have_count(25)
    expect(page.locator(DIMMED)).to_have_count(0)
    taps[0].change = without_answers
    page.evaluate(DIMS, "() => document.dispatchEvent(new Event('resume'))")
    # A server that does not reply is given up, however much it sends.
    wait_until(page, lambda: taps[0].connections > 1)
    taps[0].change = None
    expect(page.locator(DIMMED)).to_have_count(0)


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


@pytest.mark.thorough
@pytest.mark.parametrize("width, height", [(360, 740), (820, 1180), (1440, 900)])
def test_an_old_book_says_so_where_its_spread_stood_and_no_tool_covers_its_words(open_page, width, height):
    taps, setup = tapped()
    page = open_page("/book/XBTUSD", setup=setup, viewport={"width": width, "height": height})
    expect(page.locator(".book .spread")).to_have_text(re.compile("^Spread "))

    def stale(message):
        for item in message.get("topics", []):
            if item["topic"] in ("book/XBTUSD", "trades/XBTUSD"):
                part = item.get("snapshot") or item["patch"]
                part["freshness"] = {"state": "stale", "origin": "simulated", "confirmedAt": message["now"] - 12_000}
        return message

    taps[0].change = stale
    expect(page.locator(".book .spread")).to_have_text(re.compile(r"^Stale · 1\d s ago$"))
    expect(page.locator(".book .spread-points")).to_be_empty()
    expect(page.locator(".panel.book .note")).to_have_attribute("data-state", "stale")
    assert page.evaluate("""() => [...document.querySelectorAll(".panel .pane-line")].flatMap((line) => {
      const boxes = [...line.children].map((element) => element.getBoundingClientRect()).filter(({ width }) => width > 1);
      return boxes.flatMap((box, at) => boxes.slice(at + 1).filter((other) => box.right > other.left + 0.5 && other.right > box.left + 0.5
        && box.bottom > other.top + 0.5 && other.bottom > box.top + 0.5).map((other) => [box.right, other.left]));
    })""") == []
    nothing(page, OVERFLOWING)


def test_a_pane_without_an_answer_says_so_and_offers_to_ask_again(open_page):
    taps, setup = tapped()

    def silent_on_symbols(message):
        # Until it is requested a second time.
        if sum("symbol/AAPL" in said.get("open", []) for said in taps[0].from_page) > 1:
            return message
        topics = [item for item in message.get("topics", []) if not item["topic"].startswith("symbol/")]
        return {**message, "topics": topics} if "topics" in message else message

    def prepared(page):
        setup(page)
        taps[0].change = silent_on_symbols

    page = open_page("/symbol/AAPL", setup=prepared)
    expect(page.locator(".skeleton").first).to_be_attached()
    expect(page.locator(".pane-notice h3")).to_have_text("Still loading")
    page.get_by_role("button", name="Retry").click()
    expect(page.locator(".price.big .number")).to_have_text(re.compile(r"\d"))


@pytest.mark.thorough
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
    expect(broken.locator(".venue-since")).to_have_text(re.compile(r"^For \d+ s$"))
    page.keyboard.press("Escape")
    venues.revive()
    expect(page.locator(".chip")).to_have_attribute("data-state", "connected")
    expect(page.locator(".book-side[data-dimmed]")).to_have_count(0)
    expect(page.locator(".panel .note-text")).to_have_text("Live")
    expect(page.locator("#banner")).to_be_hidden()


def test_all_connections_fit_one_window_and_their_counts_are_explained(open_page, desktop):
    page = open_page("/feed", viewport=desktop)
    page.locator(".chip").click()
    expect(page.locator(".status-panel .venue-state", has_text=re.compile("^Connected$"))).to_have_count(1 + VENUES)
    page.wait_for_function("() => { const panel = document.querySelector('.status-panel'); return panel.scrollHeight <= panel.clientHeight; }")
    venue = page.locator(".venue", has_text="BitMEX")
    expect(venue.locator("dd").first).to_be_hidden()
    venue.get_by_text("Details").click()
    refused = venue.locator("dl > div", has_text="Messages refused")
    expect(refused).to_be_visible()
    expect(refused).to_have_attribute("title", re.compile("left out"))
    expect(venue).not_to_contain_text("Rejected")


@pytest.mark.thorough
@pytest.mark.parametrize("path,row,age", [("/book/XBTUSD", ".watch-row[data-row='bitmex/XBTUSD']", ".row-sub"),
                                          ("/stocks", ".stock-rows [data-row]", ".row-age")], ids=["markets", "stocks"])
def test_an_age_in_the_rail_is_never_cut(open_page, outage, desktop, path, row, age):
    address, venues = outage
    page = open_page(path, viewport=desktop, at=address)
    expect(page.locator(f"{row} .number").first).to_have_text(re.compile(r"\d"))
    if age == ".row-sub":
        expect(page.locator(f"{row} .watch-spark")).to_be_visible()
    venues.kill()
    expect(page.locator(f"{row} {age}").first).to_contain_text(re.compile(r"\d\d s ago"))
    assert page.evaluate("""([row, age]) => [...document.querySelectorAll(`${row} ${age}`)].filter((age) => {
      const line = age.closest(".row-sub");
      return age.getBoundingClientRect().right > line.getBoundingClientRect().right + 0.5 || line.scrollWidth > line.clientWidth;
    }).map((age) => age.textContent)""", [row, age]) == []
