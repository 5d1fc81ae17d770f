/// A stream that reports a price (LT2); others are compared with the displayed book or trades.
public enum Witness: String, CaseIterable, Hashable, Sendable {
  case book
  /// The best levels that a venue sends separately from its book.
  case top25
  /// The best prices that a venue sends separately.
  case quote
  /// The venue's ticker: best prices and last price.
  case ticker
  case trades
}

/// A price that several streams report.
public enum WitnessedPrice: String, CaseIterable, Hashable, Sendable {
  case bid
  case ask
  /// The price of the latest trade.
  case last

  /// The stream whose price is displayed.
  public var source: Witness { self == .last ? .trades : .book }
}

/// A stream that contradicts the displayed price.
public struct WitnessDissent: Hashable, Sendable {
  /// The stream.
  public let witness: Witness
  /// The price.
  public let price: WitnessedPrice
  /// The stream's price; nil when it reports no price.
  public let said: FixedDecimal?
  /// The source's price; nil when it reports no price.
  public let against: FixedDecimal?

  /// Creates a dissent.
  public init(
    _ witness: Witness, _ price: WitnessedPrice, said: FixedDecimal?, against: FixedDecimal?
  ) {
    self.witness = witness
    self.price = price
    self.said = said
    self.against = against
  }
}

/// Which streams were compared and which dissent.
public struct WitnessReport: Hashable, Sendable {
  /// The streams that were compared, at least two, in the order of ``Witness``.
  public let witnesses: [Witness]
  /// At most one per stream, in the same order.
  public let dissents: [WitnessDissent]

  /// Creates a report; nil with fewer than two streams.
  public init?(_ witnesses: [Witness], dissents: [WitnessDissent] = []) {
    guard witnesses.count >= 2 else { return nil }
    self.witnesses = witnesses
    self.dissents = dissents
  }

  /// The number of streams that agree.
  public var agreeing: Int { witnesses.count - dissents.count }
}
