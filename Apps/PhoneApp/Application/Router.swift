// Where the person is: the tab in front and the screens on top of each tab's first. Links from
// outside end here (PT7).

public import AppState
public import Combine
public import MarketModel
import VenueProtocols

/// A part of the app, with a tab of its own.
public enum AppTab: Hashable, Sendable {
  /// The price tracker.
  case tracker
  /// Chart, order book and recent trades.
  case market
  /// The one-stock exchange and the orders there.
  case exchange
  /// Product details.
  case products
  /// What the person can set.
  case settings
}

/// Where the person is.
@MainActor public final class Router: ObservableObject {
  /// The tab in front.
  @Published public var tab = AppTab.tracker
  /// The screens on top of the price tracker's feed.
  @Published public var tracker: [Route] = []
  /// The screens on top of the product chooser.
  @Published public var products: [Route] = []
  /// The screens on top of the exchange.
  @Published public var exchange: [Route] = []
  /// The screens on top of the market.
  @Published public var markets: [Route] = []
  /// The instrument whose chart, book and trades are shown.
  @Published public var instrument = BookCatalogue.instruments.first?.symbol
  /// Which of the instrument's lists is in front.
  @Published public var market = MarketTab.book
  /// A link that leads nowhere, until the person has read that it does.
  @Published public var isLost = false

  /// Starts at the price tracker's feed.
  public init() {}

  /// Goes where a link leads; the app may just have been started by it, or be anywhere.
  public func open(link: String) { go(to: DeepLink.route(link: link)) }

  /// Goes to a place; screens on top of it are closed.
  public func go(to route: Route) {
    isLost = false
    switch route {
    case .feed: (tab, tracker) = (.tracker, [])
    case .symbol: (tab, tracker) = (.tracker, [route])
    case .products: (tab, products) = (.products, [])
    case .product: (tab, products) = (.products, [route])
    case .markets: (tab, markets) = (.market, [.markets])
    case .book(let symbol): show(symbol, .book)
    case .trades(let symbol): show(symbol, .trades)
    case .chart(let symbol) where symbol == ExchangeCatalogue.symbol: go(to: .exchange)
    case .chart(let symbol): show(symbol, .chart)
    case .exchange: (tab, exchange) = (.exchange, [])
    case .orders: (tab, exchange) = (.exchange, [.orders])
    // The watch list is not part of this app; the person is told, not left on some other screen.
    case .stocks, .notFound: isLost = true
    }
  }

  private func show(_ symbol: Symbol, _ list: MarketTab) {
    (tab, instrument, market, markets) = (.market, symbol, list, [])
  }
}

/// What there is of an instrument, in the order of their tabs (OB2).
public enum MarketTab: String, CaseIterable, Hashable, Sendable {
  /// The price chart.
  case chart
  /// The best bids and asks.
  case book
  /// The latest trades.
  case trades

  /// Its name for people.
  var name: String {
    switch self {
    case .chart: "Chart"
    case .book: "Order Book"
    case .trades: "Recent Trades"
    }
  }
}
