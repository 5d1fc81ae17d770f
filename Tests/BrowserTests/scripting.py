"""A script's WebSocket for tests of the API: the example's own client."""

import importlib.util
import pathlib

PATH = pathlib.Path(__file__).resolve().parents[2] / "docs/examples/kraken_book.py"


def example():
    """The example as a module."""
    spec = importlib.util.spec_from_file_location("kraken_book", PATH)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
