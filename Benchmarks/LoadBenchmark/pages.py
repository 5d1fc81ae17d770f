"""Pages without a browser, many of them in one loop, and the venue whose ticks they wait for."""

import json
import random
import selectors
import socket
import threading
import time

# The smallest there is: what a page does not read soon waits at the server.
SMALL_BUFFER = 4096
TOPICS = ["status", "exchange", "book/XBTUSD", "openOrders"]
HEAVY_TOPICS = TOPICS + [
    "books", "feed", "stocks", "markets", "survey", "trades/XBTUSD", "trades/BTC/USD", "book/BTC/USD", "book/ETH/USD",
    "chart/bitmex/XBTUSD", "chart/kraken/BTC/USD", "chart/exchange/TROAD", "trades/ETH/USD"]
TICK_SECONDS = 0.1


class Feed:
    """The exchange: every tick has a price of its own, so that a page's frame says which tick it shows."""

    def __init__(self):
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"tcp://127.0.0.1:{self._listener.getsockname()[1]}"
        self._connection = None
        self.connections = 0
        self.number = 0
        self.sent = []

    def accept(self):
        """Waits for the server, and for its later connections in a thread of their own."""
        self._listener.settimeout(120)
        self._take()
        self._listener.settimeout(None)
        threading.Thread(target=self._take_for_ever, daemon=True).start()

    def _take(self):
        connection, _ = self._listener.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.recv(16)
        self._connection = connection
        self.connections += 1

    def _take_for_ever(self):
        try:
            while True:
                self._take()
        except OSError:
            pass

    def tick(self):
        """Sends one; it is lost when the server is away."""
        cents = 100_00 + self.number % 90_000
        line = f"{self.number + 1},{cents // 100}.{cents % 100:02},1.00,10,9999.00,10\n".encode()
        self.sent.append(time.perf_counter())
        self.number += 1
        try:
            self._connection.sendall(line)
        except OSError:
            pass

    @staticmethod
    def number_of(price):
        """Which tick has this price, as text; None for a price that is none of its own."""
        whole, _, cents = price.partition(b".")
        return int(whole + cents) - 100_00 if len(cents) == 2 and (whole + cents).isdigit() else None

    def close(self):
        """Ends."""
        for end in (self._connection, self._listener):
            if end:
                end.close()


class Page:
    """One page's WebSocket; it does not block once it is open."""

    def __init__(self, address, topics, small=False):
        host, port = address.removeprefix("http://").split(":")
        self.socket = socket.socket()
        if small:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_BUFFER)
        self.socket.settimeout(60)
        self.socket.connect((host, int(port)))
        self.socket.sendall(
            f"GET /live HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode())
        head = b""
        while b"\r\n\r\n" not in head:
            data = self.socket.recv(1)
            if not data:
                raise ConnectionError(f"the server took no page: {head!r}")
            head += data
        if b" 101 " not in head:
            raise ConnectionError(f"the server took no page: {head!r}")
        self._bytes = bytearray()
        self.say({"open": topics})
        self.socket.setblocking(False)
        # Whether its times count: those of pages that woke up say how long they slept.
        self.counts = not small
        self.tick = -1
        # The tick that was the newest when it began to read.
        self.begun = -1
        self.frames = 0
        self.received = 0
        self.code = None
        self.has_ended = False

    def say(self, message):
        """Sends a message; False when the socket takes nothing more."""
        return self._send(1, json.dumps(message).encode())

    def _send(self, kind, payload):
        length = len(payload)
        head = bytes([0x80 | kind, 0x80 | length]) if length < 126 else (
            bytes([0x80 | kind, 0x80 | 126]) + length.to_bytes(2, "big"))
        try:
            self.socket.send(head + bytes(4) + payload)
        except OSError:
            return False
        return True

    def read(self):
        """Reads what is there; gives the numbers of the ticks that it shows now."""
        try:
            data = self.socket.recv(1 << 18)
        except BlockingIOError:
            return []
        except OSError:
            data = b""
        if not data:
            self.has_ended = True
            return []
        self.received += len(data)
        self._bytes += data
        ticks = []
        while (message := self._message()) is not None:
            kind, text = message
            if kind == 9:
                self._send(10, bytes(text))
            elif kind == 8:
                self.code = int.from_bytes(text[:2], "big") if len(text) >= 2 else 1005
            elif text.startswith(b'{"frame"'):
                self.frames += 1
                number = shown_tick(text)
                if number is not None and number > self.tick:
                    self.tick = number
                    ticks.append(number)
        return ticks

    def _message(self):
        data = self._bytes
        if len(data) < 2:
            return None
        length, start = data[1] & 0x7F, 2
        if length >= 126:
            start += 2 if length == 126 else 8
            length = int.from_bytes(data[2:start], "big")
        if len(data) < start or len(data) < start + length:
            return None
        text = bytes(data[start:start + length])
        kind = data[0] & 0x0F
        del data[:start + length]
        return kind, text

    def close(self):
        """Leaves."""
        self.socket.close()


def shown_tick(text):
    """The number of the tick whose price a frame brings for the exchange."""
    start = text.find(b'{"topic":"exchange"')
    if start < 0:
        return None
    end = text.find(b'{"topic":"', start + 1)
    found = text.find(b'"price":"', start, end if end > 0 else len(text))
    if found < 0:
        return None
    return Feed.number_of(text[found + 9:text.index(b'"', found + 9)])


class Crowd:
    """Pages that read, and ticks for them."""

    def __init__(self, feed):
        self._feed = feed
        self._selector = selectors.DefaultSelector()
        self.pages = []
        # Of the latest run: each time, and the page that it is of.
        self.shown = []

    @property
    def newest(self):
        """The number of the latest tick."""
        return self._feed.number - 1

    def add(self, page):
        """A page that reads from now on."""
        page.begun = self.newest
        self.pages.append(page)
        self._selector.register(page.socket, selectors.EVENT_READ, page)

    def remove(self, page):
        """A page that reads no more."""
        self.pages.remove(page)
        self._selector.unregister(page.socket)

    def run(self, seconds, each_second=lambda: None):
        """Sends ticks and reads frames; gives the milliseconds from each tick to each page that showed it."""
        times, self.shown = [], []
        start = now = time.perf_counter()
        next_tick, next_second = start, start + 1
        while now < start + seconds:
            if now >= next_tick:
                self._feed.tick()
                # Moments that fall on no rhythm of the server's.
                next_tick = max(next_tick, now - 1) + random.uniform(0.6, 1.4) * TICK_SECONDS
            if now >= next_second:
                each_second()
                next_second += 1
            for key, _ in self._selector.select(max(0, min(next_tick, next_second) - time.perf_counter())):
                page = key.data
                for number in page.read():
                    if page.counts and number < len(self._feed.sent) and self._feed.sent[number] >= start:
                        times.append((time.perf_counter() - self._feed.sent[number]) * 1000)
                        self.shown.append((times[-1], page))
                if page.has_ended:
                    self.remove(page)
            now = time.perf_counter()
        return times
