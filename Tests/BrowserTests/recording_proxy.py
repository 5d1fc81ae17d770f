"""A proxy before the simulated venues that records HTTP requests."""

import re
import socket
import threading
import time

REQUEST = re.compile(rb"^GET (\S+) HTTP/1\.1\r\n")


class RecordingProxy:
    """Relays connections to a local port; responses may be delayed."""

    def __init__(self, port):
        self._to = port
        self._asked = []
        self._slow = {}
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._listen, daemon=True).start()

    def asked(self, part):
        """The requested paths that contain a part, in order."""
        return [path for path in self._asked if part in path]

    def slow_down(self, part, seconds):
        """Delays responses to paths that contain a part, as a slow venue would."""
        self._slow[part] = seconds

    def stop(self):
        """Accepts no more connections."""
        self._listener.close()

    def _listen(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._pass, args=(client,), daemon=True).start()

    def _pass(self, client):
        try:
            head = client.recv(4096)
            if match := REQUEST.match(head):
                path = match[1].decode()
                self._asked.append(path)
                time.sleep(max([seconds for part, seconds in self._slow.items() if part in path], default=0))
            venue = socket.create_connection(("127.0.0.1", self._to))
            venue.sendall(head)
        except OSError:
            client.close()
            return
        threading.Thread(target=_pump, args=(venue, client), daemon=True).start()
        _pump(client, venue)


def _pump(source, target):
    try:
        while data := source.recv(65_536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
