"""The page's cost: requests, bytes, what is shown before the code has loaded, and histories as bytes."""

import json
import re
import urllib.error
import urllib.parse
import urllib.request

import pytest
from playwright.sync_api import expect

from conftest import DESKTOP, PHONE
from watching import wait_until

pytestmark = pytest.mark.thorough

# Without the lines of the list beside the market, of 600 bytes each, which arrive before or after the chart.
BUDGET_BYTES = [(PHONE, 147_000), (DESKTOP, 147_000)]
FIRST_CANDLES_BYTES = 10_240
CODE = re.compile(r"/built/app-[0-9a-f]{12}\.js$")
LAZY = re.compile(r"/built/lazy-[0-9a-f]{12}\.js$")
TRANSFERS = """() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
  .map(({ name, transferSize }) => [new URL(name).pathname, transferSize])"""
FIRST_PAINT = """() => performance.getEntriesByName("first-contentful-paint").length > 0"""


def get(address, path, **headers):
    """A response with its body as on the wire; urllib decompresses nothing."""
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        with urllib.request.urlopen(urllib.request.Request(address + path, headers=names)) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def transfers(page):
    """Path and bytes of all requests of the page and its workers; nothing came from the cache."""
    entries = page.evaluate(TRANSFERS)
    for worker in page.workers:
        entries += worker.evaluate(TRANSFERS)
    return [(path, size) for path, size in entries if size > 0]


def test_a_market_is_there_within_its_weight(open_page):
    for viewport, budget in BUDGET_BYTES:
        page = open_page("/chart/XBTUSD", viewport=viewport)
        expect(page.locator(".chart-legend").first).to_contain_text(re.compile(r"\d"))
        first = {}
        for path, size in transfers(page):
            # The history is requested again when the venue's has arrived, which is not part of the first load.
            first.setdefault(path, size)
        # Candles count with their maximum size, whatever the market did: the same sum in every run.
        first = {path: max(size, FIRST_CANDLES_BYTES) if path.startswith("/history/bitmex/XBTUSD") else size
                 for path, size in first.items() if not path.startswith("/spark/")}
        assert sum(first.values()) <= budget, sorted(first.items(), key=lambda item: -item[1])
        code = [path for path in first if path.endswith((".js", ".css"))]
        assert len([path for path in code if path.endswith(".css")]) == 1
        assert len(code) <= 4, "one style, one script, one worker, and what runs before the first paint"


def test_a_reload_brings_nothing_that_the_browser_has(open_page):
    page = open_page("/chart/XBTUSD")
    expect(page.locator(".chart-legend").first).to_contain_text(re.compile(r"\d"))
    page.reload()
    expect(page.locator(".chart-legend").first).to_contain_text(re.compile(r"\d"))
    assert [path for path, _ in transfers(page) if path.startswith("/built/")] == []


@pytest.mark.parametrize("accepted, coding", [("gzip, deflate, br", "br"), ("gzip", "gzip"), ("br;q=0", None)])
def test_the_code_comes_as_the_browser_can_read_it(address, accepted, coding):
    _, _, page = get(address, "/")
    path = re.search(rb'src="(/built/app-[0-9a-f]+\.js)"', page)[1].decode()
    status, headers, body = get(address, path, accept_encoding=accepted)
    assert status == 200 and headers["content-encoding"] == coding
    assert "immutable" in headers["cache-control"] and headers["vary"] == "Accept-Encoding"
    assert (len(body) < 90_000) == (coding is not None)
    again, headers, body = get(address, path, accept_encoding=accepted, if_none_match=headers["etag"])
    assert (again, body) == (304, b"")


def test_a_page_that_is_kept_is_asked_for_and_not_sent_again(address):
    _, headers, _ = get(address, "/book/XBTUSD")
    assert headers["cache-control"] == "no-cache"
    assert get(address, "/feed", if_none_match=headers["etag"])[0] == 304
    assert get(address, "/no/such/page", if_none_match=headers["etag"])[0] == 404


@pytest.mark.parametrize("path, frame, bones", [
    ("/chart/XBTUSD", "market", ["head", "chart", "book"]), ("/EXCHANGE", "exchange", ["head", "chart", "book"]),
    ("/markets", "list", ["list"]), ("/feed", "list", ["list"]), ("/", "market", ["head", "chart", "book"])])
def test_the_frame_of_a_screen_stands_before_its_code_has_come(open_page, path, frame, bones):
    held = []
    for options in ({"viewport": PHONE}, {"viewport": DESKTOP, "color_scheme": "dark"}):
        page = open_page("/healthz", ready=False, setup=lambda page: page.route(CODE, lambda route: held.append(route)), **options)
        page.goto(page.url.replace("/healthz", path), wait_until="commit")
        wait_until(page, lambda: page.evaluate(FIRST_PAINT))
        assert page.evaluate("document.documentElement.dataset.frame") == frame
        for bone in bones:
            expect(page.locator(f".bone-{bone}")).to_be_visible()
        dark = page.evaluate("getComputedStyle(document.querySelector('.first-frame')).backgroundColor") == "rgb(11, 13, 18)"
        assert dark == ("color_scheme" in options)
        held.pop().continue_()
        expect(page.locator("#first-frame")).to_have_count(0)


def test_the_socket_stands_before_the_code_and_is_the_only_one(open_page):
    held = []
    page = open_page("/healthz", ready=False, setup=lambda page: page.route(CODE, lambda route: held.append(route)))
    page.goto(page.url.replace("/healthz", "/book/XBTUSD"), wait_until="commit")
    wait_until(page, lambda: held and page.evaluate("window.firstSocket?.readyState") == 1)
    held.pop().continue_()
    expect(page.locator(".level:not([data-empty])").first).to_be_visible()
    assert page.wire.sockets == 1
    assert page.evaluate("window.firstSocket") is None


def test_a_socket_that_was_lost_before_the_code_came_is_reopened(open_page):
    held = []
    page = open_page("/healthz", ready=False, setup=lambda page: page.route(CODE, lambda route: held.append(route)))
    page.goto(page.url.replace("/healthz", "/book/XBTUSD"), wait_until="commit")
    wait_until(page, lambda: held and page.evaluate("window.firstSocket?.readyState") == 1)
    page.evaluate("window.firstSocket.close()")
    held.pop().continue_()
    expect(page.locator(".level:not([data-empty])").first).to_be_visible()
    assert page.wire.sockets == 2


def test_a_chosen_theme_stands_from_the_first_paint_on(open_page):
    held = []
    page = open_page("/book/XBTUSD", color_scheme="light")
    page.evaluate("localStorage.setItem('livetape.theme', 'dark')")
    page.route(CODE, lambda route: held.append(route))
    page.reload(wait_until="commit")
    wait_until(page, lambda: page.evaluate(FIRST_PAINT))
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(11, 13, 18)"
    wait_until(page, lambda: held)
    held.pop().continue_()


def test_code_that_does_not_come_is_said(open_page):
    page = open_page("/book/XBTUSD", ready=False, setup=lambda page: page.route(CODE, lambda route: route.abort()))
    expect(page.get_by_role("alert").first).to_have_text(re.compile("could not be loaded. Reload"))


def test_the_code_of_other_screens_comes_when_one_is_wanted(open_page):
    asked, held = [], []

    def hold(route):
        asked.append(route.request.url)
        held.append(route)

    page = open_page("/chart/XBTUSD", setup=lambda page: page.route(LAZY, hold))
    expect(page.locator(".chart-legend").first).to_contain_text(re.compile(r"\d"))
    page.evaluate("document.querySelector('a[href=\"/markets\"]').click()")
    expect(page.locator(".coming .skeleton").first).to_be_visible()
    expect(page.locator(".coming .pane-title")).to_have_text("Markets")
    wait_until(page, lambda: held)
    held.pop().continue_()
    expect(page.locator(".market-row").first).to_be_visible()
    expect(page.locator(".coming")).to_have_count(0)
    assert len(asked) == 1
    page.evaluate("document.querySelector('a[href=\"/stocks\"]').click()")
    expect(page.locator(".stocks")).to_be_visible()
    assert len(asked) == 1


def test_the_code_of_other_screens_comes_by_itself_before_it_is_wanted(open_page):
    page = open_page("/chart/XBTUSD", ready=False)
    wait_until(page, lambda: [path for path, _ in transfers(page) if LAZY.search(path)])
    page.context.set_offline(True)
    page.evaluate("document.querySelector('a[href=\"/markets\"]').click()")
    expect(page.locator(".pane.markets")).to_be_visible()


def test_a_screen_whose_code_does_not_come_says_so_and_what_helps(open_page):
    page = open_page("/markets", setup=lambda page: page.route(LAZY, lambda route: route.abort()))
    expect(page.locator(".coming .pane-notice h3")).to_have_text("Markets could not be loaded")
    page.unroute(LAZY)
    page.get_by_role("button", name="Reload").click()
    expect(page.locator(".market-row").first).to_be_visible()


def test_tables_of_the_dock_come_when_one_is_wanted(open_page):
    held = []
    page = open_page("/book/XBTUSD", viewport=DESKTOP, setup=lambda page: page.route(LAZY, lambda route: held.append(route)))
    page.get_by_role("tab", name="Positions").click()
    expect(page.locator(".dock-panel[data-tab=positions] .skeleton").first).to_be_visible()
    page.get_by_role("tab", name="Fills").click()
    wait_until(page, lambda: held)
    held.pop().continue_()
    expect(page.get_by_role("tabpanel", name="Fills").locator(".dock-fills")).to_be_visible()
    page.get_by_role("tab", name="Positions").click()
    expect(page.get_by_role("tabpanel", name="Positions").locator(".skeleton")).to_have_count(0)
    expect(page.get_by_role("tabpanel", name="Positions")).to_contain_text("No fills yet.")
    assert held == []


def test_a_table_of_the_dock_that_does_not_come_says_so_and_is_asked_for_again(open_page):
    page = open_page("/book/XBTUSD", viewport=DESKTOP, setup=lambda page: page.route(LAZY, lambda route: route.abort()))
    page.get_by_role("tab", name="Fills").click()
    expect(page.get_by_role("tabpanel", name="Fills").get_by_role("alert")).to_have_text(re.compile("Livetape was updated"))
    page.unroute(LAZY)
    page.get_by_role("tab", name="Open").click()
    page.get_by_role("tab", name="Fills").click()
    expect(page.get_by_role("tabpanel", name="Fills").locator(".dock-fills")).to_be_visible()


# A history in both forms, as of one moment: the number of equal values, or the difference.
BOTH_FORMS = """async (path) => {
  const { readHistory, HISTORY_TYPE } = await import("/assets/chart/history/request.js");
  const ask = (accept) => fetch(path, { headers: { accept } });
  const [short, json] = await Promise.all([ask(HISTORY_TYPE), ask("application/json")]);
  const bytes = await short.arrayBuffer();
  const { candles, ...rest } = readHistory(bytes);
  const text = await json.text();
  const rows = Array.from({ length: candles.length / 10 }, (_, at) => [...candles.subarray(at * 10, at * 10 + 10)]);
  return { type: short.headers.get("content-type"), short: { ...rest, candles: rows }, json: JSON.parse(text),
    sizes: [bytes.byteLength, text.length], bytes: [...new Uint8Array(bytes)] };
}"""


def settled(page, path):
    """Both forms of one moment: in a moving market another attempt may be needed."""
    def same():
        found = page.evaluate(BOTH_FORMS, path)
        keys = ("revision", "lastArrival", "status", "gaps")
        isOne = all(found["short"][key] == found["json"][key] for key in keys) and len(found["json"]["candles"]) > 1
        return found if isOne else None

    return wait_until(page, same)


def test_the_short_form_of_a_history_says_what_the_long_one_says(open_page):
    page = open_page("/chart/XBTUSD")
    for interval in (1000, 60_000, 86_400_000):
        found = settled(page, f"/history/bitmex/XBTUSD?interval={interval}")
        assert found["type"] == "application/vnd.livetape.candles"
        assert found["short"] == found["json"]
    minutes = settled(page, "/history/kraken/BTC%2FUSD?interval=60000")
    assert minutes["short"] == minutes["json"]
    assert minutes["sizes"][0] * 3 < minutes["sizes"][1]


def test_the_first_candles_of_a_chart_are_no_more_than_10_kilobytes(open_page, address):
    asked = []
    page = open_page("/chart/BTC%2FUSD", viewport={"width": 1440, "height": 900},
                     setup=lambda page: page.on("response", lambda answer: "/history/" in answer.url and asked.append(answer)))
    expect(page.locator(".chart-legend b").nth(3)).not_to_be_empty()
    page.wait_for_function("() => performance.now() > 3000")
    assert asked and all("before=" not in answer.url for answer in asked), "a screen needs no older ones"
    path = urllib.parse.urlsplit(asked[-1].url)
    for interval in (60_000, 3_600_000):
        request = re.sub("interval=[0-9]+", f"interval={interval}", f"{path.path}?{path.query}")
        found = settled(page, request)
        assert found["short"] == found["json"] and found["short"]["hasOlder"] and len(found["short"]["candles"]) == 320
        assert found["sizes"][0] <= FIRST_CANDLES_BYTES


def test_bytes_that_are_no_history_are_refused_at_once(open_page):
    page = open_page("/chart/XBTUSD")
    good = settled(page, "/history/bitmex/XBTUSD?interval=86400000")["bytes"]
    wrong = page.evaluate("""async (good) => {
      const { readHistory } = await import("/assets/chart/history/request.js");
      const read = (bytes) => {
        try {
          return readHistory(Uint8Array.from(bytes).buffer).candles.length;
        } catch (error) {
          return error instanceof Error && !(error instanceof RangeError) && !(error instanceof TypeError) ? -1 : error;
        }
      };
      const wrong = [];
      // Cut anywhere, followed by anything, of another version, of nothing.
      for (let length = 0; length < good.length; length += 1) {
        if (read(good.slice(0, length)) !== -1) wrong.push(`cut at ${length}`);
      }
      for (const bytes of [[], [...good, 0], [2, ...good.slice(1)], [0], [1], new Array(99).fill(255)]) {
        if (read(bytes) !== -1) wrong.push(`${bytes.slice(0, 4)}…`);
      }
      // Counts that the bytes there are can't fill reserve nothing.
      const head = [1, 2, 0, 0, 0, 0, 0, 0, 4, 110, 111, 110, 101, 0, 0];
      for (const count of [[1], [255, 255, 255, 127], [255, 255, 255, 255, 255, 255, 255, 255, 255, 1]]) {
        if (read([...head, ...count]) !== -1) wrong.push(`count ${count}`);
      }
      if (read([...head, 0, 0, 0]) !== 0) wrong.push("an empty history is one");
      // Any byte as any other: refused, or candles of sound numbers and no more than the bytes could hold.
      let seed = 20261123;
      const random = (end) => { seed = (seed * 1103515245 + 12345) % 2147483648; return seed % end; };
      for (let round = 0; round < 4000; round += 1) {
        const bytes = [...good];
        for (let count = 1 + random(3); count > 0; count -= 1) bytes[random(bytes.length)] = random(256);
        const found = read(bytes);
        if (typeof found !== "number" || found > 10 * bytes.length) wrong.push(`seed 20261123, ${round}: ${found}`);
      }
      return wrong;
    }""", good)
    assert wrong == []


def test_scripts_get_json(address):
    _, headers, body = get(address, "/history/bitmex/XBTUSD?interval=60000")
    assert headers["content-type"] == "application/json" and headers["vary"] == "Accept"
    assert json.loads(body)["interval"] == 60_000
