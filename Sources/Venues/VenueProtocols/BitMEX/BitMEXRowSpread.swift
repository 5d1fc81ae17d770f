import MarketModel
import OrderBook

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
