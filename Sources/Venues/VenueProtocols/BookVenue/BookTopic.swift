// What a venue of books can be asked to send, in words that all of them share: a venue's request
// writer turns them into its own.

import MarketModel

/// One part of one instrument's data, as a venue subscribes to it.
struct BookTopic: Hashable, Comparable {
  /// The parts that venues send apart from each other.
  enum Part: UInt8 {
    case book
    /// The best levels of the book, which it is compared with.
    case audit
    case trades
    case quote
    /// What the venue says about its instruments: precision, tick size, state.
    case details
    /// The figures of the day.
    case figures
  }

  let part: Part
  /// Nil for the details of all instruments together.
  let symbol: Symbol?

  init(_ part: Part, _ symbol: Symbol?) {
    self.part = part
    self.symbol = symbol
  }

  /// By symbol, then by part: requests have a stable order.
  static func < (left: BookTopic, right: BookTopic) -> Bool {
    guard let mine = left.symbol, let other = right.symbol else {
      return left.symbol == nil && right.symbol != nil
    }
    return (mine, left.part.rawValue) < (other, right.part.rawValue)
  }
}
