// What an app target needs: its `App` holds one `LivetapeScene` and nothing else.

import AppState
import FeedConnections
import Foundation
import HistoryStore
import Logging
import MarketModel
import NIOPosix
public import SwiftUI
import VenueProtocols

/// The window of the app, with everything behind it.
public struct LivetapeScene: Scene {
  @StateObject private var model: AppModel

  /// Makes the window.
  ///
  /// - Parameters:
  ///   - server: a Livetape server whose simulated venues are used instead of the real ones; nil
  ///     for the real ones.
  ///   - exchange: the tick feed of the exchange, "tcp://host:port"; nil where there is none.
  ///   - ledger: where orders are kept.
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
  /// The app with sockets: one hub for all its screens (PT6), its venues started.
  static func live(venues: VenueList, ledger: LedgerPlace) -> AppModel {
    let vault = makeVault()
    let token = TokenBox(vault.read())
    let group = MultiThreadedEventLoopGroup.singleton
    var seeds = SystemRandomNumberGenerator()
    let hub = FeedHub(
      venues: venues.connections(token: token.token, seed: seeds.next()), group: group,
      logger: Logger(label: "livetape"))
    let products = venues.products(token: { token.token }, group: group)
    // Beside the orders, in a file of its own.
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
    // A market that lives is looked at first.
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
