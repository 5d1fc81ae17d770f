"""BitMEX's own Python client."""

import sys
import time

from bitmex_websocket import BitMEXWebsocket

client = BitMEXWebsocket(endpoint=f"http://{sys.argv[1]}/api/v1", symbol="XBTUSD")
for _ in range(20):
    levels = client.market_depth()
    bids = [level["price"] for level in levels if level["side"] == "Buy"]
    asks = [level["price"] for level in levels if level["side"] == "Sell"]
    assert bids and asks and max(bids) < min(asks), "crossed"
    time.sleep(0.1)
trades = client.recent_trades()
print(f"bitmex-ws: {len(bids)} bid and {len(asks)} ask levels, {len(trades)} trades, {client.get_ticker()}")
client.exit()
