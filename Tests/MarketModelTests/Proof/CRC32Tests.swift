import Testing

@testable import MarketModel

struct CRC32Tests {
  private func check(_ bytes: [UInt8]) -> UInt32 {
    let tables = CRC32.tables
    return CRC32.value(of: bytes.span, tables: tables.span)
  }

  @Test(arguments: [
    ("", 0), ("123456789", 0xcbf4_3926),
    ("The quick brown fox jumps over the lazy dog", 0x414f_a339),
  ])
  func `the cyclic redundancy check has the published check values`(_ text: String, _ value: UInt32)
  {
    #expect(check(Array(text.utf8)) == value)
  }

  @Test func `eight bytes at a time give what one byte at a time gives`() {
    var random = SplitMix64(seed: 7)
    for length in 0..<100 {
      let bytes = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      var crc: UInt32 = 0xffff_ffff
      for byte in bytes { crc = crc >> 8 ^ CRC32.tables[Int((crc ^ UInt32(byte)) & 0xff)] }
      #expect(check(bytes) == ~crc, "length \(length)")
    }
  }
}
