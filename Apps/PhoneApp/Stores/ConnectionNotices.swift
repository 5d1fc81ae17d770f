// A venue's connection as one screen's store follows it: the notice to show, and the remedy that it
// offers.

import AppState
import MarketModel

/// The connection notice of one store.
@MainActor struct ConnectionNotices {
  private let venue: Venue
  private let feeds: FeedClient
  private var summary: ConnectionSummary

  init(_ venue: Venue, feeds: FeedClient) {
    (self.venue, self.feeds) = (venue, feeds)
    summary = ConnectionSummary(venue, at: feeds.now())
  }

  /// Takes a status of any venue.
  mutating func take(_ status: ConnectionStatus) { summary.update(status, at: feeds.now()) }

  /// What there is to say now.
  func notice(isWaiting: Bool) -> ConnectionNotice? {
    summary.notice(isWaiting: isWaiting, at: feeds.now())
  }

  /// Does what a notice offers.
  func follow(_ remedy: ConnectionNotice.Remedy) {
    switch remedy {
    case .retry: feeds.retry(venue)
    case .reconnect:
      feeds.stop(venue)
      feeds.start(venue)
    case .start: feeds.start(venue)
    case .none, .setUp: break
    }
  }
}

/// A state that is worth something only while it can be believed.
protocol JudgedState {
  /// Whether its values can be believed now.
  var freshness: Freshness { get }
}

extension FeedState: JudgedState {}
extension MarketListState: JudgedState {}
extension BookState: JudgedState {}
extension TradesState: JudgedState {}
extension ExchangeState: JudgedState {}
extension ProductState: JudgedState {}

extension SymbolState: JudgedState {
  var freshness: Freshness { details?.freshness ?? .waiting(.venue) }
}
