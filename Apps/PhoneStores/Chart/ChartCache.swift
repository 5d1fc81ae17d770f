package import MarketModel
import MarketStreams

/// One chart store an instrument, shared by its views; only charts opened by links are evicted.
@MainActor package final class ChartCache {
  private let feeds: FeedClient
  private var charts: [InstrumentKey: ChartStore] = [:]
  /// Charts opened by links, least recently used first.
  private var linked: [InstrumentKey] = []

  package init(feeds: FeedClient) { self.feeds = feeds }

  /// An instrument's chart, which records once it was shown; nil when the venue has no such
  /// instrument.
  ///
  /// Charts of AppState's catalogues live as long as the app. A link can open any pair; of those
  /// the latest ``CandleStreams/maximumKept`` are kept.
  package func chart(_ venue: Venue, _ symbol: Symbol) -> ChartStore? {
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
