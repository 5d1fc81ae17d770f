public import AppState
public import Combine
public import MarketModel
public import PaperTrading
import VenueCatalogue

/// A tab of the app.
public enum AppTab: Hashable, Sendable {
  case tracker
  /// Chart, order book and recent trades.
  case market
  /// The one-stock exchange and its orders.
  case exchange
  case products
  case settings
}

/// A screen above the exchange or a ticket.
public enum OrdersPlace: Hashable, Sendable {
  /// The order history.
  case orders
  /// An order's receipt.
  case order(OrderIdentifier)
}

extension Route {
  /// The tab of a route; nil when the app has none.
  fileprivate var tab: AppTab? {
    switch self {
    case .feed, .symbol: .tracker
    case .products, .product: .products
    case .chart(ExchangeCatalogue.symbol), .exchange, .orders: .exchange
    case .markets, .asset, .book, .trades, .chart: .market
    case .stocks, .notFound: nil
    }
  }
}

/// Navigation state: the selected tab and each tab's screens.
///
/// Links from outside end here (PT7).
@MainActor public final class Router: ObservableObject {
  /// The selected tab.
  @Published public var tab: AppTab
  /// The screens pushed on the price tracker's feed.
  @Published public var tracker: [Route] = []
  /// The screens pushed on the product chooser.
  @Published public var products: [Route] = []
  /// The screens pushed on the exchange.
  @Published public var exchange: [OrdersPlace] = []
  /// The screens pushed on the market.
  @Published public var markets: [Route] = []
  /// The instrument whose chart, book and trades are shown.
  @Published public var instrument = AppScope.full.firstMarket()
  /// The instrument's selected tab.
  @Published public var market = MarketTab.book
  /// Whether an unknown link was opened and its notice is not dismissed yet.
  @Published public var isLost = false

  private let tabs: [AppTab]
  /// Whether a link was opened since the start.
  private var isLinked = false

  /// Starts at the first of the app's tabs; by default at the price tracker's feed.
  public init(tabs: [AppTab] = [.tracker, .products, .market, .exchange, .settings]) {
    self.tabs = tabs
    tab = tabs.first ?? .settings
  }

  /// Opens a link, in whatever state the app is.
  public func open(link: String) {
    isLinked = true
    let route = DeepLink.route(link: link)
    if tabs.contains(where: { $0 == route.tab }) { go(to: route) } else { isLost = true }
  }

  /// The current instrument and place as links, to be restored when the system has ended the app.
  package var place: String {
    [shown?.link, current?.link].compactMap(\.self).joined(separator: "\n")
  }

  /// Returns to a stored place, unless a link has been opened.
  package func restore(_ place: String) {
    guard !isLinked, !place.isEmpty else { return }
    let former = tab
    for link in place.split(separator: "\n") {
      let route = DeepLink.route(link: String(link))
      if tabs.contains(where: { $0 == route.tab }) { go(to: route) }
    }
    if place == shown?.link { tab = former }
  }

  /// The screen on top; nil for Settings, which is not restored.
  private var current: Route? {
    switch tab {
    case .tracker: tracker.last ?? .feed
    case .products: products.last ?? .products
    case .market: markets.last ?? shown
    case .exchange: exchange.isEmpty ? .exchange : .orders
    case .settings: nil
    }
  }

  private var shown: Route? {
    guard let instrument else { return nil }
    return switch market {
    case .chart: .chart(instrument)
    case .book: .book(instrument)
    case .trades: .trades(instrument)
    }
  }

  /// Opens a route and closes the screens above it.
  public func go(to route: Route) {
    isLost = false
    switch route {
    case .feed: (tab, tracker) = (.tracker, [])
    case .symbol: (tab, tracker) = (.tracker, [route])
    case .products: (tab, products) = (.products, [])
    case .product: (tab, products) = (.products, [route])
    case .markets, .asset: (tab, markets) = (.market, [route])
    case .book(let symbol): show(symbol, .book)
    case .trades(let symbol): show(symbol, .trades)
    case .chart(let symbol) where symbol == ExchangeCatalogue.symbol: go(to: .exchange)
    case .chart(let symbol): show(symbol, .chart)
    case .exchange: (tab, exchange) = (.exchange, [])
    case .orders: (tab, exchange) = (.exchange, [.orders])
    // The watch list is not part of this app; the user gets a notice.
    case .stocks, .notFound: isLost = true
    }
  }

  private func show(_ symbol: Symbol, _ list: MarketTab) {
    (tab, instrument, market, markets) = (.market, symbol, list, [])
  }
}

/// An instrument's tabs in their order (OB2).
public enum MarketTab: String, CaseIterable, Hashable, Sendable {
  case chart
  case book
  case trades

  /// The label in the interface.
  package var name: Sentence {
    switch self {
    case .chart: "Chart"
    case .book: "Order Book"
    case .trades: "Recent Trades"
    }
  }
}
