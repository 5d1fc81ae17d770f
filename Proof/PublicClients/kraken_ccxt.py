"""ccxt's Kraken client: its REST unchanged but for the address, and its stream, with the checksum of every book message
calculated."""

import asyncio
import sys
import time

import ccxt
import ccxt.pro

UPDATES = 50
SYMBOL = "BTC/USD"


def rest(at):
    """Candles, trades and ticker."""
    client = ccxt.kraken({"urls": {"api": {"public": f"http://{at}/kraken"}}})
    client.fetch_currencies = lambda params={}: {}
    minutes = client.fetch_ohlcv(SYMBOL, "1m")
    assert len(minutes) in (720, 721), len(minutes)
    assert all(after[0] - before[0] == 60_000 for before, after in zip(minutes, minutes[1:]))
    assert all(low <= min(first, last) <= max(first, last) <= high
               for _, first, high, low, last, _ in minutes)
    days = client.fetch_ohlcv(SYMBOL, "1d")
    assert len(days) > 80, len(days)

    # ccxt's own `since` is in seconds; the venue counts in nanoseconds.
    after = str(minutes[-5][0] * 1_000_000)
    trades = client.fetch_trades(SYMBOL, limit=1000, params={"since": after})
    assert trades and all(a["timestamp"] <= b["timestamp"] for a, b in zip(trades, trades[1:]))
    # A past minute, built from its trades, equals the venue's own candle.
    start = minutes[-4][0]
    of_minute = [trade for trade in trades if start <= trade["timestamp"] < start + 60_000]
    prices = [trade["price"] for trade in of_minute]
    made = [prices[0], max(prices), min(prices), prices[-1]]
    assert made == minutes[-4][1:5], (made, minutes[-4])
    assert abs(sum(trade["amount"] for trade in of_minute) - minutes[-4][5]) < 1e-6

    ticker = client.fetch_ticker(SYMBOL)
    assert ticker["bid"] < ticker["ask"] and ticker["low"] <= ticker["last"] <= ticker["high"]
    assert abs(time.time() * 1000 - minutes[-1][0]) < 120_000, "the last candle is the forming one"
    print(f"ccxt {ccxt.__version__} on Kraken's REST: {len(minutes)} minutes, {len(days)} days, "
          f"{len(trades)} trades, one minute rebuilt of {len(of_minute)}, last {ticker['last']}")


async def stream(at):
    """The stream's book and trades."""
    client = ccxt.pro.kraken({"urls": {"api": {"public": f"http://{at}/kraken"}}})
    client.urls["api"]["ws"] = {**client.urls["api"]["ws"], "publicV2": f"ws://{at}/v2"}

    async def fetch_currencies(params={}):
        return {}

    client.fetch_currencies = fetch_currencies
    try:
        for _ in range(UPDATES):
            book = await client.watch_order_book(SYMBOL, 10)
            assert book["bids"][0][0] < book["asks"][0][0], "crossed"
        trades = await client.watch_trades(SYMBOL)
        assert trades and trades[-1]["price"] > 0
        print(f"ccxt {ccxt.__version__} on Kraken: {UPDATES} book updates, {len(trades)} trades")
    finally:
        await client.close()


rest(sys.argv[1])
asyncio.run(stream(sys.argv[1]))
