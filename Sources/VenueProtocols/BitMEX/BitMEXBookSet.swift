// The books of one table by symbol number, and how a message's rows are spread over them.

import MarketModel
import OrderBook

/// Books of one table (`orderBookL2` or `orderBookL2_25`).
struct BitMEXBookSet {
  private(set) var states: [BitMEXBookSync] = []
  /// Books that the latest message changed, each once.
  private(set) var changed: [Int] = []
  /// Books that the latest message showed to be wrong.
  private(set) var doubtful: [Int] = []
  private var accepted: [Bool] = []
  private var touched: [Int] = []
  private var stamps: [UInt64] = []
  private var stamp: UInt64 = 0
  private var levels: [BookLevel] = []

  mutating func append(accepted isAccepted: Bool) {
    states.append(BitMEXBookSync())
    accepted.append(isAccepted)
    stamps.append(0)
  }

  /// Whether the books of a symbol are kept at all.
  func accepts(_ number: Int) -> Bool { accepted[number] }

  mutating func setAccepted(_ number: Int, _ isAccepted: Bool) {
    accepted[number] = isAccepted
    if !isAccepted { states[number].forget() }
  }

  mutating func change<Result>(
    _ number: Int, _ body: (inout BitMEXBookSync) -> Result
  ) -> Result { body(&states[number]) }

  mutating func interrupt() {
    for index in states.indices { states[index].interrupt() }
  }

  /// Forgets what the message before changed.
  mutating func beginMessage() {
    changed.empty()
    doubtful.empty()
  }

  /// Spreads the rows of one message.
  ///
  /// `filter` identifies the book of a partial without rows; a partial without filter is the image
  /// of the whole table, which only a recording can hold.
  mutating func apply(
    _ rows: [BitMEXBookRow], _ action: BitMEXAction, filter: Int?, _ takesEverything: Bool,
    _ now: ClockReading
  ) {
    stamp &+= 1
    touched.empty()
    if action == .partial {
      replace(by: rows, filter: filter, takesEverything)
    } else {
      change(by: rows, action)
    }
    for number in touched {
      switch states[number].endMessage(at: now) {
      case .dropped: continue
      case .applied: changed.append(number)
      case .needsSnapshot:
        changed.append(number)
        doubtful.append(number)
      }
    }
  }

  private mutating func change(by rows: [BitMEXBookRow], _ action: BitMEXAction) {
    var start = 0
    while start < rows.count {
      let end = Self.endOfRun(rows, from: start)
      let number = rows[start].symbol
      if accepted[number] {
        if stamps[number] != stamp { touch(number) }
        states[number].apply(rows, start..<end, action)
      }
      start = end
    }
  }

  /// The index behind the rows from `start` on that are of one symbol: nearly always all of them.
  private static func endOfRun(_ rows: [BitMEXBookRow], from start: Int) -> Int {
    var end = start + 1
    while end < rows.count, rows[end].symbol == rows[start].symbol { end += 1 }
    return end
  }

  private mutating func replace(
    by rows: [BitMEXBookRow], filter: Int?, _ takesEverything: Bool
  ) {
    if let filter {
      clear(filter)
    } else if takesEverything {
      // Books without any row in a partial of the whole table are empty now.
      for number in states.indices where !states[number].awaitsSnapshot { clear(number) }
    }
    var start = 0
    while start < rows.count {
      let end = Self.endOfRun(rows, from: start)
      replaceRun(rows, start..<end)
      start = end
    }
  }

  private mutating func clear(_ number: Int) {
    guard accepted[number] else { return }
    touch(number)
    states[number].replace(with: [])
  }

  /// The first run of a symbol's rows replaces the book, further runs add to it.
  private mutating func replaceRun(_ rows: [BitMEXBookRow], _ run: Range<Int>) {
    let number = rows[run.lowerBound].symbol
    guard accepted[number] else { return }
    let isFirst = stamps[number] != stamp || states[number].book.isEmpty
    if stamps[number] != stamp { touch(number) }
    guard isFirst else { return states[number].apply(rows, run, .insert) }
    levels.empty()
    for row in rows[run] {
      if let level = row.level { levels.append(level) }
    }
    states[number].replace(with: levels)
  }

  private mutating func touch(_ number: Int) {
    stamps[number] = stamp
    touched.append(number)
  }
}
