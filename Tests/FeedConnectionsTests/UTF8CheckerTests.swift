// The incremental UTF-8 check must agree with Swift's own on every input, however it is split.

import NIOCore
import Testing

@testable import SocketTransport

@Suite struct UTF8CheckerTests {
  private func accepts(_ bytes: [UInt8], cutAt cut: Int) -> Bool {
    var checker = UTF8Checker()
    let first = ByteBuffer(bytes: bytes[..<cut])
    let second = ByteBuffer(bytes: bytes[cut...])
    return checker.accepts(first.readableBytesSpan) && checker.accepts(second.readableBytesSpan)
      && checker.isComplete
  }

  @Test func `it agrees with Swift on random bytes cut anywhere`() {
    let leads: [UInt8] = [0x41, 0x80, 0xbf, 0xc1, 0xc2, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xa0]
    for seed in 0..<4000 as Range<UInt64> {
      var generator = SeededGenerator(seed)
      let count = Int.random(in: 0...12, using: &generator)
      let bytes = (0..<count).map { _ in leads.randomElement(using: &generator) ?? 0 }
      let expected = String(validating: bytes, as: UTF8.self) != nil
      let cut = Int.random(in: 0...count, using: &generator)
      #expect(accepts(bytes, cutAt: cut) == expected, "seed \(seed): \(bytes) cut at \(cut)")
    }
  }

  @Test func `it accepts every scalar value`() {
    var bytes: [UInt8] = []
    for value in stride(from: UInt32(0), through: 0x10ffff, by: 7) {
      if let scalar = Unicode.Scalar(value) { bytes += Array(String(scalar).utf8) }
    }
    for cut in [0, 1, 100_001, bytes.count] { #expect(accepts(bytes, cutAt: cut)) }
  }
}
