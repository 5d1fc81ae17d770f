// Where the orders of a server are: in its own ledger, or in that of another process.

import FeedConnections
import OrderLedger
import OrderService
import PaperTrading
import SharedLedger

/// Takes commands about orders, and tells what becomes of them.
protocol OrderAccess: Sendable {
  /// Steps and bounds of the stock.
  var rules: TradingRules { get }

  /// Passes all news to a listener on the loop; to be called on it, before ``start(feeds:)``.
  func listen(_ listener: @escaping @Sendable (TradingNews) -> Void)

  /// Follows the exchange; on the loop.
  func start(feeds: FeedHub)

  /// Sends a command; `reply` gets its one response.
  ///
  /// - Parameters:
  ///   - command: what is wanted.
  ///   - isRepeat: whether it may have been sent before.
  ///   - reply: may be called on any thread.
  func submit(
    _ command: ClientCommand, isRepeat: Bool, reply: @escaping @Sendable (OrderResponse) -> Void)

  /// The newest orders placed before one, newest first.
  func reports(before order: OrderIdentifier) async -> Result<[OrderReport], OrdersUnavailable>

  /// An order as it is known here, whatever has become of the ledger since: for those who were just
  /// told that it is stored.
  func report(of order: OrderIdentifier) async -> OrderReport?

  /// All orders as a file, newest first.
  func file(as format: LedgerReader.Format) async -> Result<OrderFile, OrdersUnavailable>

  /// Lets go of the feed, and finishes what is under way.
  func shutDown() async
}

extension OrderAccess {
  /// The same as ``submit(_:isRepeat:reply:)`` for callers that can suspend.
  func response(to command: ClientCommand) async -> OrderResponse {
    await withCheckedContinuation { done in
      submit(command, isRepeat: false) { done.resume(returning: $0) }
    }
  }
}
