// The whole order history as a file for people: the same bytes from the server and on the phone.

public import OrderLedger
package import PaperTrading

/// The order history, written.
public struct OrderFile: Hashable, Sendable {
  /// What the file is called: "livetape-orders.csv".
  public let name: String
  /// What stands in it; see ``OrderTable``.
  public let text: String
  /// How many orders stand in it.
  public let orderCount: Int

  /// Writes all orders, newest first.
  ///
  /// O(orders).
  package init(_ history: OrderHistory, under rules: TradingRules, as format: LedgerReader.Format) {
    name = "livetape-orders.\(format.rawValue)"
    text = OrderTable(Genesis(rules)).text(Array(history.orders.reversed()), as: format)
    orderCount = history.orders.count
  }
}

extension OrderService {
  /// All orders, newest first, as they are on disk.
  ///
  /// Fails with the reason while there is no ledger. O(orders), away from the service's queue, so
  /// that no order waits for a file.
  public nonisolated func file(
    as format: LedgerReader.Format
  ) async -> Result<OrderFile, LedgerError> {
    await history().map { OrderFile($0, under: rules, as: format) }
  }
}
