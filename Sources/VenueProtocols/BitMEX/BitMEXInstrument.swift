// What is known of one instrument besides its books: tape, quote and the decimals of its prices.

import MarketModel

/// One instrument's market data apart from its books.
struct BitMEXInstrument {
  let symbol: Symbol
  var tape = BitMEXTape()
  var quote = BitMEXQuote()
  var accepts: Channels
  /// Decimals of the tick size; nil before it is known.
  var tickDecimals: UInt8?
  /// The most decimals of any price seen.
  var seenDecimals: UInt8 = 0
  /// One unit at ``seenDecimals``, in units of 10^-8.
  private var seenUnit: Int64 = 100_000_000

  /// Streams that are taken.
  struct Channels: OptionSet {
    let rawValue: UInt8
    static let book = Channels(rawValue: 1)
    static let trades = Channels(rawValue: 2)
    static let quote = Channels(rawValue: 4)
    static let all: Channels = [.book, .trades, .quote]

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ channel: Channel) {
      switch channel {
      case .book: self = .book
      case .trades: self = .trades
      case .quote: self = .quote
      }
    }
  }

  init(symbol: Symbol, accepts: Channels) {
    self.symbol = symbol
    self.accepts = accepts
  }

  /// Decimals to show: those of the tick size, or more where a price has more.
  var priceDecimals: Scale { Scale(clamping: max(tickDecimals ?? 0, seenDecimals)) }

  /// Whether a price needs more decimals than any before it.
  @inline(__always)
  func hasTooFewDecimals(for units: Int64) -> Bool { units % seenUnit != 0 }

  /// Notes how many decimals a price needs.
  mutating func notePrice(_ units: Int64) {
    while hasTooFewDecimals(for: units) {
      seenUnit /= 10
      seenDecimals += 1
    }
  }
}
