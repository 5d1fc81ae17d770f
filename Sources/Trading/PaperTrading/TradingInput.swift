// What can happen to the app's own orders, and what comes of it.

public import MarketModel

/// An event from a person or from the feed.
public enum TradingInput: Hashable, Sendable {
  /// A person places an order.
  case place(OrderRequest)
  /// A person wants a resting order to hold for another quantity, or at another price.
  case amend(AmendRequest)
  /// A person cancels an order.
  case cancel(OrderIdentifier)
  /// A person cancels every open order up to this one, the newest that was in sight.
  case cancelAll(through: OrderIdentifier)
  /// A tick of the feed: makes the market live until `lateAt`, when nothing confirms it; nil where
  /// its silence says nothing.
  case market(TopOfBook, lateAt: MonotonicTime? = nil)
  /// A tick of the feed that cannot be used: nothing can be taken until the next one that can.
  case unusable(SnapshotProblem)
  /// A message of the feed that cannot be read: nothing can be taken until the next tick, or until
  /// the feed calls itself live again.
  case unreadable
  /// The feed's freshness changed. ``FreshnessState/waiting`` means that the feed starts over and
  /// counts its ticks anew.
  ///
  /// A live feed is late at `lateAt` unless it is confirmed; nil leaves that time as it was.
  case freshness(FreshnessState, lateAt: MonotonicTime? = nil)
}

/// The answer to whoever sent the input.
public enum TradingReply: Hashable, Sendable {
  /// Nothing to say to a tick or a state.
  case none
  /// A new order with this number; its events say what became of it.
  case placed(OrderIdentifier)
  /// A new order was recorded as rejected.
  case rejected(OrderIdentifier, RejectionReason)
  /// The device's name is known: this is its order, and nothing changed. `isSameRequest` is false
  /// when the name came with another order than the first time.
  case repeated(OrderIdentifier, isSameRequest: Bool)
  /// The order is amended now, or was before, under the same name.
  case amended(OrderIdentifier, isRepeated: Bool)
  /// Nothing could be amended; nothing changed.
  case notAmended(OrderIdentifier, AmendProblem)
  /// The order is cancelled now.
  case cancelled(OrderIdentifier)
  /// So many orders are cancelled now; 0 when none waited.
  case cancelledAll(count: Int)
  /// Nothing could be cancelled; nothing changed.
  case notCancelled(OrderIdentifier, CancelProblem)
  /// The tick was left out. After an older one the market is what it was; else it is unknown until
  /// the next good tick.
  case tickRejected(SnapshotProblem)
}

/// Why an order could not be cancelled.
public enum CancelProblem: Error, Hashable, Sendable {
  /// There is no such order.
  case unknownOrder
  /// The order ended before: filled (a fill met the cancel), cancelled or rejected.
  case ended(OrderStatus)

  /// The sentence for people.
  public var userMessage: String {
    switch self {
    case .unknownOrder: "There is no such order."
    case .ended(.filled): "Too late to cancel: the order is already filled."
    case .ended(.cancelled): "The order is already cancelled."
    case .ended: "The order was rejected; there is nothing to cancel."
    }
  }
}

/// What an input leads to.
///
/// Nothing has changed yet: store ``events``, then commit.
public struct TradingDecision: Sendable, Equatable {
  /// The changes to store, in order; all of them or none.
  ///
  /// Empty when no order changes.
  public var events: [OrderEvent] = []
  /// The answer to whoever sent the input; to be sent once ``events`` are stored.
  public var reply = TradingReply.none
  /// What to tell people; to be shown once ``events`` are stored.
  public var notices: [OrderNotice] = []

  /// The market once the decision is committed, and once it is declined.
  var liquidity: AvailableLiquidity
  var declinedLiquidity: AvailableLiquidity
  /// The state that the decision was made for.
  let revision: UInt64
}
