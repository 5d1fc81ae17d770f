import MarketModel
import OrderMatching

/// The best levels of a market that a venue has published, best first, in ticks and lots.
struct TopLevels: Sendable, Equatable {
  private(set) var bids: [BookLevel]
  private(set) var asks: [BookLevel]

  init(_ market: SimulatedInstrument, depth: Int) {
    bids = market.levels(.buy, limit: depth)
    asks = market.levels(.sell, limit: depth)
  }

  /// The same book with fewer levels.
  func cut(to depth: Int) -> TopLevels {
    var copy = self
    copy.bids = Array(bids.prefix(depth))
    copy.asks = Array(asks.prefix(depth))
    return copy
  }

  /// Whether prices and sizes are the same.
  func shows(_ other: TopLevels) -> Bool {
    func isSame(_ one: [BookLevel], _ other: [BookLevel]) -> Bool {
      one.elementsEqual(other) { $0.price == $1.price && $0.quantity == $1.quantity }
    }
    return isSame(bids, other.bids) && isSame(asks, other.asks)
  }

  /// The changes that lead to `new`, each side best first; a quantity of 0 removes a level.
  ///
  /// Levels that leave at the far end are removed by name as well.
  func changes(to new: TopLevels) -> (bids: [BookLevel], asks: [BookLevel]) {
    (
      Self.changes(from: bids, to: new.bids) { $0 > $1 },
      Self.changes(from: asks, to: new.asks) { $0 < $1 }
    )
  }

  /// The same with the changes from other states, each level once.
  func changes(
    to new: TopLevels, alsoFrom others: [TopLevels]
  ) -> (bids: [BookLevel], asks: [BookLevel]) {
    var (bids, asks) = changes(to: new)
    for other in others {
      let (moreBids, moreAsks) = other.changes(to: new)
      bids += moreBids.filter { level in !bids.contains { $0.price == level.price } }
      asks += moreAsks.filter { level in !asks.contains { $0.price == level.price } }
    }
    return (bids.sorted { $0.price > $1.price }, asks.sorted { $0.price < $1.price })
  }

  private static func changes(
    from old: [BookLevel], to new: [BookLevel], isBetter: (Int64, Int64) -> Bool
  ) -> [BookLevel] {
    var changes: [BookLevel] = []
    var (left, right) = (0, 0)
    while left < old.count || right < new.count {
      let isNew =
        right < new.count
        && (left == old.count || isBetter(new[right].price.units, old[left].price.units))
      if isNew {
        changes.append(new[right])
        right += 1
      } else if right < new.count, old[left].price == new[right].price {
        if old[left].quantity != new[right].quantity { changes.append(new[right]) }
        (left, right) = (left + 1, right + 1)
      } else {
        changes.append(BookLevel(price: old[left].price, quantity: .zero, orders: 0))
        left += 1
      }
    }
    return changes
  }
}

/// A spot pair of a simulated venue: its market, and how its ticks and lots are written.
struct SpotPair: Sendable {
  /// "BTC-USDT", "BTCUSDT".
  let symbol: String
  let base: String
  let quote: String
  let pricePrecision: Scale
  /// One lot in units of 10^-8.
  let lotUnits: Int64
  var listing: MarketListing

  static let quantityPrecision = Scale(clamping: 8)
  /// A dollar's tether, which moves a little.
  private static let tether = Underlying(name: "USDT", volatility: 300)

  /// The most active coins in tethers, with this text between the currencies of a symbol and about
  /// `levels` levels a side.
  ///
  /// Their values are the same at every venue; each venue has its own agents, so that its prices
  /// differ a little from those of the others.
  ///
  /// `lots` has other lots by base currency, in units of 10^-8.
  ///
  /// `past` has the past trades a minute, and a trade's mean size in 100 captured contracts.
  /// `gap` is in percent of the captured gap, `size` in lots for about 111 dollars.
  static func tethered(
    at venue: Venue, separator: String, levels: Int, lots: [String: Int64] = [:]
  ) -> [SpotPair] {
    func pair(
      _ base: String, _ price: UInt8, _ underlying: Underlying, start: Int64, past: (Int64, Int64),
      gap: Int64, lot: Int64, size: Int64
    ) -> SpotPair {
      let symbol = base + separator + "USDT"
      let step = lots[base] ?? lot
      return SpotPair(
        symbol: symbol, base: base, quote: "USDT", pricePrecision: Scale(clamping: price),
        lotUnits: step,
        listing: .deep(
          "\(venue) \(symbol)", underlying, pricedIn: tether, startTicks: start,
          perMinute: past.0, hundreds: past.1,
          DepthProfile(
            levels: .init(bids: levels, asks: levels), reach: 300, gapPercent: gap,
            lotsPerHundred: size * lot / step)))
    }
    return [
      pair("BTC", 1, .bitcoin, start: 642_009, past: (95, 120), gap: 220, lot: 10, size: 17_286),
      pair("ETH", 2, .ether, start: 184_618, past: (90, 80), gap: 330, lot: 100, size: 60_112),
      pair("SOL", 2, .solana, start: 14_215, past: (35, 77), gap: 600, lot: 10_000, size: 7_807),
      pair(
        "XRP", 4, Underlying(name: "XRP", volatility: 75_000), start: 22_838, past: (40, 76),
        gap: 700, lot: 1_000_000, size: 4_859),
      pair(
        "DOGE", 5, Underlying(name: "DOGE", volatility: 90_000), start: 16_729, past: (35, 77),
        gap: 900, lot: 10_000_000, size: 6_634),
      pair(
        "SHIB", 8, Underlying(name: "SHIB", volatility: 95_000), start: 12_405, past: (5, 123),
        gap: 1500, lot: 100_000_000, size: 8_947_000),
      // Not in the catalogue: found in the venue's list alone. Its value is that of Kraken's.
      pair(
        "LTC", 2, Underlying(name: "LTC", volatility: 110_000), start: 8_443, past: (8, 60),
        gap: 1800, lot: 100_000, size: 1_314),
    ]
  }

  func price(_ ticks: Int64) -> FixedDecimal {
    FixedDecimal(units: ticks, scale: pricePrecision).trimmed
  }

  /// The same in the base currency; a sum too large for eight decimals has fewer.
  func quantity(lots: Int64) -> FixedDecimal {
    let (units, overflow) = lots.multipliedReportingOverflow(by: lotUnits)
    if !overflow { return FixedDecimal(units: units, scale: Self.quantityPrecision).trimmed }
    let lot = FixedDecimal(units: lotUnits, scale: Self.quantityPrecision).trimmed
    return FixedDecimal(
      units: lots.multipliedReportingOverflow(by: lot.units).partialValue, scale: lot.scale)
  }

  func trueLevels(_ book: TopLevels) -> (bids: [TrueLevel], asks: [TrueLevel]) {
    func spelled(_ level: BookLevel) -> TrueLevel {
      TrueLevel(price: price(level.price.units), size: quantity(lots: level.quantity.units))
    }
    return (book.bids.map(spelled), book.asks.map(spelled))
  }

  /// The value of lots at an average price in thousandths of a tick, in the quote currency.
  func value(lots: Int64, average: Int64) -> FixedDecimal {
    let amount = quantity(lots: lots)
    let cents = roundedQuotient(
      amount.units.magnitude, times: average.magnitude,
      by: UInt64(powerOfTen(Int(min(18, amount.scale.digits + pricePrecision.digits)))))
    // Thousandths of the quote currency's unit.
    return FixedDecimal(units: cents ?? 0, scale: Scale(clamping: 3)).trimmed
  }
}
