// What all screens share: the feeds, where the person is, how numbers read, and the settings.

public import Combine
import AppState
import Foundation
import MarketModel
import VenueProtocols

/// What all screens share.
@MainActor public final class AppModel: ObservableObject {
  /// The feeds; one set for all screens.
  public let feeds: FeedClient
  /// Where the person is.
  public let router: Router
  /// Light, dark, or as the system has it.
  @Published public var theme: Theme {
    didSet { preferences.theme = theme }
  }

  /// Venues that are closed for good and have no address here; their markets come last.
  var closed: Set<Venue> = []
  let numbers = NumberTexts()
  let charts: ChartCache
  /// The person's orders.
  let trading: TradingStore
  let vault: any TokenVault
  private var preferences: any Preferences
  private var phases: [Venue: ConnectionPhase] = [:]
  private var statuses: FeedClient.Observation?
  private var paused: Set<Venue>?

  /// How often another token was put to use since the start.
  private(set) var tokensSet = 0
  /// Whether the vault had a token when it was read last.
  private var hasToken: Bool

  /// Whether an order is reviewed before it is placed.
  @Published var reviewsOrders: Bool {
    didSet { preferences.reviewsOrders = reviewsOrders }
  }

  /// Puts the parts together; nothing is connected yet, and no file is touched before ``open()``.
  public init(
    feeds: FeedClient, vault: any TokenVault, preferences: any Preferences, ledger: LedgerPlace
  ) {
    self.feeds = feeds
    reviewsOrders = preferences.reviewsOrders
    trading = TradingStore(symbol: ExchangeCatalogue.symbol, place: ledger, feeds: feeds)
    charts = ChartCache(feeds: feeds)
    self.vault = vault
    hasToken = vault.read() != nil
    self.preferences = preferences
    router = Router()
    theme = preferences.theme
    statuses = feeds.observeConnections { [weak self] status in
      self?.phases[status.venue] = status.phase
    }
  }

  /// The app is on screen: its orders are opened, and the exchange's chart records from now on.
  public func open() {
    trading.open()
    exchangeChart?.open()
  }

  /// The chart of the exchange's stock.
  var exchangeChart: ChartStore? {
    charts.chart(.exchange, ExchangeCatalogue.symbol)
  }

  /// Keeps another token for products and uses it from now on (PD9); nil forgets it.
  ///
  /// - Returns: what came of it, for people.
  func replaceToken(_ token: String?) -> String {
    if let token, AccessToken(token) == nil {
      return "This is no token: it may hold letters, digits and signs, but no spaces."
    }
    do throws(TokenVaultError) {
      try vault.write(token)
    } catch {
      return "The token could not be kept: \(error.description)."
    }
    use(token)
    return token == nil ? "The token is removed." : "The token is saved."
  }

  private func use(_ token: String?) {
    hasToken = token != nil
    tokensSet += 1
    feeds.useToken(token)
  }

  /// The app is in front.
  ///
  /// Started while the device was locked, it could not read its token; now it can.
  public func becomeActive() {
    enterForeground()
    if !hasToken, let token = vault.read() { use(token) }
  }

  /// The app left the screen (PD8): the system will cut its sockets off anyway, so they are closed
  /// in good order.
  ///
  /// Venues that the person had stopped are not started again on return.
  public func enterBackground() {
    guard paused == nil else { return }
    let running = phases.filter { $0.value != .stopped && $0.value != .idle }.map(\.key)
    paused = Set(running)
    running.forEach(feeds.stop)
    // The system may end the app from here on without another word.
    trading.close()
  }

  /// The app is back: what was connected before is connected again, at once.
  public func enterForeground() {
    guard let paused else { return }
    self.paused = nil
    trading.open()
    paused.sorted().forEach(feeds.start)
  }
}
