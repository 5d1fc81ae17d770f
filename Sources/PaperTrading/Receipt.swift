// What an order got, and what it did not get and why: the answer to "where did my order go?".

public import MarketModel

/// One price at which an order took something.
public struct LevelTaken: Hashable, Sendable {
  /// The price.
  public let price: Price
  /// All that was taken at it.
  public let quantity: Quantity

  /// Puts a level together.
  public init(price: Price, quantity: Quantity) {
    self.price = price
    self.quantity = quantity
  }
}

/// The figures of one order, exact.
public struct Receipt: Hashable, Sendable {
  /// What was asked for.
  public let ordered: Quantity
  /// What was bought or sold.
  public let filled: Quantity
  /// What waits.
  public let open: Quantity
  /// What was given up.
  public let cancelled: Quantity
  /// The prices taken, in the order they were first taken, each once.
  public let levels: [LevelTaken]
  /// The exact average; nil without a fill.
  public let average: AveragePrice?
  /// The worst price taken; nil without a fill.
  public let worst: Price?
  /// The best opposite price when the order was placed; nil when it was not live or not there.
  public let arrivalPrice: Price?
  /// Average minus arrival price, turned so that positive is worse for the person; nil when either
  /// is missing.
  public let slippage: AveragePrice?
  /// Why something was not filled; nil when all was.
  public let rest: RestReason?
  /// A price that would have filled the rest, or a part of it: the best opposite offer now for an
  /// open order, or when it ended; nil where there is none or where all was filled.
  public let wouldHaveFilled: PriceLevel?
}

/// Why a part of an order is not filled.
public enum RestReason: Hashable, Sendable {
  /// It waits; `best` is the best opposite offer now, nil when there is none.
  case waitsForPrice(best: PriceLevel?)
  /// It waits; the offer's price would do, but it is used up until the next tick.
  case waitsForNextTick(PriceLevel)
  /// It waits for a live market.
  case waitsForMarket(FreshnessState)
  /// It was given up.
  case cancelled(Cancellation)
  /// It was refused.
  case rejected(RejectionReason)
}

extension PaperTrader {
  /// The receipt of an order; nil when there is no such order.
  ///
  /// O(fills).
  public func receipt(for identifier: OrderIdentifier) -> Receipt? {
    history.order(identifier).map { receipt(of: $0) }
  }

  func receipt(of order: Order) -> Receipt {
    let fills = order.life.fills?.fills.map(\.fill) ?? []
    let prices = fills.map(\.price)
    let side = order.request.side
    let arrivalPrice = order.arrival?.opposite(of: side)?.price
    let rest = restReason(of: order)
    return Receipt(
      ordered: order.request.quantity, filled: order.filledQuantity, open: order.openQuantity,
      cancelled: order.cancelledQuantity, levels: Receipt.merged(fills),
      average: order.averagePrice, worst: side == .buy ? prices.max() : prices.min(),
      arrivalPrice: arrivalPrice,
      slippage: Receipt.cost(order.averagePrice, from: arrivalPrice, side: side), rest: rest,
      wouldHaveFilled: rest?.offer)
  }

  private func restReason(of order: Order) -> RestReason? {
    switch order.life {
    case .filled: return nil
    case .rejected(let reason): return .rejected(reason)
    case .cancelled(_, let cancellation): return .cancelled(cancellation)
    case .pending, .partiallyFilled:
      guard let market = liveMarket else { return .waitsForMarket(freshness) }
      guard let offer = market.opposite(of: order.request.side), offer.quantity > .zero else {
        return .waitsForPrice(best: nil)
      }
      return order.request.accepts(offer.price)
        ? .waitsForNextTick(offer) : .waitsForPrice(best: offer)
    }
  }
}

extension Receipt {
  fileprivate static func merged(_ fills: [Fill]) -> [LevelTaken] {
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

extension RestReason {
  /// The offer that would have filled something, if its price had been accepted or it had held
  /// more.
  var offer: PriceLevel? {
    switch self {
    case .waitsForPrice(let best): best
    case .waitsForNextTick(let offer): offer
    case .cancelled(let cancellation):
      cancellation.reason == .requested && cancellation.available > .zero
        ? cancellation.offer : nil
    case .waitsForMarket, .rejected: nil
    }
  }

  /// The reason as a sentence.
  public func text(under rules: TradingRules) -> String {
    switch self {
    case .waitsForPrice(let best):
      best.map {
        "Waits for its price; \(rules.text($0.price)) would fill up to \(rules.text($0.quantity))."
      } ?? "Waits; nothing is offered now."
    case .waitsForNextTick(let offer):
      "Waits for the next tick; what is offered at \(rules.text(offer.price)) is used up."
    case .waitsForMarket(let state): "Waits for live prices: \(state.words)."
    case .cancelled(let cancellation): "Cancelled: \(cancellation.text(under: rules))."
    case .rejected(let reason): reason.userMessage(under: rules)
    }
  }
}
