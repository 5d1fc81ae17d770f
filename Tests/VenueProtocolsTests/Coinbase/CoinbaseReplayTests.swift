// What only captures of Coinbase have.

import MarketModel
import Testing

@testable import VenueProtocols

struct CoinbaseReplayTests {
  /// Each message but the snapshot, one at a time: a book is never called valid while it may be
  /// wrong.
  @Test func `a recording without any one of its messages is doubtful from there on`() throws {
    let symbol = CoinbaseHarness.bitcoin
    let lines = try CoinbasePayloads.lines("advanced-level2-BTC-USD-2026-08-24.jsonl")
    for missing in 1..<(lines.count - 1) {
      var replay = CoinbaseReplay()
      for (index, line) in lines.enumerated() where index != missing {
        let now = ClockReading(milliseconds: Int64(index) * 50)
        replay.process(Array(line.utf8).span, at: now)
        let view = try #require(replay.bookView(for: symbol, at: now))
        #expect(view.status == (index < missing ? .synced : .resyncing), "without \(missing)")
        #expect(view.doubt == (index < missing ? nil : .gap), "without \(missing)")
      }
    }
  }

  @Test func `a recording of two connections is read as two`() throws {
    let symbol = CoinbaseHarness.bitcoin
    var replay = CoinbaseReplay()
    for line in try CoinbasePayloads.lines("advanced-trades-and-ticker-BTC-USD-2026-08-12.jsonl") {
      #expect(replay.process(Array(line.utf8).span, at: ClockReading(milliseconds: 1)) == nil)
    }
    let view = try #require(replay.tapeView(for: symbol, at: ClockReading(milliseconds: 1)))
    #expect(view.trades.map(\.identifier) == Array((1_069_726_287...1_069_726_293).reversed()))
    #expect(view.trades.allSatisfy { $0.side == .sell }, "the venue states the maker's side")
    #expect(view.freshness.state != .live, "the second connection has no trades")
  }
}
