"""The layout of the trading screens: how space is divided, at every size, and how a user changes it."""

import re

import pytest
from playwright.sync_api import expect

from browsers import launch
from measures import OVERFLOWING
from ordering import place_many, review, settled, switch
from servers import Server, Venues
from watching import wait_until

PHONE = {"width": 360, "height": 740}
LANDSCAPE = {"width": 740, "height": 360}
TABLET = {"width": 820, "height": 1180}
BOOK = "/book/BTC%2FUSD"
ROWS = ".level:not([data-empty])"
TOUCH = {"has_touch": True, "is_mobile": True}

# The boxes of elements at one moment.
BOXES = """(selectors) => selectors.map((selector) => {
  const { left, top, right, bottom, width, height } = document.querySelector(selector).getBoundingClientRect();
  return { left, top, right, bottom, width, height };
})"""
# The matching elements that are cut off or leave the window.
CUT = """(selector) => [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility()
  && (element.scrollWidth > element.clientWidth + 1 || element.getBoundingClientRect().right > innerWidth + 1))
  .map((element) => element.textContent)"""


def boxes(page, *selectors):
    return page.evaluate(BOXES, list(selectors))


@pytest.mark.thorough
@pytest.mark.parametrize("size", [(1440, 900), (1920, 1080)], ids=["1440", "1920"])
@pytest.mark.parametrize("path, chart", [(BOOK, ".panel.chart"), ("/exchange", ".exchange-chart")], ids=["market", "exchange"])
def test_the_chart_has_the_most_of_a_desktop_screen(open_page, size, path, chart):
    page = open_page(path, viewport={"width": size[0], "height": size[1]})
    expect(page.locator(".market-chart")).to_be_visible()
    expect(page.locator(".watch-row").first).to_be_visible()
    box, dock, rail = boxes(page, chart, ".dock", ".slot-list")
    assert 0.5 * size[1] < box["height"] < 0.7 * size[1]
    assert 0.45 * size[0] < box["width"]
    assert dock["top"] >= box["bottom"] and rail["right"] <= box["left"]
    assert rail["width"] < 0.18 * size[0]


def test_a_tablet_has_the_chart_over_book_and_trades(open_page):
    page = open_page(BOOK, viewport=TABLET)
    expect(page.locator(ROWS).first).to_be_visible()
    chart, book, trades = boxes(page, ".panel.chart", ".panel.book", ".panel.trades")
    assert chart["bottom"] <= book["top"] and chart["width"] > 0.9 * TABLET["width"]
    assert book["right"] <= trades["left"] and book["top"] == trades["top"]
    expect(page.locator(".tabs")).to_be_hidden()


@pytest.mark.thorough
def test_turning_a_tablet_changes_the_frame_and_loses_nothing(open_page):
    page = open_page(BOOK, viewport=TABLET)
    for width, height in ((1180, 820), (820, 1180), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator(ROWS).first).to_be_visible()

        def is_beside():
            chart, book = boxes(page, ".panel.chart", ".panel.book")
            return book["left"] >= chart["right"]

        # The page updates its layout a frame after its window has changed.
        wait_until(page, lambda: is_beside() == (width >= 1024))
        expect(page.locator(".dock")).to_have_count(1 if width >= 1024 else 0)


@pytest.mark.thorough
@pytest.mark.parametrize("part, key, more", [("side", "ArrowLeft", 1), ("dock", "ArrowUp", 1), ("rail", "ArrowRight", 1)])
def test_a_splitter_moves_by_key_and_pointer_and_is_remembered(open_page, desktop, part, key, more):
    page = open_page(BOOK, viewport=desktop)
    splitter = page.locator(f".splitter-{part}")
    before = float(splitter.get_attribute("aria-valuenow"))
    splitter.press(key)
    expect(splitter).to_have_attribute("aria-valuenow", str(before + more).removesuffix(".0"))
    box = splitter.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    # 32 pixels are two rem, back to the start and one further.
    page.mouse.move(x + (32 if part == "side" else -32 if part == "rail" else 0), y + (32 if part == "dock" else 0), steps=4)
    page.mouse.up()
    expect(splitter).to_have_attribute("aria-valuenow", str(before - more).removesuffix(".0"))
    page.reload()
    expect(splitter).to_have_attribute("aria-valuenow", str(before - more).removesuffix(".0"))
    splitter.dblclick()
    expect(splitter).to_have_attribute("aria-valuenow", str(before).removesuffix(".0"))


@pytest.mark.thorough
def test_layouts_are_kept_by_name_and_shared_in_the_address(open_page, desktop):
    page = open_page(BOOK, viewport=desktop)
    dock = page.locator(".splitter-dock")
    dock.press("Home")
    page.get_by_role("button", name="Layouts").click()
    page.get_by_label("Name of the layout").fill("Night")
    page.keyboard.press("Enter")
    expect(page.locator(".layout-menu [role=status]")).to_have_text(re.compile("Saved as “Night”"))
    page.get_by_role("button", name="Default").click()
    expect(dock).to_have_attribute("aria-valuenow", "14")
    page.reload()
    page.get_by_role("button", name="Layouts").click()
    page.get_by_role("button", name="Night", exact=True).click()
    expect(dock).to_have_attribute("aria-valuenow", "2.75")
    page.get_by_role("button", name="Layouts").click()
    page.get_by_role("button", name="Delete Night").click()
    expect(page.get_by_role("button", name="Night", exact=True)).to_have_count(0)

    shared = open_page(BOOK + "?layout=rail-3.5_dock-20_side-99_nonsense-4_tape-x", viewport=desktop)
    expect(shared.locator(".splitter-dock")).to_have_attribute("aria-valuenow", "20")
    expect(shared.locator(".splitter-side")).to_have_attribute("aria-valuenow", "36")
    expect(shared.locator(".splitter-rail")).to_have_attribute("aria-valuenow", "3.5")
    assert "layout=" in shared.url


@pytest.mark.thorough
def test_the_rail_folds_and_keeps_names_and_changes(open_page, desktop):
    page = open_page(BOOK, viewport=desktop)
    row = page.locator('.watch-row[data-row="kraken/BTC/USD"]')
    expect(row.locator(".watch-change")).to_have_text(re.compile(r"\d"))
    expect(row).to_have_attribute("aria-current", "page")
    page.get_by_role("button", name="Narrow the list").click()
    expect(row.locator(".price")).to_be_hidden()
    expect(row.locator(".watch-change")).to_be_visible()
    assert boxes(page, ".slot-list")[0]["width"] == 56
    assert page.evaluate(CUT, ".watch-change") == []
    page.get_by_role("button", name="Widen the list").click()
    expect(row.locator(".price")).to_be_visible()
    page.locator('.watch-row[data-row="kraken/ETH/USD"]').click()
    expect(page).to_have_url(re.compile("/book/kraken:ETH%2FUSD$"))
    expect(page.locator('.watch-row[aria-current]')).to_have_attribute("data-row", "kraken/ETH/USD")


def test_the_rail_shows_a_persons_lists_and_the_feeds(open_page, desktop):
    page = open_page(BOOK, viewport=desktop)
    choice = page.get_by_label("List in the rail")
    expect(page.locator(".watch-row").first).to_be_visible()
    choice.select_option(label="Tracker")
    expect(page).to_have_url(re.compile("/feed$"))
    expect(page.locator(".feed-rows > li")).to_have_count(25)
    expect(page.locator(ROWS).first).to_be_visible()
    choice.select_option(label="Majors")
    expect(page.locator(".watch-row").first).to_be_visible()


def test_the_tab_of_the_browser_says_the_price(open_page, desktop):
    page = open_page(BOOK, viewport=desktop)
    expect(page).to_have_title(re.compile(r"^[\d,.]+( [↑↓])? BTC/USD · Livetape$"))
    page.locator(".places [data-place=markets]").click()
    expect(page).to_have_title("Markets · Livetape")


def test_the_clock_of_the_page_says_its_zone(open_page, desktop):
    page = open_page(BOOK, viewport=desktop, timezone_id="Asia/Kolkata")
    expect(page.locator(".clock")).to_have_text(re.compile(r"^\d\d:\d\d:\d\d local$"))
    expect(page.locator(".clock")).to_have_attribute("title", re.compile(r"UTC\+5:30 · \d\d:\d\d:\d\d UTC$"))


@pytest.mark.parametrize("size", [PHONE, {"width": 320, "height": 640}], ids=["360", "320"])
def test_a_phone_has_price_chart_and_both_sides_in_sight(look, size):
    page = look(viewport=size, **TOUCH)
    price, chart, bar = boxes(page, ".exchange-last", ".exchange-chart", ".trade-bar")
    assert price["top"] > 0 and chart["top"] >= price["bottom"] and chart["height"] >= 200
    assert bar["top"] >= chart["bottom"] and bar["bottom"] <= size["height"]
    expect(page.locator(".trade-sell b")).to_have_text("$45.01")
    expect(page.locator(".trade-buy b")).to_have_text("$45.10")
    assert page.evaluate(CUT, ".exchange > .pane-bar :is(.market-symbol, .number, dd, dt, .badge), .trade-bar *") == []
    expect(page.locator(".ticket")).to_be_hidden()


@pytest.mark.thorough
def test_a_market_order_takes_three_taps_on_a_phone(trade, exchange):
    page = trade(viewport=PHONE, **TOUCH)
    switch(page, "Review before placing")
    taps = 0
    for press in (page.locator(".trade-buy"), page.locator(".key", has_text="5"), page.locator(".ticket-form .ticket-go")):
        expect(page.locator(".ticket-sheet[data-settling]")).to_have_count(0)
        if taps == 2:
            settled(page)
        press.tap()
        taps += 1
    expect(page.locator(".ticket-outcome")).to_have_attribute("data-state", re.compile("placed"))
    assert taps == 3
    expect(page.locator(".ticket-outcome .outcome-figures")).to_have_text(re.compile("5 of 5"))


def test_a_new_user_buys_amends_cancels_sells_and_reads_the_result_on_a_phone(trade, exchange):
    page = trade(viewport=PHONE, **TOUCH)
    switch(page, "Review before placing")
    taps = []

    def tap(place, ticket=True):
        if ticket:
            settled(page)
        place.tap()
        taps.append(place)

    def keys(digits):
        for digit in digits:
            tap(page.locator(".key", has_text=digit))

    # Buys 5 at 44.00 or better: the order rests in the book.
    tap(page.locator(".trade-buy"), ticket=False)
    tap(page.locator(".choice[data-value=limit]"))
    keys("5")
    tap(page.get_by_label("Limit price"))
    keys(["4", "4"])
    tap(page.locator(".ticket-form .ticket-go"))
    expect(page.locator(".ticket-outcome")).to_have_attribute("data-state", "placed")
    settled(page)
    tap(page.get_by_role("button", name="Close the ticket"), ticket=False)
    assert len(taps) == 8
    waiting = page.locator(".open-order")
    expect(waiting).to_contain_text("Buy 5 TROAD at $44.00")
    # Amends it in its row, and cancels it.
    expect(page.locator(".dock-body[data-settling]")).to_have_count(0)
    tap(waiting.get_by_role("button", name="Amend order"), ticket=False)
    form = page.get_by_role("form", name=re.compile("^Amend order 1"))
    form.get_by_label("Price").fill("44.50")
    tap(form.get_by_role("button", name="Save"), ticket=False)
    expect(waiting).to_contain_text("Buy 5 TROAD at $44.50")
    expect(form).to_have_count(0)
    expect(page.locator(".dock-body[data-settling]")).to_have_count(0)
    tap(waiting.get_by_role("button", name="Cancel order"), ticket=False)
    expect(waiting.get_by_text("Cancelled")).to_be_visible()
    assert len(taps) == 11
    # Sells at market, with one tap more than three since the ticket keeps its order type; then reads the result.
    taps.clear()
    tap(page.locator(".trade-sell"), ticket=False)
    tap(page.locator(".choice[data-value=market]"))
    keys("5")
    tap(page.locator(".ticket-form .ticket-go"))
    assert len(taps) == 4
    expect(page.locator(".ticket-outcome .outcome-figures")).to_have_text(re.compile("5 of 5"))
    settled(page)
    tap(page.get_by_role("button", name="Close the ticket"), ticket=False)
    tap(page.get_by_role("tab", name=re.compile("^Fills")), ticket=False)
    expect(page.locator(".dock")).to_contain_text("$45.01")
    tap(page.get_by_role("tab", name=re.compile("^History")), ticket=False)
    expect(page.locator(".dock")).to_contain_text(re.compile("CANCELLED|Cancelled"))
    assert len(taps) == 7


def test_the_sheet_shows_the_whole_preview_and_all_keys_at_once(look):
    page = look(viewport=PHONE, **TOUCH)
    page.locator(".trade-buy").tap()
    settled(page)
    for digit in "900":
        page.locator(".key", has_text=digit).tap()
    expect(page.locator(".ticket-form .preview-left")).to_contain_text("will be cancelled")
    seen = page.evaluate("""() => {
      const preview = document.querySelector(".ticket-form .preview");
      const keys = [...document.querySelectorAll(".key")].map((key) => key.getBoundingClientRect().bottom);
      return { hidden: preview.scrollHeight - preview.clientHeight, keys: Math.max(...keys), height: innerHeight };
    }""")
    assert seen["hidden"] <= 0 and seen["keys"] <= seen["height"], seen


LOW = {"width": 720, "height": 450}
SMALL = {"width": 320, "height": 568, **TOUCH}
# Whether the middle of each of these is visible.
IN_SIGHT = """(selectors) => selectors.map((selector) => {
  const element = document.querySelector(selector);
  const { left, top, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(left + Math.min(width / 2, 40), top + height / 2));
})"""


@pytest.mark.parametrize("size", [LOW, SMALL], ids=["200 %", "320"])
def test_what_is_ordered_is_in_sight_beside_the_button_that_orders_it(look, size):
    touch = {key: size[key] for key in TOUCH if key in size}
    page = look(viewport={"width": size["width"], "height": size["height"]}, **touch)
    page.locator(".trade-buy").click()
    settled(page)
    page.get_by_label("Quantity", exact=True).fill("5")
    review(page)
    expect(page.locator(".ticket-review .ticket-go")).to_be_focused()
    assert page.evaluate(IN_SIGHT, [".ticket-review .review-title", ".ticket-review .ticket-go"]) == [True, True]


@pytest.mark.thorough
@pytest.mark.parametrize("size", [LOW, TABLET, PHONE], ids=["200 %", "820", "360"])
def test_news_lie_over_no_part_of_an_open_ticket(trade, size):
    page = trade(viewport=size)
    page.locator(".trade-buy").click()
    settled(page)
    place_many(page, 1, price="44.00")
    # It disappears after six seconds: both boxes are measured at one moment while it is shown.
    over = page.wait_for_function("""() => {
      const toast = document.querySelector(".toast")?.getBoundingClientRect();
      const ticket = document.querySelector(".ticket-sheet").getBoundingClientRect();
      return toast && { toast: toast.toJSON(), ticket: ticket.toJSON() };
    }""").json_value()
    toast, ticket = over["toast"], over["ticket"]
    assert toast["top"] >= 0 and toast["bottom"] <= ticket["top"] + 8, over


@pytest.mark.thorough
def test_the_keypad_writes_into_the_field_that_was_touched(open_page):
    page = open_page("/exchange", viewport=PHONE, locale="sl-SI", **TOUCH)
    expect(page.locator(".trade-sell:not([data-dimmed])")).to_be_visible()
    page.locator(".trade-sell").tap()
    settled(page)
    expect(page.locator(".choice[data-value=sell]")).to_have_attribute("aria-pressed", "true")
    page.locator(".choice[data-value=limit]").tap()
    erase = page.get_by_role("button", name="Delete the last digit")
    before = erase.bounding_box()
    page.locator(".choice[data-value=market]").tap()
    expect(page.get_by_label("Min price", exact=True)).to_be_visible()
    assert erase.bounding_box() == before
    page.locator(".choice[data-value=limit]").tap()
    for digit in "12":
        page.locator(".key", has_text=digit).tap()
    page.get_by_label("Limit price").tap()
    for digit in ("4", "5", ",", "2", "5", "5"):
        page.locator(".key", has_text=digit).tap()
    # An error is shown in the preview's space: no key moves away from the finger.
    expect(page.locator(".field-error[data-for=price]")).to_contain_text("multiple of 0,01")
    assert erase.bounding_box() == before and before["y"] + before["height"] <= PHONE["height"]
    erase.tap()
    expect(page.get_by_label("Quantity", exact=True)).to_have_value("12")
    expect(page.get_by_label("Limit price")).to_have_value("45,25")
    # The system's own keyboard stays hidden.
    expect(page.get_by_label("Quantity", exact=True)).to_have_attribute("inputmode", "none")


def test_digits_pressed_before_the_ticket_is_loaded_make_one_number(look):
    held = []
    page = look(viewport=PHONE, setup=lambda page: page.route("**/ticket-*.wasm", lambda route: held.append(route)), **TOUCH)
    page.locator(".trade-sell").tap()
    settled(page)
    page.locator(".choice[data-value=limit]").tap()
    for digit in "12":
        page.locator(".key", has_text=digit).tap()

    def is_as_pressed():
        expect(page.get_by_label("Quantity", exact=True)).to_have_value("12")
        expect(page.get_by_label("Limit price")).to_be_visible()
        expect(page.locator(".choice[data-value=sell]")).to_have_attribute("aria-pressed", "true")
        expect(page.locator(".ticket-form .ticket-go")).to_have_text("Review sell order")

    go = page.locator(".ticket-form .ticket-go")
    is_as_pressed()
    expect(go).to_be_disabled()
    wait_until(page, lambda: held)
    held[0].continue_()
    expect(go).to_be_enabled()
    is_as_pressed()


def test_the_keypad_stays_away_where_there_are_keys(look):
    page = look(viewport=TABLET)
    page.locator(".trade-buy").click()
    settled(page)
    expect(page.locator(".ticket-form")).to_be_visible()
    expect(page.locator(".keypad")).to_be_hidden()


def test_the_sheet_closes_by_key_and_gives_the_focus_back(look):
    page = look(viewport=PHONE)
    page.locator(".trade-buy").click()
    expect(page.locator(".ticket")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".ticket")).to_be_hidden()
    expect(page.locator(".trade-buy")).to_be_focused()


@pytest.mark.thorough
def test_a_phone_on_its_side_has_chart_or_ten_rows(open_page, look):
    page = look(viewport=LANDSCAPE, **TOUCH)
    chart, buy, sell = boxes(page, ".exchange-chart", ".trade-buy", ".trade-sell")
    assert chart["height"] >= 200 and chart["right"] <= buy["left"]
    assert buy["bottom"] <= sell["top"] and sell["bottom"] <= LANDSCAPE["height"]
    page = open_page(BOOK, viewport=LANDSCAPE, **TOUCH)
    expect(page.locator(ROWS).nth(19)).to_be_attached()
    seen = page.evaluate("""() => [...document.querySelectorAll(".bids .level")].filter((row) =>
      row.getBoundingClientRect().bottom <= innerHeight).length""")
    assert seen >= 10
    expect(page.locator(".headline-price")).to_be_visible()


@pytest.mark.thorough
@pytest.mark.parametrize("path", [BOOK, "/exchange"])
def test_at_400_percent_the_page_scrolls_and_nothing_is_lost(open_page, path):
    page = open_page(path, viewport={"width": 360, "height": 225})
    expect(page.locator(".slot[data-active] .pane-bar").first).to_be_visible()
    page.wait_for_function("() => document.documentElement.scrollHeight > innerHeight")
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert boxes(page, "#main")[0]["height"] >= 400


@pytest.mark.thorough
@pytest.mark.parametrize("viewport", [{"width": 1440, "height": 900}, PHONE], ids=["1440", "360"])
def test_text_is_as_large_as_the_reader_asks(browser, address, viewport):
    # The browser's own text size setting, which a page can't change: twice the default.
    large = launch(browser.browser_type, "--blink-settings=defaultFontSize=32")
    sizes = {}
    try:
        for name, where in (("usual", browser), ("large", large)):
            context = where.new_context(viewport=viewport, locale="en-US")
            for path, text in ((BOOK, ".level:not([data-empty]) > .level-price"), ("/exchange", ".exchange .market-symbol")):
                page = context.new_page()
                page.goto(address + path)
                expect(page.locator(text).first).to_have_text(re.compile(r"\w"))
                sizes[name, path] = page.evaluate(
                    "(text) => parseFloat(getComputedStyle(document.querySelector(text)).fontSize)", text)
                page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth")
            context.close()
    finally:
        large.close()
    for path in (BOOK, "/exchange"):
        assert sizes["large", path] == 2 * sizes["usual", path]


@pytest.mark.thorough
@pytest.mark.parametrize("viewport", [{"width": 1440, "height": 900}, PHONE], ids=["1440", "360"])
def test_the_banner_has_room_of_its_own(open_page, outage, viewport):
    address, venues = outage
    page = open_page(BOOK, at=address, viewport=viewport)
    expect(page.locator(ROWS).first).to_be_visible()
    venues.kill()
    expect(page.locator("#banner")).to_be_visible()
    top, banner, main = boxes(page, "#top", "#banner", "#main")
    assert banner["top"] >= top["bottom"] - 1 and main["top"] >= banner["bottom"] - 1
    assert main["bottom"] <= viewport["height"]


# Words of freshness, origin and proof that are cut: by the element itself, by an ancestor, or by the window.
CUT_WORDS = """() => {
  const cut = new Set();
  const words = ".note, .badge, .chip, .banner, .row-age, .row-sub[data-state], .spread[data-state], .vouchers";
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) {
    const element = node.parentElement;
    if (!node.data.trim() || !element.closest(words) || !element.checkVisibility({ visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    let [isCut, isUnseen, x, y] = [box.left < -1 || box.right > innerWidth + 1, false, true, true];
    for (let around = element; around !== document.body; around = around.parentElement) {
      const style = getComputedStyle(around);
      const edge = around.getBoundingClientRect();
      if (edge.width <= 1 && style.clipPath !== "none") isUnseen = true;
      // What is scrolled out of sight is not cut.
      if (/auto|scroll/.test(style.overflowX)) x = false;
      if (/auto|scroll/.test(style.overflowY)) y = false;
      if (x && style.overflowX !== "visible" && (box.right > edge.right + 1 || box.left < edge.left - 1)) isCut = true;
      if (y && style.overflowY !== "visible" && (box.bottom > edge.bottom + 2 || box.top < edge.top - 2)) isCut = true;
    }
    if (isCut && !isUnseen) cut.add(`${element.className}: ${node.data}`);
  }
  return [...cut];
}"""
# Overlapping words of the panes' headers.
OVERLAPPING = """() => {
  const words = ".market-symbol, .chooser, .headline-price, .tab, .note, .badge, .panel-title, .segments, .book-choice";
  const boxes = [...document.querySelectorAll(words)].flatMap((element) => {
    const shown = element.checkVisibility({ visibilityProperty: true }) && !element.closest("[hidden], .unseen");
    return shown && element.offsetWidth > 1 ? [[element, element.getBoundingClientRect()]] : [];
  });
  const over = ([one, a], [other, b]) => !one.contains(other) && !other.contains(one)
    && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
  return boxes.flatMap((box, at) => boxes.slice(at + 1).filter((next) => over(box, next))
    .map((next) => `${box[0].className} over ${next[0].className}`));
}"""
LOOKS = ["/trades/BTC%2FUSD", BOOK, "/book/XBTUSD", "/stocks", "/feed", "/markets/all", "/exchange", "/symbol/AAPL",
         "/product/sb26493"]


@pytest.mark.thorough
def test_no_word_of_how_fresh_or_whose_something_is_is_cut(open_page):
    venues = Venues()
    try:
        server = Server(*venues.urls("kraken", "bitmex", "isin", "bux", "exchange"))
        try:
            # They stay open, so that the server keeps its subscriptions.
            pages = {path: open_page(path, at=server.address, viewport={"width": 1440, "height": 900})
                     for path in (BOOK, "/book/XBTUSD", "/stocks")}
            for path, page in pages.items():
                expect(page.locator(ROWS).first).to_be_visible()
                if path != "/stocks":
                    expect(page.locator(".vouchers > .proof:not([data-silent])")).to_be_visible()
            german = open_page(BOOK, at=server.address, viewport={"width": 1440, "height": 900}, locale="de-DE")
            found = {}

            def look(page, path, what):
                # The last is 200 % zoom of a small laptop.
                for width, height in ((320, 640), (360, 740), (820, 1180), (1440, 900), (720, 450)):
                    page.set_viewport_size({"width": width, "height": height})
                    page.wait_for_function("width => innerWidth === width", arg=width)
                    # After two frames, size-dependent layout has settled.
                    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
                    if wrong := [*page.evaluate(CUT_WORDS), *page.evaluate(OVERLAPPING), *page.evaluate(OVERFLOWING)]:
                        found[what, path, width] = wrong

            expect(german.locator(".vouchers > .proof:not([data-silent])")).to_be_visible()
            look(german, BOOK, "live, de")
            venues.kill()
            for page in pages.values():
                expect(page.locator(".panel.book .note")).to_have_attribute("data-state", "disconnected")
            for language, page in (("en", open_page("/feed", at=server.address)), ("de", german)):
                for path in LOOKS:
                    page.goto(server.address + path)
                    expect(page.locator(".slot[data-active] .note[data-state]").first).to_be_attached()
                    look(page, path, language)
            assert found == {}, found
        finally:
            server.stop()
    finally:
        venues.kill()


@pytest.mark.thorough
def test_below_320_px_the_page_is_scrolled_sideways_and_every_market_keeps_its_name(open_page):
    page = open_page("/markets/all", viewport={"width": 200, "height": 640})
    expect(page.locator(".market-row .row-title").first).to_be_visible()
    assert page.locator(".market-row .row-title").first.bounding_box()["width"] > 40
    page.evaluate("() => document.documentElement.scrollTo({ left: 999 })")
    box = page.locator(".tools > :last-child").bounding_box()
    assert 0 <= box["x"] and box["x"] + box["width"] <= 200
