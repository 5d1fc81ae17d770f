// The app as its own exchange: it matches its orders against the top of book that the feed shows.
// A pure state machine; the host stores what it decides before it takes effect.
//
// Rules:
// - Only a live market is traded on. While it is late, stale, down or closed, an order that can't
//   rest is rejected with that reason, and any other limit order is accepted and rests.
// - A tick is live until its feed would call it late, judged when an order is decided: prices age
//   even while the host is suspended and no event says so.
// - A tick that cannot be read or used leaves no market: the one before it is not what the venue
//   says.
// - A tick whose price is more than ten times the one before, or less than a tenth, leaves no
//   market until another tick agrees with it: a bad print must not fill an order.
// - Market orders are immediate-or-cancel (IOC), down to a protection price where they have one;
//   limit orders are good till cancelled, IOC, or fill-or-kill (FOK): all at once or nothing.
// - An amended order keeps its place in the queue when only its quantity falls; else it stands last
//   at its price, and takes at once what a new order would. It is never for less than is filled.
// - Resting orders are filled before a new one, in price-time priority. A new order takes what the
//   current tick still has available.
// - A tick with the number of the latest one is that tick again: what was taken of it stays taken,
//   also over a restart, when its time and its level are the same.
// - Order comes from sequence numbers, never from a clock. Each event keeps what the wall clock
//   showed; a clock that was wrong for a while dates the orders of that while and no later ones.

public import MarketModel

/// All orders of the app and the market they trade against.
///
/// One at a time: `let decision = trader.decide(input, at: now)`, store `decision.events`, then
/// ``commit(_:)``, or ``decline(_:)`` when they could not be stored.
public struct PaperTrader: Sendable, Equatable {
  /// Steps and bounds.
  public let rules: TradingRules
  /// All orders.
  public private(set) var history: OrderHistory

  private var liquidity = AvailableLiquidity()
  private var revision: UInt64 = 0

  /// Starts with the orders that were recovered, or with none; the market is not known yet.
  public init(rules: TradingRules, history: OrderHistory = OrderHistory()) {
    self.rules = rules
    self.history = history
  }

  /// The market while it can be traded on, with its full sizes; nil otherwise.
  public var liveMarket: TopOfBook? { liquidity.live }

  /// The latest tick that could be used, whatever it is worth by now; nil before the first.
  public var lastMarket: TopOfBook? { liquidity.latest }

  /// What the feed is worth now.
  public var freshness: FreshnessState { liquidity.state }

  /// Why nothing can be traded on; ``NotLiveReason/live`` while something can.
  public var notLiveReason: NotLiveReason { liquidity.reason }

  /// What an order on `side` could take now: top of book less what earlier orders took.
  public func available(for side: Side) -> Quantity { liquidity.available(for: side) }

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
  /// O(resting orders).
  public func decide(_ input: TradingInput, at now: ClockReading) -> TradingDecision {
    var run = MatchRun(history: history, liquidity: liquidity, rules: rules, now: now)
    switch input {
    case .place(let request): run.place(request)
    case .amend(let request): run.amend(request)
    case .cancel(let identifier): run.cancel(identifier)
    case .cancelAll(let newest): run.cancelAll(through: newest)
    case .market(let snapshot, let lateAt): run.take(snapshot, lateAt: lateAt)
    case .unusable(let problem): run.takeUnusable(problem)
    case .unreadable: run.takeUnreadable()
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
    liquidity = decision.liquidity
    revision &+= 1
  }

  /// Takes note that a decision's events could not be stored: no order changes.
  ///
  /// A tick still becomes the market, but nothing can be taken from it, so that no later order
  /// overtakes one that should have been filled; the next tick is as good as any.
  public mutating func decline(_ decision: TradingDecision) {
    precondition(decision.revision == revision, "a decision is declined for the state it is for")
    liquidity = decision.declinedLiquidity
    revision &+= 1
  }

  // MARK: Following another trader

  /// Takes an event that another trader has decided and stored.
  ///
  /// Throws when it cannot follow the ones before, and changes nothing then.
  package mutating func follow(_ event: OrderEvent) throws(OrderEventProblem) {
    try history.apply(event)
    revision &+= 1
  }

  /// Sees what happens on the market, and fills nothing: that is for the other trader.
  ///
  /// O(resting orders).
  package mutating func watch(_ input: TradingInput, at now: ClockReading) {
    decline(decide(input, at: now))
  }
}

// MARK: - Batches

// Inputs that gathered while the disk was busy are stored in one commit; nothing is acknowledged
// before it is stored.

extension PaperTrader {
  /// Takes inputs in order, hands all their events to `store` at once, and takes effect when that
  /// returns.
  ///
  /// `store` is not called when no order changes. When it throws, no order has changed and no reply
  /// holds: the error is the answer to everyone who sent an order or a cancellation. Ticks still
  /// become the market, but nothing can be taken from one that should have filled an order.
  ///
  /// - Parameters:
  ///   - inputs: What happened, oldest first.
  ///   - now: Both clocks.
  ///   - store: Makes the events durable, all or none.
  /// - Returns: One decision for each input, all in effect.
  /// - Throws: What `store` throws.
  public mutating func handle<Failure: Error>(
    _ inputs: [TradingInput], at now: ClockReading,
    storing store: ([OrderEvent]) throws(Failure) -> Void
  ) throws(Failure) -> [TradingDecision] {
    var next = self
    let decisions = inputs.map { next.handle($0, at: now) }
    let events = decisions.flatMap(\.events)
    do throws(Failure) {
      if !events.isEmpty { try store(events) }
    } catch {
      for input in inputs { decline(decide(input, at: now)) }
      throw error
    }
    self = next
    return decisions
  }
}
