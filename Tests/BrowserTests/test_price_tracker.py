"""PT1, PT3, PT4, PT6, PT7: the price tracker and the details of a symbol."""

import re

import pytest
from playwright.sync_api import expect

from live import start_feed
from watching import CLASS_SPANS, is_sorted

pytestmark = pytest.mark.thorough

PRICES = ".feed-rows .number"


def test_twenty_five_rows_are_sorted_by_price_highest_first(glance):
    page = glance("/feed")
    expect(page.locator(".feed-rows > li")).to_have_count(25)
    page.wait_for_function(is_sorted(PRICES, -1))


def test_each_row_says_symbol_price_and_where_the_price_went(glance):
    page = glance("/feed")
    rows = page.locator(".feed-rows > li")
    expect(page.locator(".feed-rows .arrow").filter(has_text=re.compile("[↑↓]"))).not_to_have_count(0)
    expect(rows.filter(has_text="AAPL").locator(".number")).to_have_text(re.compile(r"^\$[\d,]+\.\d\d$"))
    row = rows.filter(has=page.locator("[data-direction=up]")).first
    expect(row.locator(".arrow")).to_have_text("↑")
    expect(row.locator("a")).to_have_attribute("aria-label", re.compile(r", [A-Z]+, \$[\d,.]+, up$"))


def test_up_is_green_and_down_is_red(open_page):
    page = open_page("/feed", color_scheme="light")
    # Both at one moment: a price may turn at any time.
    colours = page.wait_for_function("""() => {
      const arrows = ["up", "down"].map((way) => document.querySelector(`.feed-rows [data-direction=${way}] > .arrow`));
      return arrows.every(Boolean) && arrows.map((arrow) => getComputedStyle(arrow).color.match(/\\d+/g).map(Number));
    }""").json_value()
    (up_red, up_green, _), (down_red, down_green, _) = (colour[:3] for colour in colours)
    assert up_green > 2 * up_red and down_red > 2 * down_green


def test_a_changed_price_flashes_for_one_second(open_page):
    page = open_page("/feed")
    page.evaluate(CLASS_SPANS, ["flash", 500, 1500])
    page.wait_for_function("() => spans.flash.right >= 10")
    spans = page.evaluate("spans.flash")
    # A feed that falls silent ends its flashes early.
    assert spans["late"] == 0 and spans["early"] < spans["right"], spans


def test_a_flash_has_the_colour_of_the_latest_change(open_page):
    """Two changes within a tenth of a second are one flash, in the direction of its arrow."""
    page = open_page("/feed")
    colours = page.evaluate("""async () => {
      const { Price } = await import("/assets/ui/price.js");
      const price = new Price();
      const show = (text, direction, changes) => {
        price.update({ text, direction, changes, generation: 1, quiet: false, dimmed: false });
        return [...price.element.classList].filter((name) => /^flash-(up|down)$/.test(name));
      };
      show("1", "up", 1);
      const seen = [show("2", "up", 2), show("1", "down", 3), show("2", "up", 4)];
      price.dispose();
      return seen;
    }""")
    assert colours == [["flash-up"], ["flash-down"], ["flash-up"]]


def test_a_snapshot_flashes_nothing(open_page):
    page = open_page("/stocks")
    # The state arrives whole and unchanged each time the tracker is opened.
    page.evaluate("""() => {
      window.flashedAtOnce = 0;
      new MutationObserver(() => {
        const row = document.querySelector(".feed-rows > li");
        if (row && !window.seen) {
          window.seen = true;
          window.flashedAtOnce = document.querySelectorAll(".feed-rows .flash").length;
        }
      }).observe(document.body, { subtree: true, childList: true, attributes: true });
    }""")
    page.locator(".watch-lists").get_by_text("Tracker").click()
    expect(page.locator(".feed-rows > li")).to_have_count(25)
    assert page.evaluate("() => window.flashedAtOnce") == 0


def test_stop_stops_the_feed_and_start_starts_it_again(open_page):
    page = open_page("/feed")
    button = page.locator(".start-stop")
    expect(button).to_have_text("Stop")
    try:
        button.click()
        expect(button).to_have_text("Start")
        expect(page.locator(".feed .note-text")).to_contain_text(re.compile("Stopped|Disconnected|Stale|closed"))
        page.wait_for_function("() => !document.querySelector('.feed-rows .flash')")
        button.click()
        expect(button).to_have_text("Stop")
    finally:
        # For the following tests, whatever the result of this one.
        start_feed(page)
    expect(button).to_have_text("Stop")
    expect(page.locator(".feed .connection")).to_have_text("connected")
    page.wait_for_selector(".feed-rows .flash")


def test_a_row_opens_the_details_over_the_same_connection(open_page):
    page = open_page("/feed")
    symbol = page.locator(".feed-rows a").first.get_attribute("data-row")
    sockets = page.wire.sockets
    page.locator(f'.feed-rows a[data-row="{symbol}"]').click()
    expect(page).to_have_url(re.compile(f"/symbol/{symbol}$"))
    expect(page.locator("h1")).to_have_text(symbol)
    expect(page.locator(".price.big .number")).to_have_text(re.compile(r"\$[\d,]+\.\d\d"))
    expect(page.locator(".price.big .arrow")).to_have_text(re.compile("[↑↓]"))
    expect(page.locator(".prose")).to_have_text(re.compile(r"\w+ \w+"))
    assert page.wire.sockets == sockets
    page.go_back()
    expect(page.locator(".feed-rows > li")).to_have_count(25)
    assert page.wire.sockets == sockets


def test_a_deep_link_opens_the_details(open_page):
    page = open_page("/symbol/AAPL")
    expect(page.locator("h1")).to_have_text("AAPL")
    expect(page).to_have_title("AAPL · Livetape")
    expect(page.locator(".price.big .number")).to_have_text(re.compile(r"\$[\d,]+\.\d\d"))


def test_an_unknown_symbol_is_said_to_be_unknown(open_page):
    page = open_page("/symbol/NOPE")
    expect(page.locator(".pane-notice h3")).to_have_text("There is no symbol NOPE")
    page.get_by_role("button", name="See all symbols").click()
    expect(page.locator(".feed-rows > li")).to_have_count(25)


def test_rows_keep_their_place_under_the_pointer(open_page):
    page = open_page("/feed")
    expect(page.locator(".feed-rows > li")).to_have_count(25)
    page.locator(".feed-rows a").nth(3).hover()
    order = "() => [...document.querySelectorAll('.feed-rows > li')].map((row) => row.dataset.symbol).join()"
    before = page.evaluate(order)
    page.evaluate(CLASS_SPANS, ["flash", 500, 1500])
    page.wait_for_function("() => spans.flash.right >= 25")
    assert page.evaluate(order) == before
    page.mouse.move(200, 20)
    page.wait_for_function(is_sorted(PRICES, -1))
