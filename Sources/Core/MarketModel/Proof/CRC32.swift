/// The CRC of ISO 3309 (polynomial 0xEDB88320, reflected), eight bytes at a time.
enum CRC32 {
  /// Eight tables of 256 entries: the contribution of a byte 0 to 7 places from the end of a block.
  static let tables: ContiguousArray<UInt32> = makeTables()

  static func value(of bytes: Span<UInt8>, tables: Span<UInt32>) -> UInt32 {
    var crc: UInt32 = 0xffff_ffff
    var offset = 0
    while offset &+ 8 <= bytes.count {
      let block = eightBytes(bytes, offset) ^ UInt64(crc)
      crc = 0
      for place in 0..<8 {
        let byte = Int(truncatingIfNeeded: block &>> UInt64(8 &* place) & 0xff)
        crc ^= tables[(7 &- place) &* 256 &+ byte]
      }
      offset &+= 8
    }
    while offset < bytes.count {
      let byte = Int(truncatingIfNeeded: (crc ^ UInt32(bytes[offset])) & 0xff)
      crc = crc &>> 8 ^ tables[byte]
      offset &+= 1
    }
    return ~crc
  }

  /// Eight bytes from `offset`, the first lowest; traps unless all are inside.
  @inline(__always)
  private static func eightBytes(_ bytes: Span<UInt8>, _ offset: Int) -> UInt64 {
    precondition(offset >= 0 && offset &+ 8 <= bytes.count)
    let raw = bytes.bytes
    return UInt64(
      littleEndian: raw.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
  }

  private static func makeTables() -> ContiguousArray<UInt32> {
    var tables: ContiguousArray<UInt32> = []
    tables.reserveCapacity(8 * 256)
    for byte in 0..<UInt32(256) {
      var entry = byte
      for _ in 0..<8 { entry = entry & 1 == 1 ? entry >> 1 ^ 0xedb8_8320 : entry >> 1 }
      tables.append(entry)
    }
    for index in 256..<(8 * 256) {
      let former = tables[index - 256]
      tables.append(former >> 8 ^ tables[Int(former & 0xff)])
    }
    return tables
  }
}
