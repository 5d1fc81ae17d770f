import MarketModel

/// One part of one instrument's data, as a venue subscribes it.
///
/// Common to all venues; each venue's request writer translates it.
struct BookTopic: Hashable, Comparable {
  /// The parts that venues send separately.
  enum Part: UInt8 {
    case book
    /// The best levels that the book is compared with.
    case audit
    case trades
    case quote
    /// The venue's instrument data: precision, tick size, state.
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

  /// By symbol, then by part, so that requests have a stable order.
  static func < (left: BookTopic, right: BookTopic) -> Bool {
    guard let mine = left.symbol, let other = right.symbol else {
      return left.symbol == nil && right.symbol != nil
    }
    return (mine, left.part.rawValue) < (other, right.part.rawValue)
  }
}
