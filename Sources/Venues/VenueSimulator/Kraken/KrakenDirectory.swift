import WireJSON

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
    self.tradable = (
      tradable.filter { !pairs[$0].isToken }, tradable.filter { pairs[$0].isToken }
    )
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
