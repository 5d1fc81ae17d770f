"""Relays a venue's WebSocket connections and counts its messages.

    relay.py PORT    relays to 127.0.0.1:PORT

Prints the port it listens on, then twice a second the messages and bytes relayed so far. A slow reader slows the venue
down as it would without the relay.
"""

import socket
import sys
import threading
import time

MOST_CONNECTIONS = 64


class Counter:
    """Counts whole frames in a stream of bytes that begins with an HTTP response."""

    def __init__(self):
        self.messages = 0
        self.bytes = 0
        self._head = b""
        self._is_open = False
        self._is_plain = False
        self._left = 0

    def take(self, data):
        self.bytes += len(data)
        if self._is_plain:
            return
        if not self._is_open:
            self._head += data
            if b"\r\n\r\n" not in self._head:
                self._is_plain = len(self._head) > 1 << 16
                return
            head, data = self._head.split(b"\r\n\r\n", 1)
            self._head, self._is_open = b"", True
            self._is_plain = b" 101 " not in head.split(b"\r\n", 1)[0]
            if self._is_plain:
                return
        self._frames(data)

    def _frames(self, data):
        data, position, end = self._head + data, self._left, len(self._head) + len(data)
        while position + 2 <= end:
            length, start = data[position + 1] & 0x7F, position + 2
            if length >= 126:
                start += 2 if length == 126 else 8
                if start > end:
                    break
                length = int.from_bytes(data[position + 2:start], "big")
            # Text and binary frames; control frames are not messages.
            self.messages += data[position] & 0x0F in (1, 2)
            position = start + length
        self._head = data[position:] if position < end else b""
        self._left = max(0, position - end)


class Relay:
    def __init__(self, target):
        self._target = target
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._counters = []
        self._past = [0, 0]
        self._lock = threading.Lock()
        self._room = threading.Semaphore(MOST_CONNECTIONS)

    def run(self):
        while True:
            near, _ = self._listener.accept()
            self._room.acquire()
            threading.Thread(target=self._serve, args=(near,), daemon=True).start()

    def counts(self):
        with self._lock:
            return [past + sum(getattr(one, name) for one in self._counters)
                    for past, name in zip(self._past, ("messages", "bytes"))]

    def _serve(self, near):
        counter = Counter()
        try:
            far = socket.create_connection(("127.0.0.1", self._target))
        except OSError:
            near.close()
            self._room.release()
            return
        with self._lock:
            self._counters.append(counter)
        upward = threading.Thread(target=copy, args=(near, far, None), daemon=True)
        upward.start()
        copy(far, near, counter)
        upward.join()
        near.close()
        far.close()
        with self._lock:
            self._counters.remove(counter)
            self._past = [self._past[0] + counter.messages, self._past[1] + counter.bytes]
        self._room.release()


def copy(source, target, counter):
    """Copies data until one side ends, then ends the other."""
    for end in (source, target):
        end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        while data := source.recv(1 << 17):
            if counter:
                counter.take(data)
            target.sendall(data)
    except OSError:
        pass
    for end in (source, target):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def main():
    relay = Relay(int(sys.argv[1]))
    print(relay.port, flush=True)
    threading.Thread(target=relay.run, daemon=True).start()
    while True:
        time.sleep(0.5)
        print(*relay.counts(), flush=True)


if __name__ == "__main__":
    main()
