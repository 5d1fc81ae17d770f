#!/usr/bin/env python3
"""Reads a Kraken book from Livetape's stream, keeps it, and proves each state by itself.

    python3 docs/examples/kraken_book.py http://127.0.0.1:8080 --states 20

Nothing but Python's standard library. LIVETAPE_ACCESS_TOKEN is sent where the server needs a token.
"""

import argparse
import base64
import decimal
import json
import os
import socket
import ssl
import struct
import sys
import urllib.parse
import zlib


class Stream:
    """A WebSocket of text messages (RFC 6455), as much of it as a reader needs."""

    def __init__(self, address, token=None, timeout=30):
        parts = urllib.parse.urlsplit(address)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        self._socket = socket.create_connection((parts.hostname, port), timeout=timeout)
        if parts.scheme == "https":
            context = ssl.create_default_context()
            self._socket = context.wrap_socket(self._socket, server_hostname=parts.hostname)
        self._bytes = self._socket.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        lines = ["GET /api/v1/stream HTTP/1.1", f"Host: {parts.netloc}", "Upgrade: websocket",
                 "Connection: Upgrade", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}"]
        if token:
            lines.append(f"Authorization: Bearer {token}")
        self._socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        status = self._bytes.readline().decode().strip()
        while self._bytes.readline().strip():
            pass
        if " 101 " not in status:
            raise ConnectionError(status)

    def send(self, message):
        """Sends an object."""
        self._write(1, json.dumps(message).encode())

    def receive(self):
        """The next object; answers the server's pings on the way."""
        text = b""
        while True:
            first, second = self._read(2)
            length = second & 127
            if length > 125:
                length = int.from_bytes(self._read(2 if length == 126 else 8), "big")
            payload = self._read(length)
            kind = first & 15
            if kind == 9:
                self._write(10, payload)
            elif kind == 8:
                raise ConnectionError(payload[2:].decode() or "closed")
            elif kind in (0, 1):
                text += payload
                if first & 128:
                    return json.loads(text)

    def close(self):
        """Ends the connection."""
        self._bytes.close()
        self._socket.close()

    def _read(self, count):
        data = self._bytes.read(count)
        if len(data) < count:
            raise ConnectionError("the server has gone")
        return data

    def _write(self, kind, payload):
        mask = os.urandom(4)
        length = bytes([128 | len(payload)]) if len(payload) < 126 else b"\xfe" + struct.pack(">H", len(payload))
        masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))
        self._socket.sendall(bytes([128 | kind]) + length + mask + masked)


def hash_of(book):
    """The server's word for the rows: FNV-1a, 64 bits, over the JSON of [bids, asks] without blanks."""
    value = 0xCBF29CE484222325
    for byte in json.dumps([book["bids"], book["asks"]], separators=(",", ":")).encode():
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"


def digits(figure, places):
    """A figure with so many places, without the point and without leading zeros."""
    return f"{decimal.Decimal(figure):.{places}f}".replace(".", "").lstrip("0")


def checksum_of(book):
    """Kraken's word for the ten best rows: CRC-32 over the asks, then the bids, best first."""
    rule = book["checksum"]
    rows = book["asks"][:rule["rows"]] + book["bids"][:rule["rows"]]
    text = "".join(digits(price, rule["priceDigits"]) + digits(size, rule["sizeDigits"]) for price, size in rows)
    return zlib.crc32(text.encode())


def prove(book):
    """What is wrong with a book; nothing when all that vouches for it agrees."""
    if hash_of(book) != book["hash"]["value"]:
        return "the rows are not those that the server sent"
    if book["status"] == "synced" and "checksum" in book and checksum_of(book) != book["checksum"]["value"]:
        return "the rows are not Kraken's"
    return None


def states(address, instrument, token=None):
    """The book, state after state, each of them proven."""
    stream = Stream(address, token)
    try:
        stream.send({"do": "subscribe", "channel": "book", "instrument": instrument})
        while True:
            message = stream.receive()
            if message["type"] == "problem":
                raise ConnectionError(message["problem"]["detail"])
            if message["type"] == "book":
                if wrong := prove(message):
                    raise ValueError(wrong)
                yield message
    finally:
        stream.close()


def main():
    """Prints the best prices, with what they are worth."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("address", nargs="?", default="http://127.0.0.1:8080")
    parser.add_argument("--instrument", default="kraken/BTC/USD")
    parser.add_argument("--states", type=int, default=10, help="how many proven states to read")
    arguments = parser.parse_args()
    proven = 0
    for book in states(arguments.address, arguments.instrument, os.environ.get("LIVETAPE_ACCESS_TOKEN")):
        freshness = book["freshness"]
        best = [side[0][0] if side else "-" for side in (book["bids"], book["asks"])]
        word = "proven" if "checksum" in book and book["status"] == "synced" else book["status"]
        print(f"{best[0]} / {best[1]}  {word}, {freshness['state']}, {freshness['age']} ms old, "
              f"{freshness['origin']}, number {book['sequence']}", flush=True)
        proven += word == "proven"
        if proven >= arguments.states:
            return 0
    return 1


if __name__ == "__main__":
    sys.exit(main())
