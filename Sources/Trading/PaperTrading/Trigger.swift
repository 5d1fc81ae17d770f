public import MarketModel

/// What an order waits for: a trade at a price or beyond it.
public struct Trigger: Hashable, Sendable {
  /// On which side of the market the trigger is.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Triggers as the market moves against the order: a buy as it rises, a sell as it falls.
    case stop
    /// Triggers as the market moves in favour of the order.
    case takeProfit
  }

  /// The kind.
  public let kind: Kind
  /// The price; of a trailing stop the current one, and 0 as requested.
  public let price: Price
  /// How a stop follows the market; nil if it stays.
  public let trail: Trail?

  /// Creates an unchecked trigger.
  public init(_ kind: Kind, at price: Price, trail: Trail? = nil) {
    (self.kind, self.price, self.trail) = (kind, price, trail)
  }

  /// Whether trades at the price or higher trigger an order on `side`, instead of lower ones.
  public func isRising(for side: Side) -> Bool { (kind == .stop) == (side == .buy) }

  func isMet(by price: Price, for side: Side) -> Bool {
    isRising(for: side) ? price >= self.price : price <= self.price
  }
}

/// How a waiting order began to work.
public struct Activation: Hashable, Sendable {
  /// The trade that triggered it; for the exchange's stock, the level of its tick.
  public let proof: TradeProof
  /// Whether trades were missed before, any of which may have triggered it.
  public let isLate: Bool
  /// The market then; nil if it was not live.
  public let market: TopOfBook?
  /// What the order is for from now on; nil if that did not change.
  public let quantity: Quantity?

  /// Creates an activation record.
  public init(
    proof: TradeProof, isLate: Bool, market: TopOfBook?, quantity: Quantity? = nil
  ) {
    (self.proof, self.isLate, self.market) = (proof, isLate, market)
    self.quantity = quantity
  }
}

/// A span of time of which trades may be missing.
public struct MissedSpan: Hashable, Sendable {
  /// The latest trade before it, or the order's last change.
  public let from: Timestamp
  /// When trades arrived again.
  public let to: Timestamp

  /// Creates a span.
  public init(from: Timestamp, to: Timestamp) { (self.from, self.to) = (from, to) }
}

extension Order {
  /// Whether it waits for its trigger, so that nothing of it is in the market.
  public var isWaiting: Bool { life.isOpen && request.trigger != nil && activation == nil }

  /// The market when it began to work; nil if it was not live.
  public var start: TopOfBook? {
    guard request.trigger == nil else { return activation?.market }
    return latencyMilliseconds > 0 ? arrivedMarket : arrival
  }

  /// How far beyond its trigger the trade was that triggered it.
  public var gap: Price? {
    guard let trigger = request.trigger, let met = activation?.proof.price else { return nil }
    return Price(units: abs(met.units - trigger.price.units))
  }
}

// MARK: - Matching

extension MatchRun {
  /// Triggers what waits for a trade, those met first at first.
  mutating func trigger(by trade: PrintedTrade) {
    let resting = history.resting(for: rules.symbol)
    let met =
      resting.rising.prefix { $0.limit <= trade.price }
      + resting.falling.prefix { $0.limit >= trade.price }
    let proof = TradeProof(
      number: trade.number, price: trade.price, quantity: trade.quantity, ahead: nil)
    for entry in met { activate(entry.identifier, by: proof) }
    trail(by: trade.price, number: trade.number)
  }

  /// The exchange sends no trades: its ticks trigger orders for its stock, each at the level that
  /// the order would take.
  ///
  /// Ticks before the first one of a run may be missing.
  mutating func trigger(by book: MarketBook, isFirst: Bool) {
    guard !rules.hasBook else { return }
    if isFirst { doubtTriggers() }
    market?.latestTrade = time
    defer {
      for side in [Side.buy, .sell] {
        guard let level = book.top.opposite(of: side), level.quantity > .zero else { continue }
        trail(by: level.price, number: Int64(clamping: book.number), on: side)
      }
    }
    for identifier in history.resting(for: rules.symbol).waiting {
      guard let request = history.order(identifier)?.request,
        let level = book.top.opposite(of: request.side), level.quantity > .zero,
        request.trigger?.isMet(by: level.price, for: request.side) == true
      else { continue }
      let proof = TradeProof(
        number: Int64(clamping: book.number), price: level.price, quantity: level.quantity,
        ahead: nil)
      activate(identifier, by: proof)
    }
  }

  /// In a book of levels the order acts on the next one: the latest may not show yet what the trade
  /// took.
  private mutating func activate(_ identifier: OrderIdentifier, by proof: TradeProof) {
    catchUp()
    guard let before = history.order(identifier), before.isWaiting,
      let trigger = before.request.trigger
    else { return }
    let quantity = history.triggeredQuantity(of: before)
    guard quantity > .zero else { return }
    let activation = Activation(
      proof: proof, isLate: before.missed != nil, market: live,
      quantity: quantity == before.request.quantity ? nil : quantity)
    record(.triggered(identifier, activation))
    catchUp()
    guard let order = history.order(identifier) else { return }
    notify(identifier, order.request, .triggered(trigger, activation))
    settle()
    if rules.hasBook {
      let since = max(time, market?.latestTrade ?? time)
      market?.wait(identifier, since: since)
    } else if order.request.kind.mayRest {
      takeOrRest(order.request, identifier)
    } else if live != nil {
      takeOrCancel(order.request, identifier)
    }
  }
}

// MARK: - Tickets

/// A trigger as typed.
public struct TriggerTicket: Hashable, Sendable {
  /// The kind.
  public let kind: Trigger.Kind
  /// The price as typed; of a trailing stop its distance.
  public let price: String
  /// The unit of that distance; nil for a stop that stays.
  public let trail: TrailUnit?

  /// Creates a trigger from a typed price.
  public init(_ kind: Trigger.Kind, at price: String) {
    (self.kind, self.price, trail) = (kind, price, nil)
  }

  /// Creates one of the same kind as another; a stop for none.
  init(_ text: String, like trigger: Trigger?) {
    switch trigger?.trail {
    case .distance: self.init(trailing: text, in: .price)
    case .basisPoints: self.init(trailing: text, in: .percent)
    case nil: self.init(trigger?.kind ?? .stop, at: text)
    }
  }

  /// Creates a trailing stop from a typed distance.
  public init(trailing distance: String, in unit: TrailUnit) {
    (kind, price, trail) = (.stop, distance, unit)
  }
}

extension TicketParser {
  /// `last` is the price of the last trade; without one, and for the exchange's stock, the market's
  /// levels count.
  func trigger(
    _ ticket: TriggerTicket, side: Side, market: TopOfBook?, last: Price?
  ) throws(TicketProblem) -> Trigger {
    if let unit = ticket.trail {
      return Trigger(.stop, at: Price(units: 0), trail: try trail(ticket.price, in: unit))
    }
    let trigger = Trigger(ticket.kind, at: try price(ticket.price, of: .trigger, market: market))
    let isBid = rules.hasBook ? trigger.isRising(for: side) : side == .sell
    if let last = last ?? (isBid ? market?.bid : market?.ask)?.price,
      trigger.isMet(by: last, for: side)
    {
      throw .metTrigger(trigger, side, last: last)
    }
    return trigger
  }
}

extension TradingRules {
  /// "a trade at 99.10 or lower", or what it is for the exchange's stock.
  func text(_ trigger: Trigger, for side: Side) -> Sentence {
    let (price, way) = (text(trigger.price), trigger.way(for: side))
    let now: Sentence =
      hasBook
      ? "a trade at \(price) or \(way)"
      : side == .buy ? "an ask at \(price) or \(way)" : "a bid at \(price) or \(way)"
    return trigger.trail.map { "\(now), trailing by \(text($0))" } ?? now
  }
}

extension Trigger {
  /// "stop" or "take-profit".
  var word: Sentence { kind == .stop ? "stop" : "take-profit" }

  fileprivate func way(for side: Side) -> Sentence { isRising(for: side) ? "higher" : "lower" }

  /// "above" or "below": where it must be, from an order's price or the market.
  func place(for side: Side) -> Sentence { isRising(for: side) ? "above" : "below" }
}

extension Activation {
  /// "at 99.10, 0.90 beyond its trigger, late".
  func text(_ trigger: Trigger, _ rules: TradingRules) -> Sentence {
    let (price, gap) = (rules.text(proof.price), abs(proof.price.units - trigger.price.units))
    let what: Sentence =
      gap == 0
      ? "at \(price)" : "at \(price), \(rules.text(Price(units: gap))) beyond its trigger"
    return isLate ? "\(what); late, because trades were missed" : what
  }
}
