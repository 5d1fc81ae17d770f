// Alerts on a change, the spread, the volume and an invalid book.

import MarketModel
import Testing
import WireJSON

@testable import PriceAlerts

@Suite struct AlertConditionTests {
  private func book(
    _ condition: AlertCondition, repeats: Bool = true, cooldown: Int64 = 0
  ) throws -> AlertBook {
    var book = AlertBook()
    try book.add(xbt, condition, repeats: repeats, cooldownSeconds: cooldown, at: time(0))
    return book
  }

  private func trade(_ units: Int64, _ size: Int64, at seconds: Int64, id: Int64) -> AlertTrade {
    AlertTrade(
      Trade(
        price: Price(units: units), size: Quantity(units: size), side: .buy, time: time(seconds),
        arrival: UInt64(id), identifier: id),
      scale: .whole, sizes: Scale(clamping: 1))
  }

  /// The trades of an oracle that are in a window of 60 slots.
  private func inWindow<Row>(
    _ rows: [(at: Int64, row: Row)], _ seconds: Int64, at now: Int64
  ) -> [Row] {
    rows.filter { $0.at * 60 / seconds > now * 60 / seconds - 60 }.map(\.row)
  }

  @Test(arguments: (1...12).map { UInt64($0) })
  func `a change is measured from the lowest or highest price of the time`(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let (seconds, percent) = (60 * (1 + random.below(5)), Int64(seed % 2 == 0 ? 4 : -4))
    var book = try book(
      .change(percent: FixedDecimal(units: percent, scale: .whole), seconds: seconds))
    var trades: [(at: Int64, row: Int64)] = []
    var (now, price, isArmed, count) = (Int64(1_790_000_000), Int64(1000), true, 0)
    for number in 1...Int64(1500) {
      now += random.below(12) == 0 ? random.below(400) : random.below(6)
      price = max(500, price + random.below(21) - 10)
      trades.append((now, price))
      // The price as the window begins is that of the last trade before it.
      let inside = inWindow(trades, seconds, at: now)
      let prices = trades.dropLast(inside.count).suffix(1).map(\.row) + inside
      let low = try #require(prices.min())
      let high = try #require(prices.max())
      let isMet =
        percent > 0 ? (price - low) * 100 >= percent * low : (price - high) * 100 <= percent * high
      let firings = book.receive(
        trade(price, 1, at: now, id: number), of: xbt, at: time(now))
      #expect(firings.count == (isMet && isArmed ? 1 : 0), "seed \(seed), trade \(number)")
      isArmed = !isMet
      count += firings.count
      let slots = book.alerts.first?.window?.slots.count ?? 0
      #expect(slots <= 60, "seed \(seed)")
    }
    #expect(count > 3, "seed \(seed)")
  }

  @Test func `a new or changed alert starts from the latest price`() throws {
    var book = try book(.price(try decimal("1")))
    _ = book.receive(trade(100, 1, at: 1, id: 1), of: xbt, at: time(1))
    let fall = AlertCondition.change(percent: try decimal("-5"), seconds: 60)
    try book.edit(1, fall, repeats: true)
    #expect(book.receive(trade(95, 1, at: 900, id: 2), of: xbt, at: time(900)).count == 1)
    // Also after a restart, which the firing names.
    book.mark(at: time(901))
    var again = try AlertBook(decoding: book.json.span)
    again.resume(at: time(1000))
    #expect(again.receive(trade(95, 1, at: 1002, id: 3), of: xbt, at: time(1002)).isEmpty)
    let firings = again.receive(trade(90, 1, at: 1003, id: 4), of: xbt, at: time(1003))
    #expect(firings.map(\.value.description) == ["-5.26"])
    #expect(firings.map(\.blindSince) == [time(901)])
  }

  @Test(arguments: (1...12).map { UInt64($0) })
  func `a volume is the sum of a time, and ends with it`(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let seconds = 60 * (1 + random.below(5))
    var book = try book(.volume(FixedDecimal(units: 30, scale: .whole), seconds: seconds))
    var trades: [(at: Int64, row: Int64)] = []
    var (now, isArmed, count) = (Int64(1_790_000_000), true, 0)
    for number in 1...Int64(1500) {
      now += random.below(8) == 0 ? random.below(500) : random.below(seconds / 20)
      if random.below(3) == 0 {
        let isMet = inWindow(trades, seconds, at: now).reduce(0, +) >= 300
        #expect(book.advance(to: time(now)).isEmpty)
        if !isMet { isArmed = true }
        #expect(book.alerts.first?.isArmed == isArmed, "seed \(seed), at \(number)")
        continue
      }
      // The time may have passed without a trade.
      if inWindow(trades, seconds, at: now).reduce(0, +) < 300 { isArmed = true }
      let size = random.below(60)
      trades.append((now, size))
      let isMet = inWindow(trades, seconds, at: now).reduce(0, +) >= 300
      let firings = book.receive(trade(7, size, at: now, id: number), of: xbt, at: time(now))
      #expect(firings.count == (isMet && isArmed ? 1 : 0), "seed \(seed), trade \(number)")
      isArmed = !isMet
      count += firings.count
    }
    #expect(count > 3, "seed \(seed)")
  }

  @Test func `a window with an unobserved time names it, and forgets it when it is over`() throws {
    var book = try book(.volume(FixedDecimal(units: 1, scale: .whole), seconds: 60))
    _ = book.receive(trade(7, 5, at: 10, id: 1), of: xbt, at: time(10))
    book.lose(xbt, since: time(20))
    _ = book.receive(trade(7, 1, at: 30, id: 2), of: xbt, at: time(30))
    let first = book.receive(trade(7, 9, at: 40, id: 3), of: xbt, at: time(40))
    #expect(first.map(\.blindSince) == [time(20)])
    #expect(first.map(\.value.description) == ["1.5"])
    _ = book.advance(to: time(200))
    let second = book.receive(trade(7, 50, at: 300, id: 4), of: xbt, at: time(300))
    #expect(second.map(\.blindSince) == [nil] && second.first?.identifier == 4)
  }

  @Test func `trades of a tape count at their own times, and none is later than now`() throws {
    var book = try book(.volume(FixedDecimal(units: 1, scale: .whole), seconds: 60))
    _ = book.receive(trade(7, 1, at: 100, id: 1), of: xbt, at: time(100))
    // Missed meanwhile: too old for the window.
    #expect(book.receive(trade(7, 90, at: 200, id: 2), of: xbt, at: time(1000)).isEmpty)
    #expect(book.receive(trade(7, 90, at: 5000, id: 3), of: xbt, at: time(1001)).count == 1)
    _ = book.advance(to: time(1100))
    #expect(book.alerts.first?.isArmed == true)
  }

  @Test func `a spread fires at its level, on a current book only`() throws {
    var book = try book(.spread(basisPoints: FixedDecimal(units: 1, scale: .whole)))
    func fires(_ state: AlertBookState) -> [String] {
      book.receive(state, of: xbt, at: time(1)).map(\.value.description)
    }
    func live(_ bid: String, _ ask: String) throws -> AlertBookState {
      .live(bid: try decimal(bid), ask: try decimal(ask))
    }
    #expect(fires(.invalid) == [] && fires(.late) == [])
    #expect(fires(try live("99995.01", "100005")) == [])
    #expect(fires(try live("99995", "100005")) == ["1"])
    #expect(fires(try live("90", "110")) == [])
    // Neither a late nor an invalid book has a spread, so that it doesn't rearm.
    #expect(fires(.late) == [] && fires(.invalid) == [])
    #expect(fires(try live("90", "110")) == [])
    #expect(fires(try live("100", "100.001")) == [])
    #expect(fires(.live(bid: nil, ask: try decimal("1"))) == [])
    #expect(fires(try live("110", "90")) == [])
    #expect(fires(try live("0", "1")) == [])
    #expect(fires(try live("1", "9223372036854775807")) == ["19999.99"])
    #expect(fires(try live("100", "100")) == [])
    #expect(fires(try live("90", "110")) == ["2000"])
    _ = fires(try live("100", "100"))
    _ = fires(.invalid)
    let after = book.receive(try live("90", "110"), of: xbt, at: time(9))
    #expect(after.map(\.blindSince) == [time(1)])
    #expect(after.first?.from == nil && after.first?.time == time(9))
  }

  @Test func `a spread that holds already fires with the next second`() throws {
    var book = try book(.spread(basisPoints: try decimal("500")), repeats: false)
    let state = AlertBookState.live(bid: try decimal("90"), ask: try decimal("110"))
    #expect(book.receive(state, of: xbt, at: time(1)).count == 1)
    try book.add(xbt, .spread(basisPoints: try decimal("700")), repeats: false, at: time(2))
    _ = book.receive(state, of: xbt, at: time(2))
    #expect(book.firings.map(\.alert) == [1, 2] && book.followedBooks.isEmpty)
    #expect(book.advance(to: time(3)).isEmpty && !book.needsClock)
  }

  @Test func `an invalid book fires after its seconds, once until it is valid again`() throws {
    var book = try book(.invalidBook(seconds: 5), cooldown: 30)
    let live = AlertBookState.live(bid: nil, ask: nil)
    #expect(book.advance(to: time(100)).isEmpty, "before the first state")
    #expect(book.receive(.invalid, of: xbt, at: time(100)).isEmpty)
    #expect(book.advance(to: time(104)).isEmpty)
    #expect(book.receive(.invalid, of: xbt, at: time(104)).isEmpty)
    #expect(book.advance(to: time(105)).map(\.value.description) == ["5"])
    #expect(book.advance(to: time(200)).isEmpty)
    // Late is not invalid.
    _ = book.receive(.late, of: xbt, at: time(200))
    #expect(book.alerts.first?.isArmed == true)
    _ = book.receive(.invalid, of: xbt, at: time(201))
    _ = book.receive(live, of: xbt, at: time(205))
    #expect(book.advance(to: time(300)).isEmpty)
    // A clock that was set back restarts the count.
    _ = book.receive(.invalid, of: xbt, at: time(300))
    #expect(book.advance(to: time(250)).isEmpty && book.advance(to: time(254)).isEmpty)
    #expect(book.advance(to: time(255)).count == 1)
    // Within the cooldown it doesn't fire, and isn't made up for.
    _ = book.receive(live, of: xbt, at: time(256))
    _ = book.receive(.invalid, of: xbt, at: time(257))
    #expect(book.advance(to: time(264)).isEmpty && book.advance(to: time(400)).isEmpty)
  }

  @Test func `a stored book opens, also one without kinds, and its windows start again`() throws {
    var book = AlertBook()
    let conditions: [AlertCondition] = [
      .price(try decimal("100")), .change(percent: try decimal("-2.5"), seconds: 60),
      .spread(basisPoints: try decimal("10")), .volume(try decimal("0.5"), seconds: 86_400),
      .invalidBook(seconds: 3600),
    ]
    for condition in conditions { try book.add(xbt, condition, repeats: true, at: time(0)) }
    for (id, price) in [Int64(101), 99, 90].enumerated() {
      _ = book.receive(trade(price, 10, at: 1, id: Int64(id) + 1), of: xbt, at: time(1))
    }
    _ = book.receive(.live(bid: try decimal("90"), ask: try decimal("110")), of: xbt, at: time(2))
    _ = book.receive(.invalid, of: xbt, at: time(3))
    _ = book.advance(to: time(4000))
    #expect(Set(book.firings.map(\.condition)) == Set(conditions))
    book.mark(at: time(9))
    let again = try AlertBook(decoding: book.json.span)
    #expect(again.json == book.json && again.alerts.map(\.condition) == conditions)
    #expect(again.firings == book.firings && again.alerts.allSatisfy { $0.window == nil })
    let today = """
      {"version":1,"nextAlert":2,"nextFiring":2,"seenUntil":9,"alerts":[{"id":1,\
      "market":"bitmex/XBTUSD","level":"100","repeats":false,"armed":false,"createdAt":0,\
      "firedAt":2}],"watches":[],"firings":[{"number":1,"alert":1,"market":"bitmex/XBTUSD",\
      "level":"100","from":"below","price":"101","time":2,"identifier":1,"at":2}],"blind":[]}
      """
    let older = Array(today.utf8)
    #expect(try AlertBook(decoding: older.span).json == older)
  }

  @Test(arguments: [
    (#""kind":"change""#, #""kind":"moon""#), (#""kind":"change""#, #""kind":1"#),
    (#""kind":"change","#, ""), (#""kind":"spread""#, #""kind":"book""#),
    (#""kind":"spread""#, #""kind":"volume""#), (#""level":"-2.5","#, ""),
    (#""level":"-2.5""#, #""level":"-100""#), (#""level":"-2.5""#, #""level":"0""#),
    (#""level":"-2.5""#, #""level":"0.001""#), (#""level":"-2.5""#, #""level":true"#),
    (#""level":"0.5""#, #""level":"-0.5""#), (#""seconds":60"#, #""seconds":59"#),
    (#""seconds":86400"#, #""seconds":86401"#), (#""seconds":60,"#, ""),
    (#""seconds":60"#, #""seconds":"60""#), (#""seconds":3600"#, #""seconds":0"#),
    (#""seconds":3600"#, #""seconds":9223372036854775808"#),
    (#""seconds":3600"#, #""level":"1","seconds":3600"#),
  ])
  func `an invalid condition is rejected`(_ part: String, _ other: String) throws {
    var book = AlertBook()
    try book.add(
      xbt, .change(percent: try decimal("-2.5"), seconds: 60), repeats: true, at: time(0))
    try book.add(xbt, .spread(basisPoints: try decimal("10")), repeats: true, at: time(0))
    try book.add(xbt, .volume(try decimal("0.5"), seconds: 86_400), repeats: true, at: time(0))
    try book.add(xbt, .invalidBook(seconds: 3600), repeats: true, at: time(0))
    let text = String(decoding: book.json, as: UTF8.self)
    let changed = text.replacing(part, with: other, maxReplacements: 1)
    #expect(changed != text)
    let bytes = Array(changed.utf8)
    #expect(throws: JSONError.self) { try AlertBook(decoding: bytes.span) }
  }

  @Test func `conditions out of bounds and doubles are refused with their reason`() throws {
    var book = AlertBook()
    let bad: [(AlertCondition, AlertCondition.Kind)] = [
      (.change(percent: try decimal("0"), seconds: 60), .change),
      (.change(percent: try decimal("-100"), seconds: 60), .change),
      (.change(percent: try decimal("1"), seconds: 59), .change),
      (.spread(basisPoints: try decimal("-1")), .spread),
      (.volume(try decimal("0"), seconds: 60), .volume), (.invalidBook(seconds: 3601), .book),
    ]
    for (condition, kind) in bad {
      #expect(throws: AlertProblem.bad(kind)) {
        try book.add(xbt, condition, repeats: true, at: time(0))
      }
    }
    try book.add(xbt, .invalidBook(seconds: 5), repeats: true, at: time(0))
    #expect(throws: AlertProblem.sameAlready) {
      try book.add(xbt, .invalidBook(seconds: 5), repeats: false, at: time(0))
    }
    try book.edit(1, .spread(basisPoints: try decimal("5")), repeats: true)
    #expect(book.followedBooks == [xbt] && book.needsClock)
    try book.edit(1, .price(try decimal("5")), repeats: true)
    #expect(book.followedBooks.isEmpty && !book.needsClock)
  }

  @Test func `no size, price or time overflows`() throws {
    var book = AlertBook()
    let most = FixedDecimal(units: .max, scale: .whole)
    try book.add(xbt, .volume(most, seconds: 86_400), repeats: true, at: time(0))
    try book.add(
      xbt, .change(percent: try decimal("1"), seconds: 60), repeats: true, at: time(0))
    try book.add(xbt, .invalidBook(seconds: 1), repeats: true, at: time(0))
    var number: Int64 = 0
    for nanoseconds in [Int64.min, .min + 1, -1, 0, .max - 1, .max] {
      let now = Timestamp(nanoseconds: nanoseconds)
      _ = book.receive(.invalid, of: xbt, at: now)
      for units in [Int64.min, -1, 0, 1, .max] {
        number += 1
        let trade = AlertTrade(
          Trade(
            price: Price(units: units), size: Quantity(units: .max), side: nil, time: now,
            arrival: UInt64(number), identifier: number),
          scale: .whole, sizes: Scale(clamping: UInt8(number % 3)))
        _ = book.receive(trade, of: xbt, at: now)
      }
      _ = book.advance(to: now)
    }
    #expect(book.firings.contains { $0.condition.kind == .volume })
  }
}
