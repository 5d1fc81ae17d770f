"""Price alerts: set with the bell, fired once by the trade that crossed, shown once, kept across restarts and crashes.
"""

import random
import re
import time

import pytest
from playwright.sync_api import expect

from live import Tap
from servers import Server
from watching import wait_until

DESKTOP = {"width": 1440, "height": 900}
PHONE = {"width": 360, "height": 740}


def bell(page):
    page.locator(".bell").click()
    sheet = page.locator(".bell-sheet:popover-open")
    expect(sheet).to_be_visible()
    return sheet


def set_alert(page, price, again=False):
    """Sets an alert with the bell and waits until it is listed; a repeating one has no pause, which the bell doesn't offer."""
    if again:
        page.evaluate("""(price) => {
          const socket = new WebSocket(location.origin.replace("http", "ws") + "/live");
          const alert = { do: "alert.add", market: "exchange/TROAD", price, again: true, pause: 0 };
          socket.onopen = () => socket.send(JSON.stringify(alert));
        }""", price)
        wait_until(page, lambda: any(row["again"] for row in page.wire.states.get("alerts", {}).get("rows", [])))
        return
    sheet = bell(page)
    expect(page.get_by_label("Price of the alert")).to_have_value(re.compile(r"\d"))
    page.get_by_label("Price of the alert").fill(price)
    before = page.locator(".bell-row").count()
    page.get_by_role("button", name="Set alert").click()
    expect(page.locator(".bell-row")).to_have_count(before + 1)
    page.keyboard.press("Escape")
    expect(sheet).not_to_be_visible()


# By locale: typed text and the level sent to the server, None if rejected. The valid one comes last.
TYPED = {
    "de-DE": [("46.500", None), ("64.600,5", None), ("46,5", "46.5")],
    "de-AT": [("64600,5", "64600.5")],
    "en-US": [("46,5", None), ("1.234.567", None), ("0", None), ("", None), ("4e1", None), ("1,234.50", "1234.50")],
    "nl-NL": [("46,5", "46.5")], "fa-IR": [("۴۶٫۵", "46.5")],
}


@pytest.mark.thorough
@pytest.mark.parametrize("locale", TYPED)
def test_a_level_is_read_as_the_ticket_reads_it(look, locale):
    taps = []
    page = look(locale=locale, setup=lambda page: taps.append(Tap(page)), path="/markets/all")
    page.goto(page.url.replace("/markets/all", "/exchange"))
    page.locator(".bell").click()
    sheet = page.locator(".bell-sheet:popover-open")
    field = sheet.locator("input.field:visible")
    expect(field).to_have_value(re.compile(r"\w"))

    def wishes():
        return [said["price"] for said in taps[0].from_page if said.get("do") == "alert.add"]

    for typed, level in TYPED[locale]:
        field.fill(typed)
        # The exchange is shared between tests: the message must not reach it.
        taps[0].mute = level is not None
        sheet.locator("button[type=submit]").click()
        if level is None:
            expect(field).to_have_attribute("aria-invalid", "true")
            expect(sheet.locator(".field-error")).not_to_be_empty()
            assert wishes() == []
        else:
            wait_until(page, wishes)
            assert wishes() == [level]
    taps[0].cut()


def test_the_sheet_says_how_far_a_level_is_from_the_market(trade, exchange):
    page = trade(path="/markets/all", locale="de-DE")
    page.goto(exchange.address + "/exchange")
    sheet = bell(page)
    field = sheet.locator("input.field:visible")
    expect(field).to_have_value(re.compile(r"\d,\d"))
    exchange.feed.offer(last="45.00")
    field.fill("45,45")
    distance = sheet.locator(".bell-distance")
    expect(distance).to_have_text(re.compile(r"^\+1,00\s%\D+45,00$"))
    expect(distance).not_to_have_attribute("data-far", "")
    field.fill("0,045")
    expect(distance).to_have_text(re.compile(r"^Weit vom Markt: −99,90\s% "))
    expect(distance).to_have_attribute("data-far", "")
    field.fill("45.450")
    expect(distance).to_be_empty()
    field.fill("45,45")
    field.press("ArrowUp")
    expect(field).to_have_value("45,46")
    field.press("PageDown")
    expect(field).to_have_value("45,36")


def test_no_field_leaves_the_reading_of_a_number_to_the_browser():
    from page_texts import modules
    fields = [name for name, text in modules().items() if re.search(r"""type\W{1,4}["']number["']""", text)]
    assert fields == []


def dock(page):
    page.get_by_role("tab", name="Alerts").click()
    return page.locator(".alert-log > [data-kind=fired]")


def side_is_known(page):
    """Waits until the alert has a side of the price: the next tick may cross it."""
    wait_until(page, lambda: all("side" in row for row in page.wire.states["alerts"]["rows"]))


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["1440", "360"])
def test_an_alert_fires_once_at_the_trade_that_crosses_it(trade, exchange, viewport):
    page = trade(viewport=viewport)
    set_alert(page, "45.50")
    side_is_known(page)
    exchange.feed.offer(last="45.60")
    expect(page.locator(".toast")).to_have_text(re.compile(r"rose to 45\.60? at .*: alert at 45\.50?"))
    expect(page.locator("#announcer")).to_contain_text("alert at 45.5")
    exchange.feed.offer(last="45.00")
    exchange.feed.offer(last="45.70")
    wait_until(page, lambda: page.wire.states["exchange"]["price"] == "45.70")
    assert len(page.wire.states["alerts"]["firings"]) == 1
    if viewport is DESKTOP:
        expect(dock(page)).to_have_count(1)
        expect(page.locator(".alert-table .table-row [role=cell]").nth(3)).to_have_text(re.compile("^Triggered "))


def test_a_repeating_alert_pauses_for_a_minute_or_as_long_as_chosen(trade, exchange):
    page = trade()
    sheet = bell(page)
    pause = sheet.get_by_label("Pause after it triggers")
    expect(pause).to_be_disabled()
    page.get_by_label("Alert every time the price crosses").check()
    expect(pause.locator("option:not([hidden])")).to_have_text(["1 minute", "5 minutes", "1 hour", "1 day"])
    expect(pause).to_have_value("60")
    page.get_by_label("Price of the alert").fill("45.50")
    page.get_by_role("button", name="Set alert").click()
    expect(sheet.locator(".bell-row")).to_contain_text("Every cross, 1 minute apart")
    sheet.get_by_role("button", name="Edit the alert at 45.5").click()
    pause.select_option("5 minutes")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(sheet.locator(".bell-row")).to_contain_text("Every cross, 5 minutes apart")
    side_is_known(page)
    for last in ("45.60", "45.40", "45.70"):
        exchange.feed.offer(last=last)
        wait_until(page, lambda: page.wire.states["exchange"]["price"] == last)
    expect(sheet.locator(".bell-row")).to_contain_text("Paused until")
    assert len(page.wire.states["alerts"]["firings"]) == 1


@pytest.mark.thorough
def test_an_alert_of_every_time_goes_on_and_is_deleted(trade, exchange):
    page = trade()
    set_alert(page, "45.5", again=True)
    side_is_known(page)
    for number, last in enumerate(["45.60", "45.40", "45.50"], 1):
        exchange.feed.offer(last=last)
        wait_until(page, lambda: len(page.wire.states["alerts"]["firings"]) == number)
    # At the level it waits until a trade has left it.
    exchange.feed.offer(last="45.5")
    exchange.feed.offer(last="45.60")
    wait_until(page, lambda: page.wire.states["alerts"]["rows"][0]["armed"])
    assert len(page.wire.states["alerts"]["firings"]) == 3
    dock(page)
    # A press during the switch of tables is ignored.
    expect(page.locator(".dock-body:not([data-settling])")).to_be_visible()
    page.get_by_role("button", name="Delete the alert of").click()
    expect(page.locator(".alert-table .table-row")).to_have_count(0)
    expect(page.locator(".alert-log > [data-kind=fired]")).to_have_count(3)


def test_what_fired_is_told_once_also_after_a_reload_and_a_restart(trade, exchange):
    page = trade()
    set_alert(page, "45.50", again=True)
    side_is_known(page)
    exchange.feed.offer(last="45.60")
    expect(page.locator(".toast")).to_have_count(1)
    page.reload()
    expect(dock(page)).to_have_count(1)
    exchange.crash()
    exchange.start()
    expect(page.locator(".alert-log > [data-kind=blind]").first).to_contain_text("not seen")
    wait_until(page, lambda: page.wire.states["exchange"]["freshness"]["state"] == "live")
    expect(page.locator(".alert-log > [data-kind=fired]")).to_have_count(1)
    expect(page.locator(".toast")).to_have_count(0)
    exchange.feed.offer(last="45.40")
    expect(page.locator(".toast")).to_have_text(re.compile("fell to 45.4"))


def test_a_crossing_that_nobody_saw_fires_with_the_first_trade_after_and_says_since_when(trade, exchange):
    page = trade()
    set_alert(page, "45.50")
    side_is_known(page)
    exchange.crash()
    exchange.feed.offer(last="45.60")
    exchange.start()
    expect(page.locator(".toast")).to_have_text(re.compile(r"Not seen since \d"))
    expect(dock(page)).to_contain_text("Not seen since")


@pytest.mark.thorough
def test_a_crash_around_a_firing_neither_loses_nor_repeats_it(trade, exchange):
    page = trade()
    set_alert(page, "45.50", again=True)
    side_is_known(page)
    seed = 11
    chance = random.Random(seed)
    for number in range(1, 7):
        exchange.feed.offer(last="45.60" if number % 2 else "45.40")
        time.sleep(chance.uniform(0.0, 1.5))
        exchange.crash()
        exchange.start()
        wait_until(page, lambda: page.wire.states["exchange"]["freshness"]["state"] == "live")
        wait_until(page, lambda: len(page.wire.states["alerts"]["firings"]) >= number)
        numbers = [firing["number"] for firing in page.wire.states["alerts"]["firings"]]
        assert numbers == list(range(number, 0, -1)), f"seed {seed}"


def test_an_alert_is_set_on_the_chart_and_goes_with_its_firing(trade, exchange):
    page = trade(viewport=DESKTOP)
    line = page.locator(".alert-level")
    set_alert(page, "45.50", again=True)
    expect(line).to_have_text(re.compile(r"45\.50?$"))
    surface = page.locator(".chart-surface")
    box = surface.bounding_box()
    page.mouse.move(box["x"] + 60, box["y"] + 60)
    expect(page.locator(".cross-price")).to_be_visible()
    surface.press("l")
    expect(line).to_have_count(2)
    expect(page.locator(".chart-hint")).to_have_text(re.compile(r"^Alert set at \$?4\d\.\d"))
    # A second one at the same price is rejected where it was requested.
    surface.press("l")
    expect(page.locator(".chart-hint")).to_have_text("You already have an alert at this price.")
    set_once = float(next(row for row in page.wire.states["alerts"]["rows"] if not row["again"])["level"])
    # From one side of it to the other, wherever the price was.
    for last in (set_once + 1, set_once - 1):
        side_is_known(page)
        exchange.feed.offer(last=f"{last:.2f}")
        wait_until(page, lambda: page.wire.states["exchange"]["price"] == f"{last:.2f}")
    # An alert that fires once is removed; one that fires every time stays.
    expect(line).to_have_count(1)
    expect(line).to_contain_text("45.5")


def test_what_can_t_be_an_alert_is_refused_in_words(trade):
    page = trade()
    set_alert(page, "45.50", again=True)
    bell(page)
    # Each alert is chosen to repeat by itself.
    expect(page.get_by_label("Alert every time the price crosses")).not_to_be_checked()
    page.get_by_label("Price of the alert").fill("45.5")
    page.get_by_role("button", name="Set alert").click()
    expect(page.locator(".bell-sheet [role=status]")).to_have_text("You already have an alert at this price.")
    page.get_by_label("Price of the alert").fill("-3")
    page.get_by_role("button", name="Set alert").click()
    expect(page.locator(".bell-sheet [role=status]")).to_contain_text("above 0")


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["1440", "360"])
def test_an_alert_is_edited_in_the_sheet_that_set_it(trade, exchange, viewport):
    page = trade(viewport=viewport)
    set_alert(page, "45.50", again=True)
    set_alert(page, "44.00")
    sheet = bell(page)
    field = page.get_by_label("Price of the alert")
    # A bad edit changes nothing and is explained.
    sheet.get_by_role("button", name="Edit the alert at 45.5").click()
    expect(field).to_have_value("45.5")
    expect(field).to_be_focused()
    expect(page.get_by_label("Alert every time the price crosses")).to_be_checked()
    field.fill("44")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".bell-sheet [role=status]")).to_have_text("You already have an alert at this price.")
    assert {row["level"] for row in page.wire.states["alerts"]["rows"]} == {"44", "45.5"}
    # The first alert keeps its number.
    field.fill("45.80")
    page.get_by_label("Alert every time the price crosses").uncheck()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("button", name="Set alert")).to_be_visible()
    rows = {row["id"]: (row["level"], row["again"]) for row in page.wire.states["alerts"]["rows"]}
    assert rows == {"1": ("45.8", False), "2": ("44", False)}
    # Cancel returns to a new alert.
    sheet.get_by_role("button", name="Edit the alert at 44").click()
    expect(field).to_have_value("44")
    sheet.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("button", name="Set alert")).to_be_visible()
    expect(field).not_to_have_value("44")
    page.keyboard.press("Escape")
    side_is_known(page)
    exchange.feed.offer(last="45.90")
    expect(page.locator(".toast")).to_have_text(re.compile("alert at 45.8"))


def test_a_row_of_the_alerts_table_opens_the_sheet_to_edit_it(trade, exchange):
    page = trade()
    set_alert(page, "45.50")
    side_is_known(page)
    exchange.feed.offer(last="45.60")
    expect(dock(page)).to_have_count(1)
    expect(page.locator(".dock-body:not([data-settling])")).to_be_visible()
    edit = page.get_by_role("button", name="Edit the alert of TROAD at 45.5")
    edit.click()
    sheet = page.locator(".bell-sheet:popover-open")
    expect(sheet.get_by_label("Price of the alert")).to_have_value("45.5")
    sheet.get_by_label("Price of the alert").fill("45.20")
    page.keyboard.press("Enter")
    cells = page.locator(".alert-table .table-row [role=cell]")
    expect(cells.nth(1)).to_have_text("45.2")
    expect(cells.nth(3)).to_have_text("Active")
    page.keyboard.press("Escape")
    expect(page.locator("body > .bell-sheet")).to_have_count(0)
    exchange.feed.offer(last="45.10")
    expect(page.locator(".alert-log > [data-kind=fired]")).to_have_count(2)


def on_chart(trade, exchange, price="45.50"):
    """A chart whose view reaches from 45 to 46, with the line of one repeating alert."""
    page = trade(viewport=DESKTOP)
    for last in ("45.00", "46.00", "45.20"):
        exchange.feed.offer(last=last)
        wait_until(page, lambda: page.wire.states["exchange"]["price"] == last)
    set_alert(page, price, again=True)
    return page, page.locator(".alert-level"), page.locator(".alert-price")


def hold(page, grip, down):
    """Drags a grip by some pixels and keeps it pressed."""
    box = grip.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + down, steps=5)


def alert_rows(page):
    return [(row["id"], row["level"], row["again"]) for row in page.wire.states["alerts"]["rows"]]


def test_the_line_of_an_alert_is_dragged_to_another_price(trade, exchange):
    page, line, grip = on_chart(trade, exchange)
    expect(grip).to_have_attribute("role", "slider")
    # Escape keeps the price.
    hold(page, grip, 25)
    expect(line).to_have_attribute("data-moved", "")
    expect(grip).to_have_attribute("aria-valuetext", re.compile(r"^\$45\.\d+, was \$45\.50"))
    page.keyboard.press("Escape")
    expect(line).not_to_have_attribute("data-moved", "")
    page.mouse.up()
    expect(page.locator(".bell-sheet:popover-open")).to_have_count(0)
    assert alert_rows(page) == [("1", "45.5", True)]
    # Released, it is the same alert at another price.
    hold(page, grip, 25)
    moved = grip.inner_text().split("$")[-1]
    page.mouse.up()
    wait_until(page, lambda: alert_rows(page)[0][1] != "45.5")
    (number, level, again), = alert_rows(page)
    assert (number, again) == ("1", True) and float(level) == float(moved) < 45.5
    expect(line).not_to_have_attribute("data-moved", "")
    # The keyboard does the same.
    grip.focus()
    grip.press("ArrowUp")
    grip.press("Enter")
    wait_until(page, lambda: float(alert_rows(page)[0][1]) == round(float(level) + 0.01, 2))
    # A press without a move opens it.
    grip.click()
    expect(page.locator(".bell-sheet:popover-open").get_by_role("button", name="Save")).to_be_visible()


CROSSINGS = re.compile(r"^At least (\d+) crossings? since ")


def certain_crossings(history, level):
    """Counts the candles of a history that cross a level whatever the order of their trades."""
    count, last, end = 0, None, None
    gaps = history["gaps"]
    for start, first, high, low, close, _, trades, missing, *_ in history["candles"]:
        lost = missing or any(since < start + history["interval"] and until > (end or start) - history["interval"]
                              for since, until in gaps)
        sides = [last, first] if last is not None and not lost else [first]
        if trades and (any(one < level for one in sides) and high >= level
                       or any(one > level for one in sides) and low <= level
                       or low < level < high or close == level and low < high):
            count += 1
        last, end = close, start + history["interval"]
    return count


def recorded(page, histories):
    """Records the chart's histories as JSON."""
    def record(route):
        response = route.fetch(headers={**route.request.headers, "accept": "application/json"})
        histories.append(response.json())
        route.fulfill(response=response)

    page.route("**/history/exchange/**", record)


def test_a_held_line_shows_how_often_its_price_was_crossed(trade, exchange):
    page, line, grip = on_chart(trade, exchange)
    seed = random.randrange(1_000_000)
    prices = random.Random(seed)
    for _ in range(12):
        last = f"{prices.uniform(45.2, 45.8):.2f}"
        exchange.feed.offer(last=last)
        wait_until(page, lambda: page.wire.states["exchange"]["price"] == last)
    histories = []
    recorded(page, histories)
    page.reload()
    expect(grip).to_be_visible()
    hint = page.locator(".chart-hint")

    def held():
        # A line that is drawn again while the page loads is let go.
        grip.focus()
        grip.press("Shift+ArrowDown")
        try:
            expect(hint).to_have_text(CROSSINGS, timeout=5000)
        except AssertionError:
            return False
        return True

    wait_until(page, held)
    counts = set()
    for _ in range(4):
        level = round(float(grip.inner_text().split("$")[-1]) * 10 ** histories[-1]["priceScale"])
        # A candle is built from the ticks since the history: the last price has not changed.
        expected = certain_crossings(histories[-1], level)
        counts.add(expected)
        text = "No crossing seen" if expected == 0 else f"At least {expected} "
        expect(hint).to_have_text(re.compile(f"^{text}"), timeout=10_000)
        grip.press("Shift+ArrowUp")
    assert max(counts) > 1, f"seed {seed}"
    page.keyboard.press("Escape")
    expect(hint).to_be_hidden()
    # A drag does the same, until it is released.
    hold(page, grip, 20)
    expect(hint).to_have_text(re.compile("^(At least|No crossing)"))
    page.mouse.up()
    expect(hint).to_be_hidden()


def test_a_refused_move_of_an_alert_goes_back_and_says_why(trade, exchange):
    page, line, grip = on_chart(trade, exchange)
    set_alert(page, "45.51")
    grip = page.locator(".alert-price", has_text="45.50")
    grip.focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page.locator(".chart-hint")).to_have_text("You already have an alert at this price.")
    expect(page.locator(".alert-level[data-moved]")).to_have_count(0)
    assert {level for _, level, _ in alert_rows(page)} == {"45.5", "45.51"}


def test_alerts_beyond_the_view_are_counted_at_its_edge(trade, exchange):
    page, _, _ = on_chart(trade, exchange, "90")
    above, below = page.locator(".alert-edge").all()
    expect(above).to_contain_text("1 above ↑")
    expect(below).to_be_hidden()
    set_alert(page, "95")
    set_alert(page, "2")
    expect(above).to_contain_text("2 above ↑")
    expect(below).to_contain_text("1 below ↓")
    above.get_by_role("button").click()
    expect(page.locator(".bell-sheet:popover-open .bell-row")).to_have_count(3)


# Texts of the table's cells and its buttons that overlap or leave their row.
COLLISIONS = """() => [...document.querySelectorAll(".alert-table .table-row")].flatMap((row) => {
  const parts = [...row.querySelectorAll("[role=cell]:not(:last-child), button")].filter((part) => part.checkVisibility());
  const boxes = parts.map((part) => {
    const range = document.createRange();
    range.selectNodeContents(part);
    return (part.matches("button") ? part : range).getBoundingClientRect();
  });
  const around = row.getBoundingClientRect();
  const leaves = ({ left, right }) => left < around.left || right > around.right + 1 || right > innerWidth;
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  return parts.flatMap((part, at) => [...leaves(boxes[at]) ? [`${part.textContent} leaves`] : [],
    ...parts.filter((_, other) => other > at && meet(boxes[at], boxes[other])).map((other) => `${part.textContent} on ${other.textContent}`)]);
})"""


def test_the_table_of_alerts_has_room_for_every_kind(open_page):
    server = Server()
    try:
        page = open_page("/book/BTC%2FUSD", viewport=DESKTOP, at=server.address)
        sheet = bell(page)
        rows = [("rise", "2"), ("fall", "2"), ("spread", "1000"), ("volume", "0.00000001"), ("book", None), ("price", "90000")]
        for kind, level in rows:
            sheet.get_by_label("Kind of the alert").select_option(value=kind)
            if level:
                sheet.locator("input.field:visible").first.fill(level)
            count = len(page.wire.states["alerts"]["rows"])
            sheet.locator("button[type=submit]").click()
            wait_until(page, lambda: len(page.wire.states["alerts"]["rows"]) > count)
        wait_until(page, lambda: page.wire.states["alerts"]["firings"])
        for width, locale in [(360, "nl-NL"), (820, "de-DE"), (1440, "de-DE"), (1440, "en-US")]:
            path = "/exchange" if width < 1000 else "/book/BTC%2FUSD"
            page = open_page(path, viewport={"width": width, "height": 900}, at=server.address, locale=locale)
            page.locator(".dock-tab[data-tab=alerts]").click()
            expect(page.locator(".alert-table .button:visible").first).to_be_visible()
            expect(page.locator(".alert-table .table-row")).to_have_count(len(rows))
            assert page.evaluate(COLLISIONS) == [], (width, locale)
    finally:
        server.stop()


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_an_alert_of_another_kind_has_its_own_fields_and_words(trade, exchange, viewport):
    page = trade(viewport=viewport)
    sheet = bell(page)
    kind = sheet.get_by_label("Kind of the alert")
    submit = sheet.get_by_role("button", name="Set alert")
    said = sheet.locator("[role=status]")
    kind.select_option("Fall")
    expect(sheet.get_by_label("Fall", exact=True)).to_have_value("2")
    expect(sheet.get_by_label("Within minutes")).to_have_value("15")
    sheet.get_by_label("Fall", exact=True).fill("1.5")
    sheet.get_by_label("Within minutes").fill("0")
    submit.click()
    expect(said).to_have_text("Enter a whole number from 1 to 1440.")
    sheet.get_by_label("Within minutes").fill("10")
    submit.click()
    expect(sheet.locator(".bell-row")).to_have_text(re.compile(r"^Fall of 1\.5% within 10 min · Once · Active"))
    # A market without a book or sizes of trades refuses them with the reason.
    for refused, why in [("Invalid order book", "This market has no order book."),
                         ("Volume", "This market’s trades have no sizes, so there is no volume.")]:
        kind.select_option(refused)
        if refused == "Volume":
            sheet.get_by_label("Volume", exact=True).fill("1")
        submit.click()
        expect(said).to_have_text(why)
    kind.select_option("Spread")
    expect(sheet.get_by_label("Spread", exact=True)).to_have_value("10")
    sheet.get_by_label("Spread", exact=True).fill("500")
    submit.click()
    expect(sheet.locator(".bell-row")).to_have_count(2)
    # It is edited with its own values.
    sheet.get_by_role("button", name="Edit the alert: Fall of 1.5% within 10 min").click()
    expect(kind).to_have_value("fall")
    expect(sheet.get_by_label("Fall", exact=True)).to_have_value("1.5")
    sheet.get_by_label("Within minutes").fill("20")
    sheet.get_by_role("button", name="Save").click()
    expect(sheet.locator(".bell-row").last).to_have_text(re.compile("^Fall of 1.5% within 20 min"))
    expect(submit).to_be_visible()
    page.keyboard.press("Escape")
    # No line of a price for them.
    expect(page.locator(".alert-level")).to_have_count(0)
    exchange.feed.offer(last="45.05")
    wait_until(page, lambda: page.wire.states["exchange"]["price"] == "45.05")
    exchange.feed.offer(last="44.30")
    expect(page.locator(".toast")).to_have_text(
        re.compile(r"^TROAD, \d\d:\d\d:\d\d: Changed by −1\.66% within 20 min; alert at −1\.50?%\."))
    exchange.feed.offer(last="44.30", bid=("43.00", 1), ask=("46.00", 1))
    wait_until(page, lambda: page.wire.states["alerts"]["firings"][0]["kind"] == "spread")
    assert page.wire.states["alerts"]["firings"][0]["value"] == "674.15"


def test_an_invalid_book_fires_once_it_is_in_doubt_for_its_seconds(open_page):
    server = Server()
    try:
        page = open_page("/book/BTC%2FUSD", viewport=DESKTOP, at=server.address)
        sheet = bell(page)
        sheet.get_by_label("Kind of the alert").select_option("Invalid order book")
        expect(sheet.get_by_label("For seconds")).to_have_value("5")
        sheet.get_by_label("For seconds").fill("2")
        sheet.get_by_role("button", name="Set alert").click()
        expect(sheet.locator(".bell-row")).to_contain_text("No valid order book for 2 s · Once")
        page.keyboard.press("Escape")
        expect(page.locator(".book .spread")).to_have_text(re.compile("^Spread "))
        assert page.wire.states["alerts"]["firings"] == []
        page.evaluate("""() => {
          const socket = new WebSocket(`ws://${location.host}/live`);
          const fault = { do: "fault.inject", venue: "kraken", faults: "cut, refuse=503 for 6s" };
          socket.onopen = () => socket.send(JSON.stringify(fault));
        }""")
        wait_until(page, lambda: page.wire.states["alerts"]["firings"])
        (firing,) = page.wire.states["alerts"]["firings"]
        assert firing["kind"] == "book" and int(firing["value"]) >= 2
        expect(page.locator(".toast", has_text="No valid order book for")).to_be_visible()
    finally:
        server.stop()


def test_without_a_connection_an_alert_says_that_it_is_not_set(look):
    taps = []
    page = look(setup=lambda page: taps.append(Tap(page)))
    bell(page)
    page.get_by_label("Price of the alert").fill("45.5")
    taps[0].refuse = True
    taps[0].cut()
    expect(page.locator(".chip")).to_have_attribute("data-state", re.compile("disconnected|connecting"))
    page.get_by_role("button", name="Set alert").click()
    expect(page.locator(".bell-sheet [role=status]")).to_have_text("Not saved: there is no connection to Livetape.")


def test_permission_to_notify_is_asked_for_with_the_first_alert_and_never_before(trade):
    asked = """() => {
      window.asked = 0;
      Notification.requestPermission = async () => { window.asked += 1; return "denied"; };
      Object.defineProperty(Notification, "permission", { get: () => window.asked ? "denied" : "default" });
    }"""
    page = trade(setup=lambda page: page.add_init_script(f"({asked})()"))
    bell(page)
    assert page.evaluate("window.asked") == 0
    page.keyboard.press("Escape")
    set_alert(page, "45.50")
    set_alert(page, "45.60")
    assert page.evaluate("window.asked") == 1


def test_a_market_with_trades_has_its_bell_at_every_size(open_page):
    page = open_page("/book/XBTUSD", viewport=DESKTOP)
    for viewport in (DESKTOP, {"width": 820, "height": 1180}, PHONE):
        page.set_viewport_size(viewport)
        sheet = bell(page)
        box = sheet.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= viewport["width"] + 0.5
        assert box["y"] + box["height"] <= viewport["height"] + 0.5
        expect(page.get_by_label("Price of the alert")).to_have_value(re.compile(r"^\d"))
        expect(page.get_by_label("Price of the alert")).to_be_focused()
        page.keyboard.press("Escape")
        expect(sheet).to_be_hidden()


def test_a_row_of_the_book_offers_an_alert_at_its_price(open_page):
    for shape, viewport in (("ladder", DESKTOP), ("sides", PHONE)):
        page = open_page("/book/XBTUSD", viewport=viewport)
        expect(page.locator(f".book [data-shape={shape}], .book[data-shape={shape}]").first).to_be_attached()
        level = page.locator(".asks .level:not([data-empty])").first
        # The row's price at the press is the sheet's initial value.
        wanted = level.evaluate("""(row) => {
          const price = row.querySelector(".level-price").textContent.replaceAll(",", "");
          const { x, y } = row.getBoundingClientRect();
          row.dispatchEvent(new MouseEvent("contextmenu", { bubbles: true, cancelable: true, clientX: x + 5, clientY: y + 5 }));
          return price;
        }""")
        sheet = page.locator(".bell-sheet:popover-open")
        expect(sheet).to_have_attribute("aria-label", "Alerts for XBTUSD")
        assert float(page.get_by_label("Price of the alert").last.input_value()) == float(wanted)
        expect(sheet.get_by_label("Price of the alert")).to_be_focused()
        box = sheet.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= viewport["width"] + 0.5
        assert box["y"] >= 0 and box["y"] + box["height"] <= viewport["height"] + 0.5
        page.keyboard.press("Escape")
        expect(page.locator("body > .bell-sheet")).to_have_count(0)


def test_what_is_typed_as_soon_as_the_sheet_is_open_stands(open_page):
    page = open_page("/book/XBTUSD", viewport=DESKTOP)
    page.locator(".asks .level:not([data-empty])").first.wait_for()
    # The bell has its sheet once the sheet's code has loaded.
    page.locator(".bell-sheet").first.wait_for(state="attached")
    # In one task: the sheet opens and the price is typed before any other event.
    value = page.evaluate("""() => new Promise((done) => {
      const row = document.querySelector(".asks .level:not([data-empty])");
      const { x, y } = row.getBoundingClientRect();
      row.dispatchEvent(new MouseEvent("contextmenu", { bubbles: true, cancelable: true, clientX: x + 5, clientY: y + 5 }));
      const sheet = document.querySelector("body > .bell-sheet");
      const field = sheet.querySelector("input.field");
      sheet.addEventListener("toggle", () => requestAnimationFrame(() => done(field.value)));
      field.value = "99000";
    })""")
    assert value == "99000"


def test_the_keyboard_sets_an_alert_at_a_row_of_the_book(trade, exchange):
    page = trade("/book/XBTUSD")
    expect(page.locator(".level:not([data-empty])").first).to_be_visible()
    page.locator(".panel.book .scroller").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".level:focus")).to_have_count(1)
    page.keyboard.press("Shift+F10")
    sheet = page.locator(".bell-sheet:popover-open")
    sheet.get_by_label("Price of the alert").fill("99000")
    page.keyboard.press("Enter")
    expect(sheet.locator(".bell-row")).to_contain_text("99,000")
    page.keyboard.press("Escape")
    expect(page.locator(".level:focus")).to_have_count(1)
    expect(page.locator(".bell").first).to_have_accessible_name("Alerts for XBTUSD (1)")


def test_a_row_of_the_list_offers_alerts_where_trades_are_seen(trade, exchange):
    page = trade("/markets/all")
    page.locator('[data-row="kraken/BTC/USD"]').click(button="right", position={"x": 400, "y": 10})
    page.get_by_role("menuitem", name="Price alert…").click()
    sheet = page.locator(".bell-sheet:popover-open")
    expect(sheet.get_by_label("Price of the alert")).to_have_value(re.compile(r"^\d"))
    sheet.get_by_label("Price of the alert").fill("99000")
    page.keyboard.press("Enter")
    expect(sheet.locator(".bell-row")).to_contain_text("99,000")
    page.keyboard.press("Escape")
    expect(page.locator("body > .bell-sheet")).to_have_count(0)
    page.get_by_role("searchbox", name="Search markets").fill("tracker echo AAPL")
    page.locator(".market-row:not([hidden])").first.click(button="right", position={"x": 400, "y": 10})
    expect(page.get_by_role("menuitem", name="Price alert…")).to_be_disabled()
