"""The chart's history: loading, caching and labels, against a server with scripted history."""

import datetime
import re
import urllib.parse

import pytest
from playwright.sync_api import expect

from test_chart import DOWN, UP, drawn, frame, harness, pages, pixels, plot, view  # noqa: F401
from watching import wait_until

pytestmark = pytest.mark.thorough

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
# The end of the last committed minute: some minutes after 09:00 UTC.
NOW = 1_790_154_300_000 // HOUR * HOUR + 9 * MINUTE
WARN, MUTED = (243, 181, 79), (155, 165, 180)  # --warn and --muted of the dark theme
VENUE, TRADES, SEEN = 0, 1, 2
PROVEN, CONTRADICTED = 1, 2


def row(start, price=450_000, *, count=3, missing=0, source=VENUE, proof=0, span=(0, 0)):
    """A candle that opens at a price and closes `span[1]` above it; its low is `span[0]` below it."""
    low, high = price - span[0], price + span[1]
    return [start, price, max(high, price), min(low, price), high, 5 if count else 0, count, missing, source, proof]


def minutes(count, last=NOW):
    """Committed minutes up to `last` and the forming one that starts there."""
    committed = [row(last - (count - index) * MINUTE, 450_000 + index * 10, span=(5, 8)) for index in range(count)]
    return [*committed, row(last, 460_000, source=TRADES, span=(5, 8))]


class Past:
    """The server's data, `rows[interval]`, and its responses."""

    def __init__(self, rows, **more):
        self.rows, self.more, self.asked, self.fails, self.held = rows, more, [], False, None
        # How many candles a first response has; the `limit` of each request.
        self.most, self.limits = 721, []

    def __call__(self, route):
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(route.request.url).query))
        interval, before = int(query["interval"]), int(query.get("before", 0))
        self.asked.append((interval, before))
        self.limits.append(query.get("limit"))
        if self.held is not None:
            self.held.append(route)
        elif self.fails:
            route.fulfill(status=503)
        else:
            self.answer(route, interval, before)

    def answer(self, route, interval, before=0):
        rows = self.rows.get(interval, [])
        if before:
            rows = [each for each in rows if each[0] < before][-1000:]
            has_older = bool(rows) and rows[0][0] > self.rows[interval][0][0]
        else:
            has_older = len(rows) > self.most
            rows = rows[-self.most:]
        route.fulfill(json={"interval": interval, "priceScale": 2, "quantityScale": 0, "lastArrival": 1000, "status": "ready",
                            "hasOlder": has_older, "mismatches": 0, "contradicted": [], "gaps": [], "candles": rows, **self.more})

    def release(self):
        held, self.held = self.held, None
        for route in held:
            query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(route.request.url).query))
            self.answer(route, int(query["interval"]), int(query.get("before", 0)))


@pytest.fixture
def chart(harness):  # noqa: F811
    """Opens a chart of a history."""

    def open_chart(past, interval=MINUTE, now=NOW + 20_000, **options):
        page = harness("{ interval: %d, now: () => %d, load: harness.historyLoader('kraken', 'BTC/USD') }" % (interval, now),
                       count=0, setup=lambda page: page.route("**/history/kraken/**", past), **options)
        page.evaluate("""() => {
            window.feed = new harness.ChartFeed(chart);
            window.tell = (history, ticks = [], more = {}) => feed.update(
                { priceScale: 2, priceDecimals: 2, quantityScale: 0, ticks, history }, { state: "live", dimmed: false, ...more }, { now: %d });
        }""" % now)
        return page

    return open_chart


def told(page):
    """The visible words of the legend."""
    frame(page)
    shown = page.locator(".chart-legend > span:visible")
    expect(shown.first).not_to_be_empty()
    return shown.all_text_contents()


def spoken(page):
    return page.locator(".chart-surface").get_attribute("aria-valuetext")


def choose(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def hours_without_answer(page, past):
    """Requests candles of an hour; the test sends their response, all others are sent at once."""
    past.held = []
    choose(page, "1 hour")
    wait_until(page, lambda: len(past.held) == 1)
    late, past.held = past.held, None
    return late[0]


def test_committed_candles_and_the_forming_one_are_there_at_once(chart):
    past = Past({MINUTE: minutes(720)})
    page = chart(past)
    drawn(page, 721)
    assert past.asked == [(MINUTE, 0)]
    assert view(page)["interval"] == MINUTE and view(page)["followsLive"]
    expect(page.locator(".chart-status")).to_be_hidden()
    assert "built from trades" in told(page)


def test_each_interval_is_loaded_and_the_old_picture_stays_until_it_came(chart):
    past = Past({MINUTE: minutes(720), HOUR: [row(NOW // HOUR * HOUR - index * HOUR) for index in range(200, -1, -1)]})
    page = chart(past)
    drawn(page, 721)
    past.held = []
    choose(page, "1 hour")
    wait_until(page, lambda: past.asked[-1] == (HOUR, 0))
    frame(page)
    assert view(page)["count"] == 721 and view(page)["interval"] == MINUTE
    expect(page.locator(".chart-status")).to_have_text("Loading candles of 1 hour…")
    expect(page.get_by_role("button", name="1 hour", exact=True)).to_have_attribute("aria-pressed", "true")
    past.release()
    drawn(page, 201)
    assert view(page)["interval"] == HOUR and view(page)["followsLive"]
    expect(page.locator(".chart-status")).to_be_hidden()


def test_an_answer_that_comes_too_late_is_not_shown(chart):
    past = Past({MINUTE: minutes(300), HOUR: [row(NOW // HOUR * HOUR)], 5 * MINUTE: [row(NOW // HOUR * HOUR), row(NOW // HOUR * HOUR + 5 * MINUTE)]})
    page = chart(past)
    drawn(page, 301)
    late = hours_without_answer(page, past)
    choose(page, "5 minutes")
    drawn(page, 2)
    past.answer(late, HOUR)
    frame(page)
    assert view(page)["count"] == 2 and view(page)["interval"] == 5 * MINUTE


def test_who_goes_back_before_the_answer_came_stays_there(chart):
    past = Past({MINUTE: minutes(300), HOUR: [row(NOW // HOUR * HOUR)]})
    page = chart(past)
    drawn(page, 301)
    late = hours_without_answer(page, past)
    choose(page, "1 minute")
    with page.expect_response(lambda answer: f"interval={HOUR}" in answer.url):
        past.answer(late, HOUR)
    frame(page)
    assert view(page)["count"] == 301 and view(page)["interval"] == MINUTE
    expect(page.get_by_role("button", name="1 minute", exact=True)).to_have_attribute("aria-pressed", "true")


def test_scrolling_left_loads_more_and_nothing_jumps(chart):
    past = Past({MINUTE: minutes(3000)})
    page = chart(past)
    drawn(page, 721)
    page.locator(".chart-surface").focus()
    past.held = []
    page.evaluate("chart.surface.dispatchEvent(new KeyboardEvent('keydown', { key: 'Home', bubbles: true }))")
    wait_until(page, lambda: len(past.held) == 1)
    before = view(page)
    expect(page.locator(".chart-legend")).to_be_visible()
    words = told(page)
    past.release()
    drawn(page, 1721)
    after = view(page)
    assert (after["left"], after["right"]) == (before["left"], before["right"])
    assert told(page) == words, "the crosshair stays on its candle"
    assert past.asked[1] == (MINUTE, past.rows[MINUTE][-721][0])
    page.keyboard.press("Home")
    drawn(page, 2721)
    page.keyboard.press("Home")
    drawn(page, 3001)
    page.keyboard.press("Home")
    frame(page)
    asked = len(past.asked)
    page.keyboard.press("Home")
    page.wait_for_timeout(300)
    assert len(past.asked) == asked, "there is nothing older"


def test_a_first_answer_is_no_more_than_is_drawn_and_panned(chart):
    past = Past({MINUTE: minutes(3000)})
    past.most = 320
    page = chart(past)
    drawn(page, 320)
    page.wait_for_timeout(300)
    assert past.limits == ["320"] and past.asked == [(MINUTE, 0)], "a screen and more to pan is there"
    shown = view(page)
    assert shown["left"] - (shown["right"] - shown["left"]) >= past.rows[MINUTE][-320][0]
    page.locator(".chart-surface").press("Home")
    drawn(page, 1320)
    assert past.limits == ["320", None]


@pytest.mark.thorough
@pytest.mark.parametrize("study, candles", [("Moving average", "200"), ("Exponential average", "200"), ("VWAP", None)])
def test_a_study_asks_for_the_candles_that_it_needs_and_no_more(chart, study, candles):
    past = Past({MINUTE: minutes(3000)})
    past.most = 250
    page = chart(past, timezone_id="UTC")
    drawn(page, 250)
    assert len(past.asked) == 1
    choose(page, "Studies")
    if candles:
        page.get_by_label(f"{study}, candles").select_option(candles)
    else:
        page.get_by_label(study).check()
    drawn(page, 1250)
    page.wait_for_timeout(300)
    assert past.asked[1:] == [(MINUTE, past.rows[MINUTE][-250][0])]
    # The day began 9 hours ago: the volume profile covers all of it and shows no start time.
    expect(page.locator(".legend-study:visible")).not_to_contain_text(re.compile("09:|since .*0[1-9]:"))


def test_a_hole_behind_what_was_scrolled_to_is_never_kept(chart):
    past = Past({MINUTE: minutes(2000)}, revision=7)
    page = chart(past)
    drawn(page, 721)
    page.evaluate("tell({ revision: 7, status: 'ready' })")
    page.locator(".chart-surface").press("Home")
    drawn(page, 1721)
    page.evaluate("chart.backToLive()")
    # The page slept for longer than a first response covers.
    past.rows[MINUTE] = minutes(3000, NOW + 900 * MINUTE)
    past.more["revision"] = 9
    page.evaluate("tell({ revision: 9, status: 'ready' })")
    drawn(page, 721)
    page.locator(".chart-surface").press("Home")
    drawn(page, 1721)
    assert past.asked[-1] == (MINUTE, past.rows[MINUTE][-721][0])


@pytest.mark.thorough
def test_older_candles_that_fail_say_so(chart):
    past = Past({MINUTE: minutes(2000)})
    page = chart(past)
    drawn(page, 721)
    past.fails = True
    page.locator(".chart-surface").focus()
    page.keyboard.press("Home")
    page.keyboard.press("-")
    expect(page.locator(".chart-status")).to_have_text("Older candles could not be loaded. Trying again…")
    assert view(page)["count"] == 721
    past.fails = False
    drawn(page, 1721)
    expect(page.locator(".chart-status")).to_be_hidden()


def test_another_revision_loads_again_and_keeps_what_was_scrolled_to(chart):
    past = Past({MINUTE: minutes(2000)}, revision=7)
    page = chart(past)
    drawn(page, 721)
    page.evaluate("tell({ revision: 7, status: 'ready' })")
    page.locator(".chart-surface").focus()
    page.keyboard.press("Home")
    drawn(page, 1721)
    page.evaluate("chart.backToLive()")
    asked = len(past.asked)
    past.more["revision"] = 9
    past.rows[MINUTE][-2][9] = PROVEN
    past.rows[MINUTE][-2][8] = TRADES
    page.evaluate("for (const revision of [8, 9]) tell({ revision, status: 'ready' })")
    wait_until(page, lambda: len(past.asked) == asked + 1)
    frame(page)
    assert view(page)["count"] == 1721
    page.wait_for_timeout(1200)
    assert len(past.asked) == asked + 1, "two revisions, and the history that came has the latest"
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".legend-source")).to_have_text("✓ proven from trades")
    assert "proven from trades" in spoken(page)


CASES = {
    "whole": (row(NOW), ["venue"], "up, open"),
    "proven": (row(NOW, source=TRADES, proof=PROVEN), ["✓ proven from trades"], "proven from trades"),
    "trades": (row(NOW, source=TRADES), ["built from trades"], "built from trades"),
    "seen": (row(NOW, source=SEEN), ["live"], "live"),
    # 20 s of its minute have passed: the remaining part was not observed either.
    "part": (row(NOW, missing=8_000), ["20% seen"], "20% seen"),
    "little": (row(NOW, missing=59_999), ["under 1% seen"], "under 1% seen"),
    "silent": (row(NOW, count=0), ["no trade", "venue"], "no trade, price 4,500.00"),
}


@pytest.mark.thorough
@pytest.mark.parametrize("case", CASES)
def test_the_legend_says_where_a_candle_comes_from(chart, case):
    last, words, sentence = CASES[case]
    if last[6]:
        last = [*last[:2], last[2] + 10, last[3], last[4] + 10, *last[5:]]
    page = chart(Past({MINUTE: [*minutes(30)[:-1], last]}))
    drawn(page, 31)
    shown = told(page)
    for word in words:
        assert word in shown, shown
    whole = last[7] == 0 and last[6] > 0
    assert any("1m candle" in each for each in shown) == whole, "a change is shown of whole candles only"
    assert sentence in spoken(page) and ("up," in spoken(page)) == whole


def test_a_contradicted_candle_shows_both_figures(chart):
    rows = minutes(30)
    rows[-1] = row(NOW, 450_000, source=TRADES, proof=CONTRADICTED, span=(10, 20))
    venue = [NOW, 450_000, 450_050, 449_990, 450_020, 7, 4]
    page = chart(Past({MINUTE: rows}, contradicted=[venue, None, [1, 2], "x"], mismatches=1))
    drawn(page, 31)
    expect(page.locator(".legend-source")).to_have_text("≠ venue")
    expect(page.locator(".chart-status")).to_have_text("◆ The venue’s candle differs from its trades.")
    expect(page.locator(".legend-venue")).to_have_text("venue: O 4,500.00 H 4,500.50 L 4,499.90 C 4,500.20 V 7, 4 trades")
    assert page.locator(".chart-legend .legend-field b").all_text_contents()[:4] == ["4,500.00", "4,500.20", "4,499.90", "4,500.20"]
    assert "not what the venue says" in spoken(page) and "4,500.50" in spoken(page)
    assert pixels(page, WARN, 700, 930) > 10, "a diamond above it"


def test_a_candle_seen_in_part_is_dashed_and_hollow_and_one_without_trades_is_a_dash(chart):
    shape = {"span": (0, 400)}
    rows = [row(NOW - 3 * MINUTE, 450_000, **shape), row(NOW - 2 * MINUTE, 450_000, missing=30_000, **shape),
            row(NOW - MINUTE, 450_050, count=0), row(NOW, 450_000, **shape)]
    page = chart(Past({MINUTE: rows}))
    drawn(page, 4)
    # All candles have equal width.
    shown = view(page)
    width = page.evaluate("document.querySelector('.cross-price').style.minWidth || '66px'")
    canvas = page.evaluate("document.querySelector('.chart-canvas').width")
    plot_width = canvas - 60 if not width else canvas - 64
    middle = [int((each[0] + MINUTE / 2 - shown["left"]) / (shown["right"] - shown["left"]) * plot_width) for each in rows]
    room = int(MINUTE / (shown["right"] - shown["left"]) * plot_width) // 2

    def seen(index, colour, **box):
        return pixels(page, colour, middle[index] - room, middle[index] + room, **box)

    bottom = int(plot(page)["height"] - 100)
    whole, partial = seen(0, UP, bottom=bottom), seen(1, UP, bottom=bottom)
    assert 0.3 * whole < partial < 0.8 * whole, (whole, partial)
    # Below the line of the live price.
    top = int(plot(page)["height"] / 2)
    assert seen(2, UP, top=top, bottom=bottom) + seen(2, DOWN, top=top, bottom=bottom) == 0
    assert 2 <= seen(2, MUTED, top=top, bottom=bottom) <= 12


def test_a_history_that_can_not_be_reached_says_so_and_live_goes_on(chart):
    past = Past({MINUTE: [row(NOW, missing=20_000, source=SEEN)]}, status="failed", seenSince=NOW + 20_000)
    page = chart(past)
    drawn(page, 1)
    page.evaluate("tell({ revision: 1, status: 'failed' })")
    expect(page.locator(".chart-status")).to_have_text("The venue’s history can’t be reached. Live prices go on.")
    page.evaluate("t => tell({ revision: 1, status: 'failed', problem: 'Kraken refuses: too many requests.' }, [[1001, t, 460000, 2]])", NOW + 30_000)
    expect(page.locator(".chart-status")).to_have_text("Kraken refuses: too many requests.")
    expect(page.locator(".legend-field b").nth(3)).to_have_text("4,600.00")
    page.evaluate("tell({ revision: 1, status: 'ready' })")
    expect(page.locator(".chart-status")).to_be_hidden()


def test_a_day_of_which_two_minutes_were_seen_says_since_when_and_has_no_change(chart):
    day = NOW // DAY * DAY
    opened = NOW - 2 * MINUTE
    past = Past({DAY: [row(day, missing=opened - day, source=SEEN, span=(20, 40))]}, status="failed", seenSince=opened)
    page = chart(past, interval=DAY)
    drawn(page, 1)
    expect(page.locator(".legend-since")).to_have_text(re.compile(r"^since \d\d:07$"))
    expect(page.locator(".legend-change")).to_be_hidden()
    assert not re.search(r"\b(up|down|unchanged)\b", spoken(page)) and "seen since" in spoken(page)
    page.evaluate("t => tell({ revision: 1, status: 'failed' }, [[1001, t, 470000, 2]])", NOW + 10_000)
    expect(page.locator(".legend-field b").nth(3)).to_have_text("4,700.00")
    expect(page.locator(".legend-change")).to_be_hidden()
    expect(page.locator(".legend-since")).to_be_visible()
    body = pixels(page, UP, 0, 930, bottom=int(plot(page)["height"] - 100))
    assert 0 < body, "it is drawn"


def test_a_tick_after_silent_minutes_leaves_dashes_and_no_holes(chart):
    page = chart(Past({MINUTE: minutes(30)}))
    drawn(page, 31)
    page.evaluate("t => tell({ revision: 1, status: 'ready' }, [[1001, t, 460500, 2]])", NOW + 3 * MINUTE + 5000)
    drawn(page, 34)
    page.locator(".chart-surface").focus()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    assert "no trade" in told(page) and "no trade, price 4,600.08" in spoken(page)


def test_an_interval_that_does_not_come_is_folded_and_said(chart):
    past = Past({MINUTE: minutes(720)})
    page = chart(past)
    drawn(page, 721)
    past.fails = True
    choose(page, "15 minutes")
    expect(page.locator(".chart-status")).to_contain_text("could not be loaded. Trying again…")
    wait_until(page, lambda: view(page)["interval"] == 15 * MINUTE)
    assert view(page)["count"] == 721


@pytest.mark.parametrize("broken", [
    {"interval": HOUR}, {"candles": "x"}, {"candles": None, "interval": None}])
def test_a_history_that_is_none_is_not_drawn(chart, broken):
    past = Past({MINUTE: minutes(30)}, **broken)
    page = chart(past)
    expect(page.locator(".chart-note")).to_contain_text("could not be loaded")
    past.more = {}
    page.get_by_role("button", name="Retry").click()
    drawn(page, 31)


def test_rows_that_can_not_be_are_left_out(chart):
    good = minutes(30)
    rows = [*good[:10], good[9], good[3], [*good[10][:7], -1, 0, 0], [*good[11][:8], 9, 0], [*good[12][:8], 0, 9],
            [*good[13][:7], 60_001, 0, 0], [good[14][0], 5, 9, 4, 6, 1, 0, 0, 0, 0], [*good[15][:6], None, 0, 0, 0], *good[16:]]
    page = chart(Past({MINUTE: rows}, gaps=[None, ["a"], [5]], contradicted="x", seenSince="y", revision="z", status=4))
    drawn(page, 25)


def test_times_are_the_readers_and_utc_by_choice(chart):
    page = chart(Past({MINUTE: minutes(30)}), timezone_id="Asia/Kolkata")
    drawn(page, 31)
    expect(page.locator(".legend-time")).to_have_text(re.compile("14:39$"))
    name = "import('/assets/text/zone.js').then(({ zoneName }) => zoneName(%d))" % NOW
    assert page.evaluate(name) == "UTC+5:30"
    page.evaluate("import('/assets/text/preferences.js').then(({ choose }) => choose('zone', 'utc'))")
    expect(page.locator(".legend-time")).to_have_text(re.compile("09:09$"))
    assert page.evaluate(name) == "UTC"
    assert page.evaluate("localStorage.getItem('livetape.zone')") == "utc"
    assert page.evaluate("import('/assets/text/format.js').then(({ clockTime }) => clockTime(%d))" % NOW) == "09:09:00"


def go_to(page, text):
    page.locator(".chart-surface").press("g")
    page.get_by_label("Date and time").fill(text)
    page.get_by_role("button", name="Go", exact=True).click()


def middle(page):
    frame(page)
    return (view(page)["left"] + view(page)["right"]) / 2


def utc(time):
    return datetime.datetime.fromtimestamp(time / 1000, datetime.UTC).strftime("%Y-%m-%dT%H:%M")


def test_a_date_is_shown_in_the_middle_once_its_candles_are_loaded(chart):
    past = Past({MINUTE: minutes(4000)})
    page = chart(past, timezone_id="UTC")
    drawn(page, 721)
    wanted = NOW - 3500 * MINUTE
    go_to(page, utc(wanted))
    expect(page.locator(".chart-date")).to_be_hidden()
    wait_until(page, lambda: abs(middle(page) - wanted) < 3 * MINUTE)
    assert not view(page)["followsLive"]
    assert "4,550.00" in " ".join(told(page)), "the legend has the candle of that minute"
    expect(page.get_by_role("button", name="Back to live")).to_be_visible()


def test_a_date_before_all_candles_shows_the_oldest_and_says_so(chart):
    past = Past({MINUTE: minutes(1500)})
    page = chart(past, timezone_id="UTC")
    drawn(page, 721)
    go_to(page, utc(NOW - 900_000 * MINUTE))
    expect(page.locator(".chart-hint")).to_contain_text("The oldest candle is of")
    wait_until(page, lambda: view(page)["left"] <= NOW - 1500 * MINUTE)


def test_a_date_is_read_in_the_zone_of_the_times(chart):
    past = Past({MINUTE: minutes(720)})
    page = chart(past, timezone_id="Asia/Kolkata")
    drawn(page, 721)
    wanted = NOW - 300 * MINUTE
    go_to(page, utc(wanted + 330 * MINUTE))
    wait_until(page, lambda: abs(middle(page) - wanted) < 3 * MINUTE)
