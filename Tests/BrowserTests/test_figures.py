"""The day's figures above an instrument: the available ones, each with its window."""

import re
import time

import pytest
from playwright.sync_api import expect

from live import Tap
from measures import CONTRAST, CUT_NUMBERS, OVERFLOWING, nothing
from watching import wait_until

pytestmark = pytest.mark.thorough

DAY = "figures/kraken/BTC/USD"
LIVE = {"state": "live", "origin": "simulated"}
FIGURES = {
    "freshness": LIVE, "price": "64226.0", "direction": "up", "changes": 4, "change": "-139.9", "percent": "-0.22",
    "high": "64394.4", "low": "63735.3", "volume": "25117.26143090", "vwap": "64086.5"}
SIZES = pytest.mark.parametrize("viewport", [
    {"width": 360, "height": 760}, {"width": 820, "height": 1180}, {"width": 1440, "height": 900}],
    ids=lambda size: str(size["width"]))


class Day:
    """Replaces one topic of figures; all others are the server's."""

    def __init__(self, topic=DAY):
        self.topic = topic
        self.tap = None
        self._seq = 0

    def setup(self, page):
        self.tap = Tap(page)
        self.tap.change = self._without

    def _without(self, message):
        if "topics" in message:
            message["topics"] = [item for item in message["topics"] if item["topic"] != self.topic]
        return message

    @property
    def is_asked(self):
        return any(self.topic in said.get("open", []) for said in self.tap.from_page)

    def snapshot(self, page, **figures):
        wait_until(page, lambda: self.is_asked)
        _, venue, symbol = self.topic.split("/", 2)
        self._seq = 0
        self._say("snapshot", {"venue": venue, "symbol": symbol, **figures})

    def patch(self, **figures):
        self._seq += 1
        self._say("patch", figures)

    def _say(self, kind, value):
        now = int(1000 * time.time())
        self.tap.say({"now": now, "topics": [{"topic": self.topic, "seq": self._seq, kind: value}]})


def facts(page):
    """Every visible fact: its label and its text."""
    return {label: value.removeprefix("up ").removeprefix("down ") for label, value in page.evaluate(
        """() => [...document.querySelectorAll(".day-fact")].filter((fact) => fact.checkVisibility())
          .map((fact) => [fact.querySelector("dt").textContent, fact.querySelector("dd > span:last-child").textContent])""")}


@SIZES
def test_the_headline_has_the_venues_figures_and_their_window(open_page, viewport):
    page = open_page("/book/BTC%2FUSD", viewport=viewport)
    expect(page.locator(".headline-price .number")).to_have_text(re.compile(r"^\d\d,\d{3}\.\d$"))
    expect(page.locator(".day-fact:visible")).to_have_count(5)
    shown = facts(page)
    assert list(shown) == ["24 h change", "24 h high", "24 h low", "24 h volume", "24 h VWAP"]
    assert re.fullmatch(r"[+−]?[\d,.]+ \([+−]?\d+\.\d\d%\)", shown["24 h change"]), shown
    assert shown["24 h volume"].endswith(" BTC")
    # The exact figures that the server sends.
    wait_until(page, lambda: facts(page)["24 h high"] == f"{float(page.wire.states[DAY]['high']):,.1f}")
    expect(page.locator(".headline-note")).to_be_hidden()


@SIZES
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_headline_fits_and_can_be_read(open_page, viewport, theme):
    day = Day()
    page = open_page("/book/BTC%2FUSD", viewport=viewport, color_scheme=theme, setup=day.setup)
    # The longest figures: a price of many digits, and a window that began yesterday.
    since = page.evaluate("() => Date.now() - 20 * 3_600_000")
    day.snapshot(page, **FIGURES)
    expect(page.locator(".headline-price .number")).to_have_text("64,226.0")
    nothing(page, OVERFLOWING)
    nothing(page, CONTRAST)
    day.patch(since=since, change=None, percent=None, price="0.00012408", high="0.00012529", low="0.00012194",
              vwap="0.00012353", volume="472833248400.5")
    expect(page.locator(".headline-price .number")).to_have_text("0.00012408")
    nothing(page, OVERFLOWING)
    day.patch(freshness={"state": "stale", "confirmedAt": since})
    expect(page.locator(".headline-note")).to_be_visible()
    nothing(page, OVERFLOWING)
    nothing(page, CONTRAST)


def test_figures_since_the_start_say_so_and_show_no_days_change(open_page):
    day = Day()
    page = open_page("/book/BTC%2FUSD", setup=day.setup, timezone_id="Europe/Berlin")
    shown = {key: value for key, value in FIGURES.items() if key not in ("change", "percent")}
    # Within the user's present day, at any hour: on another day the date would show.
    since = page.evaluate("() => new Date().setHours(0, 5, 0, 0)")
    day.snapshot(page, **shown, since=since)
    expect(page.locator(".headline-price .number")).to_have_text("64,226.0")
    assert facts(page) == {
        "High since 00:05": "64,394.4", "Low since 00:05": "63,735.3", "Volume since 00:05": "25.12k BTC",
        "VWAP since 00:05": "64,086.5"}
    day.patch(since=since - 86_400_000)
    expect(page.locator("[data-fact=high] dt")).to_have_text(re.compile(r"^High since [A-Z][a-z]+ \d+, 00:05$"))
    # A change of less than a day is that of its window.
    day.patch(change="12.0", percent="0.02")
    expect(page.locator("[data-fact=change] dt")).to_have_text(re.compile(r"^Change since .+, 00:05$"))
    expect(page.locator("[data-fact=change] dd")).to_have_text("up +12.0 (+0.02%)")


def test_what_is_not_known_is_left_out_and_a_fall_reads_as_one(open_page):
    day = Day()
    page = open_page("/book/BTC%2FUSD", setup=day.setup)
    day.snapshot(page, freshness=LIVE, price="64226.0", percent="-0.22", low="63735.3")
    expect(page.locator("[data-fact=low] dd")).to_have_text("63,735.3")
    assert facts(page) == {"24 h change": "−0.22%", "24 h low": "63,735.3"}
    expect(page.locator("[data-fact=change] dd")).to_have_text("down −0.22%")
    day.snapshot(page, freshness=LIVE)
    expect(page.locator(".headline-price")).to_be_hidden()
    assert facts(page) == {}


def test_a_snapshot_does_not_flash_and_a_tick_does(open_page):
    day = Day()
    page = open_page("/book/BTC%2FUSD", setup=day.setup)
    day.snapshot(page, **FIGURES)
    number = page.locator(".headline-price .number")
    expect(number).to_have_text("64,226.0")
    page.evaluate("""() => {
      window.flashes = 0;
      const price = document.querySelector(".headline-price");
      new MutationObserver(() => { if (price.classList.contains("flash")) window.flashes += 1; })
        .observe(price, { attributes: true, attributeFilter: ["class"] });
    }""")
    day.snapshot(page, **{**FIGURES, "price": "64230.0", "changes": 9})
    expect(number).to_have_text("64,230.0")
    # A change of the value alone, as from a venue's snapshot, is not a tick either.
    day.patch(price="64231.0")
    expect(number).to_have_text("64,231.0")
    assert page.evaluate("flashes") == 0
    day.patch(price="64232.0", changes=10)
    expect(number).to_have_text("64,232.0")
    page.wait_for_function("() => window.flashes > 0")


def test_the_age_is_that_of_the_figures_and_not_of_the_message(open_page):
    day = Day()
    page = open_page("/book/BTC%2FUSD", setup=day.setup)
    now = page.evaluate("() => Date.now()")
    note = page.locator(".headline-note")
    day.snapshot(page, **FIGURES, at=now)
    expect(page.locator(".headline-price .number")).to_have_text("64,226.0")
    expect(note).to_be_hidden()
    # Confirmed just now, and a quarter of an hour old.
    day.patch(at=now - 15 * 60_000)
    expect(note.locator(".note-text")).to_have_text(re.compile(r"^Live · 1[56] min ago$"))
    day.patch(freshness={"state": "stale", "confirmedAt": now}, at=now - 3 * 3_600_000)
    expect(note.locator(".note-text")).to_have_text("Stale · 3 h ago")
    expect(page.locator(".headline-price")).to_have_attribute("data-dimmed", "")
    expect(page.locator(".headline-price .arrow")).to_be_empty()
    expect(page.locator(".day-facts[data-dimmed]")).to_have_count(2)


def test_nothing_moves_with_the_digits(open_page, desktop):
    day = Day()
    page = open_page("/book/BTC%2FUSD", viewport=desktop, setup=day.setup)
    day.snapshot(page, **FIGURES)
    expect(page.locator("[data-fact=vwap]")).to_be_visible()
    places = """() => [...document.querySelectorAll(".headline > *, .day-fact")].map((part) => part.getBoundingClientRect().x)"""
    before = page.evaluate(places)
    day.patch(price="64111.1", direction="down", changes=5, change="-11.1", percent="0.00", low="60000.0")
    expect(page.locator(".headline-price .number")).to_have_text("64,111.1")
    assert page.evaluate(places) == before


def test_the_volume_counts_the_base_currency_of_a_symbol_without_a_separator(open_page, desktop):
    page = open_page("/book/bybit:BTCUSDT", viewport=desktop)
    expect(page.locator("[data-fact=volume] dd")).to_have_text(re.compile(r"[\dkM] BTC$"))


def test_one_contract_is_not_called_contracts(open_page, desktop):
    day = Day("figures/bitmex/XBTUSD")
    page = open_page("/book/XBTUSD", viewport=desktop, setup=day.setup)
    volume = page.locator("[data-fact=volume] dd")
    day.snapshot(page, **{**FIGURES, "volume": "1"})
    expect(volume).to_have_text("1 contract")
    day.patch(volume="2")
    expect(volume).to_have_text("2 contracts")
    # Large ones are written alike, whether they have seven digits or ten.
    for exact, short in [("999999", "999,999"), ("7953856", "7.954M"), ("2178345678", "2.178B")]:
        day.patch(volume=exact)
        expect(volume).to_contain_text(f"{short} contracts")


def test_star_name_and_price_begin_at_one_edge_and_the_name_is_whole(open_page):
    page = open_page("/book/BTC%2FUSD", viewport={"width": 360, "height": 760})
    expect(page.locator(".headline-price .number")).to_have_text(re.compile(r"\d"))
    expect(page.locator(".market-name")).to_have_text("Bitcoin / US dollar · Kraken")
    expect(page.locator(".market .pane-bar .badge:visible")).to_have_text("Simulated")
    texts = page.evaluate("""() => {
      return [".star-button path", ".market-name", ".headline-price .number"]
        .map((part) => document.querySelector(part).getBoundingClientRect().left);
    }""")
    # The star has a small margin.
    assert max(texts) - min(texts) < 3, texts
    assert page.locator(".market-name").evaluate("(name) => name.scrollWidth <= name.clientWidth"), "cut off"
    name, badge = (page.locator(part).bounding_box() for part in (".market-name", ".market-identity > .badge"))
    assert badge["y"] < name["y"] + name["height"] and badge["x"] >= name["x"] + name["width"], "in one line"


def test_an_instrument_that_does_not_exist_has_no_headline(open_page):
    page = open_page("/book/ABC%2FXYZ")
    expect(page.get_by_text("Unknown instrument: ABC/XYZ")).to_be_visible()
    expect(page.locator(".market-head")).to_be_hidden()
    expect(page.locator(".headline-note")).to_be_hidden()


@SIZES
def test_the_exchange_has_its_day_beside_the_offers(open_page, viewport):
    day = Day("figures/exchange/TROAD")
    page = open_page("/exchange", viewport=viewport, setup=day.setup)
    day.snapshot(page, freshness=LIVE, price="45.05", direction="up", changes=1, high="46.20", low="44.90", volume="18250",
                 since=page.evaluate("() => new Date().setHours(0, 5, 0, 0)"))
    expect(page.locator("[data-fact=high] dd")).to_have_text("$46.20")
    assert facts(page) == {"High since 00:05": "$46.20", "Low since 00:05": "$44.90", "Volume since 00:05": "18,250"}
    expect(page.locator(".headline-price")).to_have_count(0)
    # A missing change does not shift the others from the edge, or from the price.
    gap = page.evaluate("""() => {
      const box = (part) => document.querySelector(part).getBoundingClientRect();
      const head = box(".exchange .market-head");
      return box("[data-fact=high]").left - (head.width ? head.left : box(".exchange-last").right);
    }""")
    assert gap in (0, 24), gap
    nothing(page, OVERFLOWING)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_high_contrast_leaves_the_figures_readable(open_page, desktop, theme):
    day = Day()
    page = open_page("/book/BTC%2FUSD", viewport=desktop, forced_colors="active", color_scheme=theme, setup=day.setup)
    day.snapshot(page, **FIGURES)
    expect(page.locator("[data-fact=change] dd")).to_have_text("down −139.9 (−0.22%)")
    colour = "(element) => getComputedStyle(element).color"
    ink = page.locator("[data-fact=high] dd").evaluate(colour)
    assert page.locator("[data-fact=change] dd").evaluate(colour) == ink, "the sign tells, not a hue"
    day.patch(freshness={"state": "stale"})
    page.wait_for_function(f"(ink) => ({colour})(document.querySelector('[data-fact=high] dd')) !== ink", arg=ink)


# The longest prices of venues, and a day with its window in words.
LONG = [
    {**FIGURES},
    {**FIGURES, "price": "0.00012400", "change": "+0.00000012", "percent": "0.10", "high": "0.00012529", "low": "0.00012306",
     "volume": "2178345678901.12", "vwap": "0.00012417"},
    {**FIGURES, "price": "98765432.12345678", "change": "-12345678.87654321", "percent": "-11.11", "high": "98765433.12345678",
     "low": "88765432.12345678", "vwap": "98765432.12345678"},
    {**FIGURES, "since": 1_700_000_000_000},
]


# Faults of the headline: a hidden price, a visible figure after a hidden one, or a name that overlaps the price.
OUT_OF_ORDER = """() => {
  if (!document.querySelector("[data-wide]")) return [];
  const bar = document.querySelector(".market > .pane-bar").getBoundingClientRect();
  const boxOf = (part) => document.querySelector(part).getBoundingClientRect();
  const trade = boxOf(".pane-bar > .trade-bar");
  const isSeen = (part) => (boxOf(part).top + boxOf(part).bottom) / 2 < bar.bottom && boxOf(part).right <= trade.left;
  const seen = ["change", "high", "low", "volume", "vwap"].map((name) => isSeen(`[data-fact=${name}]`));
  const [name, price] = [boxOf(".market-identity"), boxOf(".headline-price")];
  return [
    ...(isSeen(".headline-price") ? [] : ["the price is left out"]),
    ...(seen.some((is, at) => is && seen.slice(0, at).includes(false)) ? [`out of order: ${seen}`] : []),
    ...(innerWidth >= %d && !seen[0] ? ["the change is left out"] : []),
    ...(name.right > price.left + 9 ? [`the name ends at ${name.right}, the price begins at ${price.left}`] : []),
  ];
}"""


# With the width from which the change has room beside price and trade buttons.
@pytest.mark.parametrize("figures, changes", [*zip(LONG, [1096, 1096, 1312, 1168])], ids=["usual", "small", "large", "since"])
def test_figures_are_left_out_as_a_whole_and_the_last_ones_first(open_page, figures, changes):
    day = Day()
    page = open_page("/book/BTC%2FUSD", viewport={"width": 1000, "height": 768}, setup=day.setup)
    day.snapshot(page, **figures)
    expect(page.locator(".headline-price .number")).to_have_text(re.compile(r"\d"))
    for width in [*range(1000, 1501, 24), 1920]:
        page.set_viewport_size({"width": width, "height": 768})
        nothing(page, CUT_NUMBERS)
        nothing(page, OUT_OF_ORDER % changes)
