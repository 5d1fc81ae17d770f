import MarketModel
import Testing

@testable import ChartModel

@Suite struct ChartRecorderTests {
  private func at(_ milliseconds: Int64) -> ClockReading {
    ClockReading(milliseconds: milliseconds)
  }

  private func trade(_ price: Int64, _ size: Int64, at time: Int64, scale: UInt8 = 1) -> MarketEvent
  {
    .trade(
      Trade(
        price: Price(units: price), size: Quantity(units: size), side: .buy,
        time: Timestamp(milliseconds: time), arrival: 0),
      priceScale: Scale(clamping: scale), quantityScale: .whole)
  }

  private func tick(_ last: String) throws -> MarketEvent {
    let price = try #require(FixedDecimal(last))
    return .tick(
      MarketTick(
        time: 7, last: price, bid: price, bidQuantity: .zero, ask: price, askQuantity: .zero),
      number: 1)
  }

  private func judged(_ state: FreshnessState, confirmed: Int64? = nil) -> Freshness {
    Freshness(state: state, origin: .simulated, confirmedAt: confirmed.map(at))
  }

  @Test func `a trade counts at the venue's time with its size, a tick on arrival without one`()
    throws
  {
    var recorder = ChartRecorder(priceScale: Scale(clamping: 2))
    recorder.record(trade(321_805, 100, at: 1500), at: at(9000))
    recorder.record(try tick("45.05"), at: at(9100))
    #expect(recorder.ticks.map(\.arrival) == [1, 2])
    #expect(recorder.ticks.map(\.time) == [1500, 9100])
    #expect(recorder.ticks.map(\.price.units) == [3_218_050, 4505])
    #expect(recorder.ticks.map(\.quantity.units) == [100, 0])
    #expect(recorder.series.candles.count == 2)
  }

  @Test func `the latest ticks are kept and their numbers have no holes`() {
    var recorder = ChartRecorder()
    for index in 1...100 { recorder.record(trade(Int64(index), 1, at: Int64(index)), at: at(0)) }
    #expect(recorder.ticks.map(\.arrival) == Array(69...100))
    #expect(recorder.lastArrival == 100)
  }

  @Test func `a price finer than the scale is counted and not rounded`() throws {
    var recorder = ChartRecorder(priceScale: Scale(clamping: 2))
    #expect(recorder.record(try tick("45.051"), at: at(0)) == false)
    #expect(recorder.unreadable == 1 && recorder.ticks.isEmpty)
  }

  @Test func `an outage is one gap, from the last confirmation to the first live value`() {
    var recorder = ChartRecorder()
    recorder.judge(judged(.live, confirmed: 1000), at: at(1000))
    recorder.judge(judged(.disconnected, confirmed: 1000), at: at(1500))
    recorder.judge(judged(.stale, confirmed: 1000), at: at(2500))
    recorder.judge(judged(.waiting), at: at(2600))
    recorder.judge(judged(.live, confirmed: 4000), at: at(4000))
    recorder.judge(judged(.late, confirmed: 4000), at: at(7000))
    #expect(recorder.series.gaps == [SeriesGap(start: 1000, end: 4000)])
  }

  @Test func `missing events are a gap, from the tick before them to the one after`() {
    var recorder = ChartRecorder()
    recorder.record(.missed, at: at(500))
    recorder.record(trade(1, 1, at: 1000), at: at(1000))
    #expect(recorder.series.gaps.isEmpty, "before the first tick nothing is missed")
    recorder.record(.missed, at: at(9000))
    recorder.record(.missed, at: at(9100))
    #expect(recorder.series.gaps.isEmpty, "its end is not known yet")
    recorder.record(trade(2, 1, at: 7000), at: at(9200))
    recorder.record(trade(3, 1, at: 8000), at: at(9300))
    #expect(recorder.series.gaps == [SeriesGap(start: 1000, end: 7000)])
    #expect(recorder.ticks.map(\.arrival) == [1, 2, 3])
  }

  @Test func `candles are bounded, and the newer half stays`() {
    var recorder = ChartRecorder()
    let count = ChartRecorder.maximumCandles
    for index in 0..<count {
      recorder.record(trade(Int64(index), 1, at: Int64(index) * 1000), at: at(0))
    }
    #expect(recorder.series.candles.count == count / 2)
    #expect(recorder.series.candles.last?.close == recorder.ticks.last?.price)
    #expect(recorder.series.candles[0].start == Int64(count / 2) * 1000)
    #expect(recorder.lastArrival == UInt64(count))
  }

  @Test func `a quantity in another unit restarts the series and continues counting`() {
    var recorder = ChartRecorder()
    recorder.record(trade(10, 1, at: 1000), at: at(0))
    let other = Trade(
      price: Price(units: 11), size: Quantity(units: 500), side: nil,
      time: Timestamp(milliseconds: 2000), arrival: 1)
    recorder.record(.trade(other, priceScale: .whole, quantityScale: Scale(clamping: 3)), at: at(0))
    #expect(recorder.quantityScale == Scale(clamping: 3))
    #expect(recorder.series.candles.count == 1)
    #expect(recorder.ticks.map(\.arrival) == [2])
  }

  @Test func `ticks are placed by a clock that does not jump when the wall clock is set`() throws {
    var recorder = ChartRecorder(priceScale: Scale(clamping: 2))
    func reading(_ monotonic: Int64, wall: Int64) -> ClockReading {
      ClockReading(
        monotonic: MonotonicTime(milliseconds: monotonic), wall: Timestamp(milliseconds: wall))
    }
    let day: Int64 = 86_400_000
    recorder.record(try tick("1.00"), at: reading(0, wall: 5000))
    recorder.record(try tick("1.01"), at: reading(1000, wall: 6000 + day))
    recorder.record(try tick("1.02"), at: reading(6000, wall: 11_000))
    #expect(recorder.ticks.map(\.time) == [5000, 6000, 11_000])
    // A clock that stays ahead for a minute was corrected, not disturbed.
    recorder.record(try tick("1.03"), at: reading(10_000, wall: 15_000 + day))
    recorder.record(try tick("1.04"), at: reading(70_000, wall: 75_000 + day))
    #expect(recorder.ticks.suffix(2).map(\.time) == [15_000, 75_000 + day])
    #expect(recorder.lastArrival == 5, "every tick was taken")
  }
}
