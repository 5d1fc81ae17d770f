extension Array {
  /// Empties the array and keeps its memory, in O(1) for an empty array and cheaply for up to eight
  /// elements, unlike `removeAll`.
  @inline(__always)
  mutating func empty() {
    while !isEmpty {
      if count > 8 { return removeAll(keepingCapacity: true) }
      removeLast()
    }
  }
}
