// What a stream's values have in common.

public import MarketModel

/// A value of a stream, with its own freshness.
public protocol StreamedValue: Equatable, Sendable {
  /// The instrument.
  var symbol: Symbol { get }
  /// What the session says of it.
  var freshness: Freshness { get }
  /// Takes it out of a stream's value; nil for one of another kind.
  init?(_ value: MarketValue)
  /// No better than the value's own state allows.
  func limited(_ freshness: Freshness) -> Freshness
}

extension StreamedValue {
  /// Most values say all there is to say in their freshness.
  public func limited(_ freshness: Freshness) -> Freshness { freshness }
}

extension QuoteView: StreamedValue {
  /// Takes it out of a stream's value.
  public init?(_ value: MarketValue) {
    guard case .quote(let quote) = value else { return nil }
    self = quote
  }
}

extension TapeView: StreamedValue {
  /// Takes it out of a stream's value.
  public init?(_ value: MarketValue) {
    guard case .trades(let tape) = value else { return nil }
    self = tape
  }
}

extension BookView: StreamedValue {
  /// Takes it out of a stream's value.
  public init?(_ value: MarketValue) {
    guard case .book(let book) = value else { return nil }
    self = book
  }

  /// A book that is not synced is never called live, whatever its messages' age.
  public func limited(_ freshness: Freshness) -> Freshness {
    guard status != .synced, freshness.state.severity < FreshnessState.resyncing.severity else {
      return freshness
    }
    return freshness.changed(to: status == .waiting ? .waiting : .resyncing)
  }
}

extension DayFigures: StreamedValue {
  /// Takes it out of a stream's value; of a quote's, its price is all that is known of the day.
  public init?(_ value: MarketValue) {
    switch value {
    case .figures(let figures): self = figures
    case .quote(let quote):
      guard quote.price != nil else { return nil }
      self.init(
        symbol: quote.symbol, direction: quote.direction, changes: quote.changes,
        freshness: quote.freshness)
      last = quote.price
    default: return nil
    }
  }

  /// What the venue refuses is waited for, whatever its connection.
  public func limited(_ freshness: Freshness) -> Freshness {
    isKnown ? freshness : .waiting(freshness.origin)
  }
}
