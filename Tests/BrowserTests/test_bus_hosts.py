"""Several hosts, each a network namespace: failures and cuts are reported within a second, venues are read once."""

import pathlib
import socket
import threading
import time

import pytest

from broker import NATS, Broker
from hosts import Hosts, absence
from scripting import example
from servers import START_SECONDS, Process, Server, Venues

SERVERS, READERS = 3, 2
SAID_SECONDS, LIVE_SECONDS = 1.0, 5.0
pytestmark = pytest.mark.thorough
BOOK = "kraken/BTC/USD"
VENUES = ("kraken", "exchange")


@pytest.fixture(scope="module", autouse=True)
def possible():
    """Reports why these tests can't run here."""
    if NATS is None:
        pytest.skip("nats-server is not installed")
    if reason := absence():
        pytest.skip(reason)


def wait_until(is_so, what, seconds=START_SECONDS):
    """Waits for a condition; the bound only ends a hang."""
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, what() if callable(what) else what
        time.sleep(0.02)


def sleep_until(moment):
    time.sleep(max(0, moment - time.monotonic()))


class Watch:
    """A book's states on a server's stream, from its own host: `(time, is live, hash)`."""

    def __init__(self, host, server):
        self.states = []
        self.problem = None
        self._server = server
        host.start(self._read)

    def _read(self):
        try:
            for book in example().states(self._server.address, BOOK):
                is_live = book["freshness"]["state"] == "live" and book["status"] == "synced"
                self.states.append((time.monotonic(), is_live, book["hash"]["value"]))
        except (OSError, ValueError, KeyError) as error:
            self.problem = error

    @property
    def is_live(self):
        assert self.problem is None, self.problem
        return bool(self.states) and self.states[-1][1]

    def changes(self, start, end=float("inf")):
        """When it became live or stopped being live between two moments: `(seconds after the start, is live)`."""
        found, last = [], True
        for at, is_live, _ in list(self.states):
            if start <= at <= end and is_live != last:
                found.append((round(at - start, 3), is_live))
            if at <= end:
                last = is_live
        return found


class Spy:
    """Subscribes to Kraken's tape and pulse at the broker, and can publish there itself."""

    def __init__(self, host, port):
        self.records, self.pulses = [], []
        self._port, self._socket = port, None
        host.start(self._read)
        wait_until(lambda: self.records, "the tape is silent")

    def _read(self):
        self._socket = socket.create_connection(("127.0.0.1", self._port))
        lines = self._socket.makefile("rb")
        self._socket.sendall(b'CONNECT {"verbose":false}\r\nSUB tape.kraken 1\r\nSUB pulse.kraken 2\r\n')
        while line := lines.readline():
            if line.startswith(b"PING"):
                self._socket.sendall(b"PONG\r\n")
            if line.startswith(b"MSG"):
                payload = lines.read(int(line.split()[-1]) + 2)[:-2]
                (self.records if line.split()[1] == b"tape.kraken" else self.pulses).append((time.monotonic(), payload))

    def say(self, subject, payload):
        """Publishes, as a reader that has lost its lease unnoticed."""
        self._socket.sendall(b"PUB %s %d\r\n%s\r\n" % (subject, len(payload), payload))

    @staticmethod
    def epoch(payload):
        return int(payload.split()[0])

    @property
    def latest(self):
        return self.records[-1][1].split(b"\t")[0]


class Upstream:
    """Counts the connections at the venues' end, fifty times a second: `(time, {port: hosts})`."""

    def __init__(self, venues, ports):
        self.samples = []
        self._venues, self._ports, self._is_over = venues, ports, False
        threading.Thread(target=self._count, daemon=True).start()

    def now(self):
        """The connected hosts of each port, one for each connection."""
        found = {port: set() for port in self._ports}
        for line in pathlib.Path(f"/proc/{self._venues.pid}/net/tcp").read_text().splitlines()[1:]:
            _, local, remote, state = line.split()[:4]
            port = int(local.rpartition(":")[2], 16)
            if state == "01" and port in found:
                # A socket that is accepted meanwhile may be listed twice.
                found[port].add(remote)
        return {port: [socket.inet_ntoa(bytes.fromhex(remote.partition(":")[0])[::-1]) for remote in remotes]
                for port, remotes in found.items()}

    def _count(self):
        while not self._is_over:
            try:
                self.samples.append((time.monotonic(), self.now()))
            except OSError:
                return
            time.sleep(0.02)

    def most(self, start):
        """The most simultaneous connections of one venue since a moment."""
        return max(len(hosts) for at, sample in self.samples for hosts in sample.values() if at >= start)

    def doubled(self, start):
        """When a venue had two connections, and from which hosts, in seconds after a moment."""
        return [(round(at - start, 3), list(sample.values())) for at, sample in self.samples
                if at >= start and any(len(hosts) > 1 for hosts in sample.values())]

    def stop(self):
        self._is_over = True


class Installation:
    """A broker, the venues, two readers and three servers, each on its own host."""

    def __init__(self, hosts, folder):
        self.processes = []
        broker, venues = hosts.add("broker", "bus"), hosts.add("venues", "world")
        self.reader_hosts = [hosts.add(f"reader{number}", "bus", "world") for number in range(READERS)]
        self.server_hosts = [hosts.add(f"server{number}", "bus") for number in range(SERVERS)]
        try:
            self._start(broker, venues, folder)
        except BaseException:
            self.stop()
            raise

    def _start(self, broker, venues, folder):
        self.venues = Venues(on=venues, host="0.0.0.0")
        self.processes.append(self.venues)
        self.broker = Broker(folder, on=broker, host="0.0.0.0")
        self.processes.append(self.broker)
        bus = ["--bus", f"nats://{broker.addresses['bus']}:{self.broker.port}"]
        at = venues.addresses["world"]
        self._reader_flags = [*bus, "--venues", "live", "--url", f"kraken=ws://{at}:{self.venues.port}/kraken/v2",
                              "--url", f"exchange=tcp://{at}:{self.venues.exchange_port}"]
        self.upstream = Upstream(self.venues, [self.venues.port, self.venues.exchange_port])
        self.readers = [None] * READERS
        for number in range(READERS):
            self.read(number)
            # The first one has both leases before the second one starts.
            wait_until(lambda: all(self.upstream.now().values()), lambda: self.readers[0].lines)
        self.servers = []
        for host in self.server_hosts:
            self.servers.append(Server(*bus, "--log-level", "info", on=host))
            self.processes.append(self.servers[-1])
        self.watches = [Watch(*pair) for pair in zip(self.server_hosts, self.servers)]
        self.settle()
        self.spy = Spy(broker, self.broker.port)

    def read(self, number):
        self.readers[number] = Process("read", *self._reader_flags, on=self.reader_hosts[number])
        self.processes.append(self.readers[number])

    def leader(self):
        """Kraken's reader, by its connections."""
        hosts = self.upstream.now()[self.venues.port]
        assert len(hosts) == 1, hosts
        return [host.addresses["world"] for host in self.reader_hosts].index(hosts[0])

    def settle(self):
        """Waits until all servers are live and each venue is read by one reader."""
        wait_until(lambda: all(watch.is_live for watch in self.watches), "not all servers are live")
        wait_until(lambda: [len(each) for each in self.upstream.now().values()] == [1] * len(VENUES), self.upstream.now)

    def stop(self):
        if hasattr(self, "upstream"):
            self.upstream.stop()
        for process in reversed(self.processes):
            process.kill()


@pytest.fixture(scope="module")
def installation(possible, tmp_path_factory):
    with Hosts("bus", "world") as hosts:
        installation = Installation(hosts, tmp_path_factory.mktemp("broker"))
        try:
            yield installation
        finally:
            installation.stop()


@pytest.fixture
def settled(installation):
    installation.settle()
    yield installation
    # A cut that a test leaves would fail the next one.
    for host in installation.server_hosts + installation.reader_hosts:
        host.mend("bus")
    for reader in installation.readers:
        reader.go_on()


def took_over(installation, moment, watches=None):
    """When each server reported a failure and when it was live again, in seconds after a moment; checks their bounds.
    """
    watches = watches or installation.watches
    wait_until(lambda: all(len(watch.changes(moment)) >= 2 and watch.is_live for watch in watches),
               lambda: [watch.changes(moment) for watch in watches], 30)
    changes = [watch.changes(moment) for watch in watches]
    said, live = [each[0][0] for each in changes], [each[1][0] for each in changes]
    print(f"said after {said}, live again after {live}; most connections {installation.upstream.most(moment)}")
    assert max(said) <= SAID_SECONDS and max(live) <= LIVE_SECONDS, changes
    return changes


def have_the_same_book(installation):
    """While the venues are stopped, so that no record arrives, all servers have the same rows."""
    installation.venues.pause()
    try:
        time.sleep(0.5)
        latest = installation.spy.latest
        hashes = [watch.states[-1][2] for watch in installation.watches]
        assert all(watch.is_live for watch in installation.watches)
        assert len(set(hashes)) == 1, hashes
        assert installation.spy.latest == latest
    finally:
        installation.venues.go_on()


def test_a_reader_that_is_cut_off_from_the_broker_lets_its_venues_go_before_the_other_takes_them(settled):
    installation, leader, moment = settled, settled.leader(), time.monotonic()
    old = installation.spy.epoch(installation.spy.records[-1][1])
    installation.reader_hosts[leader].cut("bus")
    took_over(installation, moment)
    assert installation.leader() == 1 - leader
    assert installation.upstream.most(moment) == 1, installation.upstream.doubled(moment)
    new = installation.spy.epoch(installation.spy.records[-1][1])
    assert new > old
    # Restored: delayed data arrives now. It is ignored, and so is a repeated record.
    sleep_until(moment + 8)
    installation.reader_hosts[leader].mend("bus")
    healed = time.monotonic()
    record = next(payload for _, payload in reversed(installation.spy.records) if installation.spy.epoch(payload) == old)
    for _ in range(20):
        installation.spy.say(b"tape.kraken", record)
        installation.spy.say(b"pulse.kraken", b"%d 7 1 live simulated - -\t" % old)
        time.sleep(0.1)
    late = [at for at, payload in installation.spy.records if at > healed and installation.spy.epoch(payload) == old]
    assert len(late) >= 20
    assert [watch.changes(healed) for watch in installation.watches] == [[]] * SERVERS
    assert installation.upstream.most(moment) == 1 and installation.leader() == 1 - leader
    have_the_same_book(installation)


def test_a_server_that_is_cut_off_says_so_and_the_others_go_on(settled):
    installation, moment = settled, time.monotonic()
    installation.server_hosts[2].cut("bus")
    wait_until(lambda: installation.watches[2].changes(moment), "nothing was said", 30)
    said = installation.watches[2].changes(moment)[0][0]
    sleep_until(moment + 4)
    installation.server_hosts[2].mend("bus")
    healed = time.monotonic()
    wait_until(lambda: installation.watches[2].is_live, "it did not come back", 30)
    back = time.monotonic() - healed
    print(f"said after {said}, live again {back:.2f} s after the cable was")
    assert said <= SAID_SECONDS and back <= LIVE_SECONDS
    assert [watch.changes(moment) for watch in installation.watches[:2]] == [[], []]
    assert installation.upstream.most(moment) == 1
    have_the_same_book(installation)


def test_a_reader_that_is_stopped_for_ten_seconds_lets_go_when_it_wakes(settled):
    installation, leader, moment = settled, settled.leader(), time.monotonic()
    installation.readers[leader].pause()
    took_over(installation, moment)
    sleep_until(moment + 10)
    woken = time.monotonic()
    installation.readers[leader].go_on()
    # A stopped process can't close its sockets: until now the venue had two.
    wait_until(lambda: [len(each) for each in installation.upstream.now().values()] == [1, 1], installation.upstream.now, 30)
    assert installation.leader() == 1 - leader
    time.sleep(1.5)
    assert installation.upstream.most(moment) <= 2 and installation.upstream.most(woken + 1) == 1
    assert [watch.changes(woken) for watch in installation.watches] == [[]] * SERVERS
    have_the_same_book(installation)


def test_a_reader_that_is_killed_is_followed_by_the_other(settled):
    installation, leader, moment = settled, settled.leader(), time.monotonic()
    installation.readers[leader].kill()
    took_over(installation, moment)
    assert installation.leader() == 1 - leader
    assert installation.upstream.most(moment) == 1
    installation.read(leader)
    have_the_same_book(installation)
