"""Several charts side by side: their markets and intervals in the address, and what links them."""

import os
import random
import re

import pytest
from playwright.sync_api import expect

from watching import wait_until

SEED = int(os.environ.get("LIVETAPE_SEED") or random.randrange(1_000_000))
DESKTOP = {"width": 1440, "height": 900}


def cells(page):
    return page.locator(".chart-grid > .panel")


def loaded(page, count):
    """Waits until each chart has its candles."""
    expect(cells(page)).to_have_count(count)
    for at in range(count):
        expect(cells(page).nth(at).locator(".chart-legend")).to_contain_text(re.compile(r"O\s*\d"))


def choose(page, at, text):
    cells(page).nth(at).get_by_role("button", name=re.compile("choose another market")).click()
    page.get_by_role("combobox", name="Search").fill(text)
    expect(page.locator(".results .result").first).to_be_visible()
    page.keyboard.press("Enter")


def link(page, name):
    return page.get_by_role("group", name="Link the charts").get_by_role("button", name=name)


def intervals(page):
    return [cells(page).nth(at).locator(".chart-interval").input_value() for at in range(cells(page).count())]


def test_the_address_has_markets_and_intervals_and_a_reload_shows_the_same(open_page):
    page = open_page("/charts/btc/usd", viewport=DESKTOP)
    # Names are parts of the path; "/" within a name is encoded.
    expect(page.locator(".pane-notice").first).to_be_visible()
    page = open_page("/charts/BTC%2FUSD@15m/XBTUSD@1h/coinbase:ETH-USD@5m", viewport=DESKTOP)
    loaded(page, 3)
    assert intervals(page) == ["900000", "3600000", "300000"]
    expect(cells(page).nth(0)).to_contain_text("Kraken")
    expect(cells(page).nth(2)).to_contain_text("Coinbase")
    cells(page).nth(1).locator(".chart-interval").select_option("60000")
    page.wait_for_url("**/charts/BTC%2FUSD@15m/XBTUSD@1m/coinbase:ETH-USD@5m")
    page.reload()
    loaded(page, 3)
    assert intervals(page) == ["900000", "60000", "300000"]


def test_charts_are_added_and_removed_up_to_four_and_the_last_set_is_remembered(open_page):
    page = open_page("/charts/BTC%2FUSD", viewport=DESKTOP)
    loaded(page, 1)
    remove = page.get_by_role("button", name=re.compile("^Remove "))
    expect(remove).to_have_count(0)
    for count in (2, 3, 4):
        page.get_by_role("button", name="Add chart").click()
        loaded(page, count)
    expect(page.get_by_role("button", name="Add chart")).to_be_hidden()
    choose(page, 3, "ETHUSD")
    page.wait_for_url("**/charts/BTC%2FUSD/BTC%2FUSD/BTC%2FUSD/ETHUSD")
    loaded(page, 4)
    remove.nth(1).click()
    loaded(page, 3)
    expect(cells(page).nth(1).locator(".chooser")).to_be_focused()
    page.goto(page.url.split("/charts")[0] + "/charts")
    loaded(page, 3)
    assert [text.strip() for text in cells(page).locator(".chooser").all_text_contents()] == ["BTC/USD", "BTC/USD", "ETHUSD"]


def test_the_crosshair_of_one_chart_shows_its_time_in_all(open_page):
    page = open_page("/charts/BTC%2FUSD@1m/BTC%2FUSD@15m/ETH%2FUSD@1m", viewport=DESKTOP)
    loaded(page, 3)
    box = cells(page).nth(0).locator(".chart-surface").bounding_box()
    page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 0.5 * box["height"])
    times = page.locator(".chart-grid .cross-time")
    for at in range(3):
        expect(times.nth(at)).to_be_visible()
    minute, quarter, other = times.all_text_contents()
    assert minute == other
    clock = re.compile(r"(\d+):(\d+)")
    hour, minutes = map(int, clock.search(minute).groups())
    assert clock.search(quarter).group() == f"{hour:02}:{minutes // 15 * 15:02}"
    # The legend has the same minute's values in each chart.
    expect(cells(page).nth(2).locator(".chart-legend")).to_contain_text(minute)
    # Off: only the chart under the pointer has a crosshair.
    link(page, "Crosshair").click()
    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
    expect(times.nth(0)).to_be_visible()
    for at in (1, 2):
        expect(times.nth(at)).to_be_hidden()
    # By keyboard, too.
    link(page, "Crosshair").click()
    page.mouse.move(1, 1)
    cells(page).nth(2).locator(".chart-surface").focus()
    page.keyboard.press("ArrowLeft")
    for at in range(3):
        expect(times.nth(at)).to_be_visible()
    page.keyboard.press("Escape")
    for at in range(3):
        expect(times.nth(at)).to_be_hidden()


def test_linked_charts_share_interval_and_market(open_page):
    page = open_page("/charts/BTC%2FUSD@1m/BTC%2FUSD@1h", viewport=DESKTOP)
    loaded(page, 2)
    link(page, "Symbol").click()
    choose(page, 1, "ETH/USD")
    page.wait_for_url("**/charts/ETH%2FUSD@1m/ETH%2FUSD@1h")
    loaded(page, 2)
    link(page, "Interval").click()
    cells(page).nth(0).locator(".chart-interval").select_option("300000")
    page.wait_for_url("**/charts/ETH%2FUSD@5m/ETH%2FUSD@5m")
    assert intervals(page) == ["300000", "300000"]
    page.reload()
    loaded(page, 2)
    expect(link(page, "Symbol")).to_have_attribute("aria-pressed", "true")


def test_a_markets_chart_leads_to_its_four_intervals_and_back(open_page):
    page = open_page("/book/BTC/USD", viewport=DESKTOP)
    page.get_by_role("link", name="Several charts").click()
    loaded(page, 4)
    assert intervals(page) == ["60000", "900000", "3600000", "86400000"]
    cells(page).nth(0).get_by_role("link", name="Open BTC/USD").click()
    expect(page.locator(".market .chooser")).to_have_text("BTC/USD")


def test_an_unknown_market_gets_a_reason_beside_the_other_charts(open_page):
    page = open_page("/charts/NOPE%2FX/BTC%2FUSD@2m/XBTUSD", viewport=DESKTOP)
    expect(cells(page)).to_have_count(3)
    expect(cells(page).nth(0)).to_contain_text("Unknown instrument: NOPE/X")
    for at in (1, 2):
        expect(cells(page).nth(at).locator(".chart-legend")).to_contain_text(re.compile(r"O\s*\d"))
    # Five charts are more than a page shows.
    page = open_page("/charts/A/B/C/D/E", viewport=DESKTOP)
    expect(page.locator(".pane-notice")).to_contain_text("There is nothing here")


@pytest.mark.parametrize("width, height", [(390, 844), pytest.param(820, 1100, marks=pytest.mark.thorough),
                                           (1366, 768), pytest.param(1440, 900, marks=pytest.mark.thorough)])
def test_random_markets_have_room_at_each_size(open_page, width, height):
    print(f"LIVETAPE_SEED={SEED}")
    page = open_page("/charts", viewport={"width": width, "height": height})
    wait_until(page, lambda: page.wire.states["books"]["instruments"])
    names = [each.get("address", each["symbol"]) for each in page.wire.states["books"]["instruments"]]
    chosen = random.Random(SEED).sample(names, 4)
    print(chosen)
    page.goto(page.url.split("/charts")[0] + "/charts/" + "/".join(name.replace("/", "%2F") for name in chosen))
    loaded(page, 4)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for at in range(4):
        plot = cells(page).nth(at).locator(".chart-plot").bounding_box()
        assert plot["width"] >= 0.4 * width and plot["height"] >= 120, plot
        # Controls of a chart stay within it.
        wide = cells(page).nth(at).evaluate("""(cell) => [...cell.querySelectorAll(".pane-line > *, .chart-bar > *")]
            .filter((part) => part.offsetParent && part.getBoundingClientRect().right > cell.getBoundingClientRect().right + 1)
            .map((part) => part.className)""")
        assert wide == []
