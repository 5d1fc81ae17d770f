// What the feed hub tells of streams.

public import MarketModel

/// What happens to a stream.
public enum StreamInput: Sendable {
  /// Its value changed.
  case value(MarketKey, MarketValue)
  /// It brought something, one of all that it brings.
  case event(MarketKey, MarketEvent)
  /// The state of a venue's connection changed.
  case connection(ConnectionStatus)
}
