#!/usr/bin/env python3
"""Measures the page from the user's side, in Chromium against a server on simulated venues (`make page-measures`).

    Proof/Benchmarks/PageMeasures/run.py [--program FILE] [--seconds 20] [--loads 3] [--navigations 80]
                                   [--only load,network,work,heap] [--json]

First values are the median of several loads, each "fresh" one in a separate context. Slow networks are Chromium's own
emulation, which does not affect the chart worker's requests. Bytes are those of the transfer, with headers, of page and
workers. Work is Chromium's counter of the main thread tasks' processor time; the page counts frames. Needs Playwright:
Tests/BrowserTests/.venv/bin/python has it.
"""

import argparse
import json
import os
import pathlib
import statistics
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "Tests/BrowserTests"))
sys.path.insert(0, str(HERE))

import in_page  # noqa: E402
import servers  # noqa: E402
from browsers import launch  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

DESKTOP, PHONE = {"width": 1440, "height": 900}, {"width": 360, "height": 740}
# A screen's name, its path, and the element that contains a digit once a live value is shown.
SCREENS = [
    ("tracker", "/feed", ".feed-rows > li"),
    ("book", "/book/XBTUSD", ".level:not([data-empty])"),
    ("trades", "/trades/XBTUSD", ".trade"),
    ("chart", "/chart/XBTUSD", ".chart-legend"),
    ("exchange", "/exchange", ".offer-price"),
    ("stocks", "/stocks", ".stock-rows > *"),
    ("product", "/product/sb26493", ".price.big"),
    ("markets", "/markets", "main [data-row]"),
    ("orders", "/orders", ".slot-orders"),
]
MARKET = SCREENS[1]
# Round trip in milliseconds, bits a second.
NETWORKS = [("fast 4G", 60, 9_000_000), ("slow 4G", 150, 1_600_000), ("3G", 400, 400_000)]
ORDERS = 200
PATIENCE_SECONDS = 30


class Browser:
    """Contexts with the page's watchers in them."""

    def __init__(self, playwright, address):
        self._chromium = launch(playwright.chromium)
        self.version = self._chromium.version
        self._address = address

    def context(self, viewport=DESKTOP):
        context = self._chromium.new_context(viewport=viewport, locale="en-US")
        selectors = {path: selector for _, path, selector in SCREENS}
        context.add_init_script(f"{in_page.WATCH}({json.dumps(selectors)})")
        return context

    def load(self, page, screen, reload=False):
        """Loads a screen and waits for its first live value; returns the page's records."""
        if reload:
            page.reload()
        else:
            page.goto(self._address + screen[1])
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            seen = page.evaluate("({ value: watch.value, paint: watch.paint })")
            if None not in seen.values() or time.monotonic() > deadline:
                return seen
            page.wait_for_timeout(50)

    def close(self):
        self._chromium.close()


def loads(browser, options):
    """First value and first paint of every screen, fresh and again, at two sizes."""
    rows = []
    for size, viewport in [("1440", DESKTOP), ("360", PHONE)]:
        for screen in SCREENS:
            fresh, warm = [], []
            for _ in range(options.loads):
                context = browser.context(viewport)
                page = context.new_page()
                fresh.append(browser.load(page, screen))
                warm.append(browser.load(page, screen, reload=True))
                context.close()
            rows.append({"screen": screen[0], "width": size, "fresh": middle(fresh, "value"),
                         "freshPaint": middle(fresh, "paint"), "warm": middle(warm, "value"),
                         "warmPaint": middle(warm, "paint")})
    return rows


def networks(browser, options):
    """The book on a phone over slow networks, and the transfers of a load and a reload."""
    rows = []
    for name, latency, bits in NETWORKS:
        seen = []
        for _ in range(options.loads):
            context = browser.context(PHONE)
            page = context.new_page()
            emulate(page, latency, bits)
            seen.append(browser.load(page, MARKET))
            context.close()
        rows.append({"network": name, "paint": middle(seen, "paint"), "value": middle(seen, "value")})
    return rows


def transfers(browser, _):
    """Requests and bytes of a first load and of a reload."""
    rows = []
    for screen in SCREENS:
        context = browser.context()
        page = context.new_page()
        for kind in ("load", "reload"):
            browser.load(page, screen, reload=kind == "reload")
            page.wait_for_timeout(1500)
            entries = page.evaluate(in_page.TRANSFERS)
            for worker in page.workers:
                entries += worker.evaluate(in_page.TRANSFERS)
            sent = [entry for entry in entries if entry["bytes"] > 0]
            rows.append({"screen": screen[0], "kind": kind, "requests": len(sent),
                         "bytes": sum(entry["bytes"] for entry in sent),
                         "largest": sorted(sent, key=lambda entry: -entry["bytes"])[:8]})
        context.close()
    return rows


def work(browser, options):
    """Frames, main thread and long tasks of an idle page."""
    rows = []
    for name, screen, viewport, orders in [
        ("market 1440", MARKET, DESKTOP, 0), ("chart 360", SCREENS[3], PHONE, 0),
        ("book 360", MARKET, PHONE, 0), ("exchange 1440", SCREENS[4], DESKTOP, 0),
        (f"exchange 1440, {ORDERS} open orders", SCREENS[4], DESKTOP, ORDERS),
    ]:
        context = browser.context(viewport)
        page = context.new_page()
        browser.load(page, screen)
        if orders:
            page.evaluate(in_page.PLACE_ORDERS, orders)
        page.wait_for_timeout(2000)
        rows.append({"what": name, **stretch(page, options.seconds)})
        context.close()
    return rows


def stretch(page, seconds):
    """A page's work during some seconds."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    page.evaluate("watch.begin()")
    before = metrics(session)
    page.wait_for_timeout(1000 * seconds)
    after = metrics(session)
    seen = page.evaluate("watch.end()")
    share = {name: 100 * (after[key] - before[key]) / (after["Timestamp"] - before["Timestamp"])
             for name, key in [("main", "TaskDuration"), ("script", "ScriptDuration"),
                               ("style", "RecalcStyleDuration"), ("layout", "LayoutDuration")]}
    recalculations = (after["RecalcStyleCount"] - before["RecalcStyleCount"]) / seconds
    return {**share, **seen, "recalculations": recalculations}


def heap(browser, options):
    """The heap that remains after many screens were visited."""
    context = browser.context()
    page = context.new_page()
    browser.load(page, MARKET)
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    rows = []
    for count in (0, options.navigations // 2, options.navigations):
        if count:
            paths = [screen[1] for screen in SCREENS]
            page.evaluate(in_page.NAVIGATE, [paths, options.navigations // 2])
        session.send("HeapProfiler.collectGarbage")
        now = metrics(session)
        rows.append({"navigations": count, "bytes": now["JSHeapUsedSize"], "nodes": now["Nodes"],
                     "listeners": now["JSEventListeners"]})
    context.close()
    return rows


def emulate(page, latency, bits):
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", {
        "offline": False, "latency": latency, "downloadThroughput": bits / 8, "uploadThroughput": bits / 16})


def metrics(session):
    return {entry["name"]: entry["value"] for entry in session.send("Performance.getMetrics")["metrics"]}


def middle(rows, key):
    values = [row[key] for row in rows if row[key] is not None]
    return statistics.median(values) if len(values) == len(rows) else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", help="the livetape program; .build/release/livetape unless LIVETAPE_BIN is set")
    parser.add_argument("--seconds", type=int, default=20, help="of each stretch of work")
    parser.add_argument("--loads", type=int, default=3, help="of each screen, of which the median counts")
    parser.add_argument("--navigations", type=int, default=80)
    parser.add_argument("--only", default="load,network,work,heap")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    os.environ.setdefault("LIVETAPE_BIN", ".build/release/livetape")
    if options.program:
        os.environ["LIVETAPE_BIN"] = options.program
    parts = options.only.split(",")
    server = servers.Server()
    try:
        with sync_playwright() as playwright:
            browser = Browser(playwright, server.address)
            found = {"chromium": browser.version}
            if "load" in parts:
                found["loads"] = loads(browser, options)
            if "network" in parts:
                found["networks"] = networks(browser, options)
                found["transfers"] = transfers(browser, options)
            if "work" in parts:
                found["work"] = work(browser, options)
            if "heap" in parts:
                found["heap"] = heap(browser, options)
            browser.close()
    finally:
        server.stop()
    print(json.dumps(found, indent=1) if options.json else report(found))


def report(found):
    """Markdown, one table a part."""
    parts = [f"Chromium {found['chromium']}."]
    if rows := found.get("loads"):
        parts.append(table(
            ["first load and reload, s", "width", "value, fresh", "value, again", "FCP, fresh", "FCP, again"],
            [[row["screen"], row["width"], *map(seconds, (row["fresh"], row["warm"], row["freshPaint"], row["warmPaint"]))]
             for row in rows]))
    if rows := found.get("networks"):
        parts.append(table(["book, 360, s", "FCP", "value"], [[row["network"], seconds(row["paint"]), seconds(row["value"])]
                                                             for row in rows]))
    if rows := found.get("transfers"):
        parts.append(table(["transferred", "", "requests", "kB"], [
            [row["screen"], row["kind"], row["requests"], f"{row['bytes'] / 1000:.1f}"] for row in rows]))
    if rows := found.get("work"):
        parts.append(table(
            ["in motion", "frames/s", "p95 ms", "p99 ms", "max ms", "main thread %", "script %", "style %", "layout %",
             "style recalcs/s", "long tasks", "longest ms", "CLS"],
            [[row["what"], *(f"{row[key]:.1f}" for key in
                             ("frames", "p95", "p99", "longestFrame", "main", "script", "style", "layout", "recalculations")),
              row["longTasks"], f"{row['longestTask']:.0f}", f"{row['shift']:.3f}"] for row in rows]))
    if rows := found.get("heap"):
        parts.append(table(["after navigations", "heap MB", "nodes", "listeners"], [
            [row["navigations"], f"{row['bytes'] / 1e6:.2f}", row["nodes"], row["listeners"]] for row in rows]))
    return "\n\n".join(parts)


def seconds(milliseconds):
    return "–" if milliseconds is None else f"{milliseconds / 1000:.2f}"


def table(heads, rows):
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


main()
