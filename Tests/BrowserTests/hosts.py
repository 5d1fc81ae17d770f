"""A test's hosts: network namespaces with links between them that can be cut silently."""

import ctypes
import os
import pathlib
import random
import shutil
import subprocess
import threading

NAMES = pathlib.Path("/run/netns")
IP = shutil.which("ip") or shutil.which("ip", path="/usr/sbin:/sbin")
PREFIX = "livetape-test"
CLONE_NEWNET = 0x40000000
_libc = ctypes.CDLL(None, use_errno=True)


def _ip(*words):
    subprocess.run([IP, *map(str, words)], check=True, capture_output=True, text=True)


def absence():
    """Why no namespace can be created here; None where one can."""
    if IP is None:
        return "ip is not installed (scripts/apt-install.sh iproute2)"
    try:
        with Hosts("probe") as hosts:
            hosts.add("one", "net")
    except (OSError, subprocess.CalledProcessError) as error:
        return f"no network namespaces here: {getattr(error, 'stderr', None) or error}".strip()
    return None


def _sweep():
    """Removes what a killed run has left behind."""
    for name in os.listdir(NAMES) if NAMES.is_dir() else []:
        words = name.split(".")
        if words[0] == PREFIX and not pathlib.Path(f"/proc/{words[1]}").exists():
            subprocess.run([IP, "netns", "del", name], check=False, capture_output=True)


class Hosts:
    """Hosts and their switches, which are bridges in a separate namespace: all end with the namespaces."""

    def __init__(self, *networks):
        _sweep()
        self._label = f"{PREFIX}.{os.getpid()}.{random.randrange(10**6)}"
        self._names = []
        self.networks = networks
        self.switch = self._make("switch")
        for network in networks:
            _ip("-n", self.switch, "link", "add", network, "type", "bridge")
            _ip("-n", self.switch, "link", "set", network, "up")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.remove()

    def _make(self, name):
        full = f"{self._label}.{name}"
        self._names.append(full)
        _ip("netns", "add", full)
        _ip("-n", full, "link", "set", "lo", "up")
        return full

    def add(self, name, *networks):
        """A host with a link to each of some networks."""
        number = len(self._names)
        namespace = self._make(name)
        host = Host(namespace, self.switch, number, {
            network: f"10.{self.networks.index(network) + 1}.0.{number}" for network in networks if network in self.networks})
        host.plug_in()
        return host

    def remove(self):
        """Removes everything, also after a partial setup."""
        for name in reversed(self._names):
            subprocess.run([IP, "netns", "del", name], check=False, capture_output=True)
        self._names = []


class Host:
    """One host; commands that begin with `prefix` run on it."""

    def __init__(self, namespace, switch, number, addresses):
        self.namespace, self.addresses = namespace, addresses
        self.prefix = [IP, "netns", "exec", namespace]
        self._switch, self._number = switch, number

    def _port(self, network):
        return f"{network[:8]}{self._number}"

    def plug_in(self):
        for network, address in self.addresses.items():
            port = self._port(network)
            _ip("-n", self.namespace, "link", "add", network, "type", "veth", "peer", "name", port, "netns", self._switch)
            _ip("-n", self._switch, "link", "set", port, "master", network, "up")
            _ip("-n", self.namespace, "address", "add", f"{address}/24", "dev", network)
            _ip("-n", self.namespace, "link", "set", network, "up")

    def cut(self, network):
        """Drops all traffic of one link silently: no reset, no unreachable."""
        _ip("-n", self._switch, "link", "set", self._port(network), "nomaster")

    def mend(self, network):
        """Restores the link."""
        _ip("-n", self._switch, "link", "set", self._port(network), "master", network)

    def start(self, work):
        """Runs something in a thread with sockets of this host."""
        def run():
            with open(NAMES / self.namespace, "rb") as file:
                if _libc.setns(file.fileno(), CLONE_NEWNET) != 0:
                    raise OSError(ctypes.get_errno(), "setns")
            work()

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        return thread
