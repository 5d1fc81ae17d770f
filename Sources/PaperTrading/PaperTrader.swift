// The app as its own exchange: it matches its orders against the offers that it sees on the feed.
// A pure state machine; the host stores what it decides before it takes effect.
//
// Rules, beyond the briefs' words:
// - Only a live market is traded on. While it is late, stale, down or closed, a market order is
//   rejected with that reason, and a limit order is accepted and waits.
// - A tick is live until its feed would call it late, judged when an order is decided: a host that
//   stood still hears of nothing, and its prices grow old all the same.
// - A tick that cannot be used leaves no market: the one before it is not what the venue says.
// - A tick whose price is more than ten times the one before, or less than a tenth, leaves no
//   market until another tick agrees with it: a slip of the venue must not fill an order.
// - An order that waits when a tick comes is served before a new one; among waiting orders the
//   better limit goes first, then the earlier arrival. A new order finds what is left of the
//   current tick.
// - A tick with the number of the latest one is that tick again: what was used of it stays used,
//   also over a restart, when its time and its offer are the same.
// - Order comes from sequence numbers, never from a clock. Each event keeps what the wall clock
//   showed; a clock that was wrong for a while dates the orders of that while and no later ones.

public import MarketModel

/// All orders of the app and the market they wait for.
///
/// One at a time: `let decision = trader.decide(input, at: now)`, store `decision.events`, then
/// ``commit(_:)``, or ``decline(_:)`` when they could not be stored.
public struct PaperTrader: Sendable, Equatable {
  /// Steps and bounds.
  public let rules: TradingRules
  /// All orders.
  public private(set) var history: OrderHistory

  private var pool = OfferPool()
  private var revision: UInt64 = 0

  /// Starts with the orders that were recovered, or with none; the market is not known yet.
  public init(rules: TradingRules, history: OrderHistory = OrderHistory()) {
    self.rules = rules
    self.history = history
  }

  /// The market while it can be traded on, with the offers in full; nil otherwise.
  public var liveMarket: TopOfBook? { pool.live }

  /// What the feed is worth now.
  public var freshness: FreshnessState { pool.reason }

  /// What an order on `side` could take from the current tick, after what earlier orders took.
  public func available(for side: Side) -> Quantity { pool.available(for: side) }

  /// Equal for equal orders on every platform; the market is not part of it.
  ///
  /// O(orders).
  public var stateHash: UInt64 { history.stateHash }

  /// Decides and commits: for hosts without a ledger, and for tests.
  public mutating func handle(_ input: TradingInput, at now: ClockReading) -> TradingDecision {
    let decision = decide(input, at: now)
    commit(decision)
    return decision
  }

  /// Says what the input leads to, and changes nothing.
  ///
  /// O(waiting orders).
  public func decide(_ input: TradingInput, at now: ClockReading) -> TradingDecision {
    var run = MatchRun(history: history, pool: pool, rules: rules, now: now)
    switch input {
    case .place(let request): run.place(request)
    case .cancel(let identifier): run.cancel(identifier)
    case .cancelAll(let newest): run.cancelAll(through: newest)
    case .market(let snapshot, let lateAt): run.take(snapshot, lateAt: lateAt)
    case .unusable(let problem): run.takeUnusable(problem)
    case .freshness(let state, let lateAt): run.take(state, lateAt: lateAt)
    }
    return run.decision(revision: revision)
  }

  /// Makes a decision take effect.
  ///
  /// It must be the latest one, made for this very state.
  public mutating func commit(_ decision: TradingDecision) {
    precondition(decision.revision == revision, "a decision is committed to the state it is for")
    do throws(OrderEventProblem) {
      for event in decision.events { try history.apply(event) }
    } catch {
      preconditionFailure("a decision holds events that follow its state: \(error)")
    }
    pool = decision.pool
    revision &+= 1
  }

  /// Takes note that a decision's events could not be stored: no order changes.
  ///
  /// A tick still becomes the market, but nothing can be taken from it, so that no later order
  /// overtakes one that should have been filled; the next tick is as good as any.
  public mutating func decline(_ decision: TradingDecision) {
    precondition(decision.revision == revision, "a decision is declined for the state it is for")
    pool = decision.declinedPool
    revision &+= 1
  }
}
