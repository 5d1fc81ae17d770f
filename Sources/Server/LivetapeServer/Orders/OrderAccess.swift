import FeedConnections
import MarketModel
import OrderLedger
import OrderService
import PaperTrading
import SharedLedger

/// Access to the orders, in the server's own ledger or in that of another process.
protocol OrderAccess: Sendable {
  var rules: TradingRules { get }

  /// Passes all news to a listener on the loop; call on the loop before ``start(feeds:)``.
  func listen(_ listener: @escaping @Sendable (TradingNews) -> Void)

  /// Starts following the exchange; on the loop.
  func start(feeds: FeedHub)

  /// Sends a command; `reply` receives its single response.
  ///
  /// - Parameters:
  ///   - command: the command.
  ///   - isRepeat: whether it may have been sent before.
  ///   - reply: may be called on any thread.
  func submit(
    _ command: ClientCommand, isRepeat: Bool, reply: @escaping @Sendable (OrderResponse) -> Void)

  /// The newest orders placed before one, newest first.
  func reports(before order: OrderIdentifier) async -> Result<[OrderReport], OrdersUnavailable>

  /// The last known state of an order, even if the ledger has failed since; confirms a stored
  /// command.
  func report(of order: OrderIdentifier) async -> OrderReport?

  func file(as format: LedgerReader.Format) async -> Result<OrderFile, OrdersUnavailable>

  /// All fills as CSV.
  func fills() async -> Result<OrderFile, OrdersUnavailable>

  /// Stops the feed and finishes pending work.
  func shutDown() async
}

extension OrderAccess {
  func response(to command: ClientCommand) async -> OrderResponse {
    await withCheckedContinuation { done in
      submit(command, isRepeat: false) { done.resume(returning: $0) }
    }
  }
}
