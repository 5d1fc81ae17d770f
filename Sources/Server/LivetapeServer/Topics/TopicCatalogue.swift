import AppState
package import MarketModel
import MarketStreams
import VenueCatalogue

/// Maps topics' names to screens.
package struct TopicCatalogue: Sendable {
  let make: @Sendable (String) -> (any TopicScreen)?

  func screen(for topic: String) -> (any TopicScreen)? { make(topic) }

  /// The screens of `AppState`, for data of `origin` until a venue reports another.
  ///
  /// Instruments of open venues come before those of `closed` ones.
  package static func screens(
    origin: DataOrigin, closed: [Venue: Sentence] = [:]
  ) -> TopicCatalogue {
    let books = BookCatalogue.instruments(closed: Set(closed.keys))
    return TopicCatalogue { topic in
      if topic.hasPrefix(ScriptSubject.prefix) {
        return ScriptSubject(topic: topic)?.screen(origin: origin, closed: closed)
      }
      let parts = topic.split(
        separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      guard let kind = parts.first else { return nil }
      if kind == "ticket", parts.count == 2 {
        return InstrumentKey(text: String(parts[1])).flatMap {
          MarketTicketScreen($0, origin: origin)
        }.map { HostedScreen($0) }
      }
      return parts.count == 1
        ? fixed(String(kind), origin, closed, books)
        : named(String(kind), String(parts[1]), origin, Set(closed.keys))
    }
  }

  private static func fixed(
    _ kind: String, _ origin: DataOrigin, _ closed: [Venue: Sentence], _ books: [BookInstrument]
  ) -> (any TopicScreen)? {
    switch kind {
    case "status":
      HostedScreen(StatusScreen(closed: closed), action: { $0.venue.map { .retry($0) } })
    case "feed": HostedScreen(FeedScreen(origin: origin), action: feedAction)
    case "stocks": ValueTopic(value: WatchListState())
    case "products": ValueTopic(value: ProductChooserState())
    case "orders": HostedScreen(OrdersScreen(), others: [.orders])
    case "openOrders":
      HostedScreen(OrdersScreen(), others: [.orders], encode: { $0.openPage })
    case "positions":
      HostedScreen(PositionsScreen(symbol: ExchangeCatalogue.symbol), others: [.positions])
    case "markets": MarketsTopic(MarketListScreen(closed: Set(closed.keys), origin: origin))
    case "survey": SurveyTopic()
    case "books": ValueTopic(value: BookChooserState(books))
    case "exchange":
      HostedScreen(ExchangeScreen(symbol: ExchangeCatalogue.symbol, origin: origin))
    default: nil
    }
  }

  private static func named(
    _ kind: String, _ name: String, _ origin: DataOrigin, _ closed: Set<Venue>
  ) -> (any TopicScreen)? {
    if kind == "product" {
      return HostedScreen(
        ProductScreen(identifier: name, origin: origin),
        action: { $0 == .retryProduct ? .retry : nil })
    }
    if kind == "chart" { return chart(name, origin) }
    if kind == "figures" {
      return InstrumentKey(text: name).flatMap { FiguresScreen($0, origin: origin) }.map {
        HostedScreen($0)
      }
    }
    if kind == "book" { return book(name, origin, closed) }
    if kind == "asset" {
      return AssetScreen(topic: name, origin: origin, closed: closed).map { HostedScreen($0) }
    }
    if kind == "conversion" {
      return ConversionScreen(currency: name, origin: origin, closed: closed).map {
        HostedScreen($0, others: [.positions])
      }
    }
    if kind == "truth" {
      return InstrumentKey(text: name).map { _ in TruthTopic(record: nil) }
    }
    guard let symbol = Symbol(name) else { return nil }
    switch kind {
    case "symbol": return HostedScreen(SymbolScreen(symbol: symbol, origin: origin))
    case "stock":
      return WatchRowScreen(isin: symbol, origin: origin).map { HostedScreen($0) }
    case "trades": return HostedScreen(TradesScreen(symbol: symbol, origin: origin, closed: closed))
    default: return nil
    }
  }

  /// "XBTUSD", or "XBTUSD?group=25" for rows of 25 ticks.
  private static func book(
    _ name: String, _ origin: DataOrigin, _ closed: Set<Venue>
  ) -> (any TopicScreen)? {
    let parts = name.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let symbol = Symbol(String(parts[0])) else { return nil }
    guard parts.count > 1 else {
      return hosted(BookScreen(symbol: symbol, origin: origin, closed: closed))
    }
    let prefix = "group="
    let digits = parts[1].dropFirst(prefix.count)
    guard parts[1].hasPrefix(prefix), digits.utf8.count <= 7, digits.first != "0",
      digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let grouping = Int64(digits).flatMap(PriceGrouping.init(ticks:))
    else { return nil }
    return hosted(BookScreen(symbol: symbol, grouping: grouping, origin: origin, closed: closed))
  }

  private static func hosted(_ book: BookScreen) -> any TopicScreen {
    HostedScreen(book, truth: { $0.truth })
  }

  private static func chart(_ name: String, _ origin: DataOrigin) -> (any TopicScreen)? {
    InstrumentKey(text: name)
      .flatMap { ChartScreen(venue: $0.venue, symbol: $0.symbol, origin: origin) }
      .map { HostedScreen($0) }
  }

  private static func feedAction(_ action: TopicAction) -> FeedScreen.Action? {
    switch action {
    case .startFeed: .start
    case .stopFeed: .stop
    default: nil
    }
  }
}

extension TopicAction {
  var venue: Venue? {
    if case .retryVenue(let venue) = self { return venue }
    return nil
  }
}
