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
