"""Servers' HTTP requests to a venue behind a bus: its reader sends each one once for all."""

import json
import re
import threading
import urllib.request

import pytest
from playwright.sync_api import expect

from broker import NATS, Broker
from recording_proxy import RecordingProxy
from servers import Process, Server, Venues
from test_bus import connections
from watching import wait_until

pytestmark = [pytest.mark.skipif(NATS is None, reason="nats-server is not installed"), pytest.mark.thorough]
MINUTE, HOUR = 60_000, 3_600_000
MINUTES, TICKERS, PRODUCT = "OHLC?pair=XBTUSD&interval=1", "/0/public/Ticker", "/products/sb26493"
# Longer than one server may lag behind another on a busy machine.
SLOW_SECONDS = 8
NO_READER = "The venue's reader does not respond. Retrying shortly."


class Installation:
    """A broker, one reader with a proxy before its venues, two servers without venue addresses."""

    def __init__(self, folder):
        self.venues = Venues()
        self.proxy = RecordingProxy(self.venues.port)
        self.broker = Broker(folder)
        bus = ["--bus", self.broker.address]
        urls = [text.replace(f":{self.venues.port}/", f":{self.proxy.port}/") for text in self.venues.urls("kraken", "bux")]
        self._reader_flags = [*bus, "--venues", "live", *urls]
        self.read()
        self.servers = [Server(*bus) for _ in range(2)]

    def read(self):
        self.reader = Process("read", *self._reader_flags)

    def stop(self):
        for process in [*self.servers, self.reader]:
            process.kill()
        self.broker.kill()
        self.proxy.stop()
        self.venues.kill()


@pytest.fixture
def installation(tmp_path):
    installation = Installation(tmp_path)
    yield installation
    installation.stop()


def history(server, interval=MINUTE):
    """A server's history of Bitcoin."""
    request = urllib.request.Request(
        f"{server.address}/history/kraken/BTC%2FUSD?interval={interval}", headers={"Accept": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def all_at_once(installation, ask):
    """Sends a request to each server concurrently."""
    threads = [threading.Thread(target=ask, args=(server,), daemon=True) for server in installation.servers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)


def on_each(open_page, installation, path):
    """The same page of each server."""
    return [open_page(path, at=server.address) for server in installation.servers]


def live(page):
    expect(page.locator(".panel .note-text")).to_have_text("Live")


def test_both_charts_have_their_past_and_the_venue_was_asked_once(open_page, installation):
    installation.proxy.slow_down("/OHLC", SLOW_SECONDS)
    pages = on_each(open_page, installation, "/markets")
    assert not installation.proxy.asked("/OHLC")
    all_at_once(installation, history)
    wait_until(pages[0], lambda: all(history(server)["status"] == "ready" for server in installation.servers))
    assert len(installation.proxy.asked(MINUTES)) == 1, installation.proxy.asked("/0/")
    # Both have the same minutes, however much of the latest one each has received.
    pasts = [{tuple(row[:2]) for row in history(server)["candles"] if len(row) > 6} for server in installation.servers]
    assert len(pasts[0] & pasts[1]) > 100
    for page in on_each(open_page, installation, "/chart/BTC%2FUSD"):
        expect(page.locator(".chart-note")).to_be_empty()
        surface = page.locator(".chart-surface")
        surface.focus()
        for _ in range(10):
            surface.press("ArrowLeft")
        # Minutes before either server started.
        expect(page.locator(".chart-legend").first).to_have_text(re.compile("venue$"))
    for server in installation.servers:
        assert connections(server, installation.proxy.port) == connections(server, installation.venues.port) == 0


def test_all_figures_are_asked_for_once_for_the_lists_of_both(open_page, installation):
    installation.proxy.slow_down(TICKERS, SLOW_SECONDS)
    pages = on_each(open_page, installation, "/markets")
    for page in pages:
        wait_until(page, lambda page=page: len(page.wire.states["survey"].get("rows", {})) > 500)
    assert len(installation.proxy.asked(TICKERS)) == 1


def test_a_product_is_asked_for_by_the_reader_and_without_one_that_is_said(open_page, installation):
    installation.proxy.slow_down(PRODUCT, SLOW_SECONDS)
    pages = on_each(open_page, installation, "/product/sb26493")
    for page in pages:
        wait_until(page, lambda page=page: "price" in page.wire.states["product/sb26493"])
    assert 1 <= len(installation.proxy.asked(PRODUCT)) <= 2
    installation.reader.kill()
    page = open_page("/product/sb26496", at=installation.servers[0].address)
    expect(page.locator("main")).to_contain_text("The reader of BUX does not respond.")
    installation.read()
    # The page requests it again by itself once BUX is connected.
    wait_until(page, lambda: "price" in page.wire.states["product/sb26496"])
    assert installation.proxy.asked("/products/sb26496")


def test_without_a_reader_the_chart_says_so_and_its_past_comes_with_the_next_one(open_page, installation):
    installation.reader.kill()
    page = open_page("/chart/BTC%2FUSD", at=installation.servers[0].address)
    expect(page.locator(".chart-note")).to_contain_text(NO_READER)
    assert not installation.proxy.asked("/0/public")
    installation.read()
    wait_until(page, lambda: history(installation.servers[0])["status"] == "ready")
    expect(page.locator(".chart-note")).to_be_empty()
    assert installation.proxy.asked(MINUTES)
