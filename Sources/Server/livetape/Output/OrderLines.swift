import MarketModel
import OrderLedger
import PaperTrading

struct OrderLines {
  private static let heads = [
    "order", "placed", "symbol", "side", "type", "quantity", "filled", "average", "limit", "status",
  ]
  /// Right-aligned number columns.
  private static let numbers: Set<Int> = [0, 5, 6, 7, 8]

  private let genesis: Genesis
  private let history: OrderHistory

  init(_ genesis: Genesis, of history: OrderHistory) {
    (self.genesis, self.history) = (genesis, history)
  }

  func lines(_ orders: [Order]) -> [String] {
    let rows = [OrderLines.heads] + orders.map { cells($0) }
    let widths = OrderLines.heads.indices.map { column in
      rows.map { $0[column].count }.max() ?? 0
    }
    return rows.map { row in
      let cells = row.indices.map { column in
        let blanks = String(repeating: " ", count: widths[column] - row[column].count)
        return OrderLines.numbers.contains(column) ? blanks + row[column] : row[column] + blanks
      }
      let line = cells.joined(separator: "  ")
      return String(line.prefix(line.count - line.reversed().prefix { $0 == " " }.count))
    }
  }

  private func cells(_ order: Order) -> [String] {
    let genesis = genesis.scales(of: order.request.symbol, in: history)
    func text(_ quantity: Quantity) -> String {
      FixedDecimal(quantity, scale: genesis.quantityScale).trimmed.description
    }
    let average = order.averagePrice?.rounded(from: genesis.priceScale, to: genesis.priceScale)
    return [
      order.identifier.description, order.placedAt.description,
      order.request.symbol.text, order.request.side.rawValue,
      kind(order.request),
      text(order.request.quantity), text(order.filledQuantity),
      average?.trimmed.description ?? "-",
      order.request.kind.limit.map { FixedDecimal($0, scale: genesis.priceScale).trimmed }?
        .description ?? "-",
      order.life.status.rawValue,
    ]
  }

  private func kind(_ request: OrderRequest) -> String {
    let trigger =
      switch request.trigger?.kind {
      case .stop: request.trigger?.trail == nil ? "stop " : "trailing stop "
      case .takeProfit: "take-profit "
      case nil: ""
      }
    return trigger + self.kind(request.kind)
  }

  private func kind(_ kind: OrderType) -> String {
    if kind.isMarket { return "market" }
    return kind.mayRest ? "limit" : "limit \(kind.timeInForce.rawValue.uppercased())"
  }
}
