public import MarketModel

/// What restricts an order beyond its price.
public struct OrderTerms: Hashable, Sendable {
  /// Whether it only rests: it is refused if it would take, and never takes.
  public let isPostOnly: Bool
  /// Whether it only closes the position that is certain: no fill opens or enlarges one.
  public let isReduceOnly: Bool
  /// When it is cancelled (GTD); nil for never.
  public let expiry: Timestamp?

  /// Creates unchecked terms.
  public init(isPostOnly: Bool = false, isReduceOnly: Bool = false, expiry: Timestamp? = nil) {
    (self.isPostOnly, self.isReduceOnly, self.expiry) = (isPostOnly, isReduceOnly, expiry)
  }

  /// The terms of an order that is placed together with one of these.
  func inherited(by kind: Exits.Kind) -> OrderTerms {
    kind == .oco
      ? OrderTerms(isReduceOnly: isReduceOnly, expiry: expiry) : OrderTerms()
  }
}

/// The state that an order's terms are compared with.
struct TermsCheck {
  let history: OrderHistory
  let live: TopOfBook?
  let reason: NotLiveReason
  let market: TradedMarket?
  /// nil skips times of expiry.
  let time: Timestamp?

  static let longestMilliseconds: Int64 = 366 * 86_400_000

  /// The first of an order's terms that is broken; nil if none.
  func broken(_ request: OrderRequest) -> RejectionReason? {
    let terms = request.terms
    if request.exitRequests(of: OrderIdentifier(number: 1)) == nil { return .nameTooLong }
    if let broken = brokenTrail(request) { return broken }
    let rests = request.kind.mayRest && request.trigger == nil
    guard !terms.isPostOnly || rests, terms.expiry == nil || rests || request.trigger != nil,
      !terms.isReduceOnly || request.exits?.kind != .bracket
    else { return .badTerms }
    if let expiry = terms.expiry, let time {
      let ahead = expiry.milliseconds - time.milliseconds
      guard ahead > 0, ahead <= Self.longestMilliseconds else { return .badExpiry }
    }
    if terms.isPostOnly, let taking = taking(request) { return taking }
    guard terms.isReduceOnly else { return nil }
    let position = history.reducible(by: request)
    guard position > .zero else { return .nothingToReduce }
    return request.quantity > position ? .reducesMore(request.quantity, position: position) : nil
  }

  /// Why a reduce-only order can't become larger; nil if it can, or does not.
  func enlarging(_ order: Order, to quantity: Quantity) -> RejectionReason? {
    guard order.request.terms.isReduceOnly, quantity > order.request.quantity else { return nil }
    let open = Quantity(units: quantity.units - order.filledQuantity.units)
    let position = history.reducible(by: order.request)
    return open > position ? .reducesMore(open, position: position) : nil
  }

  func brokenTrail(_ request: OrderRequest) -> RejectionReason? {
    guard let trail = request.trigger?.trail else { return nil }
    switch trail {
    case .distance(let price) where price.units <= 0: return .badTrail
    case .basisPoints(let points) where !(1...5000).contains(points): return .badTrail
    default: break
    }
    let level = market?.reference?.opposite(of: request.side)
    guard let market, market.lastTrade != nil || level != nil else { return .noPriceToTrail }
    return market.firstMove(of: trail, for: request.side) == nil ? .badTrail : nil
  }

  /// Why a post-only order can't be placed or moved to its limit; nil if it would only rest.
  func taking(_ request: OrderRequest) -> RejectionReason? {
    guard let live else { return .postOnlyNotLive(reason) }
    guard let limit = request.kind.limit, let best = live.opposite(of: request.side)?.price,
      request.accepts(best)
    else { return nil }
    return .wouldTake(limit, best: best)
  }
}

extension OrderHistory {
  /// How much an order could close of the certain position; zero if it would open or enlarge one.
  func reducible(by request: OrderRequest) -> Quantity {
    let position = account(of: request.symbol).quantity.units
    return Quantity(units: max(0, request.side == .sell ? position : -position))
  }

  /// The instruments with an open order that ends or arrives, or whose change does, by a time.
  package func symbols(dueAt time: Timestamp) -> Set<Symbol> {
    let due =
      dated.prefix { $0.time <= time } + (travelling + changing).filter { $0.isDue(at: time) }
    return due.isEmpty ? [] : Set(due.compactMap { order($0.order)?.request.symbol })
  }

  /// When the next open order ends by its terms or arrives, or a change of it does; nil for never.
  package var nextDue: Timestamp? {
    [dated.first?.time, travelling.first?.time, changing.first?.time].compactMap { $0 }.min()
  }
}

extension PaperTrader {
  /// The first of an order's terms that is broken in a market; nil if none.
  public func brokenTerms(
    of request: OrderRequest, live: TopOfBook?, at time: Timestamp?
  ) -> RejectionReason? {
    let market = market(of: request.symbol)
    return TermsCheck(
      history: history, live: live, reason: market?.notLiveReason ?? .waiting, market: market,
      time: time
    ).broken(request)
  }
}

// MARK: - Matching

extension MatchRun {
  var termsCheck: TermsCheck {
    TermsCheck(
      history: history, live: live, reason: market?.notLiveReason ?? .waiting, market: market,
      time: time)
  }

  /// Brings the instrument's orders up to the time.
  mutating func pass(afterStop: Bool) {
    arrive()
    arriveChanges()
    expire(afterStop: afterStop)
  }

  /// Cancels the instrument's orders whose time has come.
  ///
  /// After a stop of the program trades were missed that may have filled or triggered them.
  private mutating func expire(afterStop: Bool) {
    for due in history.dated.prefix(while: { $0.time <= time }) {
      let identifier = due.order
      guard let order = history.order(identifier), order.request.symbol == rules.symbol else {
        continue
      }
      recordCancellation(of: order, because: afterStop ? .expiredWhileStopped : .expired)
      market?.places[identifier] = nil
      notify(
        identifier, order.request,
        .expired(filled: order.filledQuantity, cancelled: order.openQuantity))
    }
    settle()
    catchUp()
  }

  /// What an order may take now: what is open of it, and no more than it can close.
  mutating func wanted(_ order: Order) -> Quantity {
    min(order.openQuantity, wanted(order.request))
  }

  mutating func wanted(_ request: OrderRequest) -> Quantity {
    guard request.terms.isReduceOnly else { return request.quantity }
    catchUp()
    return min(request.quantity, history.reducible(by: request))
  }

  /// Cancels reduce-only orders that have nothing left to close.
  mutating func cancelNeedless() {
    guard !history.reducing.isEmpty else { return }
    catchUp()
    for identifier in history.reducing.sorted() {
      guard let order = history.order(identifier), order.request.symbol == rules.symbol,
        history.reducible(by: order.request) == .zero
      else { continue }
      cancel(order, because: .reduceOnly)
    }
    catchUp()
  }
}
