import MarketModel

protocol Ranked: Sendable {
  /// Whether this comes before another; of two different ones, exactly one does.
  func precedes(_ other: Self) -> Bool
}

/// A binary heap, for steps of books, delayed commands and timers.
struct MinHeap<Element: Ranked>: Sendable {
  /// All elements; only the first one's position is defined.
  private(set) var elements: [Element] = []

  init() {}

  /// A heap of these elements, in O(n log n).
  init(_ elements: some Sequence<Element>) { for element in elements { add(element) } }

  /// The element before all others; nil when the heap is empty.
  var first: Element? { elements.first }

  /// Adds an element, in O(log n).
  mutating func add(_ element: Element) {
    elements.append(element)
    var child = elements.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard elements[child].precedes(elements[parent]) else { return }
      elements.swapAt(child, parent)
      child = parent
    }
  }

  /// Replaces the first element, in O(log n); does nothing to an empty heap.
  mutating func replaceFirst(with element: Element) {
    guard !elements.isEmpty else { return }
    elements[0] = element
    sinkFirst()
  }

  /// Removes the first element, in O(log n); nil when the heap is empty.
  mutating func removeFirst() -> Element? {
    guard let first = elements.first, let last = elements.popLast() else { return nil }
    replaceFirst(with: last)
    return first
  }

  private mutating func sinkFirst() {
    var parent = 0
    while true {
      var smallest = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < elements.count {
        if elements[child].precedes(elements[smallest]) { smallest = child }
      }
      if smallest == parent { return }
      elements.swapAt(smallest, parent)
      parent = smallest
    }
  }
}

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

// Random distributions from integers only, the same on every platform.

extension SplitMix64 {
  /// True `parts` times out of `whole`; `whole` must be positive.
  mutating func chance(_ parts: Int64, of whole: Int64) -> Bool { below(whole) < parts }

  /// A uniform integer of the range, which must hold fewer than 2^63 numbers.
  mutating func within(_ range: ClosedRange<Int64>) -> Int64 {
    range.lowerBound + below(range.upperBound - range.lowerBound + 1)
  }

  /// Nearly normal with mean 0 and this deviation, at most 2^40: the sum of four uniform numbers.
  mutating func bell(_ deviation: Int64) -> Int64 {
    let bits = next()
    let sum = (bits & 0xffff) + (bits >> 16 & 0xffff) + (bits >> 32 & 0xffff) + bits >> 48
    return (Int64(sum) - 131_070) * deviation / 37_837
  }

  /// 0, 1, 2, … each half as likely as the one before.
  mutating func halvings(atMost limit: Int64) -> Int64 {
    min(Int64(next().trailingZeroBitCount), limit)
  }
}

enum SeedText {
  /// A seed from a venue's seed and a name, equal on every platform (FNV-1a).
  static func seed(_ seed: UInt64, _ name: String) -> UInt64 {
    var hash = FNV1a(seed: seed)
    for byte in name.utf8 { hash.combine(byte: byte) }
    var mixer = SplitMix64(seed: hash.value)
    return mixer.next()
  }
}
