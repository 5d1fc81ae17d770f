extension Array {
  /// Empties the array and keeps its memory; faster than `removeAll` for up to eight elements.
  @inline(__always)
  mutating func empty() {
    while !isEmpty {
      if count > 8 { return removeAll(keepingCapacity: true) }
      removeLast()
    }
  }
}
