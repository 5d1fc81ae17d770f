// Things that will happen, soonest first: delayed commands, timers, held messages.

import MarketModel

/// A priority queue by time; among equal times the one added first comes first.
struct TimedQueue<Element: Sendable>: Sendable {
  private struct Entry: Sendable {
    let due: Timestamp
    let order: UInt64
    let element: Element

    func precedes(_ other: Entry) -> Bool { (due, order) < (other.due, other.order) }
  }

  private var heap: [Entry] = []
  private var added: UInt64 = 0

  /// When the first element is due; nil when the queue is empty.
  var nextDue: Timestamp? { heap.first?.due }

  /// Elements waiting.
  var count: Int { heap.count }

  /// Adds an element.
  ///
  /// O(log n).
  mutating func add(_ element: Element, due: Timestamp) {
    heap.append(Entry(due: due, order: added, element: element))
    added += 1
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].precedes(heap[parent]) else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  /// Takes the first element if it is due at `now`; nil when none is.
  ///
  /// O(log n).
  mutating func take(dueBy now: Timestamp) -> (due: Timestamp, element: Element)? {
    guard let first = heap.first, first.due <= now else { return nil }
    let last = heap.removeLast()
    if !heap.isEmpty {
      heap[0] = last
      sinkRoot()
    }
    return (first.due, first.element)
  }

  private mutating func sinkRoot() {
    var parent = 0
    while true {
      var smallest = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
        if heap[child].precedes(heap[smallest]) { smallest = child }
      }
      if smallest == parent { return }
      heap.swapAt(smallest, parent)
      parent = smallest
    }
  }
}

extension Timestamp {
  /// The time this many milliseconds later (earlier when negative).
  func adding(milliseconds: Int64) -> Timestamp {
    Timestamp(nanoseconds: nanoseconds &+ milliseconds &* 1_000_000)
  }

  /// The time this many microseconds later.
  func adding(microseconds: Int64) -> Timestamp {
    Timestamp(nanoseconds: nanoseconds &+ microseconds &* 1000)
  }

  /// Whole milliseconds from `earlier` to here.
  func milliseconds(since earlier: Timestamp) -> Int64 {
    (nanoseconds &- earlier.nanoseconds) / 1_000_000
  }
}
