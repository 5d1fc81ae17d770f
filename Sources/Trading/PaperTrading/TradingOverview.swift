// All that a screen needs to know of the orders, as one value: the newest ones and all open ones,
// with their receipts, how many there are, and whether they can be stored.

public import MarketModel

/// An order with its receipt.
public struct OrderReport: Hashable, Sendable {
  /// The order.
  public let order: Order
  /// Its figures.
  public let receipt: Receipt
}

/// Where the orders are stored and how far that is whole.
public struct StorageStatus: Hashable, Sendable {
  /// Events stored so far.
  public let eventCount: UInt64
  /// The chain's latest hash in hexadecimal digits, to compare with one noted elsewhere.
  public let head: String
  /// Whether everything stored was found whole when it was opened.
  public let isIntact: Bool

  /// Describes the store.
  public init(eventCount: UInt64, head: String, isIntact: Bool) {
    self.eventCount = eventCount
    self.head = head
    self.isIntact = isIntact
  }
}

/// The orders as they stand now.
public struct TradingOverview: Equatable, Sendable {
  /// The most orders that are listed.
  public static let maximumReports = 200

  /// Steps and bounds of the instrument.
  public let rules: TradingRules
  /// The newest orders, newest first.
  public let reports: [OrderReport]
  /// Every open order, newest first; at most ``TradingRules/maximumOpenOrders``.
  public let open: [OrderReport]
  /// Orders ever placed.
  public let total: Int
  /// Open orders.
  public let openCount: Int
  /// Orders by status; a status without orders is absent.
  public let counts: [OrderStatus: Int]
  /// Orders that got something, all of it or a part.
  public let filledCount: Int
  /// Fills of all orders.
  public let fillCount: Int
  /// Where they are stored; nil while they are not.
  public let storage: StorageStatus?
  /// Why orders can't be stored and are refused, as a sentence; nil when they can be.
  public let failure: String?
  /// Ticks that could not be used for orders and were left out.
  public let skippedTicks: UInt64
  /// Until when the orders are known, where the process that keeps them is out of reach: they may
  /// have become something else since; nil where they are known now.
  public let knownUntil: Timestamp?
}

extension PaperTrader {
  /// The orders as they stand now.
  ///
  /// O(fills of the newest 200 orders and of the open ones).
  public func overview(
    storage: StorageStatus?, failure: String?, skippedTicks: UInt64, knownUntil: Timestamp? = nil
  ) -> TradingOverview {
    TradingOverview(
      rules: rules, reports: report(history.orders.suffix(TradingOverview.maximumReports)),
      open: history.openOrders.map { OrderReport(order: $0, receipt: receipt(of: $0)) },
      total: history.orders.count, openCount: history.openCount, counts: history.counts,
      filledCount: history.filledCount, fillCount: history.fillCount, storage: storage,
      failure: failure,
      skippedTicks: skippedTicks, knownUntil: knownUntil)
  }

  /// The newest orders placed before one, newest first, at most as many as an overview lists.
  ///
  /// O(fills of these orders).
  public func reports(before identifier: OrderIdentifier) -> [OrderReport] {
    let older = Int(clamping: identifier.number &- min(1, identifier.number))
    return report(history.orders.prefix(older).suffix(TradingOverview.maximumReports))
  }

  /// An order with its receipt; nil without one.
  public func report(of identifier: OrderIdentifier) -> OrderReport? {
    history.order(identifier).map { OrderReport(order: $0, receipt: receipt(of: $0)) }
  }

  private func report(_ orders: ArraySlice<Order>) -> [OrderReport] {
    orders.reversed().map { OrderReport(order: $0, receipt: receipt(of: $0)) }
  }
}
