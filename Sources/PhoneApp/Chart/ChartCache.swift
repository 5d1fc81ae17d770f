// The charts of the app, each made once: two views of an instrument share one, and its past
// outlives them both.

import AppState
import MarketModel
import VenueProtocols

/// One chart store an instrument, evicted only where a link made it.
@MainActor final class ChartCache {
  private struct Key: Hashable {
    let venue: Venue
    let symbol: Symbol
  }

  private let feeds: FeedClient
  private var charts: [Key: ChartStore] = [:]
  /// The charts that only links lead to, the one that was asked for last at the end.
  private var linked: [Key] = []

  init(feeds: FeedClient) { self.feeds = feeds }

  /// The chart of an instrument, recording once it was shown; nil when the venue has no such
  /// instrument.
  ///
  /// The charts of AppState's catalogues are kept as long as the app lives. A link can ask for any
  /// pair in the world: of those the latest ``ChartScreen/maximumKept`` are kept.
  func chart(_ venue: Venue, _ symbol: Symbol) -> ChartStore? {
    let key = Key(venue: venue, symbol: symbol)
    guard let chart = charts[key] ?? ChartStore(venue: venue, symbol: symbol, feeds: feeds) else {
      return nil
    }
    charts[key] = chart
    if !isInCatalogue(symbol) { keep(key) }
    return chart
  }

  private func keep(_ key: Key) {
    linked.removeAll { $0 == key }
    linked.append(key)
    guard linked.count > ChartScreen.maximumKept else { return }
    charts[linked.removeFirst()] = nil
  }

  private func isInCatalogue(_ symbol: Symbol) -> Bool {
    symbol == ExchangeCatalogue.symbol || BookCatalogue.instruments.contains { $0.symbol == symbol }
  }
}
