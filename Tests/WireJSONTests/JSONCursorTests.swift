// The scanner against the JSON grammar and hostile texts. JSONSerialization decides where both must
// agree.

import Foundation
import MarketModel
import Testing

@testable import WireJSON

/// Reads one value of any type; nil when it is valid.
func defect(_ bytes: [UInt8]) -> JSONError? {
  var cursor = JSONCursor()
  do {
    try cursor.skipValue(bytes.span)
    try cursor.finish(bytes.span)
    return nil
  } catch {
    return error
  }
}

func defect(_ text: String) -> JSONError? { defect(Array(text.utf8)) }

@Suite struct JSONCursorTests {
  @Test(arguments: [
    "{}", "[]", "0", "-0", "-0.0", "1e5", "1E+5", "1e-5", "1.25", "\"\"", "true", "false", "null",
    " \t\r\n[ 1 , 2 ] \n", "{\"a\":[{}],\"b\":{\"c\":null}}",
    "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"",
    "\"é€😀\"", "\"\\ud83d\\ude00\"", "1e400", "123456789012345678901234567890.5e-9999",
    "\"\u{7f}\"", "[[[[[[[[[[]]]]]]]]]]", "\"12345678901234567\\n8901234567890\"",
  ])
  func `sound texts are accepted`(text: String) { #expect(defect(text) == nil) }

  @Test(arguments: [
    "", " ", "{", "[", "\"", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "[1", "[1,", "nul",
    "tru",
    "fals", "-", "1.", "1e", "1e+", "\"\\", "\"\\u", "\"\\u00", "\"\\u00e",
  ])
  func `unfinished texts are truncated`(text: String) {
    #expect(defect(text)?.reason == .truncated)
  }

  @Test(arguments: [
    "{]", "[}", "{,}", "[,]", "[1,]", "{\"a\":1,}", "{\"a\" 1}", "{\"a\":}", "{a:1}", "{1:1}",
    "[1 2]",
    "01", "-01", "+1", ".5", "1.e5", "1.5.5", "0x10", "NaN", "Infinity", "-Infinity", "'a'", "nulL",
    "True", "\"\\x\"", "\"\\u00g0\"", "\"\u{1}\"", "\"\n\"", "{} {}", "1 1", "\u{feff}1", "[1]x",
    "/**/1",
    "{\"a\":1 \"b\":2}", "[\u{a0}1]", "\"12345678\u{b}\"",
  ])
  func `malformed texts are refused`(text: String) { #expect(defect(text) != nil) }

  @Test(
    arguments: [
      [0x80], [0xbf], [0xc0, 0x80], [0xc1, 0xbf], [0xc2], [0xe0, 0x80, 0x80], [0xe0, 0x9f, 0xbf],
      [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xed, 0xbf, 0xbf], [0xf0, 0x80, 0x80, 0x80],
      [0xf4, 0x90, 0x80, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xff], [0xfe], [0xf0, 0x9f, 0x98],
    ] as [[UInt8]])
  func `bad UTF-8 is rejected in every place`(sequence: [UInt8]) {
    for before in 0..<18 {
      let start = [0x22] + [UInt8](repeating: 0x61, count: before)
      #expect(defect(start + sequence + [0x22]) != nil, "after \(before)")
      #expect(defect(start + sequence + Array("aaaaaaaaaa\"".utf8)) != nil, "after \(before)")
      #expect(defect(start + sequence) != nil, "after \(before)")
    }
  }

  @Test func `every special byte is found at every place of a string`() {
    for length in 0..<40 {
      for place in 0..<max(length, 1) {
        for special in [0x22, 0x5c, 0x1f, 0x00, 0x80, 0xc3] as [UInt8] {
          var bytes = [0x22] + [UInt8](repeating: 0x78, count: length) + [0x22]
          if length > 0 { bytes[1 + place] = special }
          let judged = try? JSONSerialization.jsonObject(
            with: Data(bytes), options: .fragmentsAllowed)
          #expect((defect(bytes) == nil) == (judged != nil), "\(bytes)")
        }
      }
    }
  }

  @Test func `thirty-two levels are accepted, thirty-three are not`() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
      let inner = open == "[" ? "1" : "1"
      let sound =
        String(repeating: open, count: 32) + inner + String(repeating: close, count: 32)
      #expect(defect(sound) == nil)
      #expect(defect(open + sound + close)?.reason == .tooDeep)
    }
    #expect(defect(String(repeating: "[", count: 1_000_000))?.reason == .tooDeep)
    #expect(defect(String(repeating: "{\"a\":", count: 100_000))?.reason == .tooDeep)
  }

  private static let sample =
    #"{"table":"orderBookL2","action":"update","x":[-1.5e-3,true,null,"é\n😀\ud83d"],"#
    + #""data":[{"id":1}]}"#

  @Test func `every prefix of a sound text is refused`() {
    let bytes = Array(Self.sample.utf8)
    #expect(defect(bytes) == nil)
    for length in 0..<bytes.count { #expect(defect(Array(bytes.prefix(length))) != nil) }
  }

  @Test func `flipped bits never crash, and what is accepted is UTF-8`() {
    let bytes = Array(Self.sample.utf8)
    for index in bytes.indices {
      for bit in 0..<8 {
        var flipped = bytes
        flipped[index] ^= UInt8(1 << bit)
        guard defect(flipped) == nil else { continue }
        let text = String(decoding: flipped, as: UTF8.self)
        #expect(text.utf8.elementsEqual(flipped), "not UTF-8: \(text)")
      }
    }
  }

  @Test func `random texts made of JSON's own characters agree with Foundation`() {
    var random = SplitMix64(seed: 2026)
    let alphabet = Array("{}[]\":,0123.eE+-truefalsn \\u\"".utf8)
    for round in 0..<20_000 {
      let bytes = (0..<random.below(9)).map { _ in
        alphabet[Int(random.below(Int64(alphabet.count)))]
      }
      let judged = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
      let text = String(decoding: bytes, as: UTF8.self)
      if text.contains("\\u") { continue }
      #expect((defect(bytes) == nil) == (judged != nil), "seed 2026, round \(round): \(text)")
    }
  }

  // MARK: Values

  private func units(_ text: String, _ digits: UInt8) -> Int64? {
    var cursor = JSONCursor()
    let bytes = Array(text.utf8)
    guard let value = try? cursor.units(bytes.span, scale: Scale(clamping: digits)) else {
      return nil
    }
    return (try? cursor.finish(bytes.span)) == nil ? nil : value
  }

  @Test(
    arguments: [
      ("32180.5", 8, 3_218_050_000_000), ("32180.5", 1, 321_805), ("32180", 8, 3_218_000_000_000),
      ("-0.5", 1, -5), ("8000.0", 0, 8000), ("1e-8", 8, 1), ("1.0E-4", 8, 10_000),
      ("85.6190", 3, 85_619),
      ("1.5", 0, nil), ("0.000000001", 8, nil), ("1e400", 0, nil), ("01", 0, nil), ("-", 0, nil),
      ("1.", 1, nil), (".5", 1, nil), ("9223372036854775807", 0, Int64.max),
      ("9223372036854775808", 0, nil), ("-9223372036854775807", 0, -Int64.max),
      ("92233720368.54775807", 8, Int64.max), ("92233720368.54775808", 8, nil), ("1e3", 0, 1000),
      ("12345678901234567890", 0, nil), ("0.10", 1, 1), ("0e5", 0, 0), ("-0", 0, 0), ("0.0", 0, 0),
      ("100000000000000000", 1, 1_000_000_000_000_000_000),
      ("999999999999999999", 0, 999_999_999_999_999_999),
    ] as [(String, UInt8, Int64?)])
  func `numbers become exact integers or errors`(text: String, digits: UInt8, expected: Int64?) {
    #expect(units(text, digits) == expected)
    #expect(units(text + " ", digits) == expected, "digit by digit, which needs a byte behind")
    let padded = text + String(repeating: " ", count: 30)
    #expect(units(padded, digits) == expected, "eight digits at once, which needs more")
  }

  @Test func `the quick and the careful way of numbers agree`() {
    var random = SplitMix64(seed: 8)
    let alphabet = Array("0123456789.-e0".utf8)
    for _ in 0..<20_000 {
      let text = String(
        decoding: (0..<(1 + random.below(22))).map { _ in
          alphabet[Int(random.below(Int64(alphabet.count)))]
        }, as: UTF8.self)
      for digits in [0, 1, 8] as [UInt8] {
        let careful = FixedDecimal(text)?.exactly(at: Scale(clamping: digits))?.units
        #expect(units(text + " ", digits) == careful, "seed 8: \(text) at \(digits)")
        let padded = text + String(repeating: " ", count: 30)
        #expect(units(padded, digits) == careful, "seed 8: \(text) at \(digits), padded")
      }
    }
  }

  @Test func `plain numbers of every length are read exactly by every way`() {
    var random = SplitMix64(seed: 21)
    for before in 1...16 {
      for after in 0...9 {
        for _ in 0..<20 {
          let lead = String(1 + random.below(9))
          var text = lead + (1..<before).map { _ in String(random.below(10)) }.joined()
          if after > 0 { text += "." + (0..<after).map { _ in String(random.below(10)) }.joined() }
          let careful = FixedDecimal(text)?.exactly(at: Scale(clamping: 8))?.units
          for padding in ["", " ", String(repeating: " ", count: 30)] {
            #expect(units(text + padding, 8) == careful, "seed 21: \(text)")
          }
        }
      }
    }
  }

  @Test func `zeros at the end of a fraction don't count, however many follow`() {
    var random = SplitMix64(seed: 22)
    for digits in 0...8 {
      for zeros in 0...10 {
        let whole = String(random.below(10_000))
        let fraction = (0..<digits).map { _ in String(random.below(10)) }.joined()
        let text =
          whole + (digits + zeros > 0 ? "." : "") + fraction + String(repeating: "0", count: zeros)
        for places in [digits, min(digits + 1, 8), max(digits - 1, 0)] {
          let careful = FixedDecimal(text)?.exactly(at: Scale(clamping: UInt8(places)))?.units
          for padding in ["", " ", String(repeating: " ", count: 30)] {
            #expect(
              units(text + padding, UInt8(places)) == careful, "seed 22: \(text) at \(places)")
          }
        }
      }
    }
  }

  @Test func `only digits count as digits`() {
    for byte in UInt8.min...UInt8.max {
      for place in 0..<8 {
        var bytes = Array("12345678".utf8)
        bytes[place] = byte
        let count = JSONCursor.digitCount(TextBlock.word(bytes.span, 0))
        let isDigit = (0x30...0x39).contains(byte)
        #expect(count == (isDigit ? 8 : place), "byte \(byte) at \(place)")
      }
    }
  }

  private func text(_ json: String, maximumBytes: Int = 100) -> String? {
    var cursor = JSONCursor()
    let bytes = Array(json.utf8)
    return try? cursor.text(bytes.span, maximumBytes: maximumBytes)
  }

  @Test func `strings are decoded to the letter`() {
    #expect(text(#""a\"\\\/\b\f\n\r\té€😀""#) == "a\"\\/\u{8}\u{c}\n\r\té€😀")
    #expect(text(#""\u00e9\u20AC\ud83d\ude00""#) == "é€😀")
    #expect(text(#""\ud83d""#) == "\u{fffd}")
    #expect(text(#""\ude00\ud83d""#) == "\u{fffd}\u{fffd}")
    #expect(text(#""\ud83d\u0041""#) == "\u{fffd}A")
    #expect(text(#""\ud83d\n""#) == "\u{fffd}\n")
    #expect(text(#""\u0000""#) == "\0")
    #expect(text(#""12345""#, maximumBytes: 4) == nil)
    #expect(text("12345") == nil)
  }

  @Test func `a range cut out of a string never reads beyond it`() {
    let bytes = Array(#"\ud83d\ude00\n"#.utf8)
    for end in 0...bytes.count { _ = JSONText.decode(bytes.span, 0..<end) }
    #expect(JSONText.decode(bytes.span, 0..<3) == "\u{fffd}")
  }

  @Test func `a value of another type is reported as such`() {
    let bytes = Array("[1]".utf8)
    func reason(_ read: (inout JSONCursor) throws(JSONError) -> Void) -> JSONError.Reason? {
      var cursor = JSONCursor()
      do {
        try read(&cursor)
        return nil
      } catch {
        return error.reason
      }
    }
    #expect(reason { cursor throws(JSONError) in _ = try cursor.string(bytes.span) } == .wrongType)
    #expect(reason { cursor throws(JSONError) in _ = try cursor.decimal(bytes.span) } == .wrongType)
    #expect(reason { cursor throws(JSONError) in _ = try cursor.boolean(bytes.span) } == .wrongType)
    #expect(reason { cursor throws(JSONError) in try cursor.beginObject(bytes.span) } == .wrongType)
    #expect(reason { cursor throws(JSONError) in try cursor.beginArray(bytes.span) } == nil)
  }

  @Test func `key codes distinguish all short keys in every place`() {
    var seen: [UInt64: String] = [:]
    for key in ["a", "b", "aa", "ab", "id", "di", "size", "side", "price", "bidPrice", "askPrice"] {
      for padding in 0..<10 {
        let bytes = Array((key + String(repeating: " ", count: padding)).utf8)
        let code = JSONCursor.keyCode(bytes.span, 0..<key.utf8.count)
        #expect(code != 0)
        #expect(seen[code, default: key] == key)
        seen[code] = key
      }
    }
    let long = Array("lastPrice".utf8)
    #expect(JSONCursor.keyCode(long.span, 0..<9) == 0)
    #expect(JSONCursor.keyCode(long.span, 0..<0) == 0)
  }

  @Test(arguments: [
    ("0", UInt64(0)), ("18446744073709551615", .max), (" 9223372036854775808,", 1 << 63),
  ])
  func `an integer from 0 on is read to the last of 64 bits`(text: String, value: UInt64) throws {
    let bytes = Array(text.utf8)
    var cursor = JSONCursor()
    #expect(try cursor.unsignedInteger(bytes.span) == value)
  }

  @Test(arguments: [
    ("18446744073709551616", JSONError.Reason.numberOutOfRange), ("-1", .wrongType),
    ("007", .unexpectedCharacter), ("", .truncated), ("\"1\"", .wrongType),
  ])
  func `no other number is an integer from 0 on`(text: String, reason: JSONError.Reason) {
    let bytes = Array(text.utf8)
    var cursor = JSONCursor()
    let error = #expect(throws: JSONError.self) { try cursor.unsignedInteger(bytes.span) }
    #expect(error?.reason == reason)
  }
}
