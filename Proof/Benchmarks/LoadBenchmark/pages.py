"""Many pages without a browser in one loop, and the venue that sends their ticks."""

import pathlib
import random
import selectors
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from sockets import PageSocket, TickFeed  # noqa: E402

# The smallest possible: what a page does not read soon waits at the server.
SMALL_BUFFER = 4096
TOPICS = ["status", "exchange", "book/XBTUSD", "openOrders"]
HEAVY_TOPICS = TOPICS + [
    "books", "feed", "stocks", "markets", "survey", "trades/XBTUSD", "trades/BTC/USD", "book/BTC/USD", "book/ETH/USD",
    "chart/bitmex/XBTUSD", "chart/kraken/BTC/USD", "chart/exchange/TROAD", "trades/ETH/USD"]
TICK_SECONDS = 0.1


class Feed(TickFeed):
    """The exchange, with the time of each tick: a page's frame identifies the tick it shows."""

    def __init__(self):
        super().__init__()
        self.connections = 0
        self.sent = []

    def accept(self):
        """Accepts the server, and its later connections in a separate thread."""
        super().accept()
        self._listener.settimeout(None)
        threading.Thread(target=self._take_for_ever, daemon=True).start()

    def _take(self):
        super()._take()
        self.connections += 1

    def _take_for_ever(self):
        try:
            while True:
                self._take()
        except OSError:
            pass

    def tick(self):
        """Sends a tick; it is lost while the server is away."""
        _, line = self.next_line()
        self.sent.append(time.perf_counter())
        try:
            self._connection.sendall(line)
        except OSError:
            pass

    @staticmethod
    def number_of(price):
        """The tick with this price text; None for a price that was never sent."""
        whole, _, cents = price.partition(b".")
        return int(whole + cents) - 100_00 if len(cents) == 2 and (whole + cents).isdigit() else None


class Page(PageSocket):
    """One page's WebSocket; it does not block once it is open."""

    def __init__(self, address, topics, small=False):
        super().__init__(address, SMALL_BUFFER if small else None)
        self.say({"open": topics})
        self.socket.setblocking(False)
        # Whether its times count; a page that resumed reading would report its pause.
        self.counts = not small
        self.tick = -1
        # The newest tick when it began to read.
        self.begun = -1
        self.frames = 0
        self.received = 0
        self.code = None
        self.has_ended = False

    def read(self):
        """Reads available data; yields the numbers of the ticks it shows now."""
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
        self.read_bytes += data
        ticks = []
        while (message := self.message()) is not None:
            kind, text = message
            if kind == 9:
                self.send(10, text)
            elif kind == 8:
                self.code = int.from_bytes(text[:2], "big") if len(text) >= 2 else 1005
            elif text.startswith(b'{"frame"'):
                self.frames += 1
                number = shown_tick(text)
                if number is not None and number > self.tick:
                    self.tick = number
                    ticks.append(number)
        return ticks


def shown_tick(text):
    """The number of the tick whose price is in an exchange frame."""
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
        # Each time of the latest run with its page.
        self.shown = []

    @property
    def newest(self):
        """The number of the latest tick."""
        return self._feed.number - 1

    def add(self, page):
        page.begun = self.newest
        self.pages.append(page)
        self._selector.register(page.socket, selectors.EVENT_READ, page)

    def remove(self, page):
        self.pages.remove(page)
        self._selector.unregister(page.socket)

    def run(self, seconds, each_second=lambda: None):
        """Sends ticks and reads frames; returns the milliseconds from each tick to each page that showed it."""
        times, self.shown = [], []
        start = now = time.perf_counter()
        next_tick, next_second = start, start + 1
        while now < start + seconds:
            if now >= next_tick:
                self._feed.tick()
                # Times that don't match any rhythm of the server.
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
