// After an unreadable message that may have been about an instrument, its earlier value is not live
// any more, at any venue.

import MarketModel
import Testing

@testable import VenueProtocols

struct UnreadableMessageTests: QuoteVenueTests {
  /// One live stream of a venue: its session, unreadable forms of a live message, and the repair.
  struct Stream: Sendable {
    let name: String
    let subscription: Subscription
    let session: any VenueSession
    /// Messages that may be about the instrument and can't be parsed.
    let unreadable: [String]
    let now: ClockReading
    var kind = MessageKind.text
  }

  private static func kraken(_ channel: Channel, _ unreadable: [String]) -> Stream {
    let stream = Subscription(channel, KrakenHarness.bitcoin)
    var harness = KrakenHarness(wanting: stream)
    harness.receive(
      KrakenHarness.book(
        "snapshot", bids: "100.4×0.1", asks: "100.6×2", sum: "100.4×0.10000000 | 100.6×2.00000000"))
    harness.receive(KrakenHarness.trades("snapshot", "5 buy 100.5 0.1"))
    harness.receive(
      #"{"channel":"ticker","type":"snapshot","data":[{"symbol":"BTC/USD","last":100.5}]}"#)
    return Stream(
      name: "kraken \(channel)", subscription: stream, session: harness.session,
      unreadable: unreadable, now: harness.now)
  }

  private static func bitmex(_ channel: Channel, _ unreadable: [String]) -> Stream {
    let stream = Subscription(channel, SessionHarness.usual)
    var harness = SessionHarness(wanting: stream)
    harness.receive(
      #"{"table":"instrument","action":"partial","filter":{"symbol":"XBTUSD"},"#
        + #""data":[{"symbol":"XBTUSD","tickSize":0.5}]}"#)
    harness.receive(Wire.partial("1 Buy 100 7", "2 Sell 101 8"))
    harness.receive(Wire.audit(Wire.partial("1 Buy 100 7", "2 Sell 101 8")))
    harness.receive(Wire.trades("partial", "36:33.432 Buy 100.5 100"))
    harness.receive(
      #"{"table":"quote","action":"partial","filter":{"symbol":"XBTUSD"},"#
        + #""data":[{"symbol":"XBTUSD","bidPrice":100,"askPrice":101}]}"#)
    return Stream(
      name: "bitmex \(channel)", subscription: stream, session: harness.session,
      unreadable: unreadable, now: harness.now)
  }

  private static func coinbase(_ channel: Channel, _ unreadable: [String]) -> Stream {
    let stream = Subscription(channel, CoinbaseHarness.bitcoin)
    var harness = CoinbaseHarness(wanting: stream)
    harness.say(CoinbaseHarness.book("snapshot", bids: "100.4×0.1", asks: "100.6×2"))
    harness.say(CoinbaseHarness.trades("snapshot", "5 BUY 100.5 0.1"))
    harness.say(CoinbaseHarness.ticker("snapshot", #""price":"100.5""#))
    return Stream(
      name: "coinbase \(channel)", subscription: stream, session: harness.session,
      unreadable: unreadable, now: harness.now)
  }

  private static func okx(_ channel: Channel, _ unreadable: [String]) -> Stream {
    let stream = Subscription(channel, OKXHarness.bitcoin)
    var harness = OKXHarness(wanting: stream)
    harness.receive(OKXHarness.book("snapshot", bids: "100.4×0.1", asks: "100.6×2", 10))
    harness.receive(OKXHarness.trade("5 buy 100.5 0.1"))
    harness.receive(OKXHarness.ticker(#""last":"100.5""#))
    return Stream(
      name: "okx \(channel)", subscription: stream, session: harness.session,
      unreadable: unreadable, now: harness.now)
  }

  private static func bybit(_ channel: Channel, _ unreadable: [String]) -> Stream {
    let stream = Subscription(channel, BybitHarness.bitcoin)
    var harness = BybitHarness(wanting: stream)
    harness.receive(BybitHarness.book("snapshot", bids: "100.4×0.1", asks: "100.6×2", 10))
    harness.receive(BybitHarness.trades("5 Buy 100.5 0.1"))
    harness.receive(BybitHarness.ticker(#""lastPrice":"100.5""#))
    return Stream(
      name: "bybit \(channel)", subscription: stream, session: harness.session,
      unreadable: unreadable, now: harness.now)
  }

  private static func bybitLinear(_ channel: Channel, _ unreadable: [String]) -> Stream {
    let stream = Subscription(channel, BybitLinearHarness.bitcoin)
    var harness = BybitLinearHarness(wanting: stream)
    harness.receive(BybitHarness.book("snapshot", bids: "100.4×0.1", asks: "100.6×2", 10))
    harness.receive(BybitHarness.ticker(#""lastPrice":"100.5""#))
    return Stream(
      name: "bybit-linear \(channel)", subscription: stream, session: harness.session,
      unreadable: unreadable, now: harness.now)
  }

  private static func binance(_ channel: Channel, _ unreadable: [String]) -> Stream {
    let stream = Subscription(channel, BinanceHarness.bitcoin)
    var harness = BinanceHarness(wanting: stream)
    harness.receive(BinanceHarness.snapshot(10, bids: "100.4×0.1", asks: "100.6×2"))
    harness.receive(BinanceHarness.trade("5 buy 100.5 0.1"))
    harness.receive(BinanceHarness.ticker(#""c":"100.5""#))
    return Stream(
      name: "binance \(channel)", subscription: stream, session: harness.session,
      unreadable: unreadable, now: harness.now)
  }

  private static func quotes<Session: VenueSession>(
    _ name: String, _ session: Session, _ symbol: Symbol, _ messages: [String],
    _ unreadable: [String], kind: MessageKind = .text
  ) -> Stream {
    var driver = SessionDriver(session)
    driver.want([symbol])
    driver.give(.opened)
    for message in messages + driver.takeSent().filter({ $0.contains("sequence") }) {
      driver.receive(bytes: Array(message.utf8), kind: kind)
    }
    return Stream(
      name: name, subscription: Subscription(.quote, symbol), session: driver.session,
      unreadable: unreadable, now: driver.now, kind: kind)
  }

  private static let garbage = ["{", "oops", ""]
  private static let apple = Symbol(known: "US0378331005")
  private static let germany = Symbol(known: "sb26493")
  private static let stock = Symbol(known: "TROAD")

  static let streams: [Stream] = [
    kraken(
      .book, garbage + [#"{"channel":"book","type":"update","data":[{"symbol":"BTC/USD"}]}"#]),
    kraken(
      .trades, garbage + [#"{"channel":"trade","type":"update","data":[{"symbol":"BTC/USD"}]}"#]),
    kraken(
      .quote, garbage + [#"{"channel":"trade","type":"update","data":[{"symbol":"BTC/USD"}]}"#]),
    kraken(
      .figures,
      garbage + [
        #"{"channel":"ticker","type":"update","data":[{"symbol":"BTC/USD","last":"x"}]}"#
      ]),
    bitmex(.book, garbage + [#"{"table":"orderBookL2","action":"update","data":[{}]}"#]),
    bitmex(.trades, garbage + [#"{"table":"trade","action":"insert","data":[{}]}"#]),
    bitmex(
      .quote,
      garbage + [
        #"{"table":"quote","action":"insert","data":[{}]}"#,
        #"{"table":"trade","action":"insert","data":[{"symbol":"XBTUSD"}]}"#,
      ]),
    coinbase(.book, garbage + [#"{"channel":"l2_data","sequence_num":4,"events":[{}]}"#]),
    coinbase(
      .trades, garbage + [#"{"channel":"market_trades","sequence_num":4,"events":[{}]}"#]),
    coinbase(.quote, garbage + [#"{"channel":"market_trades","sequence_num":4,"events":[{}]}"#]),
    coinbase(.figures, garbage + [#"{"channel":"ticker","sequence_num":4,"events":[{}]}"#]),
    okx(
      .book,
      garbage + [
        #"{"arg":{"channel":"books","instId":"BTC-USDT"},"action":"update","data":[{}]}"#
      ]),
    okx(
      .trades,
      garbage + [#"{"arg":{"channel":"trades","instId":"BTC-USDT"},"data":[{}]}"#]),
    okx(
      .quote,
      garbage + [#"{"arg":{"channel":"trades","instId":"BTC-USDT"},"data":[{}]}"#]),
    okx(
      .figures,
      garbage + [#"{"arg":{"channel":"tickers","instId":"BTC-USDT"},"data":[{}]}"#]),
    bybit(
      .book, garbage + [#"{"topic":"orderbook.50.BTCUSDT","type":"delta","data":{}}"#]),
    bybit(
      .trades, garbage + [#"{"topic":"publicTrade.BTCUSDT","type":"snapshot","data":[{}]}"#]),
    bybit(
      .quote, garbage + [#"{"topic":"publicTrade.BTCUSDT","type":"snapshot","data":[{}]}"#]),
    bybit(
      .figures, garbage + [#"{"topic":"tickers.BTCUSDT","type":"snapshot","data":{}}"#]),
    bybitLinear(
      .book, garbage + [#"{"topic":"orderbook.50.BTCUSDT","type":"delta","data":{}}"#]),
    bybitLinear(
      .figures,
      garbage + [#"{"topic":"tickers.BTCUSDT","type":"delta","data":{"lastPrice":"x"}}"#]),
    binance(
      .book, garbage + [#"{"stream":"btcusdt@depth@100ms","data":{"s":"BTCUSDT"}}"#]),
    binance(.trades, garbage + [#"{"stream":"btcusdt@trade","data":{"s":"BTCUSDT"}}"#]),
    binance(.quote, garbage + [#"{"stream":"btcusdt@trade","data":{"s":"BTCUSDT"}}"#]),
    binance(.figures, garbage + [#"{"stream":"btcusdt@ticker","data":{"s":"BTCUSDT"}}"#]),
    quotes(
      "isin", IsinStreamSession(origin: .simulated), apple,
      [#"{"isin":"US0378331005","price":240.32}"#],
      garbage + [
        #"{"isin":"US0378331005","price":"240.32"}"#, #"{"isin":"US0378331005"}"#,
        #"{"isin":7,"price":1}"#, #"{"isin":"US0378331005","price":-1}"#,
        #"{"isin":"US0378331005","price":1,"bid":3,"ask":2}"#,
      ]),
    quotes(
      "bux", BuxSession(origin: .simulated), germany,
      [
        #"{"t":"connect.connected","body":{}}"#,
        #"{"t":"trading.quote","body":{"securityId":"sb26493","currentPrice":"12352.8"}}"#,
      ],
      garbage + [
        #"{"t":"trading.quote","body":{"securityId":"sb26493","currentPrice":"x"}}"#,
        #"{"t":"trading.quote","body":{"securityId":"sb26493","currentPrice":"-1"}}"#,
        #"{"t":"trading.quote","body":{"securityId":"sb26493"}}"#, #"{"t":"trading.quote"}"#,
        #"{"t":"trading.quote","body":{"securityId":7,"currentPrice":"1"}}"#,
      ]),
    quotes(
      "echo", EchoTickerSession(symbols: [Symbol(known: "AAPL")], seed: 1, origin: .simulated),
      Symbol(known: "AAPL"), [], garbage),
    quotes(
      "exchange", TickFeedSession(symbol: stock, origin: .simulated), stock,
      ["1,45.05,45.01,17,45.10,36\n"],
      [
        "2,45.05,45.01,-1,45.10,36\n", "2,45.05,45.01,4294967296,45.10,36\n",
        "2,nan,45.01,17,45.10,36\n", "2,inf,45.01,17,45.10,36\n", "2,0x2D,45.01,17,45.10,36\n",
        "2,45.05,45.01,17,45.10,36,7,8\n", "2,45.05,45.10,17,45.10,36\n", "oops\n",
        "0,45.05,45.01,17,45.10,36\n", String(repeating: "9", count: 300),
      ], kind: .stream),
  ]

  private func state(_ session: any VenueSession, _ stream: Stream) -> FreshnessState? {
    switch session.value(for: stream.subscription, at: stream.now) {
    case .book(let view): view.freshness.state
    case .trades(let view): view.freshness.state
    case .quote(let view): view.freshness.state
    case .figures(let view): view.freshness.state
    case .listing, nil: nil
    }
  }

  @Test(arguments: streams.indices)
  func `a message that may concern an instrument and can't be read makes it late at once`(
    _ index: Int
  ) {
    let stream = Self.streams[index]
    #expect(state(stream.session, stream) == .live, "\(stream.name)")
    for text in stream.unreadable {
      var session = stream.session
      let effects = session.receive(Array(text.utf8).span, kind: stream.kind, at: stream.now)
      #expect(
        effects.contains { if case .rejected = $0 { true } else { false } },
        "\(stream.name): \(text)")
      let after = state(session, stream)
      #expect(after == .late || after == .resyncing, "\(stream.name): \(text)")
      #expect(effects.contains(.changed(stream.subscription)), "\(stream.name): \(text)")
    }
  }

  @Test func `every venue is among them`() {
    #expect(Set(Self.streams.map(\.session.venue)) == Set(Venue.allCases))
  }

  @Test func `a message that names another instrument leaves this one live`() {
    for (index, text) in [
      (19, #"{"isin":"US5949181045","price":"1"}"#),
      (20, #"{"t":"trading.quote","body":{"securityId":"sb26500","currentPrice":"x"}}"#),
      (20, #"{"t":"trading.quote","body":{"securityId":"ö","currentPrice":"-1"}}"#),
    ] {
      let stream = Self.streams[index]
      var session = stream.session
      _ = session.receive(Array(text.utf8).span, kind: stream.kind, at: stream.now)
      #expect(state(session, stream) == .live, "\(stream.name): \(text)")
    }
  }

  @Test func `the next quote of the instrument makes it live again`() throws {
    let now = ClockReading(milliseconds: 5000)
    var exchange = try #require(Self.streams.last)
    for text in ["2,x,45.01,17,45.10,36\n", "2,45.05,45.01,17,45.10,36\n"] {
      var session = exchange.session
      _ = session.receive(Array(text.utf8).span, kind: .stream, at: now)
      exchange = Stream(
        name: exchange.name, subscription: exchange.subscription, session: session, unreadable: [],
        now: now, kind: .stream)
    }
    #expect(state(exchange.session, exchange) == .live)
  }

  @Test func `the exchange reports an unreadable tick among its ticks, once until the next`() {
    var driver = SessionDriver(TickFeedSession(symbol: Self.stock, origin: .simulated))
    driver.give(.opened)
    driver.receive("1,45.05,45.01,17,45.10,36\n")
    let effects = driver.receive("x\ny\n2,45.05,45.01,17,45.10,36\nz\n")
    let events = effects.compactMap { effect -> String? in
      guard case .happened(_, let event) = effect else { return nil }
      return event == .unreadable ? "unreadable" : "tick"
    }
    #expect(events == ["unreadable", "tick", "unreadable"])
  }

  @Test func `a first quote of BUX that can't be read makes the product late`() throws {
    var driver = SessionDriver(BuxSession(origin: .simulated))
    driver.want([Self.germany])
    driver.give(.opened)
    driver.receive(#"{"t":"connect.connected","body":{}}"#)
    let effects = driver.receive(
      #"{"t":"trading.quote","body":{"securityId":"sb26493","currentPrice":"x"}}"#)
    #expect(effects.contains(changed(Self.germany)))
    #expect(try driver.quote(Self.germany).freshness.state == .late)
  }
}
