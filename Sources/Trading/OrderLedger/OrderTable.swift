import MarketModel
public import PaperTrading
import WireJSON

/// Writes orders as CSV or JSON with exact decimals, one order per line.
public struct OrderTable: Sendable {
  private static let columns = [
    "order", "client_id", "symbol", "side", "type", "quantity", "filled", "average", "limit",
    "status", "placed", "changed", "time_in_force", "protection", "possible",
    "trigger", "trigger_price", "triggered", "trail", "linked_to", "post_only", "reduce_only",
    "expires",
  ]

  private let genesis: Genesis
  private let history: OrderHistory

  /// Creates a table for orders of a ledger.
  public init(_ genesis: Genesis, of history: OrderHistory) {
    (self.genesis, self.history) = (genesis, history)
  }

  /// The orders in the given order.
  ///
  /// A missing value is an empty field in CSV and a missing key in JSON. Averages are rounded half
  /// to even at the price scale.
  public func text(_ orders: [Order], as format: LedgerReader.Format) -> String {
    switch format {
    case .csv:
      ([OrderTable.columns] + orders.map { fields($0).map(CSV.cell) })
        .map { $0.joined(separator: ",") + "\n" }.joined()
    case .json: "[" + orders.map { json($0) }.joined(separator: ",\n") + "]\n"
    }
  }

  private func json(_ order: Order) -> String {
    var json = JSONWriter()
    json.object { json in
      for (name, value) in zip(OrderTable.columns, fields(order)) where !value.isEmpty {
        json.key(text: name)
        if name == "order" { json.integer(order.identifier.number) } else { json.string(value) }
      }
    }
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private func fields(_ order: Order) -> [String] {
    let request = order.request
    let genesis = genesis.scales(of: request.symbol, in: history)
    func text(_ price: Price?) -> String {
      price.map { FixedDecimal($0, scale: genesis.priceScale).trimmed.description } ?? ""
    }
    func text(_ quantity: Quantity) -> String {
      FixedDecimal(quantity, scale: genesis.quantityScale).trimmed.description
    }
    let trail =
      switch request.trigger?.trail {
      case .distance(let price)?: text(price)
      case .basisPoints(let points)?:
        FixedDecimal(units: points, scale: Scale(clamping: 2)).trimmed.description + "%"
      case nil: ""
      }
    let average = order.averagePrice?.rounded(from: genesis.priceScale, to: genesis.priceScale)
    return [
      String(order.identifier.number), request.clientIdentifier.text,
      request.symbol.text,
      request.side.rawValue, request.kind.isMarket ? "market" : "limit",
      text(request.quantity), text(order.filledQuantity), average?.trimmed.description ?? "",
      text(request.kind.limit),
      order.life.status.rawValue, order.placedAt.description, order.changedAt.description,
      request.kind.timeInForce.rawValue.uppercased(), text(request.kind.protection),
      text(order.possibleQuantity), request.trigger?.kind.rawValue ?? "",
      text(request.trigger?.price), order.activatedAt?.description ?? "",
      trail, request.link?.primary.description ?? "",
      request.terms.isPostOnly ? "yes" : "", request.terms.isReduceOnly ? "yes" : "",
      request.terms.expiry?.description ?? "",
    ]
  }
}
