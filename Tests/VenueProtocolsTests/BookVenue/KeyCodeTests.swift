import Testing

@testable import VenueProtocols
import WireJSON

/// Every short word of a protocol, spelled out.
@Suite struct KeyCodeTests {
  private static let words: [[(code: UInt64, word: String)]] = [
    [
      (BitMEXKeyCode.table, "table"), (BitMEXKeyCode.action, "action"),
      (BitMEXKeyCode.data, "data"), (BitMEXKeyCode.filter, "filter"),
      (BitMEXKeyCode.error, "error"), (BitMEXKeyCode.status, "status"),
      (BitMEXKeyCode.meta, "meta"), (BitMEXKeyCode.request, "request"),
      (BitMEXKeyCode.success, "success"), (BitMEXKeyCode.info, "info"),
      (BitMEXKeyCode.symbol, "symbol"), (BitMEXKeyCode.identifier, "id"),
      (BitMEXKeyCode.side, "side"), (BitMEXKeyCode.size, "size"), (BitMEXKeyCode.price, "price"),
      (BitMEXKeyCode.bidSize, "bidSize"), (BitMEXKeyCode.askSize, "askSize"),
      (BitMEXKeyCode.bidPrice, "bidPrice"), (BitMEXKeyCode.askPrice, "askPrice"),
      (BitMEXKeyCode.tickSize, "tickSize"), (BitMEXKeyCode.partial, "partial"),
      (BitMEXKeyCode.insert, "insert"), (BitMEXKeyCode.update, "update"),
      (BitMEXKeyCode.delete, "delete"), (BitMEXKeyCode.buy, "Buy"), (BitMEXKeyCode.sell, "Sell"),
    ],
    [
      (KrakenKeyCode.channel, "channel"), (KrakenKeyCode.type, "type"),
      (KrakenKeyCode.data, "data"), (KrakenKeyCode.symbol, "symbol"), (KrakenKeyCode.bids, "bids"),
      (KrakenKeyCode.asks, "asks"), (KrakenKeyCode.checksum, "checksum"),
      (KrakenKeyCode.price, "price"), (KrakenKeyCode.quantity, "qty"), (KrakenKeyCode.side, "side"),
      (KrakenKeyCode.tradeIdentifier, "trade_id"), (KrakenKeyCode.method, "method"),
      (KrakenKeyCode.success, "success"), (KrakenKeyCode.error, "error"),
      (KrakenKeyCode.warnings, "warnings"), (KrakenKeyCode.result, "result"),
      (KrakenKeyCode.status, "status"), (KrakenKeyCode.requestIdentifier, "req_id"),
      (KrakenKeyCode.book, "book"), (KrakenKeyCode.trade, "trade"),
      (KrakenKeyCode.ticker, "ticker"), (KrakenKeyCode.snapshot, "snapshot"),
      (KrakenKeyCode.update, "update"), (KrakenKeyCode.buy, "buy"), (KrakenKeyCode.sell, "sell"),
    ],
    [
      (CoinbaseKeyCode.channel, "channel"), (CoinbaseKeyCode.type, "type"),
      (CoinbaseKeyCode.events, "events"), (CoinbaseKeyCode.message, "message"),
      (CoinbaseKeyCode.reason, "reason"), (CoinbaseKeyCode.updates, "updates"),
      (CoinbaseKeyCode.trades, "trades"), (CoinbaseKeyCode.tickers, "tickers"),
      (CoinbaseKeyCode.side, "side"), (CoinbaseKeyCode.price, "price"),
      (CoinbaseKeyCode.size, "size"), (CoinbaseKeyCode.time, "time"),
      (CoinbaseKeyCode.status, "status"), (CoinbaseKeyCode.bid, "bid"),
      (CoinbaseKeyCode.offer, "offer"), (CoinbaseKeyCode.buy, "BUY"),
      (CoinbaseKeyCode.sell, "SELL"), (CoinbaseKeyCode.update, "update"),
      (CoinbaseKeyCode.snapshot, "snapshot"), (CoinbaseKeyCode.error, "error"),
      (CoinbaseKeyCode.book, "l2_data"), (CoinbaseKeyCode.fetched, "fetched"),
      (CoinbaseKeyCode.ticker, "ticker"),
    ],
    [
      (OKXKeyCode.arg, "arg"), (OKXKeyCode.data, "data"), (OKXKeyCode.action, "action"),
      (OKXKeyCode.instrument, "instId"), (OKXKeyCode.event, "event"), (OKXKeyCode.code, "code"),
      (OKXKeyCode.message, "msg"), (OKXKeyCode.asks, "asks"), (OKXKeyCode.bids, "bids"),
      (OKXKeyCode.sequence, "seqId"), (OKXKeyCode.checksum, "checksum"), (OKXKeyCode.price, "px"),
      (OKXKeyCode.size, "sz"), (OKXKeyCode.side, "side"), (OKXKeyCode.time, "ts"),
      (OKXKeyCode.count, "count"), (OKXKeyCode.tradeIdentifier, "tradeId"), (OKXKeyCode.buy, "buy"),
      (OKXKeyCode.sell, "sell"), (OKXKeyCode.snapshot, "snapshot"), (OKXKeyCode.update, "update"),
      (OKXKeyCode.books, "books"), (OKXKeyCode.trades, "trades"), (OKXKeyCode.tickers, "tickers"),
      (OKXKeyCode.bestLevels, "bbo-tbt"), (OKXKeyCode.fiveLevels, "books5"),
      (OKXKeyCode.status, "status"), (OKXKeyCode.fetched, "fetched"),
    ],
    [
      (BybitKeyCode.topic, "topic"), (BybitKeyCode.type, "type"), (BybitKeyCode.data, "data"),
      (BybitKeyCode.success, "success"), (BybitKeyCode.message, "ret_msg"),
      (BybitKeyCode.operation, "op"), (BybitKeyCode.request, "req_id"), (BybitKeyCode.symbol, "s"),
      (BybitKeyCode.bids, "b"), (BybitKeyCode.asks, "a"), (BybitKeyCode.update, "u"),
      (BybitKeyCode.sequence, "seq"), (BybitKeyCode.identifier, "i"), (BybitKeyCode.time, "T"),
      (BybitKeyCode.price, "p"), (BybitKeyCode.size, "v"), (BybitKeyCode.side, "S"),
      (BybitKeyCode.buy, "Buy"), (BybitKeyCode.sell, "Sell"), (BybitKeyCode.snapshot, "snapshot"),
      (BybitKeyCode.fetched, "fetched"), (BybitKeyCode.delta, "delta"),
    ],
    [
      (BinanceKeyCode.stream, "stream"), (BinanceKeyCode.data, "data"),
      (BinanceKeyCode.identifier, "id"), (BinanceKeyCode.code, "code"),
      (BinanceKeyCode.message, "msg"), (BinanceKeyCode.error, "error"), (BinanceKeyCode.event, "e"),
      (BinanceKeyCode.fetched, "fetched"), (BinanceKeyCode.symbol, "s"),
      (BinanceKeyCode.first, "U"), (BinanceKeyCode.last, "u"), (BinanceKeyCode.bids, "b"),
      (BinanceKeyCode.asks, "a"), (BinanceKeyCode.bidSize, "B"), (BinanceKeyCode.askSize, "A"),
      (BinanceKeyCode.trade, "t"), (BinanceKeyCode.price, "p"), (BinanceKeyCode.size, "q"),
      (BinanceKeyCode.time, "T"), (BinanceKeyCode.isBuyerMaker, "m"),
      (BinanceKeyCode.eventTime, "E"),
    ],
  ]

  @Test(arguments: words)
  func `every word of the protocol has its code`(words: [(code: UInt64, word: String)]) {
    for (code, word) in words {
      let bytes = Array(word.utf8)
      let expected = JSONCursor.keyCode(bytes.span, 0..<bytes.count)
      #expect(code == expected, "\(word)")
    }
  }
}
