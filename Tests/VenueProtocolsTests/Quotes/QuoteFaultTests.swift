// The fault table for the quote venues: messages lost, repeated, overtaken, truncated and damaged
// at random, with reconnects in between. A shown price was always sent, and it is live only when
// this connection has confirmed it.

import MarketModel
import Testing
import VenueProtocols

struct QuoteFaultTests: QuoteVenueTests {
  /// A venue's way of sending a price, and the messages around it.
  struct Script<Session: VenueSession> {
    let make: (Symbol) -> Session
    let greeting: String?
    let message: (Symbol, Int, FixedDecimal) -> String
  }

  struct FaultyLine {
    var generator: SplitMix64
    var held: [[UInt8]] = []

    mutating func carry(_ message: [UInt8]) -> [[UInt8]] {
      switch generator.below(8) {
      case 0: return []
      case 1: return [message, message]
      case 2:
        held.append(message)
        return []
      case 3:
        defer { held = [] }
        return [message] + held
      case 4: return [Array(message.prefix(Int(generator.below(Int64(message.count)))))]
      case 5: return [message + message, [], [0xff], Array("{}".utf8)]
      default: return [message]
      }
    }
  }

  func torment<Session: VenueSession>(_ script: Script<Session>, seed: UInt64) throws {
    let name = try symbol("US0378331005")
    var driver = SessionDriver(script.make(name))
    var line = FaultyLine(generator: SplitMix64(seed: seed))
    var sent: Set<FixedDecimal> = []
    var isOpen = false
    var confirmedAfterOpening = false
    var lastChanges: UInt64 = 0
    driver.want([name])
    for step in 0..<1_500 {
      if !isOpen || line.generator.below(60) == 0 {
        driver.give(isOpen ? .closed : .opened)
        isOpen.toggle()
        confirmedAfterOpening = false
        if isOpen, let greeting = script.greeting { driver.receive(greeting) }
      }
      let price = FixedDecimal(units: 1 + line.generator.below(100_000), scale: Scale(clamping: 2))
      sent.insert(price)
      for bytes in line.carry(Array(script.message(name, step, price).utf8)) {
        let effects = driver.receive(bytes: bytes)
        if isOpen, effects.contains(changed(name)) { confirmedAfterOpening = true }
      }
      driver.pass(milliseconds: line.generator.below(1_000))
      let view = try driver.quote(name)
      let place: Comment = "seed \(seed), step \(step)"
      if let shown = view.price { #expect(sent.contains(shown), place) }
      if !isOpen { #expect(view.freshness.state == .disconnected, place) }
      if !confirmedAfterOpening { #expect(view.freshness.state != .live, place) }
      #expect(view.changes >= lastChanges && view.changes < UInt64(sent.count * 2), place)
      lastChanges = view.changes
    }
    #expect(lastChanges > 100, "seed \(seed): the test must see prices move")
    #expect(!driver.rejected.isEmpty, "seed \(seed): the test must see damage")
  }

  @Test(arguments: [UInt64(1), 2, 3, 4])
  func `the ISIN stream survives every fault with a true price or none`(seed: UInt64) throws {
    try torment(isin, seed: seed)
  }

  private var isin: Script<IsinStreamSession> {
    Script(
      make: { _ in IsinStreamSession(origin: .simulated) }, greeting: nil,
      message: { name, _, price in
        #"{"isin":"\#(name)","price":\#(price),"bid":\#(price),"ask":\#(price)}"#
      })
  }

  @Test(arguments: [UInt64(1), 2, 3, 4])
  func `BUX's feed survives every fault with a true price or none`(seed: UInt64) throws {
    try torment(bux, seed: seed)
  }

  private var bux: Script<BuxSession> {
    Script(
      make: { _ in BuxSession(origin: .simulated) }, greeting: #"{"t":"connect.connected"}"#,
      message: { name, step, price in
        let body = #"{"securityId":"\#(name)","currentPrice":"\#(price)"}"#
        return #"{"id":"\#(step)","body":\#(body),"t":"trading.quote"}"#
      })
  }

  @Test(arguments: [UInt64(1), 2, 3, 4])
  func `the exchange's feed survives every fault with a true price or none`(seed: UInt64) throws {
    try torment(exchange, seed: seed)
  }

  private var exchange: Script<TickFeedSession> {
    Script(
      make: { TickFeedSession(symbol: $0, origin: .simulated) }, greeting: nil,
      message: { _, step, price in "\(step + 1),\(price),0.01,17,9999.00,36\n" })
  }

  private func jump<Session: VenueSession>(_ script: Script<Session>) throws {
    let name = try symbol("US0378331005")
    var driver = SessionDriver(script.make(name))
    driver.want([name])
    driver.give(.opened)
    if let greeting = script.greeting { driver.receive(greeting) }
    var step = 0
    for offset: Int64 in [0, 7_200_000, -3_600_000, 86_400_000] {
      driver.wallOffset = offset
      let before = try driver.quote(name)
      #expect(offset == 0 || before.freshness.state == .live, "\(offset)")
      for _ in 0..<3 {
        step += 1
        let price = FixedDecimal(units: Int64(100 + step), scale: Scale(clamping: 2))
        driver.receive(script.message(name, step, price))
        driver.pass(milliseconds: 1_000)
        let view = try driver.quote(name)
        #expect(view.price == price && view.freshness.state == .live, "\(offset), step \(step)")
      }
    }
    #expect(driver.rejected.isEmpty)
  }

  @Test func `a wall clock that jumps changes no price and no freshness`() throws {
    try jump(isin)
    try jump(bux)
    try jump(exchange)
  }

  @Test(arguments: [UInt64(1), 2, 3, 4])
  func `the echo survives every fault with the newest price that came back`(seed: UInt64) throws {
    let names = try ["AAPL", "GOOG"].map(symbol)
    var driver = SessionDriver(EchoTickerSession(symbols: names, seed: seed, origin: .simulated))
    var line = FaultyLine(generator: SplitMix64(seed: seed))
    var newest: [Symbol: EchoTickerMessage] = [:]
    driver.give(.opened)
    for step in 0..<1_000 {
      if line.generator.below(50) == 0 {
        driver.give(.closed)
        driver.give(.opened)
      }
      let current = try #require(try driver.takeSent().map(message).last ?? newest[names[1]])
      for text in driver.lastSent {
        for bytes in line.carry(Array(text.utf8)) {
          driver.receive(bytes: bytes)
          guard let echo = try? EchoTickerMessage(decoding: bytes.span) else { continue }
          guard echo.session == current.session else { continue }
          let known = newest[echo.symbol]
          if known?.session != echo.session || known.map({ $0.sequence < echo.sequence }) == true {
            newest[echo.symbol] = echo
          }
        }
      }
      for name in names {
        #expect(try driver.quote(name).price == newest[name]?.price, "seed \(seed), step \(step)")
      }
      driver.pass(milliseconds: 2_000)
    }
    #expect(try driver.quote(names[0]).changes > 100 && !driver.rejected.isEmpty, "seed \(seed)")
  }

  func message(_ text: String) throws -> EchoTickerMessage {
    try #require(try EchoTickerMessage(decoding: Array(text.utf8).span))
  }
}
