public import MarketModel

/// A value of a stream.
public protocol StreamedValue: Equatable, Sendable {
  var symbol: Symbol { get }
  /// The freshness reported by the session.
  var freshness: Freshness { get }
  /// Extracts it from a stream's value; nil for another kind.
  init?(_ value: MarketValue)
  /// Limits a freshness by the value's own state.
  func limited(_ freshness: Freshness) -> Freshness
}

extension StreamedValue {
  /// By default no limit: most values' state is all in their freshness.
  public func limited(_ freshness: Freshness) -> Freshness { freshness }
}

extension QuoteView: StreamedValue {
  /// Extracts it from a stream's value.
  public init?(_ value: MarketValue) {
    guard case .quote(let quote) = value else { return nil }
    self = quote
  }
}

extension TapeView: StreamedValue {
  /// Extracts it from a stream's value.
  public init?(_ value: MarketValue) {
    guard case .trades(let tape) = value else { return nil }
    self = tape
  }
}

extension BookView: StreamedValue {
  /// Extracts it from a stream's value.
  public init?(_ value: MarketValue) {
    guard case .book(let book) = value else { return nil }
    self = book
  }

  /// A book that is not synced is never live, however recent its messages.
  public func limited(_ freshness: Freshness) -> Freshness {
    guard status != .synced, freshness.state.severity < FreshnessState.resyncing.severity else {
      return freshness
    }
    return freshness.changed(to: status == .waiting ? .waiting : .resyncing)
  }
}

extension DayFigures: StreamedValue {
  /// Extracts it from a stream's figures; a quote only gives its price.
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

  /// Rejected by the venue counts as waiting, whatever its connection.
  public func limited(_ freshness: Freshness) -> Freshness {
    isKnown ? freshness : .waiting(freshness.origin)
  }
}
