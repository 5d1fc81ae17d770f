// Prints: which trades are one sweep, and how far back they are complete.

import MarketModel
import Testing

@testable import AppState

@Suite struct TradePrintsTests {
  /// Trades from lines `arrival side price size milliseconds`, newest first.
  private func trades(_ table: String) throws -> [Trade] {
    try table.split(separator: "\n").map { line in
      let fields = line.split(separator: " ").map(String.init)
      try #require(fields.count == 5, "\(line)")
      let numbers = try [0, 2, 3, 4].map { try #require(Int64(fields[$0])) }
      return Trade(
        price: Price(units: numbers[1]), size: Quantity(units: numbers[2]),
        side: Side(rawValue: fields[1]), time: Timestamp(milliseconds: numbers[3]),
        arrival: UInt64(numbers[0]))
    }
  }

  private func table(_ prints: [TradePrint]) -> String {
    prints.map {
      "\($0.first.arrival) \($0.trades.count)× \($0.first.price.units)→\($0.last.price.units) "
        + "\($0.size.units)"
    }.joined(separator: "\n")
  }

  private func prints(_ text: String) throws -> String {
    var prints = TradePrints(tapeDepth: 30)
    prints.take(try trades(text))
    return table(prints.prints)
  }

  @Test func `trades of one side at one moment, at worse and worse prices, are one print`() throws {
    let text = """
      5 buy 102 4 20
      4 buy 101 2 20
      3 buy 101 1 20
      2 sell 100 8 20
      1 buy 100 16 20
      """
    #expect(
      try prints(text) == """
        3 3× 101→102 7
        2 1× 100→100 8
        1 1× 100→100 16
        """)
  }

  @Test func `a better price, another moment or no side starts a print of its own`() throws {
    #expect(try prints("2 buy 100 1 20\n1 buy 101 1 20") == "2 1× 100→100 1\n1 1× 101→101 1")
    #expect(try prints("2 sell 101 1 20\n1 sell 100 1 20") == "2 1× 101→101 1\n1 1× 100→100 1")
    #expect(try prints("2 sell 99 1 20\n1 sell 100 1 20") == "1 2× 100→99 2")
    #expect(try prints("2 buy 101 1 21\n1 buy 101 1 20") == "2 1× 101→101 1\n1 1× 101→101 1")
    #expect(try prints("2 none 101 1 20\n1 none 101 1 20") == "2 1× 101→101 1\n1 1× 101→101 1")
  }

  /// `count` trades that end with number `newest`, in sweeps of three.
  private func tape(_ newest: UInt64, _ count: UInt64 = 30) -> [Trade] {
    (0..<count).map { back in
      let arrival = newest - back
      return Trade(
        price: Price(units: 100), size: Quantity(units: 1), side: .buy,
        time: Timestamp(milliseconds: Int64(arrival / 3)), arrival: arrival)
    }
  }

  @Test func `sweeps fill the list as tapes go on, and no trade is counted twice`() {
    var prints = TradePrints(tapeDepth: 30)
    for newest in stride(from: UInt64(32), through: 200, by: 7) { prints.take(tape(newest)) }
    #expect(prints.prints.count == 30)
    #expect(prints.prints.dropFirst().allSatisfy { $0.trades.count == 3 })
    #expect(prints.trades.map(\.arrival) == (prints.trades.map(\.arrival).sorted().reversed()))
    #expect(Set(prints.trades.map(\.arrival)).count == prints.trades.count)
  }

  @Test func `what a hole separates is not shown as one list`() {
    var prints = TradePrints(tapeDepth: 30)
    prints.take(tape(100))
    prints.take(tape(131))
    #expect(prints.trades == tape(131))
    prints.take(tape(140, 9))
    #expect(prints.trades == tape(140, 9), "a tape that began anew")
    prints.take([])
    #expect(prints.trades.isEmpty)
  }

  @Test func `memory is bounded`() {
    var prints = TradePrints(tapeDepth: 30)
    for newest in UInt64(30)...2000 { prints.take(tape(newest)) }
    #expect(prints.trades.count == TradePrints.depth)
  }

  @Test(arguments: UInt64(1)...40)
  func `prints hold exactly the trades, in their order, whatever comes`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let latest = (0..<30).map { back in
      Trade(
        price: Price(units: random.below(3)), size: Quantity(units: 1 + random.below(9)),
        side: [.buy, .sell, nil][Int(random.below(3))],
        time: Timestamp(milliseconds: 100 - Int64(back) / 4), arrival: UInt64(100 - back))
    }
    var prints = TradePrints(tapeDepth: 30)
    prints.take(latest)
    let shown = prints.prints
    #expect(shown.flatMap(\.trades) == Array(latest.prefix(shown.flatMap(\.trades).count)))
    #expect(shown.count == 30 || shown.flatMap(\.trades).count == 30, "seed \(seed)")
    for print in shown where print.trades.count > 1 {
      #expect(Set(print.trades.map(\.time)).count == 1, "seed \(seed)")
      #expect(Set(print.trades.map(\.side)).count == 1, "seed \(seed)")
    }
  }

  @Test func `sizes to choose from are powers of ten from the middle size on`() {
    var prints = TradePrints(tapeDepth: 30)
    #expect(prints.sizeSteps.isEmpty)
    prints.take(
      (0..<30).map { back in
        Trade(
          price: Price(units: 1), size: Quantity(units: 350), side: .buy,
          time: Timestamp(milliseconds: 100), arrival: UInt64(100 - back))
      })
    #expect(prints.sizeSteps.map(\.units) == [100, 1000, 10_000, 100_000])
  }
}
