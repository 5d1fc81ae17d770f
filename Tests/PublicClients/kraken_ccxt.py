"""ccxt's Kraken client, which computes the checksum of every book message itself."""

import asyncio
import sys

import ccxt
import ccxt.pro

UPDATES = 50


def market(client, base, quote, identifier, price, amount):
    """A market as REST would name it."""
    return client.safe_market_structure({
        "id": identifier, "wsId": f"{base}/{quote}", "symbol": f"{base}/{quote}", "base": base,
        "quote": quote, "baseId": base, "quoteId": quote, "spot": True, "type": "spot", "active": True,
        "precision": {"price": price, "amount": amount}, "info": {"wsname": f"{base}/{quote}"}})


async def main(at):
    client = ccxt.pro.kraken()
    client.urls["api"]["ws"] = {**client.urls["api"]["ws"], "publicV2": f"ws://{at}/v2"}
    markets = [market(client, "BTC", "USD", "XXBTZUSD", 0.1, 1e-8)]

    async def fetch_markets(params={}):
        return markets

    async def fetch_currencies(params={}):
        return {}

    client.fetch_markets, client.fetch_currencies = fetch_markets, fetch_currencies
    try:
        for _ in range(UPDATES):
            book = await client.watch_order_book("BTC/USD", 10)
            assert book["bids"][0][0] < book["asks"][0][0], "crossed"
        trades = await client.watch_trades("BTC/USD")
        assert trades and trades[-1]["price"] > 0
        print(f"ccxt {ccxt.__version__} on Kraken: {UPDATES} book updates, {len(trades)} trades")
    finally:
        await client.close()


asyncio.run(main(sys.argv[1]))
