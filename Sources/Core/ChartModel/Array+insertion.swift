// A sort for what is short or nearly in order: a fifth of the standard library's in machine code,
// which the page has to load.

extension Array {
  /// Sorts in place and keeps the order of equals; O(n) for what is in order, O(n²) for what is
  /// not.
  mutating func insertionSort(by isBefore: (Element, Element) -> Bool) {
    for end in indices.dropFirst() {
      var at = end
      while at > startIndex, isBefore(self[at], self[at - 1]) {
        swapAt(at, at - 1)
        at -= 1
      }
    }
  }
}
