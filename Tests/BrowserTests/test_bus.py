"""Several servers behind a bus: venues are read once, and a failure is shown within a second."""

import json
import pathlib
import re
import socket
import threading
import time
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import expect

from broker import NATS, Broker
from scripting import example
from servers import START_SECONDS, Process, Server, Venues
from test_access import findings
from watching import wait_until

BOOK = "/book/BTC%2FUSD"
SERVERS, STATES = 3, 200
SAID_SECONDS, LIVE_SECONDS = 1.25, 5.0
pytestmark = pytest.mark.skipif(NATS is None, reason="nats-server is not installed")
# When the book was live, by the page's own clock: [[ms, isLive], …].
TIMES = """() => {
  const live = () => document.querySelector(".panel .note-text")?.textContent.startsWith("Live") ?? false;
  window.times = [[Date.now(), live()]];
  new MutationObserver(() => { if (live() !== window.times.at(-1)[1]) window.times.push([Date.now(), live()]); })
    .observe(document.querySelector(".panel"), { subtree: true, childList: true, characterData: true });
}"""


def connections(process, port):
    """The number of a process's TCP connections to a port, from /proc."""
    sockets = set()
    for entry in pathlib.Path(f"/proc/{process.pid}/fd").iterdir():
        try:
            sockets.add(str(entry.readlink()))
        except OSError:
            continue
    count = 0
    for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        is_open, remote = fields[3] == "01", int(fields[2].rpartition(":")[2], 16)
        count += is_open and remote == port and f"socket:[{fields[9]}]" in sockets
    return count


class Installation:
    """A broker, two readers of the same venues, three servers."""

    def __init__(self, folder):
        self.venues = Venues()
        self.broker = Broker(folder)
        self.flags = ["--bus", self.broker.address]
        self.reader_flags = self.flags + ["--venues", "live", *self.venues.urls("kraken", "bitmex", "exchange")]
        self.readers = [self.read()]
        # The first one has both leases before the second one starts.
        deadline = time.monotonic() + START_SECONDS
        while connections(self.readers[0], self.venues.port) < 2:
            assert time.monotonic() < deadline, self.readers[0].lines
            time.sleep(0.05)
        self.readers.append(self.read())
        self.servers = [Server(*self.flags) for _ in range(SERVERS)]

    def read(self):
        return Process("read", *self.reader_flags)

    def upstream(self):
        """Each reader's connections to the WebSocket venues; servers have none."""
        for server in self.servers:
            assert connections(server, self.venues.port) == 0
        return [connections(reader, self.venues.port) for reader in self.readers]

    def leader(self):
        """The reader of both venues."""
        return self.upstream().index(2)

    def stop(self):
        for process in self.servers + self.readers:
            process.kill()
        self.broker.kill()
        self.venues.kill()


@pytest.fixture
def installation(tmp_path):
    installation = Installation(tmp_path)
    yield installation
    installation.stop()


@pytest.fixture
def pages(open_page, installation):
    """Kraken's live book on a page of each server, with a record of when it is live."""
    pages = [open_page(BOOK, at=server.address) for server in installation.servers]
    for page in pages:
        expect(page.locator(".panel .note-text")).to_have_text("Live")
        page.evaluate(TIMES)
    return pages


def ladder(page, venue):
    """A venue's open latency ladder in the list of connections."""
    page.locator(".chip").click()
    place = page.locator(".venue", has=page.get_by_role("heading", name=venue, exact=True)).locator(".venue-latency")
    expect(place).to_be_visible()
    place.locator("summary").click()
    return place


def lost_after(page, moment):
    """Seconds from a moment until the book was not live any more; None while it still is."""
    return next(((at / 1000 - moment) for at, live in page.evaluate("window.times") if not live and at / 1000 >= moment), None)


def is_live(page):
    return page.evaluate("window.times.at(-1)[1]")


def all_live(pages, seconds=60):
    wait_until(pages[0], lambda: all(map(is_live, pages)), seconds)


def test_venues_are_read_once_and_shown_everywhere(installation, pages):
    assert installation.upstream() == [2, 0], "Kraken and BitMEX, by one reader"
    rows = [page.locator(".panel.book .level:not([data-empty])").count() for page in pages]
    assert min(rows) >= 20
    for page in pages:
        expect(page.locator(".panel.book .proof")).to_contain_text("verified")
        expect(page.locator("body")).to_contain_text("Simulated")


@pytest.mark.thorough
def test_the_ladder_has_the_way_of_a_message_through_the_reader_and_over_the_bus(installation, pages):
    place = ladder(pages[0], "Kraken")
    rows = place.locator("tbody").first.locator("tr:not([hidden])")
    names = ["Last minute", "Venue to socket", "In the reader", "Over the bus", "Decoding",
             "Until shown", "Sending", "To the page", "Painting"]
    expect(rows.locator("th")).to_have_text(names)
    for name in names[1:]:
        row = rows.filter(has=pages[0].get_by_role("rowheader", name=name, exact=True))
        for text in row.locator("td").all_inner_texts():
            assert re.fullmatch(r"±?[\d.,]+ (µs|ms|s)", text), (name, text)
    amount = r"[\d.]+ (µs|ms)"
    expect(place.locator(".latency-note").nth(0)).to_have_text(
        re.compile(rf"Its clock is {amount} (behind|ahead of) the reader's, ±{amount}\."))
    # One machine: less than a tenth of a second apart, shown with its uncertainty.
    expect(place.locator(".latency-note").nth(1)).to_have_text(
        re.compile(rf"The reader's clock is {amount} (behind|ahead of) the server's, ±{amount}\."))
    assert not findings(pages[0])
    metrics = urllib.request.urlopen(installation.servers[0].address + "/metrics", timeout=30).read().decode()
    offset, within = [
        float(re.search(rf'livetape_reader_clock_{name}_seconds{{venue="kraken"}} (\S+)', metrics)[1])
        for name in ("offset", "uncertainty")]
    assert abs(offset) <= within + 0.001 and within < 1, (offset, within)
    for rung in ("reader", "bus"):
        assert f'livetape_latency_seconds{{venue="kraken",rung="{rung}",quantile="0.5"}}' in metrics


@pytest.mark.thorough
@pytest.mark.parametrize("how", ["killed", "stopped"])
def test_another_reader_takes_over_within_five_seconds(installation, pages, how):
    leader = installation.leader()
    reader = installation.readers[leader]
    moment = time.time()
    if how == "killed":
        reader.kill()
    else:
        reader.pause()
    wait_until(pages[0], lambda: all(lost_after(page, moment) is not None for page in pages))
    said = [lost_after(page, moment) for page in pages]
    assert max(said) <= SAID_SECONDS, said
    all_live(pages)
    live = [max(at for at, live in page.evaluate("window.times") if live) / 1000 - moment for page in pages]
    assert max(live) <= LIVE_SECONDS, live
    assert connections(installation.readers[1 - leader], installation.venues.port) == 2
    if how == "killed":
        installation.readers[leader] = installation.read()
    else:
        # It wakes without the lease: it disconnects, and its last records are ignored.
        while time.time() < moment + 10:
            pages[0].wait_for_timeout(100)
        changes = [len(page.evaluate("window.times")) for page in pages]
        reader.go_on()
        wait_until(pages[0], lambda: installation.upstream()[leader] == 0)
        pages[0].wait_for_timeout(1500)
        assert [len(page.evaluate("window.times")) for page in pages] == changes
    assert sorted(installation.upstream()) == [0, 2]


@pytest.mark.thorough
def test_a_broker_that_dies_is_said_at_once_and_comes_back(installation, pages):
    moment = time.time()
    installation.broker.kill()
    wait_until(pages[0], lambda: all(lost_after(page, moment) is not None for page in pages))
    said = [lost_after(page, moment) for page in pages]
    assert max(said) <= SAID_SECONDS, said
    # Without the broker no reader holds a lease, so none reads.
    wait_until(pages[0], lambda: installation.upstream() == [0, 0], 10)
    installation.broker.start()
    all_live(pages)
    # Each venue by one reader, whichever was faster.
    assert sum(installation.upstream()) == 2


def test_no_reader_is_said_with_its_name(installation, pages):
    for reader in installation.readers:
        reader.kill()
    for page in pages:
        page.locator(".chip").click()
        venue = page.locator(".venue", has=page.get_by_role("heading", name="Kraken", exact=True))
        expect(venue).to_contain_text("The reader of Kraken is silent")
    installation.readers = [installation.read(), installation.read()]
    all_live(pages)


@pytest.mark.thorough
def test_all_servers_have_the_same_books_to_the_last(installation):
    """The hash covers all shown rows; a server that lost one message would never match again."""
    hashes = [[] for _ in installation.servers]
    script = example()

    def read(server, seen):
        for book in script.states(server.address, "kraken/BTC/USD"):
            if book["status"] == "synced":
                seen.append(book["hash"]["value"])
            if len(seen) >= STATES:
                return

    threads = [threading.Thread(target=read, args=pair, daemon=True) for pair in zip(installation.servers, hashes)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert [len(seen) for seen in hashes] == [STATES] * SERVERS
    # Each server skips different states within a frame, so most but not all are common.
    for part in range(4):
        shown = [set(seen[part * STATES // 4 - 10 * (part > 0):][:STATES // 4 + 20]) for seen in hashes]
        assert len(set.intersection(*shown)) >= STATES // 40, part


class Manager:
    """systemd's end of the notify socket."""

    def __init__(self, folder):
        self.path = folder / "notify"
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(self.path))
        self.said = []
        # Reads continuously: messages to a full socket are lost.
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        while True:
            self.said.append(self._socket.recv(4096).decode())

    def wait_for(self, word):
        """Returns once it received a message."""
        deadline = time.monotonic() + START_SECONDS
        while not any(word in line for line in self.said):
            assert time.monotonic() < deadline, self.said[:3]
            time.sleep(0.05)


def health(reader, path="/readyz"):
    """Status and body of a reader's health response."""
    address = re.search(r"http://127[0-9.:]+", "\n".join(reader.lines))[0]
    try:
        with urllib.request.urlopen(address + path) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


@pytest.mark.thorough
def test_a_reader_tells_its_supervisor_how_it_is(installation, tmp_path, monkeypatch):
    manager = Manager(tmp_path)
    monkeypatch.setenv("NOTIFY_SOCKET", str(manager.path))
    monkeypatch.setenv("WATCHDOG_USEC", "200000")
    reader = Process("read", *installation.reader_flags, "--health-port", 0)
    installation.readers.append(reader)
    reader.wait_for(re.compile("readyz"))
    manager.wait_for("READY=1")
    manager.wait_for("WATCHDOG=1")

    def wait_for(status, roles, seconds=30):
        deadline = time.monotonic() + seconds
        while True:
            found, answer = health(reader)
            seen = {venue["venue"]: venue["role"] for venue in answer["venues"]}
            if found == status and {seen["kraken"], seen["bitmex"]} <= roles:
                return answer
            assert time.monotonic() < deadline, answer
            time.sleep(0.05)

    # As a standby it is ready; then it reads.
    wait_for(200, {"standby"})
    for other in installation.readers[:2]:
        other.kill()
    wait_for(200, {"reads"})
    installation.broker.kill()
    answer = wait_for(503, {"reads", "standby"})
    assert [reason["code"] for reason in answer["reasons"]] == ["bus_down"]
    assert health(reader, "/healthz") == (200, {"status": "ok"})
    installation.broker.start()
    wait_for(200, {"reads"})
    reader.stop()
    manager.wait_for("STOPPING=1")
