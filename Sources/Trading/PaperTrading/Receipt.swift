public import MarketModel

/// The total that an order took at one price.
public struct LevelTaken: Hashable, Sendable {
  /// The price.
  public let price: Price
  /// The total quantity taken at it.
  public let quantity: Quantity

  /// Creates a level.
  public init(price: Price, quantity: Quantity) {
    self.price = price
    self.quantity = quantity
  }
}

/// The exact figures of one order: what it got, what it did not get, and why.
public struct Receipt: Hashable, Sendable {
  /// The requested quantity.
  public let ordered: Quantity
  /// The quantity bought or sold.
  public let filled: Quantity
  /// The most that may have been bought or sold; ``filled`` is certain.
  public let possible: Quantity
  /// The leaves quantity, which still rests.
  public let open: Quantity
  /// The quantity cancelled unfilled.
  public let cancelled: Quantity
  /// The prices taken, in order of the first fill at each.
  public let levels: [LevelTaken]
  /// The exact average price; nil without a fill.
  public let average: AveragePrice?
  /// The sum of the fees, in price units × quantity units; nil if none are known.
  public let fees: WideInteger?
  /// The worst price taken; nil without a fill.
  public let worst: Price?
  /// The best opposite price when the order was sent; nil without latency, or if missing or not
  /// live.
  public let submissionPrice: Price?
  /// The best opposite price when the order reached the venue or was triggered; nil if missing or
  /// not live.
  public let arrivalPrice: Price?
  /// Average minus arrival price; positive is worse for the user.
  ///
  /// nil if either is missing.
  public let slippage: AveragePrice?
  /// Why a remainder is unfilled; nil without one.
  public let unfilled: UnfilledReason?
  /// A level that would have filled at least part of the remainder.
  ///
  /// It is the best opposite level now for an open order, or when the order ended; nil if there was
  /// no such level or everything was filled.
  public let wouldHaveFilled: PriceLevel?
}

/// Why an order has an unfilled remainder.
public enum UnfilledReason: Hashable, Sendable {
  /// It rests at a price the market has not reached; `best` is the best opposite level.
  case limitNotReached(best: PriceLevel?)
  /// It rests; the level's price is acceptable, but our orders used it up until the next tick.
  case levelUsedUp(PriceLevel)
  case marketNotLive(NotLiveReason)
  case waiting(Trigger, Side)
  /// It is on its way to the venue, for this many milliseconds.
  case travelling(milliseconds: Int64)
  case cancelled(Cancellation, OrderRequest)
  case rejected(RejectionReason)
}

extension PaperTrader {
  /// The receipt of an order; nil for an unknown order.
  ///
  /// O(fills).
  public func receipt(for identifier: OrderIdentifier) -> Receipt? {
    history.order(identifier).map { receipt(of: $0) }
  }

  func receipt(of order: Order) -> Receipt {
    let fills = order.life.fills?.fills.map(\.fill) ?? []
    let prices = fills.map(\.price)
    let side = order.request.side
    let arrivalPrice = order.start?.opposite(of: side)?.price
    let unfilled = unfilledReason(of: order)
    // What waits for another order is for as much as that one, amended or not.
    let primary = order.isWaiting ? order.request.link.flatMap { history.order($0.primary) } : nil
    return Receipt(
      ordered: (primary ?? order).request.quantity, filled: order.filledQuantity,
      possible: order.possibleQuantity,
      open: primary?.request.quantity ?? order.openQuantity,
      cancelled: order.cancelledQuantity, levels: Receipt.merged(fills),
      average: order.averagePrice, fees: fills.fees,
      worst: side == .buy ? prices.max() : prices.min(),
      submissionPrice: order.latencyMilliseconds > 0
        ? order.arrival?.opposite(of: side)?.price : nil,
      arrivalPrice: arrivalPrice,
      slippage: Receipt.cost(order.averagePrice, from: arrivalPrice, side: side),
      unfilled: unfilled, wouldHaveFilled: unfilled?.level)
  }

  private func unfilledReason(of order: Order) -> UnfilledReason? {
    switch order.life {
    case .filled: return nil
    case .rejected(let reason): return .rejected(reason)
    case .cancelled(_, let cancellation): return .cancelled(cancellation, order.request)
    case .pending, .partiallyFilled:
      if order.isTravelling {
        return .travelling(milliseconds: order.latencyMilliseconds)
      }
      if order.isWaiting, let trigger = order.request.trigger {
        return .waiting(trigger, order.request.side)
      }
      let market = market(of: order.request.symbol)
      guard let live = market?.live else {
        return .marketNotLive(market?.notLiveReason ?? .waiting)
      }
      guard let best = live.opposite(of: order.request.side), best.quantity > .zero else {
        return .limitNotReached(best: nil)
      }
      return order.request.accepts(best.price)
        ? .levelUsedUp(best) : .limitNotReached(best: best)
    }
  }
}

extension Receipt {
  fileprivate static func merged(_ fills: [OrderFill]) -> [LevelTaken] {
    var order: [Price] = []
    var sums: [Price: Int64] = [:]
    for fill in fills {
      if sums[fill.price] == nil { order.append(fill.price) }
      sums[fill.price, default: 0] += fill.quantity.units
    }
    return order.map { LevelTaken(price: $0, quantity: Quantity(units: sums[$0] ?? 0)) }
  }

  fileprivate static func cost(
    _ average: AveragePrice?, from arrival: Price?, side: Side
  ) -> AveragePrice? {
    guard let average, let arrival else { return nil }
    let (at, first) = arrival.units.multipliedReportingOverflow(by: average.quantity.units)
    let (difference, second) = average.notional.subtractingReportingOverflow(at)
    guard !first, !second, difference != .min else { return nil }
    return AveragePrice(
      notional: side == .buy ? difference : -difference, quantity: average.quantity)
  }
}

extension Cancellation {
  /// Whether the level would have filled part of the remainder of a larger or unbounded request: an
  /// order that can't rest has taken all that its bound allowed.
  fileprivate func wouldHaveFilled(_ request: OrderRequest) -> Bool {
    switch reason {
    case .requested, .linked, .expired, .expiredWhileStopped, .reduceOnly, .postOnly: true
    case .immediateOrCancel: level.map { !request.accepts($0.price) } ?? false
    case .fillOrKill: true
    }
  }
}

extension UnfilledReason {
  /// The level that would have filled part of the remainder at an acceptable price or with more
  /// size.
  var level: PriceLevel? {
    switch self {
    case .limitNotReached(let best): best
    case .levelUsedUp(let level): level
    case .cancelled(let cancellation, let request):
      cancellation.available > .zero && cancellation.wouldHaveFilled(request)
        ? cancellation.level : nil
    case .marketNotLive, .waiting, .travelling, .rejected: nil
    }
  }

  /// The reason as a sentence.
  public func text(under rules: TradingRules) -> Sentence {
    switch self {
    case .limitNotReached(let best):
      best.map {
        "Limit not reached; \(rules.text($0.price)) would fill up to \(rules.text($0.quantity))."
      } ?? "Limit not reached; nothing is offered now."
    case .levelUsedUp(let level):
      "Resting until the next tick; what is offered at \(rules.text(level.price)) is used up."
    case .travelling(let milliseconds):
      "On its way to the venue for \(rules.text(milliseconds)) ms."
    case .waiting(let trigger, let side): "Waits for \(rules.text(trigger, for: side))."
    case .marketNotLive(let reason): "No live prices: \(reason.words)."
    case .cancelled(let cancellation, let request):
      "Cancelled: \(cancellation.text(of: request, under: rules))."
    case .rejected(let reason): reason.userMessage(under: rules)
    }
  }
}

extension OrderFill {
  /// "trade 77 of 5 at 98.00, with 4 ahead", or "a level of 5".
  public func evidence(under rules: TradingRules) -> Sentence {
    guard let proof else { return "a level of \(rules.text(offered))" }
    let (quantity, price) = (rules.text(proof.quantity), rules.text(proof.price))
    let trade: Sentence =
      proof.number == 0
      ? "a trade of \(quantity) at \(price)"
      : "trade \(String(proof.number)) of \(quantity) at \(price)"
    guard let ahead = proof.ahead, ahead > .zero else { return trade }
    return "\(trade), with \(rules.text(ahead)) ahead"
  }
}
