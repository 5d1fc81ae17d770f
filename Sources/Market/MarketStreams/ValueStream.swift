public import MarketModel

/// The latest book of an instrument.
public typealias BookStream = ValueStream<BookView>
/// The latest trades of an instrument.
public typealias TapeStream = ValueStream<TapeView>
/// The latest quote of an instrument.
public typealias QuoteStream = ValueStream<QuoteView>
/// The latest figures of an instrument's day.
public typealias FiguresStream = ValueStream<DayFigures>

/// The latest value of one stream; the single source of freshness for books, tapes, quotes,
/// figures.
public struct ValueStream<Value: StreamedValue>: Sendable, Equatable {
  /// The stream.
  public let key: MarketKey
  /// The venue's connection.
  public private(set) var link: VenueLink
  /// The latest value; nil before the first.
  public private(set) var value: Value?
  private var origin: DataOrigin

  /// Creates a stream; `origin` applies until the venue reports its own.
  public init(_ key: MarketKey, origin: DataOrigin) {
    self.key = key
    self.origin = origin
    link = VenueLink(key.venue)
  }

  /// The freshness to show with the value.
  public var freshness: Freshness {
    value.map { $0.limited(link.judged($0.freshness)) } ?? .waiting(origin)
  }

  /// Applies an input; true if anything changed.
  public mutating func receive(_ input: StreamInput) -> Bool {
    switch input {
    case .value(key, let value):
      guard let own = Value(value), own.symbol == key.subscription.symbol else { return false }
      self.value = own
      return true
    case .connection(let status) where status.venue == key.venue:
      _ = link.update(status)
      origin = status.origin
      return true
    default: return false
    }
  }
}
