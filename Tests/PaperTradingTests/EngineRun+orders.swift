// Random orders and amendments of every type.

import MarketModel
import OrderMatching
import PaperTrading

extension EngineRun {
  private var best: Int64 { market.best(.buy)?.price.units ?? 100 }

  /// With faulty messages a limit order or a stop: other orders at once act on a book that may be
  /// an older or a later one than the engine's.
  mutating func request() -> OrderRequest {
    let side: Side = reducing ?? (random.below(2) == 0 ? .buy : .sell)
    let quantity = reducing != nil || random.below(2) == 0 ? 1 : 1 + random.below(60)
    let isFaulty = link != nil
    let mayWait = isComplete && lastPrice != nil && !(isFaulty && reducing != nil)
    let waits = mayWait && random.below(2) == 0
    let price = Price(units: best + random.below(9) - 4)
    let kind = isFaulty ? waits && random.below(2) == 0 ? .market : .limit(price) : kind(at: price)
    let trigger = waits ? trigger(for: side) : nil
    let exits = isComplete && reducing == nil && !isFaulty ? exits(kind, side, waits: waits) : nil
    let isLimit = kind.mayRest && !waits
    let expires = (kind.mayRest || waits) && random.below(4) == 0
    return OrderRequest(
      clientIdentifier: ClientOrderIdentifier("ours-\(ours.count)") ?? unreachable(),
      symbol: Self.symbol, side: side, kind: kind, quantity: Quantity(units: quantity),
      trigger: trigger, exits: exits,
      terms: OrderTerms(
        isPostOnly: isLimit && random.below(4) == 0, isReduceOnly: reducing != nil,
        expiry: expires
          ? Timestamp(milliseconds: steps + latency + 20 + random.below(60)) : nil))
  }

  /// The amendment of an order; nil to cancel it.
  mutating func amendment(of index: Int) -> AmendRequest? {
    guard let order = order(index), random.below(4) > 0 else { return nil }
    let current = order.request
    let quantity = 1 + random.below(current.quantity.units * 2)
    let price = Price(units: best + random.below(9) - 4)
    let (sizes, moves) = (random.below(2) == 0, random.below(2) == 0)
    var trigger: Trigger?
    if let old = current.trigger, random.below(2) == 0 {
      trigger =
        old.trail == nil
        ? Trigger(old.kind, at: Price(units: old.price.units + random.below(5) - 2))
        : Trigger(.stop, at: Price(units: 0), trail: .distance(Price(units: 1 + random.below(3))))
    }
    return AmendRequest(
      clientIdentifier: ClientOrderIdentifier("amend-\(steps)-\(index)") ?? unreachable(),
      order: order.identifier,
      quantity: sizes && current.link == nil ? Quantity(units: quantity) : nil,
      price: moves && current.kind.limit != nil ? price : nil, trigger: trigger)
  }

  private mutating func kind(at price: Price) -> OrderType {
    switch random.below(8) {
    case 0: .market
    case 1: .protectedMarket(price)
    case 2: .immediateOrCancel(price)
    case 3: .fillOrKill(price)
    default: .limit(price)
    }
  }

  private mutating func trigger(for side: Side) -> Trigger {
    let kind: Trigger.Kind = random.below(3) == 0 ? .takeProfit : .stop
    let isRising = (kind == .stop) == (side == .buy)
    let price = Price(units: best + (isRising ? 1 : -1) * random.below(3))
    guard kind == .stop, random.below(2) == 0 else { return Trigger(kind, at: price) }
    let distance = 1 + random.below(3)
    return Trigger(
      .stop, at: Price(units: 0),
      trail: random.below(2) == 0
        ? .distance(Price(units: distance)) : .basisPoints(distance * 100 - 50))
  }

  private mutating func exits(_ kind: OrderType, _ side: Side, waits: Bool) -> Exits? {
    let (below, above) = (best - 1 - random.below(3), best + 1 + random.below(3))
    let (low, high) = (Price(units: below), Price(units: above))
    switch random.below(4) {
    case 0 where kind.mayRest && !waits: return Exits(.oco, stop: side == .buy ? high : low)
    case 0, 1:
      return Exits(
        .bracket, stop: side == .buy ? low : high, takeProfit: side == .buy ? high : low)
    default: return nil
    }
  }
}
