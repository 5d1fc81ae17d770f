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

// MARK: - Text

// Prices and quantities for messages: exact, with at least the decimals of the tick, and marked so
// that a reader can write them in its locale.

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

// MARK: - Validation

// Both the ticket's preview and the exchange use these checks, so they cannot disagree.

extension TradingRules {
  /// The first limit that a request breaks; nil when it breaks none.
  ///
  /// `market` is the live market, or nil without one; the bound relative to the market is
  /// not checked then.
  public func brokenLimit(of request: OrderRequest, market: TopOfBook?) -> RejectionReason? {
    guard request.symbol == symbol else { return .unknownSymbol }
    if let broken = brokenLimit(ofQuantity: request.quantity) { return broken }
    guard let bound = request.kind.bound else { return nil }
    return brokenLimit(ofPrice: bound, market: market)
  }

  /// The first limit that a quantity breaks; nil when it breaks none.
  public func brokenLimit(ofQuantity quantity: Quantity) -> RejectionReason? {
    guard quantity > .zero else { return .quantityNotPositive(quantity) }
    guard quantity <= maximumQuantity else {
      return .quantityTooLarge(quantity, maximum: maximumQuantity)
    }
    guard quantity.units % lot.units == 0 else { return .quantityOffLot(quantity, lot: lot) }
    return nil
  }

  /// The first limit that a limit or protection price breaks; nil when it breaks none.
  public func brokenLimit(ofPrice price: Price, market: TopOfBook?) -> RejectionReason? {
    guard price.units > 0 else { return .priceNotPositive(price) }
    guard price <= maximumPrice else { return .priceTooHigh(price, maximum: maximumPrice) }
    guard price.units % tick.units == 0 else { return .priceOffTick(price, tick: tick) }
    // The fat-finger limit is an upper bound: a low buy rests, a low sell takes the better bid.
    guard let best = market?.ask ?? market?.bid else { return nil }
    let highest = min(
      maximumPrice, Price(units: best.price.units * TradingRules.maximumPriceFactor))
    return price <= highest ? nil : .priceFarFromMarket(price, maximum: highest)
  }
}
