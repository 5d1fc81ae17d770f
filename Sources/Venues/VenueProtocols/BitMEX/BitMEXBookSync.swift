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
/// marked ``BookTrust/isDoubtful`` until the next partial.
struct BitMEXBookSync: BookSync {
  /// Messages with unknown ids since the snapshot that make the book doubtful.
  static let missLimit = 2
  /// After one such message the book is not shown as live, and is doubtful after this time.
  static let missPatienceMilliseconds: Int64 = 5000
  /// Levels of both sides, and rows of a message: five times the 9,483 levels of the largest book
  /// that was recorded.
  static let maximumLevels = 50_000
  /// The rhythm to expect of a book before one is known.
  static let expectedGapMilliseconds: Int64 = 200

  var book = OrderBook()
  /// Whether the book may be believed.
  var trust = BookTrust(
    CadenceTracker(expectedGapMilliseconds: Self.expectedGapMilliseconds))
  /// Rows skipped since the start because their id was unknown.
  private(set) var skippedRows = 0
  private var missesBefore = 0
  private var messagesWithMisses = 0
  private var firstMiss: MonotonicTime?

  init() {}

  /// Replaces the book by a partial's rows.
  ///
  /// Ids that come twice count as misses.
  mutating func replace(with levels: [KeyedLevel]) {
    let repeated = book.replace(with: levels)
    trust.beginImage()
    messagesWithMisses = 0
    firstMiss = nil
    missesBefore = skippedRows
    skippedRows += repeated
  }

  /// Applies some rows of a change.
  ///
  /// Rows with unknown ids are skipped, the others are not affected.
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

  /// Judges the book after all rows of a message.
  mutating func endMessage(at now: ClockReading) -> BookTrust.Outcome {
    guard trust.takesChanges else { return .dropped }
    trust.countChange(at: now)
    trust.confirm(at: now)
    if skippedRows != missesBefore {
      missesBefore = skippedRows
      messagesWithMisses += 1
      if firstMiss == nil { firstMiss = now.monotonic }
    }
    let levels = book.levelCount(.bid) + book.levelCount(.ask)
    if book.isCrossed { return trust.doubt(.crossed) }
    let isWrong = messagesWithMisses >= Self.missLimit || levels > Self.maximumLevels
    return isWrong ? trust.doubt(.unknownLevel) : .applied
  }

  /// Whether patience with a single miss has run out; the book is doubtful from then on.
  mutating func losesPatience(at now: MonotonicTime) -> Bool {
    guard trust.takesChanges, !trust.isDoubtful, let firstMiss,
      now.milliseconds(since: firstMiss) >= Self.missPatienceMilliseconds
    else { return false }
    return trust.doubt(.unknownLevel) == .needsSnapshot
  }

  /// What the book is worth by its own rhythm.
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
