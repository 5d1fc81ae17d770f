public import MarketModel

/// An input of a stream from the feed hub.
public enum StreamInput: Sendable {
  /// Its value changed.
  case value(MarketKey, MarketValue)
  /// It has an event.
  case event(MarketKey, MarketEvent)
  /// A venue's connection status changed.
  case connection(ConnectionStatus)
}
