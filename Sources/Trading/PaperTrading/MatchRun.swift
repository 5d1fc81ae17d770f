import MarketModel

/// Computes the decision for one input, on a scratch copy of the instrument's market.
///
/// A tick touches each order at most once, so the orders themselves need no copy.
struct MatchRun {
  private(set) var history: OrderHistory
  /// The rules of the input's instrument.
  private(set) var rules: TradingRules
  private let symbol: Symbol?
  private let markets: [Symbol: TradedMarket]
  private let before: TradedMarket?
  let time: Timestamp
  private let now: MonotonicTime
  var market: TradedMarket?
  private var events: [OrderEvent] = []
  /// How many of them ``history`` contains.
  private var applied = 0
  /// How many of them are settled.
  private var settled = 0
  var reply = TradingReply.none
  private var notices: [OrderNotice] = []

  /// `symbol` is the input's instrument; nil for one that concerns several.
  init(
    history: OrderHistory, markets: [Symbol: TradedMarket], symbol: Symbol?, rules: TradingRules,
    now: ClockReading
  ) {
    self.history = history
    self.rules = rules
    (self.symbol, self.markets) = (symbol, markets)
    before = symbol.flatMap { markets[$0] }
    market = before
    self.now = now.monotonic
    time = now.wall
    market?.liquidity.age(to: now.monotonic)
  }

  func decision(revision: UInt64) -> TradingDecision {
    var declined = before
    if let market, hasMoved {
      declined = market
      if !events.isEmpty { declined?.liquidity.drain() }
      declined?.places = before?.places ?? [:]
    }
    return TradingDecision(
      events: events, reply: reply, notices: notices, symbol: symbol, market: market,
      declinedMarket: declined, revision: revision)
  }

  /// Whether the feed changed the market.
  private var hasMoved: Bool {
    guard let after = market?.liquidity, let before = before?.liquidity else { return true }
    return after.latest != before.latest || after.freshness != before.freshness
      || after.doubt != before.doubt || after.suspect != before.suspect
      || after.lateAt != before.lateAt
  }

  private var liquidity: AvailableLiquidity { market?.liquidity ?? AvailableLiquidity() }

  var live: TopOfBook? { market?.live }

  /// The latency of new orders and changes; 0 while a market is not followed.
  func latency(of symbol: Symbol) -> Int64 {
    (symbol == self.symbol ? market : markets[symbol])?.latencyMilliseconds ?? 0
  }

  mutating func take(
    _ wanted: Quantity, for request: OrderRequest, atLimit limit: Price? = nil
  ) -> [OrderFill] {
    market?.take(wanted, for: request, atLimit: limit) ?? []
  }

  mutating func place(_ request: OrderRequest) {
    if let order = amended(by: request.clientIdentifier) {
      reply = .repeated(order, isSameRequest: false)
      return
    }
    if let first = history.order(named: request.clientIdentifier) {
      reply = .repeated(first.identifier, isSameRequest: first.original == request)
      return
    }
    let identifier = OrderIdentifier(number: UInt64(history.orders.count) + 1)
    let latency = market?.latencyMilliseconds ?? 0
    let placement = Placement(
      identifier: identifier, request: request, arrival: live, latencyMilliseconds: latency)
    let exits = request.exitRequests(of: identifier)
    for exit in exits ?? [] {
      let known = history.order(named: exit.clientIdentifier)?.identifier
      guard let other = known ?? amended(by: exit.clientIdentifier) else { continue }
      reply = .repeated(other, isSameRequest: false)
      return
    }
    if let listing = market?.rules, listing.hasBook, history.listings[listing.symbol] != listing {
      record(.listed(listing))
    }
    if let reason = exits == nil ? .nameTooLong : rejection(of: request) {
      record(.rejected(placement, reason))
      reply = .rejected(identifier, reason)
      notify(identifier, request, .rejected(reason))
      return
    }
    record(.accepted(placement))
    reply = .placed(identifier)
    for (index, exit) in (exits ?? []).enumerated() {
      let number = OrderIdentifier(number: identifier.number + UInt64(index) + 1)
      record(
        .accepted(
          Placement(
            identifier: number, request: exit, arrival: live, latencyMilliseconds: latency)))
    }
    defer { settle() }
    guard latency == 0 else { return notify(identifier, request, .travels(milliseconds: latency)) }
    begin(request, identifier)
  }

  /// Lets an accepted order act.
  mutating func begin(_ request: OrderRequest, _ identifier: OrderIdentifier) {
    if let trigger = request.trigger {
      guard let trail = trigger.trail, let move = market?.firstMove(of: trail, for: request.side)
      else { return notify(identifier, request, .waits(trigger)) }
      record(.trailed(identifier, move))
      return notify(
        identifier, request, .waits(Trigger(trigger.kind, at: move.trigger, trail: trail)))
    }
    switch request.kind {
    case .limit: takeOrRest(request, identifier)
    case .market, .protectedMarket, .immediateOrCancel, .fillOrKill:
      // One that arrives while there is no live book acts on the first one.
      if live != nil { takeOrCancel(request, identifier) }
    }
  }
}

// MARK: - Market data

extension MatchRun {
  mutating func take(_ input: MarketInput) {
    switch input {
    case .tick(let tick, let lateAt): take(MarketBook(tick), lateAt: lateAt)
    case .book(let view, let currency, let fees, let latency, let lateAt):
      guard let symbol else { return }
      follow(symbol, view, currency: currency)
      // What this book fills is charged already.
      market?.fees = fees
      market?.latencyMilliseconds = latency
      take(view, lateAt: lateAt)
    case .trade(let trade, let priceScale, let quantityScale):
      guard let own = rules.units(of: trade, priceScale: priceScale, quantityScale: quantityScale)
      else { return }
      take(own)
    case .missedTrades: missTrades()
    case .time: break
    case .unusable(let problem, _): takeUnusable(problem)
    case .unreadable: market?.liquidity.outdate(.unreadable)
    case .freshness(let state, let lateAt): take(state, lateAt: lateAt)
    case .ended: market = nil
    }
  }

  private mutating func takeUnusable(_ problem: SnapshotProblem) {
    reply = .tickRejected(problem)
    market?.liquidity.outdate(.unusable)
  }

  /// A market's first book decides its rules, unless an earlier run has listed it.
  private mutating func follow(_ symbol: Symbol, _ view: BookView, currency: String) {
    guard market == nil,
      let found = history.listings[symbol]
        ?? TradingRules(market: symbol, currency: currency, book: view)
    else { return }
    (rules, market) = (found, TradedMarket(rules: found))
  }

  private mutating func take(_ view: BookView, lateAt: MonotonicTime?) {
    guard market != nil else { return }
    do throws(SnapshotProblem) {
      take(try rules.book(view), lateAt: lateAt)
    } catch {
      takeUnusable(error)
    }
  }

  private mutating func take(_ book: MarketBook, lateAt: MonotonicTime?) {
    if let problem = book.problem(under: rules) { return takeUnusable(problem) }
    if let latest = liquidity.suspect ?? liquidity.latest, book != latest,
      book.number <= latest.number
    {
      reply = .tickRejected(.outOfOrder(latest: latest.number, found: book.number))
      return
    }
    if let jump = jump(of: book) {
      reply = .tickRejected(jump)
      market?.liquidity.distrust(book)
      return
    }
    let (isFirst, isNew) = (liquidity.latest == nil, book != liquidity.latest)
    if liquidity.hasMissedChanges { doubtVisible(before: liquidity.latest, now: book) }
    if !isNew {
      market?.liquidity.confirm(lateAt: lateAt)
    } else {
      let (history, rules) = (history, rules)
      market?.liquidity.replace(with: book, lateAt: lateAt, keepsLevels: rules.hasBook) {
        history.used(of: $1, venueTime: book.venueTime, side: $0, symbol: rules.symbol)
      }
    }
    // The tick may have aged in the queue.
    market?.liquidity.age(to: now)
    fillResting()
    if isNew { trigger(by: book, isFirst: isFirst) }
    queueResting()
  }

  private mutating func take(_ state: FreshnessState, lateAt: MonotonicTime?) {
    if state == .waiting {
      market?.liquidity.clear()
      return
    }
    let wasLive = live != nil
    market?.liquidity.take(state)
    if [.disconnected, .closed].contains(state) { market?.lostAt = time }
    if let lateAt { market?.liquidity.lateAt = lateAt }
    market?.liquidity.age(to: now)
    if !wasLive { fillResting() }
  }
}

// MARK: - Resting orders

extension MatchRun {
  /// Fills resting orders from the current book, each side in price-time priority.
  ///
  /// In a book of levels a resting order would have been met at its limit, which is its price. One
  /// that was placed or amended while there was no live book takes the first one's levels.
  private mutating func fillResting() {
    guard live != nil else { return }
    let resting = history.resting(for: rules.symbol)
    for side in [Side.buy, .sell] {
      for entry in resting.queue(side) {
        // The queue is sorted by limit: once an order can't fill, later ones can't either.
        guard let order = history.order(entry.identifier) else { break }
        guard market?.acts(entry.identifier) == true else { continue }
        let hasMet = market?.places[entry.identifier]?.hasMet ?? (order.start != nil)
        let wanted = self.wanted(order)
        guard wanted > .zero else { continue }
        let isMaker = rules.hasBook && hasMet || order.request.terms.isPostOnly
        let fills = take(wanted, for: order.request, atLimit: isMaker ? entry.limit : nil)
        if fills.isEmpty { break }
        fill(order, fills)
      }
    }
    settle()
    for identifier in resting.due where market?.acts(identifier) == true {
      market?.places[identifier] = nil
      guard let order = history.order(identifier), order.life.isOpen else { continue }
      takeOrCancel(order.request, identifier)
    }
    settle()
  }

  private mutating func fill(_ order: Order, _ fills: [OrderFill]) {
    for fill in fills { record(.filled(order.identifier, fill)) }
    let taken = fills.reduce(0) { $0 + $1.quantity.units }
    let leaves = Quantity(units: order.openQuantity.units - taken)
    if leaves == .zero { market?.places[order.identifier] = nil }
    guard let execution = Execution(fills) else { return }
    notify(order.identifier, order.request, .filledResting(execution, leaves: leaves))
  }

  /// Gives every resting order without a place one, behind all that is visible at its price.
  private mutating func queueResting() {
    guard rules.hasBook, live != nil else { return }
    let resting = history.resting(for: rules.symbol)
    for side in [Side.buy, .sell] {
      var (limit, earlier): (Price?, Int64) = (nil, 0)
      for entry in resting.queue(side) {
        guard let order = history.order(entry.identifier) else { continue }
        if entry.limit != limit { (limit, earlier) = (entry.limit, 0) }
        defer { earlier = saturatingSum(earlier, order.openQuantity.units) }
        let place = market?.places[entry.identifier]
        guard place?.ahead == nil || place?.hasMet == false,
          market?.passedBooks[entry.identifier] == nil
        else { continue }
        queue(order.request, entry.identifier, behind: earlier)
      }
    }
    // Orders of a cancellation of all markets are still there.
    if let places = market?.places, places.count > resting.buys.count + resting.sells.count {
      let history = history
      market?.forget { history.order($0)?.life.isOpen != true }
    }
  }

  /// Puts an order behind everything at its price, our earlier orders included.
  ///
  /// `earlier` is how much is open of those at its price; nil for all but itself.
  mutating func queue(
    _ request: OrderRequest, _ identifier: OrderIdentifier, behind earlier: Int64? = nil
  ) {
    guard rules.hasBook, let limit = request.kind.limit else { return }
    let since = max(time, market?.latestTrade ?? time)
    var place = market?.places[identifier] ?? QueuePlace(ahead: nil, since: since)
    place.hasMet = place.hasMet || live != nil
    if place.ahead == nil, let book = liquidity.live {
      let levels = request.side == .buy ? book.bids : book.asks
      if book.shows(request) {
        let own =
          earlier
          ?? history.resting(for: rules.symbol).queue(request.side)
          .filter { $0.limit == limit && $0.identifier != identifier }
          .reduce(0) {
            saturatingSum($0, history.order($1.identifier)?.openQuantity.units ?? 0)
          }
        let size = levels.first { $0.price == limit }?.quantity.units ?? 0
        // What traded before the price came into view says nothing about this queue.
        place = QueuePlace(
          ahead: Quantity(units: saturatingSum(size, own)), hasMet: true, since: since)
      }
    }
    market?.places[identifier] = place
  }

  /// Fills what a trade proves, and notes what it makes possible.
  ///
  /// A trade beyond an order's limit would have met the order first. A trade at the limit fills it
  /// once more than the queue ahead has traded, and may have filled it before. So may a trade whose
  /// aggressor is on the order's side: its counterpart would have met the order when it arrived.
  private mutating func take(_ trade: PrintedTrade) {
    if market == nil, let listing = history.listings[rules.symbol] {
      market = TradedMarket(rules: listing)
    }
    guard rules.hasBook, market != nil else { return }
    // Own orders share one trade, the best priced first.
    var left = trade.quantity.units
    let resting = history.resting(for: rules.symbol)
    for side in [Side.buy, .sell] {
      for entry in resting.queue(side) {
        let isAt = trade.price == entry.limit
        let isBeyond = side == .buy ? trade.price < entry.limit : trade.price > entry.limit
        guard isAt || isBeyond, let order = history.order(entry.identifier) else { break }
        var (ahead, certain): (Quantity?, Int64) = (nil, 0)
        if trade.aggressor != nil, trade.aggressor != side,
          var place = market?.places[entry.identifier], place.hasMet, trade.time > place.since
        {
          certain = left
          if isAt {
            ahead = place.ahead
            certain = min(left, place.trade(trade.quantity).units)
            market?.places[entry.identifier] = place
          }
        }
        certain = min(certain, wanted(order).units)
        left -= certain
        let proof = TradeProof(
          number: trade.number, price: trade.price, quantity: trade.quantity, ahead: ahead)
        if certain > 0 {
          let own = OrderFill(
            quantity: Quantity(units: certain), price: entry.limit, offered: trade.quantity,
            tickNumber: liquidity.latest?.number ?? 0, venueTime: 0, proof: proof)
          fill(order, [market?.charged(own, isMaker: true) ?? own])
        }
        let filled = order.filledQuantity.units + certain
        let upTo = min(
          order.request.quantity.units,
          max(filled, saturatingSum(order.possibleQuantity.units, trade.quantity.units)))
        if upTo > max(filled, order.possibleQuantity.units) {
          record(
            .possible(
              entry.identifier, PossibleFill(upTo: Quantity(units: upTo), proof: proof)))
        }
      }
    }
    market?.lostAt = nil
    let latest = market?.latestTrade ?? trade.time
    market?.latestTrade = max(trade.time, latest)
    settle()
    if market?.note(trade) == true { trigger(by: trade) }
  }
}

// MARK: - New orders

extension MatchRun {
  /// Cancels at once what the book does not hold within the order's bound; a FOK order is
  /// cancelled entirely unless all of it fills.
  mutating func takeOrCancel(_ request: OrderRequest, _ identifier: OrderIdentifier) {
    let (level, available) = liquidity.offer(to: request)
    let isAllOrNothing = request.kind.timeInForce == .fillOrKill
    let wanted = self.wanted(request)
    let fills = isAllOrNothing && available < wanted ? [] : take(wanted, for: request)
    for fill in fills { record(.filled(identifier, fill)) }
    let execution = Execution(fills)
    let leaves = Quantity(units: request.quantity.units - (execution?.quantity.units ?? 0))
    let isCut = wanted < request.quantity && execution?.quantity ?? .zero == wanted
    let cancellation = Cancellation(
      reason: isCut ? .reduceOnly : isAllOrNothing ? .fillOrKill : .immediateOrCancel,
      level: level, available: available)
    if leaves > .zero { record(.cancelled(identifier, cancellation)) }
    notify(
      identifier, request, .immediate(execution, remainder: leaves > .zero ? cancellation : nil))
  }

  mutating func takeOrRest(_ request: OrderRequest, _ identifier: OrderIdentifier) {
    let fills = request.terms.isPostOnly ? [] : take(wanted(request), for: request)
    for fill in fills { record(.filled(identifier, fill)) }
    let taken = fills.reduce(0) { $0 + $1.quantity.units }
    if taken < request.quantity.units { queue(request, identifier) }
    if let execution = Execution(fills) {
      let leaves = Quantity(units: request.quantity.units - taken)
      notify(identifier, request, .filledAtOnce(execution, leaves: leaves))
      return
    }
    let best = live?.opposite(of: request.side)
    notify(identifier, request, .rests(best: best, market: liquidity.reason))
  }

  /// The jump of a price that matches neither the market nor the suspect tick.
  private func jump(of book: MarketBook) -> SnapshotProblem? {
    guard let jump = liquidity.latest.flatMap({ book.top.jump(from: $0.top) }) else { return nil }
    guard let suspect = liquidity.suspect, suspect != book else { return jump }
    return book.top.jump(from: suspect.top)
  }

  private func rejection(of request: OrderRequest) -> RejectionReason? {
    if let broken = rules.brokenLimit(of: request, market: market?.reference) { return broken }
    if live == nil, let reason = RejectionReason.notLive(liquidity.reason, request, under: rules) {
      return reason
    }
    if let broken = termsCheck.broken(request) { return broken }
    let others = request.exits?.triggers.count ?? 0
    guard history.openCount + others < TradingRules.maximumOpenOrders else {
      return .tooManyOpenOrders(maximum: Int64(TradingRules.maximumOpenOrders))
    }
    return nil
  }

  mutating func recordCancellation(
    of order: Order, because reason: Cancellation.Reason
  ) {
    let side = order.request.side
    var its = market ?? markets[order.request.symbol]
    its?.liquidity.age(to: now)
    let hasBook = history.listings[order.request.symbol]?.hasBook == true
    let mayMissTrades = its?.lostAt.map { order.placedAt <= $0 } == true
    if hasBook && (its?.liquidity.hasMissedChanges != false || mayMissTrades)
      || reason == .expiredWhileStopped
    {
      doubtEnd(of: order)
    }
    let cancellation = Cancellation(
      reason: reason, level: its?.live?.opposite(of: side),
      available: its?.available(for: side) ?? .zero)
    record(.cancelled(order.identifier, cancellation))
  }

  mutating func notify(
    _ order: OrderIdentifier, _ request: OrderRequest, _ news: OrderNotice.News
  ) {
    notices.append(OrderNotice(order, request, news, under: rules, at: time))
  }

  mutating func record(_ change: OrderEvent.Change) {
    let sequence = history.lastSequence &+ UInt64(events.count - applied) &+ 1
    events.append(OrderEvent(sequence: sequence, time: time, change: change))
  }

  var unsettled: ArraySlice<OrderEvent> { events[settled...] }

  mutating func markSettled() { settled = events.count }

  /// Applies what is recorded to the run's copy of the orders.
  ///
  /// O(orders): for the few inputs that change an order twice.
  mutating func catchUp() {
    do throws(OrderEventProblem) {
      for event in events[applied...] { try history.apply(event) }
    } catch {
      preconditionFailure("a run records events that follow its state: \(error)")
    }
    applied = events.count
  }
}
