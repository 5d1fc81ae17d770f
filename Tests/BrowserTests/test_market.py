"""OB2 to OB6: the tabs, the order book and the recent trades."""

import re

import pytest
from playwright.sync_api import expect

from live import Tap
from measures import COVERED, nothing
from watching import CLASS_SPANS, follow, is_sorted, numbers, wait_until

BIDS, ASKS = ".bids .level:not([data-empty])", ".asks .level:not([data-empty])"


def test_twenty_bids_left_and_twenty_asks_right_best_first(glance):
    page = glance("/book/XBTUSD")
    expect(page.locator(BIDS)).to_have_count(20)
    expect(page.locator(ASKS)).to_have_count(20)
    page.wait_for_function(is_sorted(f"{BIDS} .level-price", -1))
    page.wait_for_function(is_sorted(f"{ASKS} .level-price", 1))
    assert page.locator(".bids").bounding_box()["x"] < page.locator(".asks").bounding_box()["x"]
    best = page.evaluate("""() => [".bids", ".asks"].map((side) =>
      Number(document.querySelector(side + " .level-price").textContent.replace(/[^0-9.]/g, "")))""")
    assert best[0] < best[1]


def test_the_columns_are_quantity_price_price_quantity(glance):
    page = glance("/book/XBTUSD")
    expect(page.locator(BIDS)).to_have_count(20)
    expect(page.locator(".book-heads .head")).to_have_text(["Qty", "Price (USD)", "Price (USD)", "Qty"])
    lefts = page.evaluate("""() => [".bids .size", ".bids .level-price", ".asks .level-price", ".asks .size"]
      .map((cell) => document.querySelector(cell).getBoundingClientRect().left)""")
    assert lefts == sorted(lefts)


def test_all_rows_have_the_same_height(glance):
    page = glance("/book/XBTUSD")
    expect(page.locator(BIDS)).to_have_count(20)
    heights = page.evaluate("() => [...document.querySelectorAll('.level')].map((row) => row.offsetHeight)")
    assert len(set(heights)) == 1


# How much of a row each side of the ladder cuts off, and whether the best rows are next to the middle.
LADDER = """() => {
  const box = (selector) => document.querySelector(selector).getBoundingClientRect();
  const [asks, middle, bids] = [".asks", ".book-mid", ".bids"].map(box);
  const row = document.querySelector(".level").offsetHeight;
  return { cut: [asks.height % row, bids.height % row], rows: Math.round(bids.height / row),
    gaps: [middle.top - box(".asks .level").bottom, box(".bids .level").top - middle.bottom] };
}"""


def test_a_column_has_the_asks_above_the_bids_and_whole_rows_only(open_page, desktop):
    page = open_page("/book/XBTUSD", viewport=desktop)
    expect(page.locator(".book[data-shape=ladder]")).to_be_visible()
    expect(page.locator(BIDS)).to_have_count(20)
    page.wait_for_function(f"""() => {{
      const {{ cut, rows, gaps }} = ({LADDER})();
      return rows >= 5 && [...cut, ...gaps].every((pixels) => Math.abs(pixels) < 0.1);
    }}""")
    # Scrolling reaches each side's last row, and the middle stays.
    for side in ("asks", "bids"):
        page.locator(f".{side} .level").last.scroll_into_view_if_needed()
        expect(page.locator(f".{side} .level").last).to_be_in_viewport(ratio=1)
        expect(page.locator(".book-mid")).to_be_in_viewport(ratio=1)


def test_a_shape_is_chosen_by_hand_and_remembered(open_page):
    page = open_page("/book/XBTUSD")
    expect(page.locator(".book[data-shape=sides]")).to_be_visible()
    page.get_by_label("Book view").select_option("Ladder")
    expect(page.locator(".book[data-shape=ladder] .bids")).to_be_visible()
    page.reload()
    expect(page.locator(".book[data-shape=ladder] .bids")).to_be_visible()
    expect(page.locator(BIDS)).to_have_count(20)
    page.wait_for_function(is_sorted(f"{BIDS} .level-price", -1))


def test_prices_are_grouped_by_a_step_of_the_instrument(open_page):
    page = open_page("/book/XBTUSD")
    group = page.get_by_label("Price grouping")
    expect(group.locator("option").first).to_have_text("0.1")
    group.select_option(label="25")
    prices = """() => [".bids", ".asks"].map((side) => [...document.querySelectorAll(side + " .level:not([data-empty]) .level-price")]
      .map((cell) => Number(cell.textContent.replace(/[^0-9.]/g, ""))))"""
    page.wait_for_function(f"() => ({prices})().every((side) => side.length > 0 && side.every((price) => price % 25 === 0))")
    bids, asks = page.evaluate(prices)
    assert bids == sorted(set(bids), reverse=True) and asks == sorted(set(asks)) and bids[0] <= asks[0]
    # The spread is the book's own, not that of the rows.
    expect(page.locator(".spread")).to_have_text(re.compile(r"^Spread \d\.\d$"))
    page.reload()
    expect(group).to_have_value("250")
    page.wait_for_function(f"() => ({prices})().every((side) => side.length > 0 && side.every((price) => price % 25 === 0))")


def test_who_goes_back_before_the_other_grouping_came_keeps_the_book(open_page):
    taps, other = [], "book/XBTUSD?group=250"

    def without_the_other(message):
        return {**message, "topics": [each for each in message.get("topics", []) if each["topic"] != other]}

    def named(key):
        return [name for message in taps[0].from_page for name in message.get(key, [])]

    page = open_page("/book/XBTUSD", setup=lambda page: taps.append(Tap(page)))
    group = page.get_by_label("Price grouping")
    expect(group.locator("option").first).to_have_text("0.1")
    taps[0].change = without_the_other
    group.select_option(label="25")
    wait_until(page, lambda: other in named("open"))
    group.select_option(label="0.1")
    wait_until(page, lambda: other in named("close"))
    assert "book/XBTUSD" not in named("close")
    expect(page.locator(".panel.book .note").first).to_have_attribute("data-state", "live")


def test_the_last_price_in_the_book_is_that_of_the_headline(open_page):
    page = open_page("/book/XBTUSD")
    expect(page.locator(".book-last .number")).to_have_text(re.compile(r"\d"))
    page.evaluate("""() => {
      window.differ = 0;
      const text = (selector) => document.querySelector(selector).textContent;
      const look = () => {
        if (text(".book-last .number") !== text(".headline-price .number")) window.differ += 1;
        window.looks = (window.looks ?? 0) + 1;
        requestAnimationFrame(() => setTimeout(look));
      };
      requestAnimationFrame(() => setTimeout(look));
    }""")
    page.wait_for_function("() => window.looks > 60")
    assert page.evaluate("() => window.differ") == 0


def test_a_level_says_what_it_costs_to_get_there(open_page):
    page = open_page("/book/BTC%2FUSD")
    expect(page.locator(ASKS)).to_have_count(20)
    page.locator(".asks .level").nth(3).hover()
    expect(page.locator(".reach")).to_have_text(re.compile(r"^Sum [\d.,]+ BTC, average at most [\d.,]+$"))
    expect(page.locator(".reach-cost")).to_have_text(re.compile(r"^costs at most [\d.,]+ USD$"))
    assert page.locator(".level[data-within]").count() == 4
    page.locator(".bids .level").nth(1).hover()
    expect(page.locator(".reach-cost")).to_have_text(re.compile(r"^brings at least [\d.,]+ USD$"))
    page.locator(".tabs").hover()
    expect(page.locator(".balance")).to_be_visible()
    expect(page.locator(".share-bids")).to_have_text(re.compile(r"^\d+% bids$"))


def test_the_keyboard_walks_the_levels_and_the_depth(open_page):
    page = open_page("/book/XBTUSD")
    expect(page.locator(ASKS)).to_have_count(20)
    page.locator(".book .pane-body").focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    expect(page.locator(".asks .level:focus")).to_have_attribute("data-at", "1")
    expect(page.locator(".reach")).to_contain_text("average at most")
    page.get_by_label("Book view").select_option("Depth")
    plot = page.get_by_role("slider", name="Depth by price")
    plot.press("ArrowRight")
    expect(plot).to_have_attribute("aria-valuetext", re.compile(r"Sum [\d,]+ contracts, average at most"))
    plot.press("ArrowLeft")
    expect(plot).to_have_attribute("aria-valuetext", re.compile(r"average at least"))
    expect(page.locator(".depth-cursor")).to_be_visible()


def test_keys_quicker_than_a_frame_walk_the_depth_as_slow_ones_do(open_page):
    page = open_page("/book/XBTUSD")
    expect(page.locator(ASKS)).to_have_count(20)
    page.get_by_label("Book view").select_option("Depth")
    plot = page.get_by_role("slider", name="Depth by price")
    expect(plot).to_have_attribute("aria-valuemax", "39")
    for keys, at in ((["ArrowRight"] * 3, "22"), (["ArrowLeft"] * 4, "18"), (["End", "ArrowLeft"], "38")):
        plot.evaluate("""(plot, keys) => {
          plot.focus();
          for (const key of keys) plot.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        }""", keys)
        expect(plot).to_have_attribute("aria-valuenow", at)
    # No frame has reported the level that lost the focus yet, either.
    page.get_by_label("Book view").select_option("Side by side")
    expect(page.locator(".asks .level").nth(5)).to_be_visible()
    page.locator(".asks .level").nth(5).focus()
    expect(page.locator(".asks .level[data-within]")).to_have_count(6)
    page.get_by_label("Book view").evaluate("""(select) => {
      const frame = requestAnimationFrame;
      select.value = "depth";
      select.dispatchEvent(new Event("change", { bubbles: true }));
      frame(() => {
        const plot = document.querySelector(".depth-plot");
        plot.focus();
        plot.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
      });
    }""")
    expect(plot).to_have_attribute("aria-valuenow", "20")


def test_bars_grow_from_the_best_price_on_one_scale(glance):
    page = glance("/book/XBTUSD")
    expect(page.locator(BIDS)).to_have_count(20)
    bars = page.evaluate("""() => [".bids", ".asks"].map((side) =>
      [...document.querySelectorAll(side + " .level")].map((row) => parseFloat(getComputedStyle(row).backgroundSize.split(", ")[1])))""")
    for side in bars:
        assert side == sorted(side)
    assert max(max(side) for side in bars) == 100


def test_no_bar_is_painted_over_a_number(glance):
    page = glance("/book/XBTUSD")
    expect(page.locator(BIDS)).to_have_count(20)
    nothing(page, COVERED)


def test_the_spread_is_said(glance):
    page = glance("/book/XBTUSD")
    expect(page.locator(".spread")).to_have_text(re.compile(r"^Spread \d+\.\d$"))


def test_a_switch_shows_quantities_in_xbt(open_page):
    page = open_page("/book/XBTUSD")
    size = page.locator(".bids .size").first
    expect(size).to_have_text(re.compile(r"^[\d,]+$"))
    page.get_by_role("button", name="XBT", exact=True).click()
    expect(size).to_have_text(re.compile(r"^[\d,]+\.\d{4}$"))
    expect(page.get_by_role("button", name="XBT", exact=True)).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Contracts").click()
    expect(size).to_have_text(re.compile(r"^[\d,]+$"))


def test_the_book_moves(glance):
    page = glance("/book/XBTUSD")
    expect(page.locator(BIDS)).to_have_count(20)
    text = page.locator(".book-sides").text_content()
    page.wait_for_function("(text) => document.querySelector('.book-sides').textContent !== text", arg=text)


def test_tabs_lead_to_chart_book_and_trades(open_page):
    page = open_page("/chart/XBTUSD")
    tabs = page.get_by_role("tab")
    expect(tabs).to_have_text(["Chart", "Book", "Trades"])
    expect(page.locator(".chart-canvas")).to_be_visible()
    tabs.nth(1).click()
    expect(page).to_have_url(re.compile("/book/XBTUSD$"))
    expect(page.locator(BIDS)).to_have_count(20)
    tabs.nth(2).click()
    expect(page).to_have_url(re.compile("/trades/XBTUSD$"))
    expect(page.locator(".trade").first).to_be_visible()
    expect(page.locator(".level")).to_have_count(0)


@pytest.mark.thorough
def test_thirty_trades_newest_first_with_venue_time(open_page):
    page = open_page("/trades/XBTUSD")
    expect(page.locator(".trade")).to_have_count(30)
    expect(page.locator(".tape-heads .head")).to_have_text(["Price (USD)", "Qty", "Time"])
    expect(page.locator(".trade-time").first).to_have_text(re.compile(r"^\d\d:\d\d:\d\d$"))
    times = page.evaluate("() => [...document.querySelectorAll('.trade')].map((row) => Number(row.dataset.time))")
    assert times == sorted(times, reverse=True)
    assert numbers(page, ".trade-size")[0] > 0


@pytest.mark.thorough
def test_the_tape_shows_whole_rows_only(open_page):
    page = open_page("/trades/XBTUSD", viewport={"width": 390, "height": 613})
    expect(page.locator(".trade")).to_have_count(30)
    cut = page.evaluate("() => document.querySelector('.tape').clientHeight % document.querySelector('.trade').offsetHeight")
    assert cut == 0
    page.locator(".tape").focus()
    page.keyboard.press("End")
    page.wait_for_function("() => { const tape = document.querySelector('.tape'); return tape.scrollTop > 0; }")


@pytest.mark.thorough
@pytest.mark.parametrize("viewport", [{"width": 390, "height": 844}, {"width": 1440, "height": 600}], ids=["phone", "desktop"])
def test_the_newest_trade_is_in_sight_until_somebody_scrolls(open_page, viewport):
    page = open_page("/trades/XBTUSD", viewport=viewport)
    tape = page.locator(".tape")
    later = """(count) => {
      const newest = Number(document.querySelector(".trade").dataset.arrival);
      window.before ??= newest;
      return newest >= window.before + count;
    }"""
    # Several checks: rows arrive above the visible ones, in a list longer than its pane.
    page.wait_for_function("() => document.querySelectorAll('.trade').length === 30")
    page.wait_for_function(later, arg=6)
    assert tape.evaluate("(tape) => tape.scrollTop") == 0
    tape.focus()
    page.keyboard.press("End")
    expect(tape).to_have_attribute("data-scrolled", "")
    page.keyboard.press("Home")
    expect(tape).not_to_have_attribute("data-scrolled", "")
    page.evaluate("() => { window.before = undefined; }")
    page.wait_for_function(later, arg=3)
    assert tape.evaluate("(tape) => tape.scrollTop") == 0


@pytest.mark.thorough
def test_prints_below_a_size_can_be_left_out(open_page):
    page = open_page("/trades/XBTUSD")
    expect(page.locator(".trade")).to_have_count(30)
    choice = page.get_by_label("Smallest size shown")
    expect(choice.locator("option").first).to_have_text("All sizes")
    least = choice.locator("option").nth(1).get_attribute("value")
    choice.select_option(least)
    page.wait_for_function("""least => [...document.querySelectorAll(".trade-size")].every((cell) =>
      Number((cell.title || cell.textContent).replace(/,/g, "")) >= Number(least))""", arg=least)
    choice.select_option("All sizes")
    expect(page.locator(".trade")).to_have_count(30)


def test_buys_are_green_and_sells_are_red(open_page):
    page = open_page("/trades/XBTUSD", color_scheme="dark")
    colour = "(element) => getComputedStyle(element).color.match(/\\d+/g).map(Number)"
    page.wait_for_selector(".trade[data-side=buy]")
    page.wait_for_selector(".trade[data-side=sell]")
    red, green, _ = page.locator(".trade[data-side=buy] .trade-price").first.evaluate(colour)
    assert green > red
    red, green, _ = page.locator(".trade[data-side=sell] .trade-price").first.evaluate(colour)
    assert red > green


def test_a_new_trade_is_lighter_for_a_fifth_of_a_second(open_page):
    page = open_page("/trades/XBTUSD")
    page.wait_for_selector(".trade")
    page.evaluate(CLASS_SPANS, ["new", 50, 400])
    page.wait_for_function("() => spans.new.right >= 5")
    spans = page.evaluate("spans.new")
    # One drawn across a long pause of the machine looks shorter than it was.
    assert spans["late"] == 0 and spans["early"] < spans["right"], spans


def test_trades_of_a_snapshot_are_not_lighter(open_page):
    page = open_page("/book/XBTUSD")
    expect(page.locator(BIDS)).to_have_count(20)
    page.evaluate("""() => {
      new MutationObserver((_, observer) => {
        if (!document.querySelector(".trade")) return;
        window.newAtFirst = document.querySelectorAll(".trade.new").length;
        observer.disconnect();
      }).observe(document.body, { subtree: true, childList: true });
    }""")
    page.get_by_role("tab", name="Trades").click()
    page.wait_for_function("() => window.newAtFirst !== undefined")
    assert page.evaluate("() => window.newAtFirst") == 0


def test_only_the_list_below_the_tabs_scrolls(open_page):
    page = open_page("/book/XBTUSD", viewport={"width": 390, "height": 560})
    expect(page.locator(BIDS)).to_have_count(20)
    before = page.locator(".tabs").bounding_box()
    page.locator(BIDS).nth(1).hover()
    page.mouse.wheel(0, 400)
    page.wait_for_function("() => document.querySelector('.panel .scroller').scrollTop > 50")
    assert page.locator(".tabs").bounding_box() == before
    assert page.evaluate("() => document.scrollingElement.scrollTop") == 0
    scrolling = page.evaluate("""() => [...document.querySelectorAll("main, main *")]
      .filter((e) => /auto|scroll/.test(getComputedStyle(e).overflowY) && e.scrollHeight > e.clientHeight + 1)
      .map((e) => e.className)""")
    assert len(scrolling) == 1


def test_an_unknown_instrument_is_said_to_be_unknown(open_page):
    # A name that no venue can have, and one that the venue has to decide.
    for name in ("NO*PE", "NOPE"):
        page = open_page(f"/book/{name}")
        expect(page.locator(".pane-notice h3")).to_have_text(f"Unknown instrument: {name}")


def test_a_wide_page_shows_a_list_beside_market_or_details(open_page, desktop):
    page = open_page("/feed", viewport=desktop)
    expect(page.locator(".feed-rows > li")).to_have_count(25)
    expect(page.locator(BIDS)).to_have_count(20)
    expect(page.locator(".trade").first).to_be_attached()
    expect(page.locator(".panel .chart-canvas")).to_be_visible()
    sockets = page.wire.sockets
    page.locator(".feed-rows a").nth(4).click()
    expect(page).to_have_url(re.compile("/symbol/"))
    expect(page.locator(".slot-details .price.big .number")).to_have_text(re.compile(r"\d"))
    expect(page.locator(".feed-rows > li")).to_have_count(25)
    expect(page.locator(BIDS)).to_have_count(0)
    assert page.wire.sockets == sockets


def test_the_exchange_shows_last_price_best_buy_and_best_sell(open_page):
    page = open_page("/exchange", viewport={"width": 1440, "height": 900})
    expect(page.locator(".price.big .number")).to_have_text(re.compile(r"\d\.\d\d"))
    sell, buy = [page.get_by_role("button", name=re.compile(rf"^{word} \D*\d+\.\d\d Quantity \d+$"))
                 for word in ("Sell Best bid", "Buy Best ask")]
    expect(sell).to_be_visible()
    expect(buy).to_be_visible()
    bid, ask = numbers(page, ".side-price")
    assert bid < ask


# Each heading is aligned with its numbers: at their right edges, or for the asks' prices their left ones.
HEADS_OFF = """() => {
  const inside = (cell, side) => {
    const range = document.createRange();
    // The number alone: words for screen readers follow it.
    range.selectNodeContents(cell.firstChild);
    return range.getBoundingClientRect()[side];
  };
  const isLadder = document.querySelector(".book[data-shape=ladder]") !== null;
  const pairs = [...(isLadder ? [[".ladder-heads .head-price", ".bids .level-price", "right"],
      [".ladder-heads .head-size", ".bids .size", "right"],
      [".ladder-heads .head-total", ".bids .level > .level-total", "right"],
      [".ladder-heads .head-total", ".asks .level > .level-total", "right"]]
    : [[".book-heads .head:nth-child(1)", ".bids .size", "right"],
      [".book-heads .head:nth-child(2)", ".bids .level-price", "right"],
      [".book-heads .head:nth-child(3)", ".asks .level-price", "left"],
      [".book-heads .head:nth-child(4)", ".asks .size", "right"]]),
    [".tape-heads .head:nth-child(1)", ".trade-price", "right"],
    [".tape-heads .head:nth-child(2)", ".trade-size", "right"],
    [".tape-heads .head:nth-child(3)", ".trade-time", "right"]];
  return pairs.map(([head, cell, side]) => [document.querySelector(head), document.querySelector(cell), side])
    .filter(([head, cell]) => head?.firstChild && cell?.firstChild).map(([head, cell, side]) => Math.abs(inside(head, side) - inside(cell, side)));
}"""


@pytest.mark.parametrize("width", [360, 820, 1440])
def test_column_heads_stand_over_their_numbers(open_page, width):
    for path, count in (("/book/XBTUSD", 4), ("/trades/XBTUSD", 3)):
        page = open_page(path, viewport={"width": width, "height": 800})
        expect(page.locator(".level:not([data-empty]), .trade").locator("visible=true").first).to_be_visible()
        page.wait_for_function(f"count => {{ const off = ({HEADS_OFF})(); return off.length >= count && off.every((by) => by < 1.5); }}",
                               arg=count)


PANELS = """() => [...document.querySelectorAll(".market-area > .panel")].map((panel) => panel.id)"""


def test_a_turned_tablet_keeps_chart_book_and_trades_in_their_places(open_page):
    page = open_page("/book/XBTUSD", viewport={"width": 820, "height": 1180})
    for tab in ("Book", "Trades", "Chart"):
        page.set_viewport_size({"width": 820, "height": 1180})
        follow(page, f"/{tab.lower()}/XBTUSD")
        for width, height in ((1180, 820), (820, 1180), (1440, 900)):
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_function(f"() => ({PANELS})().length === 3")
        assert page.evaluate(PANELS) == ["panel-chart", "panel-book", "panel-trades"], tab
    # Book and trades share the right column, over its full height.
    columns = []
    for tab in ("Book", "Trades"):
        page.get_by_role("tab", name=tab).click()
        column = page.locator(f"#panel-{tab.lower()}")
        expect(column).to_be_visible()
        columns.append(column.bounding_box())
    chart, dock = page.locator("#panel-chart").bounding_box(), page.locator(".dock").bounding_box()
    assert columns[0] == columns[1]
    assert chart["x"] + chart["width"] <= columns[0]["x"] and abs(chart["y"] - columns[0]["y"]) < 1
    assert abs(dock["y"] + dock["height"] - columns[0]["y"] - columns[0]["height"]) < 1


# Numbers of book and tape that overflow their cell or the pane, or overlap a neighbour.
CUT = """() => {
  const box = (cell) => {
    const range = document.createRange();
    // The number alone: words for screen readers follow it.
    range.selectNodeContents(cell.firstChild);
    return range.getBoundingClientRect();
  };
  const wrong = [];
  for (const row of document.querySelectorAll(".level:not([data-empty]), .trade")) {
    const pane = row.closest(".pane-body");
    const right = pane.getBoundingClientRect().left + pane.clientWidth;
    const cells = [...row.querySelectorAll(":scope > [role=cell]")]
      .filter((cell) => cell.firstChild && cell.checkVisibility()).map((cell) => [cell.textContent, box(cell)])
      .sort(([, a], [, b]) => a.left - b.left);
    cells.forEach(([text, at], index) => {
      if (at.right > right + 0.5 || at.left < pane.getBoundingClientRect().left) wrong.push(`${text}: cut`);
      if (index > 0 && cells[index - 1][1].right > at.left - 3) wrong.push(`${text}: touches ${cells[index - 1][0]}`);
    });
  }
  return wrong;
}"""


@pytest.mark.parametrize("width", [320, 360, 820, 1100, 1440, 1920])
def test_large_quantities_are_never_cut(open_page, width):
    page = open_page("/book/SHIB%2FUSD", viewport={"width": width, "height": 900})
    expect(page.locator(BIDS)).to_have_count(20)
    page.wait_for_function(f"() => ({CUT})().length === 0")
    if width < 700 or 1024 <= width < 1900:
        page.get_by_role("tab", name="Trades").click()
    expect(page.locator(".trade").first).to_be_visible()
    page.wait_for_function(f"() => ({CUT})().length === 0")


def test_a_shortened_quantity_tells_the_whole_one(open_page):
    page = open_page("/book/SHIB%2FUSD", viewport={"width": 360, "height": 740})
    size = page.locator(".level .size[title]").first
    expect(size).to_have_text(re.compile(r"^\d[\d.,]*[kMBT]$"))
    both = page.evaluate("""() => [...document.querySelectorAll(".level .size[title]")]
      .map((cell) => [cell.textContent, cell.title, cell.getAttribute("aria-label")])""")
    factors = {"k": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}
    for shown, whole, spoken in both:
        exact = float(whole.replace(",", ""))
        assert spoken == whole
        assert abs(float(shown[:-1].replace(",", "")) * factors[shown[-1]] - exact) <= exact / 1000


def test_sizes_of_many_decimals_are_read_by_their_first_digits(open_page):
    page = open_page("/book/BTC%2FUSD", viewport={"width": 820, "height": 900})
    expect(page.locator(BIDS)).to_have_count(20)
    cells = page.evaluate("""() => [...document.querySelectorAll(".bids .size")].map((cell) => [cell.textContent, cell.title])""")
    for shown, whole in cells:
        assert len(re.sub(r"\D", "", shown).lstrip("0")) <= 4
        # A size with fewer digits is shown in full.
        whole = whole or shown
        assert len(whole.split(".")[1]) == 8
        assert abs(float(shown) - float(whole)) <= float(whole) / 1000


def test_digits_are_shortened_to_four_significant_ones(glance):
    page = glance("/book/XBTUSD")
    assert page.evaluate("""async () => {
      const { abbreviated } = await import("/assets/text/format.js");
      return ["45123456.789", "999", "1234", "0.00012345", "123456789012345678", "0", "x",
        "999999", "999949", "999.96", "0.99999"].map(abbreviated);
    }""") == ["45.12M", "999.0", "1.234k", "0.0001235", "123,500T", "0.000", "–", "1.000M", "999.9k", "1.000k", "1.000"]
