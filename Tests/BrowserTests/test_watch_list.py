"""WL2, WL3, WL4, WL5: the watch list."""

import re

from playwright.sync_api import expect

from watching import wait_until

SMALL = {"width": 390, "height": 480}
PRICE = re.compile(r"^[€$£¥]?\s?[\d,]+\.\d\d")


def stock_topics(page):
    return {topic for topic in page.wire.open if topic.startswith("stock/")}


def test_ten_or_more_stocks_with_name_left_and_price_right(open_page):
    page = open_page("/stocks")
    rows = page.locator(".stock-rows > li")
    expect(rows.first.locator(".number")).to_have_text(PRICE)
    assert rows.count() >= 10
    name = rows.first.locator(".row-title").bounding_box()
    price = rows.first.locator(".number").bounding_box()
    assert name["x"] + name["width"] < price["x"]


def test_prices_are_money_in_the_readers_locale(open_page):
    page = open_page("/stocks", locale="de-DE")
    isin = page.locator(".stock-rows > li").first.get_attribute("data-isin")
    number = page.locator(".stock-rows .number").first
    expect(number).to_have_text(re.compile(r"\d,\d\d\s"))
    stock = next(row for row in page.wire.states["stocks"]["rows"] if row["isin"] == isin)
    shown = number.text_content()
    possible = page.evaluate(
        """([prices, { currency, decimals }]) => prices.map((price) => new Intl.NumberFormat("de-DE", {
          style: "currency", currency, minimumFractionDigits: decimals, maximumFractionDigits: decimals,
        }).format(price))""",
        [sorted(page.wire.values[f"stock/{isin}", "price"]), stock])
    assert shown in possible


def test_only_rows_in_sight_are_asked_for(open_page):
    page = open_page("/stocks", viewport=SMALL)
    rows = page.locator(".stock-rows > li")
    expect(rows.first.locator(".number")).to_have_text(PRICE)
    first, last = (rows.nth(at).get_attribute("data-isin") for at in (0, rows.count() - 1))
    assert f"stock/{first}" in stock_topics(page)
    assert f"stock/{last}" not in stock_topics(page)
    rows.last.scroll_into_view_if_needed()
    wait_until(page, lambda: f"stock/{last}" in stock_topics(page) and f"stock/{first}" not in stock_topics(page))
    expect(rows.last.locator(".number")).to_have_text(PRICE)
    rows.first.scroll_into_view_if_needed()
    wait_until(page, lambda: f"stock/{first}" in stock_topics(page) and f"stock/{last}" not in stock_topics(page))


def test_leaving_the_list_closes_all_its_prices(open_page):
    page = open_page("/stocks")
    expect(page.locator(".stock-rows .number").first).to_have_text(PRICE)
    assert stock_topics(page)
    page.locator(".bottom [data-place=trade]").click()
    expect(page.locator(".trade-side b").first).to_have_text(PRICE)
    wait_until(page, lambda: stock_topics(page) == set())


def test_a_change_of_price_touches_its_own_cell_only(open_page):
    page = open_page("/stocks")
    page.wait_for_selector(".stock-rows .arrow:not(:empty)")
    page.evaluate("""() => {
      window.outside = [];
      window.prices = 0;
      new MutationObserver((records) => {
        for (const { target, type, attributeName } of records) {
          const element = target.nodeType === 1 ? target : target.parentElement;
          if (element?.closest(".price")) window.prices += 1;
          else if (type === "childList" && !element?.closest(".row-age")) window.outside.push(element.className);
        }
      }).observe(document.querySelector(".stock-rows"), { subtree: true, childList: true, characterData: true, attributes: true });
    }""")
    page.wait_for_function("() => window.prices > 20")
    assert page.evaluate("() => window.outside") == []
