// The charts of the app, each made once: two views of an instrument share one, and its past
// outlives them both.

import MarketModel

/// Makes and keeps charts.
@MainActor final class ChartKeeper {
  private struct Key: Hashable {
    let venue: VenueName
    let symbol: Symbol
  }

  private let feeds: FeedClient
  private var charts: [Key: ChartStore] = [:]

  init(feeds: FeedClient) { self.feeds = feeds }

  /// The chart of an instrument, recording once it was shown; nil when the venue has no such
  /// instrument.
  ///
  /// What can be asked for is bounded by the catalogues of AppState.
  func chart(_ venue: VenueName, _ symbol: Symbol) -> ChartStore? {
    let key = Key(venue: venue, symbol: symbol)
    let chart = charts[key] ?? ChartStore(venue: venue, symbol: symbol, feeds: feeds)
    charts[key] = chart
    return chart
  }
}
