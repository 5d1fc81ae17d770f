// What only captures of OKX have.

import MarketModel
import Testing

@testable import VenueProtocols

@Suite struct OKXReplayTests {
  @Test func `a captured session has its trades and the last price`() throws {
    let capture = try #require(CapturedBooks.all.first { $0.venue == .okx })
    let messages = try capture.messages()
    let replay = try capture.play(messages)
    let now = ClockReading(milliseconds: 2000)
    let tape = try #require(replay.tapeView(for: OKXHarness.bitcoin, at: now))
    #expect(tape.trades.count == 30)
    let newest = try #require(messages.last { $0.contains(#""tradeId""#) })
    let price = FixedDecimal(try #require(tape.trades.first).price, scale: tape.priceScale).trimmed
    #expect(newest.contains(#""px":"\#(price)""#))
    #expect(replay.quoteView(for: OKXHarness.bitcoin, at: now)?.price?.trimmed == price)
  }

  @Test func `thinned levels with their old checksum are no valid book`() throws {
    var replay = OKXReplay()
    for line in try CapturedBooks.text("ws-misc-2025-12.jsonl", "okx").split(separator: "\n") {
      replay.process(Array(line.utf8).span, at: ClockReading(milliseconds: 1))
    }
    let near = replay.bookView(for: Symbol(known: "NEAR-USDT"), at: ClockReading(milliseconds: 1))
    #expect(near?.status == .resyncing && near?.doubt == .checksum)
  }
}
