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
