// The latest quote of one stream, judged by its venue's connection: what the screens of a single
// quote have in common.

import MarketModel

/// Follows one quote stream and its venue's connection.
struct QuoteStream: Sendable, Equatable {
  let key: MarketKey
  private(set) var link: VenueLink
  private(set) var quote: QuoteView?
  private var origin: DataOrigin

  init(_ key: MarketKey, origin: DataOrigin) {
    self.key = key
    self.origin = origin
    link = VenueLink(key.venue)
  }

  /// The freshness to show with the quote.
  var freshness: Freshness { quote.map { link.judged($0.freshness) } ?? .waiting(origin) }

  /// Takes an input; true when it changed something here.
  mutating func receive(_ input: ScreenInput) -> Bool {
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
