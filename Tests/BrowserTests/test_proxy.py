"""Behind a real nginx and a real Caddy with the shipped configurations: sign-in over TLS, live books, kept connections.
"""

import http.client
import os
import pathlib
import shutil
import signal
import ssl
import subprocess
import time

import pytest
from playwright.sync_api import expect

from servers import Server, free_port
from watching import PATIENCE_SECONDS

pytestmark = pytest.mark.thorough
TOKEN = "0123456789abcdef-secret"
NAME = "markets.localhost"
PACKAGING = pathlib.Path(__file__).parents[2] / "packaging"
# Wraps the shipped configuration: all output goes into one folder.
WHOLE = """daemon off;
user root;
pid {folder}/pid;
error_log {folder}/errors;
events {{}}
http {{
  access_log {folder}/access;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxied;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  include {folder}/livetape.conf;
}}
"""


# Caddy's options around the shipped site, which can't fetch a certificate here.
CADDY_OPTIONS = """{{
	admin off
	auto_https disable_redirects
	storage file_system {folder}/kept
}}
"""
CADDY_SITE = """https://{name}:{port} {{
	bind 127.0.0.1
	tls {folder}/certificate {folder}/key
	log {{
		output file {folder}/access
		format filter {{
			wrap json
			fields {{
				request>headers>Sec-Websocket-Protocol delete
			}}
		}}
	}}
"""


def replaced(text, changes):
    """A text with each of these replaced once."""
    for old, new in changes.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


class Connection(http.client.HTTPSConnection):
    """A local connection with the proxy's name, in TLS, too."""

    def connect(self):
        http.client.HTTPConnection.connect(self)
        self.sock = self._context.wrap_socket(self.sock, server_hostname=NAME)


class Proxy:
    """A proxy before a server, on a free port."""

    def __init__(self, folder, server):
        self.folder, self.port = folder, free_port()
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
             "-days", "2", "-subj", f"/CN={NAME}", "-keyout", folder / "key", "-out", folder / "certificate"],
            check=True, capture_output=True)
        self.command = self.configure(server.address.removeprefix("http://"))
        self.address = f"https://{NAME}:{self.port}"
        self.start()

    def start(self):
        with open(self.folder / "errors", "ab") as errors:
            self._child = subprocess.Popen(self.command, env={**os.environ, "HOME": str(self.folder)}, stderr=errors)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not self._answers():
            assert time.monotonic() < deadline, (self.folder / "errors").read_text()
            time.sleep(0.05)

    def _answers(self):
        assert self._child.poll() is None, (self.folder / "errors").read_text()
        try:
            return self.ask("/healthz").status > 0
        except OSError:
            return False

    def connection(self):
        context = ssl.create_default_context(cafile=self.folder / "certificate")
        context.check_hostname = False
        return Connection("127.0.0.1", self.port, context=context, timeout=PATIENCE_SECONDS)

    def ask(self, path, connection=None, **headers):
        connection = connection or self.connection()
        connection.request("GET", path, headers={"Host": f"{NAME}:{self.port}", **headers})
        response = connection.getresponse()
        response.read()
        return response

    def stop(self):
        self._child.send_signal(signal.SIGTERM)
        self._child.wait(timeout=PATIENCE_SECONDS)


class Nginx(Proxy):
    name = "nginx"

    def configure(self, upstream):
        """Writes the shipped configuration with this test's names, ports and files; returns the command."""
        text = replaced((PACKAGING / "nginx/livetape.conf").read_text(), {
            "127.0.0.1:8080": upstream, "443 ssl": f"127.0.0.1:{self.port} ssl", "markets.example.org;": f"{NAME};",
            "/etc/nginx/livetape.pem": str(self.folder / "certificate"),
            "/etc/nginx/livetape.key": str(self.folder / "key"),
        })
        (self.folder / "livetape.conf").write_text(text)
        (self.folder / "nginx.conf").write_text(WHOLE.format(folder=self.folder))
        return ["nginx", "-p", self.folder, "-c", self.folder / "nginx.conf"]


class Caddy(Proxy):
    name = "caddy"

    def configure(self, upstream):
        """The same for Caddy."""
        site = CADDY_SITE.format(name=NAME, port=self.port, folder=self.folder)
        text = replaced((PACKAGING / "caddy/Caddyfile").read_text(), {
            "127.0.0.1:8080": upstream, "\nmarkets.example.org {\n": f"\n{site}"})
        (self.folder / "Caddyfile").write_text(CADDY_OPTIONS.format(folder=self.folder) + text)
        return ["caddy", "run", "--config", self.folder / "Caddyfile", "--adapter", "caddyfile"]


@pytest.fixture(scope="module", params=[Nginx, Caddy], ids=lambda kind: kind.name)
def proxied(request, tmp_path_factory):
    """A server and the proxy before it."""
    for needed in (request.param.name, "openssl"):
        if not shutil.which(needed):
            pytest.skip(f"needs {needed}")
    folder = tmp_path_factory.mktemp("proxy")
    (folder / "token").write_text(TOKEN + "\n")
    server = Server("--token-file", folder / "token", "--behind-proxy", NAME)
    try:
        proxy = request.param(folder, server)
        yield proxy, server
        proxy.stop()
    finally:
        server.stop()


@pytest.fixture
def page(browser, proxied):
    """A page that has signed in through the proxy."""
    context = browser.new_context(locale="en-US", service_workers="block", ignore_https_errors=True)
    page = context.new_page()
    page.goto(proxied[0].address + "/book/BTC%2FUSD")
    page.get_by_label("Access token").fill(TOKEN)
    page.get_by_role("button", name="Open").click()
    expect(page.locator(".level:not([data-empty])").first).to_be_visible()
    yield page
    context.close()


def test_a_person_signs_in_through_the_proxy_and_sees_a_proven_book(page, proxied):
    expect(page.locator(".proof[data-by=venue]")).to_contain_text("verified")
    cookie, = page.context.cookies()
    assert cookie["secure"] and cookie["httpOnly"]
    page.reload()
    expect(page.locator(".proof[data-by=venue]")).to_contain_text("verified")
    # The token is in no URL, so in no log of the proxy; no line contains a socket token.
    written = (proxied[0].folder / "access").read_text()
    assert "/book/BTC" in written and "/session/socket" in written
    assert TOKEN not in written and "livetape.ticket." not in written


def test_a_page_says_that_its_proxy_went_away_and_comes_back_by_itself(page, proxied):
    proxied[0].stop()
    expect(page.locator("#banner")).to_contain_text("Connection to Livetape lost")
    proxied[0].start()
    expect(page.locator("#banner")).to_be_hidden()
    expect(page.locator(".proof[data-by=venue]")).to_contain_text("verified")


def test_nobody_is_told_anything_through_the_proxy_without_the_token(proxied):
    proxy, _ = proxied
    for path in ["/healthz", "/readyz", "/metrics", "/orders.csv", "/history/kraken/BTC%2FUSD"]:
        assert proxy.ask(path).status == 401, path
    assert proxy.ask("/healthz", Authorization=f"Bearer {TOKEN}").status == 200
    assert proxy.ask("/healthz", Authorization=f"Bearer {TOKEN}", Origin="https://elsewhere.example").status == 403


def test_it_keeps_its_connections_to_the_server(proxied):
    proxy, server = proxied
    port = int(server.address.rpartition(":")[2])

    def connections():
        """All connections that the proxy has or just had."""
        lines = pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]
        return sum(line.split()[2].endswith(f":{port:04X}") for line in lines)

    client, before = proxy.connection(), connections()
    for _ in range(50):
        assert proxy.ask("/healthz", client, Authorization=f"Bearer {TOKEN}").status == 200
    assert connections() <= before + 2
