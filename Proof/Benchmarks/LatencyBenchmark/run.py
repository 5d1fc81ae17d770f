#!/usr/bin/env python3
"""Measures a tick's latency from its venue through `livetape serve` to a page, and how many frames a page gets.

    Proof/Benchmarks/LatencyBenchmark/run.py [--ticks 300] [--seconds 5] [--program FILE]… [--page-topics] [--json]

The venue (raw TCP, docs/venues/exchange.md) and the page (a WebSocket on /live) are this process, so one clock times
both ends; the server simulates all other venues. Single ticks are sent 60 to 140 ms apart, out of step with the server.
Under load ticks are sent every millisecond; each frame measures the age of its newest price. The baseline, measured in
turn with the single ticks, is another child that copies each line from one socket to another: the cost of the two
kernel hops and this script alone.

Several --program are measured in turn, in the same minutes. Needs nothing but Python.
"""

import argparse
import json
import pathlib
import random
import socket
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(ROOT / "Tests/BrowserTests"), str(HERE.parent)]

import servers  # noqa: E402
from sockets import PageSocket, TickFeed  # noqa: E402

GOALS = "goals: a lone tick in 1 ms (p50) and 3 ms (p99); no more than 31 and 63 frames a second"
PAGE_TOPICS = ["status", "books", "exchange", "orders", "openOrders", "chart/exchange/TROAD"]
COPYING = """import socket, sys
source = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
target = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
for end in (source, target): end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
source.sendall(b"s"); target.sendall(b"t")
while line := source.recv(4096): target.sendall(line)
"""


class Feed(TickFeed):
    """The exchange; waits for each of its ticks."""

    def tick(self):
        """Sends a tick; returns its price as the page will show it, and the send time."""
        price, line = self.next_line()
        sent = time.perf_counter()
        self._connection.sendall(line)
        return price, sent


class Page(PageSocket):
    def __init__(self, address, topics, frame_milliseconds=None):
        super().__init__(address)
        if frame_milliseconds:
            self.say({"frameMilliseconds": frame_milliseconds})
        self.say({"open": topics})

    def frame(self, deadline):
        """The next frame's text and its receive time; None after the deadline."""
        while True:
            while (message := self.message()) is None:
                if not self._read(deadline):
                    return None, None
            kind, text = message
            if kind == 9:
                self.send(10, text)
            elif text.startswith(b'{"frame"'):
                return text, time.perf_counter()

    def _read(self, deadline):
        left = 60 if deadline is None else deadline - time.perf_counter()
        if left <= 0:
            return False
        self.socket.settimeout(left)
        try:
            data = self.socket.recv(1 << 16)
        except TimeoutError:
            return False
        if not data:
            raise ConnectionError("the server has closed the page")
        self.read_bytes += data
        return True


class Copier:
    """The baseline: a child that copies from one socket to another."""

    def __init__(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self._child = subprocess.Popen(
                [sys.executable, "-c", COPYING, str(listener.getsockname()[1])])
            ends = {}
            for _ in range(2):
                end, _ = listener.accept()
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                ends[end.recv(1)] = end
        self._source, self._target = ends[b"s"], ends[b"t"]

    def measure(self):
        sent = time.perf_counter()
        self._source.sendall(b"0,100.00,1.00,10,9999.00,10\n")
        self._target.recv(4096)
        return (time.perf_counter() - sent) * 1000

    def close(self):
        self._source.close()
        self._child.wait(timeout=10)


class Stage:
    """One program with its feed."""

    def __init__(self, program):
        servers.program = lambda: program
        self.feed = Feed()
        self.server = servers.Server("--exchange-url", self.feed.url)
        self.feed.accept()

    def lone(self, count, topics, between):
        """Milliseconds from sending to reading, tick by tick; runs `between` in each pause."""
        page = Page(self.server.address, topics)
        rest(page, 0.5)
        times = []
        for number in range(count + 10):
            rest(page, random.uniform(0.06, 0.14))
            between()
            price, sent = self.feed.tick()
            wanted = f'"price":"{price}"'.encode()
            deadline = sent + 5
            text, read = page.frame(deadline)
            while text is not None and wanted not in text:
                text, read = page.frame(deadline)
            if text is None:
                raise AssertionError(f"{price} never came")
            # The first ones include the program's warm-up.
            if number >= 10:
                times.append((read - sent) * 1000)
        page.close()
        return times

    def loaded(self, seconds, topics, frame_milliseconds=None):
        """Frames a second, and each frame's age in milliseconds, with a tick every millisecond."""
        page = Page(self.server.address, topics, frame_milliseconds)
        rest(page, 0.5)
        sent, ages, frames, ticks = {}, [], 0, 0
        start = time.perf_counter()
        processor = self.server.processor_seconds()
        while (now := time.perf_counter()) < start + seconds:
            if now >= start + ticks / 1000:
                price, at = self.feed.tick()
                sent[price] = at
                ticks += 1
            text, read = page.frame(start + ticks / 1000)
            if text is not None:
                frames += 1
                if b'"price":"' in text:
                    price = text.split(b'"price":"')[1].split(b'"')[0].decode()
                    ages += [(read - sent[price]) * 1000] if price in sent else []
        elapsed = time.perf_counter() - start
        page.close()
        return {
            "framesPerSecond": frames / elapsed, "ticksPerSecond": ticks / elapsed,
            "core": (self.server.processor_seconds() - processor) / elapsed, **figures(ages)}

    def close(self):
        self.server.stop()
        self.feed.close()


def rest(page, seconds):
    """Reads and discards frames for a while."""
    deadline = time.perf_counter() + seconds
    while page.frame(deadline)[0] is not None:
        pass


def figures(times):
    ordered = sorted(times)
    return {
        "p50": statistics.median(ordered), "p99": ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)],
        "max": ordered[-1]}


def measure(program, options):
    stage, copier = Stage(program), Copier()
    try:
        copies = []
        topics = PAGE_TOPICS if options.page_topics else ["exchange"]
        lone = stage.lone(options.ticks, topics, lambda: copies.append(copier.measure()))
        result = {"program": program, "lone": figures(lone), "copy": figures(copies[10:])}
        result["ratio"] = result["lone"]["p50"] / result["copy"]["p50"]
        for name, milliseconds in [("loaded", None), ("loaded16", 16)]:
            result[name] = stage.loaded(options.seconds, topics, milliseconds)
        return result
    finally:
        stage.close()
        copier.close()


def show(result):
    print(result["program"])
    for name, label in [("lone", "lone ticks"), ("copy", "a copy of them")]:
        print("  {:22} p50 {p50:7.3f} ms   p99 {p99:7.3f} ms   max {max:7.3f} ms".format(label, **result[name]))
    print(f"  lone / copy, p50       {result['ratio']:.1f}")
    for name, label in [("loaded", "under load"), ("loaded16", "under load, 16 ms")]:
        print(("  {:22} {framesPerSecond:5.1f} frames/s of {ticksPerSecond:.0f} ticks/s, age p50 {p50:.1f} ms, "
               "p99 {p99:.1f} ms, max {max:.1f} ms; {core:.1%} of a core").format(label, **result[name]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ticks", type=int, default=300, help="lone ticks")
    parser.add_argument("--seconds", type=float, default=5, help="of each load")
    parser.add_argument("--program", action="append", help="another livetape than the release build")
    parser.add_argument("--page-topics", action="store_true", help="open all that the exchange's page opens")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    programs = options.program or [str(ROOT / ".build/release/livetape")]
    results = [measure(program, options) for program in programs]
    if options.json:
        print(json.dumps(results, indent=2))
        return
    for result in results:
        show(result)
    print(GOALS)


if __name__ == "__main__":
    main()
