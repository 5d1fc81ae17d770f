// Which unbroken book steps next: a heap, since hundreds may be open.

/// Open books by when they are due; of equal times the lower index comes first.
struct StepHeap: Sendable {
  /// A book and when its next step is due.
  struct Entry: Sendable {
    let index: Int
    var due: Int64

    func precedes(_ other: Entry) -> Bool { (due, index) < (other.due, other.index) }
  }

  private var entries: [Entry] = []

  /// The book that steps next; nil when none is open.
  var first: Entry? { entries.first }

  /// The open books, in no order.
  var indexes: [Int] { entries.map(\.index) }

  /// Adds a book that is not in the heap.
  ///
  /// O(log n).
  mutating func add(_ index: Int, due: Int64) {
    entries.append(Entry(index: index, due: due))
    var child = entries.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard entries[child].precedes(entries[parent]) else { return }
      entries.swapAt(child, parent)
      child = parent
    }
  }

  /// Moves the first book to a later time.
  ///
  /// O(log n).
  mutating func delayFirst(to due: Int64) {
    guard !entries.isEmpty else { return }
    entries[0].due = due
    var parent = 0
    while true {
      var smallest = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < entries.count {
        if entries[child].precedes(entries[smallest]) { smallest = child }
      }
      if smallest == parent { return }
      entries.swapAt(smallest, parent)
      parent = smallest
    }
  }

  /// Takes a book out.
  ///
  /// O(n).
  mutating func remove(_ index: Int) {
    let others = entries.filter { $0.index != index }
    entries = []
    for other in others { add(other.index, due: other.due) }
  }
}
