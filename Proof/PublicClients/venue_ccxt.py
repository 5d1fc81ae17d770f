"""ccxt, unchanged but for the addresses, on the simulated face of a venue, compared with Livetape's own view.

    spot_ccxt.py VENUE SIMULATOR SERVER

SIMULATOR is the HOST:PORT of `livetape simulate`; SERVER that of a `livetape serve` which reads the same venue. ccxt loads
the markets, an order book, trades, a ticker and candles over REST, then follows the book and the trades of one market over
the WebSocket. Livetape must list the same market and show the same candles, the same trades and the same books.
"""

import asyncio
import json
import random
import sys
import time
import urllib.request
from decimal import Decimal

import aiohttp
import ccxt
import ccxt.pro

MINUTES = 30
DEPTH = 10
SECONDS = 8
LEAST_EQUAL_BOOKS = 10


def kind_of(venue):
    """ccxt's kind of a venue's markets."""
    return "linear" if venue == "bybit-linear" else "spot"


def client_of(venue, at):
    """ccxt's client with the simulator's addresses; only markets of the venue's kind are loaded."""
    rest, stream = f"http://{at}/{venue}", f"ws://{at}/{venue}"
    options = {} if venue == "coinbase" else {"fetchMarkets": {"types": [kind_of(venue)]}}
    client = getattr(ccxt.pro, venue.split("-")[0])({"options": options})
    # Currencies come from addresses for accounts, or that the venue doesn't document for its market data.
    client.has["fetchCurrencies"] = False
    urls = client.urls["api"]
    if venue == "kraken":
        client.urls["api"] = {**urls, "public": rest, "ws": {**urls["ws"], "publicV2": f"{stream}/v2"}}
    elif venue == "coinbase":
        client.urls["api"] = {**urls, "rest": rest, "ws": f"{stream}/advanced"}
    elif venue == "binance":
        client.urls["api"] = {**urls, "public": f"{rest}/api/v3", "ws": {**urls["ws"], "spot": f"{stream}/ws"}}
    elif venue == "okx":
        client.urls["api"] = {**urls, "rest": rest, "ws": f"{stream}/ws/v5"}
    elif venue in ("bybit", "bybit-linear"):
        public = {**urls["ws"]["public"], kind_of(venue): f"{stream}/v5/public/{kind_of(venue)}"}
        client.urls["api"] = {**urls, "public": rest, "ws": {**urls["ws"], "public": public}}
    return client


def own(server, path):
    """A response of Livetape's script API."""
    with urllib.request.urlopen(f"http://{server}/api/v1/{path}", timeout=20) as response:
        return json.load(response)


def listed(server, venue):
    """The symbols of Livetape's instruments at a venue."""
    symbols, after = [], ""
    while after is not None:
        page = own(server, f"instruments?venue={venue}&limit=500" + (f"&after={after}" if after else ""))
        symbols += [row["symbol"] for row in page["instruments"]]
        after = page.get("next")
    return symbols


def number(value):
    return Decimal(str(value))


async def until(seconds, work):
    """Repeats an asynchronous call for some seconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            await asyncio.wait_for(work(), end - time.monotonic())
        except TimeoutError:
            return


async def own_books(server, instrument, books):
    """The best levels of each book that Livetape shows, as tuples of numbers."""
    async with aiohttp.ClientSession() as session:
        async with session.ws_connect(f"http://{server}/api/v1/stream") as socket:
            await socket.send_json({"do": "subscribe", "channel": "book", "instrument": instrument, "request": 1})

            async def receive():
                message = json.loads((await socket.receive()).data)
                if message.get("type") == "book" and message["status"] == "synced":
                    books.add(best_levels(message["bids"], message["asks"]))

            await until(SECONDS, receive)


def best_levels(bids, asks):
    return tuple(
        tuple((number(level[0]).normalize(), number(level[1]).normalize()) for level in side[:DEPTH])
        for side in (bids, asks))


async def rest(client, venue, server):
    """Markets and one market's book, trades, ticker and candles over REST; returns the market's symbol."""
    await client.load_markets()
    symbols = [market["symbol"] for market in client.markets.values() if market[kind_of(venue)]]
    ids = {symbol if venue == "kraken" else client.markets[symbol]["id"]: symbol for symbol in symbols}
    shared = sorted(set(ids) & set(listed(server, venue)))
    assert shared, "no market in common"
    seed = int(time.time())
    symbol = next(name for key, name in ids.items() if key in shared and name.startswith("BTC/USD"))
    market = client.markets[symbol]
    instrument = f"{venue}/{next(key for key, name in ids.items() if name == symbol)}"
    assert market["precision"]["price"] and market["precision"]["amount"], market["precision"]

    for name in {symbol, *(ids[key] for key in random.Random(seed).sample(shared, min(3, len(shared))))}:
        book = await client.fetch_order_book(name, 50)
        assert len(book["bids"]) > DEPTH and book["bids"][0][0] < book["asks"][0][0], name
        ticker = await client.fetch_ticker(name)
        if ticker["low"] is not None:
            assert ticker["low"] <= ticker["last"] <= ticker["high"], ticker
        assert ticker["last"] > 0, ticker
        assert ticker["bid"] is None or ticker["bid"] < ticker["ask"], ticker

    trades = await client.fetch_trades(symbol, limit=60)
    assert trades and all(a["timestamp"] <= b["timestamp"] for a, b in zip(trades, trades[1:]))

    # The last finished minutes equal the candles that Livetape shows.
    own(server, f"instruments/{instrument}/candles?limit=1")
    await asyncio.sleep(3)
    own_rows = {row["start"]: row for row in own(server, f"instruments/{instrument}/candles?limit=200")["candles"]}
    present = int(time.time() * 1000) // 60_000 * 60_000
    rows = await client.fetch_ohlcv(symbol, "1m", since=present - (MINUTES + 5) * 60_000, limit=MINUTES + 6)
    equal = 0
    for start, *values in rows:
        row = own_rows.get(start)
        if row is None or row["source"] != "venue" or start >= present - 60_000:
            continue
        shown = [number(row[key]) for key in ("open", "high", "low", "close", "volume")]
        assert shown == [number(value) for value in values], (start, values, row)
        equal += 1
    assert equal >= MINUTES - 5, (equal, len(rows), len(own_rows))
    print(f"ccxt {ccxt.__version__} on {venue}'s REST: {len(symbols)} markets, {len(shared)} of them Livetape's, "
          f"{len(trades)} trades, {equal} candles equal to Livetape's (seed {seed})")
    return symbol, instrument


async def stream(client, venue, server, symbol, instrument):
    """The stream's books and trades."""
    theirs, ours, seen = set(), set(), {}
    limits = {"kraken": DEPTH, "bybit": 50, "bybit-linear": 50}

    async def book():
        book = await client.watch_order_book(symbol, limits.get(venue))
        assert book["bids"][0][0] < book["asks"][0][0], "crossed"
        theirs.add(best_levels(book["bids"], book["asks"]))

    async def trade():
        for trade in await client.watch_trades(symbol):
            seen[trade["id"]] = trade

    await asyncio.gather(until(SECONDS, book), until(SECONDS, trade), own_books(server, instrument, ours))
    shared = theirs & ours
    assert len(shared) >= LEAST_EQUAL_BOOKS, (len(theirs), len(ours), len(shared))
    # Trades, by the venue's number or, where those have holes, by time, price and size.
    def key(time, price, size):
        return time, number(price).normalize(), number(size).normalize()

    known = {key(trade["timestamp"], trade["price"], trade["amount"]): trade["side"] for trade in seen.values()}
    rows = [row for row in own(server, f"instruments/{instrument}/trades")["trades"]]
    equal = 0
    for row in rows:
        if row.get("venueNumber") is not None and str(row["venueNumber"]) in seen:
            trade = seen[str(row["venueNumber"])]
            assert key(trade["timestamp"], trade["price"], trade["amount"]) == key(row["at"], row["price"], row["size"])
            side = trade["side"]
        else:
            side = known.get(key(row["at"], row["price"], row["size"]))
        if venue == "coinbase" and side is not None:
            # The venue states the maker's side, which ccxt passes on; Livetape shows the taker's.
            side = {"buy": "sell", "sell": "buy"}[side]
        assert side in (None, row["side"]), (row, side)
        equal += side is not None
    assert equal > 0, (len(rows), len(seen))
    print(f"ccxt {ccxt.__version__} on {venue}: {len(theirs)} books, {len(shared)} of the {len(ours)} that Livetape "
          f"showed among them, {equal} trades equal")


async def main(venue, at, server):
    client = client_of(venue, at)
    try:
        symbol, instrument = await rest(client, venue, server)
        await stream(client, venue, server, symbol, instrument)
    finally:
        await client.close()


asyncio.run(main(*sys.argv[1:]))
