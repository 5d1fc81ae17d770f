"""The book as depth of market: one row per price, with own orders placed, moved and cancelled in it."""

import os
import random
import re

import pytest
from playwright.sync_api import expect

from desk import request
from ordering import put_pointer_away, settled
from servers import Server
from watching import wait_until

SEED = int(os.environ.get("LIVETAPE_SEED") or random.randrange(1_000_000))
SIZES = pytest.mark.parametrize("width, height", [(320, 900), (360, 740), (820, 1180), (1366, 768), (1440, 900), (2560, 1440)])
MARKETS = ["kraken:BTC%2FUSD", "kraken:DOGE%2FUSD", "coinbase:ETH-USD", "okx:BTC-USDT", "bybit:ETHUSDT", "binance:BTCUSDT", "bitmex:XBTUSD"]

# The rows in one moment, and the levels of the other shapes, which are drawn in the same frame.
ROWS = """() => ({
  rows: [...document.querySelectorAll(".dom-row")].map((row) => ({ at: row.dataset.at,
    price: row.querySelector(".dom-price").textContent,
    ...Object.fromEntries(["bid", "ask"].map((side) => [side, row.querySelector(`.dom-${side}`).textContent])),
    unknown: ["bid", "ask"].filter((side) => row.querySelector(`.dom-${side}`).hasAttribute("data-unknown")) })),
  ...Object.fromEntries(["bids", "asks"].map((side) => [side,
    [...document.querySelectorAll(`.${side} .level:not([data-empty]) .level-price`)].map((price) => price.textContent)])),
})"""


@pytest.fixture(scope="module")
def server():
    """A server with a ledger that only these tests use."""
    server = Server()
    yield server
    server.stop()


@pytest.fixture(autouse=True)
def no_orders(server):
    """Ends each test without open orders, so that one failure is one."""
    yield
    for order in open_orders(server):
        request(server, f"/orders/{order['id']}", method="DELETE")


def ladder(open_page, server, market="kraken:BTC%2FUSD", size=(1440, 900), group=0):
    page = open_page(f"/book/{market}", viewport={"width": size[0], "height": size[1]}, at=server.address)
    page.get_by_label("Book view").select_option("DOM")
    expect(page.locator(".dom-row")).to_have_count(201)
    if group:
        page.get_by_label("Price grouping").select_option(index=group)
    # The columns have their widths once the panel's room has been measured.
    expect(page.locator(".dom[style*='--price']")).to_be_visible()
    wait_until(page, lambda: page.evaluate(ROWS)["bids"])
    return page


def armed(page):
    """Switches placing by one click on and returns the quantity that it places."""
    page.get_by_role("button", name="One click").click()
    return page.get_by_label("Order quantity").input_value()


def open_orders(server):
    return [order for order in request(server, "/orders")[1]["orders"] if order["status"] in ("PENDING", "PARTIALLY FILLED")]


def row_of(page, side, place):
    """The row of the level `place` levels from the best one; with the pointer over them, rows stay in place."""
    page.locator(".dom-rows").hover()

    def held():
        rows = page.evaluate(ROWS)["rows"]
        return [row for row in (rows if side == "bid" else rows[::-1]) if row[side]][place:]

    return wait_until(page, held)[0]


@SIZES
def test_each_price_has_one_row_with_the_books_quantities(open_page, server, width, height):
    market = random.Random(f"{SEED} {width}").choice(MARKETS)
    print("seed", SEED, market)
    page = ladder(open_page, server, market, (width, height), group=1)

    def both():
        rows = page.evaluate(ROWS)
        return rows if rows["bids"] and rows["asks"] else None

    seen = wait_until(page, both)
    prices = [row["price"] for row in seen["rows"]]
    assert len(set(prices)) == 201
    for side, levels in (("bid", seen["bids"]), ("ask", seen["asks"])):
        shown = [row["price"] for row in seen["rows"] if row[side]]
        # A level outside the axis can be scrolled to.
        assert sorted(shown) == sorted(price for price in levels if price in prices), market
        deepest = prices.index(levels[-1]) if levels[-1] in prices else None
        for at, row in enumerate(seen["rows"]):
            beyond = deepest is not None and (at > deepest if side == "bid" else at < deepest)
            assert (side in row["unknown"]) == beyond, (market, side, row)
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    cut = page.evaluate("""() => [...document.querySelectorAll(".dom-bid, .dom-ask, .dom-price, .dom-head button")]
      .filter((cell) => cell.checkVisibility() && cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent)""")
    assert cut == [], market


@SIZES
def test_an_order_is_placed_by_a_click_moved_by_a_drag_and_cancelled(open_page, server, width, height):
    page = ladder(open_page, server, size=(width, height), group=4)
    quantity = armed(page)
    row = row_of(page, "bid", 2)
    page.locator(f".dom-row[data-at='{row['at']}'] .dom-bid").click()
    order = wait_until(page, lambda: open_orders(server))[0]
    assert (order["side"], order["quantity"], order["price"]) == ("buy", quantity, row["price"].replace(",", ""))
    chip = page.locator(".dom-order")
    expect(chip).to_have_text(quantity)
    box = chip.bounding_box()
    below = page.evaluate("""([x, y]) => document.elementFromPoint(x, y).closest(".dom-row").querySelector(".dom-price").textContent""",
                          [box["x"] + 4, box["y"] + 26])
    page.mouse.move(box["x"] + 4, box["y"] + 4)
    page.mouse.down()
    page.mouse.move(box["x"] + 4, box["y"] + 20)
    page.mouse.move(box["x"] + 4, box["y"] + 26)
    expect(page.locator(".dom-row[data-target] .dom-price")).to_have_text(below)
    page.mouse.up()
    moved = wait_until(page, lambda: [each for each in open_orders(server) if each["price"] == below.replace(",", "")])
    assert moved[0]["id"] == order["id"]
    expect(page.locator(".dom-row", has=page.locator(".dom-order")).locator(".dom-price")).to_have_text(below)
    page.locator(".dom-cancel").click()
    wait_until(page, lambda: not open_orders(server))
    expect(chip).to_have_count(0)


@pytest.mark.parametrize("width, height", [(360, 740), (1440, 900)])
def test_one_click_of_ten_times_the_usual_size_goes_to_the_tickets_review(open_page, server, width, height):
    page = ladder(open_page, server, "kraken:SOL%2FUSD", (width, height), group=2)
    for number in range(3):
        request(server, "/orders", method="POST",
                body={"clientId": f"usual-{number}", "instrument": "kraken:SOL/USD", "type": "market", "side": "buy", "quantity": "0.5"})
    armed(page)
    quantity = page.get_by_label("Order quantity")
    cell = page.locator(f".dom-row[data-at='{row_of(page, 'bid', 2)['at']}'] .dom-bid")
    quantity.fill("4.9")
    cell.click()
    assert wait_until(page, lambda: open_orders(server))[0]["quantity"] == "4.9"
    quantity.fill("5")
    cell.click()
    expect(page.locator(".ticket")).to_have_attribute("data-phase", "review")
    expect(page.locator(".ticket-review")).to_contain_text("5 SOL/USD")
    assert len(open_orders(server)) == 1, "not placed"
    settled(page)
    page.locator(".ticket-go:visible").click()
    expect(page.locator(".review-question")).to_have_text(
        "Unusually large: 5. Your usual size in this market is 0.5. Place it anyway?")
    settled(page)
    page.locator(".ticket-go:visible").click()
    wait_until(page, lambda: sorted(order["quantity"] for order in open_orders(server)) == ["4.9", "5"])


def test_keys_place_and_cancel_an_order(open_page, server):
    page = ladder(open_page, server, group=4)
    armed(page)
    page.get_by_role("grid", name="Depth of market").focus()
    page.keyboard.press("ArrowDown")
    for key in ("ArrowRight", "ArrowUp", "ArrowUp", "ArrowUp"):
        page.keyboard.press(key)
    expect(page.locator(".dom-ask:focus")).to_have_count(1)
    price = page.locator(".dom-row", has=page.locator(":focus")).locator(".dom-price").text_content()
    page.keyboard.press("Enter")
    order = wait_until(page, lambda: open_orders(server))[0]
    assert (order["side"], order["price"]) == ("sell", price.replace(",", ""))
    expect(page.locator(".dom-order")).to_have_count(1)
    page.keyboard.press("Delete")
    wait_until(page, lambda: not open_orders(server))


def test_a_click_fills_in_the_ticket_while_one_click_is_off(open_page, server):
    page = ladder(open_page, server, group=4)
    row = row_of(page, "ask", 2)
    page.locator(f".dom-row[data-at='{row['at']}'] .dom-ask").click()
    expect(page.get_by_label("Limit price")).to_have_value(re.compile(re.escape(row["price"].replace(",", ""))))
    expect(page.locator("#ticket")).to_have_attribute("data-side", "sell")
    assert not open_orders(server)


def test_a_refused_order_is_explained_and_not_shown(open_page, server):
    page = ladder(open_page, server, group=4)
    armed(page)
    for typed, problem in (("many", None), ("0.000000001", re.compile("multiple of"))):
        page.get_by_label("Order quantity").fill(typed)
        page.locator(f".dom-row[data-at='{row_of(page, 'bid', 3)['at']}'] .dom-bid").click()
        if problem is None:
            expect(page.get_by_label("Order quantity")).to_have_attribute("aria-invalid", "true")
        else:
            expect(page.locator("#toasts")).to_contain_text(problem)
    expect(page.locator(".dom-order")).to_have_count(0)
    assert not open_orders(server)


def test_the_best_prices_stay_in_the_middle_until_the_user_scrolls(open_page, server):
    page = ladder(open_page, server, group=4)
    put_pointer_away(page)
    centre = page.get_by_role("button", name="Keep the best prices in the middle")
    distance = """() => {
      const rows = document.querySelector(".dom-rows").getBoundingClientRect();
      const best = [...document.querySelectorAll(".dom-row")].find((row) => row.querySelector(".dom-bid").textContent);
      return best ? (best.getBoundingClientRect().top - rows.top) / rows.height - 0.5 : 1;
    }"""
    wait_until(page, lambda: abs(page.evaluate(distance)) < 0.3)
    expect(centre).to_have_attribute("aria-pressed", "true")
    first = page.locator(".dom-price").first.text_content()

    def is_higher():
        """Scrolls on; in the end the axis has to move along. A busy page takes several turns of the wheel as one."""
        page.locator(".dom-rows").hover()
        page.mouse.wheel(0, -1200)
        return float(page.locator(".dom-price").first.text_content().replace(",", "")) > float(first.replace(",", ""))

    wait_until(page, is_higher)
    expect(centre).to_have_attribute("aria-pressed", "false")
    centre.click()
    wait_until(page, lambda: abs(page.evaluate(distance)) < 0.3)


def test_a_market_without_paper_orders_has_nothing_to_place(open_page, server):
    page = ladder(open_page, server, "bitmex:XBTUSD")
    expect(page.get_by_role("button", name="One click")).to_be_hidden()
    page.locator(f".dom-row[data-at='{row_of(page, 'bid', 1)['at']}'] .dom-bid").click()
    expect(page.locator("#ticket")).to_have_count(0)
