// What a venue's check finds: each fault of a stream, and nothing in a good one.

import MarketModel
import MarketStreams
import Testing
import VenueProtocols

@Suite struct VenueCheckTests {
  private let key = InstrumentKey(.kraken, Symbol(known: "BTC/USD"))

  private func book(
    _ bid: Int64, _ ask: Int64, resyncs: Int = 0, doubt: BookDoubt? = nil,
    status: BookStatus = .synced, isKnown: Bool = true, symbol: Symbol? = nil
  ) -> MarketValue {
    func row(_ price: Int64) -> BookRow {
      BookRow(price: Price(units: price), size: .zero, accumulated: .zero)
    }
    return .book(
      BookView(
        symbol: symbol ?? key.symbol, status: status,
        freshness: Freshness(state: .live, origin: .simulated, confirmedAt: at(0)),
        bids: [row(bid)], asks: [row(ask)], bidLevels: 1, askLevels: 1, priceScale: .whole,
        quantityScale: .whole, priceDecimals: .whole, sequence: 7, resyncs: resyncs,
        isKnown: isKnown, doubt: doubt))
  }

  private func trade(_ identifier: Int64, _ side: Side, at price: Int64) -> MarketEvent {
    .trade(
      Trade(
        price: Price(units: price), size: Quantity(units: 1), side: side,
        time: Timestamp(milliseconds: 0), arrival: 1, identifier: identifier),
      priceScale: .whole, quantityScale: .whole)
  }

  private func status(_ adjust: (inout ConnectionStatus) -> Void = { _ in }) -> ConnectionStatus {
    var status = ConnectionStatus(venue: .kraken, origin: .simulated, since: at(0))
    status.phase = .live
    adjust(&status)
    return status
  }

  /// An update of Kraken's book of a time, so many bytes longer than it must be.
  private func message(sent: Int64, padding: Int = 0) -> [UInt8] {
    let time = Timestamp(milliseconds: at(sent).wall.milliseconds)
    return Array(
      (#"{"channel":"book","type":"update","data":[{"symbol":"BTC/USD","timestamp":"\#(time)"}]}"#
        + String(repeating: " ", count: padding)).utf8)
  }

  /// A minute without faults.
  private func good() -> VenueCheck {
    var check = VenueCheck(key, milliseconds: 60_000, at: at(0))
    check.receive(status(), at: at(100))
    for second in 0..<60 {
      let now = at(Int64(second) * 1000 + 200)
      check.advance(to: now)
      check.receive(message(sent: Int64(second) * 1000 + 150, padding: second), at: now)
      if check.wantsBook { check.receive(book(100, 101), at: now) }
      check.receive(trade(Int64(second) + 1, .buy, at: 101), at: now)
    }
    var figures = DayFigures(
      symbol: key.symbol,
      freshness: Freshness(state: .live, origin: .simulated, confirmedAt: at(0)))
    figures.last = FixedDecimal(units: 101, scale: .whole)
    check.receive(.figures(figures), at: at(60_000))
    return check
  }

  private func outcome(_ name: String, of check: VenueCheck) -> VenueCheck.Outcome? {
    check.findings(at: at(60_000)).first { $0.name == name }?.outcome
  }

  @Test func `a good stream passes, and what the venue does not offer is unknown`() {
    let check = good()
    for name in [
      "connection", "messages", "message times", "book", "book integrity", "second snapshot",
      "trade numbers",
      "trade sides", "figures",
    ] {
      #expect(outcome(name, of: check) == .passed, "\(name)")
    }
    #expect(outcome("second stream", of: check) == .unknown)
    #expect(outcome("candles", of: check) == .unknown)
    #expect(outcome("instruments", of: check) == .failed, "Kraken lists them, and none came")
    #expect(
      check.findings(at: at(60_100)).first { $0.name == "messages" }?.detail
        == "60 messages, 1.0 a second, the largest of 162 bytes, the longest silence 1000 ms")
  }

  @Test func `what the venue's documents leave open is counted by message`() {
    let bitcoin = Symbol(known: "BTC-USDT")
    var check = VenueCheck(InstrumentKey(.okx, bitcoin), milliseconds: 60_000, at: at(0))
    for text in [
      #"{"arg":{},"action":"snapshot","data":[{"checksum":0}]}"#,
      #"{"arg":{},"action":"update","data":[{"checksum":0}]}"#, "pong",
    ] {
      check.receive(Array(text.utf8), at: at(1000))
    }
    func detail(_ name: String) -> String? {
      check.findings(at: at(60_000)).first { $0.name == name }?.detail
    }
    #expect(detail("snapshot in the stream") == "in 1 of 3 messages")
    #expect(detail("checksum key") == "in 2 of 3 messages")
    #expect(outcome("checksum key", of: check) == .passed)
    check = VenueCheck(InstrumentKey(.okx, bitcoin), milliseconds: 60_000, at: at(0))
    #expect(outcome("checksum key", of: check) == .unknown)
  }

  @Test func `the books of other markets must become valid as well`() {
    let ether = Symbol(known: "ETH/USD")
    var check = VenueCheck(key, others: [key.symbol, ether], milliseconds: 60_000, at: at(0))
    #expect(check.keys.contains(MarketKey(.kraken, .book, ether)))
    check.receive(book(100, 101), at: at(500))
    #expect(outcome("other books", of: check) == .failed)
    check.receive(book(100, 101, symbol: ether), at: at(600))
    #expect(outcome("other books", of: check) == .passed)
    #expect(outcome("other books", of: good()) == nil)
  }

  @Test func `the book is dropped once in the middle, and renewed`() {
    var check = VenueCheck(key, milliseconds: 60_000, at: at(0))
    check.advance(to: at(40_000))
    #expect(check.wantsBook, "not before it was valid")
    check.receive(book(100, 101), at: at(500))
    let wanted = [29_900, 30_000, 34_900, 35_000].map { (time: Int64) in
      check.advance(to: at(time))
      return check.wantsBook
    }
    #expect(wanted == [true, false, false, true])
    #expect(outcome("second snapshot", of: check) == .failed)
    check.receive(book(100, 101), at: at(36_000))
    #expect(outcome("second snapshot", of: check) == .passed)
  }

  @Test func `each fault fails its own check`() {
    var check = good()
    check.receive(status { $0.reconnects = 1 }, at: at(60_000))
    #expect(outcome("connection", of: check) == .failed)
    check = good()
    check.receive(status { $0.rejectedMessages = 1 }, at: at(60_000))
    #expect(outcome("messages", of: check) == .failed)
    check = good()
    check.receive(book(100, 101, resyncs: 1, doubt: .checksum), at: at(60_000))
    #expect(outcome("book integrity", of: check) == .failed)
    check = good()
    check.receive(book(101, 101), at: at(60_000))
    #expect(outcome("book integrity", of: check) == .failed, "crossed")
    check = good()
    check.receive(trade(62, .buy, at: 101), at: at(60_000))
    #expect(outcome("trade numbers", of: check) == .failed, "61 is missing")
    check = good()
    for number in Int64(61)...130 {
      check.receive(trade(number, .sell, at: 101), at: at(60_000))
    }
    #expect(outcome("trade sides", of: check) == .failed, "the maker's side")
    #expect(outcome("trade numbers", of: check) == .passed)
    check = good()
    check.receive(.failure(.rateLimited))
    #expect(outcome("candles", of: check) == .failed)
    check = VenueCheck(key, milliseconds: 60_000, at: at(0))
    #expect(outcome("connection", of: check) == .failed)
    #expect(outcome("book", of: check) == .failed)
    #expect(outcome("book integrity", of: check) == .unknown)
    check.receive(book(100, 101), at: at(10_000))
    #expect(outcome("book", of: check) == .passed)
    check = VenueCheck(key, milliseconds: 60_000, at: at(0))
    check.receive(book(100, 101), at: at(10_001))
    #expect(outcome("book", of: check) == .failed, "slow")
    check = VenueCheck(key, milliseconds: 60_000, at: at(0))
    check.receive(book(100, 101, isKnown: false), at: at(1000))
    #expect(outcome("book", of: check) == .failed)
  }

  @Test func `a message that a later one of its stream overtakes fails`() {
    var check = VenueCheck(
      InstrumentKey(.binance, Symbol(known: "BTCUSDT")), milliseconds: 60_000, at: at(0))
    func receive(_ stream: String, _ number: Int) {
      let text = #"{"stream":"\#(stream)","data":{"t":\#(number)}}"#
      check.receive(Array(text.utf8), at: at(59_500))
    }
    for (stream, number) in [("a", 7), ("b", 3), ("a", 8), ("b", 4)] {
      receive(stream, number)
    }
    #expect(outcome("messages", of: check) == .passed)
    receive("a", 6)
    #expect(outcome("messages", of: check) == .failed)
  }

  @Test func `a dated message that comes twice fails, a heartbeat does not`() {
    var check = good()
    for second in 0..<20 as Range<Int64> {
      check.receive(Array(#"{"channel":"heartbeat"}"#.utf8), at: at(60_000 + second * 1000))
    }
    #expect(outcome("messages", of: check) == .passed)
    check.receive(message(sent: 80_000), at: at(80_000))
    check.receive(message(sent: 80_000), at: at(80_000))
    #expect(outcome("messages", of: check) == .failed)
    check = good()
    for _ in 0..<20 {
      check.receive(Array(#"{"channel":"heartbeat"}"#.utf8), at: at(60_000))
    }
    #expect(outcome("messages", of: check) == .failed, "a flood")
  }

  @Test(arguments: [(1500, true), (1700, false)] as [(Int64, Bool)])
  func `a silence that the rhythm does not explain fails`(silence: Int64, isUsual: Bool) {
    var check = VenueCheck(key, milliseconds: 600_000, at: at(0))
    check.receive(status(), at: at(100))
    check.advance(to: at(100))
    check.receive(book(100, 101), at: at(100))
    let times = (0..<200).map { 100 + Int64($0) * 50 } + [100 + 199 * 50 + silence]
    for time in times { check.receive(message(sent: time), at: at(time)) }
    #expect(outcome("messages", of: check) == (isUsual ? .passed : .failed))
  }

  @Test(
    arguments: [
      ("none", [50, 50, 50], .passed), ("clocks", [1100, 1100, 1100], .failed),
      ("clocks", [-1100, -1100, -1100], .failed), ("a jump", [50, -900, 50], .failed),
      ("a while", [50, 300, 50], .failed), ("jitter", [50, 200, 50], .passed),
    ] as [(String, [Int64], VenueCheck.Outcome)])
  func `messages that are older or younger than others fail`(
    _: String, ages: [Int64], expected: VenueCheck.Outcome
  ) {
    var check = VenueCheck(key, milliseconds: 600_000, at: at(0))
    check.receive(status { $0.roundTripMicroseconds = 90_000 }, at: at(100))
    for number in 0..<300 as Range<Int64> {
      let time = 10_000 + number * 100
      check.receive(message(sent: time - ages[Int(number / 100)]), at: at(time))
    }
    #expect(outcome("message times", of: check) == expected)
  }

  @Test func `one late message and a slow response fail`() {
    var check = good()
    check.receive(message(sent: 59_000), at: at(61_000))
    #expect(outcome("message times", of: check) == .failed)
    check = good()
    check.receive(status { $0.delayMilliseconds = 2100 }, at: at(60_000))
    check.receive(status(), at: at(60_100))
    #expect(outcome("connection", of: check) == .failed)
  }

  @Test func `numbers that a reconnect skips are not missing`() {
    var check = good()
    check.receive(status { $0.phase = .backingOff }, at: at(60_000))
    check.receive(trade(900, .buy, at: 101), at: at(61_000))
    #expect(outcome("trade numbers", of: check) == .passed)
  }
}
