// What an app target needs: its scene shows `rootViewController` and tells when the app comes and
// goes. Everything else is in here.

#if canImport(UIKit)
  import FeedConnections
  import Foundation
  import Logging
  import MarketModel
  import NIOPosix
  import SocketTransport
  public import UIKit

  /// The watch list with everything behind it.
  @MainActor public final class StocksApplication {
    /// Fills the window.
    public let rootViewController: UIViewController
    private let feeds: StocksFeeds

    /// Makes the app; nothing is connected before ``enterForeground()``.
    ///
    /// - Parameter server: `http://host:port` of a Livetape server whose simulated price stream is
    ///   used instead of the real one; nil, or what is no address, for the real one.
    public convenience init(server: String? = nil) {
      let hub = FeedHub(
        venues: StocksApplication.connection(server: server).map { [$0] } ?? [],
        group: MultiThreadedEventLoopGroup.singleton, logger: Logger(label: "livetape.stocks"))
      self.init(feeds: .live(hub))
    }

    /// The same with any feeds.
    init(feeds: StocksFeeds, locale: Locale = .current) {
      self.feeds = feeds
      rootViewController = UINavigationController(
        rootViewController: WatchListController(feeds: feeds, locale: locale))
    }

    /// The app is about to be seen: connect, at once.
    public func enterForeground() { feeds.start() }

    /// The app is no longer seen: the system will cut its sockets off anyway, so the connection is
    /// closed in good order.
    ///
    /// Prices stay, marked as disconnected.
    public func enterBackground() { feeds.stop() }

    /// Where to connect to, and by which protocol; nil only if the address in the source were none.
    static func connection(server: String?) -> VenueConfiguration? {
      let simulated = server.flatMap { try? Endpoint($0) }
        .flatMap { VenueAddress.simulated(.isin, at: $0) }
      return (simulated ?? .published(.isin))?.connection()
    }
  }
#endif
