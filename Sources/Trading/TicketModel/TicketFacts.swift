// What the ticket acts on and can't know by itself: the market, the link, the reader's choices.

public import MarketModel

/// The best level of one side: a best bid or a best ask.
public struct BestLevel: Hashable, Sendable {
  /// Its price.
  public let price: FixedDecimal
  /// Its quantity; nil when the venue says none.
  public let quantity: FixedDecimal?

  /// Pairs the two.
  public init(price: FixedDecimal, quantity: FixedDecimal?) {
    (self.price, self.quantity) = (price, quantity)
  }
}

/// The market of the instrument that the ticket trades.
public struct TicketMarket: Hashable, Sendable {
  /// The best bid.
  public var bid: BestLevel?
  /// The best ask.
  public var ask: BestLevel?
  /// The last price.
  public var last: FixedDecimal?
  /// The smallest quantity, and what all are multiples of.
  public var lot: FixedDecimal
  /// What all prices are multiples of.
  public var tick: FixedDecimal
  /// The most of one order; nil when that is not known here.
  public var maximumQuantity: FixedDecimal?
  /// The highest price; nil when that is not known here.
  public var maximumPrice: FixedDecimal?
  /// Counts the changes of the market and of the own orders: what an order would do may be another
  /// thing after each.
  public var revision: UInt64

  /// A market without an offer.
  public init(lot: FixedDecimal, tick: FixedDecimal, revision: UInt64 = 0) {
    (self.lot, self.tick, self.revision) = (lot, tick, revision)
  }

  /// The price that an order on a side is not to be filled beyond unless its person says otherwise:
  /// 0.5 % beyond the best offer, on the next tick outwards; nil without an offer.
  func protection(for side: Side) -> FixedDecimal? {
    opposite(of: side).flatMap { $0.price.protection(for: side, tick: tick) }
  }

  /// The offer that an order on a side would take.
  public func opposite(of side: Side) -> BestLevel? { side == .buy ? ask : bid }
}

/// All of it at one moment.
public struct TicketFacts: Sendable {
  /// Whether orders can be taken, as far as the list of orders says.
  public enum Orders: Sendable {
    /// They were not heard of.
    case unknown
    /// They are being read from disk.
    case reading
    /// They can't be stored, for this reason.
    case failed(String)
    /// Who looks may place none.
    case viewing
    /// They can be stored.
    case ready
  }

  /// Whether the order service can be reached.
  public var isOnline = true
  /// Whether orders can be taken.
  public var orders = Orders.unknown
  /// What is traded: "TROAD"; empty while that is not known.
  public var symbol = ""
  /// The market; nil before anything is known of it.
  public var market: TicketMarket?
  /// Whether the market's prices are live.
  public var isLive = false
  /// The freshness in words, in lower case: "stale · 12 s ago".
  public var freshness = ""
  /// Whether there is a review before an order is placed.
  public var reviews = true
  /// Whether the keys that trade are switched on.
  public var hasTradingKeys = false

  /// Whether a market order has a protection price unless the person takes it away.
  public var protects = false

  /// Nothing is known yet.
  public init() {}
}
