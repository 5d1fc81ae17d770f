"""Records (`Wire`) or tampers with (`Tap`) the page's WebSocket."""

import json
import urllib.request


class Wire:
    """Records what the page sends and receives."""

    def __init__(self, page):
        self.sockets = 0
        self.open = set()
        self.sent = []
        self.states = {}
        self.values = {}
        # Every order of the tracker's rows.
        self.orders = []
        page.on("websocket", self._connected)

    def _connected(self, socket):
        self.sockets += 1
        self.open.clear()
        self._origin = "http" + socket.url[2:].removesuffix("/live")
        socket.on("framesent", self._sent)
        socket.on("framereceived", self._received)

    def _sent(self, text):
        message = json.loads(text)
        self.sent.append(message)
        self.open -= set(message.get("close", []))
        self.open |= set(message.get("open", []))

    def _received(self, text):
        for item in json.loads(text).get("topics", []):
            topic = item["topic"]
            if "document" in item:
                self.states[topic] = self._document(item["document"])
            elif "snapshot" in item:
                self.states[topic] = item["snapshot"]
            else:
                self.states[topic] = merge(self.states.get(topic), item["patch"])
            if topic == "feed" and self.states[topic].get("order") not in self.orders[-1:]:
                self.orders.append(self.states[topic].get("order"))
            for key, value in self.states[topic].items():
                if isinstance(value, str):
                    self.values.setdefault((topic, key), set()).add(value)

    def _document(self, name):
        """A state that the server referenced instead of sending it."""
        try:
            with urllib.request.urlopen(f"{self._origin}/documents/{name}", timeout=10) as answer:
                return json.load(answer)
        except OSError:
            # The server is gone, or has newer ones: the page opens the topic again.
            return {}


def merge(target, patch):
    """RFC 7396, implemented again on purpose: the page's own code is under test."""
    if not isinstance(patch, dict):
        return patch
    result = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = merge(result.get(key), value)
    return result


class Tap:
    """Between page and server: passes, cuts, refuses, changes or adds messages."""

    def __init__(self, page):
        self.refuse = False
        self._mute = False
        self._held = []
        # A function that changes the server's messages to the page; None leaves them unchanged.
        self.change = None
        self.from_page = []
        # How many messages were sent on earlier connections.
        self.begun = 0
        self.connections = 0
        self._route = None
        page.route_web_socket("**/live", self._connected)

    @property
    def mute(self):
        """Holds back both directions; the page's messages are delivered afterwards."""
        return self._mute

    @mute.setter
    def mute(self, value):
        self._mute = value
        while not value and self._held:
            server, text = self._held.pop(0)
            server.send(text)

    def _connected(self, route):
        self.connections += 1
        self.begun = len(self.from_page)
        self._held.clear()
        if self.refuse:
            route.close(code=1001)
            return
        self._route = route
        server = route.connect_to_server()
        route.on_message(lambda text: self._to_server(server, text))
        route.on_close(lambda code, reason: self._left(server, code, reason))
        server.on_message(lambda text: self._to_page(route, text))

    def _left(self, server, code, reason):
        """The page has closed the connection: its messages there are dropped."""
        self._held = [(held, text) for held, text in self._held if held is not server]
        server.close(code=code, reason=reason)

    def _to_server(self, server, text):
        self.from_page.append(json.loads(text))
        if self.mute:
            self._held.append((server, text))
        else:
            server.send(text)

    def _to_page(self, route, text):
        if self.mute:
            return
        # All messages to the page pass here; parse them only when they are to be changed.
        if self.change is None:
            route.send(text)
            return
        changed = self.change(json.loads(text))
        if changed is not None:
            route.send(json.dumps(changed))

    def say(self, text):
        """Sends the page a message in the server's name."""
        self._route.send(text if isinstance(text, str) else json.dumps(text))

    def cut(self):
        """Closes the connection, as a stopping server does."""
        self._route.close(code=1001)


# Starts the price tracker's feed over a separate connection, if it does not run.
START_FEED = """() => new Promise((done, failed) => {
  const socket = new WebSocket(location.origin.replace("http", "ws") + "/live");
  const fail = (why) => failed(new Error(`the feed was not started: ${why}`));
  setTimeout(() => fail("no answer in time"), 60_000);
  socket.onopen = () => [{ open: ["feed"] }, { do: "feed.start" }].forEach((text) => socket.send(JSON.stringify(text)));
  socket.onclose = socket.onerror = () => fail("no connection");
  socket.onmessage = ({ data }) => {
    if (!(JSON.parse(data).topics ?? []).some((item) => (item.snapshot ?? item.patch)?.running === true)) return;
    socket.onclose = null;
    socket.close();
    done();
  };
})"""


def start_feed(page):
    """Starts the shared feed again."""
    page.evaluate(START_FEED)
