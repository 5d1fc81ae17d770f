// A link can request candles of any pair: the number kept is bounded.

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
    #expect(streams.open(watched, origin: .simulated)?.closed == [])
    streams.watch(watched)
    var closed: [InstrumentKey] = []
    for number in 1...50 {
      let opened = try #require(streams.open(try pair(number), origin: .simulated))
      closed += opened.closed
    }
    #expect(streams.open.count == CandleStreams.maximumKept + 1)
    #expect(closed.first == (try pair(1)), "asked for longest ago")
    #expect(streams[watched] != nil && streams[catalogue] != nil)
    #expect(streams.unwatch(watched) == [])
    #expect(streams.open(try pair(51), origin: .simulated)?.closed == [watched])
    #expect(streams.open(InstrumentKey(.isin, try symbol("X")), origin: .simulated) == nil)
  }

  @Test func `streams that were all observed close with their observers`() throws {
    var streams = CandleStreams()
    let pairs = try (0..<640).map(pair)
    for pair in pairs {
      #expect(streams.open(pair, origin: .simulated)?.closed == [])
      streams.watch(pair)
    }
    #expect(streams.open.count == 640)
    var closed: [InstrumentKey] = []
    for pair in pairs { closed += streams.unwatch(pair) }
    #expect(streams.open.count == CandleStreams.maximumKept)
    #expect(closed == Array(pairs.prefix(640 - CandleStreams.maximumKept)), "the oldest first")
  }
}
