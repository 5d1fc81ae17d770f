"""A small server for pages with one chart: the page's assets and a separate folder."""

import fcntl
import functools
import http.server
import pathlib
import subprocess
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
ASSETS = ROOT / "Web/page/assets"
POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'"


class Handler(http.server.SimpleHTTPRequestHandler):
    """`/assets/…` from the page, everything else from a folder; with the page's own policy."""

    extensions_map = {
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript", ".wasm": "application/wasm",
    }

    def translate_path(self, path):
        clean = path.split("?")[0]
        if clean.startswith("/assets/"):
            found = (ASSETS / clean.removeprefix("/assets/")).resolve()
            return str(found if found.is_relative_to(ASSETS.resolve()) else ASSETS / "missing")
        return super().translate_path(path)

    def end_headers(self):
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, *_):
        pass


def build_wasm(*arguments):
    """Builds the page's WebAssembly if it is out of date, one process at a time."""
    script = ROOT / "scripts/build-wasm.sh"
    with script.open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        subprocess.run([script, *arguments], check=True, capture_output=True)


class ChartPages:
    """Serves a folder on a free loopback port until it is stopped."""

    def __init__(self, folder):
        build_wasm()
        handler = functools.partial(Handler, directory=str(folder))
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self):
        self._server.shutdown()
        self._server.server_close()
