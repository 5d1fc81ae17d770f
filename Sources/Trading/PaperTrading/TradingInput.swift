public import MarketModel

/// An input of the trader: a command or market data.
public enum TradingInput: Equatable, Sendable {
  case place(OrderRequest)
  case amend(AmendRequest)
  case cancel(OrderIdentifier)
  /// Cancel every open order up to this one, the newest that was on screen.
  case cancelAll(through: OrderIdentifier)
  /// An instrument's market data.
  case feed(MarketInput, of: Symbol)
}

/// Market data of one instrument.
public enum MarketInput: Equatable, Sendable {
  /// A tick of an exchange without a book: makes the market live until `lateAt` unless confirmed;
  /// nil if no ticks are expected.
  case tick(TopOfBook, lateAt: MonotonicTime? = nil)
  /// A valid, ungrouped book of a venue's market, which is quoted in `currency` and charges `fees`;
  /// nil if they are unknown. New orders act after `latencyMilliseconds`.
  case book(
    BookView, currency: String, fees: FeeRates? = nil, latencyMilliseconds: Int64 = 0,
    lateAt: MonotonicTime? = nil)
  case trade(Trade, priceScale: Scale, quantityScale: Scale)
  /// Trades may have been missed: any resting order may have been filled.
  case missedTrades
  /// An unusable tick with its number: nothing can be taken until the next usable one.
  case unusable(SnapshotProblem, number: UInt64)
  /// An unreadable message: nothing can be taken until the next tick or the feed is live again.
  case unreadable
  /// A freshness change; ``FreshnessState/waiting`` means the feed restarts its tick numbers.
  ///
  /// A live feed is late at `lateAt` unless it is confirmed; nil keeps the previous time.
  case freshness(FreshnessState, lateAt: MonotonicTime? = nil)
  /// Nothing but the time has changed, `afterStop` if the program was not running before.
  case time(afterStop: Bool)
  /// The market is no longer followed, and its data no longer kept.
  case ended
}

/// The response to an input.
public enum TradingReply: Hashable, Sendable {
  /// No response, for market data.
  case none
  /// A new order with this number; its events contain the outcome.
  case placed(OrderIdentifier)
  case rejected(OrderIdentifier, RejectionReason)
  /// The client identifier is already used by this order; nothing changed.
  ///
  /// `isSameRequest` is false if the requests differ.
  case repeated(OrderIdentifier, isSameRequest: Bool)
  /// The order is amended, or already was under the same identifier.
  case amended(OrderIdentifier, isRepeated: Bool)
  case notAmended(OrderIdentifier, AmendProblem)
  case cancelled(OrderIdentifier)
  /// The number of orders cancelled; 0 if none was open.
  case cancelledAll(count: Int)
  case notCancelled(OrderIdentifier, CancelProblem)
  /// The tick was skipped: an out-of-order one leaves the market unchanged, any other makes it
  /// unknown until the next usable tick.
  case tickRejected(SnapshotProblem)
}

/// Why an order could not be cancelled.
public enum CancelProblem: Error, Hashable, Sendable {
  case unknownOrder
  /// The order has already ended: filled (a fill overtook the cancel), cancelled or rejected.
  case ended(OrderStatus)

  /// The text for the user.
  public var userMessage: Sentence {
    switch self {
    case .unknownOrder: "There is no such order."
    case .ended(.filled): "Too late to cancel: the order is already filled."
    case .ended(.cancelled): "The order is already cancelled."
    case .ended: "The order was rejected; there is nothing to cancel."
    }
  }
}

/// The result of an input, not yet in effect: store ``events``, then commit.
public struct TradingDecision: Sendable, Equatable {
  /// The changes to store in order, all or none; empty if no order changes.
  public var events: [OrderEvent] = []
  /// The response to the input; send it once ``events`` are stored.
  public var reply = TradingReply.none
  /// The user's notices; show them once ``events`` are stored.
  public var notices: [OrderNotice] = []

  /// The instrument whose market changes; nil if none does.
  let symbol: Symbol?
  /// Its market after committing, and after declining; nil for none.
  let market: TradedMarket?
  let declinedMarket: TradedMarket?
  /// The state the decision was made for.
  let revision: UInt64
}
