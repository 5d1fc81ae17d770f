public import MarketModel
import VenueCatalogue

/// A spot market that converts one currency into another.
public struct ConversionStep: Hashable, Sendable {
  /// The market.
  public let market: InstrumentKey
  /// The currency before.
  public let from: String
  /// The currency after.
  public let to: String
  /// Whether amounts are divided by the market's price, because ``from`` is its quote currency.
  public let isInverse: Bool
}

/// The listed markets that convert currencies.
enum ConversionRoute {
  /// Currencies in between, best first; the others follow by name.
  private static let preferred = ["USD", "EUR", "USDT", "USDC", "BTC", "ETH"]

  /// The shortest route in at most two steps; nil without one.
  ///
  /// Of several markets of a pair it takes that of the first listing. O(listed instruments).
  static func steps(
    from: String, to: String, in listings: [(venue: Venue, listing: VenueListing)]
  ) -> [ConversionStep]? {
    var (first, last): ([String: ConversionStep], [String: ConversionStep]) = ([:], [:])
    for (venue, listing) in listings {
      for item in listing.instruments where item.kind == .spot && item.isOpen {
        let market = InstrumentKey(venue, item.symbol)
        let isInverse = item.base == to || item.quote == from
        let (start, end) = isInverse ? (item.quote, item.base) : (item.base, item.quote)
        guard start != end, start == from || end == to, !start.isEmpty, !end.isEmpty,
          BookCatalogue.mayHold(market)
        else { continue }
        let step = ConversionStep(market: market, from: start, to: end, isInverse: isInverse)
        if start == from, first[end] == nil { first[end] = step }
        if end == to, last[start] == nil { last[start] = step }
      }
    }
    if let step = first[to] { return [step] }
    let between = first.keys.filter { last[$0] != nil }.min { rank($0) < rank($1) }
    return between.flatMap { first[$0] }.flatMap { step in last[step.to].map { [step, $0] } }
  }

  private static func rank(_ currency: String) -> (Int, String) {
    (preferred.firstIndex(of: currency) ?? preferred.count, currency)
  }
}
