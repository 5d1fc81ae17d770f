"""Fixtures: the real server, a real browser, and a page that must not report an error."""

import os
import zlib

import pytest
from playwright.sync_api import expect, sync_playwright

from browsers import close, launch
from live import Wire
from ordering import Exchange, Standing, offers
from servers import Server, Venues
from watching import PATIENCE_SECONDS

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1440, "height": 900}

expect.set_options(timeout=1000 * PATIENCE_SECONDS)

# Parameters of appearance, not of behaviour.
LOOKS = {"viewport", "size", "width", "height", "theme", "scheme", "colours", "language"}


def pytest_collection_modifyitems(config, items):
    """Deselects `thorough` tests and all but one size, theme and language of each case, unless LIVETAPE_ALL is set.

    A hash of the case's name selects the variant, so every size is covered by some test. Tests named on the command
    line run in full.
    """
    if os.environ.get("LIVETAPE_ALL") or config.option.keyword or any("::" in each for each in config.args):
        return
    cases = {}
    for item in items:
        if item.get_closest_marker("thorough"):
            continue
        parameters = item.callspec.params if hasattr(item, "callspec") else {}
        case = [item.nodeid.partition("[")[0], *(f"{name}={value!r}" for name, value in parameters.items() if name not in LOOKS)]
        cases.setdefault("\n".join(case), []).append(item)
    chosen = {ways[zlib.crc32(case.encode()) % len(ways)] for case, ways in cases.items()}
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = [item for item in items if item in chosen]


@pytest.fixture(scope="session")
def shared_server():
    """The server that most tests share; None when LIVETAPE_ADDRESS names a running one."""
    if os.environ.get("LIVETAPE_ADDRESS"):
        yield None
        return
    server = Server()
    yield server
    server.stop()


@pytest.fixture
def address(shared_server):
    """The shared server's address; it must outlive each test."""
    if shared_server is None:
        yield os.environ["LIVETAPE_ADDRESS"].rstrip("/")
        return
    shared_server.check()
    yield shared_server.address
    shared_server.check()


@pytest.fixture
def outage():
    """A server over separate venue processes: `(address, venues)`."""
    if os.environ.get("LIVETAPE_ADDRESS"):
        pytest.skip("needs processes of its own, LIVETAPE_ADDRESS names a server that runs already")
    venues = Venues()
    try:
        server = Server(*venues.flags())
        try:
            yield server.address, venues
        finally:
            server.stop()
    finally:
        venues.kill()


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        chromium = launch(playwright.chromium)
        yield chromium
        chromium.close()


class Opener:
    """Opens pages in separate contexts; `complaints` has what they report as errors."""

    def __init__(self, browser):
        self._browser = browser
        self.contexts, self.complaints = [], []

    def _heard(self, message):
        lost = "WebSocket connection to" in message.text or "Failed to load resource" in message.text
        if message.type == "error" and not lost:
            self.complaints.append(message.text)

    def open(self, url, viewport, ready=True, setup=None, **options):
        context = self._browser.new_context(
            viewport=viewport, **{"locale": "en-US", "service_workers": "block", **options})
        context.set_default_timeout(1000 * PATIENCE_SECONDS)
        self.contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._heard)
        page.wire = Wire(page)
        # A press on an element that has just moved is ignored, so wait until it settles, as a user would.
        page.add_locator_handler(page.locator("[data-settling]").first, lambda: None)
        if setup:
            setup(page)
        page.goto(url)
        if ready:
            # The page's own link is up; the venues' state doesn't matter here.
            expect(page.locator(".chip-count")).not_to_be_empty()
        return page

    def close(self):
        while self.contexts:
            close(self.contexts.pop())


class KeptPage:
    """The page of the last test that only looked, for the next one that looks at the same."""

    def __init__(self, browser):
        self._opener, self._of = Opener(browser), None

    def take(self, url, viewport):
        if self._of != (url, viewport):
            self.close()
            self._page = self._opener.open(url, viewport)
            self._of = url, viewport
        return self._page

    def check(self):
        """Fails if it has reported an error; a page that went elsewhere is closed."""
        complaints, self._opener.complaints = self._opener.complaints, []
        if complaints or self._of and self._page.url != self._of[0]:
            self.close()
        assert complaints == [], complaints

    def close(self):
        self._opener.close()
        self._of = None


@pytest.fixture(scope="session")
def kept_page(browser):
    kept = KeptPage(browser)
    yield kept
    kept.close()


@pytest.fixture
def glance(kept_page, address):
    """Like `open_page`, for tests that change nothing: they share a page while they look at the same screen."""
    yield lambda path, viewport=PHONE: kept_page.take(address + path, viewport)
    kept_page.check()


@pytest.fixture
def open_page(browser, kept_page, address):
    """Opens pages in separate contexts and fails at the end if any reported an error."""
    # A page that is open costs time even while no test looks at it.
    kept_page.close()
    opener = Opener(browser)

    def open_page(path, viewport=PHONE, at=None, **options):
        return opener.open((at or address) + path, viewport, **options)

    try:
        yield open_page
    finally:
        opener.close()
    assert opener.complaints == [], opener.complaints


@pytest.fixture
def desktop():
    return DESKTOP


@pytest.fixture
def exchange(tmp_path):
    exchange = Exchange(tmp_path / "orders")
    try:
        yield exchange
    finally:
        exchange.close()


def trading(open_page, exchange):
    """Opens the exchange once its best prices are shown, by default where the ticket is beside the chart."""
    def trade(path="/exchange", viewport=DESKTOP, **options):
        page = open_page(path, viewport=viewport, at=exchange.address, **options)
        if path == "/exchange":
            offers(page, "$45.01", "$45.10")
        return page

    return trade


@pytest.fixture
def trade(open_page, exchange):
    """A separate exchange for this test."""
    return trading(open_page, exchange)


@pytest.fixture(scope="session")
def standing(tmp_path_factory):
    """The exchange shared by all tests that place no order; after a violation the next test gets a new one."""
    standing = Standing(lambda: Exchange(tmp_path_factory.mktemp("standing")))
    yield standing
    standing.close()


@pytest.fixture
def untouched(standing):
    """The shared exchange; checks that it has no orders before the test and after its pages are closed."""
    yield standing.take()
    standing.check()


@pytest.fixture
def look(untouched, open_page):
    """Like `trade`, for tests that place no order and don't change the feed."""
    return trading(open_page, untouched)
