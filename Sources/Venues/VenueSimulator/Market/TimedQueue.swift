import MarketModel

/// A priority queue by time; among equal times the element added first comes first.
struct TimedQueue<Element: Sendable>: Sendable {
  private struct Entry: Ranked {
    let due: Timestamp
    let order: UInt64
    let element: Element

    func precedes(_ other: Entry) -> Bool { (due, order) < (other.due, other.order) }
  }

  private var heap = MinHeap<Entry>()
  private var added: UInt64 = 0

  /// When the first element is due; nil when the queue is empty.
  var nextDue: Timestamp? { heap.first?.due }

  var count: Int { heap.elements.count }

  /// Adds an element, in O(log n).
  mutating func add(_ element: Element, due: Timestamp) {
    heap.add(Entry(due: due, order: added, element: element))
    added += 1
  }

  /// Removes and returns the first element if it is due at `now`, in O(log n).
  mutating func take(dueBy now: Timestamp) -> (due: Timestamp, element: Element)? {
    guard let next = heap.first, next.due <= now else { return nil }
    return heap.removeFirst().map { ($0.due, $0.element) }
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

  /// Whole milliseconds since `earlier`.
  func milliseconds(since earlier: Timestamp) -> Int64 {
    (nanoseconds &- earlier.nanoseconds) / 1_000_000
  }
}
