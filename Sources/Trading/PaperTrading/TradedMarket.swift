public import MarketModel

/// One instrument's market as orders meet it: rules, book, and our orders' places in its queues.
public struct TradedMarket: Sendable, Equatable {
  /// The steps and bounds of the instrument.
  public let rules: TradingRules
  var liquidity = AvailableLiquidity()
  /// What the venue charges; nil if unknown.
  var fees: FeeRates?
  /// How long a new order is on its way, in milliseconds.
  var latencyMilliseconds: Int64 = 0
  /// The places of resting limit orders; empty for an exchange without a book.
  var places: [OrderIdentifier: QueuePlace] = [:]
  /// The book that was the latest one when an order triggered, which acts on the next one.
  private(set) var passedBooks: [OrderIdentifier: UInt64] = [:]
  /// The time of the latest trade; of the latest tick without a book.
  var latestTrade: Timestamp?
  /// When the feed was last lost, while no trade has come since: some may be missing.
  var lostAt: Timestamp?
  /// The price of the last trade; nil before the first, and without a book.
  public private(set) var lastTrade: Price?
  private(set) var lastNumber: Int64 = 0
  /// The taker's side in it; nil if unknown.
  private(set) var lastTaker: Side?

  init(rules: TradingRules) { self.rules = rules }

  /// The best bid and ask with their full sizes while they can be traded on; nil otherwise.
  public var live: TopOfBook? { liquidity.live?.top }

  /// The latest usable tick, whatever its current freshness; nil before the first.
  public var latest: TopOfBook? { liquidity.latest?.top }

  /// The freshness of the market.
  public var freshness: FreshnessState { liquidity.state }

  /// What limit prices are compared with: in a venue's market its latest book, live or not.
  public var reference: TopOfBook? { rules.hasBook ? latest : live }

  /// Why the market can't be traded on; ``NotLiveReason/live`` if it can.
  public var notLiveReason: NotLiveReason { liquidity.reason }

  /// What an order on `side` could take now at the best price: its size less what earlier orders
  /// took.
  public func available(for side: Side) -> Quantity { liquidity.available(for: side) }

  /// Notes a trade; false if it came before one that is noted already.
  mutating func note(_ trade: PrintedTrade) -> Bool {
    guard trade.number == 0 || trade.number > lastNumber else { return false }
    (lastTrade, lastTaker) = (trade.price, trade.aggressor)
    lastNumber = max(lastNumber, trade.number)
    return true
  }

  /// Lets a triggered order act on the next book.
  mutating func wait(_ order: OrderIdentifier, since: Timestamp) {
    passedBooks[order] = liquidity.latest?.number ?? 0
    places[order] = QueuePlace(ahead: nil, since: since)
  }

  /// Whether an order acts on the latest book, and later ones.
  mutating func acts(_ order: OrderIdentifier) -> Bool {
    guard let passed = passedBooks[order] else { return true }
    guard let latest = liquidity.latest, latest.number != passed else { return false }
    passedBooks[order] = nil
    return true
  }

  /// Forgets orders that have ended.
  mutating func forget(_ hasEnded: (OrderIdentifier) -> Bool) {
    places = places.filter { !hasEnded($0.key) }
    passedBooks = passedBooks.filter { !hasEnded($0.key) }
  }

  /// Takes up to `wanted` from the acceptable levels on arrival, best first; with a `limit`, as a
  /// resting order which those levels have reached, at its limit.
  mutating func take(
    _ wanted: Quantity, for request: OrderRequest, atLimit limit: Price? = nil
  ) -> [OrderFill] {
    let isMaker = limit != nil
    return liquidity.take(wanted, for: request, at: limit).map { charged($0, isMaker: isMaker) }
  }

  /// The fill with its fee.
  func charged(_ fill: OrderFill, isMaker: Bool) -> OrderFill {
    var fill = fill
    fill.fee = fees?.fee(of: fill, isMaker: isMaker)
    return fill
  }
}

/// A resting order's place in the venue's queue at its price.
struct QueuePlace: Hashable, Sendable {
  /// What was in the queue when the order joined it; nil while the price is beyond the visible
  /// levels.
  ///
  /// Cancellations count as behind the order, so this much must trade before the order does.
  var ahead: Quantity?
  /// Whether the order has met a live book; until then it takes one like a new order.
  var hasMet = false
  /// What has traded at the price since.
  var traded: Quantity = .zero
  /// Trades up to this time, by the venue's clock, came before the order.
  let since: Timestamp

  /// What traded beyond the queue, of `size` traded now.
  mutating func trade(_ size: Quantity) -> Quantity {
    let before = traded.units
    traded.units = saturatingSum(traded.units, size.units)
    guard let ahead else { return .zero }
    return Quantity(units: max(0, traded.units - max(before, ahead.units)))
  }
}

/// An execution at the venue, in an instrument's units.
public struct PrintedTrade: Hashable, Sendable {
  /// The venue's number of the trade; 0 without one.
  public let number: Int64
  /// The price.
  public let price: Price
  /// The quantity.
  public let quantity: Quantity
  /// The taker's side; nil if the venue omits it.
  public let aggressor: Side?
  /// The venue's time.
  public let time: Timestamp

  /// Creates a trade.
  public init(number: Int64, price: Price, quantity: Quantity, aggressor: Side?, time: Timestamp) {
    (self.number, self.price, self.quantity) = (number, price, quantity)
    (self.aggressor, self.time) = (aggressor, time)
  }
}

extension TradingRules {
  /// A venue's trade in these units, its size rounded down to a lot; nil if it does not fit.
  public func units(of trade: Trade, priceScale: Scale, quantityScale: Scale) -> PrintedTrade? {
    guard
      let price = FixedDecimal(trade.price, scale: priceScale).exactly(at: self.priceScale),
      price.units > 0, price.units <= maximumPrice.units
    else { return nil }
    let size = lots(FixedDecimal(trade.size, scale: quantityScale))
    return PrintedTrade(
      number: trade.identifier, price: Price(units: price.units), quantity: size,
      aggressor: trade.side, time: trade.time)
  }
}
