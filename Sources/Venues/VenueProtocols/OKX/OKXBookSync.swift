import MarketModel
import OrderBook

/// One book, valid from a snapshot until the chain of its numbers breaks.
///
/// Every update names the number of the state before it. Steps are arbitrary, an update without
/// changes repeats its number, and the numbers may fall after maintenance; only a foreign
/// predecessor means a loss. The second stream's best levels are compared where both have the same
/// number.
///
/// | state | snapshot | update that follows | other update | interruption |
/// |---|---|---|---|---|
/// | waiting | synced | dropped | dropped | waiting |
/// | synced | synced again | applied | doubtful: resync | waiting |
/// | resyncing | synced | dropped | dropped | waiting |
///
/// Unlike other venues' books, a doubtful one of a recording applies no further changes: the venue
/// continues the chain only from a snapshot.
struct OKXBookSync: TopComparingSync {
  /// Levels a side that the venue keeps; those that leave are deleted by name.
  static let depth = 400
  /// Levels a side beyond which the book can't be the venue's.
  static let maximumLevels = 2 * depth
  /// The venue sends at most ten messages a second, and one a minute without changes.
  static let expectedGapMilliseconds: Int64 = 500
  static let minimumLateMilliseconds: Int64 = 5000

  var book = OrderBook()
  var trust = BookTrust(
    CadenceTracker(
      expectedGapMilliseconds: Self.expectedGapMilliseconds,
      minimumLateMilliseconds: Self.minimumLateMilliseconds))
  /// The number of the present state; nil where the venue sends none.
  private(set) var sequence: Int64?
  private(set) var messages: Int64 = 0
  var tops = NumberedTops()

  init() {}

  var fixedDepth: Int? { Self.depth }

  /// Applies one book of a message: all its changes, then the checks.
  mutating func apply(
    _ levels: [LevelRow], _ part: OKXBookPart, _ action: OKXAction, _ scales: BookScales,
    _ checksum: inout OKXChecksum, at now: ClockReading
  ) -> BookTrust.Outcome {
    if action == .snapshot {
      book.removeAll()
      trust.beginImage()
      tops.removeAll()
    } else {
      guard trust.takesChanges, !trust.isDoubtful else { return .dropped }
      if let previous = part.previous {
        guard previous == sequence else { return trust.doubt(.gap) }
      } else if part.checksum == nil || sequence != nil {
        // Without a predecessor only a checksum shows whether something is missing.
        return trust.doubt(.gap)
      }
    }
    // Numbers that fell may repeat.
    if let former = sequence, let new = part.sequence, new < former { tops.removeAll() }
    sequence = part.sequence
    messages = sequence == nil ? 0 : action == .snapshot ? 1 : messages &+ 1
    if action == .update, levels.isEmpty {
      trust.confirmUnchanged(at: now)
      return .applied
    }
    book.apply(levels[...])
    trust.countChange(at: now)
    if let sum = part.checksum, checksum.value(of: book, scales) != sum {
      return trust.doubt(.checksum)
    }
    return check(maximumLevels: Self.maximumLevels, at: now)
  }
}
