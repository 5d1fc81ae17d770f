// Books in a session: the venue's rules, and other clients' bugs, one test each.

import MarketModel
import OrderBook
import Testing
import VenueProtocols

@Suite struct BitMEXBookSessionTests {
  let xbtusd = symbol("XBTUSD")
  let sample = Wire.partial("1 Sell 102 30", "2 Sell 101 10", "3 Buy 100 7", "4 Buy 99.5 5")
  static let sampleTable = "100×7 99.5×5 | 101×10 102×30"

  private func live() -> SessionHarness {
    var harness = SessionHarness(wanting: .init(.book, xbtusd))
    harness.receive(sample)
    return harness
  }

  private var bookChanged: SessionEffect { .changed(.init(.book, xbtusd)) }

  @Test func `changes before the partial are dropped`() {
    var harness = SessionHarness(wanting: .init(.book, xbtusd))
    harness.receive(Wire.change("insert", "9 Buy 50 1"))
    harness.receive(Wire.change("update", "9 Buy - 2"))
    harness.receive(Wire.change("delete", "9 Buy"))
    #expect(harness.effects.isEmpty)
    #expect(harness.book(xbtusd)?.status == .waiting)
    #expect(harness.book(xbtusd)?.freshness.state == .waiting)
    harness.receive(sample)
    #expect(harness.effects == [bookChanged])
    #expect(harness.table(xbtusd) == Self.sampleTable)
    #expect(harness.book(xbtusd)?.status == .synced)
    #expect(harness.book(xbtusd)?.freshness.state == .live)
    #expect(harness.book(xbtusd)?.resyncs == 0)
  }

  @Test func `an acknowledgement is not a snapshot`() {
    var harness = SessionHarness(wanting: .init(.book, xbtusd))
    harness.receive(
      #"{"success":true,"subscribe":"orderBookL2:XBTUSD","pool":"Aggregated","#
        + #""request":{"op":"subscribe","args":["orderBookL2:XBTUSD"]}}"#
    )
    #expect(harness.effects.isEmpty)
    harness.receive(Wire.change("insert", "9 Buy 50 1"))
    #expect(harness.book(xbtusd)?.status == .waiting)
  }

  @Test func `a later partial replaces the whole book, ids and all`() {
    var harness = live()
    harness.receive(Wire.partial("71 Sell 111 1", "72 Buy 110 2"))
    #expect(harness.table(xbtusd) == "110×2 | 111×1")
    harness.receive(Wire.change("update", "71 Sell - 5"))
    #expect(harness.table(xbtusd) == "110×2 | 111×5")
  }

  @Test func `a partial without rows empties the book that its filter names`() {
    var harness = live()
    harness.receive(Wire.partial())
    #expect(harness.table(xbtusd) == " | ")
    #expect(harness.book(xbtusd)?.status == .synced)
    harness.receive(Wire.change("insert", "5 Buy 99 1"))
    #expect(harness.table(xbtusd) == "99×1 | ")
  }

  @Test func `a message of more than 50,000 rows is rejected, and a new snapshot requested`() {
    var harness = live()
    let rows = (0...50_000).map { "{\"symbol\":\"XBTUSD\",\"id\":\(100 + $0)}" }
    harness.receive(
      "{\"table\":\"orderBookL2\",\"action\":\"delete\",\"data\":["
        + rows.joined(separator: ",") + "]}")
    #expect(harness.book(xbtusd)?.status == .resyncing)
    #expect(harness.sent == Wire.repair)
    #expect(harness.table(xbtusd) == Self.sampleTable)
  }

  @Test(arguments: ["insert", "update", "delete", "partial"])
  func `rows of two symbols that alternate change each book as apart`(action: String) {
    let ether = symbol("ETHUSD")
    func message(_ rows: [String]) -> String {
      "{\"table\":\"orderBookL2\",\"action\":\"\(action)\",\"data\":["
        + rows.joined(separator: ",") + "]}"
    }
    var (mixed, apart) = (
      SessionHarness(wanting: .init(.book, xbtusd), .init(.book, ether)),
      SessionHarness(wanting: .init(.book, xbtusd), .init(.book, ether))
    )
    let symbols = ["XBTUSD", "ETHUSD"]
    let levels = (0..<150).map { "\($0) Buy \(1000 - $0) 1" }
    for name in symbols {
      let rows = levels.map { Wire.row($0, symbol: name) }.joined(separator: ",")
      let partial =
        "{\"table\":\"orderBookL2\",\"action\":\"partial\",\"data\":[\(rows)],"
        + "\"filter\":{\"symbol\":\"\(name)\"}}"
      mixed.receive(partial)
      apart.receive(partial)
    }
    // Every other level, and some duplicates.
    let changes = (0..<100).map { "\($0 * 2) Buy \(1200 - $0) \(2 + $0)" } + ["8 Buy 1300 4"]
    mixed.receive(message(changes.flatMap { row in symbols.map { Wire.row(row, symbol: $0) } }))
    for name in symbols {
      apart.receive(message(changes.map { Wire.row($0, symbol: name) }))
    }
    for name in [xbtusd, ether] {
      #expect(mixed.table(name) == apart.table(name), "\(action) of \(name)")
      #expect(mixed.book(name)?.bidLevels == apart.book(name)?.bidLevels)
      #expect(mixed.book(name)?.status == apart.book(name)?.status)
    }
  }

  @Test func `an update changes size alone, price alone or both`() {
    var harness = live()
    harness.receive(Wire.change("update", "3 Buy - 70", "1 - - 31"))
    #expect(harness.table(xbtusd) == "100×70 99.5×5 | 101×10 102×31")
    harness.receive(Wire.change("update", "3 Buy 99 -"))
    #expect(harness.table(xbtusd) == "99.5×5 99×70 | 101×10 102×31")
    harness.receive(Wire.change("update", "3 Buy 98.5 1"))
    #expect(harness.table(xbtusd) == "99.5×5 98.5×1 | 101×10 102×31")
  }

  @Test(arguments: ["3", "3 Buy", "3 Buy 100 42000000", "3 Sell 5 1", "3 Buy 1.25e-20 1.5"])
  func `a delete goes by its id and never uses its row's size, price or side`(row: String) {
    var harness = live()
    harness.receive(Wire.change("delete", row))
    #expect(harness.table(xbtusd) == "99.5×5 | 101×10 102×30")
    #expect(harness.effects == [bookChanged])
  }

  @Test func `an unknown id costs its own row only`() {
    for action in ["update", "delete"] {
      var harness = live()
      harness.receive(Wire.change(action, "77 Buy - 1", "2 Sell - 11", "78 Sell - 2", "4 Buy - 6"))
      let expected = action == "update" ? "100×7 99.5×6 | 101×11 102×30" : "100×7 | 102×30"
      #expect(harness.table(xbtusd) == expected, "\(action)")
      #expect(harness.effects == [bookChanged])
      #expect(harness.book(xbtusd)?.freshness.state == .late, "not shown as live any more")
    }
  }

  @Test func `unknown ids in a second message make the book resync once`() {
    var harness = live()
    harness.receive(Wire.change("update", "77 Buy - 1"))
    harness.receive(Wire.change("update", "78 Buy - 1"))
    #expect(harness.effects.prefix(2) == [bookChanged, .resynced(.init(.book, xbtusd))])
    #expect(harness.sent == Wire.repair)
    #expect(harness.book(xbtusd)?.status == .resyncing)
    #expect(harness.book(xbtusd)?.freshness.state == .resyncing)
    #expect(harness.book(xbtusd)?.resyncs == 1)
    harness.receive(Wire.change("update", "79 Buy - 1"))
    harness.receive(Wire.change("insert", "5 Buy 150 1"))
    #expect(harness.effects.isEmpty, "one resync at a time")
    harness.receive(sample)
    #expect(harness.table(xbtusd) == Self.sampleTable)
    #expect(harness.book(xbtusd)?.status == .synced)
    #expect(harness.book(xbtusd)?.resyncs == 1)
  }

  @Test func `a single unknown id makes the book resync after five seconds`() {
    var harness = live()
    harness.receive(Wire.change("delete", "77 Buy"))
    harness.wait(4900)
    #expect(harness.effects.isEmpty)
    harness.wait(200)
    #expect(harness.effects.contains(.resynced(.init(.book, xbtusd))))
    #expect(harness.sent == Wire.repair)
  }

  @Test(arguments: ["5 Buy 101 1", "5 Buy 200 1", "5 Sell 100 1"])
  func `a crossed or touching book resyncs at once`(row: String) {
    var harness = live()
    harness.receive(Wire.change("insert", row))
    #expect(harness.sent == Wire.repair)
    #expect(harness.book(xbtusd)?.status == .resyncing)
  }

  @Test func `a venue that always sends a crossed book is not asked in haste`() {
    var harness = live()
    let crossed = Wire.change("insert", "5 Buy 101 1")
    harness.receive(crossed)
    #expect(harness.sent == Wire.repair)
    harness.receive(sample)
    harness.receive(crossed)
    #expect(harness.sent.isEmpty, "the second time it waits")
    #expect(harness.book(xbtusd)?.status == .resyncing)
    harness.wait(1100)
    #expect(harness.sent == Wire.repair)
    harness.receive(sample)
    #expect(harness.book(xbtusd)?.status == .synced)
  }

  @Test func `a book that is crossed only inside a message is sound`() {
    var harness = live()
    harness.receive(Wire.change("update", "3 Buy 101.5 7", "2 Sell 103 10"))
    #expect(harness.table(xbtusd) == "101.5×7 99.5×5 | 102×30 103×10")
    #expect(harness.book(xbtusd)?.status == .synced)
  }

  @Test func `a crossed snapshot is requested again, but not for ever`() {
    var harness = SessionHarness(wanting: .init(.book, xbtusd))
    let crossed = Wire.partial("1 Sell 99 1", "2 Buy 100 1")
    for round in 1...3 {
      harness.receive(crossed)
      // A second and two seconds after the one before.
      if round > 1 { harness.wait(2100) }
      #expect(harness.sent == Wire.repair)
      #expect(harness.book(xbtusd)?.status == .resyncing)
    }
    harness.receive(crossed)
    guard case .reconnect(let problem)? = harness.effects.last else {
      Issue.record("no reconnect in \(harness.effects)")
      return
    }
    #expect(problem.kind == .inconsistent)
    #expect(harness.sent.isEmpty)
  }

  @Test func `a missing snapshot is requested again`() {
    var harness = SessionHarness(wanting: .init(.book, xbtusd))
    harness.wait(9900)
    #expect(harness.effects.isEmpty)
    harness.wait(200)
    #expect(harness.sent == Wire.repair)
    #expect(harness.book(xbtusd)?.status == .waiting)
    harness.receive(sample)
    harness.receive(Wire.audit(sample))
    #expect(harness.book(xbtusd)?.status == .synced)
    harness.wait(20_000)
    #expect(harness.sent.isEmpty)
  }

  @Test func `a snapshot that never comes ends the connection`() {
    var harness = SessionHarness(wanting: .init(.book, xbtusd))
    var reconnects = 0
    for _ in 0..<200 {
      for effect in harness.wait(250) {
        if case .reconnect = effect { reconnects += 1 }
      }
      if reconnects > 0 { break }
    }
    #expect(reconnects == 1)
    #expect(harness.milliseconds < 50_000)
  }

  @Test func `an id may come back on the other side`() {
    var harness = live()
    harness.receive(Wire.change("insert", "3 Sell 100.5 4"))
    #expect(harness.table(xbtusd) == "99.5×5 | 100.5×4 101×10 102×30")
    harness.receive(Wire.change("delete", "3 Buy"))
    #expect(harness.table(xbtusd) == Self.sampleTable.replacing("100×7 ", with: ""))
    #expect(harness.book(xbtusd)?.freshness.state == .live)
  }

  @Test func `ids are opaque and of 64 bits, prices decide the order`() {
    var harness = SessionHarness(wanting: .init(.book, xbtusd))
    harness.receive(
      Wire.partial(
        "234027001384 Buy 77576.3 5", "234027001360 Buy 77585.6 4",
        "9223372036854775807 Sell 77586 1",
        "-5 Sell 77585.7 2", "0 Sell 77590.0 3"))
    #expect(harness.table(xbtusd) == "77585.6×4 77576.3×5 | 77585.7×2 77586×1 77590×3")
  }

  @Test func `ten thousand levels and more are all kept`() {
    var harness = SessionHarness(wanting: .init(.book, xbtusd))
    let rows = (1...12_000).map { Wire.row("\($0) Sell \(1000 + $0) 1") }.joined(separator: ",")
    harness.receive(
      #"{"table":"orderBookL2","action":"partial","filter":{"symbol":"XBTUSD"},"data":[\#(rows)]}"#)
    #expect(harness.book(xbtusd)?.askLevels == 12_000)
    harness.receive(Wire.change("update", "12000 Sell - 5", "1 Sell - 6"))
    #expect(harness.book(xbtusd)?.asks.first?.size.units == 6)
    #expect(harness.book(xbtusd)?.status == .synced)
  }

  @Test func `prices that differ in spelling only are equal`() {
    var harness = SessionHarness(wanting: .init(.book, xbtusd))
    harness.receive(
      Wire.partial("1 Buy 85.6190 1", "2 Buy 85.619 2", "3 Buy 8.5619e1 4", "4 Sell 1.0E+2 8"))
    #expect(harness.table(xbtusd) == "85.619×7 | 100×8")
    #expect(harness.book(xbtusd)?.priceDecimals.digits == 3)
  }

  @Test func `decimals come from the tick size, or from the prices until it is known`() {
    var harness = SessionHarness(wanting: .init(.book, xbtusd))
    harness.receive(Wire.partial("1 Buy 100 1"))
    #expect(harness.book(xbtusd)?.priceDecimals.digits == 0)
    harness.receive(
      #"{"table":"instrument","action":"partial","filter":{"symbol":"XBTUSD"},"#
        + #""data":[{"symbol":"XBTUSD","tickSize":5.0E-1}]}"#
    )
    #expect(harness.effects == [bookChanged])
    #expect(harness.book(xbtusd)?.priceDecimals.digits == 1)
    harness.receive(
      #"{"table":"instrument","action":"update","data":[{"symbol":"XBTUSD","tickSize":null,"#
        + #""fundingRate":3.0000000000000003E-4}]}"#
    )
    #expect(harness.book(xbtusd)?.priceDecimals.digits == 1)
    harness.receive(Wire.change("insert", "2 Buy 99.25 1"))
    #expect(harness.book(xbtusd)?.priceDecimals.digits == 2, "no digit is hidden")
  }

  @Test func `a book that falls silent becomes late and then stale`() {
    var harness = live()
    for size in 1...20 {
      harness.milliseconds += 190
      harness.receive(Wire.change("update", "3 Buy - \(size)"))
    }
    #expect(harness.book(xbtusd)?.freshness.state == .live)
    harness.milliseconds += 2000
    harness.receive("pong")
    #expect(harness.effects == [.pong])
    #expect(harness.book(xbtusd)?.freshness.state == .late)
    harness.milliseconds += 6000
    #expect(harness.book(xbtusd)?.freshness.state == .stale)
    #expect(harness.book(xbtusd)?.bids.isEmpty == false)
  }

  @Test func `a venue that only answers pings makes no book live again`() {
    var harness = live()
    var states: [FreshnessState] = []
    for _ in 0..<12 {
      harness.wait(5000)
      harness.receive("pong")
      if let state = harness.book(xbtusd)?.freshness.state, states.last != state {
        states.append(state)
      }
    }
    #expect(!states.contains(.live) && states.last != nil, "\(states)")
  }

  @Test func `a wall clock that jumps changes no book and no freshness`() {
    var harness = live()
    for (size, wall) in [(5, 7_200_000), (6, -3_600_000), (7, 86_400_000)] {
      harness.wall = Timestamp(milliseconds: harness.milliseconds + Int64(wall))
      harness.receive(Wire.change("update", "3 Buy - \(size)"))
      harness.wait(250)
      #expect(harness.book(xbtusd)?.freshness.state == .live, "\(wall)")
      #expect(harness.table(xbtusd).contains("×\(size)"), "\(wall): \(harness.table(xbtusd))")
    }
    #expect(harness.book(xbtusd)?.resyncs == 0)
  }

  @Test func `messages that come late and all at once leave the book as it should be`() {
    var (prompt, delayed) = (live(), live())
    let changes = (1...20).map { Wire.change("update", "3 Buy - \($0)") }
    for change in changes { prompt.receive(change) }
    delayed.wait(30_000)
    #expect(delayed.book(xbtusd)?.freshness.state != .live)
    for change in changes { delayed.receive(change) }
    #expect(delayed.table(xbtusd) == prompt.table(xbtusd))
    #expect(delayed.book(xbtusd)?.freshness.state == .live)
  }

  @Test func `the sequence rises with every message that is applied`() {
    var harness = live()
    #expect(harness.book(xbtusd)?.sequence == 1)
    harness.receive(Wire.change("update", "3 Buy - 1", "4 Buy - 1"))
    harness.receive(Wire.change("update", "3 Buy - 2"))
    #expect(harness.book(xbtusd)?.sequence == 3)
  }

  @Test func `books of other symbols are not touched`() {
    let ethusd = symbol("ETHUSD")
    var harness = SessionHarness(wanting: .init(.book, xbtusd), .init(.book, ethusd))
    harness.receive(sample)
    harness.receive(Wire.partial("1 Buy 5 5", symbol: "ETHUSD"))
    harness.receive(Wire.partial("1 Buy 7 7", symbol: "SOLUSD"))
    #expect(harness.effects.isEmpty, "nobody asked for it")
    harness.receive(Wire.change("delete", "1 Buy", symbol: "ETHUSD"))
    #expect(harness.effects == [.changed(.init(.book, ethusd))])
    #expect(harness.table(xbtusd) == Self.sampleTable)
    #expect(harness.table(ethusd) == " | ")
  }

  @Test func `a grouped book comes from the same topic and is as valid as the book itself`() throws
  {
    let usual = SessionHarness.usual
    let ten = try #require(PriceGrouping(ticks: 10))
    let grouped = Subscription(.book, usual, grouping: ten)
    var harness = SessionHarness(wanting: .init(.book, usual))
    harness.receive(Wire.partial("1 Sell 101 10", "2 Buy 100 7", "3 Buy 99 1"))
    harness.input(.wanted([.init(.book, usual), grouped]))
    #expect(harness.effects.isEmpty, "nothing more is asked for")
    harness.receive(Wire.change("update", "2 Buy 100 8"))
    #expect(harness.effects == [.changed(.init(.book, usual)), .changed(grouped)])
    func view(_ harness: SessionHarness) throws -> BookView {
      guard case .book(let view)? = harness.session.value(for: grouped, at: harness.now) else {
        throw Missing()
      }
      return view
    }
    var seen = try view(harness)
    #expect(seen.grouping == ten)
    #expect(seen.bids.map(\.size.units) == [8, 1], "of ticks of 1, the last digit that is shown")
    #expect(seen.bids.map(\.price.units) == [10_000_000_000, 9_000_000_000])
    #expect(seen.asks.map(\.price.units) == [11_000_000_000])
    #expect(
      seen.top == BookTop(bid: Price(units: 10_000_000_000), ask: Price(units: 10_100_000_000)))
    harness.input(.wanted([grouped]))
    #expect(harness.effects.isEmpty, "the topic is still needed")
    harness.receive(Wire.change("update", "2 Buy 100 9"))
    #expect(harness.effects == [.changed(grouped)])
    harness.receive("{")
    seen = try view(harness)
    #expect(seen.status == .resyncing)
    #expect(seen.freshness.state != .live)
  }

  private struct Missing: Error {}
}
