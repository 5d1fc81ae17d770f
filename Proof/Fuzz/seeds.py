"""Writes the first inputs of every target: captured messages, separated by zero bytes.

    Proof/Fuzz/seeds.py FOLDER
"""

import base64
import json
import pathlib
import re
import sys

PAYLOADS = pathlib.Path(__file__).resolve().parents[2] / "Tests/VenueProtocolsTests/Payloads"
# The harness's control messages: a message of 1 lets time pass, the longer the more; 2 reconnects.
TIME_PASSES = "\1\1\1"
RECONNECT = "\2"


def put(target, name, messages, separator="\0"):
    folder = pathlib.Path(sys.argv[1]) / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(separator.join(messages).encode())


def compact(value):
    return json.dumps(value, separators=(",", ":"))


def lines(path):
    with open(PAYLOADS / path, encoding="utf-8") as file:
        return [line.rstrip("\n") for line in file]


def last_columns(path, holding=""):
    return [line.split("\t")[-1] for line in lines(path) if holding in line]


def message_of(line):
    """The captured message of a line that may wrap it as `{"json": …}`."""
    try:
        value = json.loads(line)
    except json.JSONDecodeError:
        return line
    return compact(value.get("json", value)) if isinstance(value, dict) else line


def bitmex():
    short = [line for line in last_columns("bitmex/2021-07-22.XBTUSD.server.tsv") if len(line) < 1500]
    put("bitmex", "a", short[:6])
    put("bitmex", "b", short[6:20])
    for at in range(20, min(len(short), 400), 20):
        put("bitmex", f"c{at}", short[at:at + 8])
    for name in ("examples-2017-2023.jsonl", "examples-2024-2025.jsonl"):
        put("bitmex", name, [message_of(line.strip()) for line in lines(f"bitmex/{name}")])

    def level(identifier, side, size, price):
        return {"symbol": "XBTUSD", "id": identifier, "side": side, "size": size, "price": price}

    def book(action, data, **more):
        return compact({"table": "orderBookL2", "action": action, **more, "data": data})

    put("bitmex", "book", [
        compact({"info": "Welcome to the BitMEX Realtime API.", "version": "x", "timestamp": "2021-07-22T22:36:07.865Z",
                 "docs": "", "limit": {"remaining": 39}}),
        book("partial", [level(1, "Sell", 10, 101.5), level(2, "Buy", 20, 100), level(3, "Buy", 2 ** 63 - 1, 99)],
             keys=["symbol", "id", "side"], types={}, filter={"symbol": "XBTUSD"}),
        book("update", [{"symbol": "XBTUSD", "id": 2, "side": "Buy", "size": 5}]),
        book("insert", [level(4, "Sell", 5, 101)]),
        book("delete", [{"symbol": "XBTUSD", "id": 2, "side": "Buy"}]),
        TIME_PASSES, RECONNECT,
        compact({"table": "trade", "action": "partial", "filter": {"symbol": "XBTUSD"}, "data": []}),
        compact({"table": "trade", "action": "insert", "data": [
            {"timestamp": "2021-07-22T22:36:07.865Z", "symbol": "XBTUSD", "side": "Sell", "size": 100, "price": 32180.5,
             "tickDirection": "ZeroMinusTick", "trdMatchID": "x"}]}),
        compact({"table": "instrument", "action": "partial", "data": [
            {"symbol": "XBTUSD", "tickSize": 0.5, "lastPrice": 1}]}),
        compact({"table": "quote", "action": "insert", "data": [
            {"timestamp": "2021-07-22T22:36:07.865Z", "symbol": "XBTUSD", "bidSize": 1, "bidPrice": 1, "askPrice": 2,
             "askSize": 2}]}),
        "pong",
    ])


def kraken():
    status, *rest = [line.strip() for line in lines("kraken/captured-2026-08-26.ETH-BTC.jsonl")]
    # As text, to keep the venue's digits.
    instruments = (
        '{"channel":"instrument","type":"snapshot","data":{"assets":[{"id":"ETH"}],"pairs":['
        '{"symbol":"ETH/BTC","base":"ETH","quote":"BTC","status":"online","qty_precision":8,"price_precision":6,'
        '"price_increment":0.000001,"qty_increment":0.00000001},'
        '{"symbol":"BTC/USD","base":"BTC","quote":"USD","status":"online","qty_precision":8,"price_precision":1,'
        '"price_increment":0.1}]}}')
    first = (
        '{"channel":"trade","type":"snapshot","data":[{"symbol":"ETH/BTC","side":"sell","price":0.031348,"qty":1.5,'
        '"ord_type":"market","trade_id":4665906,"timestamp":"2023-09-25T07:49:37.708706Z"}]}')
    second = first.replace("snapshot", "update").replace("4665906", "4665907")
    snapshot, update = rest[2], rest[3]
    put("kraken", "full", [status, instruments, *rest, first, second, TIME_PASSES, snapshot, RECONNECT, status, instruments, snapshot])
    put("kraken", "book", [status, instruments, snapshot, update, update])
    put("kraken", "trade", [status, instruments, first, second, second.replace("4665907", str(2 ** 63 - 1))])
    ticker = (
        '{"channel":"ticker","type":"snapshot","data":[{"symbol":"ETH/BTC","bid":0.031348,"bid_qty":1.5,"ask":0.031349,'
        '"ask_qty":2.0,"last":0.031348,"volume":163.28908096,"vwap":0.0314,"low":0.031,"high":0.032,"change":-0.0001,'
        '"change_pct":-0.32,"trades":381,"timestamp":"2026-08-26T15:16:16.576099Z"}]}')
    put("kraken", "ticker", [
        status, instruments, ticker, ticker.replace("snapshot", "update").replace("0.031348", "0.0313485"),
        ticker.replace("1.5", "null"), RECONNECT, status, instruments, ticker])
    put("kraken", "maint", [
        status, compact({"channel": "status", "type": "update", "data": [{"system": "maintenance"}]}),
        instruments.replace("online", "maintenance"),
        compact({"method": "pong", "req_id": 1, "time_in": "2026-08-26T15:16:16.576099Z"}),
        compact({"error": "Currency pair not supported XX/YY", "method": "subscribe", "success": False, "symbol": "XX/YY"}),
    ])
    for at in range(5):
        put("kraken", f"m{at}", [status, instruments, *rest[1 + at:3 + at]])


def isin():
    captured = last_columns("isin/session-basic.tsv", holding="<") + last_columns("isin/session-odd-inputs.tsv")
    put("isin", "a", captured[:8])
    put("isin", "b", captured[8:30])
    put("isin", "c", [
        '{"isin":"US0378331005","price":1e-400,"bid":0.0034000000000000002,"ask":9223372036854775807}', "\1\1"])


def bux():
    events = [compact(json.loads(line)["json"]) for line in lines("bux/errors-and-events.jsonl")]
    connected = compact({"t": "connect.connected", "body": {"userId": "x"}})

    def quote(identifier):
        return compact({"t": "trading.quote", "id": identifier, "v": 2,
                        "body": {"securityId": "sb26493", "currentPrice": "12352.8"}})

    put("bux", "a", [connected, quote("a"), quote("b"), TIME_PASSES, RECONNECT, connected, quote("a")])
    put("bux", "b", events)
    for at, event in enumerate(events):
        put("bux", f"e{at}", [event, connected])
    products = json.loads((PAYLOADS / "bux/products.json").read_text(encoding="utf-8"))
    found = products if isinstance(products, list) else next(iter(products.values()))
    for at, product in enumerate(found[:6] if isinstance(found, list) else []):
        put("product", f"p{at}", [compact(product.get("json", product) if isinstance(product, dict) else product)])
    put("product", "err", [compact({"message": None, "developerMessage": "technical", "errorCode": "AUTH_008"})])


def echo_and_ticks():
    put("echo", "a", [
        '{"symbol":"AAPL","price":189.20,"sequence":7,"session":"9f0c21ab55d3e871"}', "\1\1\1\1\1\1\1",
        '{"symbol":"MSFT","price":189.20,"sequence":18446744073709551615,"session":"9f0c21ab55d3e871"}'])
    put("tick", "a", [
        "1473345123, 45.05, 45.01, 17, 45.10, 36\n1473345124,45.06,45.02,4294967295,45.11,36\r\n", "\1\1",
        "18446744073709551615,1e17,0.01,0,922337203685477580,1\n"])


def page():
    put("page", "a", [compact(message) for message in (
        {"open": ["feed", "stock/US0378331005"], "close": ["products"]}, {"do": "feed.start"},
        {"do": "venue.retry", "venue": "bitmex"}, {"ping": 17}, {"frameMilliseconds": 16}, {"do": "product.retry", "id": "sb26493"})])
    put("page", "b", [compact(message) for message in (
        {"do": "order.place", "order": {"clientId": "a-1", "type": "limit", "side": "buy", "quantity": "100", "price": "45.00"}},
        {"do": "order.cancel", "id": "17"},
        {"do": "order.preview", "ask": 4, "order": {"type": "market", "side": "sell", "quantity": "1e3"}},
        {"do": "orders.cancelAll", "id": "17"})])
    put("page", "c", [compact(message) for message in (
        {"open": ["book/XBTUSD", "trades/BTC/USD", "chart/kraken/BTC/USD", "symbol/AAPL", "product/sb26493", "orders",
                  "exchange", "books", "products", "status"]},
        {"close": ["book/XBTUSD"]})])


def ledger():
    """Lines as stored: keys in their order, no blanks. Each kind of event, and each life of an order."""
    start = 1_790_000_000_000_000_000
    arrival = {"tick": 3, "venueTime": 1_790_000_000, "bid": [4501, 17], "ask": [4510, 60]}

    def event(sequence, kind, **fields):
        return compact({"v": 1, "sequence": sequence, "time": start + sequence, "event": kind, **fields})

    def placed(sequence, kind, order, limit, quantity, side="buy", **more):
        return event(sequence, kind, order=order, client=f"a-{order}", symbol="TROAD", side=side, limit=limit,
                     quantity=quantity, arrival=arrival, **more)

    def filled(sequence, order, quantity, price):
        return event(sequence, "filled", order=order, quantity=quantity, price=price, offered=quantity, tick=4,
                     venueTime=1_790_000_001)

    def cancelled(sequence, order, reason, available):
        return event(sequence, "cancelled", order=order, reason=reason, offer=[4510, 60], available=available)

    market = [placed(1, "accepted", 1, None, 100), filled(2, 1, 60, 4510), cancelled(3, 1, "marketRest", 0)]
    limit = [placed(4, "accepted", 2, 4510, 90), filled(5, 2, 40, 4505), filled(6, 2, 50, 4510)]
    refused = [placed(7, "rejected", 3, 5, -9, reason="quantityNotPositive", values=[-9])]
    asked = [placed(8, "accepted", 4, 4400, 10, side="sell"), cancelled(9, 4, "requested", 60)]
    for name, events in (("market", market), ("limit", market + limit), ("all", market + limit + refused + asked)):
        put("ledger", name, events, separator="\n")
    # Other numbers begin a history that is rejected but still readable.
    put("ledger", "largest", [
        event(1, "filled", order=2 ** 64 - 1, quantity=2 ** 63 - 1, price=-2 ** 63, offered=0, tick=2 ** 64 - 1,
              venueTime=2 ** 64 - 1),
        placed(1, "accepted", 1, 2 ** 63 - 1, 2 ** 63 - 1)], separator="\n")


def history():
    """The ends of the captured responses, in the order in which a join requests them."""
    folder = PAYLOADS.parents[1] / "MarketHistoryTests/Payloads"

    def shorter(file, count):
        # The digits stay as they were sent.
        text = (folder / file).read_text(encoding="utf-8").strip()
        head, rows = text.split(":[[", 1)
        rows, tail = rows.rsplit("]],", 1)
        return head + ":[[" + "],[".join(rows.split("],[")[-count:]) + "]]," + tail

    candles = shorter("rest.ohlc.json", 25)
    trades = shorter("rest.trades.json", 25)
    refused = '{"error":["EGeneral:Too many requests"]}'
    buckets = compact([{
        "timestamp": f"2025-11-11T00:{minute:02}:00.000Z", "symbol": "XBTUSD", "open": 100.5, "high": 101, "low": 100,
        "close": 100.5, "trades": 3, "volume": 700} for minute in range(16, 6, -1)])
    pairs = (PAYLOADS / "kraken/rest.asset-pairs.json").read_text(encoding="utf-8").strip()
    put("history", "kraken", [candles, candles, candles, trades, trades, candles])
    put("history", "refused", [refused, candles, refused, trades, candles])
    put("history", "bitmex", [buckets, buckets, buckets, "", buckets])
    put("history", "names", [pairs, candles])


def okx():
    short = [line for line in last_columns("okx/ws-2022-05-13-BTC-USDT.tsv") if len(line) < 1500]
    for at in range(0, min(len(short), 160), 20):
        put("okx-session", f"a{at}", short[at:at + 20])
    misc = [line for line in lines("okx/ws-misc-2025-12.jsonl")] + lines(
        "okx/ws-tickers-trades-books5-BTC-USDT-2026-09-25.jsonl")
    chained = lines("okx/spot-books-BTC-USDT-2026-08-24.jsonl")
    snapshot = json.loads(chained[1])
    for side in ("bids", "asks"):
        snapshot["data"][0][side] = snapshot["data"][0][side][:30]
    put("okx-session", "chain", [chained[0], compact(snapshot), *chained[2:]])
    put("okx-session", "misc", [*misc, TIME_PASSES, "pong", RECONNECT, *misc])
    for at, message in enumerate(misc + chained[2:]):
        put("okx-decoder", str(at), [message])
    candles = (PAYLOADS / "okx/rest.candles-1m-BTC-USDT-2025-09-05.json").read_text(encoding="utf-8").strip()
    put("okx-history", "candles", ["\0" + candles])
    put("okx-history", "refused", ['\0{"code":"51001","msg":"Instrument ID does not exist.","data":[]}'])


def bybit():
    session = lines("bybit/testnet-spot-BTCUSDT-2026-09-13.jsonl")
    book = lines("bybit/spot-orderbook50-BTCUSDT-2026-08-24.jsonl")
    misc = lines("bybit/ws-misc-2023-2026.jsonl") + lines("bybit/ws-tickers-linear-BTCUSDT-2024-05-15.jsonl")
    for at in range(0, len(session), 10):
        put("bybit-session", f"a{at}", session[:2] + session[at:at + 10])
    put("bybit-session", "book", book)
    for target in ("bybit-session", "bybit-linear-session"):
        put(target, "misc", [*misc, TIME_PASSES, *session[3:4], RECONNECT, *misc])
    for at, message in enumerate(session + misc + book[2:]):
        put("bybit-decoder", str(at), [message])
    hours = (PAYLOADS / "bybit/rest.kline-60-linear-BTCUSDT-2026-08-15.json").read_text(encoding="utf-8").strip()
    put("bybit-history", "hours", ["\5" + hours])
    put("bybit-history", "refused", ['\0{"retCode":10001,"retMsg":"Not supported symbols","result":{},"time":1}'])


def binance():
    def session(name, symbol):
        messages = []
        for line in lines(name):
            kind, text = line.split("\t")[1:3]
            if kind != "ws":
                text = '{"fetched":"%s","status":200,"body":%s}' % (kind, text)
            messages.append(text.replace(symbol.lower() + "@", "btcusdt@").replace(symbol, "BTCUSDT"))
        return messages
    captured = session("binance/us-spot-2021-10-12-COMPUSDT.tsv", "COMPUSDT")
    testnet = lines("binance/testnet-trade-bookTicker-depth-BTCUSDT-2026-09-13.jsonl")
    misc = [
        '{"result":null,"id":1}', '{"result":["btcusdt@trade"],"id":0}', '{"code":2,"msg":"Invalid request"}',
        '{"stream":"!serverShutdown","data":{"e":"serverShutdown","E":1}}',
        '{"fetched":"/api/v3/depth?symbol=BTCUSDT&limit=1000","status":429,"wait":2,"body":{"code":-1003,"msg":"x"}}',
        '{"fetched":"/api/v3/exchangeInfo?symbol=BTCUSDT","status":200,"body":{"symbols":[{"symbol":"BTCUSDT",'
        '"status":"TRADING","filters":[{"filterType":"PRICE_FILTER","tickSize":"0.01000000"}]}]}}',
    ]
    put("binance-session", "book", captured[:12])
    put("binance-session", "misc", [*misc, TIME_PASSES, *testnet[:4], RECONNECT, *misc])
    for at in range(0, len(testnet), 8):
        put("binance-session", f"a{at}", [*captured[:2], *testnet[at:at + 8]])
    for at, message in enumerate(captured[:12] + testnet + misc):
        put("binance-decoder", str(at), [message])
    minutes = (PAYLOADS / "binance/rest.klines-1m-BTCUSDT-2020-05-06.json").read_text(encoding="utf-8").strip()
    put("binance-history", "minutes", ["\0" + minutes])
    put("binance-history", "refused", ['\0{"code":-1121,"msg":"Invalid symbol."}'])


def parsers():
    """Single messages, files and texts for the parsers alone."""
    for venue in ("bitmex", "kraken"):
        folder = pathlib.Path(sys.argv[1]) / venue
        for file in sorted(folder.iterdir()):
            messages = file.read_bytes().decode().split("\0")
            put(f"{venue}-session", file.name, messages)
            for at, message in enumerate(messages[:30]):
                if len(message) < 4000 and message.startswith("{"):
                    put(f"{venue}-decoder", f"{file.name}-{at}", [message])
                    put("json", f"{venue}-{file.name}-{at}", [message])
    for venue in ("isin", "bux", "echo", "tick"):
        for file in sorted((pathlib.Path(sys.argv[1]) / venue).iterdir()):
            messages = file.read_bytes().decode().split("\0")
            put(f"{venue}-session", file.name, messages)
            for at, message in enumerate(messages[:20]):
                if message[0] not in "\1\2":
                    single = "tick-line" if venue == "tick" else f"{venue}-message"
                    put(single, f"{file.name}-{at}", [message.split("\n")[0]])
    for file in sorted((pathlib.Path(sys.argv[1]) / "product").iterdir()):
        put("bux-http", file.name, [file.read_bytes().decode()])
        put("bux-http", f"list-{file.name}", ["[" + file.read_bytes().decode() + "]"])
    for file in sorted((pathlib.Path(sys.argv[1]) / "page").iterdir()):
        for at, message in enumerate(file.read_bytes().decode().split("\0")):
            put("page-request", f"{file.name}-{at}", [message])
    for at, message in enumerate((
            {"do": "list.add", "list": "stars", "member": "kraken/BTC/USD", "before": "bitmex/XBTUSD"},
            {"do": "list.create", "name": "Mine"}, {"do": "alert.arm", "id": "1"},
            {"do": "alert.add", "market": "kraken/BTC/USD", "price": "45000.5", "again": True},
            {"do": "alert.edit", "id": "1", "price": "45001", "again": False},
            {"do": "fault.inject", "venue": "kraken", "faults": "drop=2% for 5s, gap=3@120"},
            {"do": "fault.clear", "venue": "kraken"})):
        put("page-request", f"d{at}", [compact(message)])
        put("page", f"d{at}", [compact(message)])
    for at, number in enumerate(("1e-8", "-0", "32180.50", "1E18", "0.000000000000000001", "2021-07-22T22:36:07.865Z",
                                 "2200-12-31T23:59:60.999999999Z")):
        put("decimal", f"n{at}", [number])
        put("json", f"n{at}", [f'{{"price":{number}}}'])
    put("json", "odd", ['{"a\\u00e9\\ud83d\\ude00":[true,false,null,-1.5e-3,"\u00e9\U0001f600"],"":{"a":{"b":[[]]}}}'])
    folder = pathlib.Path(sys.argv[1]) / "json"
    for file in sorted(folder.iterdir()):
        if file.stat().st_size < 400:
            put("json-values", file.name, [file.read_bytes().decode()])
            put("json-plain", file.name, [file.read_bytes().decode()])
    put("utf8", "a", ["\4h\u00e9\u20ac\U0001f600"])
    put("http-date", "a", ["Sun, 06 Nov 1994 08:49:37 GMT"])
    for at, spec in enumerate(("drop=2% for 5s, delay=300ms, gap=3@120", "drop@120, duplicate, reorder=50%, truncate, corrupt",
                               "checksum=5%", "stall@40 for 1min", "half-open@40", "refuse=429*3, close=1012@40, cut@40",
                               "clock=-90s", "flood=50000/s for 2s", "checksu\v\0005\u2028")):
        put("faults", f"s{at}", [spec])
    for at, link in enumerate(("stocks://book/BTC/USD", "/symbol/AAPL", "/book/BTC%2FUSD", "/product/sb26493", "/")):
        put("link", f"l{at}", [link])


def histories():
    """The captured responses, each after the byte of its request."""
    for file in sorted((pathlib.Path(sys.argv[1]) / "history").iterdir()):
        for at, answer in enumerate(file.read_bytes().decode().split("\0")):
            for asked in range(8):
                if answer:
                    venue = "bitmex" if file.name == "bitmex" else "kraken"
                    put(f"{venue}-history", f"{file.name}-{at}-{asked}", [chr(asked) + answer])
    put("kraken-history", "condition", ["\4" + compact({"error": [], "result": {"status": "online", "timestamp": "x"}})])
    put("kraken-tickers", "a", [compact({"error": [], "result": {
        name: {"a": ["30300.1", "1", "1.0"], "b": ["30300.0", "1", "1.0"], "c": ["30303.2", "0.00067643"],
               "v": ["4083.67001100", "4412.73601799"], "p": ["30706.77771", "30689.13205"], "t": [34619, 38907],
               "l": ["29868.3", "29868.3"], "h": ["31631.0", "31631.0"], "o": "30502.8"}
        for name in ("XXBTZUSD", "XETHXXBT")}})])


def coinbase():
    """The captured messages, numbered as if they came after the greeting of one connection."""
    captured = [line.strip() for name in ("advanced-level2-BTC-USD-2026-08-24", "advanced-trades-and-ticker-BTC-USD-2026-08-12")
                for line in lines(f"coinbase/{name}.jsonl")]
    for at, line in enumerate(captured):
        put("coinbase-decoder", f"m{at}", [line])
    book, others = captured[:12], captured[12:]
    numbered = [re.sub(r'"sequence_num":\d+', f'"sequence_num":{at + 1}', line) for at, line in enumerate(book + others)]
    status = ('{"channel":"status","timestamp":"2026-08-24T22:34:13Z","sequence_num":1,"events":[{"type":"snapshot",'
              '"products":[{"id":"BTC-USD","base_increment":"0.00000001","quote_increment":"0.01","status":"online"}]}]}')
    put("coinbase-session", "book", numbered[:12])
    put("coinbase-session", "all", [*numbered, TIME_PASSES, RECONNECT, *numbered])
    put("coinbase-session", "gap", [numbered[0], numbered[2], numbered[1]])
    put("coinbase-session", "status", [status, *numbered[1:4]])
    put("coinbase-session", "error", ['{"type":"error","message":"authentication failure"}', numbered[0]])
    for name, asked in (("rest.candles", 0), ("rest.candles", 5), ("rest.ticker", 1), ("rest.products", 2)):
        text = (PAYLOADS / f"coinbase/{name}.json").read_text(encoding="utf-8").strip()
        put("coinbase-history", f"{name}-{asked}", [chr(asked) + text])


def listings():
    """Lists of instruments, alone and as a session receives them."""
    steps = {"priceFilter": {"tickSize": "0.10"}, "symbol": "BTCUSDT", "baseCoin": "BTC", "quoteCoin": "USDT", "status": "Trading"}
    perpetual = {**steps, "contractType": "LinearPerpetual", "settleCoin": "USDT", "lotSizeFilter": {"qtyStep": "0.001"}}
    for name, path, body in (
            ("coinbase", "/api/v3/brokerage/market/products?product_type=SPOT",
             {"products": [{"product_id": "BTC-USD", "product_type": "SPOT", "status": "online", "alias": "", "view_only": True}]}),
            ("okx", "/api/v5/public/instruments?instType=SPOT",
             {"code": "0", "msg": "", "data": [{"instId": "BTC-USDT", "instType": "SPOT", "baseCcy": "BTC", "quoteCcy": "USDT",
                                                "state": "live", "tickSz": "0.1", "lotSz": "0.00000001"}]}),
            ("bybit", "/v5/market/instruments-info?category=spot",
             {"retCode": 0, "retMsg": "OK", "result": {"list": [{**steps, "lotSizeFilter": {"basePrecision": "0.000001"}}]}}),
            ("bybit-linear", "/v5/market/instruments-info?category=linear&limit=1000",
             {"retCode": 0, "retMsg": "OK", "result": {"list": [perpetual], "nextPageCursor": "BTCUSDT"}}),
            ("binance", "/api/v3/exchangeInfo?permissions=SPOT&symbolStatus=TRADING&showPermissionSets=false",
             {"symbols": [{"symbol": "BTCUSDT", "status": "TRADING", "baseAsset": "BTC", "quoteAsset": "USDT",
                           "filters": [{"filterType": "PRICE_FILTER", "tickSize": "0.01000000"},
                                       {"filterType": "LOT_SIZE", "stepSize": "0.00001000"}]}]})):
        put(f"{name}-list", "a", [compact(body)])
        message = compact({"fetched": path, "status": 200, "body": body})
        put(f"{name}-session", "list", [message, TIME_PASSES, message])
        if name == "bybit-linear":
            put(f"{name}-session", "page", [message, compact({"fetched": path + "&cursor=BTCUSDT", "status": 200, "body": body})])


def kept():
    market = "kraken/BTC/USD"
    put("lists", "a", [compact({"version": 1, "next": 2, "lists": [
        {"id": "stars", "name": "Stars", "members": [market, "bitmex/XBTUSD"]},
        {"id": "list-1", "name": "Mine", "members": ["isin/US0378331005"]}]})])
    time = 1_790_000_000_000_000_000
    alert = {"id": 1, "market": market, "level": "45000.5", "repeats": False, "armed": True, "createdAt": time}
    put("alerts", "empty", [compact({"version": 1, "nextAlert": 1, "nextFiring": 1, "seenUntil": time, "alerts": [],
                                     "watches": [], "firings": [], "blind": []})])
    put("alerts", "a", [compact({
        "version": 1, "nextAlert": 2, "nextFiring": 2, "seenUntil": time,
        "alerts": [alert],
        "watches": [{"market": market, "price": "45000", "time": time, "identifier": 7, "openSince": time}],
        "firings": [{"number": 1, "alert": 1, "market": market, "level": "45000.5", "from": "below", "price": "45001",
                     "time": time, "identifier": 8, "at": time}],
        "blind": [{"market": market, "since": time, "until": time + 5}]})])
    begin = 1_789_948_800_000
    put("truth", "a", [compact({"version": 1, "keptAt": begin + 10_000, "records": [
        [market, "simulated", [[begin, "proven", None], [begin + 5000, "blind", "the connection was lost"]],
         [begin, begin + 10_000, 2, [10_000, 0, 0, 0, 0, 0, 0]]]]})])


def books():
    """Rows as pages receive them, recordings, and changes of books as bytes (Parsers/BookTargets.swift)."""
    rows = compact([[[f"{100 - at}.5", f"{at}.25", f"{at}", 0, 0, "1"] for at in range(1, 21)],
                    [[f"{100 + at}.5", f"{at}", f"{at}", 0, 0, "1"] for at in range(1, 21)], 1])
    put("book-rows", "a", ["\x21" + rows])
    put("book-rows", "b", ["\x21" + compact([[["1", "2"]], []])])
    for venue, byte in (("bitmex", "0"), ("kraken", "1")):
        for file in sorted((pathlib.Path(sys.argv[1]) / venue).iterdir())[:12]:
            messages = [m for m in file.read_bytes().decode().split("\0") if m[:1] == "{"]
            put("recording", f"{venue}-{file.name}",
                [byte + "".join(f"1790000000.{at:06}\t{m}\n" for at, m in enumerate(messages))])
    changes = bytes(value for at in range(24) for value in (4 * (at % 2), at * 9 % 256, 1, at))
    for target in ("kraken-book", "bitmex-book"):
        folder = pathlib.Path(sys.argv[1]) / target
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "a").write_bytes(b"\3\0\0\0" + changes + b"\3\0\0\0" + b"\2\0\0\0" + changes[:16] + b"\2\0\0\0")
        (folder / "b").write_bytes(changes + b"\3\0\0\0" + b"\xf2\7\0\0" + changes[:8] + b"\3\0\0\0\2\x09\0\0")
    # A bid's price and later an equal ask's: one id, which the copy once treated as two levels.
    (pathlib.Path(sys.argv[1]) / "bitmex-book" / "one-id").write_bytes(base64.b64decode(
        "AEludADJAAQJAQEAEgECBBsBAwAkAQQE5y0BBQA2AYYEPwEHAEgBCARRAQkAWgEKBGMBCwBsAQwEdQENAH4BDgSHAQ8AkAEQ"
        "BJkBEQAkARIEqwETAQAAtAEUBD0VxgEBABYEzwEXAwAAAPIHAAAAAAEABAkBAegAAAACCQAA"))


def scripts():
    """Requests with the bytes of their method and headers, and messages of the stream."""
    orders = {"clientId": "a-1", "type": "limit", "side": "buy", "quantity": "10", "price": "45.01", "timeInForce": "ioc"}
    market = {"clientId": "a-2", "type": "market", "side": "sell", "quantity": "0.5", "protection": "44"}
    for at, (method, headers, path, body) in enumerate((
            (0, 0, "/instruments?venue=kraken&limit=5&after=kraken%2FBTC%2FUSD", ""), (0, 0, "/connections", ""),
            (0, 0, "/instruments/kraken%2FBTC%2FUSD/ticker", ""), (1, 0, "/instruments/kraken/BTC/USD/book", ""),
            (0, 0, "/instruments/bitmex%2FXBTUSD/trades", ""), (0, 0, "/orders?before=17", ""), (0, 0, "/orders/17", ""),
            (0, 0, "/instruments/kraken%2FBTC%2FUSD/candles?interval=60000&limit=5&before=1790000000000", ""),
            (0, 0, "/positions", ""), (2, 1, "/orders", compact(orders)), (2, 2, "/orders", compact(market)),
            (3, 1, "/orders/17", compact({"clientId": "a-3", "quantity": "4", "price": "45"})), (4, 0, "/orders/17", ""),
            (0, 0, "/openapi.json", ""), (0, 8, "/stream", ""), (0, 4, "/orders", ""), (6, 0, "/nothing?a=%zz", ""))):
        put("script-request", f"r{at}", [chr(method) + chr(headers) + "/api/v1" + path + "\0" + body], separator="")
    for at, message in enumerate((
            *({"do": "subscribe", "channel": name, "instrument": "kraken/BTC/USD", "request": 1}
              for name in ("ticker", "book", "trades", "candles")),
            {"do": "subscribe", "channel": "candles", "instrument": "bitmex/XBTUSD", "interval": 1000},
            {"do": "unsubscribe", "channel": "orders"}, {"do": "subscribe", "channel": "positions", "request": -1},
            {"do": "subscribe", "channel": "connections"}, {"do": "ping", "request": 2})):
        put("script-socket", f"m{at}", [compact(message)])
    for at, topic in enumerate(("instruments/100/kraken/kraken/BTC/USD", "instruments/5/-/-", "connections", "orders", "positions",
                                "ticker/kraken/BTC/USD", "book/bitmex/XBTUSD", "trades/kraken/ETH/USD",
                                "candles/60000/exchange/TROAD")):
        put("script-topic", f"t{at}", [topic])


def bus():
    """A broker's messages, and what readers and followers send through it."""
    info = compact({"server_id": "NA", "version": "2.10.27", "max_payload": 1048576, "headers": True, "proto": 1,
                    "tls_available": True, "ldm": False, "connect_urls": ["10.0.0.1:4222"]})
    message = "MSG tape.kraken 7 5\r\nhello\r\n"
    headers = "NATS/1.0\r\nKey: value\r\nNats-Sequence: 12\r\n\r\n"
    replied = f"HMSG copy.kraken.s1 9 _INBOX.1 {len(headers)} {len(headers) + 3}\r\n{headers}abc\r\n"
    nobody = "NATS/1.0 503\r\n\r\n"
    unheard = f"HMSG _INBOX.1 9 {len(nobody)} {len(nobody)}\r\n{nobody}\r\n"
    greeting = f"INFO {info}\r\nPONG\r\n"
    streams = {
        "open": greeting + "PING\r\n" + message + replied + unheard + "+OK\r\n",
        "refused": f"INFO {info}\r\n-ERR 'Authorization Violation'\r\n",
        "noticed": greeting + "-ERR 'Permissions Violation for Subscription to \"a\"'\r\n" + message,
        "empty": greeting + "MSG a 1 0\r\n\r\nMSG a 1 r 0\r\n\r\n", "tls": 'INFO {"tls_required":true,"headers":true}\r\n',
        "early": f"INFO {info}\r\n" + message,
    }
    for name, stream in streams.items():
        put("nats", name, ["\2" + stream])
        put("nats-link", name, ["\2\0" + stream])
    put("nats-link", "tls-first", ["\2\1" + streams["tls"]])
    put("nats-info", "a", [info])
    for at, address in enumerate(("nats://broker", "tls://user:pass%40@broker:4223", "nats://token@[::1]:4222/")):
        put("nats-address", f"a{at}", [address])
    for at, record in enumerate(("7 12 t\t" + compact({"channel": "heartbeat"}), "7 13 s\t1,45.05,45.01,17,45.10,36\n",
                                 "18446744073709551615 1 o\tsimulated", "7 14 m\tabc", "7 15 c\tthe venue has gone")):
        put("tape-record", f"r{at}", [record])
    put("tape-pulse", "live", ["7 12 1 live simulated 1250\t"])
    put("tape-pulse", "away", ["7 12 0 backingOff venue -\tthe connection was lost \u2014 again"])
    put("tape-wants", "a", ["s1 0\nbook BTC/USD\ntrades BTC/USD\nfigures ETH/USD"])
    put("tape-wants", "b", ["server 1"])
    put("tape-reply", "a", ["7 12 3 1"])
    for at, question in enumerate(("names currencies", "names tokens", "condition", "candles 60000 XBTUSD=XXBTZUSD",
                                   "trades 1700000000000000000 AAPLxUSD@token", "tickers", "product sb26493")):
        put("tape-question", f"q{at}", ["h 0 0 0\t" + question])
        put("tape-question", f"r{at}", ["p 7 12 524208\t" + question])
    for at, answer in enumerate(('7 1 p 200 custom 1250 0 12\t{"error":[]}', "7 1 p 200 custom 0 4 12\tr\":[]}", "7 0 w\t", "7 0 b\t",
                                 "7 0 g\t", "7 0 r\t", "7 3 f\tKraken is not accepting connections.")):
        put("tape-answer", f"a{at}", [answer])
    for at, command in enumerate((
            {"do": "place", "clientId": "a", "side": "buy", "quantity": "10", "type": "limit", "price": "40", "timeInForce": "gtc"},
            {"do": "preview", "clientId": "b", "side": "sell", "quantity": "1", "type": "market", "protection": "44.9"},
            {"do": "amend", "order": 3, "clientId": "c", "quantity": "9"}, {"do": "cancel", "order": 12},
            {"do": "cancelAll", "order": 0})):
        put("ledger-command", f"c{at}", ["7 12\n" + compact(command)])
    for at, response in enumerate((
            {"is": "placed", "order": 7, "repeated": False}, {"is": "amended", "order": 9, "repeated": True},
            {"is": "cancelled", "order": 10}, {"is": "cancelledAll", "count": 3},
            {"is": "preview", "price": 45020000, "quantity": 4, "leaves": 6, "rests": True, "tick": 99},
            {"is": "refused", "message": "No.", "field": "quantity", "order": 2, "nameTaken": False},
            {"is": "unconfirmed", "message": "Nobody knows."})):
        put("ledger-response", f"r{at}", [compact(response)])
    put("ledger-notices", "n", ["7 1790000000000000000 0\tBought 10 AAPL at 45.02.\n8 -5 1\tOrder rejected."])
    for target in ("tape-pieces", "tape-lines"):
        put(target, "a", ["\3" + "1,45.05,45.01,17,45.10,36\n2,45.06,45.01,17,45.10,36\n3,4"])


for write in (bitmex, kraken, coinbase, listings, okx, bybit, binance, isin, bux, echo_and_ticks, page, history, ledger, parsers,
              histories, kept, books, scripts, bus):
    write()
