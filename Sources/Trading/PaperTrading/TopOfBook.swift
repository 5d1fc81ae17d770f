public import MarketModel

/// A price level.
public struct PriceLevel: Hashable, Sendable {
  /// The price in the rules' price units.
  public let price: Price
  /// The size in the rules' quantity units; 0 if nothing is quoted.
  public let quantity: Quantity

  /// Creates a level.
  public init(price: Price, quantity: Quantity) {
    self.price = price
    self.quantity = quantity
  }
}

/// One tick of the feed: best bid and ask, whose liquidity can be taken once.
public struct TopOfBook: Hashable, Sendable {
  /// The tick's number within a run of the feed; distinguishes a new tick from a repeat.
  public let number: UInt64
  /// The venue's time, in the venue's unit.
  public let venueTime: UInt64
  /// The best bid, which a sell order takes; nil if missing.
  public let bid: PriceLevel?
  /// The best ask, which a buy order takes; nil if missing.
  public let ask: PriceLevel?

  /// Creates an unvalidated tick; see ``problem(under:)``.
  public init(number: UInt64, venueTime: UInt64, bid: PriceLevel?, ask: PriceLevel?) {
    self.number = number
    self.venueTime = venueTime
    self.bid = bid
    self.ask = ask
  }

  /// The level an order on `side` takes: the ask for a buy, the bid for a sell.
  public func opposite(of side: Side) -> PriceLevel? { side == .buy ? ask : bid }

  /// The first price implausibly far from the previous tick.
  ///
  /// Each level is compared with the previous one on its side, or on the other side if missing.
  func jump(from earlier: TopOfBook) -> SnapshotProblem? {
    let measures = [(bid, earlier.bid ?? earlier.ask), (ask, earlier.ask ?? earlier.bid)]
    for case (let level?, let measure?) in measures {
      let (low, high) = (min(level.price, measure.price), max(level.price, measure.price))
      // Prices are at most the rules' maximum, so ten times that does not overflow.
      if high.units > low.units * TradingRules.maximumPriceFactor {
        return .jumped(from: measure.price, to: level.price)
      }
    }
    return nil
  }

  /// The tick's defect; nil if it is usable.
  public func problem(under rules: TradingRules) -> SnapshotProblem? {
    for level in [bid, ask].compactMap({ $0 }) {
      guard level.price.units > 0 else { return .priceNotPositive(level.price) }
      guard level.price <= rules.maximumPrice else { return .priceTooHigh(level.price) }
      guard level.quantity >= .zero else { return .quantityNegative(level.quantity) }
    }
    if let bid, let ask, bid.price >= ask.price { return .crossed(bid: bid.price, ask: ask.price) }
    return nil
  }
}

/// The visible levels of a market, whose liquidity orders can take.
public struct MarketBook: Hashable, Sendable {
  /// The number of the tick or book change; see ``TopOfBook/number``.
  public let number: UInt64
  /// The venue's time, in the venue's unit; 0 without one.
  public let venueTime: UInt64
  /// The bids, highest first.
  public let bids: [PriceLevel]
  /// The asks, lowest first.
  public let asks: [PriceLevel]

  /// Creates an unvalidated book; see ``problem(under:)``.
  public init(number: UInt64, venueTime: UInt64, bids: [PriceLevel], asks: [PriceLevel]) {
    (self.number, self.venueTime) = (number, venueTime)
    (self.bids, self.asks) = (bids, asks)
  }

  /// The book of a feed that sends the best bid and ask only.
  public init(_ top: TopOfBook) {
    self.init(
      number: top.number, venueTime: top.venueTime, bids: top.bid.map { [$0] } ?? [],
      asks: top.ask.map { [$0] } ?? [])
  }

  /// The best bid and ask.
  public var top: TopOfBook {
    TopOfBook(number: number, venueTime: venueTime, bid: bids.first, ask: asks.first)
  }

  /// The levels that an order on `side` takes, best first.
  public func opposite(of side: Side) -> [PriceLevel] { side == .buy ? asks : bids }

  /// The book's defect; nil if it is usable.
  ///
  /// O(levels).
  public func problem(under rules: TradingRules) -> SnapshotProblem? {
    if let problem = top.problem(under: rules) { return problem }
    for (levels, isBetter) in [(bids, { $0 > $1 }), (asks, { $0 < $1 })] as [LevelOrder] {
      for (better, worse) in zip(levels, levels.dropFirst()) {
        guard worse.price.units > 0 else { return .priceNotPositive(worse.price) }
        guard worse.quantity >= .zero else { return .quantityNegative(worse.quantity) }
        guard isBetter(better.price, worse.price) else {
          return .unsorted(better.price, worse.price)
        }
      }
    }
    return nil
  }

  private typealias LevelOrder = ([PriceLevel], (Price, Price) -> Bool)
}

/// Why a whole tick was rejected.
public enum SnapshotProblem: Error, Hashable, Sendable {
  case priceNotPositive(Price)
  case priceTooHigh(Price)
  case quantityNegative(Quantity)
  /// The best bid is at or above the best ask.
  case crossed(bid: Price, ask: Price)
  /// More than ``TradingRules/maximumPriceFactor`` times the previous price, or less than that
  /// fraction of it: no market until a later tick confirms it.
  case jumped(from: Price, to: Price)
  /// Not after the latest tick, or its number with other contents.
  case outOfOrder(latest: UInt64, found: UInt64)
  /// A level that is not worse than the one before it.
  case unsorted(Price, Price)
  /// More decimals than the rules' price scale.
  case priceTooFine(FixedDecimal)
}

extension TradingRules {
  /// Converts a tick's decimals and share counts to top of book.
  ///
  /// Throws ``SnapshotProblem/priceTooFine(_:)`` if a price does not fit the price scale; other
  /// problems are found when it is used.
  public func snapshot(
    number: UInt64, venueTime: UInt64, bid: FixedDecimal, bidQuantity: Quantity, ask: FixedDecimal,
    askQuantity: Quantity
  ) throws(SnapshotProblem) -> TopOfBook {
    guard let bidPrice = bid.exactly(at: priceScale) else { throw .priceTooFine(bid) }
    guard let askPrice = ask.exactly(at: priceScale) else { throw .priceTooFine(ask) }
    return TopOfBook(
      number: number, venueTime: venueTime,
      bid: PriceLevel(price: Price(units: bidPrice.units), quantity: bidQuantity),
      ask: PriceLevel(price: Price(units: askPrice.units), quantity: askQuantity))
  }
}
