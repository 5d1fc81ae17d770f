#!/usr/bin/env python3
"""Places one order at a server, as a page does, and prints the response: order.py HOST:PORT"""

import base64
import json
import os
import socket
import struct
import sys

ORDER = {"do": "order.place",
         "order": {"clientId": "package-test", "type": "limit", "side": "buy", "quantity": "8", "price": "0.50"}}


def frame(text):
    """A masked text frame, shorter than 126 bytes or with a 16-bit length."""
    payload, mask = text.encode(), os.urandom(4)
    length = bytes([0x80 | len(payload)]) if len(payload) < 126 else b"\xfe" + struct.pack(">H", len(payload))
    return b"\x81" + length + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))


def messages(stream):
    """The received texts."""
    while True:
        head = stream.read(2)
        length = head[1] & 0x7F
        if length == 126:
            length, = struct.unpack(">H", stream.read(2))
        elif length == 127:
            length, = struct.unpack(">Q", stream.read(8))
        payload = stream.read(length)
        if head[0] & 0x0F == 1:
            yield json.loads(payload)


def main(address):
    host, port = address.rsplit(":", 1)
    with socket.create_connection((host, int(port)), timeout=60) as connection:
        key = base64.b64encode(os.urandom(16)).decode()
        connection.sendall(
            (f"GET /live HTTP/1.1\r\nHost: {address}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
             f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        stream = connection.makefile("rb")
        while stream.readline().strip():
            pass
        connection.sendall(frame(json.dumps(ORDER)))
        for message in messages(stream):
            if "package-test" in json.dumps(message):
                print(json.dumps(message))
                return


if __name__ == "__main__":
    main(sys.argv[1])
