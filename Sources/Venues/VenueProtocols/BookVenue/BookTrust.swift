// Whether a book may be believed: the part of every venue's book sync that has nothing to do with
// the venue. What makes a book doubtful is the venue's business.

import MarketModel

/// The state of one book's synchronisation.
///
/// Waiting until a snapshot comes, synced from then on, resyncing from the moment at which another
/// snapshot was asked for; an interruption leads back to waiting.
struct BookTrust {
  /// What a message did to the book.
  enum Outcome: Equatable {
    /// Nothing: no snapshot has come yet.
    case dropped
    /// The book is new or changed.
    case applied
    /// The book cannot be believed any more.
    ///
    /// Said once until the next snapshot.
    case needsSnapshot
  }

  private enum Phase {
    case waiting
    case synced
    case resyncing
  }

  /// Changes applied since the start.
  private(set) var sequence: UInt64 = 0
  /// Times that the book was found doubtful since the start.
  private(set) var resyncs = 0
  /// What it was found wrong by, while no snapshot has come since.
  private(set) var doubt: BookDoubt?
  /// When the snapshot was asked for; nil when none is on its way.
  private(set) var askedAt: MonotonicTime?
  /// When a message last confirmed the book.
  private(set) var confirmedAt: ClockReading?
  /// The venue's checksum of the book as it stands; nil where it sends none.
  private(set) var proof: BookProof?
  private var phase = Phase.waiting
  private var hasImage = false
  private var cadence: CadenceTracker

  /// Starts without a snapshot, with the rhythm that changes are expected in.
  init(_ cadence: CadenceTracker) { self.cadence = cadence }

  /// Found wrong, and no snapshot since.
  var isDoubtful: Bool { doubt != nil }

  /// Whether a change is taken; without a snapshot it is dropped.
  @inline(__always)
  var takesChanges: Bool { phase == .synced }

  /// A snapshot is here: the book is believed again.
  mutating func beginImage() {
    phase = .synced
    hasImage = true
    doubt = nil
    askedAt = nil
  }

  /// A message of the book has been applied.
  mutating func countChange(at now: ClockReading) {
    sequence &+= 1
    cadence.record(now)
  }

  /// The book is what the venue says at this moment.
  mutating func confirm(at now: ClockReading) { confirmedAt = now }

  /// The venue says that this is the checksum of the book as it stands, whether it is or not.
  mutating func note(checksum: UInt32, at now: ClockReading) {
    proof = BookProof(checksum: checksum, at: now)
  }

  /// The book has been found wrong.
  mutating func doubt(_ cause: BookDoubt) -> Outcome {
    if isDoubtful { return .applied }
    doubt = cause
    resyncs += 1
    return .needsSnapshot
  }

  /// A message that may have been a change of this book could not be read; whether a snapshot is
  /// needed now.
  mutating func losesMessage() -> Bool { takesChanges && doubt(.unreadable) == .needsSnapshot }

  /// A new snapshot has been asked for: changes are dropped until it comes.
  mutating func awaitSnapshot(at now: MonotonicTime) {
    if phase == .synced { phase = .resyncing }
    askedAt = now
    cadence.restart()
  }

  /// The snapshot that was asked for did not come in time; it is asked for again.
  mutating func countLateSnapshot() { resyncs += 1 }

  /// The connection is gone: what is there stays to be shown, nothing is believed.
  mutating func interrupt() {
    phase = .waiting
    doubt = nil
    askedAt = nil
    cadence.restart()
  }

  /// Forgets everything but the counters.
  mutating func forget() {
    interrupt()
    hasImage = false
    confirmedAt = nil
    proof = nil
  }

  /// Whether the book equals the venue's as far as can be known.
  var status: BookStatus {
    switch phase {
    case .waiting: hasImage ? .resyncing : .waiting
    case .synced: isDoubtful ? .resyncing : .synced
    case .resyncing: .resyncing
    }
  }

  /// How fresh the book is by its own rhythm; for a synced book.
  func rhythm(at now: ClockReading) -> FreshnessState { cadence.state(at: now) }

  /// The freshness of the book, `synced` being its state while it is synced.
  func freshness(origin: DataOrigin, synced: FreshnessState) -> Freshness {
    let state: FreshnessState
    switch status {
    case .waiting: state = .waiting
    case .resyncing: state = .resyncing
    case .synced: state = synced
    }
    return Freshness(
      state: state, origin: origin, confirmedAt: confirmedAt,
      lateAfterMilliseconds: cadence.lateAfterMilliseconds)
  }
}
