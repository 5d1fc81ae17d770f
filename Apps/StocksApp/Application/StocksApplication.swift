#if canImport(UIKit)
  import FeedConnections
  import Foundation
  import Logging
  import MarketModel
  import NIOPosix
  import SocketTransport
  public import UIKit

  /// The watch list with everything behind it; a scene shows `rootViewController` and reports
  /// foreground changes.
  @MainActor public final class StocksApplication {
    /// Fills the window.
    public let rootViewController: UIViewController
    private let feeds: StocksFeeds

    /// Creates the app; connects nothing before ``enterForeground()``.
    ///
    /// - Parameter server: `http://host:port` of a Livetape server whose simulated price stream is
    ///   used; nil or an invalid address uses the real one.
    public convenience init(server: String? = nil) {
      let hub = FeedHub(
        venues: StocksApplication.connection(server: server).map { [$0] } ?? [],
        group: MultiThreadedEventLoopGroup.singleton, logger: Logger(label: "livetape.stocks"))
      self.init(feeds: .live(hub))
    }

    init(feeds: StocksFeeds, locale: Locale = .current) {
      self.feeds = feeds
      rootViewController = UINavigationController(
        rootViewController: WatchListController(feeds: feeds, locale: locale))
    }

    /// Connects at once.
    public func enterForeground() { feeds.start() }

    /// Closes the connection in good order, since the system would cut its sockets.
    ///
    /// Prices stay, marked as disconnected.
    public func enterBackground() { feeds.stop() }

    /// The address and protocol; nil only if the address in the source were invalid.
    static func connection(server: String?) -> VenueConfiguration? {
      let simulated = server.flatMap { try? Endpoint($0) }
        .flatMap { VenueAddress.simulated(.isin, at: $0) }
      return (simulated ?? .published(.isin))?.connection()
    }
  }
#endif
