import MarketModel
import Testing

@testable import VenueProtocols

/// A book venue of the hostile suites: a session with a valid book, and what its messages are.
struct HostileCase: Sendable, CustomTestStringConvertible {
  let venue: Venue
  /// A session whose book is ``image``.
  let live: @Sendable () -> any BookHarness
  /// Messages that the session reads, the next of their connection.
  let messages: [String]
  /// An update with this level among its bids.
  let update: @Sendable (_ level: String) -> String
  /// Levels that no venue sends: what they are, and their text.
  let levels: [(what: String, text: String)]
  /// Unreadable messages that could be a book's, so that no book stays valid after one.
  let others: [String]
  /// Whether a changed digit is a valid message.
  var hasChecksum = false

  var testDescription: String { "\(venue)" }

  static let image = "100.5×0.1 99×2 | 101×1.5"
  private static let (bids, asks) = ("100.5×0.1 99×2", "101×1.5")
  /// Levels as lists of two texts.
  private static let pairs: [(what: String, text: String)] = [
    ("a huge number", #"["1e400","1"]"#), ("twenty digits", #"["99999999999999999999","1"]"#),
    ("a negative price", #"["-100.5","1"]"#), ("a negative size", #"["100.5","-1"]"#),
    ("a price of nothing", #"["0","1"]"#), ("no text", #"["","1"]"#), ("letters", #"["x","1"]"#),
    ("null", #"[null,"1"]"#), ("one number", #"["100.5"]"#), ("none", "[]"),
    ("an object", #"{"price":"100.5"}"#), ("half a number", #"["100.5","1x"]"#),
    ("thirteen decimals", #"["100.0000000000001","1"]"#),
  ]
  private static let nests = "[" + String(repeating: "[", count: 200)

  static let all = [kraken, coinbase, binance, okx, bybit, bybitLinear]

  static let kraken = HostileCase(
    venue: .kraken,
    live: {
      let symbol = KrakenHarness.bitcoin
      var harness = KrakenHarness(
        wanting: Subscription(.book, symbol), Subscription(.trades, symbol))
      harness.receive(krakenMessages[0])
      harness.receive(KrakenHarness.trades("snapshot", "7 buy 100.6 0.3"))
      return harness
    },
    messages: krakenMessages,
    update: {
      #"{"channel":"book","type":"update","data":[{"symbol":"BTC/USD","bids":[\#($0)],"#
        + #""asks":[],"checksum":1}]}"#
    },
    levels: [
      ("a number that is too exact", #"{"price":100.55,"qty":1.0}"#),
      ("a quantity that is too exact", #"{"price":100.5,"qty":0.000000001}"#),
      ("a huge number", #"{"price":1e400,"qty":1.0}"#),
      ("nineteen digits", #"{"price":9999999999999999999,"qty":1.0}"#),
      ("a negative price", #"{"price":-100.5,"qty":1.0}"#),
      ("a negative quantity", #"{"price":100.5,"qty":-1.0}"#),
      ("a price of nothing", #"{"price":0,"qty":1.0}"#),
      ("a string", #"{"price":"100.5","qty":1.0}"#),
      ("null", #"{"price":null,"qty":1.0}"#), ("no quantity", #"{"price":100.5}"#),
      ("a key twice", #"{"price":100.5,"price":100.5,"qty":1.0}"#),
      ("no object", "[100.5,1.0]"),
    ],
    others: [
      #"{"channel":"book","data":[],"type":"sideways"}"#, #"{"channel":"book","type":"update"}"#,
      #"{"channel":"book","type":"update","data":{}}"#,
      #"{"channel":"book","type":"update","data":[{"symbol":"BTC/USD","bids":[],"asks":[]}]}"#,
      #"{"channel":"book","type":"update","data":[{"symbol":"BTC/USD","checksum":1}]}"#,
      #"{"channel":"book","type":"update","data":[{"symbol":"BTC/USD","bids":[],"checksum":-1}]}"#,
      #"{"channel":"book","type":"update","#
        + #""data":[{"symbol":"BTC/USD","bids":[],"checksum":4294967296}]}"#,
      #"{"channel":"book","channel":"book","type":"update","data":[]}"#, "[]", "", nests,
    ],
    hasChecksum: true)

  private static let krakenMessages: [String] = [
    KrakenHarness.book(
      "snapshot", bids: "100.5×0.10000000 99.0×2.00000000", asks: "101.0×1.50000000",
      sum: "100.5×0.10000000 99.0×2.00000000 | 101.0×1.50000000"),
    KrakenHarness.book(
      "update", bids: "100.5×0.20000000", asks: "101.0×0 101.5×1.25000000",
      sum: "100.5×0.20000000 99.0×2.00000000 | 101.5×1.25000000"),
    KrakenHarness.online, KrakenHarness.heartbeat, KrakenHarness.pairs(),
    KrakenHarness.trades("update", "8 sell 100.5 0.40000000"),
    #"{"method":"subscribe","result":{"channel":"book","depth":100,"symbol":"BTC/USD"},"#
      + #""success":true,"req_id":9}"#,
    #"{"error":"Currency pair not supported BTC/USD","method":"subscribe","success":false,"#
      + #""symbol":"BTC/USD","req_id":9}"#,
    #"{"method":"pong","req_id":101,"time_in":"x","time_out":"y"}"#,
  ]

  static let coinbase = HostileCase(
    venue: .coinbase,
    live: {
      let symbol = CoinbaseHarness.bitcoin
      var harness = CoinbaseHarness(
        wanting: Subscription(.book, symbol), Subscription(.trades, symbol),
        Subscription(.figures, symbol))
      harness.say(CoinbaseHarness.status())
      harness.say(CoinbaseHarness.book("snapshot", bids: bids, asks: asks))
      harness.say(CoinbaseHarness.trades("snapshot", "7 BUY 100.6 0.3"))
      harness.say(CoinbaseHarness.ticker("snapshot", #""price":"96""#))
      return harness
    },
    messages: [
      CoinbaseHarness.book("snapshot", bids: bids, asks: asks),
      CoinbaseHarness.book("update", bids: "100.5×0.2", asks: "101×0 101.5×1.25"),
      CoinbaseHarness.trades("update", "8 SELL 100.5 0.4"),
      CoinbaseHarness.ticker("update", #""price":"95","price_percent_chg_24_h":"-5""#),
      CoinbaseHarness.status(), CoinbaseHarness.heartbeat, CoinbaseHarness.subscriptions,
    ].map { CoinbaseHarness.text($0, number: 5) },
    update: {
      let events = #"{"type":"update","product_id":"BTC-USD","updates":[{\#($0)}]}"#
      return CoinbaseHarness.text(("l2_data", events), number: 5)
    },
    levels: [
      ("a price too exact", #""side":"bid","price_level":"100.123456789","new_quantity":"1""#),
      ("a size too exact", #""side":"bid","price_level":"100.5","new_quantity":"0.000000001""#),
      ("a huge number", #""side":"bid","price_level":"1e400","new_quantity":"1""#),
      ("twenty digits", #""side":"bid","price_level":"99999999999999999999","new_quantity":"1""#),
      ("a negative price", #""side":"bid","price_level":"-100.5","new_quantity":"1""#),
      ("a negative size", #""side":"bid","price_level":"100.5","new_quantity":"-1""#),
      ("a price of nothing", #""side":"bid","price_level":"0.00","new_quantity":"1""#),
      ("a number", #""side":"bid","price_level":100.5,"new_quantity":"1""#),
      ("null", #""side":"bid","price_level":null,"new_quantity":"1""#),
      ("an empty size", #""side":"bid","price_level":"100.5","new_quantity":"""#),
      ("no size", #""side":"bid","price_level":"100.5""#),
      ("no side", #""price_level":"100.5","new_quantity":"1""#),
      ("an unknown side", #""side":"ask","price_level":"100.5","new_quantity":"1""#),
      ("a key twice", #""side":"bid","side":"bid","price_level":"100.5","new_quantity":"1""#),
      ("text behind a number", #""side":"bid","price_level":"100.5x","new_quantity":"1""#),
    ],
    others: [
      #"{"channel":"l2_data","sequence_num":5}"#, #"{"channel":"l2_data","events":[]}"#,
      #"{"channel":"l2_data","sequence_num":-1,"events":[]}"#,
      #"{"channel":"l2_data","sequence_num":"5","events":[]}"#,
      #"{"channel":"l2_data","sequence_num":5,"events":{}}"#,
      #"{"channel":"l2_data","sequence_num":5,"events":[{"type":"update","updates":[]}]}"#,
      #"{"channel":"l2_data","sequence_num":5,"events":[{"product_id":"BTC-USD","updates":[]}]}"#,
      #"{"channel":"l2_data","sequence_num":5,"#
        + #""events":[{"type":"update","product_id":"BTC-USD"}]}"#,
      #"{"channel":"l2_data","sequence_num":5,"#
        + #""events":[{"type":"odd","product_id":"BTC-USD","updates":[]}]}"#,
      #"{"channel":"l2_data","sequence_num":5,"#
        + #""events":[{"type":"update","product_id":"ODD","updates":[]}]}"#,
      #"{"channel":"something","sequence_num":5,"events":[]}"#,
      #"{"channel":"l2_data","channel":"l2_data","sequence_num":5,"events":[]}"#,
      "{}", "[]", "", nests,
    ])

  static let binance = HostileCase(
    venue: .binance,
    live: {
      let symbol = BinanceHarness.bitcoin
      var harness = BinanceHarness(
        wanting: Subscription(.book, symbol), Subscription(.trades, symbol))
      harness.receive(BinanceHarness.snapshot(10, bids: bids, asks: asks))
      harness.receive(BinanceHarness.trade("7 buy 100.5 0.3"))
      return harness
    },
    messages: [
      BinanceHarness.snapshot(12, bids: bids, asks: asks),
      BinanceHarness.update(11, 12, bids: "100.5×0.2", asks: "101×0 101.5×1.25"),
      BinanceHarness.trade("8 sell 100.5 0.4"),
      BinanceHarness.best(10, bid: "100.5×0.1", ask: "101×1.5"),
      BinanceHarness.ticker(#""c":"100.5""#), #"{"result":null,"id":1}"#,
      #"{"error":{"code":2,"msg":"Invalid request"},"id":1}"#,
      BinanceHarness.listing(tick: "0.1", step: "0.01"),
      BinanceHarness.response(
        .depth(BinanceHarness.bitcoin), status: 429, wait: 3, body: #"{"code":-1003,"msg":"x"}"#),
    ],
    update: {
      #"{"stream":"btcusdt@depth@100ms","data":{"s":"BTCUSDT","U":11,"u":11,"b":[\#($0)],"a":[]}}"#
    },
    levels: pairs,
    others: [
      #"{"stream":"btcusdt@depth@100ms"}"#, #"{"data":{}}"#,
      #"{"stream":"btcusdt@depth@100ms","data":{"U":11,"u":11,"b":[],"a":[]}}"#,
      #"{"stream":"btcusdt@depth@100ms","data":{"s":"BTCUSDT","u":11,"b":[],"a":[]}}"#,
      #"{"stream":"btcusdt@depth@100ms","data":{"s":"BTCUSDT","U":12,"u":11,"b":[],"a":[]}}"#,
      #"{"stream":"btcusdt@depth@100ms","data":{"s":"BTCUSDT","U":-1,"u":11,"b":[],"a":[]}}"#,
      #"{"stream":"btcusdt@depth@100ms","data":{"s":"BTCUSDT","U":11,"u":11,"b":[]}}"#,
      #"{"stream":"btcusdt@depth@100ms","data":[]}"#, "[]", "", "pong", nests,
    ])

  static let okx = HostileCase(
    venue: .okx,
    live: {
      let symbol = OKXHarness.bitcoin
      var harness = OKXHarness(wanting: Subscription(.book, symbol), Subscription(.trades, symbol))
      harness.receive(OKXHarness.book("snapshot", bids: bids, asks: asks, 10))
      harness.receive(OKXHarness.trade("7 buy 100.5 0.3"))
      return harness
    },
    messages: [
      OKXHarness.book("snapshot", bids: bids, asks: asks, 10),
      OKXHarness.book("update", bids: "100.5×0.2", asks: "101×0 101.5×1.25", 12, after: 10),
      OKXHarness.trade("8 sell 100.5 0.4"), OKXHarness.best(bid: "100.5×0.1", ask: "101×1.5", 10),
      OKXHarness.ticker(#""last":"100.5","ts":"1790358564077""#),
      OKXHarness.event("subscribe", "books"), OKXHarness.event("", "books", code: "60018"),
    ],
    update: {
      #"{"arg":{"channel":"books","instId":"BTC-USDT"},"action":"update","data":[{"asks":[],"#
        + #""bids":[\#($0)],"seqId":11,"prevSeqId":10}]}"#
    },
    levels: pairs,
    others: [
      #"{"arg":{"channel":"books","instId":"BTC-USDT"},"data":[],"action":"sideways"}"#,
      #"{"arg":{"channel":"books","instId":"BTC-USDT"},"action":"update"}"#,
      #"{"arg":{"channel":"books","instId":"BTC-USDT"},"action":"update","data":[]}"#,
      #"{"arg":{"channel":"books","instId":"BTC-USDT"},"data":[{"asks":[],"bids":[]}]}"#,
      #"{"arg":{"channel":"books","instId":"BTC-USDT"},"action":"update","data":[{"asks":[]}]}"#,
      #"{"arg":{"instId":"BTC-USDT"},"action":"update","data":[]}"#, #"{"data":[]}"#,
      #"{"arg":{"channel":"books","channel":"books","instId":"BTC-USDT"}}"#, "[]", "", "pongs",
      nests,
    ])

  static let bybit = HostileCase(
    venue: .bybit,
    live: {
      let symbol = BybitHarness.bitcoin
      var harness = BybitHarness(
        wanting: Subscription(.book, symbol), Subscription(.trades, symbol))
      harness.receive(BybitHarness.book("snapshot", bids: bids, asks: asks, 10))
      harness.receive(BybitHarness.trades("7 Buy 100.5 0.3"))
      return harness
    },
    messages: [
      BybitHarness.book("snapshot", bids: bids, asks: asks, 10),
      BybitHarness.book("delta", bids: "100.5×0.2", asks: "101×0 101.5×1.25", 11),
      BybitHarness.trades("8 Sell 100.5 0.4"),
      BybitHarness.book(
        "snapshot", bids: "100.5×0.1", asks: "101×1.5", 5, sequence: 100, depth: 1),
      BybitHarness.ticker(#""symbol":"BTCUSDT","lastPrice":"100.5""#),
      BybitHarness.response("subscribe", 1), BybitHarness.response("pong", 2),
    ],
    update: {
      #"{"topic":"orderbook.50.BTCUSDT","type":"delta","data":{"a":[],"b":[\#($0)],"u":11}}"#
    },
    levels: pairs,
    others: [
      #"{"topic":"orderbook.50.BTCUSDT","data":{},"type":"sideways"}"#,
      #"{"topic":"orderbook.50.BTCUSDT","type":"delta"}"#,
      #"{"topic":"orderbook.50.BTCUSDT","data":{"a":[],"b":[],"u":11}}"#,
      #"{"topic":"orderbook.50.BTCUSDT","type":"delta","data":[]}"#,
      #"{"topic":"orderbook.50.BTCUSDT","type":"delta","data":{"a":[],"b":[]}}"#,
      #"{"topic":"orderbook.50.BTCUSDT","type":"delta","data":{"a":[],"u":11}}"#,
      #"{"type":"delta","data":{}}"#, "[]", "", "pong", nests,
    ])

  static let bybitLinear = HostileCase(
    venue: .bybitLinear,
    live: {
      let symbol = BybitHarness.bitcoin
      var harness = BybitLinearHarness(
        wanting: Subscription(.book, symbol), Subscription(.trades, symbol))
      for message in bybit.messages.prefix(1) { harness.receive(message) }
      harness.receive(BybitHarness.trades("7 Buy 100.5 0.3"))
      return harness
    },
    messages: bybit.messages + [BybitHarness.tickerDelta(#","lastPrice":"100.5""#)],
    update: bybit.update, levels: pairs, others: bybit.others)
}
