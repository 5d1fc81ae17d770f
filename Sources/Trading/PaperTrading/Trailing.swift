public import MarketModel

/// How a stop follows the best price traded since it was placed.
public enum Trail: Hashable, Sendable {
  /// At a distance in price.
  case distance(Price)
  /// At a part of the best price, in hundredths of a percent.
  case basisPoints(Int64)

  /// The stop for a best price, on a tick and at least one away; nil if it would be no valid price.
  func trigger(from best: Price, for side: Side, _ rules: TradingRules) -> Price? {
    let tick = rules.tick.units
    let distance = max(tick, distance(from: best).units)
    let (raw, overflow) =
      side == .sell
      ? best.units.subtractingReportingOverflow(distance)
      : best.units.addingReportingOverflow(distance)
    guard !overflow, raw > 0 else { return nil }
    let below = raw - raw % tick
    let price = side == .sell || below == raw ? below : below + tick
    return price > 0 && price <= rules.maximumPrice.units ? Price(units: price) : nil
  }

  /// By how much the stop moves at least: a hundredth of its distance, so that a ledger need not
  /// keep every tick.
  func step(from best: Price, _ rules: TradingRules) -> Int64 {
    max(rules.tick.units, distance(from: best).units / 100)
  }

  private func distance(from best: Price) -> Price {
    switch self {
    case .distance(let price): price
    // Within 63 bits, as no distance is more than half the price.
    case .basisPoints(let points):
      Price(units: best.units / 10_000 * points + (best.units % 10_000 * points + 9999) / 10_000)
    }
  }
}

/// A move of a trailing stop.
public struct TrailMove: Hashable, Sendable {
  /// The best price so far.
  public let best: Price
  /// The venue's number of its trade; that of the tick for the exchange's stock, 0 for a quote.
  public let number: Int64
  /// The stop from now on.
  public let trigger: Price

  /// Creates a move.
  public init(best: Price, number: Int64, trigger: Price) {
    (self.best, self.number, self.trigger) = (best, number, trigger)
  }

  /// Whether it moves a stop from `price`, which is 0 before the first move, towards the market.
  func isNearer(than price: Price, for side: Side) -> Bool {
    guard price.units > 0 else { return true }
    return side == .sell ? trigger > price : trigger < price
  }
}

extension TradedMarket {
  /// The first move of a trailing stop; nil if it is no price, or none has arrived to follow.
  func firstMove(of trail: Trail, for side: Side) -> TrailMove? {
    let level = reference?.opposite(of: side)
    guard let best = lastTrade ?? level?.price,
      let trigger = trail.trigger(from: best, for: side, rules)
    else { return nil }
    return TrailMove(best: best, number: lastTrade == nil ? 0 : lastNumber, trigger: trigger)
  }
}

extension MatchRun {
  /// Moves trailing stops towards the market after a price that is better than their best.
  mutating func trail(by price: Price, number: Int64, on side: Side? = nil) {
    let trailing = history.resting(for: rules.symbol).trailing
    guard !trailing.isEmpty else { return }
    for identifier in trailing {
      guard let order = history.order(identifier), order.isWaiting,
        let trigger = order.request.trigger, let trail = trigger.trail,
        side == nil || side == order.request.side,
        let next = trail.trigger(from: price, for: order.request.side, rules)
      else { continue }
      let move = TrailMove(best: price, number: number, trigger: next)
      guard move.isNearer(than: trigger.price, for: order.request.side),
        abs(next.units - trigger.price.units) >= trail.step(from: price, rules)
      else { continue }
      record(.trailed(identifier, move))
    }
    catchUp()
  }
}

// MARK: - Tickets

/// The unit of a trailing stop's distance as typed.
public enum TrailUnit: String, Hashable, Sendable, CaseIterable {
  case price = "trail"
  case percent = "trailPercent"
}

extension TicketParser {
  func trail(_ text: String, in unit: TrailUnit) throws(TicketProblem) -> Trail {
    switch unit {
    case .price: return .distance(try price(text, of: .trigger, market: nil))
    case .percent:
      guard let percent = try decimal(text, .trigger).exactly(at: Scale(clamping: 2)),
        (1...5000).contains(percent.units)
      else { throw .badTrail }
      return .basisPoints(percent.units)
    }
  }
}

extension TradingRules {
  /// "1.50" or "0.5%".
  func text(_ trail: Trail) -> String {
    switch trail {
    case .distance(let price): text(price)
    case .basisPoints(let points):
      mark(FixedDecimal(units: points, scale: Scale(clamping: 2)).trimmed.description) + "%"
    }
  }
}
