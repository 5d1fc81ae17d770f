"""BitMEX's own Python client."""

import sys
import time

from bitmex_websocket import BitMEXWebsocket

client = BitMEXWebsocket(endpoint=f"ws://{sys.argv[1]}/realtime", symbol="XBTUSD")
for _ in range(20):
    levels = client.market_depth()
    bids = [level["price"] for level in levels if level["side"] == "Buy"]
    asks = [level["price"] for level in levels if level["side"] == "Sell"]
    assert bids and asks and max(bids) < min(asks), "crossed"
    time.sleep(0.1)
trades = client.recent_trades()
client.get_instrument()  # Its ticker rounds by what this works out.
print(f"bitmex-ws: {len(bids)} bid and {len(asks)} ask levels, {len(trades)} trades, {client.get_ticker()}")
client.exit()
