// Prices and quantities as text for messages: exact, with at least the decimals of the tick, and
// marked where the reader writes them in its own locale.

public import MarketModel

extension TradingRules {
  /// Decimals that every price shows: those of the tick ("0.01" → 2).
  public var priceDecimals: Scale { FixedDecimal(tick, scale: priceScale).trimmed.scale }

  /// A price with the decimals of the tick, or more where it is not a whole number of ticks.
  public func text(_ price: Price) -> String {
    mark(shown(FixedDecimal(price, scale: priceScale)).description, "$")
  }

  /// A quantity with as few decimals as it needs.
  public func text(_ quantity: Quantity) -> String {
    mark(FixedDecimal(quantity, scale: quantityScale).trimmed.description)
  }

  /// A count in a sentence.
  func text(_ count: Int64) -> String { mark(String(count)) }

  /// The moment of which a sentence tells: "then", or a mark for it.
  var moment: String { figures == .plain ? "then" : "{at}" }

  /// An average at the price scale, rounded half to even.
  public func text(_ average: AveragePrice) -> String {
    let decimals = priceScale
    guard let value = average.rounded(from: priceScale, to: decimals) else { return "?" }
    return mark(shown(value).description, "$")
  }

  /// A price with the decimals that it shows.
  public func decimal(_ price: Price) -> FixedDecimal {
    shown(FixedDecimal(price, scale: priceScale))
  }

  /// A quantity with as few decimals as it needs.
  public func decimal(_ quantity: Quantity) -> FixedDecimal {
    FixedDecimal(quantity, scale: quantityScale).trimmed
  }

  /// An average at the price scale, with the decimals that it shows, rounded half to even; nil when
  /// it does not fit 63 bits.
  public func decimal(_ average: AveragePrice) -> FixedDecimal? {
    average.rounded(from: priceScale, to: priceScale).map { shown($0) }
  }

  private func mark(_ digits: String, _ sign: String = "") -> String {
    figures == .plain ? digits : "{\(sign)\(digits)}"
  }

  private func shown(_ value: FixedDecimal) -> FixedDecimal {
    let trimmed = value.trimmed
    guard trimmed.scale < priceDecimals else { return trimmed }
    return value.exactly(at: priceDecimals) ?? trimmed
  }
}
