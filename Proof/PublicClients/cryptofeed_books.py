"""cryptofeed's clients of BitMEX, Binance and OKX: symbols over REST, then book, quotes and trades.

    cryptofeed_books.py VENUE SIMULATOR

Its other clients do not fit what the venues send today: Kraken's uses version 1 of that protocol, Coinbase's needs a key
and looks for a side `ask` where the venue sends `offer`, and Bybit's subscribes to 200 levels, which are not simulated.
"""

import asyncio
import sys
from importlib.metadata import version

from cryptofeed import FeedHandler
from cryptofeed.connection import RestEndpoint, Routes, WebsocketEndpoint
from cryptofeed.defines import L2_BOOK, TICKER, TRADES
from cryptofeed.exchanges import OKX, Binance, Bitmex

UPDATES = 50


class PlainAddress(str):
    """An address without TLS, which the client would reject."""

    def startswith(self, *prefix):
        return prefix == ("wss://",) or super().startswith(*prefix)

    def __add__(self, path):
        return PlainAddress(super().__add__(path))


def endpoints(venue, at):
    """The client's class, its symbol, and its addresses at the simulator."""
    stream, rest = f"ws://{at}/{venue}", f"http://{at}/{venue}"
    plain = {"compression": None}
    if venue == "bitmex":
        return Bitmex, "BTC-USD-PERP", WebsocketEndpoint(PlainAddress(f"{stream}/realtime"), options=plain), \
            RestEndpoint(rest, routes=Routes("/api/v1/instrument/active"))
    if venue == "binance":
        return Binance, "BTC-USDT", WebsocketEndpoint(PlainAddress(stream), options=plain), \
            RestEndpoint(rest, routes=Routes("/api/v3/exchangeInfo", l2book="/api/v3/depth?symbol={}&limit={}"))
    return OKX, "BTC-USDT", WebsocketEndpoint(PlainAddress(f"{stream}/ws/v5/public"), options=plain), \
        RestEndpoint(rest, routes=Routes([f"/api/v5/public/instruments?instType={kind}" for kind in ("SPOT", "SWAP")]))


def client(venue, at, done):
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

    exchange, symbol, stream, rest = endpoints(venue, at)

    class Simulated(exchange):
        websocket_endpoints = [stream]
        rest_endpoints = [rest]

    return Simulated(
        symbols=[symbol], channels=list(seen), retries=0,
        callbacks={
            L2_BOOK: noting(L2_BOOK, lambda book: is_apart(
                book.book.bids.index(0)[0], book.book.asks.index(0)[0])),
            TICKER: noting(TICKER, lambda quote: is_apart(quote.bid, quote.ask)),
            TRADES: noting(TRADES, is_trade)})


async def main(venue, at):
    done = asyncio.get_running_loop().create_future()
    handler = FeedHandler()
    handler.add_feed(client(venue, at, done))
    handler.run(start_loop=False, install_signal_handlers=False)
    print(f"cryptofeed {version('cryptofeed')} on {venue}:", await done)
    await handler.stop_async()


asyncio.run(main(*sys.argv[1:]))
