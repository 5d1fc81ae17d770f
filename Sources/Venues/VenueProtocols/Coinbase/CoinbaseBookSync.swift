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
  /// The expected gap between updates before any is measured.
  static let expectedGapMilliseconds: Int64 = 2000
  /// Longer than at venues without heartbeats, which prove each second that nothing was left out.
  static let minimumLateMilliseconds: Int64 = 5000
  /// Levels of both sides: five times the largest known book.
  static let maximumLevels = CoinbaseDecoder.maximumLevels

  var book = OrderBook()
  var trust = BookTrust(
    CadenceTracker(
      expectedGapMilliseconds: Self.expectedGapMilliseconds,
      minimumLateMilliseconds: Self.minimumLateMilliseconds))

  init() {}

  /// Applies one product's levels of a message; removing a price that is not held is ordinary.
  mutating func apply(
    _ levels: [CoinbaseLevel], _ part: CoinbaseBookPart, at now: ClockReading
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
    if part.levels.count > OrderBook.mergeThreshold {
      book.merge(levels[part.levels].lazy.map { $0.keyed })
    } else {
      for index in part.levels {
        let level = levels[index]
        book.set(
          level.isBid ? .bid : .ask, price: Price(units: level.price),
          size: Quantity(units: level.size))
      }
    }
    trust.countChange(at: now)
    if book.isCrossed { return trust.doubt(.crossed) }
    if book.levelCount(.bid) + book.levelCount(.ask) > Self.maximumLevels {
      return trust.doubt(.unreadable)
    }
    if !trust.isDoubtful { trust.confirm(at: now) }
    return .applied
  }

  func freshness(at now: ClockReading, _ connection: Freshness) -> Freshness {
    trust.freshness(at: now, confirmedBy: connection)
  }
}

extension CoinbaseLevel {
  fileprivate var keyed: KeyedLevel {
    KeyedLevel(
      side: isBid ? .bid : .ask, price: Price(units: price), size: Quantity(units: size))
  }
}
