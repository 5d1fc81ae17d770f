"""Over a slow line a price is shown within seconds, and the link never counts as lost."""

import gzip
import json
import urllib.request

import pytest

from conftest import DESKTOP, PHONE
from slow_link import SlowLink
from watching import wait_until

BITS, SECONDS_EACH_WAY = 400_000, 0.2
LARGEST = 16 << 10
PRICE = r"""(selector) => { for (const each of document.querySelectorAll(selector)) {
  if (/\d[\d.,]*\d/.test(each.textContent)) return each.textContent; } return null; }"""
FETCHED = """() => performance.getEntriesByType("resource")
  .filter(({ name, decodedBodySize }) => new URL(name).pathname.startsWith("/documents/") && decodedBodySize > 0)
  .map(({ name, transferSize, decodedBodySize }) => [new URL(name).pathname, transferSize, decodedBodySize])"""


@pytest.fixture
def slow(address):
    link = SlowLink(int(address.rpartition(":")[2]), BITS, SECONDS_EACH_WAY)
    yield f"http://127.0.0.1:{link.port}"
    link.stop()


def frames_of(page):
    sizes = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda text: sizes.append(len(text))))
    return sizes


@pytest.mark.thorough
@pytest.mark.parametrize("path, viewport, selector", [
    ("/book/XBTUSD", DESKTOP, ".headline-price"), ("/markets", PHONE, ".market-row .cell-last")],
    ids=["book", "markets"])
def test_a_slow_line_shows_a_price_and_stays_connected(open_page, slow, path, viewport, selector):
    sizes = []
    page = open_page(path, viewport=viewport, at=slow, ready=False,
                     setup=lambda page: sizes.append(frames_of(page)))
    page.wait_for_function(PRICE, arg=selector)
    if path == "/markets":
        wait_until(page, lambda: len(page.wire.states.get("markets", {}).get("rows", [])) > 1000)
    # It was never given up: one socket, and no message that blocks signs of life for long.
    assert page.wire.sockets == 1
    assert max(sizes[0]) <= LARGEST + 1024


def test_the_list_of_markets_is_fetched_once_and_compressed(open_page, address):
    page = open_page("/markets", viewport=PHONE)
    wait_until(page, lambda: len(page.wire.states.get("markets", {}).get("rows", [])) > 1000)
    fetched = wait_until(page, lambda: page.evaluate(FETCHED))
    assert fetched and all(size < whole / 2 for _, size, whole in fetched), fetched
    largest = max(fetched, key=lambda each: each[2])
    request = urllib.request.Request(address + largest[0], headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(request) as answer:
        assert answer.headers["Content-Encoding"] == "gzip"
        assert json.loads(gzip.decompress(answer.read()))["rows"]
