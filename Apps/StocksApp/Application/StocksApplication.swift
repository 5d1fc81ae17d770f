#if canImport(UIKit)
  import AppState
  import Combine
  package import FeedConnections
  package import Foundation
  import Logging
  import MarketModel
  package import NIOCore
  import NIOPosix
  import SimulatorHost
  public import UIKit

  /// The watch list with everything behind it; a scene shows `rootViewController` and reports
  /// foreground changes.
  @MainActor public final class StocksApplication {
    /// Fills the window: the choice of markets, and on top of it the watchlist.
    public let rootViewController: UIViewController
    private var feeds: StocksFeeds?
    private var isInFront = false
    private var path: AnyCancellable?

    /// Creates the app on the device; connects nothing before ``enterForeground()``.
    public convenience init() {
      let store = UserDefaults.standard
      self.init(
        choice: { MarketChoice(reading: store.string) },
        keep: { $0.store { store.set($1, forKey: $0) } },
        loop: MultiThreadedEventLoopGroup.singleton.next(), clock: .live, locale: .current)
      path = NetworkPath.observe { [weak self] in self?.changeNetwork() }
    }

    /// Creates the app with its stored choice of markets and the event loop of its connection.
    package init(
      choice: @escaping () -> MarketChoice?, keep: @escaping (MarketChoice) -> Void,
      loop: any EventLoop, clock: HubClock, locale: Locale
    ) {
      let chooser = MarketListController()
      let navigation = UINavigationController(rootViewController: chooser)
      rootViewController = navigation
      let show = { [weak self, weak chooser, weak navigation] (choice: MarketChoice) in
        guard let address = try? choice.address(of: .isin) else {
          chooser?.navigationItem.prompt = Locale.current.text(
            "Enter an address in the Settings app.")
          return
        }
        keep(choice)
        let feeds = StocksFeeds.live(
          StocksApplication.hub(address, choice.source, loop, clock), clock: clock)
        self?.follow(feeds)
        navigation?.pushViewController(
          WatchListController(feeds: feeds, locale: locale), animated: true)
      }
      chooser.choose = { source in
        var next = choice() ?? MarketChoice(source)
        next.source = source
        show(next)
      }
      if let choice = choice() { show(choice) }
    }

    init(feeds: StocksFeeds, locale: Locale = .current) {
      self.feeds = feeds
      rootViewController = UINavigationController(
        rootViewController: WatchListController(feeds: feeds, locale: locale))
    }

    private static func hub(
      _ address: VenueAddress, _ source: MarketChoice.Source, _ loop: any EventLoop,
      _ clock: HubClock
    ) -> FeedHub {
      let logger = Logger(label: "livetape.stocks")
      let market =
        source == .builtIn
        ? BuiltInMarket(
          [address], seed: .random(in: 0 ... .max), clock: clock, on: loop,
          logger: logger) : nil
      return FeedHub(
        venues: [address.connection()], loop: loop, logger: logger, clock: clock,
        connector: market?.connector ?? SocketFeed.connector)
    }

    private func follow(_ feeds: StocksFeeds) {
      self.feeds?.stop()
      self.feeds = feeds
      if isInFront { feeds.resume() }
    }

    /// Connects at once.
    public func enterForeground() {
      isInFront = true
      feeds?.resume()
    }

    /// Replaces the connection of the former network.
    func changeNetwork() { if isInFront { feeds?.resume() } }

    /// Closes the connection in good order, since the system would cut its sockets.
    ///
    /// Prices stay, marked as disconnected.
    public func enterBackground() {
      isInFront = false
      feeds?.stop()
    }
  }
#endif
