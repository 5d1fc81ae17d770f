// Best bid and ask with their sizes, as one tick of the feed shows them; no depth behind.

public import MarketModel

/// A price and the size quoted at it.
public struct PriceLevel: Hashable, Sendable {
  /// In the rules' price units.
  public let price: Price
  /// In the rules' quantity units; 0 when nothing is quoted.
  public let quantity: Quantity

  /// Pairs a price with its size.
  public init(price: Price, quantity: Quantity) {
    self.price = price
    self.quantity = quantity
  }
}

/// One tick of the feed: best bid and ask, whose liquidity can be taken once.
public struct TopOfBook: Hashable, Sendable {
  /// Counts the feed's ticks within a run; tells a new one from a repeat.
  public let number: UInt64
  /// The venue's own time, in the venue's unit.
  public let venueTime: UInt64
  /// The best bid, which a sell order takes; nil when the venue quotes none.
  public let bid: PriceLevel?
  /// The best ask, which a buy order takes; nil when the venue quotes none.
  public let ask: PriceLevel?

  /// Holds what a tick says, unchecked: see ``problem(under:)``.
  public init(number: UInt64, venueTime: UInt64, bid: PriceLevel?, ask: PriceLevel?) {
    self.number = number
    self.venueTime = venueTime
    self.bid = bid
    self.ask = ask
  }

  /// The level that an order on `side` takes: the ask for a buy, the bid for a sell.
  public func opposite(of side: Side) -> PriceLevel? { side == .buy ? ask : bid }

  /// The price that is out of proportion to the tick before, if there is one.
  ///
  /// Each level is compared with the one on its own side, or the other side where there is none.
  func jump(from earlier: TopOfBook) -> SnapshotProblem? {
    let measures = [(bid, earlier.bid ?? earlier.ask), (ask, earlier.ask ?? earlier.bid)]
    for case (let level?, let measure?) in measures {
      let (low, high) = (min(level.price, measure.price), max(level.price, measure.price))
      // Prices are at most the rules' maximum: ten times that fits.
      if high.units > low.units * TradingRules.maximumPriceFactor {
        return .jumped(from: measure.price, to: level.price)
      }
    }
    return nil
  }

  /// What is wrong with the tick; nil when it can be used.
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

/// Why a tick was rejected whole.
public enum SnapshotProblem: Error, Hashable, Sendable {
  /// A price of 0 or less.
  case priceNotPositive(Price)
  /// A price above the rules' maximum.
  case priceTooHigh(Price)
  /// A negative size.
  case quantityNegative(Quantity)
  /// Best bid at or above best ask.
  case crossed(bid: Price, ask: Price)
  /// More than ``TradingRules/maximumPriceFactor`` times the price before it, or less than that
  /// part of it: no market until a later tick agrees.
  case jumped(from: Price, to: Price)
  /// Not after the latest tick, or its number again with other contents.
  case outOfOrder(latest: UInt64, found: UInt64)
  /// A price with more decimals than the rules' price scale.
  case priceTooFine(FixedDecimal)
}

extension TradingRules {
  /// Top of book from a tick's decimals and share counts.
  ///
  /// Throws ``SnapshotProblem/priceTooFine(_:)`` when a price does not fit the price scale; other
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
