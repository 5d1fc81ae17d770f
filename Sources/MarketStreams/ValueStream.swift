// The latest quote of one stream, judged by its venue's connection: what all who show or
// use a single quote have in common.

public import MarketModel

/// Follows one quote stream and its venue's connection.
public struct QuoteStream: Sendable, Equatable {
  /// The stream.
  public let key: MarketKey
  /// Its venue's connection.
  public private(set) var link: VenueLink
  /// The latest quote; nil before the first.
  public private(set) var quote: QuoteView?
  private var origin: DataOrigin

  /// Follows a stream whose values are of `origin` until the venue says otherwise.
  public init(_ key: MarketKey, origin: DataOrigin) {
    self.key = key
    self.origin = origin
    link = VenueLink(key.venue)
  }

  /// The freshness to show with the quote.
  public var freshness: Freshness { quote.map { link.judged($0.freshness) } ?? .waiting(origin) }

  /// Takes an input; true when it changed something here.
  public mutating func receive(_ input: StreamInput) -> Bool {
    switch input {
    case .value(key, .quote(let quote)) where quote.symbol == key.subscription.symbol:
      self.quote = quote
      return true
    case .connection(let status) where status.venue == key.venue:
      _ = link.update(status)
      origin = status.origin
      return true
    default:
      return false
    }
  }
}
