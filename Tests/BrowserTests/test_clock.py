"""The page's clock: the user's zone or UTC, also on the night when clocks are set back."""

import re

import pytest
from playwright.sync_api import expect

from test_chart import drawn, frame, harness, pages, view  # noqa: F401
from test_chart_history import HOUR, MINUTE, Past, chart, row  # noqa: F401

pytestmark = pytest.mark.thorough

# 25 October 2026, 01:00 UTC: Berlin's clocks are set from 03:00 back to 02:00.
SET_BACK = 1_792_890_000_000
OFFSETS = """([from, to]) => import("/assets/text/zone.js").then(({ zoneOffsets }) => zoneOffsets(from, to, "local"))"""
# Values from Python's zoneinfo.
CHANGES = {
    "Europe/Berlin": (7_200_000, [[SET_BACK, 3_600_000], [1_806_195_600_000, 7_200_000]]),
    "America/New_York": (-14_400_000, [[1_793_512_800_000, -18_000_000], [1_805_007_600_000, -14_400_000]]),
    "Asia/Kolkata": (19_800_000, []),
}


@pytest.mark.parametrize("zone", CHANGES)
def test_a_zone_is_handed_over_with_its_changes(harness, zone):  # noqa: F811
    page = harness(count=0, timezone_id=zone)
    first, changes = CHANGES[zone]
    found = page.evaluate(OFFSETS, [SET_BACK - 30 * 24 * HOUR, SET_BACK + 200 * 24 * HOUR])
    assert found == {"first": first, "changes": changes}


def test_the_hour_that_comes_twice_is_drawn_and_named_twice(chart):  # noqa: F811
    rows = [row(SET_BACK + at * 15 * MINUTE, span=(5, 8)) for at in range(-60, 13)]
    page = chart(Past({15 * MINUTE: rows}), interval=15 * MINUTE, now=SET_BACK + 3 * HOUR + MINUTE,
                 timezone_id="Europe/Berlin")
    drawn(page, 73)
    page.evaluate("chart.surface.focus()")
    page.keyboard.press("End")
    times = []
    for _ in range(17):
        frame(page)
        times.append(re.search(r"\d\d:\d\d", page.locator(".legend-time").text_content()).group())
        page.keyboard.press("ArrowLeft")
    assert times[::4] == ["05:00", "04:00", "03:00", "02:00", "02:00"]
    assert view(page)["interval"] == 15 * MINUTE


def test_the_clock_says_whose_it_is_and_a_tooltip_names_both(harness):  # noqa: F811
    page = harness(count=0, timezone_id="America/New_York")
    ask = "import('/assets/text/format.js').then(({ clockText, bothClocks }) => [clockText(%d), bothClocks(%d)])" % (SET_BACK, SET_BACK)
    assert page.evaluate(ask) == ["21:00:00 local", "Oct 24, 2026, 21:00:00 UTC−4 · 01:00:00 UTC"]
    choose = "import('/assets/text/preferences.js').then(({ choose }) => choose('zone', '%s'))"
    page.evaluate(choose % "utc")
    assert page.evaluate(ask) == ["01:00:00 UTC", "Oct 25, 2026, 01:00:00 UTC"]


def test_the_zone_is_chosen_in_the_display_menu(open_page, desktop):
    page = open_page("/chart/XBTUSD", viewport=desktop, timezone_id="Asia/Tokyo")
    page.get_by_role("button", name="Display and trading").click()
    expect(page.get_by_role("radio", name="Local time, UTC+9")).to_be_checked()
    expect(page.locator("input[name=zone]")).to_have_count(2)
    page.get_by_role("radio", name="UTC", exact=True).check()
    assert page.evaluate("localStorage.getItem('livetape.zone')") == "utc"


# 1 October 2026, as the axis of a chart of days and weeks and as the page format it.
OCTOBER = 1_790_812_800_000
NAMED = """async ([time, day, dates]) => {
  const { TimeLabels } = await import("/assets/chart/model/labels.js");
  const { localTime, localMoment, minuteMoment } = await import("/assets/text/format.js");
  const labels = new TimeLabels();
  const own = (options) => new Intl.DateTimeFormat(dates, { calendar: "gregory", timeZone: "UTC", ...options }).format(time);
  return {
    axis: [labels.grid(time, day).text, labels.grid(time, 30 * day).text], month: own({ month: "short" }),
    date: labels.candle(time, day), wholeDate: own({ weekday: "short", day: "numeric", month: "short", year: "numeric" }),
    texts: [localTime(time), localMoment(time, 0), minuteMoment(time, 0)],
    calendars: [own({ dateStyle: "medium" }), own({ month: "short", day: "numeric" })],
  };
}"""


# The page's language is English: no locale's month names, calendar or digits appear in it.
@pytest.mark.parametrize("locale, dates", [
    ("fa-IR", "en-IR"), ("th-TH", "en-TH"), ("ar-SA", "en-SA"), ("ar-EG", "en-EG"), ("en-US-u-ca-hebrew", "en-US")])
def test_dates_are_named_by_the_calendar_of_the_grid_lines(harness, locale, dates):  # noqa: F811
    page = harness(count=0, locale=locale, timezone_id="UTC")
    found = page.evaluate(NAMED, [OCTOBER, 24 * HOUR, dates])
    assert found["axis"] == [found["month"]] * 2
    assert found["date"] == found["wholeDate"]
    date, day = found["calendars"]
    assert found["texts"][0].startswith(date) or date in found["texts"][0]
    assert all(day in text for text in found["texts"][1:]), found


def test_every_format_of_dates_names_its_calendar():
    from page_texts import modules
    formats = [(name, text[at.start():at.start() + 200]) for name, text in modules().items()
               for at in re.finditer(r"new Intl\.DateTimeFormat\(", text)]
    named = [(name, text) for name, text in formats if 'calendar: "gregory"' in text or "options)" in text]
    assert len(formats) >= 2 and formats == named
