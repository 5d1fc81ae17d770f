public import MarketModel

/// All orders of the app and the markets they trade against.
///
/// The app is its own exchange: it matches orders for a stock against the top of book of that
/// feed, and orders for venues' markets against their visible books and their trades. This is
/// a pure state machine; the host stores each decision before it takes effect: `let decision =
/// trader.decide(input, at: now)`, store `decision.events`, then ``commit(_:)``, or ``decline(_:)``
/// if storing failed.
///
/// - Only a live market is traded on. While it is late, stale, down or closed, an order that can't
///   rest is rejected with that reason, and any other limit order is accepted and rests.
/// - A tick is live until its feed would report it late, checked when an order is decided: prices
///   age even while the host is suspended and no event arrives.
/// - An unreadable or unusable tick leaves no market, because the previous tick is outdated.
/// - A tick whose price is more than ten times the previous one, or less than a tenth, leaves no
///   market until another tick confirms it: a bad print must not fill an order.
/// - Market orders are immediate-or-cancel (IOC), down to a protection price if they have one;
///   limit orders are good till cancelled, IOC, or fill-or-kill (FOK): all at once or nothing.
/// - An amended order keeps its place in the queue if only its quantity falls; otherwise it is last
///   at its price and takes at once what a new order would. Its quantity always exceeds its fills.
/// - Resting orders are filled before a new one, in price-time priority. A new order takes what the
///   current tick still has available.
/// - A tick with the number of the latest one is the same tick: what was taken of it stays taken,
///   also across a restart if its time and level are equal.
/// - In a venue's market an order takes the visible levels, best first, and what it has taken of
///   a level is gone until the level leaves the book. A resting order is certain to fill when the
///   book reaches its limit, when a trade is beyond it, or when more than the queue ahead of it
///   has traded; a trade at its limit makes a fill possible.
/// - Order comes from sequence numbers, never from a clock. Each event stores the wall-clock time;
///   a wrong clock affects only the orders of that period.
public struct PaperTrader: Sendable, Equatable {
  /// Steps and bounds of the exchange's stock.
  public let rules: TradingRules
  /// All orders.
  public private(set) var history: OrderHistory

  private var markets: [Symbol: TradedMarket]
  private var revision: UInt64 = 0

  /// Starts with recovered orders or none; the markets are unknown.
  public init(rules: TradingRules, history: OrderHistory = OrderHistory()) {
    self.rules = rules
    self.history = history
    markets = [rules.symbol: TradedMarket(rules: rules)]
  }

  /// An instrument's market; nil before its first book.
  public func market(of symbol: Symbol) -> TradedMarket? { markets[symbol] }

  /// The steps and bounds of an instrument; nil before its first book, unless it has had orders.
  public func rules(of symbol: Symbol) -> TradingRules? {
    let found = markets[symbol]?.rules ?? history.listings[symbol]
    return rules.figures == .marked ? found?.marked : found
  }

  private var stock: TradedMarket { markets[rules.symbol] ?? TradedMarket(rules: rules) }

  /// The stock's market with its full sizes while it can be traded on; nil otherwise.
  public var liveMarket: TopOfBook? { stock.live }

  /// The stock's latest usable tick, whatever its current freshness; nil before the first.
  public var lastMarket: TopOfBook? { stock.latest }

  /// The freshness of the stock's market.
  public var freshness: FreshnessState { stock.freshness }

  /// Why the stock can't be traded; ``NotLiveReason/live`` if it can.
  public var notLiveReason: NotLiveReason { stock.notLiveReason }

  /// What an order for the stock on `side` could take now: top of book less what earlier orders
  /// took.
  public func available(for side: Side) -> Quantity { stock.available(for: side) }

  /// Equal for equal orders on every platform; excludes the market.
  ///
  /// O(orders).
  public var stateHash: UInt64 { history.stateHash }

  /// Decides and commits; for hosts without a ledger, and for tests.
  public mutating func handle(_ input: TradingInput, at now: ClockReading) -> TradingDecision {
    let decision = decide(input, at: now)
    commit(decision)
    return decision
  }

  /// Decides what an input leads to, without changing anything.
  ///
  /// O(resting orders).
  public func decide(_ input: TradingInput, at now: ClockReading) -> TradingDecision {
    let symbol = symbol(of: input)
    var run = MatchRun(
      history: history, markets: markets, symbol: symbol,
      rules: symbol.flatMap { rules(of: $0) } ?? rules, now: now)
    if let symbol, history.symbols(dueAt: now.wall).contains(symbol) {
      switch input {
      // A host begins with it, and stores nothing then.
      case .feed(.freshness, _): break
      case .feed(.time(let afterStop), _): run.pass(afterStop: afterStop)
      default: run.pass(afterStop: false)
      }
    }
    switch input {
    case .place(let request): run.place(request)
    case .amend(let request): run.amend(request)
    case .cancel(let identifier): run.cancel(identifier)
    case .cancelAll(let newest): run.cancelAll(through: newest)
    case .feed(let input, _): run.take(input)
    }
    run.settle()
    return run.decision(revision: revision)
  }

  private func symbol(of input: TradingInput) -> Symbol? {
    switch input {
    case .place(let request): request.symbol
    case .amend(let request): history.order(request.order)?.request.symbol
    case .cancel(let identifier): history.order(identifier)?.request.symbol
    case .cancelAll: nil
    case .feed(_, let symbol): symbol
    }
  }

  /// Applies a decision.
  ///
  /// It must be the latest one, made for the current state.
  public mutating func commit(_ decision: TradingDecision) {
    precondition(decision.revision == revision, "a decision is committed to the state it is for")
    do throws(OrderEventProblem) {
      for event in decision.events { try history.apply(event) }
    } catch {
      preconditionFailure("a decision holds events that follow its state: \(error)")
    }
    if let symbol = decision.symbol { markets[symbol] = decision.market }
    revision &+= 1
  }

  /// Discards a decision whose events could not be stored: no order changes.
  ///
  /// A tick still becomes the market, but nothing can be taken from it, so that no later order
  /// overtakes one that should have filled. The next tick is unaffected.
  public mutating func decline(_ decision: TradingDecision) {
    precondition(decision.revision == revision, "a decision is declined for the state it is for")
    if let symbol = decision.symbol { markets[symbol] = decision.declinedMarket }
    revision &+= 1
  }

  // MARK: Following another trader

  /// Applies an event that another trader has decided and stored.
  ///
  /// Throws and changes nothing if it cannot follow the previous ones.
  package mutating func follow(_ event: OrderEvent) throws(OrderEventProblem) {
    try history.apply(event)
    revision &+= 1
  }

  /// Applies market input without filling orders, which is the other trader's task.
  ///
  /// O(resting orders).
  package mutating func watch(_ input: TradingInput, at now: ClockReading) {
    decline(decide(input, at: now))
  }

  /// Takes over the market data of another trader, but not the places of its orders.
  package mutating func watchMarkets(of other: PaperTrader) {
    markets = other.markets.mapValues { market in
      var market = market
      market.forget { _ in true }
      return market
    }
    revision &+= 1
  }
}

// MARK: - Batches

extension PaperTrader {
  /// Handles inputs in order, passes their events to `store`, then takes effect.
  ///
  /// Inputs that accumulate while the disk is busy are stored in one commit this way. `store` is
  /// not called if no order changes. If it throws, no order changes and no reply holds: the error
  /// is the response to every order and cancellation. Ticks still become the market, but nothing
  /// can be taken from one that should have filled an order.
  ///
  /// Inputs before the first event take effect at once, and a single last one with events needs no
  /// copy of the orders: most market data changes no order.
  ///
  /// - Parameters:
  ///   - inputs: The inputs, oldest first.
  ///   - now: Both clocks.
  ///   - store: Makes the events durable, all or none.
  /// - Returns: One decision for each input, all in effect.
  /// - Throws: The errors of `store`.
  public mutating func handle<Failure: Error>(
    _ inputs: [TradingInput], at now: ClockReading,
    storing store: ([OrderEvent]) throws(Failure) -> Void
  ) throws(Failure) -> [TradingDecision] {
    var decisions: [TradingDecision] = []
    var rest = inputs[...]
    while let input = rest.first {
      let decision = decide(input, at: now)
      guard decision.events.isEmpty || rest.count == 1 else { break }
      do throws(Failure) {
        if !decision.events.isEmpty { try store(decision.events) }
      } catch {
        decline(decision)
        throw error
      }
      commit(decision)
      decisions.append(decision)
      rest.removeFirst()
    }
    return rest.isEmpty ? decisions : decisions + (try handleTogether(rest, at: now, store))
  }

  private mutating func handleTogether<Failure: Error>(
    _ inputs: ArraySlice<TradingInput>, at now: ClockReading,
    _ store: ([OrderEvent]) throws(Failure) -> Void
  ) throws(Failure) -> [TradingDecision] {
    var next = self
    let decisions = inputs.map { next.handle($0, at: now) }
    do throws(Failure) {
      try store(decisions.flatMap(\.events))
    } catch {
      for input in inputs { decline(decide(input, at: now)) }
      throw error
    }
    self = next
    return decisions
  }
}
