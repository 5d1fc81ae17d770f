"""cryptofeed's BitMEX client: symbols over REST, then book, quotes and trades.

Its Kraken client uses version 1 of that venue's protocol, which nothing here does.
"""

import asyncio
import sys
from importlib.metadata import version

from cryptofeed import FeedHandler
from cryptofeed.connection import RestEndpoint, Routes, WebsocketEndpoint
from cryptofeed.defines import L2_BOOK, TICKER, TRADES
from cryptofeed.exchanges import Bitmex

UPDATES = 50


class PlainAddress(str):
    """An address without TLS, which the client would reject."""

    def startswith(self, *prefix):
        return prefix == ("wss://",) or super().startswith(*prefix)


def client(at, done):
    """The feed; `done` completes once enough was received, or with the first error."""
    seen = {L2_BOOK: 0, TICKER: 0, TRADES: 0}

    def noting(kind, check):
        async def note(update, received):
            if done.done():
                return
            try:
                check(update)
            except AssertionError as error:
                done.set_exception(error)
                return
            seen[kind] += 1
            if seen[L2_BOOK] >= UPDATES and seen[TICKER] and seen[TRADES]:
                done.set_result(dict(seen))

        return note

    def is_apart(bid, ask):
        assert bid < ask, "crossed"

    def is_trade(trade):
        assert trade.price > 0 and trade.amount > 0, "no price or size"

    class Simulated(Bitmex):
        websocket_endpoints = [WebsocketEndpoint(PlainAddress(f"ws://{at}/realtime"), options={"compression": None})]
        rest_endpoints = [RestEndpoint(f"http://{at}", routes=Routes("/api/v1/instrument/active"))]

    return Simulated(
        symbols=["BTC-USD-PERP"], channels=list(seen), retries=0,
        callbacks={
            L2_BOOK: noting(L2_BOOK, lambda book: is_apart(
                book.book.bids.index(0)[0], book.book.asks.index(0)[0])),
            TICKER: noting(TICKER, lambda quote: is_apart(quote.bid, quote.ask)),
            TRADES: noting(TRADES, is_trade)})


async def main(at):
    done = asyncio.get_running_loop().create_future()
    handler = FeedHandler()
    handler.add_feed(client(at, done))
    handler.run(start_loop=False, install_signal_handlers=False)
    print(f"cryptofeed {version('cryptofeed')} on BitMEX:", await done)
    await handler.stop_async()


asyncio.run(main(sys.argv[1]))
