// Commands, responses and fills as short text, so that a rule is one row of a table.

import MarketModel
import OrderMatching

enum Script {
  /// Parses "buy 9:10 101", "sell 9:10@2 market", "buy 9:10 ioc 101", "sell 9:10 fok 99", "cancel
  /// 9", "modify 9:10 101".
  static func command(_ text: String) -> OrderCommand {
    let words = text.split(separator: " ")
    switch words[0] {
    case "cancel": return .cancel(OrderID(UInt64(words[1]) ?? 0))
    case "modify":
      let parts = numbers(words[1])
      return .modify(
        OrderID(UInt64(parts[0])), price: Price(units: Int64(words[2]) ?? 0),
        quantity: Quantity(units: parts[1]))
    default:
      return .enter(order(words[1], words[0] == "buy" ? .buy : .sell, kind(words[2...])))
    }
  }

  /// Parses "id:quantity" or "id:quantity@trader".
  static func order(_ word: Substring, _ side: Side, _ kind: OrderKind) -> NewOrder {
    let parts = numbers(word)
    return NewOrder(
      id: OrderID(UInt64(parts[0])), trader: TraderID(parts.count > 2 ? UInt32(parts[2]) : 0),
      side: side, kind: kind, quantity: Quantity(units: parts[1]))
  }

  /// "filled 4, resting 6", "cancelled 5: selfMatch", "rejected: unknownOrder"; parts of 0 are left
  /// out.
  static func text(_ report: ExecutionReport) -> String {
    if case .rejected(let reason) = report.standing { return "rejected: \(reason)" }
    var parts: [String] = []
    if report.filled > .zero { parts.append("filled \(report.filled.units)") }
    if report.resting > .zero { parts.append("resting \(report.resting.units)") }
    if case .cancelled(let reason) = report.standing {
      parts.append("cancelled \(report.cancelled.units): \(reason)")
    }
    return parts.joined(separator: ", ")
  }

  /// "taker:maker:price:quantity;" for each: the text over which fills are hashed.
  static func text(_ fills: [Fill]) -> String {
    fills.map {
      "\($0.taker.number):\($0.maker.number):\($0.price.units):\($0.quantity.units);"
    }.joined(separator: " ")
  }

  private static func kind(_ words: ArraySlice<Substring>) -> OrderKind {
    let price = Price(units: Int64(words[words.endIndex - 1]) ?? 0)
    switch words[words.startIndex] {
    case "market": return .market
    case "ioc": return .immediateOrCancel(price)
    case "fok": return .fillOrKill(price)
    default: return .limit(price)
    }
  }

  private static func numbers(_ word: Substring) -> [Int64] {
    word.split { $0 == ":" || $0 == "@" }.map { Int64($0) ?? 0 }
  }
}
