// Run-time compression, read back bit by bit by a separate reader.

import MarketModel
import Testing

@testable import LivetapeServer

@Suite struct GzipTests {
  /// Reads a gzip file of one block with fixed codes; nil for anything else.
  private func decompress(_ file: [UInt8]) -> [UInt8]? {
    guard file.count >= 18, file.prefix(4) == [0x1f, 0x8b, 8, 0] else { return nil }
    var place = 80
    func bit() -> Int {
      defer { place += 1 }
      return place / 8 < file.count ? Int(file[place / 8] >> UInt8(place % 8)) & 1 : 0
    }
    func bits(_ count: Int) -> Int { (0..<count).reduce(0) { $0 | bit() << $1 } }
    func code(_ count: Int, _ start: Int = 0) -> Int {
      (0..<count).reduce(start) { code, _ in code << 1 | bit() }
    }
    func symbol() -> Int {
      let seven = code(7)
      if seven < 24 { return 256 + seven }
      let eight = code(1, seven)
      if eight < 0xc0 { return eight - 0x30 }
      if eight < 0xc8 { return 280 + eight - 0xc0 }
      return 144 + code(1, eight) - 0x190
    }
    let extras = [
      0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5,
    ]
    guard bits(3) == 3 else { return nil }
    var bytes: [UInt8] = []
    while true {
      let symbol = symbol()
      if symbol == 256 { break }
      if symbol < 256 {
        bytes.append(UInt8(symbol))
        continue
      }
      var length = 258
      if symbol < 285 {
        let step = symbol - 257
        length = 3 + extras.prefix(step).reduce(0) { $0 + 1 << $1 } + bits(extras[step])
      }
      let step = code(5)
      let extra = max(0, step / 2 - 1)
      let base = step < 4 ? step : (2 + step % 2) << extra
      let distance = 1 + base + bits(extra)
      guard distance <= bytes.count else { return nil }
      for _ in 0..<length { bytes.append(bytes[bytes.count - distance]) }
    }
    place = (place + 7) / 8 * 8
    _ = bits(32)
    guard bits(32) == bytes.count, place == file.count * 8 else { return nil }
    return bytes
  }

  @Test(arguments: [
    "", "a", "abcabcabcabcabcabcabcabcabcabc", String(repeating: "x", count: 70_000),
    "naïve: “π” 💶",
  ])
  func `what is compressed is read again`(_ text: String) {
    let bytes = Array(text.utf8)
    #expect(decompress(Gzip.compress(bytes)) == bytes)
  }

  @Test(arguments: (1...24).map { UInt64($0) })
  func `bytes of any kind are read again`(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var bytes: [UInt8] = []
    // Stretches of noise, and repetitions from near and far.
    while bytes.count < 90_000 {
      if bytes.isEmpty || random.below(3) == 0 {
        for _ in 0..<random.below(200) { bytes.append(UInt8(random.below(256))) }
      } else {
        let start = Int(random.below(Int64(bytes.count)))
        bytes += Array(bytes[start...].prefix(Int(random.below(600))))
      }
    }
    #expect(decompress(Gzip.compress(bytes)) == bytes)
  }

  @Test func `it ends with the checksum and the length that gzip asks for`() {
    #expect(
      Gzip.compress(Array("123456789".utf8)).suffix(8) == [0x26, 0x39, 0xf4, 0xcb, 9, 0, 0, 0])
  }

  @Test func `a list that repeats itself shrinks to a fifth`() {
    let rows = (0..<1500).map { #"{"id":"kraken/C\#($0)/USD","venue":"kraken","open":true}"# }
    let bytes = Array(rows.joined(separator: ",").utf8)
    #expect(Gzip.compress(bytes).count < bytes.count / 5)
  }
}
