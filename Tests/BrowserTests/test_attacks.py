"""Attacks of the first review that a script can repeat: byte by byte, without a browser."""

import contextlib
import json
import pathlib
import re
import socket
import time

import pytest
import servers

UPGRADE = ("Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
           "Sec-WebSocket-Key: {}\r\n")
KEY = "dGhlIHNhbXBsZSBub25jZQ=="
FEW = 256


@contextlib.contextmanager
def running(*arguments, **options):
    server = servers.Server(*arguments, **options)
    server.port = int(server.address.rsplit(":", 1)[1])
    try:
        yield server
    finally:
        server.stop()


def connect(port, small=False):
    made = socket.socket()
    if small:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    made.settimeout(60)
    made.connect(("127.0.0.1", port))
    return made


def ask(port, target, *headers, method="GET", host=None, small=False):
    """The socket, and the data up to the end of the response head."""
    made = connect(port, small)
    lines = "".join(f"{header}\r\n" for header in headers).replace("\r\n\r\n", "\r\n")
    made.sendall(f"{method} {target} HTTP/1.1\r\nHost: {host or f'127.0.0.1:{port}'}\r\n{lines}\r\n".encode())
    came = b""
    while b"\r\n\r\n" not in came and (data := made.recv(4096)):
        came += data
    return made, came.decode(errors="replace")


def page(port, **options):
    made, head = ask(port, "/live", UPGRADE.format(KEY), **options)
    assert " 101 " in head, head
    return made


def say(made, message):
    text = json.dumps(message).encode()
    head = bytes([0x81, 0x80 | len(text)]) if len(text) < 126 else b"\x81\xfe" + len(text).to_bytes(2, "big")
    made.sendall(head + bytes(4) + text)


def what_came(made, seconds):
    """All bytes received within a time, or up to the end."""
    came, deadline = b"", time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        made.settimeout(left)
        try:
            data = made.recv(1 << 16)
        except OSError:
            break
        if not data:
            break
        came += data
    return came


def expect_alive(server):
    server.check()
    assert " 200 " in ask(server.port, "/healthz")[1]


@pytest.mark.thorough
def test_neither_idle_sockets_nor_product_topics_end_a_server_with_few_descriptors():
    with running(most_descriptors=FEW) as server:
        idle = []
        for _ in range(300):
            with contextlib.suppress(OSError):
                idle.append(connect(server.port))
        expect_alive(server)
        for made in idle:
            made.close()
        asking = page(server.port)
        with contextlib.suppress(OSError):
            for number in range(400):
                say(asking, {"open": [f"product/x{number}-{other}" for other in range(20)]})
        assert b"too_many_topics" in what_came(asking, 5)
        expect_alive(server)


@pytest.mark.parametrize("host", ["127.evil.com", "127.0.0.1.nip.io", "[::1]x", "evil.com"])
def test_a_name_that_points_here_reads_nothing_and_orders_nothing(address, host):
    port = int(address.rsplit(":", 1)[1])
    for target in ["/", "/orders.csv", "/history/bitmex/XBTUSD", "/spark/kraken/BTC%2FUSD", "/healthz"]:
        status = ask(port, target, host=f"{host}:{port}")[1].split("\r\n")[0]
        assert " 403 " in status or " 400 " in status, (target, status)
    head = ask(port, "/live", UPGRADE.format(KEY), host=f"{host}:{port}")[1]
    assert " 101 " not in head, head


def test_what_is_no_request_for_a_page_is_told_so(address):
    port = int(address.rsplit(":", 1)[1])
    assert " 400 " in ask(port, "/live", UPGRADE.format("x"))[1]
    assert " 405 " in ask(port, "/", method="PUT")[1]
    assert " 403 " in ask(port, "/", "Origin: http://evil.com")[1]
    assert "form-action 'none'" in ask(port, "/")[1]


def test_a_body_without_end_is_not_read(address):
    port, taken = int(address.rsplit(":", 1)[1]), 0
    made = ask(port, "/", "Content-Length: 1000000000", method="POST")[0]
    with contextlib.suppress(OSError):
        while taken < 64 << 20:
            made.sendall(bytes(1 << 16))
            taken += 1 << 16
    # The kernel's buffers count as well.
    assert taken < 32 << 20


@pytest.mark.thorough
def test_retry_without_end_makes_few_attempts():
    with running("--bitmex-url", "ws://127.0.0.1:9/") as server:
        asking = page(server.port)
        say(asking, {"open": ["status"]})
        began = time.monotonic()
        for _ in range(80):
            say(asking, {"do": "venue.retry", "venue": "bitmex"})
            time.sleep(0.05)
        came = what_came(asking, 2)
        attempts = set(re.findall(rb'"nextAttempt":(\d+)', came))
        # One, two and four seconds apart, and the machine's own delay.
        assert len(attempts) <= 4 + (time.monotonic() - began) / 1, attempts
        expect_alive(server)


@pytest.mark.thorough
def test_whoever_asks_and_does_not_read_costs_little():
    with running() as server:
        asking = page(server.port, small=True)
        before = memory(server)
        with contextlib.suppress(OSError):
            for _ in range(300):
                say(asking, {"open": ["markets", "products", "books", "status"], "ping": 1})
                time.sleep(0.03)
        assert memory(server) - before < 32 << 10
        expect_alive(server)


def memory(server):
    status = pathlib.Path(f"/proc/{server.pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1])


@pytest.mark.thorough
def test_what_visitors_send_forges_no_line_of_the_log():
    with running("--log-level", "trace") as server:
        ask(server.port, "/\x1b[31mred%0d%0a2026-11-24T00:00:00 error FORGED")
        ask(server.port, "/history/kraken/%0a%1b[31mFORGED?interval=1")
        asking = page(server.port)
        say(asking, {"open": ["book/\n\x1bFORGED", "product/\x1b[31mFORGED"]})
        say(asking, {"do": "list.add", "list": "\n\x1bFORGED", "member": "kraken/BTC/USD"})
        say(asking, {"ping": 5})
        assert b'"pong":5' in what_came(asking, 5)
        assert server.lines
        assert not [line for line in server.lines if "\x1b" in line or re.match(r".{0,40}FORGED", line)]
