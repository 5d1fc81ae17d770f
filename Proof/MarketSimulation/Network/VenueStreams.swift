import MarketModel

/// The streams behind what pages subscribe to, independent of the sessions' own tables, so that a
/// mistake there is found.
enum VenueStreams {
  /// The venue's own names of the needed streams, sorted.
  static func expected(of wanted: [Subscription], at venue: Venue) -> [String] {
    switch venue {
    case .kraken: return sorted(wanted.flatMap(kraken) + ["instrument"])
    case .bitmex: return sorted(wanted.flatMap(bitmex))
    default: return ["ticks"]
    }
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
