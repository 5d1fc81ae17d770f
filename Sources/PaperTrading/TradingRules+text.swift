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

  private func text(_ value: FixedDecimal) -> String {
    let trimmed = value.trimmed
    guard trimmed.scale < priceDecimals else { return trimmed.description }
    return (value.exactly(at: priceDecimals) ?? trimmed).description
  }
}
