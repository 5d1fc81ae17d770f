"""A NATS broker as a child process."""

import shutil
import subprocess

from servers import free_port, processor_seconds

NATS = shutil.which("nats-server") or shutil.which("nats-server", path="/usr/sbin")


class Broker:
    """nats-server on a free port, which it keeps across restarts."""

    def __init__(self, folder, on=None, host="127.0.0.1"):
        # `on` is one of the hosts of hosts.py.
        self._prefix = on.prefix if on else []
        self.port = free_port()
        self.config = folder / "nats.conf"
        self.config.write_text(
            f'host: "{host}"\nport: {self.port}\nmax_payload: 8MB\n'
            f'jetstream {{ store_dir: "{folder}/store", max_mem: 64MB, max_file: 64MB }}\n')
        self.start()

    def start(self):
        self._child = subprocess.Popen(
            [*self._prefix, NATS, "-c", str(self.config)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def kill(self):
        self._child.kill()
        self._child.wait(timeout=30)

    @property
    def pid(self):
        return self._child.pid

    def check(self):
        """Fails when it has ended on its own."""
        assert self._child.poll() is None, "nats-server has ended"

    def processor_seconds(self):
        return processor_seconds(self._child.pid)

    @property
    def address(self):
        return f"nats://127.0.0.1:{self.port}"
