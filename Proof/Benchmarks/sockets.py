"""Shared by the benchmarks of pages: the exchange that ticks, and a page's WebSocket, without a browser."""

import json
import socket


class TickFeed:
    """The exchange; no two ticks have the same price."""

    def __init__(self):
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"tcp://127.0.0.1:{self._listener.getsockname()[1]}"
        self._connection = None
        self.number = 0

    def accept(self):
        """Accepts the server's connection."""
        self._listener.settimeout(120)
        self._take()

    def _take(self):
        connection, _ = self._listener.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.recv(16)
        self._connection = connection

    def next_line(self):
        """The next tick's price as a page shows it, and its line."""
        cents = 100_00 + self.number % 90_000
        self.number += 1
        price = f"{cents // 100}.{cents % 100:02}"
        return price, f"{self.number},{price},1.00,10,9999.00,10\n".encode()

    def close(self):
        for end in (self._connection, self._listener):
            if end:
                end.close()


class PageSocket:
    """A page's WebSocket, once it is open: sends messages and parses received ones."""

    def __init__(self, address, receive_buffer=None):
        host, port = address.removeprefix("http://").split(":")
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
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
        self.read_bytes = bytearray()

    def say(self, message):
        """Sends a message; False when the socket accepts no more."""
        return self.send(1, json.dumps(message).encode())

    def send(self, kind, payload):
        """Sends a frame; False when the socket accepts no more."""
        length = len(payload)
        head = bytes([0x80 | kind, 0x80 | length]) if length < 126 else (
            bytes([0x80 | kind, 0x80 | 126]) + length.to_bytes(2, "big"))
        try:
            self.socket.send(head + bytes(4) + payload)
        except OSError:
            return False
        return True

    def message(self):
        """The next whole received message, as its kind and bytes; None without one."""
        data = self.read_bytes
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
        self.socket.close()
