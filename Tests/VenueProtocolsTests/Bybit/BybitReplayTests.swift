// Captured sessions, replayed and compared with an independent replay at every checkpoint.

import MarketModel
import Testing

@testable import VenueProtocols

@Suite struct BybitReplayTests {
  private static let books = [
    "spot-orderbook50-BTCUSDT-2026-08-24.jsonl", "testnet-spot-BTCUSDT-2026-09-13.jsonl",
  ]

  private func play(
    _ lines: some Sequence<CapturedBooks.Line>,
    _ look: (Int, BookView) -> Void = { _, _ in }
  ) -> BybitReplay {
    var replay = BybitReplay()
    for line in lines {
      let now = ClockReading(milliseconds: Int64(line.number) * 10)
      replay.process(Array(line.text.utf8).span, at: now)
      if let view = replay.bookView(for: BybitHarness.bitcoin, at: now) { look(line.number, view) }
    }
    return replay
  }

  @Test(arguments: books)
  func `a captured session gives the expected book at every checkpoint`(name: String) throws {
    let captured = try CapturedBooks(name, venue: "bybit")
    var found: [Int: String] = [:]
    let replay = play(captured.lines) { line, view in
      guard captured.expected[line] != nil else { return }
      #expect(view.status == .synced && view.resyncs == 0, "line \(line)")
      found[line] = OKXHarness.table(view)
    }
    #expect(captured.expected.count >= 2 && found == captured.expected)
    #expect(replay.rejectedMessages == 0)
  }

  @Test func `a captured session has its trades, the newest first`() throws {
    let captured = try CapturedBooks(Self.books[1], venue: "bybit")
    let replay = play(captured.lines)
    let tape = try #require(
      replay.tapeView(for: BybitHarness.bitcoin, at: ClockReading(milliseconds: 2000)))
    #expect(tape.trades.count == 8)
    let newest = FixedDecimal(try #require(tape.trades.first).price, scale: tape.priceScale)
    let last = try #require(captured.lines.last { $0.text.contains("publicTrade") })
    #expect(last.text.contains(#""p":"\#(newest.trimmed)""#))
  }

  enum Change: String, CaseIterable {
    case removed, doubled, swapped, cut, repeatedLater
  }

  @Test(arguments: books, Change.allCases)
  func `a capture with one message altered never shows a wrong book as valid`(
    name: String, change: Change
  ) throws {
    let captured = try CapturedBooks(name, venue: "bybit")
    var right: [String: Set<Int>] = [:]
    _ = play(captured.lines) { right[OKXHarness.table($1), default: []].insert($0) }
    let updates = captured.lines.filter { $0.text.contains(#""delta""#) }
    for line in updates.dropLast(2) {
      var lines = captured.lines
      let place = line.number - 1
      switch change {
      case .removed: lines.remove(at: place)
      case .doubled: lines.insert(line, at: place)
      case .swapped:
        let next = try #require(
          lines[(place + 1)...].firstIndex { $0.text.contains(#""delta""#) })
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
      #expect(isFound, "\(change) line \(line.number)")
    }
  }

  @Test(arguments: ["ws-misc-2023-2026.jsonl", "ws-tickers-linear-BTCUSDT-2024-05-15.jsonl"])
  func `other captured messages are read or ignored, never rejected`(name: String) throws {
    var replay = BybitReplay()
    let lines = try CapturedBooks.text(name, "bybit").split(separator: "\n")
    for (index, line) in lines.enumerated() {
      let now = ClockReading(milliseconds: Int64(index))
      #expect(replay.process(Array(line.utf8).span, at: now) == nil, "line \(index + 1)")
    }
  }
}
