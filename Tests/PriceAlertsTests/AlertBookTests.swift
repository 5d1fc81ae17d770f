// The rules of alerts, one by one.

import MarketModel
import Testing

@testable import PriceAlerts

let xbt = InstrumentKey(.bitmex, Symbol(known: "XBTUSD"))
let stock = InstrumentKey(.exchange, Symbol(known: "AAPL"))

func time(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: seconds * 1000) }

func decimal(_ text: String) throws -> FixedDecimal { try #require(FixedDecimal(text)) }

/// A trade at a price in hundredths, at a second.
func trade(_ cents: Int64, at seconds: Int64, id: Int64 = 0, arrival: UInt64 = 1) -> AlertTrade {
  AlertTrade(
    Trade(
      price: Price(units: cents), size: Quantity(units: 1), side: .buy, time: time(seconds),
      arrival: arrival, identifier: id),
    scale: Scale(clamping: 2), sizes: .whole)
}

@Suite struct AlertBookTests {
  /// The prices, in hundredths and a second apart, at which an alert at 100.00 fires.
  private func fired(_ prices: [Int64], repeats: Bool) throws -> [Int] {
    var book = AlertBook()
    try book.add(xbt, .price(try decimal("100")), repeats: repeats, at: time(0))
    return prices.indices.filter { index in
      !book.receive(trade(prices[index], at: Int64(index)), of: xbt, at: time(Int64(index))).isEmpty
    }
  }

  @Test(arguments: [
    ([9900, 10000], false, [1]), ([9900, 10100], false, [1]), ([10100, 10000], false, [1]),
    ([9900, 9999, 9998], false, []), ([10100], false, []), ([10000, 10100], false, []),
    ([10000, 10100, 9900], false, [2]), ([9900, 10100, 9900, 10100], false, [1]),
    ([9900, 10100, 9900, 10100], true, [1, 2, 3]),
    ([9900, 10000, 10000, 10000], true, [1]), ([9900, 10000, 10100, 10000], true, [1, 3]),
    ([9900, 10000, 9900, 10000], true, [1, 3]), ([9900, 10000, 10100, 9900], true, [1, 3]),
  ])
  func `a crossing is a trade at the level or beyond, seen from the trade before`(
    _ prices: [Int64], _ repeats: Bool, _ expected: [Int]
  ) throws {
    let found = try fired(prices, repeats: repeats)
    #expect(found == expected)
  }

  @Test func `a firing names the trade and where the price came from`() throws {
    var book = AlertBook()
    let id = try book.add(xbt, .price(try decimal("100.00")), repeats: false, at: time(0))
    _ = book.receive(trade(9950, at: 1, id: 7), of: xbt, at: time(1))
    let firing = try #require(book.receive(trade(10050, at: 2, id: 8), of: xbt, at: time(3)).first)
    #expect(firing.number == 1 && firing.alert == id && firing.from == .below)
    #expect(firing.value == (try decimal("100.5")) && firing.identifier == 8)
    #expect(firing.time == time(2) && firing.at == time(3) && firing.blindSince == nil)
    #expect(book.alerts[0].firedAt == time(3) && !book.alerts[0].isArmed)
    #expect(book.followed.isEmpty, "one that has fired is followed no longer")
  }

  @Test func `an alert that is created beside another has its side at once`() throws {
    var book = AlertBook()
    try book.add(xbt, .price(try decimal("200")), repeats: false, at: time(0))
    _ = book.receive(trade(9950, at: 1), of: xbt, at: time(1))
    try book.add(xbt, .price(try decimal("100")), repeats: false, at: time(2))
    #expect(book.alerts[1].side == .below)
    let firings = book.receive(trade(10000, at: 3), of: xbt, at: time(3))
    #expect(firings.map(\.alert) == [2])
  }

  @Test func `trades at or before the last one never count again`() throws {
    var book = AlertBook()
    try book.add(xbt, .price(try decimal("100")), repeats: true, at: time(0))
    func fires(_ cents: Int64, _ at: Int64, _ id: Int64, _ arrival: UInt64) -> Bool {
      !book.receive(trade(cents, at: at, id: id, arrival: arrival), of: xbt, at: time(9)).isEmpty
    }
    #expect(!fires(9900, 5, 10, 1) && fires(10100, 5, 11, 2))
    #expect(!fires(9900, 5, 10, 3) && !fires(9900, 5, 11, 4) && !fires(9900, 6, 10, 5))
    #expect(fires(9900, 5, 12, 6))
    // A venue that restarts its numbers at 1 is later than clock differences explain.
    #expect(!fires(10100, 10, 1, 7) && fires(10100, 11, 1, 7))
    // Without numbers the arrival distinguishes trades, but only within a session.
    #expect(fires(9900, 17, 0, 8) && !fires(10100, 17, 0, 8) && fires(10100, 17, 0, 9))
    #expect(fires(9900, 16, 0, 10))
    book.resume(at: time(20))
    #expect(!fires(10100, 16, 0, 11) && fires(10100, 18, 0, 11))
  }

  @Test(arguments: [true, false])
  func `a trade stamped ahead of the clock hides no crossing`(_ isNumbered: Bool) throws {
    var book = AlertBook()
    try book.add(xbt, .price(try decimal("100")), repeats: true, at: time(0))
    func fires(_ cents: Int64, _ at: Int64, _ number: Int64) -> Bool {
      let next = trade(cents, at: at, id: isNumbered ? number : 0, arrival: UInt64(number))
      return !book.receive(next, of: xbt, at: time(9)).isEmpty
    }
    #expect(!fires(9900, 10, 1) && !fires(9950, 14, 2))
    #expect(fires(10100, 10, 3) && fires(9900, 11, 4) && fires(10100, 11, 5))
  }

  @Test func `after an interruption trades without numbers count by their time`() throws {
    var book = AlertBook()
    try book.add(xbt, .price(try decimal("100")), repeats: true, at: time(0))
    _ = book.receive(trade(9900, at: 5, arrival: 7), of: xbt, at: time(5))
    book.lose(xbt, since: time(6))
    let repeated = book.receive(trade(10100, at: 5, arrival: 1), of: xbt, at: time(7))
    #expect(repeated.isEmpty)
    let later = book.receive(trade(10100, at: 7, arrival: 2), of: xbt, at: time(7))
    #expect(later.count == 1)
  }

  @Test func `a tick counts although its time is unknown, and a repeated one changes nothing`()
    throws
  {
    var book = AlertBook()
    try book.add(stock, .price(try decimal("100")), repeats: true, at: time(0))
    func tick(_ last: String, _ at: Int64) throws -> Int {
      let (price, ask) = (try decimal(last), try decimal("999"))
      let tick = MarketTick(
        time: 1, last: price, bid: price, bidQuantity: Quantity(units: 1), ask: ask,
        askQuantity: Quantity(units: 1))
      return book.receive(AlertTrade(tick, number: 1, at: time(at)), of: stock, at: time(at)).count
    }
    let counts = try [tick("99", 5), tick("101", 5), tick("101", 6), tick("99", 1)]
    #expect(counts == [0, 1, 0, 1])
  }

  @Test func `the first trade after an unobserved time fires with the start of that time`() throws {
    var book = AlertBook()
    try book.add(xbt, .price(try decimal("100")), repeats: true, at: time(0))
    _ = book.receive(trade(9900, at: 1), of: xbt, at: time(1))
    book.lose(xbt, since: time(2))
    book.lose(xbt, since: time(3))
    #expect(book.blindTimes == [BlindSpan(instrument: xbt, since: time(2), until: nil)])
    book.see(xbt, at: time(5))
    let first = book.receive(trade(10100, at: 6), of: xbt, at: time(6))
    let second = book.receive(trade(9900, at: 7), of: xbt, at: time(7))
    #expect(first.map(\.blindSince) == [time(2)] && second.map(\.blindSince) == [nil])
    #expect(book.blindTimes == [BlindSpan(instrument: xbt, since: time(2), until: time(5))])
  }

  @Test func `after a restart the tape delivers missed trades, and none twice`() throws {
    var book = AlertBook()
    try book.add(xbt, .price(try decimal("100")), repeats: true, at: time(0))
    func tape(_ rows: [(Int64, Int64)]) -> TapeView {
      let trades = rows.reversed().map { cents, at in
        Trade(
          price: Price(units: cents), size: Quantity(units: 1), side: nil, time: time(at),
          arrival: UInt64(at))
      }
      return TapeView(
        symbol: xbt.symbol, trades: trades, priceScale: Scale(clamping: 2),
        quantityScale: .whole, priceDecimals: Scale(clamping: 2),
        freshness: .waiting(.simulated))
    }
    #expect(book.receive(tape([(9900, 1), (10100, 2)]), of: xbt, at: time(3)).isEmpty)
    #expect(book.alerts[0].side == .above, "the newest alone says where it begins")
    book.mark(at: time(4))
    var restarted = try AlertBook(decoding: book.json.span)
    restarted.resume(at: time(9))
    let later = tape([(9900, 1), (10100, 2), (9900, 6), (10100, 7)])
    let firings = restarted.receive(later, of: xbt, at: time(9))
    #expect(firings.map(\.value.units) == [99, 101])
    #expect(firings.map(\.blindSince) == [time(4), nil])
    #expect(restarted.receive(later, of: xbt, at: time(10)).isEmpty)
  }

  @Test func `what can't be done is refused with a sentence`() throws {
    var book = AlertBook()
    let hundred = try decimal("100")
    for text in ["0.1234567890123", "-0.1234567890123"] {
      #expect(throws: AlertProblem.bad(.price)) {
        try book.add(xbt, .price(try decimal(text)), repeats: false, at: time(0))
      }
    }
    #expect(throws: AlertProblem.noSuchAlert) { try book.remove(1) }
    #expect(throws: AlertProblem.noSuchAlert) { try book.arm(1) }
    try book.add(xbt, .price(hundred), repeats: false, at: time(0))
    #expect(throws: AlertProblem.thereAlready) {
      try book.add(xbt, .price(try decimal("100.0")), repeats: true, at: time(0))
    }
    for level in 1..<Int64(AlertBook.maximumAlerts) {
      let level = FixedDecimal(units: level, scale: .whole)
      if level != hundred { try book.add(xbt, .price(level), repeats: false, at: time(0)) }
    }
    try book.add(stock, .price(hundred), repeats: false, at: time(0))
    #expect(throws: AlertProblem.tooMany) {
      try book.add(stock, .price(try decimal("7")), repeats: false, at: time(0))
    }
  }

  @Test func `an alert that has fired is armed again on demand, and starts from what is known`()
    throws
  {
    var book = AlertBook()
    try book.add(xbt, .price(try decimal("100")), repeats: false, at: time(0))
    _ = book.receive(trade(9900, at: 1), of: xbt, at: time(1))
    #expect(book.receive(trade(10100, at: 2), of: xbt, at: time(2)).count == 1)
    try book.arm(1)
    #expect(book.followed == [xbt] && book.alerts[0].side == nil)
    #expect(book.receive(trade(9900, at: 3), of: xbt, at: time(3)).isEmpty)
    #expect(book.receive(trade(10100, at: 4), of: xbt, at: time(4)).count == 1)
  }

  @Test func `an edited alert keeps its number and begins at the latest price`() throws {
    var book = AlertBook()
    let id = try book.add(xbt, .price(try decimal("100")), repeats: false, at: time(0))
    try book.add(xbt, .price(try decimal("120")), repeats: true, at: time(0))
    _ = book.receive(trade(9900, at: 1), of: xbt, at: time(1))
    #expect(book.receive(trade(10100, at: 2), of: xbt, at: time(2)).count == 1)
    try book.edit(id, .price(try decimal("105.50")), repeats: true)
    let edited = book.alerts[0]
    #expect(edited.id == id && edited.createdAt == time(0) && edited.repeats && edited.isArmed)
    let level = try decimal("105.5")
    #expect(edited.condition == .price(level) && edited.side == .below)
    #expect(book.firings.count == 1, "what fired stays in the log")
    #expect(book.receive(trade(10300, at: 3), of: xbt, at: time(3)).isEmpty)
    let firings = book.receive(trade(10550, at: 4), of: xbt, at: time(4))
    #expect(firings.map(\.alert) == [id] && firings.first?.condition == .price(level))
    // At the level it fired at, it is armed at once.
    try book.edit(id, .price(level), repeats: false)
    #expect(book.alerts[0].isArmed && book.alerts[0].side == .at)
    #expect(try AlertBook(decoding: book.json.span).alerts == book.alerts)
  }

  @Test func `a bad edit is refused with its reason and changes nothing`() throws {
    var book = AlertBook()
    try book.add(xbt, .price(try decimal("100")), repeats: false, at: time(0))
    try book.add(xbt, .price(try decimal("110")), repeats: true, at: time(0))
    _ = book.receive(trade(9900, at: 1), of: xbt, at: time(1))
    let before = book
    #expect(throws: AlertProblem.noSuchAlert) {
      try book.edit(3, .price(try decimal("90")), repeats: false)
    }
    #expect(throws: AlertProblem.thereAlready) {
      try book.edit(1, .price(try decimal("110.0")), repeats: false)
    }
    #expect(throws: AlertProblem.bad(.price)) {
      try book.edit(1, .price(try decimal("0.1234567890123")), repeats: false)
    }
    #expect(book == before)
  }

  @Test func `a repeating alert does not fire within its cooldown, and then at the next crossing`()
    throws
  {
    var book = AlertBook()
    try book.add(xbt, .price(try decimal("100")), repeats: true, cooldownSeconds: 60, at: time(0))
    func fires(_ cents: Int64, _ seconds: Int64) -> Bool {
      !book.receive(trade(cents, at: seconds), of: xbt, at: time(seconds)).isEmpty
    }
    #expect(!fires(9900, 1) && fires(10100, 2))
    #expect(!fires(9900, 3) && !fires(10100, 61) && book.alerts[0].firedAt == time(2))
    // Its end is no crossing.
    #expect(!fires(10200, 62) && !fires(10300, 70) && fires(9900, 71))
    // A trade at the level within it counts as one outside it does.
    #expect(!fires(10000, 80) && !book.alerts[0].isArmed)
    #expect(try AlertBook(decoding: book.json.span).alerts == book.alerts)
    #expect(!fires(10100, 140) && book.alerts[0].isArmed && fires(9900, 141))
    // An edit ends it.
    try book.edit(1, .price(try decimal("101")), repeats: true, cooldownSeconds: 60)
    #expect(fires(10200, 142) && !fires(9900, 143))
  }

  @Test func `a clock that was set back ends a cooldown`() throws {
    var book = AlertBook()
    try book.add(
      stock, .price(try decimal("100")), repeats: true, cooldownSeconds: 86_400, at: time(0))
    func fires(_ last: String, _ seconds: Int64) throws -> Bool {
      let tick = AlertTrade(last: try decimal(last), at: time(seconds))
      return !book.receive(tick, of: stock, at: time(seconds)).isEmpty
    }
    let fired = try [fires("99", 5000), fires("101", 5001), fires("99", 90_000), fires("101", 10)]
    #expect(fired == [false, true, false, true])
  }
}
