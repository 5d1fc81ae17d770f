extension Array {
  /// Sorts in place, stably; O(n) when already sorted, O(n²) otherwise.
  ///
  /// For short or nearly sorted arrays: a fifth of the standard sort's machine code, which the page
  /// has to load.
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
