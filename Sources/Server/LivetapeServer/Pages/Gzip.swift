/// Gzip (RFC 1952) for content created at run time, as one block of fixed codes (RFC 1951, 3.2.6).
///
/// Suited to repetitive JSON: a list of markets shrinks to an eighth. Dynamic codes would save
/// another sixth, but need a library or much more code.
enum Gzip {
  private static let window = 32_768
  private static let lengths = 3...258
  /// Candidates compared per match.
  private static let maximumTries = 32

  /// O(n): each position is compared with a bounded number of earlier ones.
  static func compress(_ bytes: [UInt8]) -> [UInt8] {
    var writer = BitWriter(capacity: bytes.count / 4 + 64)
    // Magic, deflate, no flags, no time, no hint, unknown system.
    writer.append([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
    // The last block, of fixed codes.
    writer.write(0b011, bits: 3)
    deflate(bytes, into: &writer)
    writer.writeSymbol(256)
    writer.flush()
    writer.append(littleEndian(checksum(bytes)))
    writer.append(littleEndian(UInt32(truncatingIfNeeded: bytes.count)))
    return writer.bytes
  }

  private static func deflate(_ bytes: [UInt8], into writer: inout BitWriter) {
    var heads = [Int32](repeating: -1, count: 1 << 15)
    var earlier = [Int32](repeating: -1, count: window)
    /// Records a position; returns the latest earlier one with the same hash of three bytes.
    func note(_ place: Int) -> Int32 {
      guard place + lengths.lowerBound <= bytes.count else { return -1 }
      let three =
        UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2]) << 16
      let hash = Int((three &* 0x9e37_79b1) >> 17)
      let before = heads[hash]
      earlier[place % window] = before
      heads[hash] = Int32(truncatingIfNeeded: place)
      return before
    }
    var place = 0
    while place < bytes.count {
      var candidate = note(place)
      var best = (length: 0, distance: 0)
      var tries = 0
      while candidate >= 0, place - Int(candidate) <= window - 1, tries < maximumTries {
        let length = commonLength(bytes, Int(candidate), place)
        if length > best.length { best = (length, place - Int(candidate)) }
        let next = earlier[Int(candidate) % window]
        guard next < candidate else { break }
        candidate = next
        tries += 1
      }
      guard best.length >= lengths.lowerBound else {
        writer.writeSymbol(Int(bytes[place]))
        place += 1
        continue
      }
      writer.writeMatch(length: best.length, distance: best.distance)
      for skipped in place + 1..<place + best.length { _ = note(skipped) }
      place += best.length
    }
  }

  private static func commonLength(_ bytes: [UInt8], _ first: Int, _ second: Int) -> Int {
    let most = min(lengths.upperBound, bytes.count - second)
    var length = 0
    while length < most, bytes[first + length] == bytes[second + length] { length += 1 }
    return length
  }

  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xedb8_8320 : crc >> 1 }
  }

  /// The CRC-32 at the end of gzip.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var crc = UInt32.max
    for byte in bytes { crc = crc >> 8 ^ table[Int((crc ^ UInt32(byte)) & 0xff)] }
    return ~crc
  }

  private static func littleEndian(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}

/// Bits in deflate's order: lowest bit of a byte first, codes highest bit first.
private struct BitWriter {
  private(set) var bytes: [UInt8] = []
  private var held: UInt64 = 0
  private var count: UInt64 = 0

  init(capacity: Int) { bytes.reserveCapacity(capacity) }

  /// Only at a byte boundary.
  mutating func append(_ more: [UInt8]) { bytes += more }

  mutating func write(_ value: Int, bits: Int) {
    held |= UInt64(value) << count
    count += UInt64(bits)
    while count >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: held))
      held >>= 8
      count -= 8
    }
  }

  mutating func flush() { if count > 0 { write(0, bits: Int(8 - count)) } }

  private mutating func writeCode(_ code: Int, bits: Int) {
    var reversed = 0
    for bit in 0..<bits where code >> bit & 1 == 1 { reversed |= 1 << (bits - 1 - bit) }
    write(reversed, bits: bits)
  }

  /// A literal, the end of the block or a length's symbol.
  mutating func writeSymbol(_ symbol: Int) {
    switch symbol {
    case 0...143: writeCode(0x30 + symbol, bits: 8)
    case 144...255: writeCode(0x190 + symbol - 144, bits: 9)
    case 256...279: writeCode(symbol - 256, bits: 7)
    default: writeCode(0xc0 + symbol - 280, bits: 8)
    }
  }

  mutating func writeMatch(length: Int, distance: Int) {
    if length == 258 {
      writeSymbol(285)
    } else {
      let (step, extra, rest) = BitWriter.step(length - 3, stepsOfOne: 8)
      writeSymbol(257 + step)
      write(rest, bits: extra)
    }
    let (step, extra, rest) = BitWriter.step(distance - 1, stepsOfOne: 4)
    writeCode(step, bits: 5)
    write(rest, bits: extra)
  }

  /// The symbol, extra bits and remainder of a value whose steps double in width after the first
  /// few.
  private static func step(_ value: Int, stepsOfOne: Int) -> (step: Int, extra: Int, rest: Int) {
    if value < stepsOfOne { return (value, 0, 0) }
    // Steps that share a width: 4 for lengths, 2 for distances.
    let shared = stepsOfOne / 2
    let sharedBits = shared.trailingZeroBitCount
    let extra = Int.bitWidth - 1 - value.leadingZeroBitCount - sharedBits
    let step = extra * shared + (value >> extra)
    return (step, extra, value & (1 << extra - 1))
  }
}
