"""A server with both tokens: one that may do everything, and one for looking."""

import contextlib

from servers import Server

TOKENS = {"token": "0123456789abcdef-secret", "viewer": "viewer-0123456789abcdef"}


# A socket of the page's own, with the ticket that it needs; in a page function.
SOCKET = """await (async () => new WebSocket(`ws://${location.host}/live`,
  ["livetape", `livetape.ticket.${await (await fetch("/session/socket")).text()}`]))()"""


@contextlib.contextmanager
def guarded_server(folder):
    """Such a server, whose tokens stand in files of the folder."""
    for name, token in TOKENS.items():
        (folder / name).write_text(token + "\n")
    server = Server("--token-file", folder / "token", "--viewer-token-file", folder / "viewer")
    try:
        yield server
    finally:
        server.stop()
