"""The page is an installable app and opens without its server: with the last data, shown with its age."""

import json
import re
import urllib.request
from decimal import Decimal

import pytest
from playwright.sync_api import Error, expect

from conftest import DESKTOP, PHONE
from servers import Server, free_port
from watching import wait_until

KEPT = """async () => {
  const kept = await caches.match("/kept-state", { cacheName: "livetape-state" });
  return kept ? await kept.json() : null;
}"""
SHELLS = "async () => (await caches.keys()).filter((name) => name.startsWith('livetape-shell-'))"
LEVELS = ".level:not([data-empty])"
# Makes the page hidden, as a browser does before it freezes it.
HIDE = """() => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture
def server():
    """A server that can stop and restart at its address."""
    server = Server(port=free_port())
    servers = [server]

    def restart(*arguments):
        servers.append(Server(*arguments, port=server.address.rpartition(":")[2], data=server.data))

    server.restart = restart
    try:
        yield server
    finally:
        for each in reversed(servers):
            each.stop()


def install(page):
    """Waits until the page is cached on the device and a service worker controls it."""
    page.evaluate("async () => { await navigator.serviceWorker.register('/service-worker.js'); await navigator.serviceWorker.ready; }")
    wait_until(page, lambda: page.evaluate("async () => (await navigator.serviceWorker.ready).active.state") == "activated")


def kept(page, *topics):
    """The stored states of the topics, once there are any."""
    def found():
        state = page.evaluate(KEPT)
        told = {each["topic"]: each for each in state["topics"]} if state else {}
        return told if set(topics) <= set(told) else None

    return wait_until(page, found)


# The sidebar's rows that have a price, and whether all of them are marked as not confirmed.
PRICED = """() => [...document.querySelectorAll(".watch-row")].filter((row) => /\\d/.test(row.querySelector(".watch-figures").textContent))"""


def open_kept(open_page, server, path, *topics, rows=0, **options):
    """A page that is installed and has stored its data, including that many rows of the sidebar."""
    page = open_page(path, at=server.address, service_workers="allow", **options)
    install(page)
    for topic in topics:
        wait_until(page, lambda: topic in page.wire.states)
    if path.startswith("/book/"):
        expect(page.locator(LEVELS).first).to_be_visible()
    page.wait_for_function(f"(rows) => ({PRICED})().length >= rows", arg=rows)
    page.evaluate(HIDE)
    kept(page, *topics)
    return page


def test_the_page_can_be_installed(open_page, server):
    page = open_page("/feed", at=server.address, service_workers="allow")
    session = page.context.new_cdp_session(page)
    manifest = session.send("Page.getAppManifest")
    assert manifest["errors"] == []
    told = json.loads(manifest["data"])
    assert (told["display"], told["start_url"], told["scope"]) == ("standalone", "/", "/")
    assert session.send("Page.getInstallabilityErrors")["installabilityErrors"] in ([], [{"errorId": "in-incognito", "errorArguments": []}])
    sizes = page.evaluate("""(icons) => Promise.all(icons.map(async ({ src }) => {
      const image = new Image();
      image.src = src;
      await image.decode();
      return `${image.naturalWidth}x${image.naturalHeight}`;
    }))""", told["icons"])
    assert [size for size, icon in zip(sizes, told["icons"]) if icon["sizes"] not in ("any", size)] == []
    for shortcut in told["shortcuts"]:
        assert urllib.request.urlopen(server.address + shortcut["url"]).status == 200


def test_files_that_keep_their_names_are_asked_for_again(address):
    for path, kind in (("/service-worker.js", "text/javascript; charset=utf-8"), ("/manifest.webmanifest", "application/manifest+json")):
        with urllib.request.urlopen(address + path) as answer:
            assert answer.headers["cache-control"] == "no-cache" and answer.headers["content-type"] == kind


def test_without_its_server_the_page_shows_the_last_state_and_its_age(open_page, server):
    for viewport in (PHONE, DESKTOP):
        page = open_kept(open_page, server, "/book/XBTUSD", "book/XBTUSD", "status", "books", viewport=viewport)
        page.context.set_offline(True)
        page.clock.install()
        page.goto(server.address + "/book/XBTUSD")
        expect(page.locator(LEVELS).first).to_be_visible()
        levels = page.locator(".book .level .level-price").all_text_contents()
        told = kept(page, "book/XBTUSD")["book/XBTUSD"]["state"]
        prices = {Decimal(price) for price, *_ in told["bids"] + told["asks"]}
        seen = {Decimal(text.replace(",", "")) for text in levels if text.strip()}
        assert seen and seen <= prices, (seen, prices)
        page.clock.run_for(3000)
        expect(page.locator("#banner")).to_have_text(re.compile(r"No connection to Livetape\. Last known state: .* ago\."))
        expect(page.locator(".book")).to_contain_text("Disconnected")
        page.context.set_offline(False)


def test_no_number_of_a_kept_state_is_shown_as_live(open_page, server):
    page = open_kept(open_page, server, "/", "status", "books", "exchange", rows=3, viewport=DESKTOP)
    server.stop()
    page.reload()
    # At one moment, so that each row is read once.
    page.wait_for_function(f"""() => {{
      const told = ({PRICED})();
      return told.length > 2 && told.every((row) => row.querySelector(".row-sub").dataset.state === "disconnected");
    }}""")
    assert not re.search(r"\d", page.title()), "the tab shows only a price that can be believed"


def test_with_its_server_back_the_page_is_live_again(open_page, server):
    page = open_kept(open_page, server, "/book/XBTUSD", "book/XBTUSD", "status", "books")
    server.stop()
    page.reload()
    expect(page.locator(".book")).to_contain_text("Disconnected")
    server.restart()
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator(".book")).not_to_contain_text("Disconnected")
    expect(page.locator(".chip-count")).not_to_be_empty()


def test_a_book_that_the_server_does_not_have_yet_leaves_the_kept_one(open_page, server):
    page = open_kept(open_page, server, "/book/XBTUSD", "book/XBTUSD", "status")
    before = page.evaluate(KEPT)
    server.stop()
    server.restart("--url", f"bitmex=ws://127.0.0.1:{free_port()}")
    page.reload()
    wait_until(page, lambda: page.wire.states["book/XBTUSD"]["bids"] == [])
    page.evaluate(HIDE)
    told = wait_until(page, lambda: (state := page.evaluate(KEPT)) and state["heardAt"] > before["heardAt"] and state)
    assert next(each for each in told["topics"] if each["topic"] == "book/XBTUSD")["state"]["bids"] != []


def test_no_order_and_no_position_is_kept(open_page, server):
    page = open_kept(open_page, server, "/exchange", "exchange", "status", viewport=DESKTOP)
    wait_until(page, lambda: "openOrders" in page.wire.states and "positions" in page.wire.states)
    told = kept(page, "exchange")
    assert [topic for topic in told if re.match("orders|openOrders|positions|alerts", topic)] == []
    assert {"exchange", "status"} <= set(told)


@pytest.mark.thorough
@pytest.mark.parametrize("text", [
    "", "{", "null", "[]", '{"topics": 3}',
    '{"build": "another", "heardAt": 1, "clockDifference": 0, "topics": [{"topic": "status", "at": 1, "state": {}}]}',
    '{"build": "BUILD", "heardAt": "1", "clockDifference": 0, "topics": []}',
    '{"build": "BUILD", "heardAt": 1, "clockDifference": 0, "topics": [null, {"topic": 1}]}'])
def test_a_state_that_this_page_did_not_keep_is_not_read(open_page, server, text):
    page = open_kept(open_page, server, "/book/XBTUSD", "book/XBTUSD")
    build = page.evaluate("document.querySelector('script[type=module]').src")
    # From a URL without our page, which would store its data again.
    page.goto(server.address + "/healthz")
    page.evaluate("""async (text) => {
      const cache = await caches.open("livetape-state");
      await cache.put("/kept-state", new Response(text));
    }""", text.replace("BUILD", build))
    page.context.set_offline(True)
    page.clock.install()
    page.goto(server.address + "/book/XBTUSD")
    page.clock.run_for(3000)
    expect(page.locator("#banner")).to_have_text(re.compile(r"No connection to Livetape\. (Trying|Try)"))
    assert page.locator(LEVELS).count() == 0


def test_a_build_before_is_forgotten_when_no_page_of_it_is_open(open_page, server):
    page = open_page("/feed", at=server.address, service_workers="allow")
    page.evaluate("async () => { await caches.open('livetape-shell-before'); await caches.open('of somebody else'); }")
    install(page)
    wait_until(page, lambda: len(page.evaluate(SHELLS)) == 1)
    assert page.evaluate(SHELLS) != ["livetape-shell-before"]
    assert "of somebody else" in page.evaluate("() => caches.keys()")


def test_what_is_no_screen_is_never_answered_from_the_device(open_page, server):
    page = open_kept(open_page, server, "/book/XBTUSD", "book/XBTUSD")
    page.reload()
    server.stop()
    for path in ("/orders.csv", "/?token=0123456789abcdef"):
        with pytest.raises(Error, match="ERR_CONNECTION_REFUSED"):
            page.context.new_page().goto(server.address + path)
    page.goto(server.address + "/book/XBTUSD")
    expect(page.locator(LEVELS).first).to_be_visible()
    assert page.evaluate("() => fetch('/history/bitmex/XBTUSD?interval=60000').then(() => 'an answer', () => 'none')") == "none"
