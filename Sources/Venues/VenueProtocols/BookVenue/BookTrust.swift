import MarketModel
import OrderBook

/// Whether a book is valid: the state of its synchronisation, common to all venues.
///
/// Waiting until a snapshot comes, synced from then on, resyncing once another snapshot is
/// requested; an interruption leads back to waiting.
struct BookTrust {
  enum Outcome: Equatable {
    /// No effect: no snapshot has come yet.
    case dropped
    /// The book is new or changed.
    case applied
    /// The book is no longer valid. Returned once until the next snapshot.
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
  /// Why it was found wrong, until the next snapshot.
  private(set) var doubt: BookDoubt?
  /// Why its snapshot has to wait, until it comes.
  private(set) var obstacle: BookDoubt?
  /// When the snapshot was requested; nil while no request is pending.
  private(set) var askedAt: MonotonicTime?
  private(set) var confirmedAt: ClockReading?
  /// The venue's checksum of the current book; nil where it sends none.
  private(set) var proof: BookProof?
  private var phase = Phase.waiting
  private var hasImage = false
  private var cadence: CadenceTracker

  init(_ cadence: CadenceTracker) { self.cadence = cadence }

  /// Whether it was found wrong and no snapshot has come since.
  var isDoubtful: Bool { doubt != nil }

  /// Whether changes are applied; without a snapshot they are dropped.
  @inline(__always)
  var takesChanges: Bool { phase == .synced }

  /// Handles a snapshot: the book is valid again.
  mutating func beginImage() {
    phase = .synced
    hasImage = true
    (doubt, obstacle) = (nil, nil)
    askedAt = nil
  }

  /// States why the snapshot has to wait; changes nothing else.
  mutating func wait(for cause: BookDoubt) { obstacle = cause }

  mutating func countChange(at now: ClockReading) {
    sequence &+= 1
    cadence.record(now)
  }

  /// Records that the book equals the venue's at this moment.
  mutating func confirm(at now: ClockReading) { confirmedAt = now }

  /// Records a change without effect: the venue confirms the book.
  mutating func confirmUnchanged(at now: ClockReading) {
    cadence.record(now)
    if !isDoubtful { confirm(at: now) }
  }

  /// Records the venue's checksum of the current book, whether it matches or not.
  mutating func note(checksum: UInt32, at now: ClockReading) {
    proof = BookProof(checksum: checksum, at: now)
  }

  mutating func doubt(_ cause: BookDoubt) -> Outcome {
    if isDoubtful { return .applied }
    doubt = cause
    resyncs += 1
    return .needsSnapshot
  }

  /// Handles an unreadable message that may be this book's; returns whether a snapshot is needed
  /// now.
  mutating func losesMessage() -> Bool { takesChanges && doubt(.unreadable) == .needsSnapshot }

  /// Drops changes until the newly requested snapshot comes.
  mutating func awaitSnapshot(at now: MonotonicTime) {
    if phase == .synced { phase = .resyncing }
    askedAt = now
    cadence.restart()
  }

  /// Counts a requested snapshot that did not come in time and is requested again.
  mutating func countLateSnapshot() { resyncs += 1 }

  /// Drops changes until the next connection, of which a snapshot is not requested yet.
  mutating func suspend() {
    phase = .resyncing
    askedAt = nil
    cadence.restart()
  }

  /// Handles a closed connection: levels remain visible, but are not valid.
  mutating func interrupt() {
    phase = .waiting
    doubt = nil
    askedAt = nil
    cadence.restart()
  }

  /// Resets everything but the counters.
  mutating func forget() {
    interrupt()
    obstacle = nil
    hasImage = false
    confirmedAt = nil
    proof = nil
  }

  /// Whether the book equals the venue's, as far as can be checked.
  var status: BookStatus {
    switch phase {
    case .waiting: hasImage ? .resyncing : .waiting
    case .synced: isDoubtful ? .resyncing : .synced
    case .resyncing: .resyncing
    }
  }

  func rhythm(at now: ClockReading) -> FreshnessState { cadence.state(at: now) }

  /// The freshness of a book whose venue sends heartbeats: no better than the connection.
  ///
  /// While the connection is alive a silent book is late at worst: the venue sends in order, and
  /// each heartbeat confirms that nothing else happened.
  func freshness(at now: ClockReading, confirmedBy connection: Freshness) -> Freshness {
    let byRhythm = rhythm(at: now)
    return freshness(
      origin: connection.origin,
      synced: byRhythm == .stale && connection.state == .live ? .late : byRhythm
    ).noBetter(than: connection)
  }

  /// The freshness of the book; `synced` is its state while it is synced.
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

/// A book with the state of its synchronisation; each venue has its own rule for doubt.
///
/// It only reports that a snapshot is needed; the session requests it.
protocol BookSync: Sendable {
  var book: OrderBook { get set }
  var trust: BookTrust { get set }

  /// Levels per side that the venue keeps; nil where it sends all.
  var fixedDepth: Int? { get }

  init()

  /// Whether a first sign of loss has lasted too long; the book is doubtful from then on.
  mutating func losesPatience(at now: MonotonicTime) -> Bool
  func freshness(at now: ClockReading, _ connection: Freshness) -> Freshness
  /// Resets everything but the counters: the book is no longer requested, or its units changed.
  mutating func forget()
}

extension BookSync {
  var fixedDepth: Int? { nil }

  mutating func losesPatience(at now: MonotonicTime) -> Bool { false }

  func freshness(at now: ClockReading, _ connection: Freshness) -> Freshness {
    trust.freshness(at: now, confirmedBy: connection)
  }

  mutating func forget() {
    trust.forget()
    book = OrderBook()
  }
}
