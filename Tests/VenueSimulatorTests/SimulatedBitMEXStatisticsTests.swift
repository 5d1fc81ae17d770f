// The simulated market against the statistics of the 2021 capture, in wide bands.

import MarketModel
import Testing
import VenueSimulator

@Suite struct SimulatedBitMEXStatisticsTests {
  private static let minutes: Int64 = 3
  private static let request = VenueRequest(
    path: "/realtime",
    query: [(name: "subscribe", value: "orderBookL2:XBTUSD,trade:XBTUSD,quote:XBTUSD")])

  @Test(arguments: BitMEXGeneration.allCases)
  func `rates, mix, sizes and spread lie near the captured ones`(
    generation: BitMEXGeneration
  ) throws {
    let seed: UInt64 = 21
    let start = VenueDriver<SimulatedBitMEX>.start
    var driver = VenueDriver(SimulatedBitMEX(seed: seed, start: start, generation: generation))
    let opening = try #require(driver.venue.bookLevels("XBTUSD"))
    #expect((3500...4000).contains(opening.asks.count))
    #expect((5200...5700).contains(opening.bids.count))
    driver.connect(1, SimulatedBitMEXStatisticsTests.request)
    _ = driver.take(1)
    var tally = Tally()
    for _ in 0..<(SimulatedBitMEXStatisticsTests.minutes * 60) {
      driver.run(milliseconds: 1000)
      for message in driver.take(1) { try tally.count(JSONTree(message)) }
      let book = try #require(driver.venue.bookLevels("XBTUSD"))
      try tally.count(book.bids, book.asks, tick: generation == .legacy ? 5 : 1)
    }
    let seconds = Double(SimulatedBitMEXStatisticsTests.minutes * 60)
    let rate = Double(tally.book.values.reduce(0, +)) / seconds
    #expect((37...60).contains(rate), "\(rate) book messages a second, seed \(seed)")
    let all = Double(tally.book.values.reduce(0, +))
    for (action, band) in [
      ("update", 0.62...0.78), ("insert", 0.10...0.22), ("delete", 0.10...0.22),
    ] {
      let share = Double(tally.book[action] ?? 0) / all
      #expect(band.contains(share), "\(action) \(share), seed \(seed)")
    }
    let rows = Double(tally.rows) / all
    #expect((1.15...1.6).contains(rows), "\(rows) rows a message")
    let trades = Double(tally.tradeMessages) / seconds
    #expect((0.5...2.5).contains(trades), "\(trades) trade messages a second")
    #expect(tally.sweeps > 5, "several rows of one time")
    #expect(Double(tally.quotes) / seconds >= 1, "\(tally.quotes) quotes")
    #expect(tally.oneTick > 100, "\(tally.oneTick) of 180 seconds with a spread of one tick")
    #expect((9000...9700).contains(tally.levels), "\(tally.levels) levels")
    #expect(tally.sizesAreLots, "sizes in hundreds")
    #expect(tally.span > 4 && tally.span < 400, "moved \(tally.span) dollars")
  }
}

private struct Tally {
  var book: [String: Int] = [:]
  var rows = 0
  var tradeMessages = 0
  var sweeps = 0
  var quotes = 0
  var oneTick = 0
  var levels = 0
  var sizesAreLots = true
  private var low = Int64.max
  private var high = Int64.min

  /// The range of the best bid, in whole dollars.
  var span: Int64 { (high - low) / 10 }

  mutating func count(_ message: JSONTree) {
    let data = message["data"]?.elements ?? []
    switch message["table"]?.text {
    case "orderBookL2":
      book[message["action"]?.text ?? "", default: 0] += 1
      rows += data.count
    case "trade":
      tradeMessages += 1
      if data.count > 1 { sweeps += 1 }
    case "quote": quotes += data.count
    default: break
    }
    for row in data {
      if let size = row["size"]?.decimal?.units, size % 100 != 0 { sizesAreLots = false }
    }
  }

  mutating func count(
    _ bids: [SimulatedBookLevel], _ asks: [SimulatedBookLevel], tick: Int64
  ) throws {
    levels = bids.count + asks.count
    let one = Scale(clamping: 1)
    let bid = try #require(bids.first.flatMap { FixedDecimal($0.price)?.exactly(at: one)?.units })
    let ask = try #require(asks.first.flatMap { FixedDecimal($0.price)?.exactly(at: one)?.units })
    if ask - bid == tick { oneTick += 1 }
    (low, high) = (min(low, bid), max(high, bid))
  }
}
