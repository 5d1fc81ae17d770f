import AppState
import Combine
import FeedConnections
import Foundation
import MarketModel

/// The watch list's price stream, connection and clock: live on one feed hub, or a test's own.
///
/// Everything here happens on the main thread.
@MainActor struct StocksFeeds {
  /// Follows a stream by a separate publisher: its present value, then the newest after each
  /// change.
  var observe: (MarketKey, @escaping @MainActor (MarketValue) -> Void) -> AnyCancellable
  /// Follows the connection: its present status, then each change.
  var observeConnection: (@escaping @MainActor (ConnectionStatus) -> Void) -> AnyCancellable
  /// Calls about once a second, for ages and countdowns.
  var observeTime: (@escaping @MainActor () -> Void) -> AnyCancellable
  var start: () -> Void
  /// Connects when the app is in front, or the network is another.
  var resume: () -> Void
  var stop: () -> Void
  var retry: () -> Void
  var now: () -> ClockReading
}

extension StocksFeeds {
  /// One hub, and with it one connection, for all rows (PT6, WL1).
  static func live(_ hub: FeedHub, clock: HubClock = .live) -> StocksFeeds {
    StocksFeeds(
      observe: { key, handler in hub.publisher(for: key).newestOnMain(handler) },
      observeConnection: { handler in
        hub.connectionPublisher.newestOnMain { if $0.venue == .isin { handler($0) } }
      },
      observeTime: { handler in
        let timer = DispatchSource.makeTimerSource(queue: .main)
        timer.schedule(deadline: .now() + .seconds(1), repeating: .seconds(1))
        timer.setEventHandler { MainActor.assumeIsolated(handler) }
        timer.activate()
        return AnyCancellable { timer.cancel() }
      },
      start: { hub.start(.isin) }, resume: { hub.resume(.isin) }, stop: { hub.stop(.isin) },
      retry: { hub.retry(.isin) },
      now: clock.now)
  }
}
