// Captured sessions, replayed and compared with an independent replay at every checkpoint.

import MarketModel
import Testing

@testable import VenueProtocols

@Suite struct OKXReplayTests {
  private static let books = [
    "ws-2022-05-13-BTC-USDT.tsv", "spot-books-BTC-USDT-2026-08-24.jsonl",
  ]

  private func play(
    _ lines: some Sequence<CapturedBooks.Line>,
    _ look: (Int, BookView) -> Void = { _, _ in }
  ) -> OKXReplay {
    var replay = OKXReplay()
    for line in lines {
      let now = ClockReading(milliseconds: Int64(line.number) * 10)
      replay.process(Array(line.text.utf8).span, at: now)
      if let view = replay.bookView(for: OKXHarness.bitcoin, at: now) { look(line.number, view) }
    }
    return replay
  }

  @Test(arguments: books)
  func `a captured session gives the expected book at every checkpoint`(name: String) throws {
    let captured = try CapturedBooks(name, venue: "okx")
    var found: [Int: String] = [:]
    let replay = play(captured.lines) { line, view in
      guard captured.expected[line] != nil else { return }
      #expect(view.status == .synced && view.resyncs == 0, "line \(line)")
      found[line] = OKXHarness.table(view)
    }
    #expect(captured.expected.count >= 7 && found == captured.expected)
    #expect(replay.rejectedMessages == 0)
  }

  @Test func `a captured session has its trades and the last price`() throws {
    let captured = try CapturedBooks(Self.books[0], venue: "okx")
    let replay = play(captured.lines)
    let now = ClockReading(milliseconds: 2000)
    let tape = try #require(replay.tapeView(for: OKXHarness.bitcoin, at: now))
    #expect(tape.trades.count == 30)
    let newest = try #require(captured.lines.last { $0.text.contains(#""tradeId""#) })
    let price = FixedDecimal(try #require(tape.trades.first).price, scale: tape.priceScale).trimmed
    #expect(newest.text.contains(#""px":"\#(price)""#))
    #expect(replay.quoteView(for: OKXHarness.bitcoin, at: now)?.price?.trimmed == price)
  }

  enum Change: String, CaseIterable {
    case removed, doubled, swapped, cut, repeatedLater
  }

  @Test(arguments: books, Change.allCases)
  func `a capture with one message altered never shows a wrong book as valid`(
    name: String, change: Change
  ) throws {
    let captured = try CapturedBooks(name, venue: "okx")
    var right: [String: Set<Int>] = [:]
    _ = play(captured.lines) { right[OKXHarness.table($1), default: []].insert($0) }
    let updates = captured.lines.filter { $0.text.contains(#""action":"update""#) }
    for line in updates.dropLast(2) {
      var lines = captured.lines
      let place = line.number - 1
      switch change {
      case .removed: lines.remove(at: place)
      case .doubled: lines.insert(line, at: place)
      case .swapped:
        let next = try #require(
          lines[(place + 1)...].firstIndex { $0.text.contains(#""action":"update""#) })
        lines.swapAt(place, next)
      case .cut:
        lines[place] = .init(number: line.number, text: String(line.text.dropLast(9)))
      case .repeatedLater: lines.append(line)
      }
      var isFound = false
      _ = play(lines) { number, view in
        if view.status != .synced { isFound = true }
        guard view.status == .synced else { return }
        #expect(right[OKXHarness.table(view)] != nil, "\(change) line \(line.number)")
      }
      // A repetition without numbers may lead to the same book.
      #expect(isFound || change == .doubled, "\(change) line \(line.number)")
    }
  }

  @Test(arguments: ["ws-misc-2025-12.jsonl", "ws-tickers-trades-books5-BTC-USDT-2026-09-25.jsonl"])
  func `other captured messages are read or ignored, never rejected`(name: String) throws {
    var replay = OKXReplay()
    let lines = try CapturedBooks.text(name, "okx").split(separator: "\n")
    for (index, line) in lines.enumerated() {
      let now = ClockReading(milliseconds: Int64(index))
      #expect(replay.process(Array(line.utf8).span, at: now) == nil, "line \(index + 1)")
    }
  }

  @Test func `thinned levels with their old checksum are no valid book`() throws {
    var replay = OKXReplay()
    for line in try CapturedBooks.text("ws-misc-2025-12.jsonl", "okx").split(separator: "\n") {
      replay.process(Array(line.utf8).span, at: ClockReading(milliseconds: 1))
    }
    let near = replay.bookView(
      for: Symbol(known: "NEAR-USDT"), at: ClockReading(milliseconds: 1))
    #expect(near?.status == .resyncing && near?.doubt == .checksum)
  }
}
