#!/usr/bin/env python3
"""Measures the chart in a real Chromium: its steps, first frame, and frames while it is panned at 60 Hz and ticks
arrive.

    Proof/Benchmarks/ChartBenchmark/run.py [--candles 100000 1000000] [--step 1000] [--seconds 5] [--runs 5] [--steps-only] [--json]

Needs Playwright: Tests/BrowserTests/.venv/bin/python has it. Work is JavaScript and WebAssembly inside the frame's
callbacks; "main thread" adds Chromium's own work (style, layout, paint), from its counter of the tasks' processor time,
including the simulated pointer. A step is measured alone in several runs of the same work, and the fastest counts, so
that a busy machine can measure it, too.
"""

import argparse
import json
import pathlib
import statistics
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "Tests/BrowserTests"))

from browsers import launch  # noqa: E402
from chart_pages import ChartPages  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

# Each picture writes the time zone's name once, in the corner.
COUNT_PAINTS = """() => {
    self.paints = 0;
    const own = OffscreenCanvasRenderingContext2D.prototype.fillText;
    OffscreenCanvasRenderingContext2D.prototype.fillText = function (text, ...at) {
        if (text === "UTC") self.paints += 1;
        own.call(this, text, ...at);
    };
}"""
GOALS = "goals: 60 frames a second, 2 ms of main thread a frame, first frame within 50 ms"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--candles", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--step", type=int, default=1000, help="milliseconds of a candle; of 60000 on it is a history with holes counted")
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--ticks", type=int, default=100, help="a second")
    parser.add_argument("--runs", type=int, default=5, help="of each single step, of which the least counts")
    parser.add_argument("--steps-only", action="store_true", help="no panning")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    pages = ChartPages(HERE)
    try:
        with sync_playwright() as playwright:
            browser = launch(playwright.chromium)
            single = [row for count in options.candles for row in steps(browser, pages.address, count, options)]
            rows = []
            if not options.steps_only:
                rows = [floor(browser, pages.address, options)]
                rows += [row for count in options.candles for row in measure(browser, pages.address, count, options)]
            version = browser.version
            browser.close()
    finally:
        pages.stop()
    if options.json:
        print(json.dumps({"chromium": version, "steps": single, "rows": rows}, indent=1))
    else:
        report_steps(version, single)
        if rows:
            report(version, rows)


def steps(browser, address, count, options):
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(address + "/index.html")
    page.wait_for_selector("[data-ready]", state="attached")
    page.evaluate("([count, step]) => { window.flat = benchmark.candles(count + 40000, step); }", [count, options.step])
    rows = page.evaluate("options => benchmark.steps(flat, options)", {"interval": options.step, "runs": options.runs})
    page.close()
    return [{"candles": count, **row} for row in rows]


def measure(browser, address, count, options):
    for name, style, interval, zoomed in [
        ("candles, close", "candles", options.step, 0), ("candles, wide", "candles", options.step, 60),
        ("line, wide", "line", options.step, 60),
    ]:
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(address + "/index.html")
        page.wait_for_selector("[data-ready]", state="attached")
        page.evaluate("([count, step]) => { window.flat = benchmark.candles(count, step); }", [count, options.step])
        first = [first_frame(page, style, interval) for _ in range(5)]
        page.evaluate("""async options => {
            window.chart?.dispose();
            document.getElementById("main").replaceChildren();
            await benchmark.prepare(flat, options);
        }""", {"zoomed": zoomed, "style": style, "interval": interval})
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        for worker in page.workers:
            worker.evaluate(COUNT_PAINTS)
        before = counters(session)
        row = page.evaluate("options => benchmark.pan(flat, options)", {
            "seconds": options.seconds, "ticksPerSecond": options.ticks})
        after = counters(session)
        paints = sum(worker.evaluate("paints") for worker in page.workers)
        row.update(painted=paints / row["frames"] * row["fps"] if page.workers else row["fps"])
        busy = (after["TaskDuration"] - before["TaskDuration"]) * 1000
        row.update(
            name=name, candles=count, coldest=first[0], first=statistics.median(first),
            mainThread=busy / max(1, row["frames"]))
        yield row
        page.close()


def floor(browser, address, options):
    """Chromium's own cost on this machine for a canvas of that size in which one pixel changes."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(address + "/index.html")
    page.wait_for_selector("[data-ready]", state="attached")
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    before = counters(session)
    row = page.evaluate("seconds => benchmark.bare(seconds)", options.seconds)
    busy = (counters(session)["TaskDuration"] - before["TaskDuration"]) * 1000
    row.update(name="bare canvas, one pixel", candles=0, first=0, coldest=0, painted=row["fps"], mainThread=busy / max(1, row["frames"]))
    page.close()
    return row


def first_frame(page, style, interval):
    return page.evaluate("""async options => {
        window.chart?.dispose();
        document.getElementById("main").replaceChildren();
        await new Promise(resolve => setTimeout(resolve, 60));
        return benchmark.firstFrame(flat, options);
    }""", {"rows": True, "style": style, "interval": interval})


def counters(session):
    return {metric["name"]: metric["value"] for metric in session.send("Performance.getMetrics")["metrics"]}


def report_steps(version, rows):
    print(f"Chromium {version}, 1440 × 900, single steps, the least of several runs of each; goal: 8 ms")
    print("| step | candles | times | median | p99 | worst |")
    print("|---|---:|---:|---:|---:|---:|")
    for row in rows:
        print(
            f"| {row['name']} | {row['candles']:,} | {row['count']} | {row['p50']:.2f} ms | {row['p99']:.2f} ms "
            f"| {row['worst']:.2f} ms |")
    print()


def report(version, rows):
    print(f"Chromium {version}, 1440 × 900, panning at 60 Hz while ticks arrive; {GOALS}")
    print("| view | candles | frames/s | painted/s | work a frame, median | p95 | p99 | worst | main thread a frame | first frame, median | first frame, cold |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for row in rows:
        print(
            f"| {row['name']} | {row['candles']:,} | {row['fps']:.1f} | {row['painted']:.1f} | {row['p50']:.2f} ms | {row['p95']:.2f} ms "
            f"| {row['p99']:.2f} ms | {row['worst']:.2f} ms | {row['mainThread']:.2f} ms | {row['first']:.0f} ms | {row['coldest']:.0f} ms |")


if __name__ == "__main__":
    main()
