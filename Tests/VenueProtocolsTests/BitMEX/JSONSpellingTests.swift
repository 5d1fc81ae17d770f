// Texts that are compared as numbers: exactly themselves, nowhere outside the message.

import Testing

@testable import VenueProtocols
import WireJSON

extension JSONSpelling {
  /// The slow and certain way to make one.
  init(spelledOut text: String) {
    let bytes = Array(text.utf8)
    func word(_ bytes: some Collection<UInt8>) -> UInt64 {
      bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    self.init(bytes.count, word(bytes.prefix(8)), word(bytes.dropFirst(8)))
  }
}

@Suite struct JSONSpellingTests {
  private static let text = "abcdefghijklmnop"

  @Test(arguments: 1...16)
  func `a text of any length is taken where it is whole, and nothing else`(length: Int) {
    let text = String(Self.text.prefix(length))
    let spelling = JSONSpelling(spelledOut: text)
    let bytes = Array(("--" + text + String(repeating: "+", count: 16)).utf8)
    var cursor = JSONCursor(offset: 2)
    let isTaken = cursor.takes(spelling, bytes.span)
    #expect(isTaken)
    #expect(cursor.offset == 2 + length)
    for index in 0..<length {
      for bit in 0..<8 {
        var changed = bytes
        changed[2 + index] ^= 1 << UInt8(bit)
        cursor = JSONCursor(offset: 2)
        let isTaken = cursor.takes(spelling, changed.span)
        #expect(!isTaken, "byte \(index), bit \(bit)")
        #expect(cursor.offset == 2)
      }
    }
  }

  @Test(arguments: 1...16)
  func `no offset and no end lead outside the message`(length: Int) {
    let spelling = JSONSpelling(spelledOut: String(Self.text.prefix(length)))
    for count in 0...20 {
      let bytes = Array((Self.text + "++++").utf8.prefix(count))
      for offset in [Int.min, -17, -1, 0, 1, count - 1, count, count + 1, Int.max] {
        var cursor = JSONCursor(offset: offset)
        let isTaken = cursor.takes(spelling, bytes.span)
        #expect(isTaken == (offset == 0 && count >= (length > 8 ? 16 : 8)), "\(count), \(offset)")
        cursor = JSONCursor(offset: offset)
        let isByte = cursor.takes(UInt8(ascii: "a"), bytes.span)
        #expect(isByte == (offset == 0 && count > 0))
      }
    }
  }
}
