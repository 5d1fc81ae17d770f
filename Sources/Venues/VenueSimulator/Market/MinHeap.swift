// What comes first of many that come and go: steps of books, delayed commands, timers.

/// What stands in a ``MinHeap``.
protocol Ranked: Sendable {
  /// Whether this comes before another; of two that differ, exactly one does.
  func precedes(_ other: Self) -> Bool
}

/// A binary heap: the element before all others is at hand.
struct MinHeap<Element: Ranked>: Sendable {
  /// All elements, in no order but that the first comes first.
  private(set) var elements: [Element] = []

  /// An empty heap.
  init() {}

  /// A heap of these elements.
  ///
  /// O(n log n).
  init(_ elements: some Sequence<Element>) { for element in elements { add(element) } }

  /// The element before all others; nil when the heap is empty.
  var first: Element? { elements.first }

  /// Adds an element.
  ///
  /// O(log n).
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

  /// Puts another element in the place of the first; does nothing to an empty heap.
  ///
  /// O(log n).
  mutating func replaceFirst(with element: Element) {
    guard !elements.isEmpty else { return }
    elements[0] = element
    sinkFirst()
  }

  /// Takes the first element; nil when the heap is empty.
  ///
  /// O(log n).
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
