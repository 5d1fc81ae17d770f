// WL5: lives as long as its row is on screen. It subscribes by a publisher of its own when the row
// appears, and letting go of it ends the subscription.

import AppState
import Combine
import MarketModel

/// Hosts the screen of one visible row.
@MainActor final class RowStore {
  /// The row's instrument.
  let row: WatchListRow
  private var screen: WatchRowScreen
  private var stream: AnyCancellable?
  private let feeds: StocksFeeds
  private let onChange: (RowStore) -> Void

  /// Follows a row; nil for one that is not on the list.
  ///
  /// - Parameters:
  ///   - row: which.
  ///   - status: the connection as it is now, if known.
  ///   - feeds: where prices come from.
  ///   - onChange: called when there is something new to draw.
  init?(
    _ row: WatchListRow, status: ConnectionStatus?, feeds: StocksFeeds,
    onChange: @escaping (RowStore) -> Void
  ) {
    guard let screen = WatchRowScreen(isin: row.isin) else { return nil }
    self.row = row
    self.screen = screen
    self.feeds = feeds
    self.onChange = onChange
    if let status { _ = self.screen.receive(.connection(status), at: feeds.now()) }
    guard let key = screen.wanted.first else { return }
    stream = feeds.observe(key) { [weak self] value in self?.receive(.value(key, value)) }
  }

  /// What to draw.
  var state: WatchRowState { screen.state }

  /// Takes what happened outside.
  func receive(_ input: ScreenInput) {
    let before = screen.state
    _ = screen.receive(input, at: feeds.now())
    if screen.state != before { onChange(self) }
  }

  /// Time has passed: what is drawn may name an age.
  func refresh() { onChange(self) }
}
