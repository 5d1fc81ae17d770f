import MarketModel
import OrderMatching
import PaperTrading
import Testing

/// One engine with our orders, one without, and the trader that sees the latter.
///
/// Links between orders follow what is certain, so the engine's do, too.
struct EngineRun {
  static let symbol = Symbol(known: "kraken:BTC/USD")

  enum Change { case enter, cancel, amend(AmendRequest) }

  let seed: UInt64
  /// What changes did.
  var changes: Set<String> = []
  var random: SplitMix64
  var market = FastMatchingEngine()
  var actual = FastMatchingEngine()
  var trader = PaperTrader(rules: TradingRules(oneStock: Desk.stock))
  var ours: [EngineOrder] = []
  /// Changes on their way to the engine, and of which order.
  var underWay: [(due: Int64, index: Int, change: Change)] = []
  /// How long they are; that of a place, too.
  let latency: Int64
  /// The side that closes a position of 1, if there is one: our orders only close it.
  var reducing: Side?
  /// Whether books arrive after each command; otherwise some are missing, and nothing is cancelled.
  let isComplete: Bool
  /// What messages go through; nil if all arrive in order.
  var link: FaultyLink?
  var steps: Int64 = 0
  var trades: Int64 = 0
  var entered: UInt64 = 0
  /// The orders that the engine changed in this step.
  var touched: [Int] = []
  /// Whether one of our orders has filled, so that the engine's other orders are not the market's.
  var hasFilled = false
  /// Whether an order ended or was amended after a loss that no later message had shown.
  var isLost = false
  /// Whether there was such a loss when the step began: time passes before messages arrive.
  var wasBlind = false
  /// Whether an order was triggered and acts with the next book, which the engine had already.
  var awaitsBook = false

  init(
    seed: UInt64, isComplete: Bool = true, latency: Int64 = 0, link: FaultyLink? = nil,
    holds: Bool = false
  ) {
    (self.seed, self.latency, self.isComplete) = (seed, latency, isComplete)
    random = SplitMix64(seed: seed)
    if holds {
      for _ in 0..<5 { step() }
      hold(random.below(2) == 0 ? .buy : .sell)
    }
    self.link = link
  }

  /// A trailing stop begins at the last trade that the trader has.
  var lastPrice: Price? { trader.market(of: Self.symbol)?.lastTrade }
  var now: ClockReading { ClockReading(milliseconds: steps) }
  var filledTypes: Set<String> { Set(ours.filter { $0.filled > 0 }.flatMap(\.types)) }
  func order(_ index: Int) -> Order? { trader.history.order(ours[index].number) }

  var isBlind: Bool { link?.hasUnseenLoss == true }

  /// While an order works of which a part is filled, the two markets can't be compared.
  var isComparable: Bool {
    if link != nil, hasFilled, ours.contains(where: { $0.quantity > 1 }) { return false }
    return !isLost && (!hasFilled || ours.allSatisfy { $0.state == .over || $0.state == .waiting })
  }

  /// Plays steps while they can be judged, and after a partial fill what is under way at once.
  mutating func play(_ count: Int, changingEvery interval: Int64? = nil) {
    check()
    for _ in 0..<count {
      if let interval, !isLost, random.below(interval) == 0 { change() }
      guard isComparable else { break }
      step()
      check()
    }
    guard !isLost, let last = underWay.map(\.due).max() else { return }
    steps = max(steps, last)
    arriveAll()
    feed(.time(afterStop: false))
    settle(wasHolding: link?.isHolding == true)
    check()
  }

  mutating func step() {
    steps += 1
    wasBlind = isBlind
    let wasHolding = link?.isHolding == true
    arriveAll()
    let command = command()
    var (fills, own) = ([Fill](), [Fill]())
    _ = market.submit(command, fills: &fills)
    _ = actual.submit(command, fills: &own)
    for fill in own {
      guard let index = ours.firstIndex(where: { $0.id == fill.maker }) else { continue }
      note(fill.quantity.units, of: index)
    }
    defer {
      settle(wasHolding: wasHolding)
      if link?.step() == true { feed(.book(book, currency: "USD", latencyMilliseconds: latency)) }
    }
    guard case .enter(let taker) = command else { return feedBook() }
    var met: [Int] = []
    for fill in fills {
      trades += 1
      let trade = Trade(
        price: fill.price, size: fill.quantity, side: taker.side, time: now.wall,
        arrival: UInt64(trades), identifier: trades)
      let input = MarketInput.trade(trade, priceScale: .whole, quantityScale: .whole)
      for input in link?.send(input, number: trades) ?? [input] { feed(input) }
      met += meet(fill.price)
    }
    if isComplete || random.below(2) == 0 { feedBook() }
    // An order reaches the engine after the command whose trade triggers it.
    for index in met {
      endLinked()
      guard ours[index].state == .waiting else { continue }
      ours[index].quantity = order(index)?.request.quantity.units ?? 0
      enterEngine(index)
      // A book that was sent before the trade and comes after it can't be told from a later one.
      let isPrompt = order(index)?.activation?.isLate == false
      if link == nil { #expect(isPrompt, "seed \(seed), step \(steps)") }
      ours[index].hasActed = isPrompt && !isBlind && !wasHolding
    }
  }

  /// The orders that a trade triggers; trailing stops follow it otherwise.
  mutating func meet(_ price: Price) -> [Int] {
    ours.indices.filter { index in
      // Until something of its order is certain, no trade triggers an exit.
      let link = ours[index].request.link
      let primary = link.flatMap { trader.history.order($0.primary) }
      if link?.kind == .bracket, primary?.filledQuantity == .zero { return false }
      if ours[index].isMet(by: price) { return true }
      ours[index].follow(price)
      return false
    }
  }

  /// Ends a step.
  mutating func settle(wasHolding: Bool) {
    endLinked()
    for index in ours.indices {
      guard let order = order(index) else { continue }
      if touched.contains(index) {
        if isBlind || wasHolding || order.isTravelling { ours[index].hasActed = false }
      }
      // An exit's trade may come late, when its order has filled.
      if link != nil, order.activation != nil, ours[index].state == .waiting {
        ours[index].hasActed = false
      }
      let seen = (order.filledQuantity.units, order.life.isOpen)
      hasFilled = hasFilled || seen.0 > ours[index].seen.certain
      isLost = isLost || (wasBlind || isBlind) && ours[index].seen.isOpen && !seen.1
      ours[index].seen = seen
    }
    touched = []
  }

  /// Ends the run at the first fill that is out of bounds.
  mutating func check() {
    let groups = reducing == nil ? ours.indices.map { [$0] } : [Array(ours.indices)]
    for group in groups {
      let orders = group.compactMap { order($0) }
      let certain = orders.reduce(0) { $0 + $1.filledQuantity.units }
      let possible = orders.reduce(0) { $0 + $1.possibleQuantity.units }
      let filled = group.reduce(0) { $0 + ours[$1].filled }
      let hasLowerBound = group.allSatisfy { ours[$0].hasActed }
      let hasUpperBound = isComplete && !awaitsBook && !isBlind && !isLost
      let isRight =
        (certain <= filled || !hasLowerBound) && (filled <= possible || !hasUpperBound)
        && (certain <= 1 || reducing == nil)
      let types = group.map { ours[$0].types }
      #expect(
        isRight, "seed \(seed), step \(steps): \(filled) in \(certain)...\(possible) \(types)")
      isLost = isLost || !isRight
    }
  }
}

// MARK: - Commands

extension EngineRun {
  /// Places a random order of any type.
  mutating func place() {
    feedSnapshot()
    let (known, request) = (trader.history.orders.count, request())
    _ = trader.handle(.place(request), at: now)
    for order in trader.history.orders.dropFirst(known) {
      ours.append(EngineOrder(order))
      let index = ours.count - 1
      if order.life.status == .rejected {
        #expect(request.terms.isPostOnly || reducing != nil, "seed \(seed)")
        ours[index].state = .over
      } else if latency == 0 {
        arrive(.enter, index)
        let certain = trader.history.order(order.identifier)?.filledQuantity.units
        #expect(certain == ours[index].filled, "seed \(seed)")
      } else {
        underWay.append((steps + latency, index, .enter))
      }
    }
    settle(wasHolding: false)
  }

  /// Cancels or amends one of our orders.
  mutating func change() {
    let open = ours.indices.filter { order($0)?.life.isOpen == true }
    guard !open.isEmpty else { return }
    let index = open[Int(random.below(Int64(open.count)))]
    let request = amendment(of: index)
    let change = request.map { Change.amend($0) } ?? .cancel
    let input = request.map { TradingInput.amend($0) } ?? .cancel(ours[index].number)
    guard !trader.handle(input, at: now).events.isEmpty else { return }
    if latency > 0 { return underWay.append((steps + latency, index, change)) }
    arrive(change, index)
    settle(wasHolding: link?.isHolding == true)
    check()
  }

  /// An immediate-or-cancel order that meets nothing but ours would leave no trace in the market.
  mutating func command() -> OrderCommand {
    if isComplete, random.below(4) == 0, entered > 0 {
      return .cancel(OrderID(1 + UInt64(random.below(Int64(entered)))))
    }
    entered += 1
    let side: Side = random.below(2) == 0 ? .buy : .sell
    let price = Price(units: 100 + random.below(12) - (side == .buy ? 8 : 3))
    return .enter(
      NewOrder(
        id: OrderID(entered), trader: .anonymous, side: side,
        kind: ours.isEmpty && random.below(5) == 0 ? .immediateOrCancel(price) : .limit(price),
        quantity: Quantity(units: 1 + random.below(20))))
  }

  mutating func feed(_ input: MarketInput) {
    func triggered() -> Int { ours.indices.count { order($0)?.activation != nil } }
    let before = triggered()
    if case .book = input { awaitsBook = false }
    _ = trader.handle(.feed(input, of: Self.symbol), at: now)
    if triggered() > before { awaitsBook = true }
  }

  mutating func feedBook() {
    let input = MarketInput.book(book, currency: "USD", latencyMilliseconds: latency)
    for input in link?.send(input, number: nil) ?? [input] { feed(input) }
  }

  mutating func feedSnapshot() {
    link?.recover()
    feed(.book(book, currency: "USD", latencyMilliseconds: latency))
  }

  var book: BookView {
    func rows(_ side: Side) -> [BookRow] {
      market.levels(side, limit: BookView.depth).map {
        BookRow(price: $0.price, size: $0.quantity, accumulated: $0.quantity)
      }
    }
    return BookView(
      symbol: Self.symbol, status: .synced, freshness: .waiting(.venue), bids: rows(.buy),
      asks: rows(.sell), bidLevels: 0, askLevels: 0, priceScale: .whole,
      quantityScale: .whole, priceDecimals: .whole, sequence: UInt64(steps) * 2 + 1, resyncs: 0)
  }

  /// Begins with a position that an order on `side` closes.
  mutating func hold(_ side: Side) {
    reducing = side
    guard let rules = trader.rules(of: Self.symbol) else { return }
    let identifier = OrderIdentifier(number: 1)
    let request = OrderRequest(
      clientIdentifier: ClientOrderIdentifier("held") ?? unreachable(), symbol: Self.symbol,
      side: side == .buy ? .sell : .buy, kind: .market, quantity: Quantity(units: 1))
    let fill = OrderFill(
      quantity: Quantity(units: 1), price: Price(units: 100), offered: Quantity(units: 1),
      tickNumber: 0, venueTime: 0)
    let changes: [OrderEvent.Change] = [
      .listed(rules),
      .accepted(Placement(identifier: identifier, request: request, arrival: nil)),
      .filled(identifier, fill),
    ]
    let events = changes.enumerated().map {
      OrderEvent(sequence: UInt64($0.offset) + 1, time: now.wall, change: $0.element)
    }
    let history = try? OrderHistory(replaying: events)
    trader = PaperTrader(rules: trader.rules, history: history ?? unreachable())
  }
}
