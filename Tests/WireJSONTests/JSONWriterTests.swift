// The writer's output is JSON, and reads back unchanged.

import Foundation
import MarketModel
import Testing

@testable import WireJSON

@Suite struct JSONWriterTests {
  private func text(_ writer: JSONWriter) -> String {
    String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test func `commas and colons are where they must be`() {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("a")
    writer.beginArray()
    writer.integer(1)
    writer.string("x")
    writer.beginObject()
    writer.endObject()
    writer.beginArray()
    writer.endArray()
    writer.null()
    writer.boolean(true)
    writer.endArray()
    writer.key(text: "b\"")
    writer.raw("[1]")
    writer.key("c")
    writer.raw(Array("{}".utf8))
    writer.endObject()
    #expect(text(writer) == #"{"a":[1,"x",{},[],null,true],"b\"":[1],"c":{}}"#)
    writer.removeAll()
    writer.boolean(false)
    #expect(text(writer) == "false")
  }

  @Test func `members, and arrays of items, are what they are made of`() {
    let price = FixedDecimal(units: 1050, scale: Scale(clamping: 2))
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("a", "x")
    writer.member("b", 7)
    writer.member("c", false)
    writer.member("d", number: price)
    writer.member("e", decimal: price)
    writer.member("f", array: [1, 2]) { $0.integer($1) }
    writer.member("g", array: [Int]()) { $0.integer($1) }
    writer.key("h")
    writer.arrays([price, nil]) {
      $0.optional($1)
      $0.optional($1?.description)
    }
    writer.endObject()
    let expected =
      #"{"a":"x","b":7,"c":false,"d":10.50,"e":"10.50","f":[1,2],"g":[],"#
      + #""h":[["10.50","10.50"],[null,null]]}"#
    #expect(text(writer) == expected)
  }

  @Test func `amounts keep all their digits`() {
    var writer = JSONWriter()
    writer.beginArray()
    writer.number(FixedDecimal(units: 3_218_050, scale: Scale(clamping: 2)))
    writer.decimalString(FixedDecimal(units: -5, scale: Scale(clamping: 3)))
    writer.integer(Int64.min)
    writer.integer(UInt64.max)
    writer.endArray()
    #expect(text(writer) == #"[32180.50,"-0.005",-9223372036854775808,18446744073709551615]"#)
  }

  @Test func `any text comes back unchanged, here and in Foundation`() throws {
    var random = SplitMix64(seed: 77)
    for _ in 0..<2000 {
      var original = ""
      for _ in 0..<random.below(20) {
        let limit: Int64 = random.below(2) == 0 ? 0x80 : 0x11_0000
        if let scalar = Unicode.Scalar(UInt32(random.below(limit))) {
          original.unicodeScalars.append(scalar)
        }
      }
      var writer = JSONWriter()
      writer.beginArray()
      writer.string(original)
      writer.endArray()
      let bytes = writer.bytes
      var cursor = JSONCursor()
      try cursor.beginArray(bytes.span)
      let back = try cursor.text(bytes.span, maximumBytes: 10_000)
      #expect(back.unicodeScalars.elementsEqual(original.unicodeScalars), "seed 77")
      #expect(defect(bytes) == nil)
      let judged = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String]
      #expect(judged?.first?.unicodeScalars.elementsEqual(original.unicodeScalars) == true)
    }
  }
}
