"""What the API rejects when it is too much (429) or unavailable now (503), by the real server."""

import json
import socket
import sqlite3
import time
import urllib.error
import urllib.parse
import urllib.request

import pytest

from servers import Server

pytestmark = pytest.mark.thorough
EACH_SECOND = 200
ORDERS_UNDER_WAY = 32
WAITING = 64


@pytest.fixture(scope="module")
def server():
    server = Server()
    yield server
    server.stop()


def ask(server, path, body=None, timeout=60):
    """Status, body and headers of a response below /api/v1."""
    request = urllib.request.Request(server.address + "/api/v1" + path)
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    try:
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            return answer.status, json.loads(answer.read()), answer.headers
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read()), error.headers


class Line:
    """A connection that sends requests without waiting for responses."""

    def __init__(self, server):
        self._host = urllib.parse.urlsplit(server.address).netloc
        host, port = self._host.split(":")
        self._socket = socket.create_connection((host, int(port)), timeout=60)
        self._bytes = self._socket.makefile("rb")

    def ask(self, path, count=1):
        self._socket.sendall(f"GET /api/v1{path} HTTP/1.1\r\nHost: {self._host}\r\n\r\n".encode() * count)

    def post(self, path, body):
        text = json.dumps(body).encode()
        self._socket.sendall(
            f"POST /api/v1{path} HTTP/1.1\r\nHost: {self._host}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(text)}\r\n\r\n".encode() + text)

    def answer(self):
        """Status, headers and body of the next response."""
        status = int(self._bytes.readline().split()[1])
        headers = {}
        while line := self._bytes.readline().strip().decode():
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        return status, headers, json.loads(self._bytes.read(int(headers["content-length"])))

    def close(self):
        self._bytes.close()
        self._socket.close()


def order(name, **fields):
    return {"clientId": name, "type": "limit", "side": "buy", "quantity": "1", "price": "40.00", **fields}


def test_more_requests_than_may_be_in_a_second_are_refused_until_the_next(server):
    line = Line(server)
    served = 0
    # As many as a connection may have; a second's budget is used long before the last one.
    line.ask("/connections", 900)
    for _ in range(900):
        status, headers, body = line.answer()
        if status == 429:
            break
        assert status == 200
        served += 1
    assert status == 429 and served >= EACH_SECOND
    assert headers["content-type"] == "application/problem+json" and headers["retry-after"] == "1"
    assert body["title"] == "Too many requests" and str(EACH_SECOND) in body["detail"]
    line.close()
    time.sleep(int(headers["retry-after"]))
    assert ask(server, "/connections")[0] == 200


def test_a_ledger_that_cannot_be_written_is_said_and_nothing_is_ordered(server):
    assert ask(server, "/orders", order("before"))[0] == 201
    _, before, _ = ask(server, "/orders")
    other = sqlite3.connect(server.data / "orders.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    status, problem, headers = ask(server, "/orders", order("locked-out"))
    assert status == 503 and headers["Retry-After"] and headers["Content-Type"] == "application/problem+json"
    assert problem["title"] == "Not available now" and "{" not in problem["detail"]
    status, problem, headers = ask(server, f"/orders/{before['orders'][0]['id']}")
    assert status == 503 and headers["Retry-After"], "what is on disk is not known"
    for path in ("/orders", "/positions"):
        status, said, _ = ask(server, path)
        assert status == 200 and said["freshness"]["state"] == "stale" and said["failure"], path
    other.execute("ROLLBACK")
    other.close()
    # It opens the ledger again on an order that arrives a while later.
    while (answer := ask(server, "/orders", order("locked-out")))[0] == 503:
        time.sleep(0.2)
    assert answer[0] == 201 and answer[1]["repeated"] is False
    _, after, _ = ask(server, "/orders")
    assert after["total"] == before["total"] + 1 and after["freshness"]["state"] == "live"


def test_who_waits_for_a_venue_that_says_nothing_is_told_so_and_no_more_may_wait_than_can_be_borne():
    """A venue that accepts the connection and never sends a message."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as silent:
        server = Server("--kraken-url", f"ws://127.0.0.1:{silent.getsockname()[1]}")
        try:
            lines = []
            for _ in range(WAITING + 3):
                # Each sends at once: the server closes the oldest of silent sockets.
                lines.append(Line(server))
                lines[-1].ask("/instruments/kraken%2FBTC%2FUSD/ticker")
            answers = [line.answer() for line in lines]
            for line in lines:
                line.close()
        finally:
            server.stop()
    refused = [(headers, body) for status, headers, body in answers if status == 503]
    waited = [body for status, _, body in answers if status == 200]
    assert (len(waited), len(refused)) == (WAITING, 3)
    for body in waited:
        assert body["freshness"]["state"] == "waiting" and body["freshness"]["age"] is None and "price" not in body
    for headers, body in refused:
        assert headers["retry-after"] == "1" and body["title"] == "Not available now"
