// The day's figures of instruments when the venue provides none.

import MarketModel
import MarketStreams
import Testing

@Suite struct StreamFiguresTests {
  private let hour: Int64 = 3_600_000

  private func stream() throws -> CandleStream {
    try #require(
      CandleStream(
        InstrumentKey(.exchange, try symbol("TROAD")), origin: .simulated))
  }

  private func tick(_ price: String, _ number: UInt64) throws -> MarketEvent {
    .tick(
      MarketTick(
        time: number, last: try decimal(price), bid: try decimal("1"), bidQuantity: .zero,
        ask: try decimal("1000"), askQuantity: .zero), number: number)
  }

  @Test("Two minutes after a start there is a price and a range, and no change of any day")
  func noChangeOfAPart() throws {
    var stream = try stream()
    let start = 9 * hour + 5 * 60_000 + 20_000
    _ = stream.receive(connection(.exchange, .live), at: at(start))
    for (second, price) in ["45.10", "45.30", "45.00"].enumerated() {
      stream.receive(try tick(price, UInt64(second) + 1), at: at(start + Int64(second) * 40_000))
      _ = stream.timer(at: at(start + Int64(second) * 40_000))
    }
    let figures = try #require(stream.state.figures)
    #expect(figures.last?.description == "45.00")
    #expect(figures.change == nil && figures.changePercent == nil)
    #expect(figures.window != .last24Hours)
    #expect(figures.high?.description == "45.30" && figures.low?.description == "45.00")
  }

  @Test("Each price moves the figures at once, and counts as a change only when it is another")
  func moves() throws {
    var stream = try stream()
    _ = stream.receive(connection(.exchange, .live), at: at(1000))
    stream.receive(try tick("45.10", 1), at: at(1000))
    _ = stream.timer(at: at(1000))
    stream.receive(try tick("45.10", 2), at: at(2000))
    #expect(stream.state.figures?.changes == 0)
    stream.receive(try tick("45.50", 3), at: at(3000))
    let figures = try #require(stream.state.figures)
    #expect(figures.changes == 1 && figures.direction == .up)
    #expect(figures.last?.description == "45.50" && figures.high?.description == "45.50")
    _ = stream.timer(at: at(4000))
    #expect(stream.state.figures?.changes == 1, "adding up anew is no news")
  }

  @Test func `a price with more or fewer decimals than the one before moves all figures`() throws {
    var stream = try stream()
    _ = stream.receive(connection(.exchange, .live), at: at(1000))
    stream.receive(try tick("45.10", 1), at: at(1000))
    _ = stream.timer(at: at(1000))
    stream.receive(try tick("45.125", 2), at: at(2000))
    var figures = try #require(stream.state.figures)
    #expect(figures.last == FixedDecimal("45.125") && figures.high == FixedDecimal("45.125"))
    #expect(figures.changes == 1)
    stream.receive(try tick("46", 3), at: at(3000))
    figures = try #require(stream.state.figures)
    #expect(figures.last == FixedDecimal("46") && figures.high == FixedDecimal("46"))
    #expect(figures.direction == .up && figures.changes == 2)
  }

  @Test("Where the venue states figures, none are made")
  func stated() throws {
    var stream = try #require(CandleStream(InstrumentKey(.kraken, try symbol("BTC/USD"))))
    #expect(stream.wantFigures(at: at(0)).isEmpty)
    _ = stream.timer(at: at(1000))
    #expect(stream.state.figures == nil)
  }
}
