// DER, byte by byte.

import MarketModel
import Testing

@testable import RunCertificates

@Suite struct DERTests {
  @Test(
    arguments: [
      (0, [0x04, 0x00]), (127, [0x04, 0x7f]), (128, [0x04, 0x81, 0x80]), (255, [0x04, 0x81, 0xff]),
      (256, [0x04, 0x82, 0x01, 0x00]), (70_000, [0x04, 0x83, 0x01, 0x11, 0x70]),
    ] as [(Int, [UInt8])])
  func `a length is written in as few bytes as there are`(count: Int, head: [UInt8]) {
    let value = DER.octets([UInt8](repeating: 1, count: count))
    #expect(value.count == head.count + count && value.starts(with: head))
  }

  @Test(
    arguments: [
      ([], [0x02, 0x01, 0x00]), ([0, 0], [0x02, 0x01, 0x00]), ([0, 0x7f], [0x02, 0x01, 0x7f]),
      ([0x80], [0x02, 0x02, 0x00, 0x80]), ([1, 0], [0x02, 0x02, 0x01, 0x00]),
    ] as [([UInt8], [UInt8])])
  func `a number is never negative and has no zeros before it`(
    magnitude: [UInt8], bytes: [UInt8]
  ) {
    #expect(DER.integer(magnitude) == bytes)
  }

  @Test(
    arguments: [
      ("1999-12-31T23:59:59Z", 0x17, "991231235959Z"),
      ("2026-11-26T04:05:06Z", 0x17, "261126040506Z"),
      ("2049-12-31T00:00:00Z", 0x17, "491231000000Z"),
      ("2050-01-01T00:00:00Z", 0x18, "20500101000000Z"),
      ("2100-01-01T00:00:00Z", 0x18, "21000101000000Z"),
    ] as [(String, UInt8, String)])
  func `a year has two digits until 2049`(text: String, tag: UInt8, written: String) throws {
    let time = try #require(Timestamp(iso8601: text))
    #expect(DER.time(time) == [tag, UInt8(written.utf8.count)] + Array(written.utf8))
  }
}
