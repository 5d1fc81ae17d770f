public import Combine
import AppState
import Foundation
package import MarketModel
import VenueCatalogue

/// State shared by all screens: feeds, navigation, number formatting and settings.
@MainActor public final class AppModel: ObservableObject {
  /// The feeds, shared by all screens.
  public let feeds: FeedClient
  /// The navigation state.
  public let router: Router
  /// Light, dark, or the system's theme.
  @Published public var theme: Theme {
    didSet { preferences.theme = theme }
  }

  package let scope: AppScope
  /// Whether orders can be placed.
  package var trades: Bool { scope.tabs.contains(.exchange) }
  private var hasMarkets: Bool { scope.tabs.contains(.market) }
  /// The number of open orders of all markets.
  @Published package private(set) var openOrders = 0
  /// The number of fired price alerts that the user has not seen.
  @Published package private(set) var newFirings = 0
  /// The owner, which replaces the model when the user chooses other markets.
  package weak var session: AppSession?
  /// Closes all connections for good.
  var disconnect: () async -> Void = {}
  /// Speaks to screen readers.
  package var announce: (String) -> Void = Announcement.post
  /// Runs work that must end before the app is suspended.
  var finish: (@escaping @Sendable () async -> Void) -> Void = BackgroundGrace.run
  /// Reports changes of the network; nil on the built-in market.
  var path: AnyCancellable?
  /// Venues that have closed permanently and have no address here; their markets are listed last.
  package var closed: Set<Venue> = []
  package let numbers = NumberTexts()
  package let charts: ChartCache
  package let trading: TradingStore
  package let alerts: AlertStore
  let vault: any TokenVault
  private var preferences: any Preferences
  private var phases: [Venue: ConnectionPhase] = [:]
  private var statuses: FeedClient.Observation?
  private var paused: Set<Venue>?

  /// How many times the token was replaced since launch.
  package private(set) var tokensSet = 0
  /// Whether the vault had a token at the last read.
  private var hasToken: Bool

  /// The most favourites there can be.
  static let maximumFavourites = 500

  /// The favourite markets.
  @Published package private(set) var favourites: Set<InstrumentKey>

  @Published package var reviewsOrders: Bool {
    didSet { preferences.reviewsOrders = reviewsOrders }
  }

  @Published package var measuresLatency: Bool {
    didSet {
      preferences.measuresLatency = measuresLatency
      trading.measuresLatency = measuresLatency
    }
  }

  /// The currency of the positions' total; nil for none.
  @Published package var totalCurrency: String? {
    didSet { preferences.totalCurrency = totalCurrency }
  }

  /// Creates the model; connects nothing and touches no file before ``open()``.
  public init(
    feeds: FeedClient, vault: any TokenVault, preferences: any Preferences, ledger: LedgerPlace,
    scope: AppScope = .full
  ) {
    (self.feeds, self.scope) = (feeds, scope)
    reviewsOrders = preferences.reviewsOrders
    measuresLatency = preferences.measuresLatency
    favourites = preferences.favourites
    totalCurrency = preferences.totalCurrency
    trading = TradingStore(symbol: ExchangeCatalogue.symbol, place: ledger, feeds: feeds)
    alerts = AlertStore(folder: ledger.folder, feeds: feeds, numbers: numbers)
    charts = ChartCache(feeds: feeds)
    self.vault = vault
    hasToken = vault.read() != nil
    self.preferences = preferences
    router = Router(tabs: scope.tabs)
    theme = preferences.theme
    trading.measuresLatency = measuresLatency
    trading.$orders.map(\.openCount).removeDuplicates().assign(to: &$openOrders)
    alerts.$unread.removeDuplicates().assign(to: &$newFirings)
    statuses = feeds.observeConnections { [weak self] status in
      self?.phases[status.venue] = status.phase
    }
  }

  /// Opens the orders and starts to record the exchange's chart.
  public func open() {
    if hasMarkets { alerts.open() }
    guard trades else { return }
    trading.open()
    exchangeChart?.open()
  }

  /// Closes orders and connections for good.
  func end() async {
    enterBackground()
    await trading.closed()
    await disconnect()
  }

  /// Adds a market to the favourites, or removes it; no effect beyond ``maximumFavourites``.
  package func toggleFavourite(_ market: InstrumentKey) {
    if favourites.remove(market) == nil {
      guard favourites.count < Self.maximumFavourites else { return }
      favourites.insert(market)
    }
    preferences.favourites = favourites
  }

  package var exchangeChart: ChartStore? {
    charts.chart(.exchange, ExchangeCatalogue.symbol)
  }

  /// Stores another token for products and uses it from now on (PD9); nil removes it.
  ///
  /// - Returns: a message for the user.
  package func replaceToken(_ token: String?) -> Sentence {
    if let token, AccessToken(token) == nil {
      return "This is no token: it may hold letters, digits and signs, but no spaces."
    }
    do throws(TokenVaultError) {
      try vault.write(token)
    } catch {
      return "The token could not be stored: the keychain answered \(error.status)."
    }
    use(token)
    return token == nil ? "The token is removed." : "The token is saved."
  }

  private func use(_ token: String?) {
    hasToken = token != nil
    tokensSet += 1
    feeds.useToken(token)
  }

  /// Handles the app's activation.
  ///
  /// An app that was started while the device was locked reads its token only now.
  public func becomeActive() {
    enterForeground()
    if !hasToken, let token = vault.read() { use(token) }
  }

  /// Closes the connections in good order when the app leaves the screen (PD8), since the system
  /// would cut the sockets.
  ///
  /// Venues that the user stopped are not restarted on return.
  public func enterBackground() {
    guard paused == nil else { return }
    let running = running
    paused = Set(running)
    running.forEach(feeds.stop)
    // The system may suspend the app and end it from here on without notice.
    trading.close()
    alerts.close()
    finish { [trading] in await trading.closed() }
  }

  /// Reconnects at once what was connected before.
  public func enterForeground() {
    guard let paused else { return }
    self.paused = nil
    if trades { trading.open() }
    if hasMarkets { alerts.open() }
    paused.sorted().forEach(feeds.resume)
  }

  /// Replaces the connections of the former network; those of an app in the background follow when
  /// it returns.
  func changeNetwork() {
    guard paused == nil else { return }
    running.sorted().forEach(feeds.resume)
  }

  /// Venues that are or should be connected.
  private var running: [Venue] {
    phases.filter { $0.value != .stopped && $0.value != .idle }.map(\.key)
  }
}
