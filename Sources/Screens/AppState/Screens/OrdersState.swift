// The order history (EX6) as it is drawn: each order with its receipt (LT5), newest first.

public import MarketModel
public import PaperTrading

/// One price at which an order took something.
public struct OrderLevelState: Equatable, Sendable {
  /// The price.
  public let price: FixedDecimal
  /// All that was taken at it.
  public let quantity: FixedDecimal
}

/// One execution of an order, for its mark on the chart.
public struct OrderFillState: Equatable, Sendable {
  /// When it happened, by the app's clock.
  public let time: Timestamp
  /// The price.
  public let price: FixedDecimal
  /// How much was taken.
  public let quantity: FixedDecimal
}

/// An order as it is drawn.
public struct OrderRowState: Equatable, Sendable {
  /// The most fills that a row lists; an order may be filled in thousands of parts.
  public static let maximumFills = 16

  /// The app's number: 1, 2, 3 … in the order of arrival.
  public let id: OrderIdentifier
  /// The device's name for the order.
  public let clientIdentifier: ClientOrderIdentifier
  /// What is bought or sold.
  public let symbol: Symbol
  /// Buy or sell.
  public let side: Side
  /// How much was asked for.
  public let quantity: FixedDecimal
  /// How much was bought or sold.
  public let filled: FixedDecimal
  /// Leaves quantity: how much still rests.
  public let open: FixedDecimal
  /// How much was cancelled unfilled.
  public let cancelled: FixedDecimal
  /// The average price, rounded at six decimals; nil without a fill.
  public let average: FixedDecimal?
  /// The limit; nil for a market order.
  public let limit: FixedDecimal?
  /// The protection price of a market order; nil where there is none.
  public let protection: FixedDecimal?
  /// How long it holds; that of a market order is immediate-or-cancel.
  public let timeInForce: TimeInForce
  /// How often it was amended.
  public let amendments: Int
  /// Where it stands.
  public let status: OrderStatus
  /// When it was placed.
  public let placedAt: Timestamp
  /// When it last changed.
  public let changedAt: Timestamp
  /// Why something is not filled, as a sentence; nil when all is.
  public let reason: String?
  /// The prices taken, in the order they were first taken.
  public let levels: [OrderLevelState]
  /// The latest ``maximumFills`` executions, oldest first.
  public let fills: [OrderFillState]
  /// Average minus the best price on arrival, positive when worse for the person; nil without a
  /// fill or without a live price on arrival.
  public let slippage: FixedDecimal?
  /// A level that would have filled the remainder or a part of it; nil where there is none.
  public let wouldHaveFilled: OrderLevelState?

  /// The status to show: an order that was cancelled after a part of it filled is a partial fill.
  public var shownStatus: OrderStatus {
    status == .cancelled && filled.units > 0 ? .partiallyFilled : status
  }

  /// Whether it can be cancelled.
  public var isOpen: Bool { status.isOpen }

  /// Whether every word, in lower case, is found in what the row says; true of no words.
  func says(_ words: [String]) -> Bool {
    if words.isEmpty { return true }
    let optional: [String?] = [
      id.description, symbol.text, limit == nil ? "market" : "limit", side.rawValue,
      status.rawValue, shownStatus.rawValue, quantity.description, filled.description,
      average?.description,
      limit?.description, reason, clientIdentifier.text,
    ]
    let text = optional.compactMap { $0?.lowercased() }.joined(separator: " ")
    return words.allSatisfy { text.contains($0) }
  }
}

/// Which orders a person wants to see.
public enum OrdersFilter: String, Hashable, Sendable, CaseIterable {
  /// Every order.
  case all
  /// Those that wait: PENDING and PARTIALLY FILLED.
  case open
  /// PENDING: wait and have nothing yet.
  case pending
  /// PARTIALLY FILLED: have a part and rest for the remainder.
  case partiallyFilled
  /// Those that got something, FILLED or a part.
  case filled
  /// CANCELLED.
  case cancelled
  /// REJECTED.
  case rejected

  /// Whether an order is shown.
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

/// What the order history shows: topics `orders` and `openOrders` of docs/page-protocol.md.
public struct OrdersState: Equatable, Sendable {
  /// The newest 200 orders, newest first.
  public internal(set) var rows: [OrderRowState] = []
  /// Every open order, newest first, however old.
  public internal(set) var openRows: [OrderRowState] = []
  /// Orders ever placed.
  public internal(set) var total = 0
  /// Orders that wait.
  public internal(set) var openCount = 0
  /// Orders by status; a status without orders is absent.
  public internal(set) var counts: [OrderStatus: Int] = [:]
  /// Orders that got something, all of it or a part.
  public internal(set) var filledCount = 0
  /// Fills of all orders.
  public internal(set) var fillCount = 0
  /// Where they are stored; nil while they are not.
  public internal(set) var storage: StorageStatus?
  /// Why orders are refused, as a sentence; nil when they are taken.
  public internal(set) var failure: String?
  /// Until when the orders are known, where the process that keeps them is out of reach; nil where
  /// they are known now.
  public internal(set) var knownUntil: Timestamp?
  /// Ticks that could not be used for orders and were left out.
  public internal(set) var skippedTicks: UInt64 = 0
  /// Whether the history has been read; until then there is nothing to show and nothing wrong.
  public internal(set) var isLoaded = false
  /// Which orders a person wants to see.
  public internal(set) var filter = OrdersFilter.all

  /// What a person looks for: words, at most ``maximumSearchLength`` characters.
  public internal(set) var search = ""

  /// The longest search that is taken.
  public static let maximumSearchLength = 40

  /// The rows that the filter shows and the search finds, newest first: of the newest ones and of
  /// all that wait; O(rows).
  public var shownRows: [OrderRowState] {
    let words = search.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
    return (rows + olderOpenRows).filter { filter.shows($0) && $0.says(words) }
  }

  /// Orders that wait and are older than the newest ones.
  private var olderOpenRows: [OrderRowState] {
    guard let oldest = rows.last?.id else { return [] }
    return openRows.filter { $0.id < oldest }
  }

  /// How many orders of all, listed or not, a filter is about.
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
