import MarketModel

/// The streams behind what pages subscribe to, independent of the sessions' own tables, so that a
/// mistake there is found.
enum VenueStreams {
  /// The venue's own names of the needed streams, sorted.
  static func expected(of wanted: [Subscription], at venue: Venue) -> [String] {
    switch venue {
    case .kraken: return sorted(wanted.flatMap(kraken) + ["instrument"])
    case .bitmex: return sorted(wanted.flatMap(bitmex))
    case .coinbase:
      return sorted(wanted.flatMap { named(["book"], "trade", "ticker", $0, also: "status") })
        .sorted(with: "heartbeats")
    case .okx:
      return sorted(wanted.flatMap { named(["books", "bbo-tbt"], "trades", "tickers", $0) })
        .sorted(with: "status")
    case .bybit, .bybitLinear:
      return sorted(
        wanted.flatMap { named(["orderbook.50", "orderbook.1"], "publicTrade", "tickers", $0) })
    case .binance:
      return sorted(
        wanted.flatMap { named(["depth@100ms", "bookTicker"], "trade", "ticker", $0) })
    default: return ["ticks"]
    }
  }

  private static func named(
    _ book: [String], _ trades: String, _ figures: String, _ subscription: Subscription,
    also details: String? = nil
  ) -> [String] {
    let channels =
      switch subscription.channel {
      case .book: book
      case .trades: [trades]
      case .quote: book + [trades]
      case .figures: [figures]
      case .listing: [String]()
      }
    return (channels + [details].compactMap(\.self)).map { "\($0) \(subscription.symbol)" }
  }

  private static func kraken(_ subscription: Subscription) -> [String] {
    let symbol = subscription.symbol.text
    return switch subscription.channel {
    case .book: ["book \(symbol)"]
    case .trades: ["trade \(symbol)"]
    case .quote: ["book \(symbol)", "trade \(symbol)"]
    case .figures: ["ticker \(symbol)"]
    case .listing: []
    }
  }

  private static func bitmex(_ subscription: Subscription) -> [String] {
    let symbol = subscription.symbol.text
    let tables =
      switch subscription.channel {
      case .book: ["orderBookL2", "orderBookL2_25", "instrument"]
      case .trades: ["trade", "instrument"]
      case .quote: ["quote", "trade", "instrument"]
      case .figures, .listing: [String]()
      }
    return tables.map { "\($0):\(symbol)" }
  }

  private static func sorted(_ streams: [String]) -> [String] { Set(streams).sorted() }
}

extension [String] {
  /// The same with one more, sorted.
  fileprivate func sorted(with other: String) -> [String] { (self + [other]).sorted() }
}
