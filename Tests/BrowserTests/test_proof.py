"""LT2: the page recomputes each book's proof from the drawn rows, and rejects what fails."""

import json
import re
import zlib
from decimal import Decimal

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP
from live import Tap, merge
from watching import wait_until

PROOF, ROW = ".panel.book .proof", ".panel.book .level:not([data-empty])"
PAIR = "book/BTC/USD"
CORE = re.compile(r"/proof[^/]*\.wasm$")
PROVEN = re.compile(r"^verified (\d\.\d|\d+) s ago · rows 11–20 by server hash$")
# Every text that a price or a size of the book ever had.
WATCH = """() => {
  const seen = window.seenInBook = new Set();
  const note = () => document.querySelectorAll(".panel.book .level :is(.level-price, .size, .total)")
    .forEach((cell) => seen.add(cell.textContent));
  note();
  new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


def digits(text):
    return re.sub(r"[^0-9]", "", text).strip("0")


def flipped(text):
    """The same digits with another first one."""
    return re.sub(r"[1-9]", lambda digit: "9" if digit[0] != "9" else "1", text, count=1)


class Flip:
    """Changes one value of a book in its next messages; records the new value."""

    def __init__(self, reach, kinds=("patch",), times=1, topic=PAIR):
        self.reach, self.kinds, self.times, self.topic, self.wrong = reach, kinds, times, topic, []

    def __call__(self, message):
        for item in message.get("topics", []):
            for kind in self.kinds:
                if item["topic"] != self.topic or self.times == 0 or kind not in item:
                    continue
                wrong = self.reach(item[kind])
                if wrong is not None:
                    self.times -= 1
                    self.wrong.append(wrong)
        return message


def cell(side, row, column):
    def reach(state):
        if side not in state or len(state[side]) <= row:
            return None
        state[side][row][column] = flipped(state[side][row][column])
        return state[side][row][column]

    return reach


def checksum(state):
    found = state.get("proof", {}).get("checksum", {})
    if "value" not in found:
        return None
    found["value"] ^= 1 << 17
    return ""


def server_hash(state):
    found = state.get("proof", {})
    if "hash" not in found:
        return None
    found["hash"][1] ^= 1
    return ""


def tapped(open_page, path, **options):
    taps = []
    page = open_page(path, setup=lambda page: taps.append(Tap(page)), **options)
    return page, taps[0]


def asked(tap, topic=PAIR):
    return sum(topic in message.get("open", []) for message in tap.from_page)


def test_a_book_of_kraken_is_proven_by_the_page(open_page):
    page = open_page("/book/BTC%2FUSD")
    expect(page.locator(PROOF)).to_have_text(PROVEN)
    expect(page.locator(PROOF)).to_have_attribute("data-by", "venue")
    expect(page.locator(PROOF)).to_have_attribute("title", re.compile(
        "^Rows 1 to 10 of each side: Kraken’s checksum.*Rows 11 to 20.*the server’s own hash.$"))


def test_a_book_of_bitmex_says_that_the_proof_is_the_servers(open_page):
    page = open_page("/book/XBTUSD")
    expect(page.locator(PROOF)).to_have_text("server hash matches")
    expect(page.locator(PROOF)).to_have_attribute(
        "title", "All rows: checked against the server’s own hash. BitMEX sends no checksum.")


def test_grouped_rows_say_that_the_checksum_is_not_theirs(open_page):
    page = open_page("/book/BTC%2FUSD")
    expect(page.locator(PROOF)).to_have_attribute("data-by", "venue")
    page.locator(".panel.book select").first.select_option(index=3)
    expect(page.locator(PROOF)).to_have_text("server hash matches")
    expect(page.locator(PROOF)).to_have_attribute("title", re.compile("^All rows: .* single prices.$"))


THOROUGH = pytest.mark.thorough


@pytest.mark.parametrize("reach", [
    pytest.param(cell("bids", 2, 0), id="price"), pytest.param(cell("asks", 9, 1), id="size", marks=THOROUGH),
    pytest.param(cell("bids", 14, 0), id="deep price", marks=THOROUGH), pytest.param(cell("asks", 17, 1), id="deep size"),
    pytest.param(cell("asks", 4, 5), id="total", marks=THOROUGH), pytest.param(checksum, id="checksum"),
    pytest.param(server_hash, id="hash", marks=THOROUGH)])
def test_a_wrong_digit_is_never_drawn_and_the_book_is_proven_again(open_page, reach):
    page, tap = tapped(open_page, "/book/BTC%2FUSD", viewport=DESKTOP)
    expect(page.locator(PROOF)).to_have_text(PROVEN)
    page.evaluate(WATCH)
    before = asked(tap)
    tap.change = Flip(reach)
    wait_until(page, lambda: tap.change.wrong and asked(tap) > before)
    expect(page.locator(PROOF)).to_have_attribute("title", re.compile("1 book refused on this page today.$"))
    expect(page.locator(PROOF)).to_have_text(PROVEN)
    expect(page.locator(".panel.book .note")).to_have_attribute("data-state", "live")
    seen = {digits(text) for text in page.evaluate("[...window.seenInBook]")}
    wrong = digits(tap.change.wrong[0])
    assert not wrong or wrong not in seen
    assert asked(tap) == before + 1, "one question for one wrong book"


def test_a_book_that_is_wrong_from_the_start_is_not_drawn(open_page):
    flip = Flip(cell("bids", 0, 0), kinds=("snapshot", "patch"), times=2)

    def setup(page):
        Tap(page).change = flip
        page.add_init_script(f"addEventListener('DOMContentLoaded', {WATCH})")

    page = open_page("/book/BTC%2FUSD", setup=setup)
    expect(page.locator(PROOF)).to_have_text(PROVEN)
    expect(page.locator(ROW)).to_have_count(40)
    seen = {digits(text) for text in page.evaluate("[...window.seenInBook]")}
    assert len(flip.wrong) == 2 and not {digits(wrong) for wrong in flip.wrong} & seen
    expect(page.locator(PROOF)).to_have_attribute("title", re.compile("[12] books? refused on this page today.$"))


def venues_checksum(book):
    """As specified in docs/page-protocol.md, implemented again on purpose."""
    said = book["proof"]["checksum"]

    def number(text, places):
        return str(int(Decimal(text).scaleb(places)))

    rows = book["asks"][:said["rows"]] + book["bids"][:said["rows"]]
    text = "".join(number(row[0], said["priceDigits"]) + number(row[1], said["sizeDigits"]) for row in rows)
    return zlib.crc32(text.encode())


def servers_hash(book):
    parts = [book.get(key) for key in ("bids", "asks", "spread", "basisPoints", "bidShare", "group")]
    value = 0xcbf29ce484222325
    for byte in json.dumps(parts, separators=(",", ":")).encode():
        value = (value ^ byte) * 0x100000001b3 % 2 ** 64
    return [value >> 32, value % 2 ** 32]


class Cross:
    """Raises the pair's best bid to the best ask, once, with the proofs of exactly that book."""

    def __init__(self):
        self.state, self.checked, self.crossed = {}, 0, None

    def __call__(self, message):
        for item in message.get("topics", []):
            if item["topic"] != PAIR:
                continue
            self.state = item["snapshot"] if "snapshot" in item else merge(self.state, item["patch"])
            if not self.state.get("bids") or "checksum" not in self.state["proof"]:
                continue
            book = self.state
            assert book["proof"]["hash"] == servers_hash(book)
            assert book["proof"]["checksum"]["value"] == venues_checksum(book)
            self.checked += 1
            if self.crossed is not None or self.checked < 20 or "patch" not in item:
                continue
            self.crossed = book["asks"][0][0]
            book = {**book, "bids": [[self.crossed, *book["bids"][0][1:]], *book["bids"][1:]]}
            proof = {"hash": servers_hash(book), "checksum": {"value": venues_checksum(book)}}
            item["patch"] = {**item["patch"], "bids": book["bids"],
                             "proof": merge(item["patch"].get("proof"), proof)}
        return message


def test_a_crossed_book_is_refused_though_its_proofs_are_right(open_page):
    taps, cross = [], Cross()

    def setup(page):
        taps.append(Tap(page))
        taps[0].change = cross

    page = open_page("/book/BTC%2FUSD", viewport=DESKTOP, setup=setup)
    wait_until(page, lambda: cross.crossed)
    expect(page.locator(PROOF)).to_have_attribute("title", re.compile("1 book refused on this page today.$"))
    expect(page.locator(PROOF)).to_have_text(PROVEN)
    assert asked(taps[0]) == 2


def test_while_a_book_is_refused_its_last_rows_stay_and_are_not_live(open_page):
    page, tap = tapped(open_page, "/book/BTC%2FUSD", viewport=DESKTOP)
    expect(page.locator(PROOF)).to_have_text(PROVEN)
    tap.change = Flip(cell("bids", 2, 0))
    wait_until(page, lambda: tap.change.wrong)
    tap.change = Flip(cell("bids", 2, 0), kinds=("snapshot",), times=10 ** 9)
    expect(page.locator(".panel.book .note")).to_have_attribute("data-state", "resyncing")
    expect(page.locator(".panel.book .note-text")).to_have_text(re.compile("^Resyncing · "))
    expect(page.locator(PROOF)).to_have_text(re.compile(r"^\d books? refused on this page today\.$"))
    expect(page.locator(ROW)).to_have_count(40)
    tap.change = None
    expect(page.locator(PROOF)).to_have_text(PROVEN)


def test_rows_that_the_servers_own_resync_contradicts_are_not_drawn(open_page):
    """The server marks the resync itself: the page requests nothing, and what was proven stays."""
    page, tap = tapped(open_page, "/book/BTC%2FUSD", viewport=DESKTOP)
    expect(page.locator(PROOF)).to_have_text(PROVEN)
    before = asked(tap)

    def doubt(state):
        if "checksum" not in state.get("proof", {}) or "value" not in state["proof"]["checksum"]:
            return None
        state["proof"]["checksum"]["value"] ^= 1
        state["status"] = "resyncing"
        state["freshness"] = {"state": "resyncing"}
        return ""

    tap.change = Flip(doubt, times=10 ** 9)
    expect(page.locator(".panel.book .note")).to_have_attribute("data-state", "resyncing")
    expect(page.locator(PROOF)).to_be_hidden()
    prices = page.locator(ROW).evaluate_all("(rows) => rows.map((row) => row.textContent)")
    page.wait_for_timeout(500)
    assert page.locator(ROW).evaluate_all("(rows) => rows.map((row) => row.textContent)") == prices
    assert asked(tap) == before


def test_a_wrong_digit_in_a_book_without_a_checksum_is_found_by_the_servers_hash(open_page):
    page, tap = tapped(open_page, "/book/XBTUSD", viewport=DESKTOP)
    expect(page.locator(PROOF)).to_have_attribute("data-by", "server")
    page.evaluate(WATCH)
    tap.change = Flip(cell("asks", 3, 0), topic="book/XBTUSD")
    wait_until(page, lambda: tap.change.wrong)
    expect(page.locator(PROOF)).to_have_attribute("title", re.compile("1 book refused on this page today.$"))
    expect(page.locator(PROOF)).to_have_attribute("data-by", "server")
    seen = {digits(text) for text in page.evaluate("[...window.seenInBook]")}
    assert digits(tap.change.wrong[0]) not in seen


def test_without_the_core_nothing_is_called_proven(open_page):
    page = open_page("/book/BTC%2FUSD", setup=lambda page: page.route(CORE, lambda route: route.abort()))
    expect(page.locator(ROW)).to_have_count(40)
    expect(page.locator(".panel.book .note")).to_have_attribute("data-state", re.compile("live|late"))
    expect(page.locator(PROOF)).to_be_hidden()
    assert page.locator(PROOF).text_content() == ""
    # It is requested again.
    page.unroute(CORE)
    expect(page.locator(PROOF)).to_have_text(PROVEN)


def test_rows_wait_for_the_core_but_not_for_ever(open_page):
    held = []
    page = open_page("/book/BTC%2FUSD", setup=lambda page: page.route(CORE, lambda route: held.append(route)))
    wait_until(page, lambda: held and page.wire.states.get(PAIR, {}).get("bids"))
    expect(page.locator(ROW)).to_have_count(40)
    assert page.locator(PROOF).text_content() == ""
    held.pop().continue_()
    expect(page.locator(PROOF)).to_have_text(PROVEN)
