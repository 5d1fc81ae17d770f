import MarketModel
import OrderBook
import Testing
import VenueProtocols

@Suite struct BitMEXTapeTests {
  let xbtusd = symbol("XBTUSD")

  private func live() -> SessionHarness {
    var harness = SessionHarness(wanting: .init(.trades, xbtusd))
    harness.receive(Wire.trades("partial", "36:01.000 Buy 100 1"))
    return harness
  }

  private func sizes(_ harness: SessionHarness) -> [Int64] {
    harness.tape(xbtusd)?.trades.map(\.size.units) ?? []
  }

  /// Sizes of the trades that were reported one by one.
  private func told(_ effects: [SessionEffect]) -> [Int64] {
    effects.compactMap { effect in
      guard case .happened(let stream, .trade(let trade, _, _)) = effect,
        stream == .init(.trades, xbtusd)
      else { return nil }
      return trade.size.units
    }
  }

  @Test func `a sweep of equal times shows its last fill first`() {
    var harness = live()
    harness.receive(
      Wire.trades(
        "insert", "36:33.432 Buy 32184 2", "36:33.432 Buy 32185 3", "36:33.432 Buy 32187 4"))
    #expect(harness.effects.last == .changed(.init(.trades, xbtusd)))
    #expect(told(harness.effects) == [2, 3, 4], "each is told, in the venue's order")
    #expect(sizes(harness) == [4, 3, 2, 1])
    let arrivals = harness.tape(xbtusd)?.trades.map(\.arrival) ?? []
    #expect(arrivals == [4, 3, 2, 1])
  }

  @Test func `a late trade takes its place by time`() {
    var harness = live()
    harness.receive(Wire.trades("insert", "36:09.000 Sell 100 9"))
    harness.receive(Wire.trades("insert", "36:05.000 Sell 100 5", "36:00.500 Sell 100 0"))
    #expect(sizes(harness) == [9, 5, 1, 0])
  }

  @Test func `thirty trades are kept`() {
    var harness = live()
    for size in 2...40 {
      harness.receive(Wire.trades("insert", "36:\(size + 10).000 Buy 100 \(size)"))
    }
    #expect(sizes(harness) == (11...40).reversed().map { Int64($0) })
    harness.receive(Wire.trades("insert", "36:02.000 Buy 100 77"))
    #expect(told(harness.effects) == [77], "older than all thirty, but a trade all the same")
    #expect(harness.effects.count == 1, "and nothing on the screen changes")
    #expect(sizes(harness).contains(77) == false)
  }

  @Test func `equal rows with the zero id are separate trades`() {
    var harness = live()
    harness.receive(Wire.trades("insert", "36:33.432 Buy 5 2", "36:33.432 Buy 5 2"))
    harness.receive(Wire.trades("insert", "36:33.432 Buy 5 2"))
    #expect(sizes(harness) == [2, 2, 2, 1])
  }

  @Test func `a settlement has no side`() {
    var harness = live()
    harness.receive(Wire.trades("insert", "59:00.000 - 22957.36 1500"))
    let trade = harness.tape(xbtusd)?.trades.first
    #expect(trade != nil)
    #expect(trade?.side == nil)
    #expect(harness.tape(xbtusd)?.priceDecimals.digits == 2)
  }

  @Test func `nulls are absent values`() {
    var harness = live()
    harness.receive(
      #"{"table":"trade","action":"insert","data":[{"timestamp":"2021-07-22T22:35:30.000Z","#
        + #""symbol":"XBTUSD","side":null,"size":5,"price":7,"trdMatchID":null,"#
        + #""homeNotional":null}]}"#
    )
    #expect(sizes(harness) == [1, 5])
  }

  @Test func `trades before the partial are dropped`() {
    var harness = SessionHarness(wanting: .init(.trades, xbtusd))
    harness.receive(Wire.trades("insert", "36:00.000 Buy 5 2"))
    #expect(harness.effects.isEmpty)
    #expect(harness.tape(xbtusd)?.freshness.state == .waiting)
    harness.receive(Wire.trades("partial"))
    harness.receive(Wire.trades("insert", "36:00.000 Buy 5 3"))
    #expect(sizes(harness) == [3])
  }

  @Test func `after an outage the tape continues only when no trade was missed`() {
    for missed in [false, true] {
      var harness = live()
      harness.receive(Wire.trades("insert", "36:02.000 Sell 101 2"))
      harness.input(.closed)
      harness.open()
      #expect(harness.tape(xbtusd)?.freshness.state == .resyncing)
      harness.receive(
        Wire.trades("partial", missed ? "36:08.000 Buy 103 8" : "36:02.000 Sell 101 2"))
      #expect(sizes(harness) == (missed ? [8] : [2, 1]))
      #expect(harness.tape(xbtusd)?.freshness.state == .live)
    }
  }

  @Test func `without a partial trades are taken after ten seconds`() {
    var harness = SessionHarness(wanting: .init(.trades, xbtusd))
    harness.wait(10_100)
    harness.receive(Wire.trades("insert", "36:00.000 Buy 5 3"))
    #expect(sizes(harness) == [3])
  }

  @Test func `a silent tape is as fresh as its connection`() {
    var harness = live()
    for _ in 0..<20 {
      harness.milliseconds += 5000
      harness.receive("pong")
      #expect(harness.tape(xbtusd)?.freshness.state == .live)
    }
    harness.milliseconds += 7000
    #expect(harness.tape(xbtusd)?.freshness.state == .late)
    harness.milliseconds += 7000
    #expect(harness.tape(xbtusd)?.freshness.state == .stale)
  }

  @Test func `a trade that could not be read makes the tape start again`() {
    var harness = live()
    harness.receive(
      #"{"table":"trade","action":"insert","data":[{"timestamp":"2021-07-22T22:36:09.000Z","#
        + #""symbol":"XBTUSD","price":5,"size":1.5}]}"#
    )
    guard case .rejected(let problem)? = harness.effects.first else {
      Issue.record("not rejected")
      return
    }
    #expect(problem.kind == .malformed)
    #expect(harness.sent.map { $0.contains("trade:XBTUSD") } == [true, true])
    #expect(harness.tape(xbtusd)?.freshness.state == .resyncing)
    harness.receive(Wire.trades("partial", "36:09.000 Buy 5 9"))
    #expect(sizes(harness) == [9])
    #expect(harness.tape(xbtusd)?.freshness.state == .live)
  }

  // MARK: Quotes

  private func quote(_ action: String, _ fields: String) -> String {
    #"{"table":"quote","action":"\#(action)","filter":{"symbol":"XBTUSD"},"#
      + #""data":[{"timestamp":"2021-07-22T22:36:09.757Z","symbol":"XBTUSD",\#(fields)}]}"#
  }

  @Test func `a quote has bid, ask and the last trade's price`() {
    var harness = SessionHarness(wanting: .init(.quote, xbtusd))
    harness.receive(
      #"{"table":"instrument","action":"partial","filter":{"symbol":"XBTUSD"},"#
        + #""data":[{"symbol":"XBTUSD","tickSize":0.5,"lastPrice":32180.0}]}"#
    )
    #expect(harness.quote(xbtusd)?.price?.description == "32180.0")
    harness.receive(
      quote("partial", #""bidSize":10,"bidPrice":32180,"askPrice":32180.5,"askSize":20"#))
    #expect(harness.quote(xbtusd)?.bid?.description == "32180.0")
    #expect(harness.quote(xbtusd)?.ask?.description == "32180.5")
    #expect(harness.quote(xbtusd)?.askSize?.units == 20)
    harness.receive(Wire.trades("partial", "36:01.000 Buy 32180.5 1"))
    #expect(harness.effects == [.changed(.init(.quote, xbtusd))])
    #expect(harness.quote(xbtusd)?.price?.description == "32180.5")
    #expect(harness.quote(xbtusd)?.direction == .up)
    #expect(harness.quote(xbtusd)?.changes == 1)
    #expect(harness.quote(xbtusd)?.freshness.state == .live)
  }

  @Test func `the instrument's lagging last price does not undo a trade's`() {
    var harness = SessionHarness(wanting: .init(.quote, xbtusd))
    harness.receive(Wire.trades("partial", "36:01.000 Buy 101 1"))
    harness.receive(
      #"{"table":"instrument","action":"update","data":[{"symbol":"XBTUSD","lastPrice":100}]}"#)
    #expect(harness.effects.isEmpty)
    #expect(harness.quote(xbtusd)?.price == FixedDecimal("101"))
    harness.receive(Wire.trades("insert", "36:02.000 Sell 101 1"))
    #expect(harness.quote(xbtusd)?.changes == 0, "an equal price is no change")
  }

  @Test func `an empty side of the book has no quote`() {
    var harness = SessionHarness(wanting: .init(.quote, xbtusd))
    harness.receive(quote("partial", #""bidSize":10,"bidPrice":5,"askPrice":6,"askSize":20"#))
    harness.receive(quote("insert", #""bidSize":null,"bidPrice":null,"askPrice":6,"askSize":20"#))
    #expect(harness.quote(xbtusd)?.bid == nil)
    #expect(harness.quote(xbtusd)?.ask == FixedDecimal("6"))
  }

  @Test(arguments: ["bidSize", "askSize"])
  func `a quote of a negative size is rejected`(side: String) {
    var harness = SessionHarness(wanting: .init(.quote, xbtusd))
    harness.receive(quote("partial", #""bidSize":10,"bidPrice":5,"askPrice":6,"askSize":20"#))
    harness.receive(quote("insert", #""bidPrice":4,"askPrice":7,"\#(side)":-5"#))
    #expect(harness.effects.contains { if case .rejected = $0 { true } else { false } })
    #expect(harness.quote(xbtusd)?.bid == FixedDecimal("5"))
  }

  @Test func `quotes before the partial are dropped`() {
    var harness = SessionHarness(wanting: .init(.quote, xbtusd))
    harness.receive(
      #"{"table":"quote","action":"insert","data":[{"symbol":"XBTUSD","bidPrice":5}]}"#)
    #expect(harness.effects.isEmpty)
    #expect(harness.quote(xbtusd)?.bid == nil)
    #expect(harness.quote(xbtusd)?.freshness.state == .waiting)
  }

  @Test func `trades from the future are refused and counted, and the tape is not called live`() {
    var harness = live()
    harness.wall = Timestamp(iso8601: "2021-07-22T22:36:30Z")
    harness.receive(Wire.trades("insert", "59:33.432 Buy 32184 2", "36:31.000 Buy 100 3"))
    let rejected = harness.effects.filter { if case .rejected = $0 { true } else { false } }
    #expect(rejected.count == 1, "the first one only")
    #expect(sizes(harness) == [3, 1] && told(harness.effects) == [3])
    #expect(harness.tape(xbtusd)?.freshness.state == .live)
    for second in 10...40 {
      harness.receive(Wire.trades("insert", "59:\(second).000 Buy 100 9"))
    }
    #expect(sizes(harness) == [3, 1], "thirty of them don't fill the tape")
    #expect(harness.tape(xbtusd)?.freshness.state == .stale)
    harness.receive(Wire.trades("insert", "36:32.000 Buy 100 4"))
    #expect(sizes(harness) == [4, 3, 1] && harness.tape(xbtusd)?.freshness.state == .live)
  }

  @Test func `what a refused trade leaves behind is as old as that trade, the quote too`() {
    var harness = SessionHarness(wanting: .init(.trades, xbtusd), .init(.quote, xbtusd))
    harness.receive(Wire.trades("partial", "36:01.000 Buy 100 1"))
    harness.receive(quote("partial", #""bidSize":10,"bidPrice":99,"askPrice":101,"askSize":20"#))
    harness.wall = Timestamp(iso8601: "2021-07-22T22:36:30Z")
    harness.receive(Wire.trades("insert", "59:33.432 Buy 32184 2"))
    let refusedAt = harness.milliseconds
    for _ in 0..<5 {
      harness.receive(Wire.trades("insert", "59:33.432 Buy 32184 2"))
      harness.receive(quote("insert", #""bidSize":9,"bidPrice":99,"askPrice":101,"askSize":20"#))
      for freshness in [harness.tape(xbtusd)?.freshness, harness.quote(xbtusd)?.freshness] {
        #expect(freshness?.state == .stale)
        #expect(freshness?.confirmedAt?.monotonic == MonotonicTime(milliseconds: refusedAt))
      }
      harness.milliseconds += 1000
    }
  }

  @Test func `trades of a clock that was set back go on top, as they came`() {
    var harness = live()
    harness.receive(Wire.trades("insert", "36:02.000 Buy 100 2"))
    for size in 3...34 {
      harness.receive(Wire.trades("insert", "06:\(size + 10).000 Buy 100 \(size)"))
      #expect(sizes(harness).first == Int64(size))
    }
    harness.receive(Wire.trades("insert", "06:43.500 Sell 100 99"))
    #expect(sizes(harness).prefix(3) == [34, 99, 33], "and a late one among them by time")
    #expect(sizes(harness).count == 30)
  }

  @Test func `the tape is late as soon as the book of its symbol is, not by a measure of its own`()
  {
    var harness = SessionHarness(wanting: .init(.trades, xbtusd), .init(.book, xbtusd))
    harness.receive(Wire.partial("1 Sell 102 30", "3 Buy 100 7"))
    harness.receive(Wire.trades("partial", "36:01.000 Buy 100 1"))
    for _ in 0..<20 {
      harness.wait(100)
      harness.receive(Wire.change("update", "3 Buy - 8"))
    }
    #expect(harness.tape(xbtusd)?.freshness.state == .live)
    harness.wait(2000)
    #expect(harness.book(xbtusd)?.freshness.state == .late)
    #expect(harness.tape(xbtusd)?.freshness.state == .late, "its own measure is six seconds")
  }
}
