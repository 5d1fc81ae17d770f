import MarketModel
public import PaperTrading

/// Writes fills as CSV (RFC 4180) with exact decimals.
public struct FillTable: Sendable {
  private static let columns = [
    "time", "market", "order", "side", "quantity", "price", "fee", "role",
  ]

  private let genesis: Genesis
  private let history: OrderHistory

  /// Creates a table for the fills of a ledger's orders.
  public init(_ genesis: Genesis, of history: OrderHistory) {
    (self.genesis, self.history) = (genesis, history)
  }

  /// Every fill, newest first.
  ///
  /// Times are UTC in ISO 8601. Fee and role are empty where no fees are known. O(n log n) in the
  /// fills.
  public var text: String {
    let fills = history.orders.flatMap { order in
      (order.life.fills?.fills ?? []).map { (order, $0) }
    }
    let newest = fills.sorted { $0.1.sequence > $1.1.sequence }
    return ([FillTable.columns] + newest.map { row($0.0, $0.1) })
      .map { $0.joined(separator: ",") + "\r\n" }.joined()
  }

  private func row(_ order: Order, _ timed: TimedFill) -> [String] {
    let (request, fill) = (order.request, timed.fill)
    let scales = genesis.scales(of: request.symbol, in: history)
    let digits = Int(scales.priceScale.digits) + Int(scales.quantityScale.digits)
    return [
      timed.time.description, CSV.cell(request.symbol.text),
      String(order.identifier.number), request.side.rawValue,
      FixedDecimal(fill.quantity, scale: scales.quantityScale).trimmed.description,
      FixedDecimal(fill.price, scale: scales.priceScale).trimmed.description,
      fill.fee.map { WideInteger($0.amount).text(digits: digits) } ?? "",
      fill.fee.map { $0.isMaker ? "maker" : "taker" } ?? "",
    ]
  }
}
