"""Pages without a browser, many of them in one loop, and the venue whose ticks they wait for."""

import pathlib
import random
import selectors
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from sockets import PageSocket, TickFeed  # noqa: E402

# The smallest there is: what a page does not read soon waits at the server.
SMALL_BUFFER = 4096
TOPICS = ["status", "exchange", "book/XBTUSD", "openOrders"]
HEAVY_TOPICS = TOPICS + [
    "books", "feed", "stocks", "markets", "survey", "trades/XBTUSD", "trades/BTC/USD", "book/BTC/USD", "book/ETH/USD",
    "chart/bitmex/XBTUSD", "chart/kraken/BTC/USD", "chart/exchange/TROAD", "trades/ETH/USD"]
TICK_SECONDS = 0.1


class Feed(TickFeed):
    """The exchange, with the moment of each tick: a page's frame says which tick it shows."""

    def __init__(self):
        super().__init__()
        self.connections = 0
        self.sent = []

    def accept(self):
        """Waits for the server, and for its later connections in a thread of their own."""
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
        """Sends one; it is lost when the server is away."""
        _, line = self.next_line()
        self.sent.append(time.perf_counter())
        try:
            self._connection.sendall(line)
        except OSError:
            pass

    @staticmethod
    def number_of(price):
        """Which tick has this price, as text; None for a price that is none of its own."""
        whole, _, cents = price.partition(b".")
        return int(whole + cents) - 100_00 if len(cents) == 2 and (whole + cents).isdigit() else None


class Page(PageSocket):
    """One page's WebSocket; it does not block once it is open."""

    def __init__(self, address, topics, small=False):
        super().__init__(address, SMALL_BUFFER if small else None)
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
