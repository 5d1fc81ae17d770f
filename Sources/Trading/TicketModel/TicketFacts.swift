public import MarketModel

/// The best level of one side: a best bid or a best ask.
public struct BestLevel: Hashable, Sendable {
  /// Its price.
  public let price: FixedDecimal
  /// The size; nil if the venue sends none.
  public let quantity: FixedDecimal?

  /// Creates a level.
  public init(price: FixedDecimal, quantity: FixedDecimal?) {
    (self.price, self.quantity) = (price, quantity)
  }
}

/// The market of the ticket's instrument.
public struct TicketMarket: Hashable, Sendable {
  /// The best bid.
  public var bid: BestLevel?
  /// The best ask.
  public var ask: BestLevel?
  /// The last price.
  public var last: FixedDecimal?
  /// The lot size, which is also the minimum quantity.
  public var lot: FixedDecimal
  /// The tick size.
  public var tick: FixedDecimal
  /// The maximum quantity of an order; nil if unknown.
  public var maximumQuantity: FixedDecimal?
  /// The maximum price; nil if unknown.
  public var maximumPrice: FixedDecimal?
  /// Counts changes of the market and of own orders, each of which may change a preview.
  public var revision: UInt64

  /// Creates a market without prices.
  public init(lot: FixedDecimal, tick: FixedDecimal, revision: UInt64 = 0) {
    (self.lot, self.tick, self.revision) = (lot, tick, revision)
  }

  /// The default protection price: 0.5 % beyond the best opposite price, rounded outwards to a
  /// tick; nil without one.
  func protection(for side: Side) -> FixedDecimal? {
    opposite(of: side).flatMap { $0.price.protection(for: side, tick: tick) }
  }

  /// The level that an order on a side would take.
  public func opposite(of side: Side) -> BestLevel? { side == .buy ? ask : bid }
}

/// The external state that the ticket depends on: market, connection and settings.
public struct TicketFacts: Sendable {
  /// Whether orders are accepted, as last reported.
  public enum Orders: Sendable {
    case unknown
    case reading
    /// Can't be stored, for this reason.
    case failed(Sentence)
    /// This client may view but not trade.
    case viewing
    case ready
  }

  /// Whether the order service is reachable.
  public var isOnline = true
  /// Whether orders are accepted.
  public var orders = Orders.unknown
  /// The symbol, such as "TROAD"; empty while unknown.
  public var symbol = ""
  /// The venue's market, "kraken:BTC/USD"; empty for the exchange's stock.
  public var instrument = ""
  /// The market; nil while unknown.
  public var market: TicketMarket?
  /// Whether the market's prices are live.
  public var isLive = false
  /// The freshness in lower case: "stale · 12 s ago".
  public var freshness = ""
  /// Whether orders are reviewed before they are placed.
  public var reviews = true
  /// Whether trading keys are enabled.
  public var hasTradingKeys = false

  /// Whether a market order gets a protection price by default.
  public var protects = false

  /// Creates the initial state, with everything unknown.
  public init() {}
}
