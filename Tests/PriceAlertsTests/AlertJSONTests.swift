// Alerts as JSON: what was written reads back, and anything else is rejected.

import MarketModel
import Testing
import WireJSON

@testable import PriceAlerts

@Suite struct AlertJSONTests {
  private func full() throws -> AlertBook {
    var book = AlertBook()
    for (level, repeats) in [("100", false), ("101.5", true), ("250", false)] {
      try book.add(
        xbt, .price(try decimal(level)), repeats: repeats, cooldownSeconds: 1, at: time(0))
    }
    try book.add(stock, .price(try decimal("45.05")), repeats: true, at: time(0))
    for (index, cents) in [9900, 10150, 9900, 10200].enumerated() {
      let at = Int64(index + 1)
      _ = book.receive(trade(Int64(cents), at: at, id: at), of: xbt, at: time(at))
    }
    book.lose(xbt, since: time(7))
    book.see(xbt, at: time(8))
    book.lose(stock, since: time(8))
    book.mark(at: time(9))
    return book
  }

  @Test func `what is written is read again`() throws {
    let book = try full()
    #expect(book.firings.count == 3 && book.blindTimes.count == 2)
    let again = try AlertBook(decoding: book.json.span)
    #expect(again.json == book.json)
    #expect(again.alerts == book.alerts && again.firings == book.firings)
    #expect(try AlertBook(decoding: AlertBook().json.span) == AlertBook())
  }

  @Test func `a file without cooldowns is read as it was written`() throws {
    let text = String(decoding: try full().json, as: UTF8.self)
    let older = Array(text.replacing(#","cooldown":1"#, with: "").utf8)
    #expect(older.count < text.utf8.count)
    let book = try AlertBook(decoding: older.span)
    #expect(book.json == older && book.alerts.allSatisfy { $0.cooldownSeconds == 0 })
  }

  @Test(arguments: ["nextAlert", "nextFiring"])
  func `a number that can't be counted on is rejected`(name: String) throws {
    let text = String(decoding: AlertBook().json, as: UTF8.self)
    for number in ["0", "-1", "9007199254740993", "9223372036854775806", "9223372036854775807"] {
      let edited = text.replacing("\"\(name)\":1", with: "\"\(name)\":\(number)")
      #expect(edited != text)
      #expect(throws: JSONError.self) { try AlertBook(decoding: Array(edited.utf8).span) }
    }
  }

  @Test func `all bounds together fit the file`() throws {
    var book = AlertBook()
    let name = Symbol(String(repeating: "W", count: Symbol.maximumBytes))
    let long = InstrumentKey(.exchange, try #require(name))
    for number in 0..<Int64(AlertBook.maximumAlerts) {
      let level = FixedDecimal(units: Int64.max - 10 * number, scale: Scale(clamping: 12))
      try book.add(
        long, .price(level), repeats: true, cooldownSeconds: 1, at: Timestamp(nanoseconds: .max))
    }
    for number in Int64(1)...8 {
      let units = number % 2 == 0 ? Int64.max : 1
      let trade = AlertTrade(
        Trade(
          price: Price(units: units), size: .zero, side: nil,
          time: Timestamp(nanoseconds: .max - 9 + number), arrival: 1,
          identifier: .max - 9 + number),
        scale: Scale(clamping: 12), sizes: .whole)
      // Each is later than the cooldown.
      let now = Timestamp(nanoseconds: .max - (8 - number) * 1_000_000_000)
      _ = book.receive(trade, of: long, at: now)
    }
    #expect(book.firings.count == AlertBook.maximumFirings)
    for number in 0..<Int64(300) {
      book.note(long, Timestamp(nanoseconds: .max - 1000), Timestamp(nanoseconds: .max - number))
    }
    #expect(book.json.count < AlertBook.maximumBytes)
    let again = try AlertBook(decoding: book.json.span)
    #expect(again.json == book.json)
  }

  @Test(arguments: [
    ("\"version\":1", "\"version\":2"), ("\"nextAlert\":5", "\"nextAlert\":4"),
    ("\"nextFiring\":4", "\"nextFiring\":6"), ("\"nextFiring\":4", "\"nextFiring\":-5"),
    ("\"level\":\"250\"", "\"level\":\"x\""), ("\"level\":\"250\"", "\"level\":\"250.0\""),
    ("\"level\":\"250\"", "\"level\":\"2e2\""), ("\"level\":\"250\"", "\"level\":250"),
    ("\"id\":2", "\"id\":1"), ("\"id\":2", "\"id\":9"), ("bitmex/XBTUSD", "nobody/XBTUSD"),
    ("\"armed\":false,\"createdAt\":0,\"firedAt\":2000000000", "\"armed\":false,\"createdAt\":0"),
    ("\"from\":\"below\"", "\"from\":\"at\""), ("\"from\":\"below\"", "\"from\":\"above\""),
    ("\"blind\":[", "\"blind\":[],\"more\":["), ("\"blind\":[", "\"blind\":[],\"blind\":["),
    ("\"watches\":[", "\"watches\":[],\"x\":["), ("\"since\":7000000000", "\"since\":9000000000"),
    ("\"seenUntil\":9000000000", "\"seenUntil\":\"9\""), ("\"repeats\":true", "\"repeats\":1"),
    ("\"cooldown\":1", "\"cooldown\":0"), ("\"cooldown\":1", "\"cooldown\":-1"),
    ("\"cooldown\":1", "\"cooldown\":86401"), ("\"cooldown\":1", "\"cooldown\":\"1\""),
    ("\"repeats\":true,\"cooldown\":1", "\"repeats\":false,\"cooldown\":1"),
  ])
  func `whatever contradicts itself is refused`(_ part: String, _ other: String) throws {
    let text = String(decoding: try full().json, as: UTF8.self)
    let changed = text.replacing(part, with: other, maxReplacements: 1)
    #expect(changed != text, "\(part) is not in \(text)")
    let bytes = Array(changed.utf8)
    #expect(throws: JSONError.self) { try AlertBook(decoding: bytes.span) }
  }

  @Test func `a text that is cut or scrambled is refused or sound, and never traps`() throws {
    let bytes = try full().json
    for count in 0..<bytes.count {
      let cut = Array(bytes.prefix(count))
      #expect(throws: JSONError.self) { try AlertBook(decoding: cut.span) }
    }
    let seed: UInt64 = 20_261_123
    var random = SplitMix64(seed: seed)
    for _ in 0..<3000 {
      var changed = bytes
      for _ in 0...random.below(3) {
        changed[Int(random.below(Int64(bytes.count)))] = UInt8(random.below(128))
      }
      if let book = try? AlertBook(decoding: changed.span) {
        #expect(try AlertBook(decoding: book.json.span).json == book.json, "seed \(seed)")
      }
    }
  }
}
