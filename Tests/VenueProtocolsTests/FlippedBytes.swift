/// `bytes` with one byte changed to each value, and a description of the change.
func flips(of bytes: [UInt8]) -> some Sequence<(bytes: [UInt8], words: String)> {
  bytes.indices.lazy.flatMap { index in
    (UInt8.min...UInt8.max).lazy.map { value in
      var flipped = bytes
      flipped[index] = value
      return (flipped, "byte \(index) as \(value)")
    }
  }
}
