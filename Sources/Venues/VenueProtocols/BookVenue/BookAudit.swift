// LT2: a book without a checksum is compared, level by level, with the best levels that the venue
// sends apart from it: what differs for longer than the two need to follow each other was lost.

import MarketModel
import OrderBook

/// A level in which a book and its audit differ.
struct BookDifference: Hashable {
  let side: BookSide
  let price: Price
  /// What rests there by the book; nil: nothing.
  let inBook: Quantity?
  /// What rests there by the audit; nil: nothing.
  let inAudit: Quantity?

  /// How much more rests there by the book than by the audit; negative for less.
  ///
  /// A level that was not deleted adds to all that comes to its price later: this stays, the sizes
  /// do not.
  var excess: Int64 { (inBook?.units ?? 0) - (inAudit?.units ?? 0) }

  /// Whether it is the difference of before, at whatever sizes.
  func continues(_ former: BookDifference) -> Bool {
    side == former.side && price == former.price && excess == former.excess
  }
}

/// Follows the differences of one book and its audit.
///
/// Neither stream is ahead of the other for certain, so a difference means nothing by itself. One
/// that has stood unchanged for the tolerance, and was seen after at least three messages of the
/// audit, is a loss: the venue has had its say since, and did not mend it.
struct BookAudit {
  /// Levels a side that the venue sends.
  static let depth = 25
  /// Differences are looked for no more often than this, in milliseconds.
  static let spacingMilliseconds: Int64 = 100
  /// Looks that a difference must outlast.
  static let leastLooks = 3
  /// The rhythm to expect of the audit before one is known.
  static let expectedGapMilliseconds: Int64 = 500

  private struct Standing {
    var difference: BookDifference
    let since: MonotonicTime
    var looks: Int
    /// Looks at which the level differed otherwise, as one does while it changes.
    var misses: Int
  }

  private var cadence = CadenceTracker(expectedGapMilliseconds: Self.expectedGapMilliseconds)
  /// Few for each level: one that is missed too often goes.
  private var standing: [Standing] = []
  private var lookedAt: MonotonicTime?
  /// Whether book and audit have been compared since either came, and none has been found lost.
  private(set) var agrees = false

  /// How long a difference may stand: three of the audit's usual gaps, 1.5 s at least.
  var toleranceMilliseconds: Int64 { cadence.lateAfterMilliseconds }

  /// Either is fetched anew: what differed before means nothing any more.
  mutating func restart() {
    standing.removeAll(keepingCapacity: true)
    lookedAt = nil
    agrees = false
    cadence.restart()
  }

  /// Compares both after a message of the audit.
  ///
  /// O(levels of the audit).
  ///
  /// - Returns: the difference that has stood for too long; nil where there is none.
  mutating func look(
    _ book: OrderBook, _ audit: OrderBook, at now: ClockReading
  ) -> BookDifference? {
    let time = now.monotonic
    if let lookedAt, time.milliseconds(since: lookedAt) < Self.spacingMilliseconds { return nil }
    cadence.record(now)
    lookedAt = time
    agrees = true
    let found = BookSide.allCases.flatMap { Self.differences($0, book, audit) }
    if found.isEmpty, standing.isEmpty { return nil }
    keep(found, at: time)
    let lost = standing.first { seen in
      seen.looks >= Self.leastLooks
        && time.milliseconds(since: seen.since) >= toleranceMilliseconds
    }
    if lost != nil { agrees = false }
    return lost?.difference
  }

  /// Notes what differs now; a level that is equal ends what stood there.
  private mutating func keep(_ found: [BookDifference], at time: MonotonicTime) {
    standing = standing.compactMap { former in
      let level = found.filter {
        $0.side == former.difference.side && $0.price == former.difference.price
      }
      guard let present = level.first else { return nil }
      var seen = former
      if present.continues(former.difference) {
        seen.difference = present
        seen.looks += 1
      } else {
        seen.misses += 1
      }
      return Self.misses(of: seen) ? nil : seen
    }
    for difference in found
    where !standing.contains(where: { difference.continues($0.difference) }) {
      standing.append(Standing(difference: difference, since: time, looks: 1, misses: 0))
    }
  }

  /// Whether a difference was another one too often: one look in four may be amid a change.
  private static func misses(of seen: Standing) -> Bool {
    seen.misses * leastLooks > seen.looks
  }

  /// The levels of a side in which both differ, as far down as both reach.
  static func differences(
    _ side: BookSide, _ book: OrderBook, _ audit: OrderBook
  ) -> [BookDifference] {
    let (mine, theirs) = (book.rows(side, limit: depth), audit.rows(side, limit: depth))
    var (left, right) = (0, 0)
    var found: [BookDifference] = []
    func isBetter(_ one: Price, _ other: Price) -> Bool {
      side == .bid ? one.units > other.units : one.units < other.units
    }
    while left < mine.count || right < theirs.count {
      // Beyond the last level of a full list there may be more.
      if left == mine.count, mine.count == depth { break }
      if right == theirs.count, theirs.count == depth { break }
      let isOnlyMine =
        right == theirs.count
        || (left < mine.count && isBetter(mine[left].price, theirs[right].price))
      if isOnlyMine {
        found.append(
          BookDifference(
            side: side, price: mine[left].price, inBook: mine[left].size, inAudit: nil))
        left += 1
      } else if left == mine.count || isBetter(theirs[right].price, mine[left].price) {
        found.append(
          BookDifference(
            side: side, price: theirs[right].price, inBook: nil, inAudit: theirs[right].size))
        right += 1
      } else {
        if mine[left].size != theirs[right].size {
          found.append(
            BookDifference(
              side: side, price: mine[left].price, inBook: mine[left].size,
              inAudit: theirs[right].size))
        }
        (left, right) = (left + 1, right + 1)
      }
    }
    return found
  }
}
