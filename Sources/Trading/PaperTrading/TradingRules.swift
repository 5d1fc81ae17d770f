public import MarketModel

/// Tick size, lot size and bounds of the traded instrument.
///
/// The bounds keep every sum of price × quantity of an order within 63 bits, so arithmetic on it
/// can't overflow.
public struct TradingRules: Hashable, Sendable {
  /// Fat-finger limit: the maximum limit price as a multiple of the best price.
  public static let maximumPriceFactor: Int64 = 10
  /// The maximum number of open orders; more are rejected.
  public static let maximumOpenOrders = 10_000

  /// The instrument: the exchange's stock, "TROAD", or a venue's market, "kraken:BTC/USD".
  public let symbol: Symbol
  /// The quote currency of a venue's market; nil for the exchange's stock.
  public let currency: String?
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
    /// Marked for formatting in the reader's locale: `{$45.10}`, `{60}` and `{at}`; a venue's
    /// market as `{kraken:BTC/USD}`.
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
    lot: Quantity, maximumQuantity: Quantity, currency: String? = nil
  ) {
    guard tick.units > 0, maximumPrice.units > 0, maximumPrice.units % tick.units == 0,
      lot.units > 0, maximumQuantity.units > 0, maximumQuantity.units % lot.units == 0,
      !maximumPrice.units.multipliedReportingOverflow(by: maximumQuantity.units).overflow,
      !maximumPrice.units.multipliedReportingOverflow(by: TradingRules.maximumPriceFactor).overflow
    else { return nil }
    self.symbol = symbol
    self.currency = currency
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
    currency = nil
    priceScale = Scale(clamping: 6)
    tick = Price(units: 10_000)
    maximumPrice = Price(units: 1_000_000_000_000)
    quantityScale = .whole
    lot = Quantity(units: 1)
    maximumQuantity = Quantity(units: 1_000_000)
  }
}

extension TradingRules {
  /// The decimals of an amount of price units × quantity units.
  public var amountDigits: Int { Int(priceScale.digits) + Int(quantityScale.digits) }

  /// An amount of price units × quantity units, in digits without trailing zeros.
  public func text(amount: WideInteger) -> String { amount.text(digits: amountDigits) }
}

// MARK: - Markets of venues

extension TradingRules {
  /// Whether the instrument has a book of many levels and trades, as a venue's market has.
  ///
  /// The exchange sends its best bid and ask only, whose sizes are renewed by each tick.
  public var hasBook: Bool { currency != nil }

  /// The rules of a venue's market, from its first book; nil while the book has no price.
  ///
  /// Prices have the decimals of the tick, or more where the book has them. The highest price is
  /// 100 to 1,000 times the best one. The lot is the venue's size step, or a coarser one with which
  /// an order for at least 1,000,000 of the quote currency fits 63 bits.
  public init?(market symbol: Symbol, currency: String, book: BookView) {
    // A venue may hold prices with more decimals than they have: 64,219.00000000.
    let priceScale = ([book.tick] + (book.bids + book.asks).map(\.price)).reduce(Scale.whole) {
      max($0, FixedDecimal($1, scale: book.priceScale).trimmed.scale)
    }
    func units(_ price: Price) -> Int64? {
      FixedDecimal(price, scale: book.priceScale).exactly(at: priceScale)?.units
    }
    guard let best = (book.top.ask ?? book.top.bid).flatMap(units), best > 0,
      let tick = units(book.tick), tick > 0,
      let exponent = (0...15).first(where: { powerOfTen($0) > best / tick })
    else { return nil }
    let (maximum, overflow) = powerOfTen(exponent + 2).multipliedReportingOverflow(by: tick)
    guard !overflow else { return nil }
    let largest = Int64.max / maximum
    let (worth, isMore) = largest.multipliedReportingOverflow(by: best)
    let digits = (0...Int(book.quantityScale.digits)).reversed().first { digits in
      let power = Int(priceScale.digits) + digits + 6
      return isMore || power <= 18 && worth >= powerOfTen(power)
    }
    self.init(
      symbol: symbol, priceScale: priceScale, tick: Price(units: tick),
      maximumPrice: Price(units: maximum), quantityScale: Scale(clamping: UInt8(digits ?? 0)),
      lot: Quantity(units: 1), maximumQuantity: Quantity(units: largest), currency: currency)
  }

  /// Whether amounts in these units and those of other rules are the same.
  func hasUnits(of other: TradingRules) -> Bool {
    priceScale == other.priceScale && quantityScale == other.quantityScale
      && currency == other.currency
  }

  /// The book in these units, as far as it fits; throws its defect.
  ///
  /// Prices beyond the highest one are left out, and sizes are rounded down to a lot.
  func book(_ view: BookView) throws(SnapshotProblem) -> MarketBook {
    func levels(_ rows: [BookRow]) throws(SnapshotProblem) -> [PriceLevel] {
      var levels: [PriceLevel] = []
      for row in rows {
        let price = FixedDecimal(row.price, scale: view.priceScale)
        guard let units = price.exactly(at: priceScale)?.units else { throw .priceTooFine(price) }
        guard Price(units: units) <= maximumPrice else { continue }
        let size = lots(FixedDecimal(row.size, scale: view.quantityScale))
        levels.append(PriceLevel(price: Price(units: units), quantity: size))
      }
      return levels
    }
    return MarketBook(
      number: view.sequence, venueTime: 0, bids: try levels(view.bids),
      asks: try levels(view.asks))
  }

  /// A size rounded down to a lot; sizes that do not fit 63 bits become the largest one that does.
  public func lots(_ size: FixedDecimal) -> Quantity {
    guard size.units > 0 else { return .zero }
    let missing = Int(quantityScale.digits) - Int(size.scale.digits)
    let (product, overflow) = size.units.multipliedReportingOverflow(
      by: powerOfTen(max(0, missing)))
    let units = missing < 0 ? size.units / powerOfTen(-missing) : overflow ? .max : product
    return Quantity(units: units - units % lot.units)
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

  /// An instrument in a sentence.
  package func text(_ symbol: Symbol) -> String {
    symbol.text.utf8.contains(UInt8(ascii: ":")) ? mark(symbol.text) : symbol.text
  }

  /// "then", or a mark for the time.
  var moment: String { figures == .plain ? "then" : "{at}" }

  /// Of a book's levels, an average has two decimals more than their prices.
  private var averageScale: Scale { hasBook ? Scale(clamping: priceScale.digits + 2) : priceScale }

  /// An average, rounded half to even.
  public func text(_ average: AveragePrice) -> String {
    guard let value = average.rounded(from: priceScale, to: averageScale) else { return "?" }
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
    average.rounded(from: priceScale, to: averageScale).map { shown($0) }
  }

  func mark(_ digits: String, _ sign: String = "") -> String {
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
    let triggers = [request.trigger].compactMap { $0 } + (request.exits?.triggers ?? [])
    for trigger in triggers where trigger.trail == nil {
      if let broken = brokenLimit(ofPrice: trigger.price, market: market) { return broken }
    }
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
