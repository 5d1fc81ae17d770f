"""Behind a real nginx with the configuration that is shipped: sign in over TLS, live books, kept connections."""

import http.client
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

TOKEN = "0123456789abcdef-secret"
NAME = "markets.localhost"
SHIPPED = pathlib.Path(__file__).parents[2] / "packaging/nginx/livetape.conf"
# Around what is shipped: everything it writes goes into one folder.
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


class Proxy:
    """An nginx before a server, on a free port."""

    def __init__(self, folder, server):
        self.folder, self.port = folder, free_port()
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
             "-days", "2", "-subj", f"/CN={NAME}", "-keyout", folder / "key", "-out", folder / "certificate"],
            check=True, capture_output=True)
        text = SHIPPED.read_text()
        for old, new in {
            "127.0.0.1:8080": server.address.removeprefix("http://"), "443 ssl": f"127.0.0.1:{self.port} ssl",
            "markets.example.org;": f"{NAME};", "/etc/nginx/livetape.pem": str(folder / "certificate"),
            "/etc/nginx/livetape.key": str(folder / "key"),
        }.items():
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        (folder / "livetape.conf").write_text(text)
        (folder / "nginx.conf").write_text(WHOLE.format(folder=folder))
        self.address = f"https://{NAME}:{self.port}"
        self.start()

    def start(self):
        self._child = subprocess.Popen(["nginx", "-p", self.folder, "-c", self.folder / "nginx.conf"])
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
        return http.client.HTTPSConnection("127.0.0.1", self.port, context=context, timeout=PATIENCE_SECONDS)

    def ask(self, path, connection=None, **headers):
        connection = connection or self.connection()
        connection.request("GET", path, headers={"Host": f"{NAME}:{self.port}", **headers})
        response = connection.getresponse()
        response.read()
        return response

    def stop(self):
        self._child.send_signal(signal.SIGTERM)
        self._child.wait(timeout=PATIENCE_SECONDS)


@pytest.fixture(scope="module")
def proxied(tmp_path_factory):
    """A server and the nginx before it."""
    if not shutil.which("nginx") or not shutil.which("openssl"):
        pytest.skip("needs nginx and openssl")
    folder = tmp_path_factory.mktemp("proxy")
    (folder / "token").write_text(TOKEN + "\n")
    server = Server("--token-file", folder / "token", "--behind-proxy", NAME)
    try:
        proxy = Proxy(folder, server)
        yield proxy, server
        proxy.stop()
    finally:
        server.stop()


@pytest.fixture
def page(browser, proxied):
    """A page that came through the proxy and was let in."""
    context = browser.new_context(locale="en-US", service_workers="block", ignore_https_errors=True)
    page = context.new_page()
    page.goto(proxied[0].address + "/book/BTC%2FUSD")
    page.get_by_label("Access token").fill(TOKEN)
    page.get_by_role("button", name="Open").click()
    expect(page.locator(".level:not([data-empty])").first).to_be_visible()
    yield page
    context.close()


def test_a_person_signs_in_through_nginx_and_sees_a_proven_book(page, proxied):
    expect(page.locator(".proof[data-by=venue]")).to_contain_text("proven")
    cookie, = page.context.cookies()
    assert cookie["secure"] and cookie["httpOnly"]
    # The token is in no address, so in no log of the proxy.
    assert TOKEN not in (proxied[0].folder / "access").read_text()


def test_a_page_says_that_its_proxy_went_away_and_comes_back_by_itself(page, proxied):
    proxied[0].stop()
    expect(page.locator("#banner")).to_contain_text("Connection to Livetape lost")
    proxied[0].start()
    expect(page.locator("#banner")).to_be_hidden()
    expect(page.locator(".proof[data-by=venue]")).to_contain_text("proven")


def test_nobody_is_told_anything_through_the_proxy_without_the_token(proxied):
    proxy, _ = proxied
    for path in ["/healthz", "/readyz", "/metrics", "/orders.csv", "/history/kraken/BTC%2FUSD"]:
        assert proxy.ask(path).status == 401, path
    assert proxy.ask("/healthz", Authorization=f"Bearer {TOKEN}").status == 200
    assert proxy.ask("/healthz", Authorization=f"Bearer {TOKEN}", Origin="https://elsewhere.example").status == 403


def test_nginx_keeps_its_connections_to_the_server(proxied):
    proxy, server = proxied
    port = int(server.address.rpartition(":")[2])

    def connections():
        """All that nginx has or just had."""
        lines = pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]
        return sum(line.split()[2].endswith(f":{port:04X}") for line in lines)

    client, before = proxy.connection(), connections()
    for _ in range(50):
        assert proxy.ask("/healthz", client, Authorization=f"Bearer {TOKEN}").status == 200
    assert connections() <= before + 2
