package import MarketModel
import VenueCatalogue

/// The part of the app that an app target shows.
public enum AppScope: CaseIterable, Sendable {
  /// Everything.
  case full
  /// The one-stock exchange.
  case exchange
  /// Order book and recent trades.
  case orderBook
  /// Product details.
  case product
  /// The price tracker.
  case tracker

  /// The tabs in their order; the first is shown at the start.
  package var tabs: [AppTab] {
    switch self {
    case .full: [.tracker, .products, .market, .exchange, .settings]
    case .exchange: [.exchange, .settings]
    case .orderBook: [.market, .settings]
    case .product: [.products, .settings]
    case .tracker: [.tracker, .settings]
    }
  }

  /// The market that is shown first: that of the order book's brief while its venue is open, else
  /// BTC/USD, as on the page.
  func firstMarket(closed: Set<Venue> = []) -> Symbol? {
    let open = BookCatalogue.instruments(closed: closed)
    let pair = open.first { $0.venue == BookCatalogue.pairVenue && !closed.contains($0.venue) }
    return ((self == .orderBook ? nil : pair) ?? open.first)?.marketName
  }

  /// The venues with a screen here; the watchlist's stream belongs to the other app.
  package var venues: [Venue] {
    switch self {
    case .full: Venue.allCases.filter { $0 != .isin }
    case .exchange: [.exchange]
    case .orderBook: Venue.allCases.filter { !$0.descriptor.books.isEmpty }
    case .product: [.bux]
    case .tracker: [.echo]
    }
  }
}
