import MarketModel
import OrderMatching

/// A value that instruments follow: all instruments on it have one price path, at every venue.
struct Underlying: Sendable, Hashable {
  /// The seed of its path.
  let name: String
  /// The standard deviation of a second's change, in 10^-9 of the price.
  let volatility: Int64

  static let bitcoin = Underlying(name: "BTC", volatility: 40_000)
  static let ether = Underlying(name: "ETH", volatility: 55_000)
  static let solana = Underlying(name: "SOL", volatility: 90_000)
  static let euro = Underlying(name: "EUR/USD", volatility: 15_000)

  /// The start price of a euro, in 10^-5 dollars: a stock costs 92 % of its dollars.
  static let euroRate: Int64 = 108_696

  /// An unspecified stock: volatile, so that price changes are visible.
  static func stock(_ name: String) -> Underlying { Underlying(name: name, volatility: 100_000) }

  func path(seed: UInt64) -> PricePath {
    PricePath(seed: SeedText.seed(seed, "path " + name), volatility: volatility)
  }
}

struct MarketListing: Sendable {
  enum Continuity: Sendable {
    /// The book is rebuilt in every session of this many seconds, after a few hidden seconds: its
    /// state at any time takes one session's work, whether it was followed before or not.
    case sessions(seconds: Int64)
    /// One book from the start on, rebuilt only after a pause of the host.
    case unbroken
  }

  /// Instruments with equal keys are the same: their markets are equal at any time.
  let key: String
  let underlying: Underlying
  /// The underlying of its quote currency, if that moves as well.
  var pricedIn: Underlying?
  /// Its price at the start, in ticks.
  let startTicks: Int64
  let profile: MarketProfile
  let continuity: Continuity
  /// Its activity in the computed past; only deep books have a tape.
  var activity = TradingActivity(tradesPerThousandMinutes: 1000, meanLots: 1)

  /// A deep book, whose past has `perMinute` trades a minute of `hundreds` × 100 captured
  /// contracts.
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
  /// `factor` times as long from one step to the next, and at most this many levels per side.
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

  func value(seed: UInt64) -> FundamentalValue {
    FundamentalValue(
      start: Price(units: startTicks), path: underlying.path(seed: seed),
      dividedBy: pricedIn?.path(seed: seed))
  }
}

/// A stock that several venues show, with its price in the currency that it trades in.
struct SharedStock: Sendable {
  /// Its ISIN, which is also its key.
  let isin: String
  /// Whether it trades in dollars; in euros otherwise.
  let isInDollars: Bool
  /// Its price at the start, in cents.
  let startCents: Int64

  var listing: MarketListing { .quoted(isin, .stock(isin), startTicks: startCents) }

  /// Apple at BUX and in the price stream.
  static let apple = "US0378331005"
  /// Deutsche Bank at BUX and in the price stream.
  static let deutscheBank = "DE0005140008"

  /// The stocks with the given start prices, which also add stocks that are not listed here.
  static func all(startCents known: [String: Int64]) -> [SharedStock] {
    let listed = defaults.map { isin, cents in
      SharedStock(isin: isin, isInDollars: isin.hasPrefix("US"), startCents: known[isin] ?? cents)
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

/// Which of a venue's markets a simulation opens, and how fast and deep they are.
public struct OpenedMarkets: Hashable, Sendable {
  /// Their symbols; nil for all.
  public var symbols: [String]?
  /// How many times as long a deep market takes from one step to the next, which changes the path
  /// of its book.
  public var slowedBy: Int64
  /// The most levels of a side at the start.
  public var levels: Int

  /// All markets, unchanged.
  public static let all = OpenedMarkets()

  /// Creates a choice of markets.
  public init(only symbols: [String]? = nil, slowedBy: Int64 = 1, levels: Int = .max) {
    (self.symbols, self.slowedBy, self.levels) = (symbols, slowedBy, levels)
  }

  func of<Listed: TradedInstrument>(_ all: [Listed]) -> [Listed] {
    all.filter { symbols?.contains($0.symbol) ?? true }.map { listed in
      var copy = listed
      copy.listing = listed.listing.slowed(by: slowedBy, levels: levels)
      return copy
    }
  }
}

/// An instrument as a venue lists it, with its market.
protocol TradedInstrument {
  var symbol: String { get }
  var listing: MarketListing { get set }
}

extension KrakenPair: TradedInstrument {}
extension CoinbaseListedProduct: TradedInstrument {}
extension SpotPair: TradedInstrument {}
extension BitMEXInstrument: TradedInstrument {}
