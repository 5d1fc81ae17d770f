import MarketModel
import OrderBook

/// One book, valid from a snapshot until a message does not have the next number.
///
/// A snapshot or the number 1 replaces the book at any time. The second stream's best levels are
/// compared where both have the same sequence.
///
/// | state | snapshot | next number | other number | interruption |
/// |---|---|---|---|---|
/// | waiting | synced | dropped | dropped | waiting |
/// | synced | synced again | applied | doubtful: resync | waiting |
/// | resyncing | synced | dropped | dropped | waiting |
///
/// A doubtful book of a recording applies no further changes until the next snapshot.
struct BybitBookSync: TopComparingSync {
  /// Levels a side that the venue keeps; those that leave are deleted by name.
  static let depth = 50
  /// Levels a side beyond which the book can't be the venue's; recordings may be deeper.
  static let maximumLevels = 2000

  var book = OrderBook()
  /// The venue sends up to fifty messages a second while the book changes.
  var trust = BookTrust(
    CadenceTracker(expectedGapMilliseconds: 500, minimumLateMilliseconds: 5000))
  /// The number of the latest message; 0 before the first.
  private(set) var update: Int64 = 0
  private(set) var sequence: Int64?
  private(set) var messages: Int64 = 0
  var tops = NumberedTops()

  init() {}

  var fixedDepth: Int? { Self.depth }

  /// Applies one book of a message: all its changes, then the checks.
  mutating func apply(
    _ levels: [LevelRow], _ part: BybitBookPart, isSnapshot: Bool, at now: ClockReading
  ) -> BookTrust.Outcome {
    if isSnapshot {
      book.removeAll()
      trust.beginImage()
      // Numbers may have started again.
      if let former = sequence, let new = part.sequence, new < former { tops.removeAll() }
    } else {
      guard trust.takesChanges, !trust.isDoubtful else { return .dropped }
      let (next, overflow) = update.addingReportingOverflow(1)
      guard !overflow, part.update == next else { return trust.doubt(.gap) }
    }
    update = part.update
    sequence = part.sequence
    messages = isSnapshot ? 1 : messages &+ 1
    if !isSnapshot, levels.isEmpty {
      trust.confirmUnchanged(at: now)
      return .applied
    }
    book.apply(levels[...])
    trust.countChange(at: now)
    return check(maximumLevels: Self.maximumLevels, at: now)
  }
}
