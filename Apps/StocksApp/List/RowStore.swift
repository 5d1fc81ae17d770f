import AppState
import Combine
import MarketModel

/// Hosts the screen of one visible row (WL5): it subscribes by its own publisher when the row
/// appears; releasing it unsubscribes.
@MainActor final class RowStore {
  let row: WatchListRow
  private var screen: WatchRowScreen
  private var stream: AnyCancellable?
  private let feeds: StocksFeeds
  private let onChange: (RowStore) -> Void

  /// Follows a row; nil for one that is not on the list.
  ///
  /// - Parameters:
  ///   - row: the row.
  ///   - status: the connection now; nil before the first status.
  ///   - feeds: the source of prices.
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

  var state: WatchRowState { screen.state }

  func receive(_ input: ScreenInput) {
    let before = screen.state
    _ = screen.receive(input, at: feeds.now())
    if screen.state != before { onChange(self) }
  }

  func refresh() { onChange(self) }
}
