// What trades in the simulated market: the things that have a value, and the instruments that are
// quoted in them. Everybody who shows one of these shows the same.

import MarketModel
import OrderMatching

/// Something with a value: every instrument on it follows one path.
struct Underlying: Sendable, Hashable {
  /// What its path is seeded by.
  let name: String
  /// The deviation of a second's change, in 10^-9 of the price.
  let volatility: Int64

  static let bitcoin = Underlying(name: "BTC", volatility: 40_000)
  static let ether = Underlying(name: "ETH", volatility: 55_000)
  static let solana = Underlying(name: "SOL", volatility: 90_000)
  static let euro = Underlying(name: "EUR/USD", volatility: 15_000)

  /// What a euro costs at the start, in 10^-5 dollars: a stock costs 92 % of its dollars.
  static let euroRate: Int64 = 108_696

  /// A stock of which little is known: lively, so that there is something to see.
  static func stock(_ name: String) -> Underlying { Underlying(name: name, volatility: 100_000) }

  /// The path of a seed's world.
  func path(seed: UInt64) -> PricePath {
    PricePath(seed: SeedText.seed(seed, "path " + name), volatility: volatility)
  }
}

/// One instrument of the simulated market.
struct MarketListing: Sendable {
  /// How its book goes on in time.
  enum Continuity: Sendable {
    /// The book is quoted anew in every session of so many seconds, after a few seconds that nobody
    /// sees: its state at any time takes one session's work, whoever has watched before.
    case sessions(seconds: Int64)
    /// One book from the start on, opened anew only after a pause of the host.
    case unbroken
  }

  /// Equal keys are one instrument: their markets are equal at any time.
  let key: String
  /// The value that it follows.
  let underlying: Underlying
  /// What it is priced in, where that moves as well.
  var pricedIn: Underlying?
  /// Its price at the start, in ticks.
  let startTicks: Int64
  /// Who trades in it.
  let profile: MarketProfile
  /// How its book goes on.
  let continuity: Continuity
  /// How lively it was while nobody watched; only deep books have a tape.
  var activity = TradingActivity(tradesPerThousandMinutes: 1000, meanLots: 1)

  /// A deep book.
  ///
  /// `perMinute` and `hundreds` are its past's: trades a minute, and a trade's mean size in 100
  /// captured contracts.
  static func deep(
    _ key: String, _ underlying: Underlying, pricedIn: Underlying? = nil, startTicks: Int64,
    perMinute: Int64, hundreds: Int64, _ profile: DepthProfile
  ) -> MarketListing {
    MarketListing(
      key: key, underlying: underlying, pricedIn: pricedIn, startTicks: startTicks,
      profile: .deep(profile), continuity: .unbroken,
      activity: TradingActivity(
        tradesPerThousandMinutes: perMinute * 1000, meanLots: hundreds * profile.lotsPerHundred))
  }

  /// The same instrument with a slower and smaller market, and so another path of its book:
  /// `factor` times as long from one step to the next, and at most so many levels a side.
  func slowed(by factor: Int64, levels: Int) -> MarketListing {
    guard case .deep(let deep) = profile else { return self }
    return MarketListing(
      key: key, underlying: underlying, pricedIn: pricedIn, startTicks: startTicks,
      profile: .deep(
        DepthProfile(
          levels: .init(
            bids: min(levels, deep.levels.bids), asks: min(levels, deep.levels.asks)),
          reach: deep.reach, gapPercent: deep.gapPercent * factor,
          lotsPerHundred: deep.lotsPerHundred, takerPercent: deep.takerPercent)),
      continuity: continuity, activity: activity)
  }

  /// A quoted market with a step every quarter of a second.
  static func quoted(_ key: String, _ underlying: Underlying, startTicks: Int64) -> MarketListing {
    MarketListing(
      key: key, underlying: underlying, startTicks: startTicks,
      profile: .quoted(stepMilliseconds: 250), continuity: .sessions(seconds: 60))
  }

  /// The value in a seed's world.
  func value(seed: UInt64) -> FundamentalValue {
    FundamentalValue(
      start: Price(units: startTicks), path: underlying.path(seed: seed),
      dividedBy: pricedIn?.path(seed: seed))
  }
}

/// The stocks that more than one venue shows, and what they cost in the currency they trade in.
struct SharedStock: Sendable {
  /// Its ISIN, which is also its key.
  let isin: String
  /// Whether it trades in dollars; in euros otherwise.
  let isInDollars: Bool
  /// Its price at the start, in cents.
  let startCents: Int64

  /// Its market.
  var listing: MarketListing { .quoted(isin, .stock(isin), startTicks: startCents) }

  /// Apple at BUX and in the price stream.
  static let apple = "US0378331005"
  /// Deutsche Bank at BUX and in the price stream.
  static let deutscheBank = "DE0005140008"

  /// The stocks, with the start prices that somebody knows better; those become the only thing that
  /// is said of a stock that is not listed here.
  static func all(startCents known: [String: Int64]) -> [SharedStock] {
    let listed = defaults.map { isin, cents in
      SharedStock(
        isin: isin, isInDollars: isin.hasPrefix("US"), startCents: known[isin] ?? cents)
    }
    let others = known.keys.sorted().filter { isin in !defaults.contains { $0.0 == isin } }
    return listed
      + others.map {
        SharedStock(isin: $0, isInDollars: $0.hasPrefix("US"), startCents: known[$0] ?? 0)
      }
  }

  private static let defaults: [(String, Int64)] = [
    (apple, 18_920), ("US5801351017", 29_140), (deutscheBank, 1_500), ("DE0007164600", 21_384),
    ("DE0007236101", 18_236), ("DE0008404005", 28_950), ("DE000BASF111", 4_521),
    ("DE0005557508", 2_718), ("DE000A1EWWW0", 21_740), ("FR0000121014", 61_330),
    ("FR0000120271", 5_872), ("FR0000131104", 6_118), ("NL0010273215", 68_450),
    ("CH0038863350", 8_965), ("GB0005405286", 831),
  ]
}
