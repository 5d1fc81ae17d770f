// The charts of the app, each made once: two views of an instrument share one, and its past
// outlives them both.

import MarketModel
import MarketStreams

/// One chart store an instrument, evicted only where a link made it.
@MainActor final class ChartCache {
  private let feeds: FeedClient
  private var charts: [InstrumentKey: ChartStore] = [:]
  /// The charts that only links lead to, the one that was asked for last at the end.
  private var linked: [InstrumentKey] = []

  init(feeds: FeedClient) { self.feeds = feeds }

  /// The chart of an instrument, recording once it was shown; nil when the venue has no such
  /// instrument.
  ///
  /// The charts of AppState's catalogues are kept as long as the app lives. A link can ask for any
  /// pair in the world: of those the latest ``CandleStreams/maximumKept`` are kept.
  func chart(_ venue: Venue, _ symbol: Symbol) -> ChartStore? {
    let key = InstrumentKey(venue, symbol)
    guard let chart = charts[key] ?? ChartStore(venue: venue, symbol: symbol, feeds: feeds) else {
      return nil
    }
    charts[key] = chart
    if !CandleStreams.isInCatalogue(key) { keep(key) }
    return chart
  }

  private func keep(_ key: InstrumentKey) {
    linked.removeAll { $0 == key }
    linked.append(key)
    guard linked.count > CandleStreams.maximumKept else { return }
    charts[linked.removeFirst()] = nil
  }
}
