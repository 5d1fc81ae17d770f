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
      for row in rows where accepted[row.symbol] {
        if stamps[row.symbol] != stamp { touch(row.symbol) }
        states[row.symbol].apply(row, action)
      }
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
      var end = start + 1
      while end < rows.count, rows[end].symbol == rows[start].symbol { end += 1 }
      replaceRun(rows[start..<end])
      start = end
    }
  }

  private mutating func clear(_ number: Int) {
    guard accepted[number] else { return }
    touch(number)
    states[number].replace(with: [])
  }

  /// The first run of a symbol's rows replaces the book, further runs add to it.
  private mutating func replaceRun(_ run: ArraySlice<BitMEXBookRow>) {
    guard let number = run.first?.symbol, accepted[number] else { return }
    let isFirst = stamps[number] != stamp || states[number].book.isEmpty
    if stamps[number] != stamp { touch(number) }
    guard isFirst else {
      for row in run { states[number].apply(row, .insert) }
      return
    }
    levels.empty()
    for row in run {
      if let level = row.level { levels.append(level) }
    }
    states[number].replace(with: levels)
  }

  private mutating func touch(_ number: Int) {
    stamps[number] = stamp
    touched.append(number)
  }
}
