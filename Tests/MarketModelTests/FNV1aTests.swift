import MarketModel
import Testing

struct FNV1aTests {
  private func hash(_ text: String, seed: UInt64 = 0) -> UInt64 {
    var hash = FNV1a(seed: seed)
    for byte in text.utf8 { hash.combine(byte: byte) }
    return hash.value
  }

  @Test(
    arguments: [
      ("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8),
    ] as [(String, UInt64)])
  func `the standard's vectors come out`(text: String, expected: UInt64) {
    #expect(hash(text) == expected)
  }

  @Test func `a number is its eight bytes, lowest first`() {
    var numbers = FNV1a()
    numbers.combine(0x3837_3635_3433_3231 as UInt64)
    numbers.combine(-1 as Int64)
    var bytes = FNV1a()
    for byte in "12345678".utf8 { bytes.combine(byte: byte) }
    for _ in 0..<8 { bytes.combine(byte: 0xff) }
    #expect(numbers == bytes)
  }

  @Test func `seeds give hashes of their own`() {
    #expect(FNV1a(seed: 1).value == 0xcbf2_9ce4_8422_2324)
    #expect(Set((0..<100).map { hash("BTC/USD", seed: $0) }).count == 100)
  }
}
