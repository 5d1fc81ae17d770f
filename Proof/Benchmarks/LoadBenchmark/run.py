#!/usr/bin/env python3
"""Loads `livetape serve` and checks that it stays stable: pages that never read, a flood, a soak with faults.

    Proof/Benchmarks/LoadBenchmark/run.py [pages] [flood] [bus] [desk] [soak] [--minutes 20] [--kills 200] [--program FILE]

pages   180 pages read ticks of this process's venue; then 20 more connect that never read, a quarter of which keeps
        sending requests, and half of which start to read at last, one after the other; then 20 that stop reading for
        a while. The others' latency with and without them comes from the same run, in turn.
flood   a simulated Kraken (`livetape simulate`) repeats its latest message 50,000 times a second for a minute; a
        relay between venue and server counts what the server reads.
bus     three servers behind a NATS broker and one reader, 200 pages each: latency of each server's pages, and the
        processor share of reader, broker and servers. Needs nats-server.
desk    two servers with one ledger behind a broker that is killed repeatedly while scripts place orders: is every
        order there once, and no rejected one? Needs nats-server.
soak    12,000 messages a second and a fault each 10 seconds, pages that come and go: memory, descriptors and
        threads of server and venues over time.

Everything is on loopback, bounded in count and time. Prints Markdown tables and ends with status 1 when something
is not flat or not bounded. Latencies hold for this machine and its load. Needs nothing but Python.
"""

import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(ROOT / "Tests/BrowserTests"))

import servers  # noqa: E402
from broker import Broker  # noqa: E402
from desk import Floor, storm  # noqa: E402
from pages import HEAVY_TOPICS, TOPICS, Crowd, Feed, Page  # noqa: E402
from usage import Watch, percentile, table  # noqa: E402

READERS = 180
SLOW = 20
BUS_SERVERS, BUS_PAGES = 3, 200
FLOOD = 50_000
SOAK = 12_000
# What a page that does not read may cost the server: its mark of 1 MiB, one frame and its responses.
SLOW_PAGE_MEGABYTES = 1.5
SLACK_MEGABYTES = 24
FAULTS = [
    "drop", "gap=20", "duplicate=5% for 5s", "reorder", "corrupt", "truncate", "checksum", "delay=200ms for 5s",
    "stall for 6s", "half-open for 8s", "cut", "close=1012", "cut, refuse=503*1", "clock=+90s for 5s"]


class Relay:
    """relay.py as a child."""

    def __init__(self, target):
        self._child = subprocess.Popen(
            [sys.executable, HERE / "relay.py", str(target)], stdout=subprocess.PIPE, text=True)
        self.port = int(self._child.stdout.readline())
        self.messages = self.bytes = 0
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self._child.stdout:
            self.messages, self.bytes = map(int, line.split())

    def close(self):
        self._child.terminate()
        self._child.wait(timeout=10)


class Findings:
    """The checks and their results."""

    def __init__(self):
        self.rows = []

    def expect(self, holds, what):
        self.rows.append(("yes" if holds else "**NO**", what))

    @property
    def hold(self):
        return all(row[0] == "yes" for row in self.rows)


def page_count(address):
    with urllib.request.urlopen(address + "/healthz", timeout=60) as answer:
        return json.load(answer)["pages"]


def show(title, head, rows):
    print(f"\n{title}\n\n{table(head, rows)}", flush=True)


def latency_row(name, times, crowd, watch):
    return (name, sum(page.counts for page in crowd.pages), len(times), *(f"{percentile(times, share):.1f}" for share in (50, 99, 100)),
            f"{watch.latest('memory'):.0f}", watch.latest("descriptors"), watch.latest("threads"))


def pages(options, findings):
    """Pages that never read, and pages that pause."""
    feed = Feed()
    server = servers.Server("--exchange-url", feed.url)
    rows, seconds = [], options.seconds
    try:
        feed.accept()
        watch, crowd = Watch("server", server), Crowd(feed)
        # The last one opens everything that slow pages open, so that the cost of these topics counts in the baseline.
        for number in range(READERS):
            crowd.add(Page(server.address, TOPICS if number < READERS - 1 else HEAVY_TOPICS))
            crowd.run(0.02)
        crowd.run(10)
        watch.sample()

        def phase(name, length, each_second=lambda: None):
            times = crowd.run(length, lambda: (watch.sample(), each_second()))
            rows.append(latency_row(name, times, crowd, watch))
            return times

        before = phase("before", seconds)
        memory = watch.latest("memory")
        slow = open_slow(server.address, crowd)
        asking, waking, asleep = slow[:SLOW // 4], slow[SLOW // 4:SLOW // 2], slow[SLOW // 2:]
        sleepers = list(waking)

        def each_second():
            for page in asking:
                for _ in range(20):
                    page.say({"open": HEAVY_TOPICS, "ping": 1})
            age = time.monotonic() - opened
            if sleepers and age > 50 + 9 * (len(waking) - len(sleepers)):
                crowd.add(sleepers.pop())

        opened = time.monotonic()
        during = phase("with 20 that never read", max(90, 3 * seconds), each_second)
        most = max(one["memory"] for one in watch.samples)
        woken = results(crowd, waking)
        between = phase("without them", seconds)
        held = page_count(server.address) - len(crowd.pages)
        ended = drain(crowd, asking + asleep, 10)
        pausing = open_slow(server.address, crowd)
        paused = phase("with 20 that pause", 20)
        caught_up = drain(crowd, pausing, 20)
        after = phase("after", seconds)
        show("Pages: milliseconds from a tick to a page that reads, and the server's memory",
             ["pages", "reading", "ticks shown", "p50", "p99", "most", "MB", "descriptors", "threads"], rows)
        show("What became of pages that do not read", ["pages", "what came", "how many"],
             outcomes("wake up after 50 to 90 s", woken) + outcomes("wake up after two minutes", ended)
             + outcomes("pause for 20 s", caught_up))
        without = before + between + after
        findings.expect(feed.connections == 1, f"the exchange was connected to {feed.connections} times")
        findings.expect(sum(page.counts for page in crowd.pages) == READERS, f"{READERS} pages read on")
        ratio = percentile(during + paused, 99) / percentile(without, 99)
        findings.expect(ratio < 1.5, f"the others' p99 with pages that do not read is {ratio:.2f} of that without")
        bound = SLOW * SLOW_PAGE_MEGABYTES + SLACK_MEGABYTES
        findings.expect(most - memory < bound, f"{most - memory:.0f} MB more at most, of {bound:.0f}")
        findings.expect(held == 0, f"{held} pages that never read are held after {max(90, 3 * seconds) + seconds:.0f} s")
        findings.expect("nothing" not in woken + ended + caught_up, "who did not read got the latest state, a code or an end")
    finally:
        server.stop()
        feed.close()


def open_slow(address, crowd):
    """Pages that do not read, opened while ticks continue."""
    slow = []
    for _ in range(SLOW):
        slow.append(Page(address, HEAVY_TOPICS, small=True))
        crowd.run(0.02)
    return slow


def outcomes(name, got):
    return [(name, result, got.count(result)) for result in sorted(set(got))]


def drain(crowd, slow, seconds):
    """Lets pages read at last; returns their results."""
    for page in slow:
        crowd.add(page)
    crowd.run(seconds)
    return results(crowd, slow)


def results(crowd, slow):
    """What each page received since it began to read: the latest state, a close code, an end, or nothing. Closes them.
    """
    got = []
    for page in slow:
        if page in crowd.pages:
            crowd.remove(page)
        if page.code is not None:
            got.append(f"closed with {page.code}")
        elif page.has_ended:
            got.append("the end without a code")
        else:
            got.append("the latest state" if page.tick > page.begun else "nothing")
        page.close()
    return got


def bus(options, findings):
    """Pages of several servers that follow one reader."""
    folder = tempfile.TemporaryDirectory(prefix="livetape-bus-")
    feed, rows, processes = Feed(), [], []
    broker = Broker(pathlib.Path(folder.name))
    try:
        reader = servers.Process(
            "read", "--bus", broker.address, "--venues", "live", "--url", f"exchange=tcp://{feed.url.removeprefix('tcp://')}")
        processes = [reader] + [servers.Server("--bus", broker.address) for _ in range(BUS_SERVERS)]
        feed.accept()
        watches = [Watch("reader", reader), Watch("broker", broker)] + [
            Watch(f"server {number + 1}", server) for number, server in enumerate(processes[1:])]
        crowd = Crowd(feed)
        for number in range(BUS_SERVERS * BUS_PAGES):
            page = Page(processes[1 + number % BUS_SERVERS].address, TOPICS)
            page.server = number % BUS_SERVERS
            crowd.add(page)
            crowd.run(0.01)
        crowd.run(5)
        times = crowd.run(options.seconds, lambda: [watch.sample() for watch in watches])
        by_server = [[time for time, page in crowd.shown if page.server == number] for number in range(BUS_SERVERS)]
        for number, own in enumerate(by_server):
            rows.append((f"server {number + 1}", sum(page.server == number for page in crowd.pages), len(own),
                         *(f"{percentile(own, share):.1f}" for share in (50, 99, 100))))
        show("Bus: milliseconds from a tick to a page of each server",
             ["pages of", "reading", "ticks shown", "p50", "p99", "most"], rows)
        show("What it takes", ["process", "% of a core", "MB"], [
            (watch.name, f"{100 * watch.core():.1f}", f"{watch.latest('memory'):.0f}") for watch in watches])
        findings.expect(feed.connections == 1, f"the exchange was connected to {feed.connections} times")
        findings.expect(len(crowd.pages) == BUS_SERVERS * BUS_PAGES, f"{len(crowd.pages)} pages read on")
        slow = max(percentile(own, 99) for own in by_server)
        findings.expect(slow < 5 * percentile(times, 50) + 50, f"the slowest server's p99 is {slow:.1f} ms")
    finally:
        for process in processes:
            process.stop()
        broker.kill()
        feed.close()
        folder.cleanup()


def desk(options, findings):
    """Orders while the broker is killed."""
    with tempfile.TemporaryDirectory(prefix="livetape-desk-") as folder:
        floor = Floor(pathlib.Path(folder))
        try:
            floor.takes_orders()
            told = storm(floor, options.kills)
            findings.expect(True, f"{told['taken']} orders were taken once each, {told['refused']} were refused")
            show("Desk: orders while the broker is killed", ["kills", "taken", "refused", "unanswered at first"],
                 [tuple(told.values())])
        except AssertionError as error:
            findings.expect(False, str(error))
        finally:
            floor.stop()


class Stage:
    """`livetape simulate`, a relay before its Kraken, and `livetape serve` with pages."""

    def __init__(self):
        self.port, exchange_port = servers.free_port(), servers.free_port()
        self.venues = servers.Process(
            "simulate", "--port", self.port, "--exchange-port", exchange_port, "--seed", 7)
        self.venues.wait_for_port(exchange_port)
        self.relay = Relay(self.port)
        at = f"127.0.0.1:{self.port}"
        self.server = servers.Server(
            "--url", f"kraken=ws://127.0.0.1:{self.relay.port}/kraken/v2", "--url", f"bitmex=ws://{at}/bitmex/realtime",
            "--url", f"isin=ws://{at}/isin", "--url", f"bux=http://{at}/bux", "--url", f"echo=ws://{at}/echo",
            "--url", f"exchange=tcp://127.0.0.1:{exchange_port}")
        self.watches = [Watch("server", self.server), Watch("venues", self.venues)]

    def break_kraken(self, spec):
        """Replaces Kraken's faults."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/faults/kraken?spec={urllib.parse.quote(spec)}", method="PUT")
        with urllib.request.urlopen(request, timeout=60):
            pass

    def open(self, topics):
        return Reader(self.server.address, topics)

    def close(self):
        self.server.stop()
        self.relay.close()
        self.venues.stop()


class Reader:
    """A page in a separate thread."""

    def __init__(self, address, topics):
        self.page = Page(address, topics)
        self._is_open = True
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self):
        while self._is_open and not self.page.has_ended:
            self.page.read()
            time.sleep(0.03)

    def close(self):
        self._is_open = False
        self._thread.join()
        self.page.close()


KRAKEN_TOPICS = ["status", "book/BTC/USD", "trades/BTC/USD", "truth/kraken/BTC/USD", "chart/kraken/BTC/USD", "exchange"]


def flood(options, findings):
    """A venue that repeats messages as fast as it can."""
    stage = Stage()
    rows = []
    try:
        readers = [stage.open(KRAKEN_TOPICS) for _ in range(5)]
        time.sleep(10)
        spans = [("before", 10, None), (f"{FLOOD:,} a second", 60, f"flood={FLOOD}/s for 60s"), ("after", 20, None)]
        for name, seconds, spec in spans:
            for watch in stage.watches:
                watch.sample()
            first = len(stage.watches[0].samples) - 1
            frames, messages = readers[0].page.frames, stage.relay.messages
            if spec:
                stage.break_kraken(spec)
            for _ in range(seconds):
                time.sleep(1)
                for watch in stage.watches:
                    watch.sample()
            server, venues = stage.watches
            rows.append((
                name, f"{(stage.relay.messages - messages) / seconds:,.0f}",
                f"{(readers[0].page.frames - frames) / seconds:.1f}", f"{server.core(first):.0%}",
                f"{venues.core(first):.0%}", f"{server.latest('memory'):.0f}", f"{venues.latest('memory'):.0f}"))
        show("Flood: what the server takes from Kraken, and what it and the venues use",
             ["flood", "messages/s", "frames/s of a page", "server's core", "venues' core", "server MB", "venues MB"], rows)
        memory = stage.watches[0].course("memory", 20)
        findings.expect(
            memory["most"] - memory["first"] < SLACK_MEGABYTES,
            f"flood: the server's memory grew by {memory['most'] - memory['first']:.0f} MB at most")
        findings.expect(all(not one.page.has_ended for one in readers), "flood: every page kept its socket")
        for reader in readers:
            reader.close()
    finally:
        stage.close()


def soak(options, findings):
    """Messages, faults and pages that come and go, for a configurable time."""
    stage = Stage()
    seconds, drawn = int(options.minutes * 60), random.Random(7)
    try:
        readers = [stage.open(KRAKEN_TOPICS) for _ in range(8)]
        idle = Page(stage.server.address, HEAVY_TOPICS, small=True)
        begin, messages, faults = time.monotonic(), stage.relay.messages, 0
        for second in range(seconds):
            if second % 10 == 0:
                stage.break_kraken(f"flood={options.rate}/s for 60s, {drawn.choice(FAULTS)}")
                faults += 1
            if second % 2 == 0:
                # A page disconnects without closing, and another connects.
                readers.append(stage.open(KRAKEN_TOPICS))
                readers.pop(0).close()
            if second % 90 == 60:
                idle.close()
                idle = Page(stage.server.address, HEAVY_TOPICS, small=True)
            for watch in stage.watches:
                watch.sample()
            if second % 60 == 59:
                print(f"{second + 1} s: {stage.relay.messages - messages:,} messages; " + ", ".join(
                    f"{watch.name} {watch.latest('memory'):.0f} MB, {watch.latest('descriptors')} descriptors, "
                    f"{watch.latest('threads')} threads" for watch in stage.watches), file=sys.stderr, flush=True)
            time.sleep(max(0, begin + second + 1 - time.monotonic()))
        elapsed = time.monotonic() - begin
        warm_up, rows = min(300, elapsed / 4), []
        for watch in stage.watches:
            for figure in ("memory", "descriptors", "threads"):
                course = watch.course(figure, warm_up)
                rows.append((watch.name, figure, *(f"{course[key]:.0f}" for key in ("first", "last", "most")),
                             f"{course['slope']:+.1f}"))
                bound = course["first"] * (1.05 if figure == "memory" else 1) + {"memory": 12}.get(figure, 6)
                findings.expect(course["last"] <= bound, f"soak: {watch.name}'s {figure} {course['first']:.0f} → "
                                                         f"{course['last']:.0f}, of {bound:.0f} at most")
        show(f"Soak: {elapsed / 60:.1f} minutes, {stage.relay.messages - messages:,} messages of Kraken "
             f"({(stage.relay.messages - messages) / elapsed:,.0f}/s), {faults} faults, {seconds // 2} pages came and went",
             ["process", "figure", "first quarter", "last quarter", "most", "slope an hour"], rows)
        time.sleep(2)
        findings.expect(page_count(stage.server.address) <= len(readers) + 1, "soak: no page is left behind")
        idle.close()
        for reader in readers:
            reader.close()
    finally:
        stage.close()


PARTS = {"pages": pages, "flood": flood, "bus": bus, "desk": desk, "soak": soak}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS], help="all of them unless named")
    parser.add_argument("--seconds", type=float, default=30, help="of each measurement of pages")
    parser.add_argument("--minutes", type=float, default=20, help="of the soak, 180 at most")
    parser.add_argument("--rate", type=int, default=SOAK, help="messages a second of the soak, 100000 at most")
    parser.add_argument("--kills", type=int, default=200, help="of the broker, 1000 at most")
    parser.add_argument("--program", help="another livetape than the release build")
    options = parser.parse_args()
    if not (5 <= options.seconds <= 300 and 1 <= options.minutes <= 180 and 1 <= options.rate <= 100_000
            and 1 <= options.kills <= 1000):
        parser.error("--seconds needs 5 to 300, --minutes 1 to 180, --rate 1 to 100000, --kills 1 to 1000")
    os.environ["LIVETAPE_BIN"] = options.program or ".build/release/livetape"
    findings = Findings()
    for part in options.parts or PARTS:
        PARTS[part](options, findings)
    show("What must hold", ["holds", "what"], findings.rows)
    sys.exit(0 if findings.hold else 1)


if __name__ == "__main__":
    main()
