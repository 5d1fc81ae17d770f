// What is known of one pair: what the venue says about it, its book, its trades, its quote.

import MarketModel

/// One pair's market data.
struct KrakenInstrument {
  let symbol: Symbol
  /// Nil before the instrument channel has named the pair.
  var info: KrakenPairInfo?
  var book = KrakenBookSync()
  var tape = KrakenTape()
  var quote = KrakenQuote()
  /// The streams that somebody wants.
  var wanted: Set<Channel> = []

  init(symbol: Symbol, wanted: Set<Channel>) {
    self.symbol = symbol
    self.wanted = wanted
  }

  /// A quote shows the book's best prices.
  var needsBook: Bool { wanted.contains(.book) || wanted.contains(.quote) }
  /// A quote shows the latest trade's price.
  var needsTrades: Bool { wanted.contains(.trades) || wanted.contains(.quote) }
}
