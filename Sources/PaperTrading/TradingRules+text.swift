// Prices and quantities as text for messages: exact, with at least the decimals of the tick.

public import MarketModel

extension TradingRules {
  /// Decimals that every price shows: those of the tick ("0.01" → 2).
  public var priceDecimals: Scale { FixedDecimal(tick, scale: priceScale).trimmed.scale }

  /// A price with the decimals of the tick, or more where it is not a whole number of ticks.
  public func text(_ price: Price) -> String { text(FixedDecimal(price, scale: priceScale)) }

  /// A quantity with as few decimals as it needs.
  public func text(_ quantity: Quantity) -> String {
    FixedDecimal(quantity, scale: quantityScale).trimmed.description
  }

  /// An average: exact where six decimals or the scale suffice, otherwise rounded half to even.
  public func text(_ average: AveragePrice) -> String {
    let decimals = priceScale
    guard let value = average.rounded(from: priceScale, to: decimals) else { return "?" }
    return text(value)
  }

  /// A price with the decimals that it shows.
  public func decimal(_ price: Price) -> FixedDecimal {
    shown(FixedDecimal(price, scale: priceScale))
  }

  /// A quantity with as few decimals as it needs.
  public func decimal(_ quantity: Quantity) -> FixedDecimal {
    FixedDecimal(quantity, scale: quantityScale).trimmed
  }

  /// An average with the decimals that it shows, rounded half to even where it has more than six;
  /// nil when it does not fit 63 bits.
  public func decimal(_ average: AveragePrice) -> FixedDecimal? {
    average.rounded(from: priceScale, to: priceScale).map { shown($0) }
  }

  private func text(_ value: FixedDecimal) -> String { shown(value).description }

  private func shown(_ value: FixedDecimal) -> FixedDecimal {
    let trimmed = value.trimmed
    guard trimmed.scale < priceDecimals else { return trimmed }
    return value.exactly(at: priceDecimals) ?? trimmed
  }
}
