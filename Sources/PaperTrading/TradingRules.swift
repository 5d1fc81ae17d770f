// What may be ordered: steps and bounds of one instrument. The bounds also keep every sum of
// price × quantity within 63 bits, so no later arithmetic can overflow.

public import MarketModel

/// Tick, lot and bounds of the instrument that is traded.
public struct TradingRules: Hashable, Sendable {
  /// Fat-finger limit: the most a limit price may be, as a multiple of the best price.
  public static let maximumPriceFactor: Int64 = 10
  /// Open orders beyond this are refused.
  public static let maximumOpenOrders = 1000

  /// The instrument.
  public let symbol: Symbol
  /// What one price unit is.
  ///
  /// Finer than the tick, since quotes may lie between ticks.
  public let priceScale: Scale
  /// The step of limit prices, in price units; positive.
  public let tick: Price
  /// The highest price that is believed or accepted, in price units; a multiple of ``tick``.
  public let maximumPrice: Price
  /// What one quantity unit is.
  public let quantityScale: Scale
  /// The step of quantities, in quantity units; positive.
  public let lot: Quantity
  /// The largest quantity of one order, in quantity units; a multiple of ``lot``.
  public let maximumQuantity: Quantity
  /// How figures stand in sentences.
  public private(set) var figures = Figures.plain

  /// How prices, quantities and the moment of which a sentence tells stand in it.
  public enum Figures: Hashable, Sendable {
    /// As digits with a point, the moment as "then".
    case plain
    /// Marked, for a reader that writes them in its own locale: `{$45.10}`, `{60}` and `{at}`.
    case marked
  }

  /// The same rules, whose sentences mark their figures.
  public var marked: TradingRules {
    var rules = self
    rules.figures = .marked
    return rules
  }

  /// Checks and wraps rules.
  ///
  /// Nil when a step is not positive, when a maximum is not a positive multiple of its step, or
  /// when 10 times the highest price, times the largest quantity, does not fit 63 bits.
  public init?(
    symbol: Symbol, priceScale: Scale, tick: Price, maximumPrice: Price, quantityScale: Scale,
    lot: Quantity, maximumQuantity: Quantity
  ) {
    guard tick.units > 0, maximumPrice.units > 0, maximumPrice.units % tick.units == 0,
      lot.units > 0, maximumQuantity.units > 0, maximumQuantity.units % lot.units == 0,
      !maximumPrice.units.multipliedReportingOverflow(by: maximumQuantity.units).overflow,
      !maximumPrice.units.multipliedReportingOverflow(by: TradingRules.maximumPriceFactor).overflow
    else { return nil }
    self.symbol = symbol
    self.priceScale = priceScale
    self.tick = tick
    self.maximumPrice = maximumPrice
    self.quantityScale = quantityScale
    self.lot = lot
    self.maximumQuantity = maximumQuantity
  }

  /// The rules of the exchange with one listed stock: ticks of 0.01, whole shares, prices up to
  /// 1,000,000 and orders of up to 1,000,000 shares; quotes are read to six decimals.
  public init(oneStock symbol: Symbol) {
    self.symbol = symbol
    priceScale = Scale(clamping: 6)
    tick = Price(units: 10_000)
    maximumPrice = Price(units: 1_000_000_000_000)
    quantityScale = .whole
    lot = Quantity(units: 1)
    maximumQuantity = Quantity(units: 1_000_000)
  }
}
