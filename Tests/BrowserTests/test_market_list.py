"""LT13: one list of all markets: searched, sorted, starred, in the user's lists, and live only where visible."""

import re
import time
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import expect

from conftest import PHONE
from live import Tap
from measures import CONTRAST, OVERFLOWING, nothing
from servers import Server
from watching import wait_until

ROWS = ".market-row:not([hidden])"
LIVE = {"state": "live", "origin": "simulated"}
SIZES = pytest.mark.parametrize("viewport", [
    {"width": 360, "height": 760}, {"width": 820, "height": 1180}, {"width": 1440, "height": 900}],
    ids=lambda size: str(size["width"]))
# The visible rows, from the top.
SHOWN = """() => {
  const body = document.querySelector(".markets > .pane-body")?.getBoundingClientRect();
  // A page that has just been loaded has no list yet.
  if (!body) return [];
  return [...document.querySelectorAll(".market-row:not([hidden])")]
    .map((row) => [row.getBoundingClientRect(), row.dataset.row])
    .filter(([box]) => box.top < body.bottom && box.bottom > body.top)
    .sort(([a], [b]) => a.top - b.top).map(([, id]) => id);
}"""


@pytest.fixture
def own_server():
    """A server with separate lists."""
    server = Server()
    try:
        yield server
    finally:
        server.stop()


# A market that only its venue's list has.
OUTSIDE = ("okx/LTC-USDT", "bybit/LTCUSDT", "bybit-linear/LTCUSDT", "binance/LTCUSDT")


def listed(page):
    """All rows in the server's order, once all venues' lists have arrived and the page has them, too."""
    def whole():
        rows = page.wire.states.get("markets", {}).get("rows", [])
        if not {*OUTSIDE} <= {each["id"] for each in rows}:
            return False
        # The heading counts as a row.
        shown = page.locator("[aria-rowcount]").get_attribute("aria-rowcount")
        return len(rows) > 1000 and shown == str(len(rows) + 1) and rows

    return wait_until(page, whole)


def shown(page):
    return page.evaluate(SHOWN)


def row(page, key):
    return page.locator(f'[data-row="{key}"]')


def search(page, words):
    page.get_by_role("searchbox", name="Search markets").fill(words)


def figures(page):
    return {topic for topic in page.wire.open if topic.startswith("figures/")}


def open_list(open_page, path="/markets/all", **options):
    page = open_page(path, **options)
    expect(page.locator(ROWS).first).to_be_visible()
    return page


class Told:
    """Replaces some topics of a page; the others are the server's."""

    def __init__(self, *topics):
        self.topics = topics
        self.tap = None
        self._seq = {}

    def setup(self, page):
        self.tap = Tap(page)
        self.tap.change = self._without

    def _without(self, message):
        if "topics" in message:
            message["topics"] = [item for item in message["topics"] if not item["topic"].startswith(self.topics)]
        return message

    def snapshot(self, page, topic, **state):
        wait_until(page, lambda: any(
            topic in said.get("open", []) for said in self.tap.from_page[self.tap.begun:]))
        self._seq[topic] = 0
        self._say(topic, "snapshot", state)

    def patch(self, topic, **state):
        self._seq[topic] += 1
        self._say(topic, "patch", state)

    def _say(self, topic, kind, value):
        item = {"topic": topic, "seq": self._seq[topic], kind: value}
        self.tap.say({"now": int(1000 * time.time()), "topics": [item]})


def test_all_that_can_be_read_stands_in_one_table(open_page, desktop):
    page = open_list(open_page, viewport=desktop)
    rows = listed(page)
    assert {"bitmex", "kraken", "isin", "bux", "echo", "exchange"} <= {each["venue"] for each in rows}
    grid = page.get_by_role("grid", name="Markets")
    expect(grid).to_have_attribute("aria-rowcount", str(len(rows) + 1))
    assert shown(page)[:5] == [each["id"] for each in rows[:5]]
    expect(page.locator(".markets .note-text")).to_have_text(f"{len(rows):,} markets")
    assert page.locator(ROWS).count() < 60, "rows out of view are not there"
    expect(row(page, rows[1]["id"])).to_have_attribute("aria-rowindex", "3")


@pytest.mark.thorough
@pytest.mark.parametrize("width, columns", [
    (360, ["Market", "Last", "24h change"]),
    (820, ["Market", "Last", "24h change", "24h chart", "Age"]),
    (1440, ["Market", "Last", "24h change", "24h high", "24h low", "24h volume", "24h turnover (USD)", "24h chart", "Age"])])
def test_columns_that_do_not_fit_are_left_out(open_page, width, columns):
    page = open_list(open_page, viewport={"width": width, "height": 900})
    heads = page.locator("[role=columnheader]:visible").all_text_contents()
    assert [text for text in heads if text not in ("Favourite", "Lists")] == columns
    nothing(page, OVERFLOWING)


@pytest.mark.thorough
@SIZES
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_text_can_be_read(open_page, viewport, theme):
    page = open_list(open_page, viewport=viewport, color_scheme=theme)
    expect(page.locator(f"{ROWS}[data-state=live]").first).to_be_visible()
    nothing(page, CONTRAST)


def test_only_rows_in_sight_are_asked_for(open_page, desktop):
    page = open_list(open_page, viewport=desktop)
    first, last = listed(page)[0]["id"], listed(page)[-1]["id"]
    wait_until(page, lambda: f"figures/{first}" in page.wire.open)
    assert f"figures/{last}" not in page.wire.open
    page.evaluate("() => { const body = document.querySelector('.markets > .pane-body'); body.scrollTop = body.scrollHeight; }")
    wait_until(page, lambda: f"figures/{last}" in page.wire.open and f"figures/{first}" not in page.wire.open)
    assert len(figures(page)) < 64
    page.get_by_role("link", name="Trade", exact=True).first.click()
    # The sidebar's topics are open there, and none of the list.
    expect(page.locator(".watch .watch-row").first).to_be_visible()
    wait_until(page, lambda: figures(page) == {f"figures/{id}" for id in page.locator(".watch .watch-row").evaluate_all(
        "(rows) => rows.map((row) => row.dataset.row)")})


def test_a_search_finds_names_and_symbols_by_the_beginnings_of_words(open_page, desktop):
    page = open_list(open_page, viewport=desktop)
    total = len(listed(page))
    for words, found in (("bitcoin", "kraken/BTC/USD"), ("ethusd", "kraken/ETH/USD"), ("DOLL krak éth", "kraken/ETH/USD")):
        search(page, words)
        expect(row(page, found)).to_be_visible()
        expect(page.locator(".markets .note-text")).to_have_text(re.compile(rf"^\d+ of {total:,} markets$"))
    search(page, "itcoin")
    expect(page.get_by_text("No market has “itcoin” in its name, symbol, currency or venue.")).to_be_visible()
    expect(page.get_by_role("grid")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(page.get_by_role("searchbox")).to_have_value("")
    assert shown(page)[0] == listed(page)[0]["id"]


def test_a_slash_leads_to_the_search_and_what_was_searched_is_remembered(open_page, desktop):
    page = open_list(open_page, viewport=desktop)
    page.keyboard.press("/")
    box = page.get_by_role("searchbox", name="Search markets")
    expect(box).to_be_focused()
    page.keyboard.type("eth usd")
    expect(row(page, "kraken/ETH/USD")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator(f"{ROWS}:focus")).to_have_count(1)
    page.reload()
    expect(box).to_have_value("eth usd")
    expect(row(page, "kraken/ETH/USD")).to_be_visible()


ORDERS = """async () => {
  const { sorted, isOutOfOrder, nextSort } = await import("/assets/markets/order.js");
  const values = {
    a: { price: "0.1", percent: "1" }, b: { price: "0.10000000000000000001" }, c: {}, d: { price: "9007199254740993" },
    e: { price: "9007199254740992", percent: "-2.5" }, f: { price: "-1", percent: "90", since: 5 }, g: undefined,
  };
  const rows = Object.keys(values).map((id) => ({ id, name: id.toUpperCase() }));
  const by = (key, direction) => sorted(rows, { key, direction }, ({ id }) => values[id]).map(({ id }) => id).join("");
  const isOld = (ids) => isOutOfOrder([...ids].map((id) => ({ id, name: id })), { key: "price", direction: "ascending" },
    ({ id }) => values[id]);
  const presses = [];
  let sort = null;
  for (let at = 0; at < 3; at += 1) presses.push((sort = nextSort(sort, "price"))?.direction ?? "none");
  return [by("price", "ascending"), by("price", "descending"), by("percent", "descending"), by("percent", "ascending"),
    by("name", "descending"), isOld("faebd"), isOld("fabedcg"), isOld("fcabed"), presses.join(" ")];
}"""


def test_an_order_is_exact_and_what_is_not_known_comes_last(glance):
    page = glance("/products")
    # "f" has a change of another window than the heading's: it is not compared with the others.
    assert page.evaluate(ORDERS) == [
        "fabedcg", "debafcg", "aebcdfg", "eabcdfg", "gfedcba", True, False, True, "descending ascending none"]


@pytest.mark.thorough
def test_a_heading_sorts_both_ways_and_then_not_at_all(open_page, desktop):
    told = Told("survey", "figures/")
    page = open_list(open_page, viewport=desktop, setup=told.setup)
    told.snapshot(page, "survey", rows={
        "kraken/BTC/USD": {"price": "64226.0", "percent": "-0.22"}, "kraken/ETH/USD": {"price": "2500.10", "percent": "11.5"},
        "bitmex/XBTUSD": {"price": "64227.5"}})
    heading = page.get_by_role("columnheader", name="24h change")
    # Once Kraken's listing has arrived.
    expect(page.locator(".markets .note-text")).to_have_text(re.compile(r"^\d,\d{3} markets"))
    natural = shown(page)
    heading.get_by_role("button").click()
    expect(heading).to_have_attribute("aria-sort", "descending")
    assert shown(page)[:2] == ["kraken/ETH/USD", "kraken/BTC/USD"]
    expect(page.locator(".market-order")).to_have_text("24h change, highest first")
    page.reload()
    wait_until(page, lambda: told.tap.connections == 2)
    told.snapshot(page, "survey", rows={
        "kraken/BTC/USD": {"price": "64226.0", "percent": "-0.22"}, "kraken/ETH/USD": {"price": "2500.10", "percent": "11.5"}})
    expect(heading).to_have_attribute("aria-sort", "descending")
    wait_until(page, lambda: shown(page)[:2] == ["kraken/ETH/USD", "kraken/BTC/USD"])
    heading.get_by_role("button").click()
    expect(heading).to_have_attribute("aria-sort", "ascending")
    assert shown(page)[:2] == ["kraken/BTC/USD", "kraken/ETH/USD"]
    heading.get_by_role("button").click()
    expect(heading).to_have_attribute("aria-sort", "none")
    assert shown(page) == natural


@pytest.mark.thorough
def test_rows_never_move_by_themselves(open_page, desktop):
    told = Told("survey", "figures/")
    page = open_list(open_page, viewport=desktop, setup=told.setup)
    told.snapshot(page, "survey", rows={"kraken/BTC/USD": {"price": "64226.0"}, "kraken/ETH/USD": {"price": "2500.10"}})
    page.get_by_role("columnheader", name="Last").get_by_role("button").click()
    before = shown(page)
    assert before[:2] == ["kraken/BTC/USD", "kraken/ETH/USD"]
    told.patch("survey", rows={"kraken/ETH/USD": {"price": "99999"}})
    expect(row(page, "kraken/ETH/USD").locator(".number")).to_have_text("99,999")
    again = page.get_by_role("button", name="Sort again")
    expect(again).to_be_visible()
    assert shown(page) == before
    again.click()
    assert shown(page)[:2] == ["kraken/ETH/USD", "kraken/BTC/USD"]
    expect(again).to_be_hidden()


def test_surveyed_figures_say_their_age_until_the_row_has_its_own(open_page, desktop):
    told = Told("survey", "figures/kraken/BTC/USD")
    page = open_list(open_page, viewport=desktop, setup=told.setup)
    now = page.evaluate("() => Date.now()")
    own = row(page, "kraken/BTC/USD")
    told.snapshot(page, "survey", rows={"kraken/BTC/USD": {
        "price": "64226.0", "percent": "-0.22", "high": "64394.4", "volume": "25117.26143090", "at": now - 3 * 60_000}})
    expect(own.locator(".number")).to_have_text("64,226.0")
    expect(own).to_have_attribute("data-dimmed", "")
    expect(own.locator(".age")).to_have_text("3 min ago")
    expect(own.locator(".arrow")).to_be_empty()
    expect(own.locator(".cell-volume")).to_have_text("25.12k BTC")
    expect(own.locator(".cell-low")).to_have_text("–")
    told.snapshot(page, "figures/kraken/BTC/USD", venue="kraken", symbol="BTC/USD", freshness=LIVE, price="64230.0",
                  direction="up", changes=4, percent="-0.21", at=now)
    expect(own.locator(".number")).to_have_text("64,230.0")
    expect(own).not_to_have_attribute("data-dimmed", "")
    expect(own.locator(".arrow")).to_have_text("↑")
    assert "flash" not in own.locator(".price").get_attribute("class").split(), "a snapshot does not flash"
    told.patch("figures/kraken/BTC/USD", price="64231.0", changes=5)
    expect(own.locator(".price.flash")).to_have_count(1)
    told.patch("figures/kraken/BTC/USD", freshness={"state": "stale", "confirmedAt": now}, at=now - 3 * 3_600_000)
    expect(own).to_have_attribute("data-dimmed", "")
    expect(own.locator(".cell-age")).to_have_text("3 h agoStale")


def test_a_price_without_a_time_of_its_own_says_on_a_phone_that_it_is_live(open_page):
    told = Told("figures/kraken/BTC/USD")
    page = open_list(open_page, setup=told.setup)
    told.snapshot(page, "figures/kraken/BTC/USD", venue="kraken", symbol="BTC/USD", freshness=LIVE, price="64230.0")
    expect(row(page, "kraken/BTC/USD").locator(".number")).to_have_text("64,230.0")
    expect(row(page, "kraken/BTC/USD").locator(".small-age")).to_have_text("live")


def test_a_change_of_another_window_says_so(open_page, desktop):
    told = Told("survey", "figures/kraken/BTC/USD")
    page = open_list(open_page, viewport=desktop, setup=told.setup, timezone_id="Europe/Berlin")
    told.snapshot(page, "figures/kraken/BTC/USD", venue="kraken", symbol="BTC/USD", freshness=LIVE, price="64230.0",
                  percent="1.50", high="64400.5", since=page.evaluate("() => new Date().setHours(0, 5, 0, 0)"))
    change = row(page, "kraken/BTC/USD").locator(".cell-change")
    expect(change).to_have_text("up +1.50%since 00:05")
    expect(row(page, "kraken/BTC/USD").locator(".cell-high")).to_have_text("64,400.5since 00:05")
    expect(row(page, "kraken/BTC/USD").locator(".cell-low")).to_have_text("–")
    told.snapshot(page, "figures/kraken/BTC/USD", venue="kraken", symbol="BTC/USD", freshness=LIVE, price="64230.0")
    expect(change).to_have_text("–")


def test_the_date_of_another_window_is_whole_on_a_phone(open_page):
    told = Told("survey", "figures/kraken/BTC/USD")
    page = open_list(open_page, viewport=PHONE, setup=told.setup, timezone_id="Europe/Berlin")
    told.snapshot(page, "figures/kraken/BTC/USD", venue="kraken", symbol="BTC/USD", freshness=LIVE, price="64230.0",
                  percent="-10.50", since=page.evaluate("() => new Date().setHours(-3, 5, 0, 0)"))
    since = row(page, "kraken/BTC/USD").locator(".cell-change > .row-sub")
    expect(since).to_have_text(re.compile(r"^since \w{3} \d+, 21:05$"))
    box, cell = since.bounding_box(), row(page, "kraken/BTC/USD").bounding_box()
    assert since.evaluate("(text) => text.scrollWidth <= text.clientWidth && text.scrollHeight <= text.clientHeight + 1")
    assert box["y"] + box["height"] <= cell["y"] + cell["height"]


def test_a_line_is_drawn_though_the_list_changed_while_it_was_fetched(open_page, desktop):
    told, held = Told("markets"), []

    def setup(page):
        told.setup(page)
        page.route("**/spark/**", lambda route: held.append(route))

    page = open_page("/markets/all", viewport=desktop, setup=setup)
    market = {"id": "kraken/BTC/USD", "venue": "kraken", "symbol": "BTC/USD", "name": "BTC/USD", "kind": "spot"}
    told.snapshot(page, "markets", rows=[market])
    wait_until(page, lambda: held)
    # The line in flight belongs to the row as it was before this change.
    told.patch("markets", rows=[{**market, "name": "Bitcoin"}])
    expect(row(page, market["id"]).locator(".row-title")).to_have_text("Bitcoin")
    held[0].fulfill(json={"interval": "1h", "from": 0, "closes": ["100.5", "103.5"], "source": "venue"})
    expect(row(page, market["id"]).locator("canvas")).to_have_attribute(
        "aria-label", "Hourly closes of 24 hours, from 100.5 to 103.5")


def test_lines_are_fetched_three_at_a_time_and_one_of_each_venue(open_page, desktop):
    asked = []

    def watched(page):
        # Counted in the page: the browser reports requests and responses in any order.
        page.add_init_script("""(() => {
          const request = window.fetch;
          const running = [];
          window.mostLines = window.mostOfAVenue = 0;
          window.fetch = async (...parameters) => {
            const [, venue] = String(parameters[0]).split("/spark/")[1]?.match(/^([^/]+)/) ?? [];
            if (!venue) return request(...parameters);
            running.push(venue);
            window.mostLines = Math.max(window.mostLines, running.length);
            window.mostOfAVenue = Math.max(
              window.mostOfAVenue, running.filter((other) => other === venue).length);
            try {
              return await request(...parameters);
            } finally {
              running.splice(running.indexOf(venue), 1);
            }
          };
        })()""")
        page.route("**/spark/**", answer)

    def answer(route):
        asked.append(route.request.url)
        closes = [None if at in (5, 6) else f"{100 + at % 7}.5" for at in range(25)]
        route.fulfill(json={"interval": "1h", "from": 0, "closes": closes, "source": "venue"})

    page = open_list(open_page, viewport=desktop, setup=watched)
    canvas = row(page, listed(page)[0]["id"]).locator("canvas")
    expect(canvas).to_have_attribute("aria-label", "Hourly closes of 24 hours, from 100.5 to 103.5")
    assert page.evaluate("mostLines") <= 3
    assert page.evaluate("mostOfAVenue") == 1
    inked = canvas.evaluate("""(canvas) => {
      const { width, height } = canvas;
      const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
      return Array.from({ length: width }, (_, x) => Array.from({ length: height }, (_, y) => data[4 * (y * width + x) + 3])
        .some((alpha) => alpha > 60));
    }""")
    step = (len(inked) - 6) / 24
    assert inked[round(3 + 2 * step)] and inked[round(3 + 20 * step)]
    assert not any(inked[round(3 + 4.4 * step):round(3 + 6.6 * step)]), "what is not known is a gap"
    # Nothing is pending: the request of a row that leaves is cancelled, and repeated when the row returns.
    page.wait_for_function("""() => [...document.querySelectorAll(".market-row:not([hidden]) .spark")]
      .every((line) => line.getAttribute("aria-label") !== "No line yet")""")
    wait_until(page, lambda: len(asked) >= len(shown(page)))
    count = len(asked)
    # Rows that scroll past request nothing, and loaded lines are not requested again.
    page.evaluate("""async () => {
      const body = document.querySelector(".markets > .pane-body");
      const end = body.scrollHeight;
      for (let at = 0; at < 40; at += 1) {
        body.scrollTop = (at < 20 ? at : 39 - at) * end / 20;
        await new Promise(requestAnimationFrame);
      }
    }""")
    expect(row(page, listed(page)[0]["id"])).to_be_visible()
    page.wait_for_function("() => document.querySelector('.markets > .pane-body').scrollTop === 0")
    assert len(asked) == len(set(asked))
    assert len(asked) - count < 30


def test_a_line_that_is_wanted_again_while_it_is_fetched_is_fetched_once(open_page, desktop):
    page = open_list(open_page, viewport=desktop)
    seen = page.evaluate("""async () => {
      const { Sparks } = await import("/assets/markets/spark.js");
      const [fetched, told] = [[], []];
      let answer;
      // The rows in view fetch theirs, too.
      window.fetch = (path) => new Promise((resolve) => {
        if (!path.endsWith("/BTC%2FUSD")) return;
        fetched.push(path);
        answer = resolve;
      });
      const sparks = new Sparks(() => 0);
      const first = new Promise((done) => sparks.closes("kraken/BTC/USD", () => done(told.push("row"))));
      const second = new Promise((done) => sparks.closes("kraken/BTC/USD", () => done(told.push("rail"))));
      answer(new Response(JSON.stringify({ interval: "1h", from: 0, closes: ["1.5"], source: "venue" })));
      await Promise.all([first, second]);
      return { fetched, told, closes: sparks.closes("kraken/BTC/USD", () => {}) };
    }""")
    assert seen == {"fetched": ["/spark/kraken/BTC%2FUSD"], "told": ["row", "rail"], "closes": ["1.5"]}


def test_a_star_is_kept_on_the_server(open_page, own_server, desktop):
    page = open_list(open_page, viewport=desktop, at=own_server.address)
    star = row(page, "kraken/BTC/USD").get_by_role("button", name=re.compile("^Favourite "))
    expect(star).to_have_attribute("aria-pressed", "false")
    star.click()
    expect(star).to_have_attribute("aria-pressed", "true")
    expect(page).to_have_url(re.compile("/markets/all$"))
    other = open_list(open_page, "/markets/stars", viewport=desktop, at=own_server.address)
    assert shown(other) == ["kraken/BTC/USD"]
    search(page, "xbtusd")
    page.keyboard.press("Enter")
    page.keyboard.press("s")
    wait_until(other, lambda: shown(other) == ["kraken/BTC/USD", "bitmex/XBTUSD"])
    # The key acts on what this page shows, and the star may arrive here after the other page has it.
    expect(row(page, "bitmex/XBTUSD").get_by_role("button", name=re.compile("^Favourite "))).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("s")
    wait_until(other, lambda: shown(other) == ["kraken/BTC/USD"])
    row(other, "kraken/BTC/USD").get_by_role("button", name=re.compile("^Favourite ")).click()
    expect(other.get_by_text("This list is empty.")).to_be_visible()


@pytest.mark.thorough
def test_a_list_is_made_filled_renamed_and_deleted(open_page, own_server, desktop):
    page = open_list(open_page, viewport=desktop, at=own_server.address)
    tabs = page.get_by_role("navigation", name="Lists of markets")
    page.get_by_role("button", name="New list").click()
    dialog = page.get_by_role("dialog", name="New list")
    dialog.get_by_role("button", name="Create").click()
    expect(dialog.get_by_text("Type a name for the list.")).to_be_visible()
    dialog.get_by_role("textbox").fill("stars")
    page.keyboard.press("Enter")
    expect(dialog.get_by_text("Another list has this name.")).to_be_visible()
    dialog.get_by_role("textbox").fill("Majors")
    page.keyboard.press("Enter")
    expect(tabs.get_by_role("link", name="Majors")).to_have_attribute("aria-current", "true")
    expect(page).to_have_url(re.compile("/markets/list-1$"))
    expect(page.get_by_text("This list is empty.")).to_be_visible()
    tabs.get_by_role("link", name="All").click()
    for key in ("kraken/ETH/USD", "kraken/BTC/USD"):
        row(page, key).get_by_role("button", name=re.compile("^Actions for ")).click()
        item = page.get_by_role("menuitemcheckbox", name="Majors")
        expect(item).to_have_attribute("aria-checked", "false")
        item.click()
    tabs.get_by_role("link", name="Majors").click()
    wait_until(page, lambda: shown(page) == ["kraken/ETH/USD", "kraken/BTC/USD"])
    page.get_by_role("button", name="Rename or delete the list").click()
    page.get_by_role("menuitem", name="Rename…").click()
    page.get_by_role("textbox", name="Name of the list").fill("Big ones")
    page.keyboard.press("Enter")
    expect(tabs.get_by_role("link", name="Big ones")).to_be_visible()
    page.reload()
    wait_until(page, lambda: shown(page) == ["kraken/ETH/USD", "kraken/BTC/USD"])
    page.get_by_role("button", name="Rename or delete the list").click()
    page.get_by_role("menuitem", name="Delete…").click()
    dialog = page.get_by_role("dialog", name="Delete “Big ones”?")
    expect(dialog.get_by_text("It has 2 markets.")).to_be_visible()
    dialog.get_by_role("button", name="Delete").click()
    expect(tabs.get_by_role("link", name="Big ones")).to_have_count(0)
    expect(page).to_have_url(re.compile("/markets/all$"))


def test_a_long_name_from_right_to_left_is_read_from_its_beginning(open_page, own_server):
    page = open_list(open_page, viewport=PHONE, at=own_server.address)
    name = "محفظتي من العملات الرقمية الطويلة"
    page.get_by_role("button", name="New list").click()
    page.get_by_role("dialog", name="New list").get_by_role("textbox").fill(name)
    page.keyboard.press("Enter")
    tab = page.get_by_role("link", name=name)
    expect(tab).to_have_attribute("aria-current", "true")
    assert tab.evaluate("""(tab) => {
      const first = document.createRange();
      first.setStart(tab.firstChild, 0);
      first.setEnd(tab.firstChild, 6);
      const [word, edge] = [first.getBoundingClientRect(), tab.getBoundingClientRect()];
      return tab.scrollWidth > tab.clientWidth && word.left >= edge.left && word.right <= edge.right;
    }""")


def star(page, *keys):
    """Adds rows to the favourites in this order."""
    for key in keys:
        search(page, key.split("/", 1)[1])
        button = row(page, key).get_by_role("button", name=re.compile("^Favourite "))
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
    search(page, "")


THREE = ["kraken/BTC/USD", "kraken/ETH/USD", "bitmex/XBTUSD"]


@pytest.mark.thorough
def test_a_list_is_ordered_by_hand(open_page, own_server, desktop):
    page = open_list(open_page, viewport=desktop, at=own_server.address)
    star(page, *THREE)
    page.get_by_role("link", name="Favourites").click()
    wait_until(page, lambda: shown(page) == THREE)
    row(page, THREE[0]).focus()
    page.keyboard.press("Alt+ArrowDown")
    wait_until(page, lambda: shown(page) == [THREE[1], THREE[0], THREE[2]])
    expect(row(page, THREE[0])).to_be_focused()
    page.keyboard.press("Alt+ArrowUp")
    wait_until(page, lambda: shown(page) == THREE)
    # By its grip: the first behind the last.
    grip = row(page, THREE[0]).locator(".grip").bounding_box()
    end = row(page, THREE[2]).bounding_box()
    page.mouse.move(grip["x"] + 12, grip["y"] + 22)
    page.mouse.down()
    page.mouse.move(grip["x"] + 12, end["y"] + end["height"] - 4, steps=4)
    expect(page.locator(".drop-line")).to_be_visible()
    page.evaluate("() => new Promise(requestAnimationFrame)")
    page.mouse.up()
    wait_until(page, lambda: shown(page) == [THREE[1], THREE[2], THREE[0]])
    expect(page.locator(".drop-line")).to_be_hidden()
    row(page, THREE[0]).get_by_role("button", name=re.compile("^Actions for ")).click()
    page.get_by_role("menuitem", name="Move to the top").click()
    wait_until(page, lambda: shown(page) == THREE)
    page.reload()
    wait_until(page, lambda: shown(page) == THREE)


def test_what_a_list_cannot_do_is_said_in_words(open_page, desktop):
    told = Told("lists")
    page = open_list(open_page, viewport=desktop, setup=told.setup)
    told.snapshot(page, "lists", lists=[{"id": "stars", "name": "Stars", "members": ["kraken/GONE/USD"]}],
                  problem="Your lists could not be written to disk.")
    line = page.locator(".list-complaint")
    expect(line).to_contain_text("Your lists could not be written to disk.")
    told.tap.say({"error": {"code": "bad_list", "message": "There can be 32 lists. Delete one first."}})
    expect(line).to_contain_text("There can be 32 lists. Delete one first.")
    line.get_by_role("button", name="Close").click()
    expect(line).to_contain_text("Your lists could not be written to disk.")
    page.get_by_role("link", name="Favourites").click()
    expect(row(page, "kraken/GONE/USD")).to_contain_text("Delisted")
    told.patch("lists", problem=None)
    expect(line).to_be_hidden()


def test_without_a_connection_a_star_says_that_it_is_not_saved(open_page, desktop):
    taps = []
    page = open_list(open_page, viewport=desktop, setup=lambda page: taps.append(Tap(page)))
    taps[0].refuse = True
    taps[0].cut()
    expect(page.locator(".markets .note-text")).to_have_text(re.compile("^Disconnected"))
    button = row(page, listed_first(page)).get_by_role("button", name=re.compile("^Favourite "))
    button.click()
    expect(page.get_by_text("Not saved: there is no connection to Livetape.")).to_be_visible()
    expect(button).to_have_attribute("aria-pressed", "false")


def listed_first(page):
    return shown(page)[0]


def test_rows_are_walked_by_keys_also_those_that_are_not_there_yet(open_page, desktop):
    page = open_list(open_page, viewport=desktop)
    rows = [each["id"] for each in listed(page)]
    page.keyboard.press("ArrowDown")
    expect(row(page, rows[0])).to_be_focused()
    expect(row(page, rows[0])).to_have_attribute("aria-label", re.compile(r"\w+, .+ · "))
    page.keyboard.press("j")
    expect(row(page, rows[1])).to_be_focused()
    page.keyboard.press("End")
    expect(row(page, rows[-1])).to_be_focused()
    assert rows[-1] in shown(page)
    page.keyboard.press("PageUp")
    page.keyboard.press("Home")
    expect(row(page, rows[0])).to_be_focused()
    # A row with the focus remains, however far the list is scrolled.
    page.evaluate("() => { document.querySelector('.markets > .pane-body').scrollTop = 1e6; }")
    wait_until(page, lambda: rows[-1] in shown(page))
    expect(row(page, rows[0])).to_be_focused()
    assert page.locator(f"{ROWS}[tabindex='0']").count() == 1
    page.keyboard.press("m")
    expect(page.get_by_role("menu")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("menu")).to_be_hidden()
    expect(row(page, rows[0])).to_be_focused()


def test_enter_opens_the_screen_of_the_instrument(open_page):
    page = open_list(open_page)
    for key, path in [
            ("kraken/BTC/USD", "/book/BTC%2FUSD"), ("bitmex/XBTUSD", "/book/XBTUSD"), ("exchange/TROAD", "/exchange"),
            ("echo/AAPL", "/symbol/AAPL"), ("bux/sb26493", "/product/sb26493"), ("isin/US0378331005", "/stocks")]:
        search(page, key.split("/", 1)[1])
        expect(row(page, key)).to_be_visible()
        row(page, key).focus()
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile(re.escape(path) + "$"))
        if key.startswith("isin/"):
            expect(page.locator("[data-row=US0378331005]")).to_be_focused()
        page.keyboard.press("Escape")
        expect(page).to_have_url(re.compile("/markets/all$"))
        expect(row(page, key)).to_be_visible()


@pytest.mark.thorough
def test_a_search_in_an_own_list_says_what_it_looked_in_and_leads_to_all_markets(open_page, own_server, desktop):
    page = open_list(open_page, viewport=desktop, at=own_server.address)
    page.get_by_role("link", name="Favourites").click()
    search(page, "sol")
    expect(page.locator(".markets .empty p")).to_have_text("This list is empty.")
    page.get_by_role("button", name="Search all markets").click()
    expect(page).to_have_url(re.compile("/markets/all$"))
    expect(page.locator(ROWS).first).to_be_visible()
    assert len(shown(page)) > 1
    star(page, "kraken/SOL/USD")
    page.get_by_role("link", name="Favourites").click()
    expect(page.locator(ROWS)).to_have_count(1)
    search(page, "no such name")
    expect(page.locator(".markets .empty p")).to_have_text("No match in “Favourites”.")
    expect(page.get_by_role("button", name="Search all markets")).to_be_visible()


def test_the_list_is_found_from_everywhere(open_page, desktop):
    page = open_page("/book/BTC%2FUSD", viewport=desktop)
    page.get_by_role("link", name="All markets").first.click()
    expect(page).to_have_url(re.compile("/markets/all$"))
    expect(page.locator(ROWS).first).to_be_visible()
    page.context.close()
    page = open_page("/stocks")
    page.locator(".bottom [data-place=markets]").click()
    expect(page.locator(ROWS).first).to_be_visible()
    rows = listed(page)
    page.locator("[data-tool=search]").click()
    box = page.get_by_role("combobox", name="Search")
    box.fill("markets")
    expect(page.locator(".result").first).to_contain_text("Markets")
    # Any instrument of a venue, not only those that the market screen offers.
    other = next(each for each in rows if each["venue"] == "kraken" and each["symbol"].endswith("x/USD"))
    box.fill(other["symbol"].lower())
    expect(page.locator(".result").first).to_contain_text(other["name"])
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"/book/{other['symbol'].replace('/', '%2F')}$"))
    expect(page.locator(".level:not([data-empty])").first).to_be_visible()


def test_a_name_is_opened_as_its_venue_writes_it(glance):
    page = glance("/products")
    names = page.evaluate("""async () => {
      const { routeOf } = await import("/assets/frame/screens.js");
      return ["/book/AAPLx%2FUSD", "/book/AAPLx/USD", "/book/btc/usd", "/chart/xbtusd", "/markets", "/markets/stars", "/Markets/all"]
        .map((path) => { const { screen, name } = routeOf(path); return `${screen} ${name}`; });
    }""")
    assert names == ["market AAPLx/USD", "market AAPLx/USD", "market BTC/USD", "market XBTUSD", "markets ", "markets stars",
                     "markets all"]


@pytest.mark.parametrize("path, status", [
    ("/markets", 200), ("/Markets/stars", 200), ("/markets/list-1", 200), ("/markets/list-1/x", 404), ("/markets/%zz", 404),
    ("/stocks/US0378331005", 200), ("/stocks/US0378331005/x", 404), ("/asset/BTC/USD", 200)])
def test_every_list_and_its_details_have_an_address(address, path, status):
    try:
        with urllib.request.urlopen(address + path, timeout=60) as answer:
            found = answer.status
    except urllib.error.HTTPError as error:
        found = error.code
    assert found == status


@pytest.mark.thorough
def test_the_list_that_was_looked_at_last_comes_back(open_page, own_server, desktop):
    page = open_list(open_page, viewport=desktop, at=own_server.address)
    star(page, *THREE[:1])
    page.get_by_role("link", name="Favourites").click()
    expect(page).to_have_url(re.compile("/markets/stars$"))
    page.get_by_role("link", name="Trade", exact=True).click()
    page.get_by_role("link", name="Markets", exact=True).click()
    wait_until(page, lambda: shown(page) == THREE[:1])
    expect(page.get_by_role("link", name="Favourites")).to_have_attribute("aria-current", "true")
    page.goto(f"{own_server.address}/markets/list-77")
    expect(page.get_by_text("There is no such list (any more).")).to_be_visible()


@pytest.mark.thorough
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_high_contrast_and_less_motion_leave_the_list_readable(open_page, desktop, theme):
    told = Told("survey", "figures/")
    page = open_list(open_page, viewport=desktop, forced_colors="active", color_scheme=theme, reduced_motion="reduce",
                     setup=told.setup)
    told.snapshot(page, "figures/kraken/BTC/USD", venue="kraken", symbol="BTC/USD", freshness=LIVE, price="64230.0",
                  direction="up", changes=4, percent="-0.21")
    own = row(page, "kraken/BTC/USD")
    expect(own.locator(".change")).to_have_text("−0.21%")
    colour = "(element) => getComputedStyle(element).color"
    # The sign shows the direction, not a hue.
    wait_until(page, lambda: own.locator(".change").evaluate(colour) == own.locator(".cell-age").evaluate(colour))
    told.patch("figures/kraken/BTC/USD", freshness={"state": "stale"})
    page.wait_for_function(f"""(ink) => ({colour})(document.querySelector('[data-row="kraken/BTC/USD"] .change')) !== ink""",
                           arg=own.locator(".cell-age").evaluate(colour))
    told.patch("figures/kraken/BTC/USD", freshness=LIVE, price="64231.0", changes=5)
    expect(own.locator(".number")).to_have_text("64,231.0")
    assert own.locator(".price").evaluate("(element) => getComputedStyle(element).animationName") == "none"


def test_nothing_is_counted_before_the_list_has_come(open_page):
    taps = []

    def mute(page):
        taps.append(Tap(page))
        taps[0].mute = True

    page = open_page("/markets", ready=False, setup=mute)
    search(page, "btc")
    expect(page.locator(".markets .unseen[aria-live]")).to_be_empty()
    taps[0].mute = False
    expect(page.locator(ROWS).first).to_be_visible()
    search(page, "btc ")
    expect(page.locator(".markets .unseen[aria-live]")).to_contain_text("found")
