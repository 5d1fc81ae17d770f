public import MarketModel

/// An input of a stream from the feed hub.
public enum StreamInput: Sendable {
  case value(MarketKey, MarketValue)
  case event(MarketKey, MarketEvent)
  case connection(ConnectionStatus)
}
