public import OrderLedger
package import PaperTrading

/// The whole order history, or its fills, as a file; identical from the server and the phone.
public struct OrderFile: Hashable, Sendable {
  /// The file name, for example "livetape-orders.csv".
  public let name: String
  /// The contents; see ``OrderTable`` and ``FillTable``.
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

  /// Writes all fills as CSV, newest first.
  ///
  /// O(n log n) in the fills.
  package init(fillsOf history: OrderHistory, under rules: TradingRules) {
    name = "livetape-fills.csv"
    text = FillTable(Genesis(rules), of: history).text
    orderCount = history.filledCount
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

  /// All fills on disk as CSV, newest first; fails like ``file(as:)``.
  public nonisolated func fills() async -> Result<OrderFile, LedgerError> {
    await history().map { OrderFile(fillsOf: $0, under: rules) }
  }
}
