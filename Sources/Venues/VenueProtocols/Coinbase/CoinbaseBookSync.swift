import MarketModel
import OrderBook

/// One book, valid from its snapshot until a message of the connection is missing or unreadable, or
/// the book is crossed.
///
/// The count of the connection's messages is the only proof of completeness; it is checked by
/// ``CoinbaseCounter``. There is no checksum and no number of the book's own.
///
/// | state | snapshot | update | gap, unreadable or crossed | interruption |
/// |---|---|---|---|---|
/// | waiting | synced | dropped | – | waiting |
/// | synced | synced again | applied | doubtful: a new connection | waiting |
///
/// A recording can't reconnect: there a doubtful book continues to apply updates and is marked
/// ``BookTrust/isDoubtful`` until the next snapshot.
struct CoinbaseBookSync: BookSync {
  /// Levels of both sides: five times the largest known book.
  static let maximumLevels = CoinbaseDecoder.maximumLevels

  var book = OrderBook()
  /// Longer than at venues without heartbeats, which prove each second that nothing was left out.
  var trust = BookTrust(
    CadenceTracker(expectedGapMilliseconds: 2000, minimumLateMilliseconds: 5000))

  init() {}

  /// Applies one product's levels of a message; removing a price that is not held is ordinary.
  mutating func apply(
    _ levels: [LevelRow], _ part: CoinbaseBookPart, at now: ClockReading
  ) -> BookTrust.Outcome {
    if part.isSnapshot {
      book.removeAll()
      trust.beginImage()
    }
    guard trust.takesChanges else { return .dropped }
    if part.levels.isEmpty, !part.isSnapshot {
      trust.confirmUnchanged(at: now)
      return .dropped
    }
    book.apply(levels[part.levels])
    trust.countChange(at: now)
    if book.isCrossed { return trust.doubt(.crossed) }
    if book.levelCount(.bid) + book.levelCount(.ask) > Self.maximumLevels {
      return trust.doubt(.unreadable)
    }
    if !trust.isDoubtful { trust.confirm(at: now) }
    return .applied
  }
}
