"""LT2: the truth strip under a book: its freshness over the last hour, and why."""

import re

import pytest
from playwright.sync_api import expect

from servers import Process, Server, free_port
from watching import wait_until

pytestmark = pytest.mark.thorough

STRIP = ".book .truth-strip"
PAINT = "(strip) => strip.style.backgroundImage"


@pytest.fixture
def own_server():
    server = Server(port=free_port())
    servers = [server]

    def restart():
        # Its folder stays.
        Process.stop(servers[-1])
        servers.append(Server(port=server.address.rpartition(":")[2], data=server.data))

    server.restart = restart
    try:
        yield server
    finally:
        for one in reversed(servers):
            one.stop()


def open_strip(open_page, path, **options):
    page = open_page(path, **options)
    expect(page.locator(".level:not([data-empty])").first).to_be_visible()
    strip = page.locator(STRIP)
    wait_until(page, lambda: strip.count() == 1 and "gradient" in strip.evaluate(PAINT))
    return page, strip


@pytest.mark.parametrize("viewport", [{"width": 360, "height": 740}, {"width": 820, "height": 1180}, {"width": 1440, "height": 900}],
                         ids=["360", "820", "1440"])
def test_the_strip_says_how_much_of_the_day_was_proven(open_page, viewport):
    page, strip = open_strip(open_page, "/book/BTC%2FUSD", viewport=viewport)
    wait_until(page, lambda: "var(--truth-proven)" in strip.evaluate(PAINT))
    expect(strip).to_have_attribute("aria-label", re.compile(r"^Today \(UTC\) \d+\.\d\d% proven, \d+ resyncs?, [\d,]+\.\d s in doubt$"))
    # Along the lower edge of the footer, below its text, and not cut by a corner.
    places = page.evaluate("""() => {
      const box = (part) => document.querySelector(part).getBoundingClientRect();
      const [strip, foot, words] = [".truth-strip", ".book-foot", ".book-foot .proof"].map(box);
      const at = document.elementFromPoint(strip.right - 1, strip.top + 1);
      return { share: strip.width / foot.width, below: strip.top - words.bottom, room: foot.bottom - strip.bottom,
               top: at.className };
    }""")
    # A line of text has two pixels below its letters.
    assert places["share"] > 0.9 and places["below"] >= -2 and 0 <= places["room"] < 6
    assert places["top"] == "truth-strip"


def test_a_venue_without_a_proof_is_live_and_not_called_proven(open_page):
    page, strip = open_strip(open_page, "/book/XBTUSD")
    wait_until(page, lambda: "var(--truth-live)" in strip.evaluate(PAINT))
    assert "proven" not in strip.evaluate(PAINT)
    expect(strip).to_have_attribute("aria-label", re.compile(r"^Today \(UTC\) \d+\.\d\d% live, "))


def test_a_fault_is_on_the_strip_with_its_cause_and_its_seconds(open_page, own_server, desktop):
    page, strip = open_strip(open_page, "/book/BTC%2FUSD", viewport=desktop, at=own_server.address)
    wait_until(page, lambda: "var(--truth-proven)" in strip.evaluate(PAINT))
    page.evaluate("""() => {
      const socket = new WebSocket(`ws://${location.host}/live`);
      socket.onopen = () => socket.send(JSON.stringify({ do: "fault.inject", venue: "kraken", faults: "cut, refuse=503 for 3s" }));
    }""")
    wait_until(page, lambda: "var(--truth-blind)" in strip.evaluate(PAINT))
    expect(page.locator(".book .spread")).to_have_text(re.compile("^Spread "))
    expect(strip).not_to_have_attribute("aria-label", re.compile(r" 0\.0 s in doubt$"))
    # The tooltip shows the worst state under the pointer, here at the stretch's end.
    told = page.wire.states["truth/kraken/BTC/USD"]["spans"]
    blind = next(span for span in told if span[1] == "blind")
    assert blind[2], "an outage has a reason"
    box = strip.bounding_box()
    page.mouse.move(box["x"] + box["width"] - 2, box["y"] + 1)
    expect(strip).to_have_attribute("title", re.compile(r"^\d\d:\d\d:\d\d.*\nToday \(UTC\) "))


def test_a_page_without_its_server_knows_of_its_own_blindness(open_page, own_server, desktop):
    page, strip = open_strip(open_page, "/book/BTC%2FUSD", viewport=desktop, at=own_server.address)
    wait_until(page, lambda: "var(--truth-proven)" in strip.evaluate(PAINT))
    own_server.kill()
    wait_until(page, lambda: "var(--truth-blind)" in strip.evaluate(PAINT))


def test_what_was_right_before_a_restart_is_still_told_and_what_nobody_saw_is_not_vouched_for(open_page, own_server, desktop):
    page, strip = open_strip(open_page, "/book/BTC%2FUSD", viewport=desktop, at=own_server.address)
    wait_until(page, lambda: "var(--truth-proven)" in strip.evaluate(PAINT))
    own_server.restart()
    wait_until(page, lambda: len(page.wire.states["truth/kraken/BTC/USD"]["spans"]) > 2
               and page.wire.states["truth/kraken/BTC/USD"]["spans"][-1][1] == "proven")
    levels = [level for _, level, _ in page.wire.states["truth/kraken/BTC/USD"]["spans"]]
    assert levels[0] in ("proven", "live") and "unwatched" in levels[1:-1]


# The arithmetic of the strip, in the page's own module.
COLUMNS = """async ([spans, now]) => (await import("/assets/book/truth-strip.js")).columns(spans, now)"""


def test_a_stretch_shows_the_worst_that_was_in_it(open_page):
    page = open_page("/feed")
    hour, stretch = 3_600_000, 30_000
    now = 1_790_000_010_000
    begin = (now // stretch + 1) * stretch - hour

    def columns(*spans):
        return page.evaluate(COLUMNS, [list(spans), now])

    assert columns() == ["unwatched"] * 120
    one = columns([begin - hour, "proven", None])
    assert one == ["proven"] * 120
    seen = columns([begin + 10 * stretch, "proven", None], [begin + 20 * stretch + 100, "resyncing", None],
                   [begin + 20 * stretch + 200, "proven", None], [begin + 30 * stretch, "blind", "why"],
                   [begin + 31 * stretch, "unwatched", None])
    assert seen[:10] == ["unwatched"] * 10
    assert seen[10:20] == ["proven"] * 10 and seen[20] == "resyncing" and seen[21:30] == ["proven"] * 9
    assert seen[30] == "blind" and seen[31:] == ["unwatched"] * 89
