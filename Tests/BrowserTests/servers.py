"""The programs under test as child processes: `livetape serve` and `livetape simulate`."""

import os
import pathlib
import queue
import random
import re
import resource
import signal
import socket
import subprocess
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
START_SECONDS = 120
# How many venues the program has.
VENUES = len(re.findall(r"^  case \w+", (ROOT / "Sources/Core/MarketModel/Venue.swift").read_text(), re.M))
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")


def program():
    """The livetape program; relative names start at the project's root."""
    return str(ROOT / os.environ.get("LIVETAPE_BIN", ".build/debug/livetape"))


_given = set()
# The processes of a run use separate port ranges: a server that is down during a test keeps its port.
PORTS_EACH = 3_000
MOST_WORKERS = 4


def _first_lent_port():
    """The lowest ephemeral port of the system."""
    try:
        return int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    except OSError:
        return 32_768


def free_port():
    """A port that no process listens on and that the system does not assign to others."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]) % MOST_WORKERS
    end = _first_lent_port() - worker * PORTS_EACH
    for port in random.sample(range(max(1024, end - PORTS_EACH), end), 500):
        if port in _given:
            continue
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        _given.add(port)
        return port
    raise AssertionError("no port is free")


def processor_seconds(pid):
    """The processor seconds of a process since its start; from /proc."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Process:
    """A child with recorded output: the last lines explain a failure."""

    def __init__(self, *arguments, most_descriptors=None, on=None):
        # `on` is one of the hosts of hosts.py.
        self.command = [*(on.prefix if on else []), program(), *map(str, arguments)]
        self._on = on
        self.lines = []
        self._queue = queue.Queue()
        self._is_awaited = True
        self._child = subprocess.Popen(
            self.command, cwd=ROOT, text=True, errors="replace",
            env={"LIVETAPE_BUX_TOKEN": "simulated", **os.environ}, preexec_fn=most_descriptors and (
                lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (most_descriptors, most_descriptors))),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self._child.stdout:
            self.lines.append(line.rstrip())
            del self.lines[:-200]
            if self._is_awaited:
                self._queue.put(line)
        self._queue.put(None)

    def wait_for(self, pattern):
        """Waits for the first match of a pattern in the output."""
        deadline = time.monotonic() + START_SECONDS
        while (left := deadline - time.monotonic()) > 0:
            try:
                line = self._queue.get(timeout=left)
            except queue.Empty:
                break
            if line is None:
                break
            if found := pattern.search(line):
                self._is_awaited = False
                return found.group(0)
        raise AssertionError(f"{self.command}: no {pattern.pattern} in its output:\n" + "\n".join(self.lines))

    def wait_for_port(self, port):
        """Returns once it listens on the port."""
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self._child.poll() is None:
            if self._listens(port):
                return
            time.sleep(0.05)
        raise AssertionError(f"{self.command}: nothing listens on {port}:\n" + "\n".join(self.lines))

    def _listens(self, port):
        if self._on is None:
            with socket.socket() as probe:
                probe.settimeout(1)
                return probe.connect_ex(("127.0.0.1", port)) == 0
        # Another host's loopback is unreachable; its open ports are in the process's table.
        lines = pathlib.Path(f"/proc/{self.pid}/net/tcp").read_text().splitlines()[1:]
        return any(fields[3] == "0A" and int(fields[1].rpartition(":")[2], 16) == port for fields in map(str.split, lines))

    def check(self):
        """Fails, with its last output, when it has ended on its own."""
        if (status := self._child.poll()) is not None:
            raise AssertionError(f"{self.command} ended with {status}:\n" + "\n".join(self.lines[-40:]))

    def status(self):
        """Its exit status, once it has ended."""
        return self._child.wait(timeout=60)

    @property
    def pid(self):
        return self._child.pid

    def processor_seconds(self):
        return processor_seconds(self._child.pid)

    def pause(self):
        """SIGSTOP: stops all threads; sockets stay open."""
        self._child.send_signal(signal.SIGSTOP)
        tasks = pathlib.Path(f"/proc/{self._child.pid}/task")
        deadline = time.monotonic() + START_SECONDS
        while any((task / "stat").read_text().rpartition(")")[2].split()[0] != "T" for task in tasks.iterdir()):
            assert time.monotonic() < deadline, "it goes on"
            time.sleep(0.001)

    def go_on(self):
        """SIGCONT: resumes it; it does not notice the pause."""
        self._child.send_signal(signal.SIGCONT)

    def kill(self):
        """SIGKILL: no clean close."""
        if self._child.poll() is None:
            self._child.send_signal(signal.SIGKILL)
        self._child.wait(timeout=60)

    def stop(self):
        """Terminates it, and kills it after a while."""
        self._child.terminate()
        try:
            self._child.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.kill()


class Server(Process):
    """`livetape serve` on a free port, with orders in a temporary folder by default."""

    def __init__(self, *arguments, data=None, port=0, most_descriptors=None, on=None):
        self._own = None if data else tempfile.TemporaryDirectory(prefix="livetape-data-")
        self.data = pathlib.Path(data or self._own.name)
        super().__init__("serve", "--port", port, "--seed", 7, "--data", self.data, *arguments,
                         most_descriptors=most_descriptors, on=on)
        try:
            self.address = self.wait_for(ADDRESS)
        except BaseException:
            # Otherwise it would run on beside all other tests.
            self.stop()
            raise

    def stop(self):
        """Stops it and deletes its orders, unless the caller chose the folder."""
        super().stop()
        if self._own:
            self._own.cleanup()


class Venues:
    """`livetape simulate` on separate ports, so that the venues can die and restart."""

    def __init__(self, on=None, host="127.0.0.1"):
        self.port = free_port()
        self.exchange_port = free_port()
        self.nobody = free_port()
        self._on, self._host = on, host
        self._process = None
        self.revive()

    def revive(self):
        """Restarts the venues on the same ports."""
        self._process = Process(
            "simulate", "--host", self._host, "--port", self.port, "--exchange-port", self.exchange_port,
            "--seed", 7, on=self._on)
        try:
            self._process.wait_for_port(self.port)
            self._process.wait_for_port(self.exchange_port)
        except BaseException:
            self.kill()
            raise

    @property
    def pid(self):
        return self._process.pid

    def pause(self):
        self._process.pause()

    def go_on(self):
        self._process.go_on()

    def kill(self):
        """Ends all venues at once."""
        self._process.kill()

    def urls(self, *venues):
        """The URLs of these venues, for any command; others get an unused port."""
        places = {"kraken": "ws://{}/kraken/v2", "bitmex": "ws://{}/bitmex/realtime", "isin": "ws://{}/isin",
                  "bux": "http://{}/bux", "exchange": "tcp://{}"}
        flags = []
        for venue, place in places.items():
            port = self.exchange_port if venue == "exchange" else self.port
            flags += ["--url", f"{venue}={place.format(f'127.0.0.1:{port if venue in venues else self.nobody}')}"]
        return flags

    def flags(self):
        """The options for `serve` to find them."""
        at = f"127.0.0.1:{self.port}"
        return [
            "--bitmex-url", f"ws://{at}/bitmex/realtime", "--isin-url", f"ws://{at}/isin",
            "--bux-url", f"http://{at}/bux", "--echo-url", f"ws://{at}/echo",
            "--exchange-url", f"tcp://127.0.0.1:{self.exchange_port}",
        ]
