/// Validates UTF-8 incrementally, by table 3-7 of the Unicode Standard.
struct UTF8Checker: Sendable, Equatable {
  private var needed = 0
  private var lowest: UInt8 = 0x80
  private var highest: UInt8 = 0xbf

  var isComplete: Bool { needed == 0 }

  /// Checks the next bytes, O(n); false when no further bytes could make them valid.
  mutating func accepts(_ bytes: RawSpan) -> Bool {
    var index = 0
    let count = bytes.byteCount
    while index < count {
      if needed == 0 {
        index = UTF8Checker.skipASCII(bytes, from: index)
        if index == count { break }
      }
      let byte = bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)
      guard accepts(byte: byte) else { return false }
      index += 1
    }
    return true
  }

  /// Checks one byte; false when no further bytes could make it valid.
  mutating func accepts(byte: UInt8) -> Bool { needed == 0 ? begins(byte) : continues(byte) }

  /// The first offset at or after `start` that may have a byte above 0x7f, eight at a time.
  private static func skipASCII(_ bytes: RawSpan, from start: Int) -> Int {
    var index = start
    let count = bytes.byteCount
    while index &+ 8 <= count {
      let word = bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
      if word & 0x8080_8080_8080_8080 != 0 { break }
      index &+= 8
    }
    while index < count, bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self) < 0x80 {
      index &+= 1
    }
    return index
  }

  private mutating func begins(_ byte: UInt8) -> Bool {
    lowest = 0x80
    highest = 0xbf
    switch byte {
    case 0x00...0x7f: needed = 0
    case 0xc2...0xdf: needed = 1
    case 0xe0: (needed, lowest) = (2, 0xa0)
    case 0xed: (needed, highest) = (2, 0x9f)
    case 0xe1...0xef: needed = 2
    case 0xf0: (needed, lowest) = (3, 0x90)
    case 0xf1...0xf3: needed = 3
    case 0xf4: (needed, highest) = (3, 0x8f)
    default: return false
    }
    return true
  }

  private mutating func continues(_ byte: UInt8) -> Bool {
    guard byte >= lowest, byte <= highest else { return false }
    needed -= 1
    lowest = 0x80
    highest = 0xbf
    return true
  }
}
