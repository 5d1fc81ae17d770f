package import FeedConnections
package import Foundation
import HistoryStore
package import Logging
import MarketModel
package import NIOCore
import NIOPosix
import OrderLedger
import SimulatorHost

/// What the app runs on: the device, or a test's replacement.
@MainActor package struct AppEnvironment {
  /// The event loop of connections and of the built-in market.
  package var loop: any EventLoop
  /// Both clocks.
  package var clock: HubClock
  /// The folder of orders and candles.
  package var folder: URL
  /// The settings.
  package var preferences: any Preferences
  /// The access token's storage.
  package var vault: any TokenVault
  /// Receives phases and problems of connections.
  package var logger = Logger(label: "livetape")
  /// The seed of the built-in market, and of the waits before reconnecting.
  package var seed = UInt64.random(in: .min ... .max)

  /// Creates an environment.
  package init(
    folder: URL, preferences: any Preferences, vault: any TokenVault, loop: any EventLoop,
    clock: HubClock
  ) {
    (self.loop, self.clock, self.folder) = (loop, clock, folder)
    (self.preferences, self.vault) = (preferences, vault)
  }

  /// The device: files are in Application Support, which is backed up and hidden from the user.
  package static var device: AppEnvironment {
    let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
    let base = folders.first ?? FileManager.default.temporaryDirectory
    #if canImport(Security)
      let vault = KeychainTokenVault()
    #else
      let vault = MemoryTokenVault()
    #endif
    return AppEnvironment(
      folder: base.appendingPathComponent("Livetape"), preferences: StoredPreferences(),
      vault: vault, loop: MultiThreadedEventLoopGroup.singleton.next(), clock: .live)
  }

  /// One hub for all screens (PT6), with its venues started.
  ///
  /// Each source has its own folder, so that simulated and real orders don't mix.
  func model(of scope: AppScope, _ choice: MarketChoice) -> AppModel {
    let venues = VenueList(choice, for: scope)
    let token = TokenBox(vault.read())
    var seeds = SplitMix64(seed: seed)
    let market =
      venues.isBuiltIn
      ? BuiltInMarket(
        venues.addresses, seed: seeds.next(), clock: clock, on: loop, logger: logger) : nil
    let requests: any VenueAsking =
      market ?? VenueHTTP(venues.addresses, token: { token.token }, on: loop, logger: logger)
    let hub = FeedHub(
      venues: venues.connections(token: token.token, seed: seeds.next()), loop: loop,
      logger: logger, clock: clock, connector: market?.connector ?? SocketFeed.connector)
    let folder = folder.appendingPathComponent(choice.source.rawValue)
    let clock = clock
    let candles = CandleService(
      feeds: hub, addresses: venues.addresses, venues: requests,
      origin: venues.isBuiltIn ? .simulated : .venue, recorded: [],
      // The built-in market starts again with the app, and its history with it.
      store: venues.isBuiltIn
        ? nil : HistoryStore(folder: folder.path, now: { clock.now().wall }),
      clock: clock, logger: logger)
    let survey = SurveyService(
      feeds: hub, candles: candles, venues: requests, clock: clock, logger: logger)
    let feeds = FeedClient.live(
      hub: hub, candles: candles, survey: survey, venues: venues,
      products: ProductClient(of: .bux, asking: requests, on: loop), token: token, clock: clock)
    candles.start()
    hub.start()
    let file = folder.appendingPathComponent(OrderLedger.fileName)
    let model = AppModel(
      feeds: feeds, vault: vault, preferences: preferences,
      ledger: LedgerPlace(path: file.path, clock: clock.now), scope: scope)
    model.closed = venues.closed
    model.router.instrument = scope.firstMarket(closed: model.closed)
    if !venues.isBuiltIn {
      model.path = NetworkPath.observe { [weak model] in model?.changeNetwork() }
    }
    model.disconnect = {
      survey.shutdown()
      candles.shutdown()
      await hub.shutdown()
    }
    return model
  }
}
