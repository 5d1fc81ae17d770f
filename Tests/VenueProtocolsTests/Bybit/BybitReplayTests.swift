// What only captures of Bybit have.

import MarketModel
import Testing

@testable import VenueProtocols

@Suite struct BybitReplayTests {
  @Test func `a captured session has its trades, the newest first`() throws {
    let capture = try #require(CapturedBooks.all.last { $0.venue == .bybit })
    let messages = try capture.messages()
    let replay = try capture.play(messages)
    let tape = try #require(
      replay.tapeView(for: BybitHarness.bitcoin, at: ClockReading(milliseconds: 2000)))
    #expect(tape.trades.count == 8)
    let newest = FixedDecimal(try #require(tape.trades.first).price, scale: tape.priceScale)
    let last = try #require(messages.last { $0.contains("publicTrade") })
    #expect(last.contains(#""p":"\#(newest.trimmed)""#))
  }
}
