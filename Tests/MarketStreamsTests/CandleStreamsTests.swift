// A link can ask for the candles of any pair in the world: how many are kept is bounded.

import MarketModel
import MarketStreams
import Testing

@Suite struct CandleStreamsTests {
  private func pair(_ number: Int) throws -> InstrumentKey {
    InstrumentKey(.kraken, try symbol("P\(number)/USD"))
  }

  @Test("Streams beyond the catalogues are bounded, and one that is watched is never closed")
  func bound() throws {
    var streams = CandleStreams()
    let catalogue = InstrumentKey(.kraken, try symbol("BTC/USD"))
    #expect(streams.open(catalogue, origin: .simulated)?.isNew == true)
    #expect(streams.open(catalogue, origin: .simulated)?.isNew == false)
    let watched = try pair(0)
    #expect(streams.open(watched, origin: .simulated)?.closed == nil)
    streams.watch(watched)
    var closed: [InstrumentKey] = []
    for number in 1...50 {
      let opened = try #require(streams.open(try pair(number), origin: .simulated))
      if let gone = opened.closed { closed.append(gone) }
    }
    #expect(streams.open.count == CandleStreams.maximumKept + 1)
    #expect(closed.first == (try pair(1)), "asked for longest ago")
    #expect(streams[watched] != nil && streams[catalogue] != nil)
    streams.unwatch(watched)
    #expect(streams.open(try pair(51), origin: .simulated)?.closed == watched)
    #expect(streams.open(InstrumentKey(.isin, try symbol("X")), origin: .simulated) == nil)
  }
}
