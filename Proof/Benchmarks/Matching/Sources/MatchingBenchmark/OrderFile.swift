import Foundation
import MarketModel
import OrderMatching

/// A flow in a CSV file, as input for engines in other languages, too.
///
/// "L,id,B|S,price,quantity" is a limit order, K a market order, C a cancel, M a modify.
enum OrderFile {
  struct BadLine: Error, CustomStringConvertible {
    let number: Int
    var description: String { "line \(number): expected KIND,id,SIDE,price,quantity" }
  }

  static func commands(path: String) throws -> [OrderCommand] {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    var commands: [OrderCommand] = []
    for (index, line) in data.split(separator: UInt8(ascii: "\n")).enumerated() {
      guard let command = command(line) else { throw BadLine(number: index + 1) }
      commands.append(command)
    }
    return commands
  }

  /// The expected hashes from "NAME.expected.json" next to the file.
  static func expected(path: String) -> [String: String] {
    let base = path.hasSuffix(".csv") ? String(path.dropLast(4)) : path
    guard let data = FileManager.default.contents(atPath: base + ".expected.json"),
      let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
    else { return [:] }
    return object.compactMapValues { $0 as? String }
  }

  private static func command(_ line: Data) -> OrderCommand? {
    let fields = line.split(separator: UInt8(ascii: ","))
    guard fields.count == 5, let kind = fields[0].first, let id = number(fields[1]),
      let side = fields[2].first, let price = number(fields[3]), let quantity = number(fields[4])
    else { return nil }
    let order = OrderID(UInt64(id))
    let open = Quantity(units: quantity)
    switch kind {
    case UInt8(ascii: "C"): return .cancel(order)
    case UInt8(ascii: "M"):
      return .modify(order, price: Price(units: price), quantity: open)
    case UInt8(ascii: "L"), UInt8(ascii: "K"):
      return .enter(
        NewOrder(
          id: order, side: side == UInt8(ascii: "B") ? .buy : .sell,
          kind: kind == UInt8(ascii: "L") ? .limit(Price(units: price)) : .market,
          quantity: open))
    default: return nil
    }
  }

  private static func number(_ field: Data) -> Int64? {
    var value: Int64 = 0
    for byte in field {
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10, value < 1 << 55 else { return nil }
      value = value * 10 + Int64(digit)
    }
    return value
  }
}
