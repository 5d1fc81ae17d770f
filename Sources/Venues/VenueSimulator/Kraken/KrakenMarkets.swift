import WireJSON

/// The pairs that the simulated Kraken lists: about as many as the real venue, each coin in
/// dollars, nearly all in euros, the most active in more.
enum KrakenMarkets {
  /// All pairs: those with deep books first, then coins, currencies, tokenised shares.
  static let all: [KrakenPair] = {
    let deep = Set(KrakenPair.deep.map(\.symbol))
    return KrakenPair.deep
      + (coins + currencies + shares).filter { !deep.contains($0.base.name + "/" + $0.quote.name) }
      .map { KrakenPair(made: $0.base, $0.quote, status($0.base.name + "/" + $0.quote.name)) }
  }()

  /// The number of the most active coins with a price in each further currency.
  private static let others = [
    ("BTC", 60), ("USDT", 60), ("USDC", 52), ("GBP", 40), ("ETH", 26), ("AUD", 16), ("CAD", 14),
    ("CHF", 10), ("JPY", 8),
  ]

  private typealias Sides = (base: KrakenAsset, quote: KrakenAsset)

  private static var coins: [Sides] {
    let coins = KrakenAsset.coins
    let byName = Dictionary(
      (coins + KrakenAsset.currencies).map { ($0.name, $0) }
    ) { first, _ in first }
    let quotes = others.compactMap { name, count in byName[name].map { ($0, count) } }
    return coins.flatMap { coin -> [Sides] in
      var sides = [(coin, KrakenAsset.dollar)]
      if hasEuros(coin) { sides.append((coin, KrakenAsset.currencies[1])) }
      for (quote, count) in quotes where coin.rank < count && isPriced(coin, in: quote) {
        sides.append((coin, quote))
      }
      return sides
    }
  }

  private static func hasEuros(_ coin: KrakenAsset) -> Bool {
    coin.rank < 60 || SeedText.seed(0, "euros " + coin.name) % 10 > 0
  }

  /// Excludes pairs of a coin with itself, and of one with negligible value in the other.
  private static func isPriced(_ coin: KrakenAsset, in quote: KrakenAsset) -> Bool {
    if coin.name == "USDT" || coin.name == "USDC" {
      return KrakenAsset.currencies.contains { $0.name == quote.name }
        || (coin.name == "USDC" && quote.name == "USDT")
    }
    return coin.name != quote.name && coin.price > quote.price / 10_000_000
      && (coin.name != "BTC" || quote.name != "ETH")
  }

  private static var currencies: [Sides] {
    let pairs = [
      ("EUR", "USD"), ("GBP", "USD"), ("AUD", "USD"), ("USD", "CHF"), ("USD", "CAD"),
      ("USD", "JPY"), ("EUR", "GBP"), ("EUR", "CHF"), ("EUR", "CAD"), ("EUR", "AUD"),
      ("EUR", "JPY"), ("AUD", "JPY"),
    ]
    return pairs.compactMap { base, quote in
      guard let base = KrakenAsset.currencies.first(where: { $0.name == base }),
        let quote = KrakenAsset.currencies.first(where: { $0.name == quote })
      else { return nil }
      return (base, quote)
    }
  }

  /// All in dollars, the first few in euros.
  private static var shares: [Sides] {
    KrakenAsset.shares.map { ($0, KrakenAsset.dollar) }
      + KrakenAsset.shares.prefix(12).map { ($0, KrakenAsset.currencies[1]) }
  }

  private static func status(_ symbol: String) -> KrakenPairStatus {
    switch symbol {
    case "XMR/EUR", "EOS/USD": .cancelOnly
    case "MOON/USD", "POWER/USD": .postOnly
    case "TUSD/EUR", "USDD/USD": .limitOnly
    case "REN/USD", "OMG/USD": .reduceOnly
    case "WAVES/USD", "SRM/USD": .delisted
    case "YZY/USD", "AB/USD": .workInProgress
    default: .online
    }
  }
}

/// A simulated Kraken's pairs with indexes by all names, shared by all venues of a process.
struct KrakenDirectory: Sendable {
  let pairs: [KrakenPair]
  /// The index of each pair with a market, by the stream's name.
  let symbols: [String: Int]
  /// The same, by each of the names that public calls accept.
  let names: [String: Int]
  /// The pairs in public calls, by index: those of currencies, and tokenised shares.
  let tradable: (currencies: [Int], tokens: [Int])
  /// The instrument channel's snapshots: without tokenised shares and with them.
  let snapshots: (currencies: [UInt8], all: [UInt8])
  /// The responses of `AssetPairs` without a requested pair.
  let assetPairs: (currencies: [UInt8], tokens: [UInt8])
  let assets: [UInt8]

  /// About as many pairs as the real venue has.
  static let all = KrakenDirectory(KrakenMarkets.all)
  /// Only the pairs with deep books.
  static let deep = KrakenDirectory(KrakenPair.deep)

  init(_ pairs: [KrakenPair]) {
    self.pairs = pairs
    var (symbols, names) = ([String: Int](), [String: Int]())
    for (index, pair) in pairs.enumerated() where pair.status.hasMarket {
      symbols[pair.symbol] = index
      for name in pair.names { names[name] = index }
    }
    (self.symbols, self.names) = (symbols, names)
    let tradable = pairs.indices.filter { pairs[$0].status.hasMarket }
    self.tradable = (tradable.filter { !pairs[$0].isToken }, tradable.filter { pairs[$0].isToken })
    snapshots = (
      KrakenText.instruments(pairs.filter { !$0.isToken }), KrakenText.instruments(pairs)
    )
    assetPairs = (
      KrakenText.assetPairs(self.tradable.currencies.map { pairs[$0] }),
      KrakenText.assetPairs(self.tradable.tokens.map { pairs[$0] })
    )
    var writer = JSONWriter(capacity: 4096)
    KrakenText.assets(&writer, pairs)
    assets = writer.bytes
  }
}
