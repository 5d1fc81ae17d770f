// LT2: a BitMEX book has no checksum, so it is compared with the best 25 levels of a separate
// stream. Losses of either stream are found, and nothing else counts as a loss.

import MarketModel
import OrderBook
import Testing
import VenueProtocols

@Suite struct BitMEXAuditTests {
  private let xbtusd = symbol("XBTUSD")
  private let image = Wire.partial("1 Sell 102 30", "2 Sell 101 10", "3 Buy 100 7", "4 Buy 99.5 5")

  private func live() -> SessionHarness {
    var harness = SessionHarness(wanting: .init(.book, xbtusd))
    harness.receive(image)
    harness.receive(Wire.audit(image))
    return harness
  }

  /// Lets the venue send its best levels every 100 ms, with a change of the second one of each
  /// side; the book follows.
  private func pass(
    _ duration: Int64, _ harness: inout SessionHarness, until isOver: (SessionHarness) -> Bool
  ) -> Int64? {
    let start = harness.milliseconds
    while harness.milliseconds < start + duration {
      harness.milliseconds += 70
      let change = Wire.change("update", "1 Sell - \(30 + harness.milliseconds % 7)")
      harness.receive(change)
      if isOver(harness) { return harness.milliseconds - start }
      harness.milliseconds += 10
      harness.receive(Wire.audit(change))
      if isOver(harness) { return harness.milliseconds - start }
    }
    return nil
  }

  private func isResyncing(_ harness: SessionHarness) -> Bool {
    harness.book(xbtusd)?.status == .resyncing
  }

  @Test(
    arguments: [
      ("update", "3 Buy - 8"), ("delete", "3 Buy"), ("insert", "9 Buy 99.7 4"),
      ("update", "2 Sell - 11"), ("delete", "4 Buy"), ("insert", "9 Sell 100.5 4"),
    ])
  func `a change that the book lost is found within two seconds`(action: String, row: String) {
    var harness = live()
    #expect(pass(6000, &harness, until: isResyncing) == nil)
    harness.receive(Wire.audit(Wire.change(action, row)))
    let found = pass(5000, &harness, until: isResyncing)
    #expect((1400...2000).contains(found ?? 0), "\(found ?? -1) ms")
    #expect(harness.book(xbtusd)?.doubt == .audit)
    #expect(harness.book(xbtusd)?.freshness.state == .resyncing)
    #expect(harness.effects.contains(.resynced(.init(.book, xbtusd))))
    #expect(harness.effects.contains(.changed(.init(.book, xbtusd))))
    #expect(harness.sent == Wire.repair + Wire.repairAudit, "either may have lost it")
    harness.receive(image)
    harness.receive(Wire.audit(image))
    #expect(harness.book(xbtusd)?.status == .synced)
    #expect(harness.book(xbtusd)?.doubt == nil)
    #expect(pass(5000, &harness, until: isResyncing) == nil)
  }

  @Test func `a change that the best levels lost is found as well`() {
    var harness = live()
    harness.receive(Wire.change("update", "3 Buy - 8"))
    let found = pass(5000, &harness, until: isResyncing)
    #expect((1400...2000).contains(found ?? 0), "\(found ?? -1) ms")
  }

  @Test func `a level that changes on both ways at different moments is no loss`() {
    var harness = live()
    var late: [String] = []
    for step in Int64(0)..<400 {
      harness.milliseconds += 40
      let change = Wire.change("update", "3 Buy - \(7 + step % 5)", "2 Sell - \(9 + step % 3)")
      harness.receive(change)
      late.append(Wire.audit(change))
      // Always half a second behind: the two never agree at one moment.
      if late.count > 10 { harness.receive(late.removeFirst()) }
      #expect(harness.book(xbtusd)?.status == .synced, "step \(step)")
    }
  }

  @Test func `what the venue has not spoken of since is no loss yet`() {
    var harness = live()
    harness.receive(Wire.change("update", "3 Buy - 8"))
    harness.receive(Wire.audit(Wire.change("update", "1 Sell - 31")))
    harness.receive(Wire.change("update", "1 Sell - 31"))
    harness.wait(4000)
    #expect(harness.book(xbtusd)?.status == .synced)
    harness.receive(Wire.audit(Wire.change("update", "3 Buy - 8")))
    #expect(pass(5000, &harness, until: isResyncing) == nil)
  }

  @Test func `levels beyond those that the venue sends are not compared`() {
    var harness = SessionHarness(wanting: .init(.book, xbtusd))
    func image(_ levels: Range<Int>) -> String {
      let rows = levels.map { Wire.row("\($0) Buy \(1000 - $0) 5") }
      return #"{"table":"orderBookL2","action":"partial","filter":{"symbol":"XBTUSD"},"data":["#
        + rows.joined(separator: ",") + "]}"
    }
    harness.receive(image(0..<40))
    harness.receive(Wire.audit(image(0..<25)))
    for size in 1...40 {
      harness.milliseconds += 100
      let change = Wire.change("update", "1 Buy - \(size)")
      harness.receive(change)
      harness.receive(Wire.audit(change))
      harness.receive(Wire.change("update", "30 Buy - \(size)"))
    }
    #expect(harness.book()?.status == .synced)
    // The best one goes, so that the 26th becomes part of the list.
    harness.receive(Wire.change("delete", "0 Buy"))
    harness.receive(Wire.audit(Wire.change("delete", "0 Buy")))
    harness.receive(Wire.audit(Wire.change("insert", "25 Buy 975 6")))
    var found = false
    for size in 1...40 where !found {
      harness.milliseconds += 100
      let change = Wire.change("update", "1 Buy - \(size)")
      harness.receive(change)
      harness.receive(Wire.audit(change))
      found = harness.book()?.status == .resyncing
    }
    #expect(found, "a size that was lost there long ago")
  }

  @Test func `best levels that do not come, or that the venue refuses, leave the book as good`() {
    var harness = SessionHarness(wanting: .init(.book, xbtusd))
    harness.receive(image)
    harness.wait(29_000)
    #expect(harness.sent.isEmpty)
    #expect(harness.book()?.status == .synced)
    #expect(harness.book()?.witnesses == nil, "nobody to compare with")
    harness.wait(1500)
    #expect(harness.sent == Wire.repairAudit)
    harness.receive(
      #"{"status":400,"error":"Unknown or expired symbol.","request":{"op":"subscribe","#
        + #""args":["orderBookL2_25:XBTUSD"]}}"#)
    harness.receive(Wire.change("update", "3 Buy - 8"))
    #expect(harness.book()?.status == .synced)
    harness.wait(60_000)
    #expect(harness.sent.isEmpty)
  }

  @Test func `unreadable best levels are requested again, five seconds apart`() {
    var harness = live()
    let broken = #"{"table":"orderBookL2_25","action":"update","data":["#
    harness.receive(broken)
    #expect(harness.sent == Wire.repairAudit)
    #expect(harness.book()?.status == .synced, "the book itself was read")
    harness.receive(broken)
    #expect(harness.sent.isEmpty, "asked already")
    harness.receive(Wire.audit(image))
    // A crossed list is ignored.
    harness.receive(Wire.audit(Wire.change("insert", "5 Buy 101 1")))
    #expect(harness.book()?.status == .synced)
    #expect(harness.sent.isEmpty, "within five seconds of the last")
    harness.wait(5000)
    #expect(harness.sent == Wire.repairAudit)
  }

  // MARK: Prices

  private func ticker(_ members: String, _ action: String = "update") -> String {
    let filter = action == "partial" ? #""filter":{"symbol":"XBTUSD"},"# : ""
    return #"{"table":"instrument","action":"\#(action)",\#(filter)"data":[{"symbol":"XBTUSD","#
      + members + "}]}"
  }

  @Test func `book, best levels, ticker and trades agree on the prices`() {
    var harness = SessionHarness(wanting: .init(.book, xbtusd), .init(.trades, xbtusd))
    harness.wall = Timestamp(milliseconds: 1_626_993_400_000)
    harness.receive(image)
    #expect(harness.book()?.witnesses == nil)
    harness.receive(ticker(#""bidPrice":100,"askPrice":101.0,"lastPrice":100.5"#, "partial"))
    #expect(harness.book()?.witnesses?.witnesses == [.book, .ticker])
    harness.receive(Wire.trades("partial", "36:01.000 Buy 100.5 5"))
    #expect(harness.book()?.witnesses?.witnesses == [.book, .ticker, .trades])
    harness.receive(Wire.audit(image))
    let report = harness.book()?.witnesses
    #expect(report?.witnesses == [.book, .top25, .ticker, .trades])
    #expect(report?.dissents == [])
    #expect(report?.agreeing == 4)
    #expect(harness.wait(250).contains(.changed(.init(.book, xbtusd))), "faces are told")
  }

  @Test func `a ticker with another price for too long mismatches, and is reported`() {
    var harness = live()
    harness.receive(ticker(#""bidPrice":100,"askPrice":101.0"#, "partial"))
    harness.wait(250)
    harness.receive(ticker(#""bidPrice":99.5,"askPrice":101.0"#))
    var told: [SessionEffect] = []
    for _ in 0..<80 { told += harness.wait(250) }
    let dissent = WitnessDissent(
      .ticker, .bid, said: FixedDecimal(units: 995, scale: Scale(clamping: 1)),
      against: FixedDecimal(units: 100, scale: .whole))
    #expect(told.contains(.dissented(xbtusd, [dissent])))
    #expect(harness.book()?.witnesses?.dissents == [dissent])
    #expect(harness.book()?.witnesses?.agreeing == 2)
    #expect(harness.book()?.status == .synced, "a ticker is a witness and no proof")
    told = []
    for _ in 0..<80 {
      harness.receive(ticker(#""bidPrice":100,"askPrice":101.0"#))
      told += harness.wait(250)
    }
    #expect(told.contains(.dissented(xbtusd, [])))
    #expect(harness.book()?.witnesses?.dissents == [])
  }

  /// The venue's own stream of 2021: half a minute of its busiest book and its quotes.
  @Test func `quotes of the captured stream agree with its book`() throws {
    var harness = SessionHarness(wanting: .init(.book, xbtusd), .init(.quote, xbtusd))
    harness.wall = Timestamp(milliseconds: 1_626_993_400_000)
    var reports: Set<WitnessReport> = []
    for message in try BitMEXPayloads.session() {
      harness.milliseconds = message.time.monotonic.nanoseconds / 1_000_000
      harness.effects = harness.session.receive(message.bytes.span, kind: .text, at: harness.now)
      harness.input(.timer)
      if let report = harness.book()?.witnesses { reports.insert(report) }
    }
    let dissenting = reports.filter { !$0.dissents.isEmpty }
    let quoted = reports.filter { $0.witnesses.contains(.quote) }
    #expect(dissenting.isEmpty, "\(dissenting)")
    #expect(!quoted.isEmpty)
  }
}
