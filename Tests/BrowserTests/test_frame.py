"""The frame around the screens: header at every width, touch targets, landmarks, neutral words for normal states."""

import re

import pytest
from playwright.sync_api import expect

from live import Tap, start_feed
from measures import nothing
from watching import is_sorted, wait_until

pytestmark = pytest.mark.thorough

# Header elements that leave the window or overlap a neighbour.
CROWDED = """() => {
  const boxes = [...document.querySelectorAll(".top > a, .top > button, .top .place, .top .tools > button")]
    .filter((element) => element.checkVisibility()).map((element) => [element.textContent, element.getBoundingClientRect()])
    .sort(([, a], [, b]) => a.left - b.left);
  const wrong = [];
  boxes.forEach(([text, box], at) => {
    if (box.left < 0 || box.right > innerWidth) wrong.push(`${text}: outside`);
    if (at > 0 && boxes[at - 1][1].right > box.left + 0.5) wrong.push(`${text}: over ${boxes[at - 1][0]}`);
  });
  const top = document.getElementById("top");
  return top.scrollWidth > top.clientWidth ? [...wrong, "scrolls"] : wrong;
}"""
# The longest word of the chip.
LONG_WORD = """() => {
  document.querySelector(".chip-word").textContent = "disconnected";
  document.querySelector(".chip-count").textContent = "10/11";
}"""


@pytest.mark.parametrize("width", [320, 360, 378, 380, 440, 448, 700, 720, 740, 768, 779, 780, 820, 860, 1023, 1024, 1440])
def test_the_header_has_room_for_all_that_stands_in_it(open_page, width):
    page = open_page("/feed", viewport={"width": width, "height": 900})
    expect(page.locator(".feed-rows > li")).to_have_count(25)
    nothing(page, CROWDED)
    assert page.evaluate(f"() => {{ ({LONG_WORD})(); return ({CROWDED})(); }}") == []


@pytest.mark.parametrize("width", [820, 1440])
def test_a_longer_word_in_the_chip_moves_nothing(open_page, width):
    page = open_page("/feed", viewport={"width": width, "height": 900})
    place = "() => document.querySelector('.places [data-place=trade]').getBoundingClientRect().left"
    before, after = page.evaluate(f"() => {{ const at = {place}; const before = at(); ({LONG_WORD})(); return [before, at()]; }}")
    assert before == after


@pytest.mark.parametrize("path, controls", [
    ("/chart/XBTUSD", ".chart-bar [aria-label=Style] .segment"), ("/book/XBTUSD", ".book .segment"),
    ("/exchange", ".dock-tab"),
])
def test_switches_are_44_pixels_high_for_fingers(open_page, path, controls):
    page = open_page(path, has_touch=True, is_mobile=True)
    expect(page.locator(controls).first).to_be_visible()
    for control in page.locator(controls).all():
        box = control.bounding_box()
        assert box["height"] >= 44 and box["width"] >= 44


def test_scrolled_lists_are_reached_by_keyboard(open_page, desktop):
    page = open_page("/stocks", viewport=desktop)
    expect(page.locator(".level:not([data-empty])").first).to_be_visible()
    for scrolled in (".stocks > .pane-body", ".book > .pane-body", ".trades .tape"):
        body = page.locator(scrolled)
        expect(body).to_have_attribute("tabindex", "0")
        expect(body).to_have_attribute("aria-label", re.compile(r"\w"))


def test_landmarks_are_unique_and_headings_in_order(open_page, desktop):
    page = open_page("/book/XBTUSD", viewport=desktop)
    expect(page.locator(".level:not([data-empty])").first).to_be_visible()
    page.locator(".chip").click()
    expect(page.locator(".status-panel")).to_be_visible()
    expect(page.get_by_role("banner")).to_have_count(1)
    expect(page.get_by_role("region", name="Chart", exact=True)).to_have_count(1)
    for path, words in (("/symbol/NOPE", "There is no symbol NOPE"), ("/book/NOPE", "Unknown instrument: NOPE")):
        page = open_page(path)
        expect(page.get_by_role("heading", name=words)).to_have_attribute("aria-level", "2")


def test_the_tape_tells_sides_without_colour(open_page):
    page = open_page("/trades/XBTUSD")
    page.wait_for_selector(".trade[data-side=buy]")
    page.wait_for_selector(".trade[data-side=sell]")
    signs = [page.locator(f".trade[data-side={side}]").first.evaluate("(row) => getComputedStyle(row, '::before').content[1]")
             for side in ("buy", "sell")]
    assert signs == ["▲", "▼"]


def test_a_feed_that_somebody_stopped_is_no_fault(open_page, desktop):
    page = open_page("/feed", viewport=desktop)
    page.locator("[data-row=AAPL]").click()
    button = page.locator(".start-stop")
    expect(page.locator(".symbol .note-text")).to_have_text("Live")
    expect(button).to_have_attribute("title", re.compile("everybody"))
    try:
        button.click()
        expect(page.locator(".feed .note-text")).to_have_text(re.compile("^Stopped for everybody"))
        expect(page.locator(".symbol .note-text")).to_have_text(re.compile("^Stopped"))
        for element in (".feed .connection", ".feed .note", ".symbol .note"):
            expect(page.locator(element)).to_have_attribute("data-state", "stopped")
        muted, word = page.evaluate("""() => [".feed .note-text", ".feed .connection"].map((each) =>
          getComputedStyle(document.querySelector(each)).color)""")
        bad = page.evaluate("""() => {
          document.body.style.color = "var(--bad)";
          return getComputedStyle(document.body).color;
        }""")
        assert bad not in (muted, word)
    finally:
        # For the following tests, whatever the result of this one.
        start_feed(page)
    expect(page.locator(".feed .connection")).to_have_text("connected")


# The rows at the first moment at which all of them have a price.
FIRST_ROWS = """() => {
  const look = () => {
    const rows = [...document.querySelectorAll(".feed-rows > li")];
    const isPriced = (row) => /\\d/.test(row.querySelector(".number")?.textContent ?? "");
    if (rows.length < 25 || !rows.every(isPriced)) return requestAnimationFrame(look);
    window.firstRows = rows.map((row) => row.dataset.symbol);
  };
  requestAnimationFrame(look);
}"""


def test_the_tracker_is_in_order_from_its_first_prices(open_page):
    page = open_page("/feed", setup=lambda page: page.add_init_script(f"({FIRST_ROWS})()"))
    page.wait_for_function("() => window.firstRows !== undefined")
    rows = page.evaluate("firstRows")
    # The server sorts by price; the page shows only orders that it received.
    wait_until(page, lambda: rows in page.wire.orders)
    page.wait_for_function(is_sorted(".feed-rows .number", -1))


def seconds(text):
    """The age in a text: "Disconnected · 7 s ago" is 7, and so is "For 7 s"."""
    found = re.search(r"(\d+) s ago|^For (\d+) s", text)
    return int(found.group(1) or found.group(2)) if found else None


AGES = """() => [".banner-text", ".chart .note-text", ".book .note-text", ".trades .note-text", ".venue:first-child .venue-since"]
  .map((selector) => document.querySelector(selector)?.textContent ?? "")"""


def test_banner_panes_and_connections_tell_one_age(open_page, desktop):
    taps = []

    def live(message):
        """A value that was late before the connection is lost has its own age."""
        for item in message.get("topics", []):
            part = item.get("snapshot") or item.get("patch") or {}
            if isinstance(part.get("freshness"), dict):
                part["freshness"] = {**part["freshness"], "state": "live", "confirmedAt": None}
        return message

    def setup(page):
        taps.append(Tap(page))
        taps[0].change = live

    page = open_page("/book/XBTUSD", viewport=desktop, setup=setup)
    expect(page.locator(".level:not([data-empty])").first).to_be_visible()
    for panel in ("chart", "book", "trades"):
        expect(page.locator(f".{panel} .note-text")).to_have_text("Live")
    page.locator(".chip").click()
    taps[0].refuse = True
    taps[0].cut()
    expect(page.locator("#banner")).to_be_visible()
    texts = page.wait_for_function(
        f"() => {{ const texts = ({AGES})(); return texts.every((text) => /\\d+ s ago|^For \\d+ s/.test(text)) && texts; }}")
    ages = [seconds(text) for text in texts.json_value()]
    assert max(ages) - min(ages) <= 1, ages


def test_book_and_tape_have_column_headings_and_tabs_their_count_behind_a_pause(open_page, desktop):
    page = open_page("/book/XBTUSD", viewport=desktop)
    expect(page.locator(".level:not([data-empty])").first).to_be_visible()
    for name, headings in (("Bids, best first", ["Price", "Size", "Total"]), ("Asks, best first", ["Price", "Size", "Total"])):
        table = page.get_by_role("table", name=name)
        expect(table.get_by_role("columnheader")).to_have_text(headings)
        expect(table.get_by_role("row").nth(1).get_by_role("cell")).to_have_count(len(headings))
    page.get_by_role("tab", name="Trades").click()
    tape = page.get_by_role("table", name="Recent trades, newest first")
    expect(tape.get_by_role("columnheader")).to_have_text(["Price", "Quantity", "Trades", "Time"])
    expect(page.get_by_role("tab", name="Open, 0", exact=True)).to_be_visible()


def test_a_group_of_buttons_is_one_stop_of_the_tab_key(open_page):
    page = open_page("/exchange", viewport={"width": 1920, "height": 1080})
    intervals = page.get_by_role("group", name="Interval")
    expect(intervals.locator("button[tabindex='0']")).to_have_count(1)
    intervals.get_by_role("button").first.focus()
    page.keyboard.press("ArrowRight")
    expect(intervals.get_by_role("button").nth(1)).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("group", name="Style").get_by_role("button").first).to_be_focused()


def test_the_quantity_is_at_most_fifteen_stops_of_the_tab_key_away(open_page):
    page = open_page("/book/kraken:BTC%2FUSD", viewport={"width": 1366, "height": 768})
    sell = page.get_by_role("group", name="Trade").get_by_role("button", name="Sell")
    expect(sell).to_be_visible()
    for presses in range(1, 16):
        page.keyboard.press("Tab")
        if sell.evaluate("element => element === document.activeElement"):
            break
    else:
        raise AssertionError("15 presses do not lead to Sell")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Quantity", exact=True)).to_be_focused()
    # From the field, and from the ticket.
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(sell).to_be_visible()
    # The rest of each toolbar is reached with the arrow keys.
    page.get_by_role("button", name="Search ( / )").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("button", name="Layouts")).to_be_focused()
    # Narrower charts have them in a menu.
    page.set_viewport_size({"width": 1920, "height": 1080})
    tools = page.get_by_role("group", name="Chart tools")
    tools.get_by_role("button").first.focus()
    page.keyboard.press("ArrowLeft")
    expect(tools.get_by_role("button", name="Full screen")).to_be_focused()


@pytest.mark.parametrize("path, symbol", [("/book/kraken:BTC%2FUSD", "BTC/USD"), ("/exchange", "TROAD")])
def test_a_key_speaks_the_market_s_prices_and_state(open_page, path, symbol):
    page = open_page(path, viewport={"width": 1366, "height": 768})
    expect(page.get_by_role("button", name=re.compile(r"Sell.*\d")).first).to_be_visible()
    pattern = re.compile(symbol + r"\..*Last [$\d,.]+\..* Best bid [$\d,.]+\. Best ask [$\d,.]+\. Live")
    expect(page.locator(".headline")).to_contain_text(re.compile("low", re.I))
    page.keyboard.press("i")
    expect(page.locator("#announcer")).to_have_text(pattern)


def test_on_a_low_window_sell_is_left_of_buy_over_the_whole_width(open_page):
    page = open_page("/book/kraken:BTC%2FUSD", viewport={"width": 740, "height": 360})
    bar = page.get_by_role("group", name="Trade")
    sell, buy = (bar.get_by_role("button", name=name) for name in ("Sell", "Buy"))
    expect(buy).to_be_visible()
    assert sell.bounding_box()["x"] < buy.bounding_box()["x"]
    assert bar.bounding_box()["width"] >= page.locator(".market-area").bounding_box()["width"]
