import MarketModel

/// The requested streams of one instrument as bits, which every message reads.
struct ChannelSet: OptionSet {
  let rawValue: UInt8
  static let book = ChannelSet(rawValue: 1)
  static let trades = ChannelSet(rawValue: 2)
  static let quote = ChannelSet(rawValue: 4)
  static let figures = ChannelSet(rawValue: 8)
  static let all: ChannelSet = [.book, .trades, .quote, .figures]

  init(rawValue: UInt8) { self.rawValue = rawValue }

  init(_ channel: Channel) {
    switch channel {
    case .book: self = .book
    case .trades: self = .trades
    case .quote: self = .quote
    case .figures: self = .figures
    // Of the venue, not of an instrument.
    case .listing: self = []
    }
  }
}
