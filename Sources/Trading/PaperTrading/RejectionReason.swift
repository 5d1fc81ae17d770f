public import MarketModel

/// Why an order was rejected, with the values involved.
///
/// Stored in the ledger by code and numbers.
public enum RejectionReason: Error, Hashable, Sendable {
  case unknownSymbol
  case quantityNotPositive(Quantity)
  case quantityOffLot(Quantity, lot: Quantity)
  case quantityTooLarge(Quantity, maximum: Quantity)
  case priceNotPositive(Price)
  case priceOffTick(Price, tick: Price)
  case priceTooHigh(Price, maximum: Price)
  /// Fat-finger limit: more than ten times the best price.
  case priceFarFromMarket(Price, maximum: Price)
  case marketNotLive(NotLiveReason)
  case cannotWait(NotLiveReason)
  /// An order for a venue's market.
  case bookNotLive(NotLiveReason)
  case tooManyOpenOrders(maximum: Int64)
  /// The names of the orders placed with this one would be too long.
  case nameTooLong
  /// A post-only order at a price that would take.
  case wouldTake(Price, best: Price)
  case postOnlyNotLive(NotLiveReason)
  /// A reduce-only order without a position on the other side.
  case nothingToReduce
  case reducesMore(Quantity, position: Quantity)
  /// A time of expiry that has passed, or is more than a year ahead.
  case badExpiry
  /// A trailing stop without a trade or quote to follow.
  case noPriceToTrail
  /// A trailing stop's distance that is no more than nothing, or too large.
  case badTrail
  /// Terms that an order of this kind can't have.
  case badTerms
}

extension RejectionReason {
  /// Why an order can't be placed while prices are not live; nil if it can.
  ///
  /// For the exchange's stock an order can rest or wait meanwhile.
  static func notLive(
    _ reason: NotLiveReason, _ request: OrderRequest, under rules: TradingRules
  ) -> RejectionReason? {
    if rules.hasBook { return .bookNotLive(reason) }
    if request.kind.mayRest || request.trigger != nil { return nil }
    return request.kind.isMarket ? .marketNotLive(reason) : .cannotWait(reason)
  }

  /// The text for the user, with the broken limit.
  public func userMessage(under rules: TradingRules) -> Sentence {
    switch self {
    case .unknownSymbol: "Only \(rules.text(rules.symbol)) can be traded here."
    case .quantityNotPositive(let found):
      "The quantity must be more than 0; \(rules.text(found)) is not."
    case .quantityOffLot(let found, let lot):
      "The quantity must be a multiple of \(rules.text(lot)); \(rules.text(found)) is not."
    case .quantityTooLarge(let found, let maximum):
      "One order can be for at most \(rules.text(maximum)); \(rules.text(found)) is more."
    case .priceNotPositive(let found):
      "The price must be more than 0; \(rules.text(found)) is not."
    case .priceOffTick(let found, let tick):
      "The price must be a multiple of \(rules.text(tick)); \(rules.text(found)) is not."
    case .priceTooHigh(let found, let maximum):
      "The price can be at most \(rules.text(maximum)); \(rules.text(found)) is more."
    case .priceFarFromMarket(let found, let maximum):
      """
      The price can be at most \(TradingRules.maximumPriceFactor) times the best offer, \
      \(rules.text(maximum)) now; \(rules.text(found)) is more.
      """
    case .marketNotLive(let reason):
      "A market order needs live prices: \(reason.words). A limit order can wait for them."
    case .cannotWait(let reason):
      """
      An order that can’t rest needs live prices: \(reason.words). One that is good till \
      cancelled can wait for them.
      """
    case .bookNotLive(let reason): "Orders for this market need live prices: \(reason.words)."
    case .tooManyOpenOrders(let maximum):
      "\(rules.text(maximum)) orders are open already, and that is the limit. Cancel one first."
    case .nameTooLong: "The client identifier is too long for an order with linked orders."
    case .wouldTake(let limit, let best):
      """
      A post-only order must not trade at once; at \(rules.text(limit)) it would, because the \
      best offer is \(rules.text(best)).
      """
    case .postOnlyNotLive(let reason): "A post-only order needs live prices: \(reason.words)."
    case .nothingToReduce:
      """
      There is no position in \(rules.text(rules.symbol)) that a reduce-only order on this side \
      could reduce.
      """
    case .reducesMore(let quantity, let position):
      """
      A reduce-only order can be for at most the position, \(rules.text(position)); \
      \(rules.text(quantity)) is more.
      """
    case .badExpiry: "The time of expiry must be in the future, and at most a year ahead."
    case .noPriceToTrail: "A trailing stop follows a price, and none has arrived yet."
    case .badTrail:
      """
      The distance of a trailing stop must be 0.01 to 50% with two decimals at most, or a price \
      below that of the market.
      """
    case .badTerms:
      """
      Post-only is for limit orders that rest at once, a time of expiry for orders that rest or \
      wait, and reduce-only not for brackets.
      """
    }
  }
}

extension RejectionReason {
  /// The code and numbers stored for the reason; ``init(code:values:)`` reads them.
  public var stored: (code: String, values: [Int64]) {
    switch self {
    case .unknownSymbol: ("unknownSymbol", [])
    case .quantityNotPositive(let found): ("quantityNotPositive", [found.units])
    case .quantityOffLot(let found, let lot): ("quantityOffLot", [found.units, lot.units])
    case .quantityTooLarge(let found, let maximum):
      ("quantityTooLarge", [found.units, maximum.units])
    case .priceNotPositive(let found): ("priceNotPositive", [found.units])
    case .priceOffTick(let found, let tick): ("priceOffTick", [found.units, tick.units])
    case .priceTooHigh(let found, let maximum): ("priceTooHigh", [found.units, maximum.units])
    case .priceFarFromMarket(let found, let maximum):
      ("priceFarFromMarket", [found.units, maximum.units])
    case .marketNotLive(let reason): ("marketNotLive." + reason.rawValue, [])
    case .cannotWait(let reason): ("cannotWait." + reason.rawValue, [])
    case .bookNotLive(let reason): ("bookNotLive." + reason.rawValue, [])
    case .tooManyOpenOrders(let maximum): ("tooManyOpenOrders", [maximum])
    case .nameTooLong: ("nameTooLong", [])
    case .wouldTake(let limit, let best): ("wouldTake", [limit.units, best.units])
    case .postOnlyNotLive(let reason): ("postOnlyNotLive." + reason.rawValue, [])
    case .nothingToReduce: ("nothingToReduce", [])
    case .reducesMore(let found, let position): ("reducesMore", [found.units, position.units])
    case .badExpiry: ("badExpiry", [])
    case .badTerms: ("badTerms", [])
    case .noPriceToTrail: ("noPriceToTrail", [])
    case .badTrail: ("badTrail", [])
    }
  }

  /// Reads what ``stored`` wrote; nil for anything else.
  public init?(code: String, values: [Int64]) {
    let parts = code.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    if values.isEmpty, parts.count == 2, let reason = NotLiveReason(rawValue: String(parts[1])) {
      switch parts[0] {
      case "marketNotLive": self = .marketNotLive(reason)
      case "cannotWait": self = .cannotWait(reason)
      case "bookNotLive": self = .bookNotLive(reason)
      case "postOnlyNotLive": self = .postOnlyNotLive(reason)
      default: return nil
      }
      return
    }
    let first = values.first ?? 0
    let second = values.dropFirst().first ?? 0
    switch (code, values.count) {
    case ("unknownSymbol", 0): self = .unknownSymbol
    case ("nameTooLong", 0): self = .nameTooLong
    case ("wouldTake", 2): self = .wouldTake(Price(units: first), best: Price(units: second))
    case ("nothingToReduce", 0): self = .nothingToReduce
    case ("reducesMore", 2):
      self = .reducesMore(Quantity(units: first), position: Quantity(units: second))
    case ("badExpiry", 0): self = .badExpiry
    case ("badTerms", 0): self = .badTerms
    case ("noPriceToTrail", 0): self = .noPriceToTrail
    case ("badTrail", 0): self = .badTrail
    case ("quantityNotPositive", 1): self = .quantityNotPositive(Quantity(units: first))
    case ("quantityOffLot", 2):
      self = .quantityOffLot(Quantity(units: first), lot: Quantity(units: second))
    case ("quantityTooLarge", 2):
      self = .quantityTooLarge(Quantity(units: first), maximum: Quantity(units: second))
    case ("priceNotPositive", 1): self = .priceNotPositive(Price(units: first))
    case ("priceOffTick", 2):
      self = .priceOffTick(Price(units: first), tick: Price(units: second))
    case ("priceTooHigh", 2):
      self = .priceTooHigh(Price(units: first), maximum: Price(units: second))
    case ("priceFarFromMarket", 2):
      self = .priceFarFromMarket(Price(units: first), maximum: Price(units: second))
    case ("tooManyOpenOrders", 1): self = .tooManyOpenOrders(maximum: first)
    default: return nil
    }
  }
}
