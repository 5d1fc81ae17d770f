// Buffers that decoders and markets use again for every message.

extension Array {
  /// Empties the array and keeps its memory; free when it is empty already and cheap for a few
  /// elements, which `removeAll` is not.
  @inline(__always)
  mutating func empty() {
    while !isEmpty {
      if count > 8 { return removeAll(keepingCapacity: true) }
      removeLast()
    }
  }
}
