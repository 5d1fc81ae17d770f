public import OrderLedger
package import PaperTrading

/// The whole order history as a file, identical from the server and the phone.
public struct OrderFile: Hashable, Sendable {
  /// The file name, for example "livetape-orders.csv".
  public let name: String
  /// The contents; see ``OrderTable``.
  public let text: String
  /// The number of orders in it.
  public let orderCount: Int

  /// Writes all orders, newest first.
  ///
  /// O(orders).
  package init(_ history: OrderHistory, under rules: TradingRules, as format: LedgerReader.Format) {
    name = "livetape-orders.\(format.rawValue)"
    text = OrderTable(Genesis(rules), of: history).text(
      Array(history.orders.reversed()), as: format)
    orderCount = history.orders.count
  }
}

extension OrderService {
  /// All orders on disk, newest first.
  ///
  /// Fails with the reason while there is no ledger. O(orders), off the service's queue so that no
  /// order waits for a file.
  public nonisolated func file(
    as format: LedgerReader.Format
  ) async -> Result<OrderFile, LedgerError> {
    await history().map { OrderFile($0, under: rules, as: format) }
  }
}
