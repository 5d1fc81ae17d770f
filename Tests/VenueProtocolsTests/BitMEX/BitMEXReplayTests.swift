// The recorded session of 2021, replayed to the state that an independent program found in it.

import MarketModel
import OrderBook
import Testing
import VenueProtocols

@Suite struct BitMEXReplayTests {
  let xbtusd = symbol("XBTUSD")

  private func amounts(_ rows: [BookRow], _ scale: Scale) -> [[FixedDecimal]] {
    rows.map {
      [FixedDecimal($0.price, scale: scale), FixedDecimal($0.size, scale: .whole)]
    }
  }

  @Test func `the recorded session gives the expected book at every checkpoint`() throws {
    let expected = try BitMEXPayloads.expected()
    let session = try BitMEXPayloads.session()
    #expect(session.count == expected.messages)
    var checkpoints = Dictionary(
      uniqueKeysWithValues: expected.checkpoints.map { ($0.after_message, $0) })
    var replay = BitMEXReplay()
    for (index, message) in session.enumerated() {
      let problem = replay.process(message.bytes, at: message.time)
      #expect(problem == nil)
      guard let point = checkpoints.removeValue(forKey: index + 1) else { continue }
      let view = try #require(replay.bookView(for: xbtusd, at: message.time))
      let book = try #require(replay.book(for: xbtusd))
      let place: Comment = "after message \(index + 1)"
      #expect(view.bidLevels == point.bid_levels, place)
      #expect(view.askLevels == point.ask_levels, place)
      #expect(book.totalSize(.bid).units == point.bid_total, place)
      #expect(book.totalSize(.ask).units == point.ask_total, place)
      #expect(amounts(view.bids, view.priceScale) == point.bids20.map { $0.map(\.value) }, place)
      #expect(amounts(view.asks, view.priceScale) == point.asks20.map { $0.map(\.value) }, place)
      #expect(view.status == .synced, place)
      #expect(book.firstDefect() == nil, place)
    }
    #expect(checkpoints.isEmpty)
    #expect(replay.messages == 1339)
    #expect(replay.rejectedMessages == 0)
    #expect(replay.bookSymbols == [xbtusd])
  }

  @Test func `the recorded session ends with the expected quote and trades`() throws {
    let expected = try BitMEXPayloads.expected()
    var replay = BitMEXReplay()
    var now = ClockReading(milliseconds: 0)
    for message in try BitMEXPayloads.session() {
      now = message.time
      replay.process(message.bytes, at: now)
    }
    let quote = try #require(replay.quoteView(for: xbtusd, at: now))
    #expect(quote.bid == expected.final_quote.bidPrice.value)
    #expect(quote.ask == expected.final_quote.askPrice.value)
    #expect(quote.bidSize?.units == expected.final_quote.bidSize)
    #expect(quote.askSize?.units == expected.final_quote.askSize)
    #expect(quote.price == FixedDecimal("32187"))
    let tape = try #require(replay.tapeView(for: xbtusd, at: now))
    let trades = tape.trades.map {
      [
        $0.time.description, $0.side == .buy ? "Buy" : "Sell", "\($0.size.units)",
        FixedDecimal($0.price, scale: tape.priceScale).trimmed.description,
      ]
    }
    let expectedTrades = expected.last_trades_newest_first.map {
      [$0.timestamp, $0.side, "\($0.size)", $0.price.value.trimmed.description]
    }
    #expect(trades == expectedTrades)
    #expect(tape.priceDecimals.digits == 1)
    #expect(tape.freshness.origin == .replay)
  }

  @Test func `a recording that starts in the middle has trades and quotes but no book`() throws {
    var replay = BitMEXReplay()
    var now = ClockReading(milliseconds: 0)
    for message in try BitMEXPayloads.session().dropFirst(500) {
      now = message.time
      replay.process(message.bytes, at: now)
    }
    #expect(replay.bookSymbols.isEmpty)
    #expect(replay.symbols == [xbtusd])
    #expect(replay.bookView(for: xbtusd, at: now)?.status == .waiting)
    #expect(replay.bookView(for: xbtusd, at: now)?.bids.isEmpty == true)
    #expect(replay.tapeView(for: xbtusd, at: now)?.trades.isEmpty == false)
    #expect(replay.bookView(for: symbol("NOPE"), at: now) == nil)
  }

  @Test func `a welcome in a recording makes the book wait for its partial again`() throws {
    let session = try BitMEXPayloads.session()
    var replay = BitMEXReplay()
    for message in session.prefix(300) { replay.process(message.bytes, at: message.time) }
    let welcome = try #require(session.first)
    replay.process(welcome.bytes, at: session[300].time)
    let before = replay.book(for: xbtusd)?.stateHash
    replay.process(session[301].bytes, at: session[301].time)
    #expect(replay.book(for: xbtusd)?.stateHash == before)
    #expect(replay.bookView(for: xbtusd, at: session[301].time)?.status == .resyncing)
  }

  @Test(arguments: ["examples-2017-2023.jsonl", "examples-2024-2025.jsonl"])
  func `messages of other years are read or ignored, never rejected`(file: String) throws {
    var replay = BitMEXReplay()
    for line in try BitMEXPayloads.lines(file) {
      let bytes = Array(line.utf8)
      let problem = replay.process(bytes, at: ClockReading(milliseconds: 0))
      #expect(problem == nil, "\(problem?.description ?? "") in \(line.prefix(300))")
    }
  }

  @Test func `Java spelling and partials without filter are read`() throws {
    var replay = BitMEXReplay()
    let now = ClockReading(milliseconds: 0)
    for line in try BitMEXPayloads.lines("examples-2024-2025.jsonl") {
      let bytes = Array(line.utf8)
      replay.process(bytes, at: now)
    }
    let view = try #require(replay.bookView(for: symbol("INJUSDT"), at: now))
    #expect(view.asks.map(\.price.units) == [8_561_900_000, 13_795_360_000])
    #expect(view.priceDecimals.digits == 4)
    let quote = try #require(replay.quoteView(for: symbol("INJUSDT"), at: now))
    #expect(quote.bid?.description == "11.6971")
    #expect(quote.bidSize?.units == 5)
    #expect(replay.quoteView(for: symbol("TRXUSDT"), at: now)?.price?.description == "0.33647")
  }

  @Test func `rows of several symbols in one message reach each symbol's book`() throws {
    var replay = BitMEXReplay()
    let now = ClockReading(milliseconds: 0)
    func row(_ symbol: String, _ id: Int, _ size: Int) -> String {
      #"{"symbol":"\#(symbol)","id":\#(id),"side":"Buy","size":\#(size),"price":\#(id)}"#
    }
    func process(_ action: String, _ rows: [String]) {
      let rows = rows.joined(separator: ",")
      let bytes = Array(#"{"table":"orderBookL2","action":"\#(action)","data":[\#(rows)]}"#.utf8)
      replay.process(bytes, at: now)
    }
    process("partial", ["X", "Y"].flatMap { name in (1...3).map { row(name, $0, $0) } })
    process("update", [row("X", 1, 10), row("Y", 1, 20), row("Y", 2, 21), row("X", 3, 12)])
    process("delete", [row("Y", 3, 1), row("X", 2, 1), row("Y", 1, 1)])
    process("insert", [row("X", 4, 14), row("Y", 5, 25), row("X", 6, 16)])
    let first = try #require(replay.bookView(for: symbol("X"), at: now))
    #expect(first.bids.map(\.size.units) == [16, 14, 12, 10])
    let second = try #require(replay.bookView(for: symbol("Y"), at: now))
    #expect(second.bids.map(\.size.units) == [25, 21])
    #expect(first.status == .synced && second.status == .synced)
  }
}
