// The market as one tick of the feed shows it: the best offer on each side, and nothing behind it.

public import MarketModel

/// A price and how much of it is offered.
public struct PriceLevel: Hashable, Sendable {
  /// In the rules' price units.
  public let price: Price
  /// In the rules' quantity units; 0 when nobody offers.
  public let quantity: Quantity

  /// Puts an offer together.
  public init(price: Price, quantity: Quantity) {
    self.price = price
    self.quantity = quantity
  }
}

/// One tick of the feed: a fresh snapshot whose offers can be used once.
public struct TopOfBook: Hashable, Sendable {
  /// Counts the feed's snapshots within a run; tells a new one from one that is repeated.
  public let number: UInt64
  /// The venue's own time, in the venue's unit.
  public let venueTime: UInt64
  /// What buyers offer: a sell order takes it.
  ///
  /// Nil when the venue names none.
  public let bid: PriceLevel?
  /// What sellers offer: a buy order takes it.
  ///
  /// Nil when the venue names none.
  public let ask: PriceLevel?

  /// Puts a snapshot together; ``problem(under:)`` says whether it can be used.
  public init(number: UInt64, venueTime: UInt64, bid: PriceLevel?, ask: PriceLevel?) {
    self.number = number
    self.venueTime = venueTime
    self.bid = bid
    self.ask = ask
  }

  /// The offer that an order on `side` takes: a buy takes the best *sell* offer, and the reverse.
  public func opposite(of side: Side) -> PriceLevel? { side == .buy ? ask : bid }

  /// The price that is out of all proportion to the snapshot before, if there is one.
  ///
  /// Each offer is measured by the one on its own side, or by the other where there is none.
  func jump(from earlier: TopOfBook) -> SnapshotProblem? {
    let measures = [(bid, earlier.bid ?? earlier.ask), (ask, earlier.ask ?? earlier.bid)]
    for case (let offer?, let measure?) in measures {
      let (low, high) = (min(offer.price, measure.price), max(offer.price, measure.price))
      // Prices are at most the rules' maximum: ten times that fits.
      if high.units > low.units * TradingRules.maximumPriceFactor {
        return .jumped(from: measure.price, to: offer.price)
      }
    }
    return nil
  }

  /// What is wrong with the snapshot; nil when it can be used.
  public func problem(under rules: TradingRules) -> SnapshotProblem? {
    for offer in [bid, ask].compactMap({ $0 }) {
      guard offer.price.units > 0 else { return .priceNotPositive(offer.price) }
      guard offer.price <= rules.maximumPrice else { return .priceTooHigh(offer.price) }
      guard offer.quantity >= .zero else { return .quantityNegative(offer.quantity) }
    }
    if let bid, let ask, bid.price >= ask.price { return .crossed(bid: bid.price, ask: ask.price) }
    return nil
  }
}

/// Why a snapshot was rejected whole.
public enum SnapshotProblem: Error, Hashable, Sendable {
  /// A price of 0 or less.
  case priceNotPositive(Price)
  /// A price above the rules' maximum.
  case priceTooHigh(Price)
  /// Less than nothing offered.
  case quantityNegative(Quantity)
  /// Best buy price at or above best sell price.
  case crossed(bid: Price, ask: Price)
  /// More than ``TradingRules/maximumPriceFactor`` times the price before it, or less than that
  /// part of it: no market until a later tick agrees.
  case jumped(from: Price, to: Price)
  /// Not after the latest snapshot, or the latest number again with other contents.
  case outOfOrder(latest: UInt64, found: UInt64)
  /// A price with more decimals than the rules' price scale.
  case priceTooFine(FixedDecimal)
}

extension TradingRules {
  /// A snapshot from a tick's decimals and share counts.
  ///
  /// Throws ``SnapshotProblem/priceTooFine(_:)`` when a price does not fit the price scale; other
  /// problems are found when the snapshot is used.
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
