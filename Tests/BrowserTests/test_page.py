"""The page as a whole: themes, colours, contrast, sizes, keys, and hostile messages."""

import os
import random
import re
import time
import urllib.request

import pytest
from playwright.sync_api import expect

from live import Tap
from measures import CONTRAST, OVERFLOWING, SMALL_TARGETS, nothing
from watching import wait_until

SEED = int(os.environ.get("LIVETAPE_SEED") or random.randrange(1_000_000))
PATHS = ["/", "/symbol/AAPL", "/stocks", "/products", "/product/sb26493", "/book/XBTUSD", "/trades/XBTUSD",
         "/chart/XBTUSD", "/exchange"]
SETTLED = {"/": ".level:not([data-empty])", "/feed": ".feed-rows > li", "/stocks": ".stock-rows .arrow:not(:empty)", "/products": ".product-rows > li",
           "/book/XBTUSD": ".level:not([data-empty])", "/trades/XBTUSD": ".trade",
           "/book/BTC%2FUSD": ".level:not([data-empty])", "/trades/BTC%2FUSD": ".trade", "/chart/XBTUSD": ".chart-canvas"}


def settle(page, path):
    page.wait_for_selector(SETTLED.get(path, ".price.big .arrow:not(:empty)"))


def ground(page):
    return page.evaluate("() => getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")


def test_a_client_that_asks_for_the_head_alone_gets_it(open_page):
    address = open_page("/feed").url
    request = urllib.request.Request(address, method="HEAD")
    with urllib.request.urlopen(request) as answer:
        assert answer.status == 200 and answer.read() == b""
        assert "wasm-unsafe-eval" in answer.headers["content-security-policy"]


def test_the_theme_follows_the_system(open_page):
    assert min(ground(open_page("/feed", color_scheme="light"))) > 200
    assert max(ground(open_page("/feed", color_scheme="dark"))[:3]) < 60


def test_a_chosen_theme_is_kept(open_page):
    page = open_page("/feed", color_scheme="light")
    page.get_by_role("button", name="Display and trading").click()
    page.get_by_label("Dark").check()
    assert max(ground(page)[:3]) < 60
    page.reload()
    assert max(ground(page)[:3]) < 60


def test_chosen_colours_are_kept(open_page):
    page = open_page("/trades/XBTUSD", color_scheme="light")
    page.get_by_role("button", name="Display and trading").click()
    page.get_by_label("Blue up, orange down").check()
    page.reload()
    page.wait_for_selector(".trade[data-side=buy]")
    colour = "(element) => getComputedStyle(element).color.match(/\\d+/g).map(Number)"
    red, _, blue = page.locator(".trade[data-side=buy] .trade-price").first.evaluate(colour)
    assert blue > 2 * red


@pytest.mark.thorough
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("colours", ["green-red", "red-green", "blue-orange", "mono"])
def test_every_text_has_a_contrast_of_four_and_a_half(open_page, desktop, theme, colours):
    def setup(page):
        page.add_init_script(f"if (location.host) localStorage.setItem('livetape.colours', '{colours}')")

    page = open_page("/feed", viewport=desktop, color_scheme=theme, setup=setup, reduced_motion="reduce")
    settle(page, "/feed")
    assert page.evaluate("() => document.documentElement.dataset.colours") == colours
    # The column beside the chart has one of the two at a time.
    for tab, path in (("book", "/book/XBTUSD"), ("trades", "/trades/XBTUSD")):
        page.locator(f"#tab-{tab}").click()
        settle(page, path)
        for _ in range(3):
            assert page.evaluate(CONTRAST) == []
            page.wait_for_selector(".flash, .trade.new")


def test_stale_text_has_the_contrast_too(open_page, desktop):
    taps = []
    page = open_page("/feed", viewport=desktop, setup=lambda page: taps.append(Tap(page)))
    settle(page, "/feed")
    taps[0].refuse = True
    taps[0].cut()
    expect(page.locator("#banner")).to_be_visible()
    assert page.evaluate(CONTRAST) == []


@pytest.mark.thorough
@pytest.mark.parametrize("path", [*PATHS, "/book/BTC%2FUSD", "/trades/BTC%2FUSD"])
def test_nothing_is_cut_off_at_320_pixels(open_page, path):
    page = open_page(path, viewport={"width": 320, "height": 640})
    settle(page, path)
    nothing(page, OVERFLOWING)


@pytest.mark.thorough
@pytest.mark.parametrize("path", PATHS)
def test_everything_to_touch_is_44_pixels_big(open_page, path):
    page = open_page(path, has_touch=True)
    settle(page, path)
    nothing(page, SMALL_TARGETS)


def test_rows_are_walked_and_opened_by_keys(open_page):
    page = open_page("/feed")
    settle(page, "/feed")
    page.keyboard.press("j")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".feed-rows > li").nth(1).locator("a")).to_be_focused()
    page.keyboard.press("k")
    row = page.locator(".feed-rows > li").first.locator("a")
    expect(row).to_be_focused()
    symbol = row.get_attribute("data-row")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text(symbol)
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile(r":\d+/feed$"))


def test_slash_searches_everything(open_page):
    page = open_page("/stocks")
    page.keyboard.press("/")
    box = page.get_by_role("combobox", name="Search")
    expect(box).to_be_focused()
    box.fill("xbt")
    expect(page.locator(".result").first).to_contain_text("XBTUSD")
    box.fill("aapl")
    expect(page.locator(".result[aria-selected=true]")).to_contain_text("AAPL")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/symbol/AAPL$"))
    page.keyboard.press("/")
    box.fill("germany")
    expect(page.locator(".result[aria-selected=true]")).to_contain_text("sb26493")
    page.keyboard.press("Escape")
    expect(page.locator(".jump")).to_be_hidden()
    expect(page).to_have_url(re.compile("/symbol/AAPL$"))


PAIRS = [
    ("btcusd", "/book/BTC%2FUSD"), ("xrpusd", "/book/XRP%2FUSD"), ("dogeusd", "/book/DOGE%2FUSD"), ("btc usd", "/book/BTC%2FUSD"),
    ("ethbtc", "/book/ETH%2FBTC"), ("btc-usd", "/book/BTC%2FUSD"), ("xbt usd", "/book/BTC%2FUSD"), ("eth/btc", "/book/ETH%2FBTC"),
    ("xbtusd", "/book/XBTUSD"), ("adausd", "/book/ADA%2FUSD"), ("ada-eur", "/book/ADA%2FEUR"), ("xbteur", "/book/BTC%2FEUR"),
    ("AAPLx/USD", "/book/AAPLx%2FUSD"), ("stocks", "/stocks"), ("isin", "/stocks"), ("positions", "/exchange"), ("alerts", "/exchange"),
]


def test_the_pair_that_was_typed_comes_first_however_it_was_typed(open_page):
    page = open_page("/products")
    print(f"LIVETAPE_SEED={SEED}")
    for typed, path in PAIRS if os.environ.get("LIVETAPE_ALL") else random.Random(SEED).sample(PAIRS, 6):
        page.keyboard.press("/")
        page.get_by_role("combobox", name="Search").fill(typed)
        wait_until(page, lambda: len(page.wire.states.get("markets", {}).get("rows", [])) > 1000)
        expect(page.locator(".result").first).to_be_visible()
        rows = page.locator(".result").all_text_contents()
        assert len(rows) == len(set(rows)), (typed, rows)
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile(f"{path}$"))
        page.go_back()
        expect(page).to_have_url(re.compile("/products$"))


def test_the_search_box_works_when_it_opens_again_before_its_close_event(open_page):
    page = open_page("/products")
    page.keyboard.press("/")
    page.evaluate("""() => {
      document.querySelector("dialog.jump").close();
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "/", bubbles: true }));
    }""")
    page.get_by_role("combobox", name="Search").fill("adausd")
    expect(page.locator(".result-code").first).to_have_text("ADA/USD")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/book/ADA%2FUSD$"))
    page.go_back()
    # Lists are read only while the box is open.
    wait_until(page, lambda: "markets" not in page.wire.open)


def test_search_opens_tables_and_settings(open_page, desktop):
    page = open_page("/book/XBTUSD", viewport=desktop)
    page.keyboard.press("/")
    page.get_by_role("combobox", name="Search").fill("alerts")
    page.keyboard.press("Enter")
    expect(page.locator(".exchange .dock-tab[data-tab=alerts]")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("/")
    page.get_by_role("combobox", name="Search").fill("settings")
    page.keyboard.press("Enter")
    expect(page.locator("#display-menu")).to_be_visible()


def without_products(message):
    """All but the list of products."""
    if "topics" in message:
        message["topics"] = [item for item in message["topics"] if item.get("topic") != "products"]
    return message


@pytest.mark.thorough
@pytest.mark.parametrize(("typed", "path", "change"), [
    # A complete symbol opens at once, whatever has not loaded yet.
    ("aapl", "/symbol/AAPL", without_products), ("germany", "/product/sb26493", None),
], ids=["symbol", "name"])
def test_what_is_entered_before_the_lists_have_come_is_found_when_they_have(open_page, typed, path, change):
    taps = []
    page = open_page("/stocks", setup=lambda page: taps.append(Tap(page)))
    # The screen has its own list: messages held back while it is muted never arrive.
    expect(page.locator("[data-row]").first).to_be_visible()
    taps[0].change = change
    taps[0].mute = True
    page.keyboard.press("/")
    page.get_by_role("combobox", name="Search").fill(typed)
    expect(page.locator(".no-result")).to_have_text("Loading…")
    page.keyboard.press("Enter")
    taps[0].mute = False
    expect(page).to_have_url(re.compile(f"{path}$"))


@pytest.mark.parametrize(("typed", "path", "is_down"), [
    ("xbteur", "/book/BTC%2FEUR", False), ("AAPLx/USD", "/book/AAPLx%2FUSD", False), ("foo/bar", "/book/FOO%2FBAR", True)])
def test_enter_waits_for_the_venues_own_list_rather_than_open_a_guess(open_page, typed, path, is_down):
    taps, sent = [], []

    def without_listing(message):
        """As a server that has not received a venue's own list yet."""
        for item in list(message.get("topics", [])):
            if item.get("topic") == "markets" and "patch" in item:
                message["topics"].remove(item)
            elif item.get("topic") == "markets":
                item.pop("document", None)
                item["snapshot"] = {"freshness": {"state": "waiting", "origin": "simulated"}, "rows": []}
                sent.append(item)
        return message

    def setup(page):
        taps.append(Tap(page))
        # The page waits 5 s for a list. A slow machine takes longer to send it, so the page's clock is slower.
        if not is_down:
            page.add_init_script("{ const now = performance.now.bind(performance); performance.now = () => now() / 100; }")

    page = open_page("/products", setup=setup)
    taps[0].change = without_listing
    page.keyboard.press("/")
    page.get_by_role("combobox", name="Search").fill(typed)
    wait_until(page, lambda: sent)
    page.evaluate("async () => { for (let at = 0; at < 9; at += 1) await new Promise(requestAnimationFrame); }")
    page.keyboard.press("Enter")
    # Without a slower clock, the wait may be over before this looks.
    if not is_down:
        expect(page).to_have_url(re.compile("/products$"))
        taps[0].change = None
        taps[0].cut()
    expect(page).to_have_url(re.compile(f"{path}$"))


def test_a_row_is_pointed_at_however_late_its_screen_comes(open_page):
    held = []
    page = open_page(
        "/stocks/US0378331005", setup=lambda page: page.route("**/lazy-*.js", lambda route: held.append(route)))
    wait_until(page, lambda: held)
    page.evaluate("async () => { for (let at = 0; at < 90; at += 1) await new Promise(requestAnimationFrame); }")
    held[0].continue_()
    expect(page.locator("[data-row=US0378331005]")).to_be_focused()


def test_what_could_not_be_loaded_is_told_and_comes_with_the_next_press(open_page):
    page = open_page("/book/XBTUSD", setup=lambda page: page.route("**/lazy-*.js", lambda route: route.abort()))
    page.keyboard.press("?")
    expect(page.locator(".toast")).to_contain_text("Livetape was updated. Reload to continue.")
    page.unroute("**/lazy-*.js")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Help")).to_be_visible()


def test_digits_change_the_tab_and_a_question_mark_opens_help(open_page):
    page = open_page("/book/XBTUSD")
    page.keyboard.press("3")
    expect(page).to_have_url(re.compile("/trades/XBTUSD$"))
    page.keyboard.press("1")
    expect(page.get_by_role("tab", name="Chart")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Help")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Help")).to_be_hidden()


def test_with_reduced_motion_arrows_carry_the_change_alone(open_page):
    page = open_page("/feed", reduced_motion="reduce")
    page.wait_for_selector(".feed-rows .flash")
    name = page.locator(".feed-rows .price").first.evaluate("(element) => getComputedStyle(element).animationName")
    assert name == "none"
    expect(page.locator(".feed-rows .arrow:not(:empty)").first).to_be_visible()


def test_a_patch_is_merged_as_the_standard_says(glance):
    page = glance("/products")
    wrong = page.evaluate("""async () => {
      const { mergePatch } = await import("/assets/link/topics.js");
      const cases = [
        [{a: "b"}, {a: "c"}, {a: "c"}], [{a: "b"}, {b: "c"}, {a: "b", b: "c"}], [{a: "b"}, {a: null}, {}],
        [{a: "b", b: "c"}, {a: null}, {b: "c"}], [{a: ["b"]}, {a: "c"}, {a: "c"}], [{a: "c"}, {a: ["b"]}, {a: ["b"]}],
        [{a: {b: "c"}}, {a: {b: "d", c: null}}, {a: {b: "d"}}], [{a: [{b: "c"}]}, {a: [1]}, {a: [1]}],
        [["a", "b"], ["c", "d"], ["c", "d"]], [{a: "b"}, ["c"], ["c"]], [{a: "foo"}, null, null], [{a: "foo"}, "bar", "bar"],
        [{e: null}, {a: 1}, {e: null, a: 1}], [[1, 2], {a: "b", c: null}, {a: "b"}], [{}, {a: {bb: {ccc: null}}}, {a: {bb: {}}}],
      ];
      return cases.filter(([target, patch, expected]) => JSON.stringify(mergePatch(target, patch)) !== JSON.stringify(expected));
    }""")
    assert wrong == []


def test_what_a_patch_leaves_alone_stays_the_same_object(glance):
    page = glance("/products")
    assert page.evaluate("""async () => {
      const { mergePatch } = await import("/assets/link/topics.js");
      const before = { rows: { a: { price: "1" }, b: { price: "2" } } };
      const after = mergePatch(before, { rows: { a: { price: "3" } } });
      const poison = mergePatch({}, JSON.parse('{"__proto__":{"price":"9"}}'));
      return after.rows.b === before.rows.b && before.rows.a.price === "1" && ({}).price === undefined
        && Object.keys(poison).length === 1;
    }""")


def test_exact_digits_reach_the_screen(glance):
    page = glance("/products")
    shown = page.evaluate("""async () => {
      const { number, money, percent } = await import("/assets/text/format.js");
      return [number("9007199254740993.1"), money("0.1", "USD", 2), money("1.005", "USD", 2), percent("50"),
        percent("-2.94"), money(undefined, "USD", 2), money("7", "not a currency", 2), number("12e9")];
    }""")
    assert shown == ["9,007,199,254,740,993.1", "$0.10", "$1.01", "+50.00%", "\u22122.94%", "–", "7.00 not a currency", "–"]


NONSENSE = [
    "", "not json", "null", "[]", "7", '{"topics":7}', '{"topics":[null,7,{}],"now":1}',
    '{"frame":1,"now":1,"topics":[{"topic":"no/such","seq":1,"snapshot":{"price":"1"}}]}',
    '{"frame":1,"now":1,"topics":[{"topic":"feed","seq":"x","patch":{}}]}',
    '{"error":{"code":"unknown_topic","message":"no/such"}}', '{"pong":1}',
    '{"frame":1,"now":1,"topics":[{"topic":"feed","seq":1,"patch":' + '{"a":' * 50 + "1" + "}" * 50 + "}]}",
    '{"topics":"' + "x" * (5 * 1024 * 1024) + '"}',
]


def test_a_message_that_makes_no_sense_breaks_nothing(open_page):
    taps = []
    page = open_page("/feed", setup=lambda page: taps.append(Tap(page)))
    expect(page.locator(".feed-rows > li")).to_have_count(25)
    for message in NONSENSE:
        tries, began = taps[0].connections, time.monotonic()
        taps[0].say(message)
        expect(page.locator(".feed-rows .price[data-dimmed]")).to_have_count(0)
        page.wait_for_selector(".feed-rows .flash")
        expect(page.locator(".feed .connection")).to_have_text("connected")
        # After five seconds without a message the page reconnects, as it should.
        assert taps[0].connections == tries or time.monotonic() - began > 4, message[:80]


def test_a_missing_patch_opens_the_topic_again(open_page):
    taps = []
    page = open_page("/exchange", setup=lambda page: taps.append(Tap(page)))
    settle(page, "/exchange")
    taps[0].from_page.clear()

    def drop_one(message):
        if any(item["topic"] == "exchange" for item in message.get("topics", [])):
            taps[0].change = None
            return None
        return message

    taps[0].change = drop_one
    wait_until(page, lambda: any("exchange" in said.get("open", []) for said in taps[0].from_page))
    page.wait_for_function("() => document.querySelector('.exchange .note').dataset.state === 'live'")
    page.wait_for_selector(".price.big.flash")


def test_text_from_a_venue_never_becomes_markup(open_page):
    def evil(message):
        for item in message.get("topics", []):
            if item["topic"] == "symbol/AAPL" and "snapshot" in item:
                item["snapshot"]["name"] = "<img src=x onerror=alert(1)>"
                item["snapshot"]["description"] = "<b>bold</b>"
        return message

    def setup(page):
        Tap(page).change = evil

    page = open_page("/symbol/AAPL", setup=setup)
    expect(page.locator(".prose")).to_have_text("<b>bold</b>")
    expect(page.locator(".card-sub")).to_have_text("<img src=x onerror=alert(1)>")
    expect(page.locator("main img, main b")).to_have_count(0)


def test_the_page_asks_nobody_else_for_anything(open_page, address):
    asked = []
    page = open_page("/feed", setup=lambda page: page.on("request", lambda request: asked.append(request.url)))
    settle(page, "/feed")
    assert [url for url in asked if not url.startswith(address)] == []


def test_ages_and_doubts_are_told_as_the_apps_tell_them(open_page):
    page = open_page("/feed")
    ages, order = page.evaluate("""async () => {
      const { ago, severity } = await import("/assets/text/words.js");
      const { FRESHNESS } = await import("/assets/text/vocabulary.js");
      const states = ["stopped", ...Object.keys(FRESHNESS)].sort((a, b) => severity(a) - severity(b));
      return [[0, 999, 1000, 119_999, 120_000, 7_199_999, 7_200_000, 172_799_999, 172_800_000].map(ago), states];
    }""")
    assert ages == ["just now", "just now", "1 s ago", "119 s ago", "2 min ago", "119 min ago", "2 h ago", "47 h ago", "2 days ago"]
    assert order == ["stopped", "live", "closed", "late", "stale", "resyncing", "waiting", "queued", "disconnected"]
