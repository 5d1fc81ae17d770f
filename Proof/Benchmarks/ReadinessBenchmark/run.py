#!/usr/bin/env python3
"""Seconds until /readyz responds 503 after each fault of a simulated venue with its book on a page: a Markdown table.
`python3 Proof/Benchmarks/ReadinessBenchmark/run.py`; LIVETAPE_BIN names another program than the debug build."""

import base64
import http.client
import json
import os
import pathlib
import re
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAM = ROOT / os.environ.get("LIVETAPE_BIN", ".build/debug/livetape")
BOOKS = {"kraken": "book/BTC/USD", "bitmex": "book/XBTUSD"}
# As the chaos panel sends them, strong enough to affect the next message.
FAULTS = [
    "drop", "drop=100%", "gap=5", "duplicate=100%", "reorder=100%", "delay=1s", "delay=10s", "truncate=100%",
    "corrupt=100%", "checksum=100%", "stall", "half-open", "cut, refuse=503", "close=1012", "cut", "clock=+90s",
    "flood=1000/s for 5s",
]
GIVE_UP_SECONDS, CALM_SECONDS, PAUSE_SECONDS = 9, 1.0, 0.002


class Page:
    """A page's socket that reads only to keep up."""

    def __init__(self, port):
        self._socket = socket.create_connection(("127.0.0.1", port))
        key = base64.b64encode(os.urandom(16)).decode()
        self._socket.sendall(
            (f"GET /live HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
             f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        while self._socket.recv(1 << 16):
            pass

    def say(self, message):
        payload, mask = json.dumps(message).encode(), os.urandom(4)
        head = bytes([0x80 | len(payload)]) if len(payload) < 126 else b"\xfe" + struct.pack(">H", len(payload))
        self._socket.sendall(
            b"\x81" + head + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload)))


class Server:
    """`livetape serve` on a free port."""

    def __init__(self, folder):
        self._child = subprocess.Popen(
            [PROGRAM, "serve", "--port", "0", "--seed", "7", "--data", folder], stdout=subprocess.PIPE, text=True,
            env={"LIVETAPE_BUX_TOKEN": "simulated", **os.environ})
        self.port = int(re.search(r":(\d+)/", self._child.stdout.readline())[1])
        self._connection = None

    def ready(self):
        """None while it is ready, else its reasons."""
        while True:
            try:
                self._connection = self._connection or http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
                self._connection.request("GET", "/readyz")
                answer = self._connection.getresponse()
                body = json.loads(answer.read())
                return None if answer.status == 200 else body["reasons"]
            except (http.client.HTTPException, ConnectionError):
                self._connection = None

    def stop(self):
        self._child.terminate()
        self._child.wait(timeout=30)


def settle(server):
    """Waits until it has been ready for a while."""
    since = time.monotonic()
    while time.monotonic() - since < CALM_SECONDS:
        if server.ready() is not None:
            since = time.monotonic()
        time.sleep(PAUSE_SECONDS)


def measure(server, page, venue, fault):
    """Seconds until 503 and the reason's code; None when it stays ready."""
    settle(server)
    begin = time.monotonic()
    page.say({"do": "fault.inject", "venue": venue, "faults": fault})
    found = None
    while found is None and time.monotonic() - begin < GIVE_UP_SECONDS:
        if reasons := server.ready():
            found = time.monotonic() - begin, reasons[0]["code"]
        else:
            time.sleep(PAUSE_SECONDS)
    page.say({"do": "fault.clear", "venue": venue})
    page.say({"do": "venue.retry", "venue": venue})
    return found


def measure_all(venue, book, results):
    """All faults of a venue, on a separate server."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(folder)
        try:
            page = Page(server.port)
            page.say({"open": [book]})
            time.sleep(1)
            for fault in FAULTS:
                results[venue, fault] = measure(server, page, venue, fault)
                print(venue, fault, results[venue, fault], file=sys.stderr, flush=True)
        finally:
            server.stop()


def main():
    results = {}
    venues = [threading.Thread(target=measure_all, args=(*book, results)) for book in BOOKS.items()]
    for venue in venues:
        venue.start()
    for venue in venues:
        venue.join()
    print("| fault | " + " | ".join(BOOKS) + " |\n|---" + "|---" * len(BOOKS) + "|")
    for fault in FAULTS:
        cells = [results[venue, fault] for venue in BOOKS]
        print(f"| `{fault}` | " + " | ".join(
            "stays ready" if cell is None else f"{cell[0]:.2f} s, `{cell[1]}`" for cell in cells) + " |")


if __name__ == "__main__":
    main()
