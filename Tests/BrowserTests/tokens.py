"""A server with two tokens: one for everything, and one for viewing only."""

import contextlib

from servers import Server

TOKENS = {"token": "0123456789abcdef-secret", "viewer": "viewer-0123456789abcdef"}


# A separate socket of the page, with the socket token that it needs; in a page function.
SOCKET = """await (async () => new WebSocket(`ws://${location.host}/live`,
  ["livetape", `livetape.ticket.${await (await fetch("/session/socket")).text()}`]))()"""


@contextlib.contextmanager
def guarded_server(folder):
    """Such a server, with its tokens in files of the folder."""
    for name, token in TOKENS.items():
        (folder / name).write_text(token + "\n")
    server = Server("--token-file", folder / "token", "--viewer-token-file", folder / "viewer")
    try:
        yield server
    finally:
        server.stop()
