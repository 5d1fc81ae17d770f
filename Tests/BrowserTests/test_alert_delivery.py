"""Alerts outside the page: a command and a signed web hook, with no page open when they fire."""

import hashlib
import hmac
import http.server
import json
import queue
import threading

import pytest
from playwright.sync_api import expect

from ordering import Exchange
from test_alerts import dock, set_alert, side_is_known
from watching import wait_until

SECRET = "a-secret-of-the-test"


class Hook(http.server.ThreadingHTTPServer):
    """A receiver that answers with the statuses given, then with 200."""

    def __init__(self, *statuses):
        self.received = queue.Queue()
        hook = self

        class Handler(http.server.BaseHTTPRequestHandler):
            left = list(statuses)

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                hook.received.put((self.path, dict(self.headers), body))
                self.send_response(self.left.pop(0) if self.left else 200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server_address[1]}/alerts?for=me"


@pytest.fixture
def delivering(tmp_path):
    """An exchange with a command and a web hook."""
    hook, secret, command = Hook(503), tmp_path / "secret", tmp_path / "command"
    secret.write_text(SECRET + "\n")
    command.write_text(f"#!/bin/sh\ncat > {tmp_path}/input.part; mv {tmp_path}/input.part {tmp_path}/input; exit 7\n")
    command.chmod(0o700)
    exchange = Exchange(
        tmp_path / "orders", "--alert-command", command, "--alert-webhook", hook.url, "--alert-secret-file", secret)
    try:
        yield exchange, hook, tmp_path / "input"
    finally:
        exchange.close()
        hook.shutdown()


def test_an_alert_is_delivered_with_no_page_open_and_its_failure_is_shown(delivering, open_page):
    exchange, hook, given = delivering
    page = open_page("/exchange", viewport={"width": 1440, "height": 900}, at=exchange.address)
    set_alert(page, "45.50")
    side_is_known(page)
    page.goto("about:blank")
    exchange.feed.offer(last="45.60")
    requests = [hook.received.get(timeout=60) for _ in range(2)]
    assert requests[0][2] == requests[1][2], "it is tried again after a failure"
    for path, headers, body in requests:
        signature = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
        assert headers["X-Livetape-Signature"] == f"sha256={signature}"
        assert (path, headers["Content-Type"]) == ("/alerts?for=me", "application/json")
    firing = json.loads(requests[0][2])
    assert (firing["symbol"], firing["level"], firing["direction"], firing["price"]) == ("TROAD", "45.5", "up", "45.6")
    wait_until(page, given.exists)
    assert given.read_bytes() == requests[0][2]
    page.goto(exchange.address + "/exchange")
    expect(dock(page)).to_have_count(1)
    expect(page.locator(".alert-table [data-failed]")).to_contain_text("1 not delivered: the alert command ended with status 7")
    assert not any(SECRET in line for line in exchange.server.lines)
