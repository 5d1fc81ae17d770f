// The ledger's disk, in memory: what was written is there after a crash, what was not is not.

import OrderLedger
import PaperTrading

/// Order events that are durable.
struct MemoryDisk {
  private(set) var events: [OrderEvent] = []
  /// Whether it takes nothing.
  var isFull = false
  /// How many events there were before the latest write; what a crash within it leaves.
  private var before = 0
  /// A mistake that a test plants: every tenth event is lost without a word.
  let forgets: Bool
  private var written = 0

  init(forgets: Bool) { self.forgets = forgets }

  /// Writes events, all or none.
  mutating func append(_ new: [OrderEvent]) throws(LedgerError) {
    guard !isFull else { throw .diskFull(path: "memory") }
    before = events.count
    for event in new {
      written += 1
      if forgets, written % 10 == 0 { continue }
      events.append(event)
    }
  }

  /// The latest write is whole now.
  mutating func settle() { before = events.count }

  /// The process ends within the latest write: it is there, or it is not.
  mutating func crash(keepsLatest: Bool) {
    if !keepsLatest { events.removeLast(events.count - before) }
    before = events.count
  }
}
