// When a BitMEX book may be believed: from a partial on, until a change names an id that is not
// there for the second time, or the book is crossed. The feed has neither sequence number nor
// checksum, so these are the only signs of loss that there are.

import MarketModel
import OrderBook

/// One book with the state of its synchronisation.
///
/// Pure: it says that a snapshot is needed, and the session asks for it.
///
/// | state | partial | change | interruption |
/// |---|---|---|---|
/// | waiting | synced | dropped | waiting |
/// | synced | synced anew | applied; unknown ids skipped and counted | waiting |
/// | resyncing | synced | dropped | waiting |
///
/// A recording cannot be asked for a snapshot: there a doubtful book goes on taking changes and is
/// marked ``isDoubtful`` until the next partial.
struct BitMEXBookSync {
  /// What a message did to the book.
  enum Outcome: Equatable {
    /// Nothing: no snapshot has come yet.
    case dropped
    /// The book is new or changed.
    case applied
    /// The book is changed and cannot be believed any more.
    ///
    /// Said once until the next snapshot.
    case needsSnapshot
  }

  /// Messages with unknown ids since the snapshot that make the book doubtful.
  static let missLimit = 2
  /// After one such message the book is not shown as live, and is doubtful after this time.
  static let missPatienceMilliseconds: Int64 = 5000
  /// Far more levels than any book of the venue has.
  static let maximumLevels = 1_000_000
  /// The rhythm to expect of a book before one is known.
  static let expectedGapMilliseconds: Int64 = 200

  private enum Phase {
    case waiting
    case synced
    case resyncing
  }

  private(set) var book = OrderBook()
  private var phase = Phase.waiting
  private var hasImage = false
  /// Changes applied since the start.
  private(set) var sequence: UInt64 = 0
  /// Times that the book was found doubtful since the start.
  private(set) var resyncs = 0
  /// Rows skipped since the start because their id was unknown.
  private(set) var skippedRows = 0
  /// Found wrong, and no snapshot since.
  private(set) var isDoubtful = false
  /// When the snapshot was asked for; nil when none is on its way.
  var askedAt: MonotonicTime?

  private var cadence = CadenceTracker(expectedGapMilliseconds: Self.expectedGapMilliseconds)
  private var confirmedAt: ClockReading?
  private var missesBefore = 0
  private var messagesWithMisses = 0
  private var firstMiss: MonotonicTime?

  /// Whether the next change would be dropped.
  var awaitsSnapshot: Bool { phase != .synced }

  /// Replaces the book by a partial's rows.
  ///
  /// Ids that come twice count as misses.
  mutating func replace(with levels: [BookLevel]) {
    let repeated = book.replace(with: levels)
    phase = .synced
    hasImage = true
    isDoubtful = false
    askedAt = nil
    messagesWithMisses = 0
    firstMiss = nil
    missesBefore = skippedRows
    skippedRows += repeated
  }

  /// Takes one row of a change.
  ///
  /// Rows with unknown ids are skipped, the others are not affected.
  @inline(__always)
  mutating func apply(_ row: BitMEXBookRow, _ action: BitMEXAction) {
    guard phase == .synced else { return }
    switch action {
    case .update:
      let price = row.price.map(Price.init(units:))
      let size = row.size.map(Quantity.init(units:))
      if !book.update(id: row.id, price: price, size: size) { skippedRows += 1 }
    case .delete: if !book.delete(id: row.id) { skippedRows += 1 }
    case .insert, .partial: if let level = row.level { book.insert(level) }
    }
  }

  /// Judges the book after all rows of a message.
  mutating func endMessage(at now: ClockReading) -> Outcome {
    guard phase == .synced else { return .dropped }
    sequence &+= 1
    cadence.record(now)
    confirmedAt = now
    if skippedRows != missesBefore {
      missesBefore = skippedRows
      messagesWithMisses += 1
      if firstMiss == nil { firstMiss = now.monotonic }
    }
    let levels = book.levelCount(.bid) + book.levelCount(.ask)
    let isWrong =
      messagesWithMisses >= Self.missLimit || book.isCrossed || levels > Self.maximumLevels
    return isWrong ? doubt() : .applied
  }

  /// Whether patience with a single miss has run out; the book is doubtful from then on.
  mutating func losesPatience(at now: MonotonicTime) -> Bool {
    guard phase == .synced, !isDoubtful, let firstMiss,
      now.milliseconds(since: firstMiss) >= Self.missPatienceMilliseconds
    else { return false }
    return doubt() == .needsSnapshot
  }

  /// A message that may have been a change of this book could not be read.
  mutating func losesMessage() -> Bool {
    guard phase == .synced else { return false }
    return doubt() == .needsSnapshot
  }

  private mutating func doubt() -> Outcome {
    if isDoubtful { return .applied }
    isDoubtful = true
    resyncs += 1
    return .needsSnapshot
  }

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
    isDoubtful = false
    askedAt = nil
    cadence.restart()
  }

  /// Forgets everything but the counters: nobody wants the book any more.
  mutating func forget() {
    interrupt()
    book = OrderBook()
    hasImage = false
    confirmedAt = nil
  }

  /// Whether the book equals the venue's as far as can be known.
  var status: BookStatus {
    switch phase {
    case .waiting: hasImage ? .resyncing : .waiting
    case .synced: isDoubtful ? .resyncing : .synced
    case .resyncing: .resyncing
    }
  }

  /// What the book is worth now, on a connection that is up.
  func freshness(at now: ClockReading, origin: DataOrigin) -> Freshness {
    let state: FreshnessState
    switch status {
    case .waiting: state = .waiting
    case .resyncing: state = .resyncing
    case .synced:
      let byCadence = cadence.state(at: now)
      state = firstMiss != nil && byCadence == .live ? .late : byCadence
    }
    return Freshness(state: state, origin: origin, confirmedAt: confirmedAt)
  }
}

extension BitMEXBookRow {
  /// The row of a partial or an insert as a level; nil when a field is missing.
  var level: BookLevel? {
    guard let isBid, let price, let size else { return nil }
    return BookLevel(
      id: id, side: isBid ? .bid : .ask, price: Price(units: price), size: Quantity(units: size))
  }
}
