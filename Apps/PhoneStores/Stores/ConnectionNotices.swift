import AppState
import MarketModel

/// A venue's connection as one screen's store follows it: the notice to show and its remedy.
@MainActor struct ConnectionNotices {
  private let venue: Venue
  private let feeds: FeedClient
  private var summary: ConnectionSummary

  init(_ venue: Venue, feeds: FeedClient) {
    (self.venue, self.feeds) = (venue, feeds)
    summary = ConnectionSummary(venue, at: feeds.now())
  }

  mutating func take(_ status: ConnectionStatus) { summary.update(status, at: feeds.now()) }

  func notice(isWaiting: Bool) -> ConnectionNotice? {
    summary.notice(isWaiting: isWaiting, at: feeds.now())
  }

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

/// A state whose values are of use only while they are valid.
protocol JudgedState {
  var freshness: Freshness { get }
}

extension FeedState: JudgedState {}
extension MarketListState: JudgedState {}
extension BookState: JudgedState {}
extension TradesState: JudgedState {}
extension ExchangeState: JudgedState {}
extension MarketTicketState: JudgedState {}
extension ProductState: JudgedState {}

extension SymbolState: JudgedState {
  var freshness: Freshness { details?.freshness ?? .waiting(.venue) }
}
