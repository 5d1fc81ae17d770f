// Seconds stored on disk and reloaded: the same candles, the same gaps, and one more gap for the
// time in between.

import ChartModel
import MarketModel
import MarketStreams
import Testing

@Suite struct KeptSecondsTests {
  private let start: Int64 = 1_762_776_000_000

  private func stream() throws -> CandleStream {
    try #require(CandleStream(InstrumentKey(.bitmex, symbol("XBTUSD")), origin: .custom))
  }

  private func tell(
    _ stream: inout CandleStream, _ number: Int64, _ price: Int64, at milliseconds: Int64
  ) {
    let trade = Trade(
      price: Price(units: price), size: Quantity(units: 3), side: .buy,
      time: Timestamp(milliseconds: start + milliseconds), arrival: 0, identifier: number)
    stream.receive(
      .trade(trade, priceScale: .whole, quantityScale: .whole), at: at(start + milliseconds))
  }

  private func seconds(_ stream: CandleStream) -> [[Int64]] {
    stream.recorder.series.candles.candles(of: .second).map {
      [$0.start - start, $0.close.units / 100_000_000, $0.volume.units, Int64($0.count)]
    }
  }

  /// The state that a second process loads after a first one received ten seconds with an outage.
  private func kept() throws -> (first: CandleStream, rows: [Candle]) {
    var stream = try stream()
    var rows: [Candle] = []
    for second in 0..<10 where !(4...6).contains(second) {
      let time = Int64(second) * 1000
      tell(&stream, Int64(second) + 1, 100 + Int64(second), at: time + 200)
      rows += stream.takeClosedSeconds(at: at(start + time + 200))
    }
    rows += stream.takeClosedSeconds(at: at(start + 20_000))
    return (stream, rows)
  }

  @Test("Each finished second goes to the disk once, and again when a late tick changes it")
  func written() throws {
    var (stream, rows) = try kept()
    #expect(rows.map(\.start) == [0, 1, 2, 3, 7, 8, 9].map { start + $0 * 1000 })
    let more = stream.takeClosedSeconds(at: at(start + 30_000))
    #expect(more.isEmpty)
    tell(&stream, 11, 90, at: 8400)
    let again = stream.takeClosedSeconds(at: at(start + 31_000))
    #expect(again.map(\.start) == [8, 9].map { start + $0 * 1000 })
    #expect(again.first?.count == 2 && again.first?.low.units == 90 * 100_000_000)
  }

  @Test("After a restart the seconds are there again, behind a gap, and none counts twice")
  func restored() throws {
    let (first, rows) = try kept()
    for isLate in [true, false] {
      var second = try stream()
      let kept = KeptSeconds(rows, quantityScale: .whole)
      if !isLate { second.restore(kept) }
      // The tape repeats the last trades before the first new one.
      if !isLate { tell(&second, 10, 109, at: 9200) }
      tell(&second, 12, 120, at: 25_300)
      if isLate { second.restore(kept) }
      #expect(seconds(second) == seconds(first) + [[25_000, 120, 3, 1]], "late \(isLate)")
      #expect(
        second.recorder.series.gaps == [SeriesGap(start: start + 10_000, end: start + 25_300)])
      #expect(second.recorder.series.seenSince == start)
      let page = second.page(of: .fiveSeconds)
      #expect(page.candles.first?.start == start && page.candles.count == 3)
      let written = second.takeClosedSeconds(at: at(start + 40_000))
      #expect(written.filter(\.hasTrades).map(\.start) == [start + 25_000], "only what is new")
      #expect(written.contains { $0.start == start + 10_000 && $0.missing == 1000 })
    }
  }

  @Test("A gap survives any number of restarts, at most a second wider at either end")
  func gaps() throws {
    let (stream, kept) = try kept()
    var rows = kept
    for edge in stream.recorder.edges(of: SeriesGap(start: start + 4500, end: start + 6500)) {
      rows.append(edge)
    }
    rows.sort { $0.start < $1.start }
    for _ in 0..<3 {
      var next = try self.stream()
      next.restore(KeptSeconds(rows, quantityScale: .whole))
      #expect(next.recorder.series.gaps == [SeriesGap(start: start + 3000, end: start + 8000)])
      let written = next.takeClosedSeconds(at: at(start + 60_000))
      #expect(written.isEmpty)
    }
  }

  @Test("Quantities in another unit are converted exactly or left out, also once the unit is known")
  func units() throws {
    let (first, rows) = try kept()
    var finer = rows
    for index in finer.indices { finer[index].volume = Quantity(units: 300) }
    finer[1].volume = Quantity(units: 301)
    var second = try stream()
    second.restore(KeptSeconds(finer, quantityScale: Scale(clamping: 2)))
    #expect(seconds(second).count == rows.count)
    tell(&second, 12, 120, at: 25_300)
    var expected = seconds(first) + [[25_000, 120, 3, 1]]
    expected.remove(at: 1)
    #expect(seconds(second) == expected)
  }
}
