import MarketModel
import OrderMatching

enum BookTable {
  /// The whole book of an engine as text, "(empty)" when empty.
  ///
  /// One line a price, highest first, bids left of the price and asks right of it; an order is
  /// id:quantity, or id:quantity@trader, and the oldest is first.
  static func draw(_ engine: some MatchingEngine) -> String {
    let asks = rows(engine.orders(.sell)).reversed().map { "         | \($0.price) | \($0.orders)" }
    let bids = rows(engine.orders(.buy)).map { "\($0.orders) | \($0.price) |" }
    let lines = asks + bids
    return lines.isEmpty ? "(empty)" : lines.map(squeezed).joined(separator: "\n")
  }

  /// The same text with single spaces and without blank lines, for comparison.
  static func normal(_ text: String) -> String {
    text.split(separator: "\n").map { squeezed(String($0)) }.filter { !$0.isEmpty }
      .joined(separator: "\n")
  }

  /// Enters a drawn book's orders, in the order of their numbers where prices are equal.
  static func enter(_ text: String, into engine: inout some MatchingEngine) {
    var fills: [Fill] = []
    for line in normal(text).split(separator: "\n") where line != "(empty)" {
      let columns = line.split(separator: "|", omittingEmptySubsequences: false).map(words)
      guard columns.count == 3, let price = columns[1].first.flatMap({ Int64($0) }) else {
        fatalError("not a line of a book: \(line)")
      }
      for (side, column) in [(Side.buy, columns[0]), (.sell, columns[2])] {
        for word in column {
          let order = Script.order(word, side, .limit(Price(units: price)))
          let report = engine.enter(order, fills: &fills)
          precondition(report.standing == .resting, "\(line): \(report)")
        }
      }
    }
  }

  private static func rows(_ orders: [RestingOrder]) -> [(price: Int64, orders: String)] {
    var rows: [(price: Int64, orders: String)] = []
    for order in orders {
      let owner = order.trader == .anonymous ? "" : "@\(order.trader.number)"
      let text = "\(order.id.number):\(order.quantity.units)\(owner)"
      if rows.last?.price == order.price.units {
        rows[rows.count - 1].orders += " " + text
      } else {
        rows.append((order.price.units, text))
      }
    }
    return rows
  }

  private static func squeezed(_ line: String) -> String {
    line.split(separator: " ").joined(separator: " ")
  }

  private static func words(_ column: Substring) -> [Substring] { column.split(separator: " ") }
}
