// LT2: several streams of one venue say what the best prices and the last price are. What they
// say, who they are and how they stand to each other.

/// A stream that says what a price is.
///
/// The best prices on screen are the book's, the last price is the trades'; the others are
/// compared with these.
public enum Witness: String, CaseIterable, Hashable, Sendable {
  /// The order book.
  case book
  /// The best levels that a venue sends apart from its book.
  case top25
  /// The best prices that a venue sends by themselves.
  case quote
  /// The venue's summary of the instrument: best prices and last price.
  case ticker
  /// The trades.
  case trades
}

/// A price that several streams name.
public enum WitnessedPrice: String, CaseIterable, Hashable, Sendable {
  /// The best that buyers offer.
  case bid
  /// The best that sellers ask.
  case ask
  /// That of the latest trade.
  case last

  /// The stream whose price is shown.
  public var source: Witness { self == .last ? .trades : .book }
}

/// One stream that says something else than the one whose price is shown.
public struct WitnessDissent: Hashable, Sendable {
  /// Who.
  public let witness: Witness
  /// Of what.
  public let price: WitnessedPrice
  /// What it says; nil: that there is no such price.
  public let said: FixedDecimal?
  /// What the source of the price says; nil: that there is none.
  public let against: FixedDecimal?

  /// Puts a dissent together.
  public init(
    _ witness: Witness, _ price: WitnessedPrice, said: FixedDecimal?, against: FixedDecimal?
  ) {
    self.witness = witness
    self.price = price
    self.said = said
    self.against = against
  }
}

/// Who could be compared, and who says something else.
public struct WitnessReport: Hashable, Sendable {
  /// The streams that were compared, at least two, in the order of ``Witness``.
  public let witnesses: [Witness]
  /// At most one for each witness, in the same order.
  public let dissents: [WitnessDissent]

  /// Nil where fewer than two can be compared: nobody vouches for anybody.
  public init?(_ witnesses: [Witness], dissents: [WitnessDissent] = []) {
    guard witnesses.count >= 2 else { return nil }
    self.witnesses = witnesses
    self.dissents = dissents
  }

  /// How many of them say the same.
  public var agreeing: Int { witnesses.count - dissents.count }
}
