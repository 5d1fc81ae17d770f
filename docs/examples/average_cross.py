#!/usr/bin/env python3
"""Trades a cross of two moving averages with paper orders; Python 3.9 or later, no packages.

Buys when the fast average of one-minute closes rises above the slow one, sells what it holds when
it falls below. An order is named after its market and minute, so a restart repeats nothing.

    python3 average_cross.py kraken:BTC/USD 0.1
"""

import json
import os
import sys
import time
import urllib.error
import urllib.request

SERVER = os.environ.get("LIVETAPE", "http://127.0.0.1:8080") + "/api/v1"
TOKEN = os.environ.get("LIVETAPE_ACCESS_TOKEN")
FAST, SLOW = 5, 20


def call(method, path, body=None):
    """The response as an object; the server's own problem on failure."""
    headers = {"Content-Type": "application/json"}
    if TOKEN:
        headers["Authorization"] = f"Bearer {TOKEN}"
    data = json.dumps(body).encode() if body else None
    request = urllib.request.Request(SERVER + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        raise SystemExit(error.read().decode()) from error


def mean(values):
    return sum(values) / len(values)


def main(instrument, quantity, rounds=None):
    venue, symbol = instrument.split(":", 1)
    holds = False
    while rounds is None or rounds > 0:
        rounds = None if rounds is None else rounds - 1
        candles = call("GET", f"/instruments/{venue}/{symbol}/candles?interval=60000")["candles"]
        closes = [float(candle["close"]) for candle in candles[:-1]]
        if len(closes) >= SLOW:
            rises = mean(closes[-FAST:]) > mean(closes[-SLOW:])
            if rises != holds:
                side = "buy" if rises else "sell"
                name = f"{instrument}-{side}-{candles[-1]['start']}".replace("/", "-")
                order = call("POST", "/orders", {
                    "clientId": name, "instrument": instrument, "type": "market",
                    "side": side, "quantity": quantity})["order"]
                holds = rises
                print(order["side"], order["filled"], "at", order.get("average"), flush=True)
        if rounds is None or rounds > 0:
            time.sleep(60)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else None)
