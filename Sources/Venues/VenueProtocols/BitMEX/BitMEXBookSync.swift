import MarketModel
import OrderBook

/// One book, valid from a partial until a second message has an unknown id, or the book is crossed.
///
/// The feed has neither sequence number nor checksum, so these are the only signs of loss. The type
/// only reports that a snapshot is needed; the session requests it.
///
/// | state | partial | change | interruption |
/// |---|---|---|---|
/// | waiting | synced | dropped | waiting |
/// | synced | synced again | applied; unknown ids skipped and counted | waiting |
/// | resyncing | synced | dropped | waiting |
///
/// A recording can't request a snapshot: there a doubtful book continues to apply changes and is
/// marked ``BookTrust/isDoubtful`` until the next partial.
struct BitMEXBookSync: BookSync {
  /// Messages with unknown ids since the snapshot that make the book doubtful.
  static let missLimit = 2
  /// After one such message the book is not live, and doubtful after this time.
  static let missPatienceMilliseconds: Int64 = 5000
  /// Levels of both sides, and rows of a message: five times the largest recorded book's 9,483.
  static let maximumLevels = 50_000
  /// The expected gap between changes before any is measured.
  static let expectedGapMilliseconds: Int64 = 200

  var book = OrderBook()
  var trust = BookTrust(
    CadenceTracker(expectedGapMilliseconds: Self.expectedGapMilliseconds))
  /// Rows skipped since the start because their id was unknown.
  private(set) var skippedRows = 0
  private var missesBefore = 0
  private var messagesWithMisses = 0
  private var firstMiss: MonotonicTime?

  init() {}

  /// Replaces the book by a partial's rows; repeated ids count as misses.
  mutating func replace(with levels: [KeyedLevel]) {
    let repeated = book.replace(with: levels)
    trust.beginImage()
    messagesWithMisses = 0
    firstMiss = nil
    missesBefore = skippedRows
    skippedRows += repeated
  }

  /// Applies some rows of a change; rows with unknown ids are skipped without effect on the others.
  mutating func apply(_ rows: [BitMEXBookRow], _ range: Range<Int>, _ action: BitMEXAction) {
    guard trust.takesChanges else { return }
    if range.count > OrderBook.mergeThreshold { return merge(rows[range], action) }
    switch action {
    case .update:
      for index in range {
        let row = rows[index]
        let price = row.price.map(Price.init(units:))
        let size = row.size.map(Quantity.init(units:))
        let side = row.isBid.map { $0 ? BookSide.bid : .ask }
        if !book.update(id: row.id, price: price, size: size, side: side) { skippedRows += 1 }
      }
    case .delete:
      for index in range where !book.delete(id: rows[index].id) { skippedRows += 1 }
    case .insert, .partial:
      for index in range {
        if let level = rows[index].level { book.insert(level) }
      }
    }
  }

  private mutating func merge(_ rows: ArraySlice<BitMEXBookRow>, _ action: BitMEXAction) {
    switch action {
    case .update:
      let updates = rows.map { row in
        LevelUpdate(
          id: row.id, price: row.price.map(Price.init(units:)),
          size: row.size.map(Quantity.init(units:)))
      }
      skippedRows += book.mergeUpdates(updates)
    case .delete: skippedRows += book.mergeDeletes(rows.map { $0.id })
    case .insert, .partial: book.mergeInserts(rows.compactMap { $0.level })
    }
  }

  mutating func endMessage(at now: ClockReading) -> BookTrust.Outcome {
    guard trust.takesChanges else { return .dropped }
    trust.countChange(at: now)
    trust.confirm(at: now)
    if skippedRows != missesBefore {
      missesBefore = skippedRows
      messagesWithMisses += 1
      if firstMiss == nil { firstMiss = now.monotonic }
    }
    if book.isCrossed { return trust.doubt(.crossed) }
    let isWrong = messagesWithMisses >= Self.missLimit || book.levelCount > Self.maximumLevels
    return isWrong ? trust.doubt(.unknownLevel) : .applied
  }

  /// Whether a single miss has lasted too long; the book is doubtful from then on.
  mutating func losesPatience(at now: MonotonicTime) -> Bool {
    guard trust.takesChanges, !trust.isDoubtful, let firstMiss,
      now.milliseconds(since: firstMiss) >= Self.missPatienceMilliseconds
    else { return false }
    return trust.doubt(.unknownLevel) == .needsSnapshot
  }

  func freshness(at now: ClockReading, _ connection: Freshness) -> Freshness {
    let byRhythm = trust.rhythm(at: now)
    return trust.freshness(
      origin: connection.origin, synced: firstMiss != nil && byRhythm == .live ? .late : byRhythm)
  }
}

extension BitMEXBookRow {
  /// The row of a partial or an insert as a level; nil when a field is missing.
  var level: KeyedLevel? {
    guard let isBid, let price, let size else { return nil }
    return KeyedLevel(
      id: id, side: isBid ? .bid : .ask, price: Price(units: price), size: Quantity(units: size))
  }
}
