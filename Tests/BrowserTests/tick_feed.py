"""An exchange with scripted prices: raw TCP, one line a tick, as in docs/venues/exchange.md."""

import socket
import threading
import time

# The rhythm that the market learns; it is late after three such silences. Offers keep to it as well: additional ticks
# would teach it a faster one, and the market would become late by itself.
EVERY_SECONDS = 1.0


class TickFeed:
    """Repeats its latest tick, so that the market stays live and no quantity is offered twice; `tick` sends a new one.
    """

    def __init__(self):
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"tcp://127.0.0.1:{self._listener.getsockname()[1]}"
        self._number = 1_000
        self._line = b""
        self._paused = threading.Event()
        self._lock = threading.Lock()
        self._closed = False
        self.offer()
        threading.Thread(target=self._accept, daemon=True).start()

    def offer(self, last="45.05", bid=("45.01", 17), ask=("45.10", 60)):
        """The next tick: the last price and the best bid and ask, each a price and a quantity."""
        with self._lock:
            self._number += 1
            fields = [self._number, last, bid[0], bid[1], ask[0], ask[1]]
            self._line = (",".join(map(str, fields)) + "\n").encode()

    def pause(self):
        """Sends nothing more, over a connection that stays open."""
        self._paused.set()

    def resume(self):
        self._paused.clear()

    def close(self):
        """Accepts no more connections and closes existing ones."""
        self._closed = True
        self._listener.close()

    def _accept(self):
        while not self._closed:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        try:
            with connection:
                if not connection.recv(16).startswith(b"hello"):
                    return
                while not self._closed:
                    if not self._paused.is_set():
                        connection.sendall(self._line)
                    # Missed ticks are not repeated: that would be a faster rhythm.
                    time.sleep(EVERY_SECONDS)
        except OSError:
            return
