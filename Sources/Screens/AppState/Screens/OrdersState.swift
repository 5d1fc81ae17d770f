public import MarketModel
public import PaperTrading

/// The total that an order took at one price.
public struct OrderLevelState: Equatable, Sendable {
  /// The price.
  public let price: FixedDecimal
  /// The total quantity taken at it.
  public let quantity: FixedDecimal
}

/// An execution, for its mark on the chart.
public struct OrderFillState: Equatable, Sendable {
  /// When it was executed, by the wall clock.
  public let time: Timestamp
  /// The price.
  public let price: FixedDecimal
  /// The quantity filled.
  public let quantity: FixedDecimal
  /// What the venue would have charged, in digits; negative for a rebate, nil if unknown.
  public let fee: String?
  /// Whether it was charged as a maker's.
  public let isMaker: Bool
  /// The trade or level that proves it.
  public let evidence: Sentence
}

/// What an order waits for, or has waited for.
public struct OrderTriggerState: Equatable, Sendable {
  /// The kind.
  public let kind: Trigger.Kind
  /// The price.
  public let price: FixedDecimal
  /// When it triggered; nil while the order waits.
  public let activatedAt: Timestamp?
  /// The price of the trade that triggered it.
  public let met: FixedDecimal?
  /// How far beyond the trigger that was; nil if it was not.
  public let gap: FixedDecimal?
  /// The venue's number of that trade.
  public let number: Int64?
  /// Whether trades were missed before.
  public let isLate: Bool
  /// When trades may be missing that may have triggered it.
  public let missed: MissedSpan?
  /// The distance of a trailing stop in price; nil without one.
  public var trail: FixedDecimal?
  /// The distance of a trailing stop in percent; nil without one.
  public var trailPercent: FixedDecimal?
}

/// An order as drawn, with its receipt (LT5).
public struct OrderRowState: Equatable, Sendable {
  /// The maximum number of fills in a row; an order can fill in thousands of parts.
  public static let maximumFills = 32

  /// The order's number: 1, 2, 3 … in order of arrival.
  public let id: OrderIdentifier
  /// The order's client identifier.
  public let clientIdentifier: ClientOrderIdentifier
  /// The symbol.
  public let symbol: Symbol
  /// Buy or sell.
  public let side: Side
  /// The requested quantity.
  public let quantity: FixedDecimal
  /// The quantity bought or sold.
  public let filled: FixedDecimal
  /// The quote currency of a venue's market; nil for the exchange's stock.
  public let currency: String?
  /// The most that may be filled; ``filled`` is certain.
  public let possible: FixedDecimal
  /// The leaves quantity, which still rests.
  public let open: FixedDecimal
  /// The quantity cancelled unfilled.
  public let cancelled: FixedDecimal
  /// The average price, rounded at six decimals; nil without a fill.
  public let average: FixedDecimal?
  /// The limit; nil for a market order.
  public let limit: FixedDecimal?
  /// The protection price of a market order; nil without one.
  public let protection: FixedDecimal?
  /// The time in force; a market order is immediate-or-cancel.
  public let timeInForce: TimeInForce
  /// The number of amendments.
  public let amendments: Int
  /// The status.
  public let status: OrderStatus
  /// When it was placed.
  public let placedAt: Timestamp
  /// When it last changed.
  public let changedAt: Timestamp
  /// Why a part is unfilled, as a sentence; nil if all is filled.
  public let reason: Sentence?
  /// The prices taken, in order of the first fill at each.
  public let levels: [OrderLevelState]
  /// The latest ``maximumFills`` executions, oldest first.
  public let fills: [OrderFillState]
  /// The sum of the fees, in digits; nil if unknown.
  public let fees: String?
  /// Average minus the best price on arrival, positive when worse for the user.
  ///
  /// nil without a fill or without a live price on arrival.
  public let slippage: FixedDecimal?
  /// A level that would have filled at least part of the remainder; nil if there was none.
  public let wouldHaveFilled: OrderLevelState?
  /// What it waits for, or has waited for; nil for nothing.
  public internal(set) var trigger: OrderTriggerState?

  /// Its way to the venue; nil if it acts at once.
  public internal(set) var latency: OrderLatencyState?

  /// The change on its way to the venue; nil for none.
  public internal(set) var change: OrderChangeState?

  /// What it was placed together with; nil for nothing.
  public internal(set) var link: OrderLink?

  /// What else restricts it.
  public internal(set) var terms = OrderTerms()

  /// Whether it waits for its trigger.
  public var isWaiting: Bool { isOpen && trigger.map { $0.activatedAt == nil } ?? false }

  /// The displayed status: a partly filled order that was cancelled is a partial fill.
  public var shownStatus: OrderStatus {
    status == .cancelled && filled.units > 0 ? .partiallyFilled : status
  }

  /// Whether it can be cancelled.
  public var isOpen: Bool { status.isOpen }

  /// Whether the row's text contains every word; the words are in lower case.
  func says(_ words: [String]) -> Bool {
    if words.isEmpty { return true }
    let optional: [String?] = [
      id.description, symbol.text, limit == nil ? "market" : "limit", side.rawValue,
      status.rawValue, shownStatus.rawValue, quantity.description, filled.description,
      average?.description,
      limit?.description, reason?.description, clientIdentifier.text, trigger?.kind.rawValue,
      trigger?.price.description,
    ]
    let text = optional.compactMap { $0?.lowercased() }.joined(separator: " ")
    return words.allSatisfy { text.contains($0) }
  }
}

/// A change of an order on its way to the venue.
public enum OrderChangeState: String, CaseIterable, Hashable, Sendable {
  case cancelling
  case amending
}

/// An order's way to the venue.
public struct OrderLatencyState: Hashable, Sendable {
  /// How long it takes, in milliseconds; positive.
  public let milliseconds: Int64
  /// The best opposite price when the order was sent; nil if missing or not live.
  public let submitted: FixedDecimal?
  /// The best opposite price when it arrived; nil before, and if missing or not live.
  public let arrived: FixedDecimal?

  /// Creates a state.
  public init(milliseconds: Int64, submitted: FixedDecimal?, arrived: FixedDecimal?) {
    (self.milliseconds, self.submitted, self.arrived) = (milliseconds, submitted, arrived)
  }
}

/// A filter of the order history.
public enum OrdersFilter: String, Hashable, Sendable, CaseIterable {
  case all
  /// PENDING and PARTIALLY FILLED.
  case open
  /// PENDING: open without a fill.
  case pending
  /// PARTIALLY FILLED: a part is filled, the remainder rests.
  case partiallyFilled
  /// Orders with at least one fill.
  case filled
  case cancelled
  case rejected

  /// Whether the filter includes an order.
  public func shows(_ row: OrderRowState) -> Bool {
    switch self {
    case .all: true
    case .open: row.isOpen
    case .pending: row.status == .pending
    case .partiallyFilled: row.status == .partiallyFilled
    case .filled: row.filled.units > 0
    case .cancelled: row.status == .cancelled
    case .rejected: row.status == .rejected
    }
  }
}

/// The order history (EX6): topics `orders` and `openOrders` of docs/page-protocol.md.
public struct OrdersState: Equatable, Sendable {
  /// The newest 200 orders, newest first.
  public internal(set) var rows: [OrderRowState] = []
  /// Every open order, newest first, regardless of age.
  public internal(set) var openRows: [OrderRowState] = []
  /// The number of orders ever placed.
  public internal(set) var total = 0
  /// The number of open orders.
  public internal(set) var openCount = 0
  /// Orders by status; a status without orders is absent.
  public internal(set) var counts: [OrderStatus: Int] = [:]
  /// The number of orders with at least one fill.
  public internal(set) var filledCount = 0
  /// The number of fills of all orders.
  public internal(set) var fillCount = 0
  /// How they are stored; nil while they can't be.
  public internal(set) var storage: StorageStatus?
  /// Why orders are rejected, as a sentence; nil if they are accepted.
  public internal(set) var failure: Sentence?
  /// The time of the last known state while the process that keeps the orders is unreachable.
  ///
  /// nil while the orders are current.
  public internal(set) var knownUntil: Timestamp?
  /// The number of ticks skipped as unusable for orders.
  public internal(set) var skippedTicks: UInt64 = 0
  /// Whether the history has been loaded.
  public internal(set) var isLoaded = false
  /// The filter.
  public internal(set) var filter = OrdersFilter.all

  /// The search words, at most ``maximumSearchLength`` characters.
  public internal(set) var search = ""

  /// The maximum search length in characters.
  public static let maximumSearchLength = 40

  /// The filtered rows of the newest and all open orders, newest first.
  ///
  /// O(rows).
  public var shownRows: [OrderRowState] {
    let words = search.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
    return (rows + olderOpenRows).filter { filter.shows($0) && $0.says(words) }
  }

  private var olderOpenRows: [OrderRowState] {
    guard let oldest = rows.last?.id else { return [] }
    return openRows.filter { $0.id < oldest }
  }

  /// The number of orders in a filter, listed or not.
  public func count(of filter: OrdersFilter) -> Int {
    switch filter {
    case .all: total
    case .open: openCount
    case .pending: counts[.pending, default: 0]
    case .partiallyFilled: counts[.partiallyFilled, default: 0]
    case .filled: filledCount
    case .cancelled: counts[.cancelled, default: 0]
    case .rejected: counts[.rejected, default: 0]
    }
  }
}
