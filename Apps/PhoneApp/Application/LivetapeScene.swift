import AppState
import FeedConnections
import Foundation
import HistoryStore
import Logging
import MarketModel
import NIOPosix
public import SwiftUI
import VenueCatalogue

/// The app's window with everything behind it; an app target's `App` holds one `LivetapeScene`.
public struct LivetapeScene: Scene {
  @StateObject private var model: AppModel

  /// Creates the window.
  ///
  /// - Parameters:
  ///   - server: a Livetape server whose simulated venues are used; nil for the real ones.
  ///   - exchange: the exchange's tick feed, "tcp://host:port"; nil for no exchange.
  ///   - ledger: the orders' file.
  public init(
    server: String? = nil, exchange: String? = nil, ledger: LedgerPlace = .standard
  ) {
    let venues = (server.map { VenueList.simulated(at: $0) } ?? .real).with(exchange: exchange)
    _model = StateObject(wrappedValue: AppModel.live(venues: venues, ledger: ledger))
  }

  /// The window.
  public var body: some Scene {
    WindowGroup { RootView(model: model) }
  }
}

extension AppModel {
  /// One hub for all screens (PT6), with its venues started.
  static func live(venues: VenueList, ledger: LedgerPlace) -> AppModel {
    let vault = makeVault()
    let token = TokenBox(vault.read())
    let group = MultiThreadedEventLoopGroup.singleton
    var seeds = SystemRandomNumberGenerator()
    let hub = FeedHub(
      venues: venues.connections(token: token.token, seed: seeds.next()), group: group,
      logger: Logger(label: "livetape"))
    let products = venues.products(token: { token.token }, group: group)
    // Next to the orders, in a separate file.
    let folder = URL(fileURLWithPath: ledger.path).deletingLastPathComponent().path
    let candles = CandleService(
      feeds: hub, addresses: venues.addresses, origin: .venue, recorded: [],
      store: HistoryStore(folder: folder, now: { ledger.clock().wall }),
      logger: Logger(label: "livetape"))
    let feeds = FeedClient.live(
      hub: hub, candles: candles, venues: venues, products: products, token: token)
    candles.start()
    hub.start()
    let model = AppModel(
      feeds: feeds, vault: vault, preferences: StoredPreferences(), ledger: ledger)
    model.closed = venues.closed
    // Show a market of an open venue first.
    model.router.instrument = BookCatalogue.instruments(closed: model.closed).first?.symbol
    return model
  }

  private static func makeVault() -> any TokenVault {
    #if canImport(Security)
      KeychainTokenVault()
    #else
      MemoryTokenVault()
    #endif
  }
}
