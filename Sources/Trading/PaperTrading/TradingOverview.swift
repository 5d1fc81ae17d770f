public import MarketModel

/// An order with its receipt.
public struct OrderReport: Hashable, Sendable {
  /// The order.
  public let order: Order
  /// Its figures.
  public let receipt: Receipt
  /// The steps and bounds of its instrument.
  public let rules: TradingRules
}

/// How orders are stored.
public struct StorageStatus: Hashable, Sendable {
  /// The number of stored events.
  public let eventCount: UInt64
  /// The chain's latest hash in hexadecimal digits, for comparison with a copy elsewhere.
  public let head: String
  /// Whether everything stored was intact when it was opened.
  public let isIntact: Bool

  /// Creates a status.
  public init(eventCount: UInt64, head: String, isIntact: Bool) {
    self.eventCount = eventCount
    self.head = head
    self.isIntact = isIntact
  }
}

/// All that a screen shows of the orders: the newest and all open ones, counts and storage.
public struct TradingOverview: Equatable, Sendable {
  /// The maximum number of listed orders.
  public static let maximumReports = 200
  /// The maximum number of listed open orders.
  public static let maximumOpenReports = 1000

  /// The steps and bounds of the instrument.
  public let rules: TradingRules
  /// The newest orders, newest first.
  public let reports: [OrderReport]
  /// The newest open orders, newest first; at most ``maximumOpenReports``.
  public let open: [OrderReport]
  /// The number of orders ever placed.
  public let total: Int
  /// The number of open orders.
  public let openCount: Int
  /// Orders by status; a status without orders is absent.
  public let counts: [OrderStatus: Int]
  /// The number of orders with at least one fill.
  public let filledCount: Int
  /// The number of fills of all orders.
  public let fillCount: Int
  /// How they are stored; nil while they can't be.
  public let storage: StorageStatus?
  /// Why orders can't be stored and are rejected, as a sentence; nil if they can be.
  public let failure: Sentence?
  /// The number of ticks skipped as unusable for orders.
  public let skippedTicks: UInt64
  /// The time of the last known state while the process that keeps the orders is unreachable.
  ///
  /// nil while the orders are current.
  public let knownUntil: Timestamp?

  /// The venues' markets with an open order.
  public let openMarkets: Set<Symbol>
}

extension PaperTrader {
  /// The current orders.
  ///
  /// O(open orders, and fills of the listed ones).
  public func overview(
    storage: StorageStatus?, failure: Sentence?, skippedTicks: UInt64, knownUntil: Timestamp? = nil
  ) -> TradingOverview {
    TradingOverview(
      rules: rules, reports: report(history.orders.suffix(TradingOverview.maximumReports)),
      open: history.openOrders(atMost: TradingOverview.maximumOpenReports).map(report),
      total: history.orders.count, openCount: history.openCount, counts: history.counts,
      filledCount: history.filledCount, fillCount: history.fillCount, storage: storage,
      failure: failure,
      skippedTicks: skippedTicks, knownUntil: knownUntil,
      openMarkets: history.openSymbols.subtracting([rules.symbol]))
  }

  /// The newest orders placed before one, newest first, as many as an overview lists.
  ///
  /// O(fills of these orders).
  public func reports(before identifier: OrderIdentifier) -> [OrderReport] {
    let older = Int(clamping: identifier.number &- min(1, identifier.number))
    return report(history.orders.prefix(older).suffix(TradingOverview.maximumReports))
  }

  /// An order with its receipt; nil if unknown.
  public func report(of identifier: OrderIdentifier) -> OrderReport? {
    history.order(identifier).map(report)
  }

  private func report(_ orders: some BidirectionalCollection<Order>) -> [OrderReport] {
    orders.reversed().map(report)
  }

  private func report(_ order: Order) -> OrderReport {
    OrderReport(
      order: order, receipt: receipt(of: order), rules: rules(of: order.request.symbol) ?? rules)
  }
}
