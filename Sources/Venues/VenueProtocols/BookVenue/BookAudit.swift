import MarketModel
import OrderBook

struct BookDifference: Hashable {
  let side: BookSide
  let price: Price
  /// The size in the book; nil without a level.
  let inBook: Quantity?
  /// The size in the audit; nil without a level.
  let inAudit: Quantity?

  /// The size in the book minus the size in the audit; negative if the audit has more.
  ///
  /// A lost deletion adds to every later size at its price, so the excess stays constant.
  var excess: Int64 { (inBook?.units ?? 0) - (inAudit?.units ?? 0) }

  /// Whether it is the same difference as before, at any sizes.
  func continues(_ former: BookDifference) -> Bool {
    side == former.side && price == former.price && excess == former.excess
  }
}

/// Finds lost changes of a book without a checksum by comparing it with the best levels that the
/// venue sends separately (LT2).
///
/// Neither stream is certain to be ahead of the other, so a difference alone proves nothing. It
/// counts as a loss if it stays unchanged for the tolerance and over at least three messages of the
/// audit: by then the venue has sent all updates and the difference remains.
struct BookAudit {
  /// Levels per side that the venue sends.
  static let depth = 25
  /// The shortest time between two comparisons, in milliseconds.
  static let spacingMilliseconds: Int64 = 100
  /// Comparisons that a difference must outlast.
  static let leastLooks = 3
  /// The expected gap between audits before any is measured.
  static let expectedGapMilliseconds: Int64 = 500

  private struct Standing {
    var difference: BookDifference
    let since: MonotonicTime
    var looks: Int
    /// Comparisons in which the level had another difference, as happens during a change.
    var misses: Int
  }

  private var cadence = CadenceTracker(expectedGapMilliseconds: Self.expectedGapMilliseconds)
  /// Few per level: one with too many misses is dropped.
  private var standing: [Standing] = []
  private var lookedAt: MonotonicTime?
  /// Whether the latest comparison since the last restart found no loss.
  private(set) var agrees = false

  /// How long a difference may last: three of the audit's usual gaps, 1.5 s at least.
  var toleranceMilliseconds: Int64 { cadence.lateAfterMilliseconds }

  /// Discards all differences because the book or the audit is refetched.
  mutating func restart() {
    standing.removeAll(keepingCapacity: true)
    lookedAt = nil
    agrees = false
    cadence.restart()
  }

  /// Compares both after a message of the audit, in O(levels of the audit).
  ///
  /// - Returns: the difference that lasted too long; nil without one.
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

  /// Updates the differences; a level that is equal now ends its difference.
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

  /// Whether another difference was seen too often: one comparison in four may fall into a change.
  private static func misses(of seen: Standing) -> Bool { seen.misses * leastLooks > seen.looks }

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
