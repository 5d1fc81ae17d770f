"""Paper orders in venues' markets: the ticket on the market's screen, fills, lines, positions."""

import csv
import os
import random
import re
from decimal import Decimal

import pytest
from playwright.sync_api import expect

from desk import request
from ordering import fill, place, settled, side
from servers import Server
from watching import choose_market, follow, wait_until

SEED = int(os.environ.get("LIVETAPE_SEED") or random.randrange(1_000_000))
SIZES = pytest.mark.parametrize("width, height", [(360, 740), (820, 1180), (1366, 768), (1440, 900)])


@pytest.fixture(scope="module")
def server():
    """A server with a ledger that only these tests use."""
    server = Server("--fees", "kraken=0.20/0.35")
    yield server
    server.stop()


@pytest.fixture(scope="module")
def slow_server():
    """A server whose orders take a while to reach their venue."""
    server = Server("--order-latency", "400")
    yield server
    server.stop()


def market(open_page, server, path="/book/BTC/USD", size=(1440, 900)):
    page = open_page(path, viewport={"width": size[0], "height": size[1]}, at=server.address)
    expect(page.locator(".market .trade-buy b")).to_have_text(re.compile(r"\d"))
    return page


def open_ticket(page, side="buy"):
    page.locator(f".market .trade-{side}").click()
    expect(page.locator(".market .ticket-sheet")).to_be_visible()
    expect(page.locator("#ticket-reason")).not_to_have_text(re.compile("Waiting"))


def nothing_is_cut(page):
    """Every control of the form is within the window, shows its whole text and covers no other."""
    faults = page.evaluate("""() => {
        const parts = [...document.querySelectorAll(".ticket-form :is(select, input, button)")]
            .filter((part) => part.checkVisibility());
        const boxes = parts.map((part) => part.getBoundingClientRect());
        const covers = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
        return parts.flatMap((part, at) => [
            ...boxes[at].left < 0 || boxes[at].right > innerWidth || part.scrollWidth > part.clientWidth + 1 ? [part.outerHTML] : [],
            ...parts.filter((_, other) => other > at && covers(boxes[at], boxes[other]))
                .map((other) => `${part.outerHTML} and ${other.outerHTML}`)]);
    }""")
    assert faults == []


def lot(page):
    """The size of the smallest order, as typed."""
    topic = next(topic for topic in page.wire.open if topic.startswith("ticket/"))
    return page.wire.states[topic]["quantityStep"]


@SIZES
def test_an_order_fills_from_the_book_on_screen(open_page, server, width, height):
    page = market(open_page, server, size=(width, height))
    open_ticket(page)
    fill(page, "2.5")
    expect(page.locator(".ticket-form .preview-facts")).to_contain_text(re.compile(r"Fills now.*2\.5"))
    place(page)
    expect(page.locator(".ticket-outcome")).to_contain_text("Buy 2.5 BTC/USD at market")
    expect(page.locator(".ticket-outcome")).to_contain_text(re.compile(r"Bought 2\.5 BTC/USD · Kraken at .*\d"))
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    # The headline keeps its line, whatever does not fit beside the buttons.
    assert page.evaluate("() => document.querySelector('.market > .pane-bar').scrollTop") == 0
    expect(page.locator(".market .headline-price")).to_be_in_viewport()


def test_the_fee_is_shown_before_the_order_and_charged_after_it(open_page, server):
    page = market(open_page, server)
    open_ticket(page)
    fill(page, "0.2")
    total = page.locator(".ticket-form .preview-facts > div").filter(has_text="Est. cost")
    expect(total).to_contain_text(", fee $")
    cost, fee = (Decimal(re.sub(r"[^0-9.]", "", text)) for text in total.text_content().removeprefix("Est. cost").split(", fee"))
    assert abs(fee - cost * Decimal("0.0035")) < Decimal("0.01"), (cost, fee)
    place(page)
    expect(page.locator(".ticket-outcome")).to_contain_text(re.compile(r"Bought 0\.2 BTC/USD · Kraken at .*\d"))
    order = request(server, "/orders")[1]["orders"][0]
    value = sum(Decimal(each["price"]) * Decimal(each["quantity"]) for each in order["fills"])
    assert abs(Decimal(order["fees"]) - value * Decimal("0.0035")) < Decimal("0.000001"), order
    assert {each["role"] for each in order["fills"]} == {"taker"}
    assert sum(Decimal(each["fee"]) for each in order["fills"]) == Decimal(order["fees"])
    follow(page, "/orders")
    page.locator(f"[data-order='{order['id']}']").first.click()
    expect(page.locator(".order-facts div").filter(has_text="Fees").first).to_contain_text(re.compile(r"\d"))


@pytest.mark.parametrize("venue", [
    "coinbase", "okx", *(pytest.param(each, marks=pytest.mark.thorough) for each in ("binance", "bybit", "kraken"))])
def test_a_random_market_of_each_venue_can_be_traded(venue, open_page, server):
    print(f"LIVETAPE_SEED={SEED}")
    page = market(open_page, server)
    wait_until(page, lambda: "books" in page.wire.states)
    spot = [each for each in page.wire.states["books"]["instruments"]
            if each["kind"] == "spot" and each["venue"] == venue]
    chosen = random.Random(SEED).choice(spot)
    print(venue, chosen["symbol"])
    follow(page, f"/book/{chosen.get('address', chosen['symbol'])}")
    expect(page.locator(".market .chooser")).to_have_text(chosen["symbol"])
    expect(page.locator(".market .trade-buy b")).to_have_text(re.compile(r"\d"))
    open_ticket(page, "sell")
    fill(page, lot(page))
    place(page)
    expect(page.locator(".ticket-outcome")).to_contain_text(f"{chosen['symbol']} · {page.wire.states['status']['venues'][venue]['name']}")


def test_a_level_of_the_book_sets_price_and_side_and_the_order_is_seen_there(open_page, server):
    page = market(open_page, server, "/book/ETH/USD")
    bids = page.locator(".book .bids .level:not([data-empty])")
    price = bids.nth(9).locator(".level-price")
    expect(price).to_have_text(re.compile(r"\d"))
    settled(page)
    bids.nth(9).click()
    expect(page.locator(".market .ticket-sheet")).to_be_visible()
    expect(page.get_by_label("Limit price")).to_have_value(re.compile(r"^\d"))
    settled(page)
    page.locator(".choice.side[data-value=buy]").click()
    page.get_by_label("Limit price").fill("1500")
    page.get_by_label("Quantity", exact=True).fill("0.25")
    place(page)
    row = page.locator(".dock [data-order]").first
    expect(row).to_contain_text("ETH/USD · Kraken")
    row.get_by_role("button", name=re.compile("^Cancel order")).click()
    expect(page.locator(".dock [data-order]:not([data-ended])")).to_have_count(0)


def test_what_was_typed_for_one_market_is_gone_in_another(open_page, server):
    page = market(open_page, server)
    open_ticket(page)
    page.get_by_label("Quantity", exact=True).fill("7")
    choose_market(page, "ETH/USD")
    expect(page.locator(".market .trade-buy b")).to_have_text(re.compile(r"\d"))
    open_ticket(page)
    expect(page.get_by_label("Quantity", exact=True)).to_have_value("")


@pytest.mark.parametrize("instrument, words", [
    ("kraken:NOPE/USD", "has no market kraken:NOPE/USD"), ("bitmex:XBTUSD", "traded in contracts"),
    ("bybit-linear:BTCUSDT", "pays funding, which is not simulated"),
    ("nowhere:BTC/USD", "VENUE:SYMBOL"), ("kraken:", "VENUE:SYMBOL"), ("isin:US0378331005", "VENUE:SYMBOL"),
])
def test_an_order_in_no_market_is_refused_with_the_reason(server, instrument, words):
    order = {"clientId": f"no-{abs(hash(instrument))}", "instrument": instrument, "type": "market", "side": "buy", "quantity": "1"}
    status, answer = request(server, "/orders", "POST", order)
    assert status in (400, 422) and words in answer["detail"], answer


def test_contracts_have_no_ticket(open_page, server):
    page = market(open_page, server)
    reason = page.locator(".market .no-ticket")
    expect(reason).to_be_hidden()
    for name, words in (("XBTUSD", "traded in contracts"), ("bybit-linear:BTCUSDT", "funding is not simulated")):
        follow(page, f"/book/{name}")
        expect(page.locator(".market .chooser")).to_have_text(name.split(":")[-1])
        without_ticket(page)
        expect(reason).to_contain_text(words)
    for width, height in ((320, 700), (390, 844), (1366, 768), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        expect(reason).to_be_in_viewport(ratio=1)
        assert reason.evaluate("it => it.scrollWidth <= it.clientWidth && it.offsetHeight < 45"), (width, height)
    follow(page, "/book/BTC/USD")
    expect(reason).to_be_hidden()


def test_no_table_shows_the_key_of_a_market(open_page, server):
    page = market(open_page, server)
    open_ticket(page)
    fill(page, "1")
    place(page)
    expect(page.locator(".ticket-outcome")).to_contain_text("Bought 1 BTC/USD · Kraken at")
    page.get_by_role("button", name="New order").click()
    settled(page)
    fill(page, "1", "1500")
    place(page)
    for tab in ("open", "positions", "fills", "history", "news"):
        page.locator(f".dock-tab[data-tab={tab}]").click()
        panel = page.locator(f".dock-panel[data-tab={tab}]")
        expect(panel).to_contain_text("BTC/USD · Kraken")
        assert "kraken:" not in panel.inner_html(), tab
    follow(page, "/orders")
    expect(page.locator(".order").first).to_contain_text("BTC/USD · Kraken")
    page.get_by_label("Search the orders").fill("btc/usd · kraken")
    expect(page.locator(".order").first).to_be_visible()
    assert "kraken:" not in page.locator(".pane.orders").inner_html()
    assert request(server, "/orders")[1]["orders"][0]["symbol"] == "kraken:BTC/USD"


def placed(page, server, order):
    """Places an order through the API; repeats it while its reply is late, which changes nothing."""
    def is_placed():
        status, answer = request(server, "/orders", "POST", order)
        assert status in (201, 503), answer
        return status == 201

    wait_until(page, is_placed)


def test_cash_and_equity_are_stated_by_currency(open_page, server):
    page = market(open_page, server)
    bought = {"kraken:BTC/USD": "USD", "okx:BTC-USDT": "USDT"}
    for number, instrument in enumerate(bought):
        order = {"clientId": f"sum-{SEED}-{number}", "instrument": instrument, "type": "market", "side": "buy",
                 "quantity": "0.5"}
        placed(page, server, order)
    page.locator(".dock-tab[data-tab=positions]").click()
    for currency in bought.values():
        for word in ("Cash", "Equity"):
            row = page.locator(f".positions tr[data-total='{word.lower()} {currency}']")
            expect(row.locator("th")).to_have_text(f"{word} {currency}")
            expect(row.locator("[data-kind=value]")).to_have_text(re.compile(r"\d"))

    def adds_up():
        state = page.wire.states["positions"]
        parts = [state, *state["rows"].values()]
        return state["totals"].keys() >= set(bought.values()) and all(
            Decimal(total["cash"]) == sum(Decimal(part["cash"]) for part in parts if part["currency"] == currency)
            and ("value" not in total or Decimal(total["cash"]) + Decimal(total["value"]) == Decimal(total["equity"]))
            for currency, total in state["totals"].items())

    wait_until(page, adds_up)
    page.get_by_role("combobox", name="Total in").select_option("USD")
    route = page.locator(".conversion-routes li").filter(has_text="USDT →")
    expect(route).to_have_text(re.compile(r"^USDT → .*USD by .* at [\d.,]+, "))
    expect(page.locator(".conversion dd[data-kind=equity]")).to_have_text(re.compile(r"\d"))
    page.locator(".dock-filter").get_by_text("This market").click()
    expect(page.locator(".conversion")).to_be_hidden()
    expect(page.locator(".positions tr[data-total$=' USD']")).to_have_count(2)
    expect(page.locator(".positions tr[data-total$=' USDT']")).to_have_count(0)


def test_ten_times_the_usual_size_is_confirmed_once(open_page, server):
    page = market(open_page, server, "/book/SOL/USD")
    for number in range(3):
        order = {"clientId": f"usual-{SEED}-{number}", "instrument": "kraken:SOL/USD", "type": "market", "side": "buy",
                 "quantity": "0.5"}
        placed(page, server, order)
    open_ticket(page)
    fill(page, "5")
    after = page.locator(".ticket-form .preview-facts > div").filter(has_text="Position after")
    expect(after).to_contain_text(re.compile(r"^Position after6\.5 SOL, slippage [\d,]+ bp$"))
    page.locator(".ticket-go:visible").click()
    question = page.locator(".review-question")
    expect(page.locator(".ticket")).to_have_attribute("data-phase", "review")
    expect(question).to_be_hidden()
    settled(page)
    page.locator(".ticket-go:visible").click()
    expect(page.locator(".ticket")).to_have_attribute("data-phase", "confirmation")
    expect(question).to_have_text("Unusually large: 5. Your usual size in this market is 0.5. Place it anyway?")
    expect(page.locator(".ticket-outcome")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(page.locator(".ticket")).to_have_attribute("data-phase", "form")
    settled(page)
    page.locator(".ticket-go:visible").click()
    settled(page)
    page.locator(".ticket-go:visible").click()
    expect(question).to_be_visible()
    settled(page)
    page.locator(".ticket-go:visible").click()
    expect(page.locator(".ticket-outcome")).to_contain_text("Bought 5 SOL/USD · Kraken at")


def test_fills_are_downloaded_as_csv(open_page, server):
    page = market(open_page, server)
    order = {"clientId": f"csv-{SEED}", "instrument": "kraken:BTC/USD", "type": "market", "side": "sell", "quantity": "0.25"}
    placed(page, server, order)
    page.locator(".dock-tab[data-tab=fills]").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="All fills as CSV").click()
    with open(download.value.path(), newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows[0]["market"] == "kraken:BTC/USD" and rows[0]["side"] == "sell" and rows[0]["role"] == "taker"
    parts = [row for row in rows if row["order"] == rows[0]["order"]]
    assert sum(Decimal(row["quantity"]) for row in parts) == Decimal("0.25")
    assert all(Decimal(row["fee"]) > 0 for row in parts)


def dock(page, width, tab):
    """Opens a table; narrow screens have them with the exchange."""
    if width < 1000:
        follow(page, "/exchange")
    page.locator(f".dock-tab[data-tab={tab}]").click()


def without_ticket(page):
    expect(page.locator(".book .bids .level:not([data-empty])").first).to_be_visible()
    expect(page.locator(".dock")).to_be_visible()
    expect(page.locator(".market .trade-buy")).to_have_count(0)


@pytest.mark.parametrize("path", ["/book/SOL/USD", "/exchange"])
def test_the_tickets_prices_are_lines_on_the_chart_that_move_them(open_page, server, path):
    page = open_page(path, viewport={"width": 1440, "height": 900}, at=server.address)
    if path != "/exchange":
        open_ticket(page)
    lines = page.locator(".chart-orders .level-line[data-draft]:not([hidden])")
    fill(page, "0.5", "40")
    grip = lines.locator(".order-grip")
    expect(lines).to_have_attribute("data-side", "buy")
    expect(grip).to_contain_text(re.compile(r"^⠿Draft · Buy 0\.5"))
    form, price = page.locator(".ticket-form"), page.get_by_label("Limit price")
    grip.focus()
    grip.press("Shift+ArrowUp")
    expect(price).to_have_value("40")
    grip.press("Enter")
    expect(price).not_to_have_value("40")
    moved = Decimal(price.input_value())
    assert 40 < moved < 41 and len(lines.all()) == 1, moved
    side(page, "Sell")
    expect(lines).to_have_attribute("data-side", "sell")
    side(page, "Buy")
    side(page, "Market")
    page.get_by_label("When", exact=True).select_option("bracket")
    form.get_by_label("Stop", exact=True).fill("39")
    form.get_by_label("Take profit", exact=True).fill("900")
    expect(lines).to_have_count(2)
    assert [line.get_attribute("data-side") for line in lines.all()] == ["sell", "sell"]
    # A held stop shows how often its price was crossed.
    stop = page.locator(".chart-orders .order-grip", has_text="Stop")
    stop.focus()
    stop.press("ArrowDown")
    expect(page.locator(".chart-hint")).to_have_text(re.compile("^(At least|No crossing)"))
    page.keyboard.press("Escape")
    page.get_by_role("button", name=re.compile("^Cancel Stop")).click()
    expect(form.get_by_label("Stop", exact=True)).to_have_value("")
    page.get_by_label("When", exact=True).select_option("none")
    side(page, "Limit")
    price.fill("4x")
    expect(lines).to_have_count(0)
    assert not [order for order in request(server, "/orders")[1]["orders"] if order.get("price") == str(moved)]


def test_charts_side_by_side_show_the_orders_and_fills_of_their_markets(open_page, server):
    page = open_page("/charts/LTC%2FUSD/coinbase:ETH-USD/ETH%2FUSD", viewport={"width": 1440, "height": 900}, at=server.address)
    for instrument in ("kraken:LTC/USD", "coinbase:ETH-USD"):
        placed(page, server, {"clientId": f"grid-{SEED}-{instrument[:4]}", "instrument": instrument, "type": "limit", "side": "buy",
                              "quantity": "0.5", "price": "1"})
    ids = [order["id"] for order in request(server, "/orders")[1]["orders"][:2]]
    cells = page.locator(".chart-grid > .panel")
    tags = [cells.nth(at).locator(".chart-orders .order-words", has_text="Buy 0.5") for at in range(2)]
    for tag in tags:
        expect(tag).to_have_count(1)
        # Without the ticket it can't be moved or cancelled.
        expect(tag.locator("xpath=../..").locator(".order-cross")).to_be_hidden()
        expect(tag.locator("xpath=..")).not_to_have_attribute("role", "slider")
    placed(page, server, {"clientId": f"grid-{SEED}", "instrument": "kraken:LTC/USD", "type": "market", "side": "buy", "quantity": "0.5"})
    expect(cells.nth(0).locator(".chart-legend")).to_contain_text("1 buy of 0.5")
    for id in ids:
        request(server, f"/orders/{id}", "DELETE")
    for tag in tags:
        expect(tag).to_have_count(0)


@SIZES
def test_a_stop_waits_is_drawn_and_triggers_by_a_trade(open_page, server, width, height):
    page = market(open_page, server, "/book/ETH/USD", size=(width, height))
    open_ticket(page, "sell")
    page.get_by_label("When", exact=True).select_option("stop")
    page.get_by_label("Quantity", exact=True).fill("0.5")
    topic = next(topic for topic in page.wire.open if topic.startswith("ticket/"))
    ask, step = (Decimal(page.wire.states[topic][name]) for name in ("ask", "priceStep"))
    page.get_by_label("Trigger", exact=True).fill(str((ask * 2).quantize(step)))
    # The last trade is below it.
    expect(page.locator(".ticket-form .field-error:visible")).to_contain_text("A stop to sell must be below the market")
    page.get_by_label("Trigger", exact=True).fill("1")
    expect(page.locator(".ticket-form .preview-left")).to_contain_text("or lower, then sells at market.")
    nothing_is_cut(page)
    place(page)
    expect(page.locator(".ticket-outcome")).to_contain_text("Order waiting")
    order = request(server, "/orders")[1]["orders"][0]
    assert order["status"] == "PENDING" and order["trigger"] == {"kind": "stop", "price": order["trigger"]["price"]}
    row = page.locator(f".open-order[data-order='{order['id']}']").first
    if width > 1000:
        expect(row).to_contain_text("Stop")
        expect(page.locator(".chart-orders .order-tag").filter(has_text="Stop").first).to_be_visible()
        # The held line of a trigger shows how often its price was crossed.
        grip = page.locator(".chart-orders .order-grip", has_text="Stop").first
        grip.focus()
        grip.press("ArrowUp")
        expect(page.locator(".chart-hint")).to_have_text(re.compile("^(At least|No crossing)"))
        page.keyboard.press("Escape")
        expect(page.locator(".chart-hint")).to_be_hidden()
        row.get_by_role("button", name=re.compile("^Amend")).click()
        form = row.locator(".amend-form")
        expect(form.get_by_label("Price", exact=True)).to_be_hidden()
        form.get_by_label("Stop", exact=True).fill("2")
        form.get_by_label("Quantity", exact=True).fill("0.4")
        form.get_by_label("Quantity", exact=True).press("Enter")
        expect(form).to_have_count(0)
        amended = request(server, f"/orders/{order['id']}")[1]["order"]
        assert (Decimal(amended["trigger"]["price"]), amended["quantity"], amended["amendments"]) == (2, "0.4", 1)
        status, amended = request(server, f"/orders/{order['id']}", "PATCH", {"clientId": f"back-{SEED}-{width}", "trigger": "1"})
        assert status == 200, amended
    page.goto(page.url.split("/book/")[0] + "/orders")
    expect(page.locator(f".order[data-order='{order['id']}'] .order-limit")).to_have_text(re.compile(r"^\$1([.]0+)?$"), use_inner_text=True)
    request(server, f"/orders/{order['id']}", "DELETE")


def test_a_trade_beyond_a_stop_triggers_it_and_the_receipt_cites_it(open_page, server):
    page = market(open_page, server)
    topic = next(topic for topic in page.wire.open if topic.startswith("ticket/"))

    def stop(side):
        """The path of a stop that the next moves of the market to its side trigger."""
        for attempt in range(50):
            state = page.wire.states[topic]
            away = attempt * Decimal(state["priceStep"])
            price = Decimal(state["ask"]) + away if side == "buy" else Decimal(state["bid"]) - away
            status, answer = request(server, "/orders", "POST", {
                "clientId": f"stop-{SEED}-{side}-{attempt}", "instrument": "kraken:BTC/USD", "type": "market", "side": side,
                "quantity": "0.1", "stop": str(price)})
            if status == 201:
                return f"/orders/{answer['order']['id']}"
            assert answer["field"] == "trigger", answer
            page.wait_for_timeout(20)
        raise AssertionError(answer)

    # The market goes up or down from here.
    stops = [stop("buy"), stop("sell")]
    met = {}
    wait_until(page, lambda: met.update({path: order for path in stops for order in [request(server, path)[1]["order"]]
                                         if order["status"] == "FILLED"}) or met)
    for order in met.values():
        trigger = order["trigger"]
        beyond = Decimal(trigger["met"]) - Decimal(trigger["price"])
        assert (beyond >= 0 if order["side"] == "buy" else beyond <= 0) and trigger["number"] > 0 and trigger["at"]
    for path in stops:
        request(server, path, "DELETE")


@SIZES
def test_a_bracket_states_its_worst_loss_and_its_exits_go_with_it(open_page, server, width, height):
    page = market(open_page, server, "/book/SOL/USD", size=(width, height))
    open_ticket(page)
    page.locator(".choice[data-value=limit]").click()
    page.get_by_label("When", exact=True).select_option("bracket")
    for label, figure in [("Quantity", "0.5"), ("Limit price", "50"), ("Stop", "40"), ("Take profit", "70")]:
        page.locator(".ticket-form").get_by_label(label, exact=True).fill(figure)
    expect(page.locator(".ticket-form .preview-bound")).to_contain_text("Worst loss at the stop, before fees: $5.00")
    nothing_is_cut(page)
    place(page)
    expect(page.locator(".ticket-outcome")).to_contain_text("Buy 0.5 SOL/USD at $50 or better, stop $40, take profit $70")
    profit, stop, entry = request(server, "/orders")[1]["orders"][:3]
    assert [order["link"] for order in (stop, profit)] == [{"kind": "bracket", "order": entry["id"]}] * 2
    assert [order["trigger"]["kind"] for order in (stop, profit)] == ["stop", "takeProfit"]
    assert entry["link"] == {"kind": "bracket", "order": stop["id"]}
    request(server, f"/orders/{entry['id']}", "DELETE")
    assert {order["status"] for order in request(server, "/orders")[1]["orders"][:3]} == {"CANCELLED"}


def test_one_cancels_the_other(open_page, server):
    page = market(open_page, server, "/book/SOL/USD")
    open_ticket(page, "sell")
    page.get_by_label("When", exact=True).select_option("oco")
    expect(page.locator(".choice[data-value=limit]")).to_have_attribute("aria-pressed", "true")
    for label, figure in [("Quantity", "0.5"), ("Limit price", "500"), ("Stop", "900")]:
        page.locator(".ticket-form").get_by_label(label, exact=True).fill(figure)
    expect(page.locator(".ticket-form .field-error:visible")).to_contain_text("must be below the market")
    page.locator(".ticket-form").get_by_label("Stop", exact=True).fill("20")
    place(page)
    expect(page.locator(".ticket-outcome")).to_contain_text("or stop $20")
    stop, limit = request(server, "/orders")[1]["orders"][:2]
    assert stop["link"] == {"kind": "oco", "order": limit["id"]} and stop["side"] == "sell"
    for order in (stop, limit):
        request(server, f"/orders/{order['id']}", "DELETE")


@SIZES
def test_a_post_only_order_never_takes_and_one_for_a_day_states_when_it_ends(open_page, server, width, height):
    page = market(open_page, server, "/book/SOL/USD", size=(width, height))
    open_ticket(page)
    page.locator(".choice[data-value=limit]").click()
    page.get_by_label("Time in force").select_option("post")
    for label, figure in [("Quantity", "0.5"), ("Limit price", "500")]:
        page.locator(".ticket-form").get_by_label(label, exact=True).fill(figure)
    expect(page.locator(".ticket-form .field-error:visible")).to_contain_text("A post-only order must not trade at once; at $500")
    page.locator(".ticket-form").get_by_label("Limit price", exact=True).fill("50")
    place(page)
    expect(page.locator(".ticket-outcome")).to_contain_text("Buy 0.5 SOL/USD at $50 or better, post-only")
    order = request(server, "/orders")[1]["orders"][0]
    assert order["postOnly"] and "expires" not in order
    request(server, f"/orders/{order['id']}", "DELETE")
    page.get_by_role("button", name="New order").click()
    page.get_by_label("Time in force").select_option("day")
    for label, figure in [("Quantity", "0.5"), ("Limit price", "50")]:
        page.locator(".ticket-form").get_by_label(label, exact=True).fill(figure)
    place(page)
    expect(page.locator(".ticket-outcome")).to_contain_text("at $50 or better, for a day")
    order = request(server, "/orders")[1]["orders"][0]
    assert 0 <= order["placedAt"] + 86_400_000 - order["expires"] < 180_000
    request(server, f"/orders/{order['id']}", "DELETE")


def test_a_reduce_only_order_ends_with_the_position(open_page, server):
    def trade(side, name):
        answer = request(server, "/orders", "POST", {
            "clientId": f"reduce-{SEED}-{name}", "instrument": "kraken:XRP/USD", "type": "market", "side": side, "quantity": "1"})
        assert answer[1]["order"]["status"] == "FILLED"

    page = market(open_page, server, "/book/XRP/USD")
    open_ticket(page, "sell")
    page.locator(".choice[data-value=limit]").click()
    page.get_by_role("button", name="Reduce").click()
    for label, figure in [("Quantity", "1"), ("Limit price", "9")]:
        page.locator(".ticket-form").get_by_label(label, exact=True).fill(figure)
    expect(page.locator(".ticket-form .preview-left")).to_contain_text("There is no position in XRP/USD")
    trade("buy", "in")
    expect(page.locator(".ticket-form .preview-left")).to_contain_text("will rest at $9")
    place(page)
    expect(page.locator(".ticket-outcome")).to_contain_text("Sell 1 XRP/USD at $9 or better, reduce-only")
    order = request(server, "/orders")[1]["orders"][0]
    assert order["reduceOnly"] and order["status"] == "PENDING"
    trade("sell", "out")
    order = request(server, f"/orders/{order['id']}")[1]["order"]
    assert order["status"] == "CANCELLED" and "nothing was left of the position" in order["reason"]


@SIZES
def test_a_trailing_stop_follows_the_market(open_page, server, width, height):
    page = market(open_page, server, "/book/SOL/USD", size=(width, height))
    open_ticket(page, "sell")
    page.get_by_label("When", exact=True).select_option("trailPercent")
    for label, figure in [("Quantity", "0.5"), ("Distance in %", "60")]:
        page.locator(".ticket-form").get_by_label(label, exact=True).fill(figure)
    expect(page.locator(".ticket-form .field-error:visible")).to_contain_text("must be 0.01 to 50% with two decimals at most")
    page.locator(".ticket-form").get_by_label("Distance in %", exact=True).fill("2.5")
    expect(page.locator(".ticket-form .preview-left")).to_have_text("Follows the best price at a distance of 2.5%, then sells at market.")
    place(page)
    expect(page.locator(".ticket-outcome")).to_contain_text("Sell 0.5 SOL/USD at market, trailing by 2.5%")
    order = request(server, "/orders")[1]["orders"][0]
    assert order["trigger"]["trailPercent"] == "2.5"
    bid = Decimal(page.wire.states[next(topic for topic in page.wire.open if topic.startswith("ticket/"))]["bid"])
    assert bid * Decimal("0.95") < Decimal(order["trigger"]["price"]) < bid
    request(server, f"/orders/{order['id']}", "DELETE")


@SIZES
def test_an_order_on_its_way_names_its_latency_and_its_receipt_has_both_prices(open_page, slow_server, width, height):
    page = market(open_page, slow_server, size=(width, height))
    open_ticket(page)
    fill(page, "1")
    expect(page.locator(".ticket-form .preview-bound")).to_contain_text("Reaches the venue in 400 ms; prices may move.")
    nothing_is_cut(page)
    place(page)
    expect(page.locator(".ticket-outcome")).to_contain_text(re.compile(r"Bought 1 BTC/USD · Kraken at .*\d"))
    order = request(slow_server, "/orders")[1]["orders"][0]
    assert order["latency"] == "400" and Decimal(order["submitted"]) > 0 and Decimal(order["arrived"]) > 0
    follow(page, "/orders")
    page.locator(f"[data-order='{order['id']}']").first.click()
    facts = page.locator(".order-facts div")
    expect(facts.filter(has_text="Latency").first).to_contain_text("400 ms")
    expect(facts.filter(has_text="Price when sent").first).to_contain_text(re.compile(r"\d"))
    expect(facts.filter(has_text="Price at arrival").first).to_contain_text(re.compile(r"\d"))


@SIZES
def test_a_cancellation_and_an_amendment_take_the_way_to_the_venue(open_page, slow_server, width, height):
    page = market(open_page, slow_server, size=(width, height))
    status, answer = request(slow_server, "/orders", "POST", {
        "clientId": f"away-{SEED}-{width}", "instrument": "kraken:BTC/USD", "type": "limit", "side": "buy", "quantity": "3",
        "price": "1000"})
    assert status == 201, answer
    path = f"/orders/{answer['order']['id']}"
    wait_until(page, lambda: "arrived" in request(slow_server, path)[1]["order"])
    status, answer = request(slow_server, path, "PATCH", {"clientId": f"less-{SEED}-{width}", "quantity": "2"})
    assert status == 200 and (answer["order"]["pending"], answer["order"]["quantity"]) == ("amending", "3"), answer
    wait_until(page, lambda: request(slow_server, path)[1]["order"]["quantity"] == "2")
    dock(page, width, "open")
    row = page.locator(f".open-order[data-order='{answer['order']['id']}']")
    expect(row).to_contain_text("2 BTC/USD")
    status, answer = request(slow_server, path, "DELETE")
    assert status == 200 and (answer["order"]["pending"], answer["order"]["status"]) == ("cancelling", "PENDING"), answer
    expect(row).to_contain_text(re.compile("Cancelling…|Cancelled"))
    wait_until(page, lambda: request(slow_server, path)[1]["order"]["status"] == "CANCELLED")
    assert "pending" not in request(slow_server, path)[1]["order"]


def held(page, name):
    """The position in a market."""
    return page.wire.states.get("positions", {}).get("rows", {}).get(f"kraken:{name}", {})


@SIZES
def test_a_position_is_closed_at_once_by_the_levels_shown(open_page, server, width, height):
    page = market(open_page, server, size=(width, height))
    name = {360: "LTC/USD", 820: "ADA/USD", 1366: "SOL/USD", 1440: "XRP/USD"}[width]
    placed(page, server, {"clientId": f"close-{SEED}-{width}", "instrument": f"kraken:{name}", "type": "market",
                          "side": "buy", "quantity": "150"})
    wait_until(page, lambda: Decimal(held(page, name).get("quantity", "0")) >= 150)
    size = held(page, name)["quantity"]
    dock(page, width, "positions")
    opener = page.get_by_role("button", name=f"Close the position in {name}")
    opener.click()
    dialog = page.locator("dialog[open]")
    expect(dialog.locator(".crossing-title")).to_have_text(re.compile(f"Close {size} {name}"))
    expect(dialog.get_by_role("button", name="Don’t close")).to_be_focused()
    tops = dialog.locator(".close-levels").evaluate("""(list) => {
      const rows = [...list.children];
      const tops = [0, 1, 30].map((count) => {
        list.replaceChildren(...Array.from({ length: count }, () => Object.assign(document.createElement("li"), { textContent: "1" })));
        return list.closest("dialog").querySelector(".crossing-yes").getBoundingClientRect().top;
      });
      list.replaceChildren(...rows);
      return tops;
    }""")
    assert len(set(tops)) == 1, "the buttons stay in place, however many levels there are"
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    opener.press("Enter")

    def adds_up():
        row = held(page, name)
        levels = [(Decimal(price), Decimal(size)) for price, size in row["exit"]["levels"]]
        taken, worth = sum(size for _, size in levels), sum(price * size for price, size in levels)
        cost = Decimal(row["average"]["cost"]) * Decimal(size)
        rest = (Decimal(size) - taken) * levels[-1][0]
        return taken <= Decimal(size) and Decimal(row["value"]) == worth + rest and \
            abs(Decimal(row["average"]["unrealised"]) - (worth + rest - cost)) < 1 and \
            dialog.locator(".close-levels li").count() == len(levels)

    wait_until(page, adds_up)
    dialog.get_by_role("button", name=f"Sell {size} at market").click()
    expect(dialog).to_have_count(0)
    wait_until(page, lambda: held(page, name)["quantity"] != size)
    newest = request(server, "/orders")[1]["orders"][0]
    assert (newest["side"], newest["type"], newest["reduceOnly"]) == ("sell", "market", True), newest


@SIZES
def test_a_position_has_its_range_while_fills_are_possible(open_page, slow_server, width, height):
    page = market(open_page, slow_server, size=(width, height))
    topic = next(topic for topic in page.wire.open if topic.startswith("ticket/"))
    state = page.wire.states[topic]
    away = Decimal(state["bid"]) - 2 * Decimal(state["priceStep"])
    status, answer = request(slow_server, "/orders", "POST", {
        "clientId": f"range-{SEED}-{width}", "instrument": "kraken:BTC/USD", "type": "limit", "side": "buy", "quantity": "3",
        "price": str(away)})
    assert status == 201, answer
    path = f"/orders/{answer['order']['id']}"
    page.wait_for_timeout(600)
    page.evaluate("""() => { const socket = new WebSocket(location.origin.replace("http", "ws") + "/live");
        socket.onopen = () => socket.send(JSON.stringify({ do: "fault.inject", venue: "kraken", faults: "cut" })); }""")
    wait_until(page, lambda: Decimal(request(slow_server, path)[1]["order"].get("possible", "0")) > 0)
    expect(page.locator(".owned")).to_contain_text("possible")
    dock(page, width, "positions")
    for row in ("kraken:BTC/USD", "range USD"):
        text = page.locator(f"tr[data-range='{row}'] .position-range")
        expect(text).to_contain_text(re.compile(r"to \d+ possible; P&L .* possible" if ":" in row else r"^[^;]* to [^;]* possible$"))
        text.evaluate("element => element.scrollIntoView({ block: 'center' })")
        expect(text).to_be_in_viewport(ratio=1)
    request(slow_server, path, "DELETE")
