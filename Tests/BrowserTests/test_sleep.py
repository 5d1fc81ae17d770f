"""Sleep, frozen pages and the back/forward cache: missed data is shown with its age from the first frame on."""

import os
import pathlib
import re
import signal
import time
import uuid

import pytest
from playwright.sync_api import expect

from browsers import executable
from live import Tap
from servers import Server
from watching import wait_until

NOTE = ".panel.book .note-text"
LEVELS = ".level:not([data-empty])"

# The page's model of the server's clock, with both of the computer's clocks controlled by the test: `sleep` moves only
# the wall clock, as on a suspended computer, `stop` moves both, as for stopped processes.
CLOCK = """async (steps) => {
  const { ServerClock } = await import("/assets/link/server-clock.js");
  let [own, wall] = [5_000, 1_790_000_000_000];
  performance.now = () => own;
  Date.now = () => wall;
  const clock = new ServerClock();
  const told = [];
  for (const [act, value] of steps) {
    if (act === "stop") { own += value; wall += value; }
    else if (act === "sleep") wall += value;
    else if (act === "received") told.push(clock.received(1_790_000_000_000 + value));
    else if (act === "pinged") clock.replied(clock.elapsed() - value);
    else if (act === "recall") clock.recall(...value);
    else if (act === "now") told.push(clock.now() - 1_790_000_000_000);
  }
  return told;
}"""


@pytest.mark.parametrize("steps, told", [
    # A message that waited in the socket while the processes were stopped.
    ([["received", 0], ["stop", 27_000], ["received", 100], ["now", 0]], [False, True, 27_000]),
    # The same while the computer slept: its monotonic clock was stopped, too.
    ([["received", 0], ["sleep", 40_000], ["received", 100], ["now", 0]], [False, True, 40_000]),
    # The wall clock is set back: no value becomes younger.
    ([["received", 0], ["stop", 2000], ["sleep", -3_600_000], ["now", 0]], [False, 2000]),
    # It is set forward: values look older until a reply to a ping and the message after it bound them.
    ([["received", 0], ["sleep", 3_600_000], ["now", 0], ["received", 10], ["stop", 20], ["pinged", 20], ["received", 30], ["now", 0]],
     [False, 3_600_000, True, False, 50]),
    # The server's clock is set back, as the next reply shows.
    ([["received", 0], ["stop", 1000], ["received", -600_000], ["pinged", 40], ["received", -599_990], ["now", 0]],
     [False, True, False, -599_950]),
    # A faster message is a better estimate than a slow one, and a slow one changes nothing.
    ([["received", -300], ["stop", 1000], ["received", 900], ["stop", 1000], ["received", 1500], ["now", 0]],
     [False, False, False, 1900]),
    # The offset of an earlier page; no received data is in the future.
    ([["recall", [250, 1_790_000_000_000]], ["now", 0]], [250]),
    ([["recall", [-5000, 1_790_000_000_000]], ["now", 0]], [0]),
], ids=["stopped", "asleep", "set-back", "set-forward", "server-set-back", "slow", "recalled", "recalled-older"])
def test_the_older_age_wins_until_the_server_has_answered(open_page, steps, told):
    page = open_page("/products")
    assert page.evaluate(CLOCK, steps) == told


def seconds_ago(text):
    """The age in a text, in seconds; -1 for none."""
    found = re.search(r"(\d+) (s|min) ago", text)
    return -1 if not found else int(found[1]) * (60 if found[2] == "min" else 1)


def test_a_message_that_waited_through_a_stop_makes_nothing_younger(open_page):
    taps, last = [], {}

    def keep(message):
        if message.get("topics"):
            last.update(message)
        return message

    def setup(page):
        page.clock.install()
        taps.append(Tap(page))
        taps[0].change = keep

    page = open_page("/book/XBTUSD", setup=setup)
    expect(page.locator(LEVELS).first).to_be_visible()
    wait_until(page, lambda: last)
    # The processes stop for half a minute; then the server is gone, and its last messages are read.
    taps[0].mute = taps[0].refuse = True
    page.clock.fast_forward(27_000)
    for _ in range(3):
        taps[0].say(last)
    taps[0].cut()
    expect(page.locator(NOTE)).to_have_text(re.compile("^Disconnected · "))
    assert 27 <= seconds_ago(page.locator(NOTE).text_content()) < 120
    page.clock.run_for(3000)
    expect(page.locator("#banner")).to_contain_text("last heard")
    assert 27 <= seconds_ago(page.locator("#banner").text_content()) < 120


# The page's state at the end of the events, before any frame could be drawn.
SNAPSHOT = """(kinds) => {
  window.pictures = [];
  const look = ({ type, persisted }) => window.pictures.push({ type, persisted,
    dimmed: document.querySelectorAll(".book-side[data-dimmed]").length, note: document.querySelector(".panel.book .note-text").textContent });
  for (const [target, kind] of [[document, "freeze"], [document, "resume"], [window, "pageshow"], [window, "pagehide"]]) {
    target.addEventListener(kind, look);
  }
}"""


def test_a_frozen_page_is_put_away_and_comes_back_as_doubtful(open_page):
    taps = []
    page = open_page("/book/XBTUSD", setup=lambda page: taps.append(Tap(page)))
    expect(page.locator(LEVELS).first).to_be_visible()
    expect(page.locator(".book-side[data-dimmed]")).to_have_count(0)
    page.evaluate(SNAPSHOT)
    for kind in ("freeze", "resume"):
        page.evaluate("(kind) => document.dispatchEvent(new Event(kind))", kind)
    pictures = page.evaluate("window.pictures")
    assert [picture["type"] for picture in pictures] == ["freeze", "resume"]
    assert all(picture["dimmed"] == 2 and picture["note"].startswith("Stale") for picture in pictures), pictures
    expect(page.locator(".book-side[data-dimmed]")).to_have_count(0)


def test_a_reply_that_waited_while_the_page_was_frozen_proves_nothing(open_page):
    taps, held = [], []

    def setup(page):
        taps.append(Tap(page))

    page = open_page("/book/XBTUSD", setup=setup)
    expect(page.locator(".book-side[data-dimmed]")).to_have_count(0)
    # The reply to the ping that was sent as the page was frozen is read after it.
    taps[0].change = lambda message: held.append(message) if "pong" in message else message
    page.evaluate("() => document.dispatchEvent(new Event('freeze'))")
    wait_until(page, lambda: held)
    taps[0].mute = True
    page.evaluate("() => document.dispatchEvent(new Event('resume'))")
    taps[0].say(held[0])
    page.evaluate("async () => { for (let at = 0; at < 3; at += 1) await new Promise(requestAnimationFrame); }")
    assert page.locator(".book-side[data-dimmed]").count() == 2
    taps[0].change = None
    taps[0].mute = False
    expect(page.locator(".book-side[data-dimmed]")).to_have_count(0)


class OwnBrowser:
    """A separate browser for this test, with its processes and its back/forward cache."""

    def __init__(self, browser_type):
        self._mark = f"--livetape-test={uuid.uuid4().hex}"
        self.browser = browser_type.launch(executable_path=executable(), args=["--no-sandbox", self._mark],
                                           ignore_default_args=["--disable-back-forward-cache"])

    def processes(self):
        """All processes of this browser, by their parents."""
        parents, roots = {}, []
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                words = (folder / "cmdline").read_bytes().split(b"\0")
                parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            if self._mark.encode() in words:
                roots.append(int(folder.name))
        found = set(roots)
        while more := {pid for pid, parent in parents.items() if parent in found} - found:
            found |= more
        assert found, "the browser has no process"
        return found


def signal_all(pids, kind):
    for pid in pids:
        os.kill(pid, kind)


def pass_time(seconds):
    """Waits in real time, which this test is about."""
    began = time.monotonic()
    while time.monotonic() - began < seconds:
        time.sleep(0.1)


@pytest.fixture
def own_browser(browser):
    own = OwnBrowser(browser.browser_type)
    try:
        yield own
    finally:
        own.browser.close()


@pytest.mark.thorough
def test_a_browser_that_was_stopped_counts_the_stop_also_after_a_reload(own_browser):
    server = Server()
    try:
        context = own_browser.browser.new_context(viewport={"width": 390, "height": 844}, locale="en-US")
        page = context.new_page()
        page.goto(server.address + "/book/XBTUSD")
        expect(page.locator(LEVELS).first).to_be_visible()
        page.evaluate("async () => { await navigator.serviceWorker.register('/service-worker.js'); await navigator.serviceWorker.ready; }")
        expect(page.locator(NOTE)).to_have_text("Live")
        # The sockets fill while the server continues, and it is gone before they are read.
        pids = own_browser.processes()
        signal_all(pids, signal.SIGSTOP)
        pass_time(8)
        server.kill()
        killed = time.monotonic()
        pass_time(8)
        signal_all(pids, signal.SIGCONT)
        expect(page.locator(NOTE)).to_have_text(re.compile("^Disconnected · "))
        # Read first, so that it is a lower bound.
        least = int(time.monotonic() - killed)
        assert seconds_ago(page.locator(NOTE).text_content()) >= least - 1, least
        page.reload()
        expect(page.locator("#banner")).to_contain_text("Last known state")
        least = int(time.monotonic() - killed)
        text = page.locator("#banner").text_content()
        assert seconds_ago(text) >= least - 1, (text, least)
    finally:
        server.stop()


def test_a_page_out_of_the_back_forward_cache_shows_nothing_as_live(open_page):
    taps, last = [], {}

    def keep(message):
        if message.get("topics"):
            last.update(message)
        return message

    def setup(page):
        taps.append(Tap(page))
        taps[0].change = keep

    page = open_page("/book/XBTUSD", setup=setup)
    expect(page.locator(".book-side[data-dimmed]")).to_have_count(0)
    wait_until(page, lambda: last)
    page.evaluate(SNAPSHOT)
    before = taps[0].connections
    page.evaluate("() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
    # No data in flight reaches the frozen page.
    taps[0].say(last)
    page.evaluate("() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    pictures = page.evaluate("window.pictures")
    assert [picture["type"] for picture in pictures] == ["pagehide", "pageshow"]
    assert all(picture["dimmed"] == 2 and picture["note"].startswith("Disconnected") for picture in pictures), pictures
    wait_until(page, lambda: taps[0].connections > before)
    expect(page.locator(".book-side[data-dimmed]")).to_have_count(0)


def test_the_browsers_own_back_forward_cache_gives_back_a_page_that_shows_nothing_as_live(own_browser, address):
    context = own_browser.browser.new_context(viewport={"width": 390, "height": 844}, locale="en-US", service_workers="block")
    page = context.new_page()
    page.goto(address + "/book/XBTUSD")
    expect(page.locator(LEVELS).first).to_be_visible()
    expect(page.locator(NOTE)).to_have_text("Live")
    page.evaluate(SNAPSHOT)
    page.goto(address + "/healthz")
    page.go_back(wait_until="commit")
    expect(page.locator(LEVELS).first).to_be_visible()
    pictures = page.evaluate("window.pictures")
    if pictures is None:
        pytest.skip("this browser keeps no pages: its shell has no back/forward cache")
    shown = [picture for picture in pictures if picture["type"] in ("pagehide", "pageshow")]
    assert [picture["persisted"] for picture in shown] == [True, True], pictures
    assert all(picture["dimmed"] == 2 and picture["note"].startswith("Disconnected") for picture in pictures), pictures
    expect(page.locator(NOTE)).to_have_text("Live")
