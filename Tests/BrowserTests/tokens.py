"""A server with both tokens: one that may do everything, and one for looking."""

import contextlib

from servers import Server

TOKENS = {"token": "0123456789abcdef-secret", "viewer": "viewer-0123456789abcdef"}


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
