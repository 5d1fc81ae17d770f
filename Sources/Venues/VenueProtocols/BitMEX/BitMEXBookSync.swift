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
  var trust = BookTrust(CadenceTracker(expectedGapMilliseconds: Self.expectedGapMilliseconds))
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
    case .delete: for index in range where !book.delete(id: rows[index].id) { skippedRows += 1 }
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

/// Distributes the rows of a message of `orderBookL2` or `orderBookL2_25`, which may belong to
/// several books in any order.
///
/// Buffers are reused, so that a usual message allocates nothing.
struct BitMEXRowSpread {
  private var touched: [Int] = []
  private var stamps: [UInt64] = []
  private var stamp: UInt64 = 0
  private var levels: [KeyedLevel] = []

  init() {}

  /// Distributes the rows of one message.
  ///
  /// `symbol` is that of all rows, nil for several. `filter` identifies the book of a partial
  /// without rows. A partial without filter is the snapshot of the whole table, which occurs only
  /// in recordings.
  mutating func apply(
    _ rows: [BitMEXBookRow], of symbol: Int?, _ action: BitMEXAction,
    to books: inout BookSet<BitMEXBookSync>, filter: Int?, _ takesEverything: Bool,
    _ now: ClockReading
  ) {
    // Nearly every message changes one book.
    if action != .partial, let symbol {
      guard books.accepts(symbol) else { return }
      return books.change(symbol) { book in
        book.apply(rows, 0..<rows.count, action)
        return book.endMessage(at: now)
      }
    }
    stamp &+= 1
    touched.empty()
    while stamps.count < books.states.count { stamps.append(0) }
    if action == .partial {
      replace(by: rows, &books, filter: filter, takesEverything)
    } else {
      change(by: rows, action, &books)
    }
    for number in touched {
      books.note(number, books.states[number].endMessage(at: now))
    }
  }

  private mutating func change(
    by rows: [BitMEXBookRow], _ action: BitMEXAction, _ books: inout BookSet<BitMEXBookSync>
  ) {
    let rows = grouped(rows, books)
    var start = 0
    while start < rows.count {
      let end = Self.endOfRun(rows, from: start)
      let number = rows[start].symbol
      if books.accepts(number) {
        if stamps[number] != stamp { touch(number) }
        books.states[number].apply(rows, start..<end, action)
      }
      start = end
    }
  }

  /// The end of the run of rows of one symbol from `start` on, which nearly always is all rows.
  private static func endOfRun(_ rows: [BitMEXBookRow], from start: Int) -> Int {
    var end = start + 1
    while end < rows.count, rows[end].symbol == rows[start].symbol { end += 1 }
    return end
  }

  /// The rows of a message in one run per symbol, however the venue mixes them.
  ///
  /// Each symbol's rows keep their order, and books are touched in the order of the message.
  private mutating func grouped(
    _ rows: [BitMEXBookRow], _ books: BookSet<BitMEXBookSync>
  ) -> [BitMEXBookRow] {
    if rows.isEmpty || Self.endOfRun(rows, from: 0) == rows.count { return rows }
    for row in rows where books.accepts(row.symbol) && stamps[row.symbol] != stamp {
      touch(row.symbol)
    }
    let order = rows.indices.sorted { (rows[$0].symbol, $0) < (rows[$1].symbol, $1) }
    return order.map { rows[$0] }
  }

  private mutating func replace(
    by rows: [BitMEXBookRow], _ books: inout BookSet<BitMEXBookSync>, filter: Int?,
    _ takesEverything: Bool
  ) {
    if let filter {
      clear(filter, &books)
    } else if takesEverything {
      // Books without any row in a partial of the whole table are empty now.
      for number in books.states.indices where books.states[number].trust.takesChanges {
        clear(number, &books)
      }
    }
    let rows = grouped(rows, books)
    var start = 0
    while start < rows.count {
      let end = Self.endOfRun(rows, from: start)
      replaceRun(rows, start..<end, &books)
      start = end
    }
  }

  private mutating func clear(_ number: Int, _ books: inout BookSet<BitMEXBookSync>) {
    guard books.accepts(number) else { return }
    touch(number)
    books.states[number].replace(with: [])
  }

  private mutating func replaceRun(
    _ rows: [BitMEXBookRow], _ run: Range<Int>, _ books: inout BookSet<BitMEXBookSync>
  ) {
    let number = rows[run.lowerBound].symbol
    guard books.accepts(number) else { return }
    if stamps[number] != stamp { touch(number) }
    levels.empty()
    for row in rows[run] {
      if let level = row.level { levels.append(level) }
    }
    books.states[number].replace(with: levels)
  }

  private mutating func touch(_ number: Int) {
    stamps[number] = stamp
    touched.append(number)
  }
}
