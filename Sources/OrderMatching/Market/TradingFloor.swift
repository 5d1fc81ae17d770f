// Where the agents meet the engine: numbers their orders, keeps the tape, answers what they may
// see.

import MarketModel

/// An engine with a tape.
///
/// All agents of one market act on one floor.
struct TradingFloor<Engine: MatchingEngine>: Sendable {
  /// Trades kept between two looks at the tape.
  static var tapeLimit: Int { 1000 }

  private(set) var engine: Engine
  private(set) var last: Price
  private(set) var tradedLots: Int64 = 0
  private(set) var tape: [MarketTrade] = []
  var elapsedMilliseconds: Int64 = 0
  private var entered: UInt64 = 0
  private var fills: [Fill] = []

  init(start: Price) {
    last = start
    engine = Engine(
      limits: MatchingLimits(maximumPrice: Price(units: start.units * 4 + 1000)))
  }

  /// The best price of a side, in ticks.
  func best(_ side: Side) -> Int64? { engine.best(side)?.price.units }

  /// Enters an order; its number is nil when nothing of it rests.
  ///
  /// A price below 1 becomes 1.
  @discardableResult
  mutating func enter(
    _ trader: TraderID, _ side: Side, _ kind: OrderKind, _ lots: Int64
  ) -> OrderID? {
    entered += 1
    let order = NewOrder(
      id: OrderID(entered), trader: trader, side: side, kind: kind,
      quantity: Quantity(units: lots))
    fills.removeAll(keepingCapacity: true)
    let report = engine.enter(order, fills: &fills)
    record(side)
    return report.standing == .resting ? order.id : nil
  }

  /// Takes an order out; true when it still rested.
  @discardableResult
  mutating func cancel(_ id: OrderID) -> Bool {
    if case .cancelled = engine.cancel(id).standing { return true }
    return false
  }

  /// Begins a new stretch of tape.
  mutating func clearTape() { tape.removeAll(keepingCapacity: true) }

  private mutating func record(_ side: Side) {
    for fill in fills {
      last = fill.price
      tradedLots += fill.quantity.units
      tape.append(
        MarketTrade(
          elapsedMilliseconds: elapsedMilliseconds, price: fill.price, quantity: fill.quantity,
          side: side))
    }
    let excess = tape.count - Self.tapeLimit
    if excess >= Self.tapeLimit { tape.removeFirst(excess) }
  }
}
