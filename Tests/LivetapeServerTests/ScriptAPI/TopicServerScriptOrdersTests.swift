// Orders and positions as scripts read them: updated as they change, with their freshness.

import MarketModel
import MarketStreams
import PaperTrading
import Testing
import VenueCatalogue

@testable import LivetapeServer

@Suite struct TopicServerScriptOrdersTests {
  private let script = PageID(number: 1)
  private let start = ClockReading(milliseconds: 1000)
  private let symbol = ExchangeCatalogue.symbol
  private var server = TopicServer(catalogue: .screens(origin: .simulated))
  private var trader = PaperTrader(rules: TradingRules(oneStock: ExchangeCatalogue.symbol))

  init() {
    _ = server.connect(script, reader: .script, at: start)
    tellMarket()
    tellOrders()
  }

  private mutating func tellMarket(number: UInt64 = 1, bid: Int64 = 45_000_000) {
    func level(_ units: Int64) -> PriceLevel {
      PriceLevel(price: Price(units: units), quantity: Quantity(units: 60))
    }
    let top = TopOfBook(number: number, venueTime: number, bid: level(bid), ask: level(45_100_000))
    _ = trader.handle(.feed(.tick(top), of: trader.rules.symbol), at: start)
  }

  private mutating func tellOrders(failure: Sentence? = nil) {
    let storage = StorageStatus(
      eventCount: trader.history.lastSequence, head: "abc", isIntact: true)
    let overview = trader.overview(storage: storage, failure: failure, skippedTicks: 0)
    _ = server.receive(overview, at: start)
    _ = server.receive(trader.position(minutes: EquityLine()), at: start)
  }

  @discardableResult
  private mutating func place(
    _ side: Side, _ quantity: String, _ name: String
  ) throws -> [OrderNotice] {
    let ticket = OrderTicket(
      clientIdentifier: try #require(ClientOrderIdentifier(name)), side: side, kind: .market,
      quantity: quantity)
    let request = try TicketParser(rules: trader.rules).request(ticket, market: trader.liveMarket)
    return trader.handle(.place(request), at: start).notices
  }

  private mutating func tick(_ state: FreshnessState, at milliseconds: Int64) -> [String] {
    let now = ClockReading(milliseconds: milliseconds)
    let key = MarketKey(.exchange, .quote, symbol)
    let quote = QuoteView(
      symbol: symbol, price: FixedDecimal("45.05"),
      freshness: Freshness(state: state, origin: .simulated, confirmedAt: start))
    var status = ConnectionStatus(venue: .exchange, origin: .simulated, since: start)
    status.phase = .live
    _ = server.receive(status, at: now)
    _ = server.changed(key, at: now)
    return server.frames(at: now, reading: [key: .quote(quote)]).texts(to: script)
  }

  private mutating func subscribe(_ channel: String) -> [String] {
    let message = #"{"do":"subscribe","channel":"\#(channel)"}"#
    _ = server.say(message, from: script, at: start)
    return server.frames(at: start).texts(to: script)
  }

  @Test mutating func `the stream reports an order when it arrives and when it changes`() throws {
    _ = subscribe("orders")
    try place(.buy, "10", "a-1")
    tellOrders()
    let texts = server.frames(at: ClockReading(milliseconds: 2000)).texts(to: script)
    #expect(texts.count == 1 && texts[0].contains(#""clientId":"a-1""#), "\(texts)")
    tellOrders(failure: "Disk full.")
    let refused = server.frames(at: ClockReading(milliseconds: 3000)).texts(to: script)
    #expect(refused.count == 1 && refused[0].contains(#""failure":"Disk full.""#), "\(refused)")
    #expect(refused[0].contains(#""state":"stale""#))
  }

  @Test mutating func `positions are sent to scripts as to the page`() throws {
    let empty = try #require(subscribe("positions").first)
    let start = #"{"type":"positions","instrument":"exchange/\#(symbol.text)","freshness":"#
    #expect(empty.hasPrefix(start + #"{"state":"waiting""#))
    #expect(empty.contains(#""quantity":"0","cash":"0","value":"0","equity":"0","average":"#))
    try place(.buy, "50", "a-1")
    tellMarket(number: 2, bid: 45_010_000)
    tellOrders()
    let texts = server.frames(at: ClockReading(milliseconds: 2000)).texts(to: script)
    let text = try #require(texts.last)
    #expect(text.contains(#""quantity":"50","cash":"-2255","out":["45.01","50"]"#), "\(text)")
    #expect(text.contains(#""value":"2250.5","equity":"-4.5""#))
    #expect(text.contains(#""exit":{"levels":[["45.01","50"]]}"#), "\(text)")
    let fifo = #""fifo":{"cost":"45.10","realised":"0","unrealised":"-4.5","middle":"-2.25"}"#
    #expect(text.contains(fifo))
    #expect(text.contains(#""line":[{"at":1000,"equity":"0","fill":true}]"#))
  }

  @Test mutating func `a position is worth what the price is worth that it is counted at`() throws {
    try place(.buy, "50", "a-1")
    tellOrders()
    let waiting = try #require(subscribe("positions").first)
    #expect(waiting.contains(#""freshness":{"state":"waiting""#), "no price of the exchange yet")
    for (number, state) in [FreshnessState.live, .late, .stale].enumerated() {
      let texts = tick(state, at: 2000 + Int64(number) * 1000)
      #expect(texts.last?.contains(#""state":"\#(state.rawValue)""#) == true, "\(state): \(texts)")
    }
  }

  @Test mutating func `without a position it waits for a first price, and needs none later`() throws
  {
    try place(.buy, "50", "a-1")
    try place(.sell, "50", "a-2")
    tellOrders()
    let waiting = try #require(subscribe("positions").first)
    #expect(waiting.contains(#""freshness":{"state":"waiting""#), "\(waiting)")
    #expect(waiting.contains(#""quantity":"0","cash":"-5""#), "\(waiting)")
    let priced = try #require(tick(.live, at: 2000).last)
    #expect(priced.contains(#""state":"live""#), "\(priced)")
    #expect(tick(.stale, at: 3000).allSatisfy { !$0.contains("stale") })
  }

  @Test mutating func `without its disk what is owned is not called live`() throws {
    _ = subscribe("positions")
    _ = tick(.live, at: 1500)
    tellOrders(failure: "Disk full.")
    let text = try #require(
      server.frames(at: ClockReading(milliseconds: 2000)).texts(to: script).last)
    #expect(text.contains(#""state":"stale""#) && text.contains(#""failure":"Disk full.""#))
  }

  @Test mutating func `a script is sent no notices of pages`() throws {
    _ = subscribe("orders")
    let notices = try place(.buy, "10", "a-1")
    #expect(!notices.isEmpty)
    #expect(server.receive(notices).isEmpty)
  }
}
