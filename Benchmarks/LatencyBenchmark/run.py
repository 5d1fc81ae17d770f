#!/usr/bin/env python3
"""Measures how long a tick takes from its venue through `livetape serve` to a page, and how many frames a page gets.

    Benchmarks/LatencyBenchmark/run.py [--ticks 300] [--seconds 5] [--program FILE]… [--page-topics] [--json]

The venue (raw TCP, docs/venues/exchange.md) and the page (a WebSocket on /live) are this process, so one clock
times both ends; all other venues are simulated by the server as ever. Lone ticks come 60 to 140 ms apart, at
moments that fall on no rhythm of the server's. Under load ticks come every millisecond; the age of the newest
price is taken at each frame. The yardstick, in turn with the lone ticks, is one more child that copies each line
from one socket to another: what the two hops through the kernel and this script cost by themselves.

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
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "Tests/BrowserTests"))

import servers  # noqa: E402

GOALS = "goals: a lone tick in 1 ms (p50) and 3 ms (p99); no more than 31 and 63 frames a second"
PAGE_TOPICS = ["status", "books", "exchange", "orders", "openOrders", "chart/exchange/TROAD"]
COPYING = """import socket, sys
source = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
target = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
for end in (source, target): end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
source.sendall(b"s"); target.sendall(b"t")
while line := source.recv(4096): target.sendall(line)
"""


class Feed:
    """The exchange: every tick has a price of its own."""

    def __init__(self):
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"tcp://127.0.0.1:{self._listener.getsockname()[1]}"
        self._number = 0
        self._connection = None

    def accept(self):
        self._listener.settimeout(60)
        self._connection, _ = self._listener.accept()
        self._connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._connection.recv(16)

    def tick(self):
        """Sends one; returns its price as the page will show it, and when it was sent."""
        self._number += 1
        cents = 100_00 + self._number % 100_000
        price = f"{cents // 100}.{cents % 100:02}"
        line = f"{self._number},{price},1.00,10,9999.00,10\n".encode()
        sent = time.perf_counter()
        self._connection.sendall(line)
        return price, sent

    def close(self):
        for end in (self._connection, self._listener):
            if end:
                end.close()


class Page:
    """A page's WebSocket."""

    def __init__(self, address, topics, frame_milliseconds=None):
        host, port = address.removeprefix("http://").split(":")
        self._socket = socket.create_connection((host, int(port)))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._bytes = b""
        self._socket.sendall(
            f"GET /live HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode())
        while b"\r\n\r\n" not in self._bytes:
            self._read(None)
        self._bytes = self._bytes.split(b"\r\n\r\n", 1)[1]
        if frame_milliseconds:
            self._say({"frameMilliseconds": frame_milliseconds})
        self._say({"open": topics})

    def frame(self, deadline):
        """The next frame's text and when it was read; None once the deadline has passed."""
        while True:
            while (message := self._message()) is None:
                if not self._read(deadline):
                    return None, None
            kind, text = message
            if kind == 9:
                self._send(10, text)
            elif text.startswith(b'{"frame"'):
                return text, time.perf_counter()

    def close(self):
        self._socket.close()

    def _say(self, message):
        self._send(1, json.dumps(message).encode())

    def _send(self, kind, payload):
        head = bytes([0x80 | kind, 0x80 | len(payload)]) if len(payload) < 126 else (
            bytes([0x80 | kind, 0x80 | 126]) + len(payload).to_bytes(2, "big"))
        self._socket.sendall(head + bytes(4) + payload)

    def _read(self, deadline):
        left = 60 if deadline is None else deadline - time.perf_counter()
        if left <= 0:
            return False
        self._socket.settimeout(left)
        try:
            data = self._socket.recv(1 << 16)
        except TimeoutError:
            return False
        if not data:
            raise ConnectionError("the server has closed the page")
        self._bytes += data
        return True

    def _message(self):
        data = self._bytes
        if len(data) < 2:
            return None
        length, start = data[1] & 0x7F, 2
        if length >= 126:
            wide = 2 if length == 126 else 8
            length, start = int.from_bytes(data[2:2 + wide], "big"), 2 + wide
        if len(data) < start or len(data) < start + length:
            return None
        self._bytes = data[start + length:]
        return data[0] & 0x0F, data[start:start + length]


class Copier:
    """The yardstick: a child that copies from one socket to another."""

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
        """Milliseconds from sending to reading, tick by tick; `between` is run in each pause."""
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
            # The first ones find the program cold.
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
    """Reads what comes meanwhile."""
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
