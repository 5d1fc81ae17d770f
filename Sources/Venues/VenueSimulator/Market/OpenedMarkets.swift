import MarketModel

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
