"""ccxt's BitMEX client: markets over REST, then book and trades over the same host."""

import asyncio
import sys

import ccxt
import ccxt.pro

UPDATES = 30


async def main(at):
    client = ccxt.pro.bitmex()
    client.urls["api"] = {**client.urls["api"], "public": f"http://{at}", "private": f"http://{at}"}
    client.urls["api"]["ws"] = f"ws://{at}/realtime"
    try:
        for _ in range(UPDATES):
            book = await client.watch_order_book("BTC/USD:BTC")
            assert book["bids"][0][0] < book["asks"][0][0], "crossed"
        trades = await client.watch_trades("BTC/USD:BTC")
        assert trades and trades[-1]["price"] > 0
        print(f"ccxt {ccxt.__version__} on BitMEX: {UPDATES} book updates, {len(trades)} trades")
    finally:
        await client.close()


asyncio.run(main(sys.argv[1]))
