import MarketModel

/// 64-bit FNV-1a over ASCII text that is never built, which other implementations hash as well.
public struct MatchingHash: Hashable, Sendable {
  private var hash = FNV1a()

  /// The hash so far.
  public var value: UInt64 { hash.value }

  /// Starts with the hash of the empty text.
  public init() {}

  /// Adds "taker:maker:price:quantity;".
  public mutating func combine(_ fill: Fill) {
    add(fill.taker.number, endedBy: ":")
    add(fill.maker.number, endedBy: ":")
    add(fill.price.units, endedBy: ":")
    add(fill.quantity.units, endedBy: ";")
  }

  /// Adds "B:price:quantity:orders;", or "S:…" for an ask.
  mutating func combine(_ level: BookLevel, side: Side) {
    add(side == .buy ? "B" : "S")
    add(":")
    add(level.price.units, endedBy: ":")
    add(level.quantity.units, endedBy: ":")
    add(UInt64(level.orders), endedBy: ";")
  }

  /// Adds "id:quantity;".
  mutating func combine(_ order: RestingOrder) {
    add(order.id.number, endedBy: ":")
    add(order.quantity.units, endedBy: ";")
  }

  mutating func add(_ character: Unicode.Scalar) { hash.combine(byte: UInt8(ascii: character)) }

  mutating func add(_ number: Int64, endedBy end: Unicode.Scalar) {
    if number < 0 { add("-") }
    add(number.magnitude, endedBy: end)
  }

  mutating func add(_ number: UInt64, endedBy end: Unicode.Scalar) {
    var divisor: UInt64 = 1
    while number / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      hash.combine(byte: UInt8(ascii: "0") + UInt8(number / divisor % 10))
      divisor /= 10
    }
    add(end)
  }
}

extension MatchingEngine {
  /// The hash of "B:price:quantity:orders;" from the best bid on, then "S:…" from the best ask on.
  public var bookHash: UInt64 {
    var hash = MatchingHash()
    for side in [Side.buy, .sell] {
      for level in levels(side, limit: .max) { hash.combine(level, side: side) }
    }
    return hash.value
  }

  /// The hash of "id:quantity;" of every order in priority order, bids and then asks.
  public var queueHash: UInt64 {
    var hash = MatchingHash()
    for side in [Side.buy, .sell] {
      for order in orders(side) { hash.combine(order) }
    }
    return hash.value
  }

  /// The hash of side, price, trader, ID and quantity of every resting order, in priority order.
  public var stateHash: UInt64 {
    var hash = MatchingHash()
    for side in [Side.buy, .sell] {
      for order in orders(side) {
        hash.add(side == .buy ? "B" : "S")
        hash.add(order.price.units, endedBy: ":")
        hash.add(UInt64(order.trader.number), endedBy: ":")
        hash.combine(order)
      }
    }
    return hash.value
  }
}
