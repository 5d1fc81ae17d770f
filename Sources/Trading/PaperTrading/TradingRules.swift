public import MarketModel

/// Tick size, lot size and bounds of the traded instrument.
///
/// The bounds keep every sum of price × quantity of an order within 63 bits, so arithmetic on it
/// can't overflow.
public struct TradingRules: Hashable, Sendable {
  /// Fat-finger limit: the maximum limit price as a multiple of the best price.
  public static let maximumPriceFactor: Int64 = 10
  /// The maximum number of open orders; more are rejected.
  public static let maximumOpenOrders = 1000

  /// The instrument.
  public let symbol: Symbol
  /// The scale of price units; finer than the tick, since quotes may lie between ticks.
  public let priceScale: Scale
  /// The tick size, in price units; positive.
  public let tick: Price
  /// The highest valid price, in price units; a multiple of ``tick``.
  public let maximumPrice: Price
  /// The scale of quantity units.
  public let quantityScale: Scale
  /// The lot size, in quantity units; positive.
  public let lot: Quantity
  /// The maximum quantity of one order, in quantity units; a multiple of ``lot``.
  public let maximumQuantity: Quantity
  /// How sentences contain figures.
  public private(set) var figures = Figures.plain

  /// The format of prices, quantities and times in sentences.
  public enum Figures: Hashable, Sendable {
    /// Digits with a point; the time as "then".
    case plain
    /// Marked for formatting in the reader's locale: `{$45.10}`, `{60}` and `{at}`.
    case marked
  }

  /// The same rules with marked figures.
  public var marked: TradingRules {
    var rules = self
    rules.figures = .marked
    return rules
  }

  /// Validates and creates rules.
  ///
  /// nil if a step is not positive, if a maximum is not a positive multiple of its step, or if the
  /// highest price times 10 or times the largest quantity exceeds 63 bits.
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

  /// The rules of the exchange with one listed stock.
  ///
  /// Ticks of 0.01, whole shares, prices up to 1,000,000 and orders of up to 1,000,000 shares;
  /// quotes are read to six decimals.
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

extension TradingRules {
  /// The minimum decimals shown for a price: those of the tick ("0.01" → 2).
  public var priceDecimals: Scale { FixedDecimal(tick, scale: priceScale).trimmed.scale }

  /// A price with the decimals of the tick, or more if it is not a multiple of the tick.
  public func text(_ price: Price) -> String {
    mark(shown(FixedDecimal(price, scale: priceScale)).description, "$")
  }

  /// A quantity without trailing zeros.
  public func text(_ quantity: Quantity) -> String {
    mark(FixedDecimal(quantity, scale: quantityScale).trimmed.description)
  }

  func text(_ count: Int64) -> String { mark(String(count)) }

  /// "then", or a mark for the time.
  var moment: String { figures == .plain ? "then" : "{at}" }

  /// An average at the price scale, rounded half to even.
  public func text(_ average: AveragePrice) -> String {
    let decimals = priceScale
    guard let value = average.rounded(from: priceScale, to: decimals) else { return "?" }
    return mark(shown(value).description, "$")
  }

  /// A price with the decimals shown.
  public func decimal(_ price: Price) -> FixedDecimal {
    shown(FixedDecimal(price, scale: priceScale))
  }

  /// A quantity without trailing zeros.
  public func decimal(_ quantity: Quantity) -> FixedDecimal {
    FixedDecimal(quantity, scale: quantityScale).trimmed
  }

  /// An average with the decimals shown, rounded half to even; nil if it exceeds 63 bits.
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

// Used by both the ticket preview and matching, so they cannot disagree.

extension TradingRules {
  /// The first rule that a request breaks; nil if none.
  ///
  /// `market` is the live market or nil; without it the bound relative to the market is not
  /// checked.
  public func brokenLimit(of request: OrderRequest, market: TopOfBook?) -> RejectionReason? {
    guard request.symbol == symbol else { return .unknownSymbol }
    if let broken = brokenLimit(ofQuantity: request.quantity) { return broken }
    guard let bound = request.kind.bound else { return nil }
    return brokenLimit(ofPrice: bound, market: market)
  }

  /// The first rule that a quantity breaks; nil if none.
  public func brokenLimit(ofQuantity quantity: Quantity) -> RejectionReason? {
    guard quantity > .zero else { return .quantityNotPositive(quantity) }
    guard quantity <= maximumQuantity else {
      return .quantityTooLarge(quantity, maximum: maximumQuantity)
    }
    guard quantity.units % lot.units == 0 else { return .quantityOffLot(quantity, lot: lot) }
    return nil
  }

  /// The first rule that a limit or protection price breaks; nil if none.
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
