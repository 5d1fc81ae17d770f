// The reader against the plain one: what is accepted, what is refused, why and where.

import MarketModel
import Testing

@testable import WireJSON

/// How a reader came through a text.
private enum Outcome: Equatable {
  case read(end: Int, values: [Int64])
  case refused(JSONError)
}

private func outcome(_ read: () throws(JSONError) -> (Int, [Int64])) -> Outcome {
  do throws(JSONError) {
    let (end, values) = try read()
    return .read(end: end, values: values)
  } catch {
    return .refused(error)
  }
}

/// Reads any value, with what is in it, by the quick reader; `order` is of all objects at once,
/// which is worse than any decoder does.
private func readQuickly(
  _ bytes: Span<UInt8>, _ cursor: inout JSONCursor, _ order: inout KeyOrder,
  _ values: inout [Int64], depth: Int = 0
) throws(JSONError) {
  let byte = try cursor.peek(bytes)
  if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "["), depth >= JSONCursor.maximumDepth {
    throw JSONError(.tooDeep, at: cursor.offset)
  }
  switch byte {
  case UInt8(ascii: "{"):
    var place = KeyPlace()
    var key = 0..<0
    while let code = try cursor.nextCode(bytes, &order, &place, range: &key) {
      values.append(Int64(truncatingIfNeeded: code))
      values.append(Int64(key.lowerBound))
      try readQuickly(bytes, &cursor, &order, &values, depth: depth + 1)
    }
  case UInt8(ascii: "["):
    try cursor.beginArray(bytes)
    var first = true
    while try cursor.nextElement(bytes, first: &first) {
      try readQuickly(bytes, &cursor, &order, &values, depth: depth + 1)
    }
  case UInt8(ascii: "\""):
    let range = try cursor.string(bytes)
    values.append(Int64(range.lowerBound))
    values.append(Int64(range.upperBound))
  case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
    values.append(try cursor.units(bytes, scale: Scale(clamping: UInt8(cursor.offset % 9))))
  default: try cursor.skipValue(bytes)
  }
}

/// As ``readQuickly(_:_:_:_:depth:)`` by the plain reader.
private func readPlainly(
  _ bytes: Span<UInt8>, _ reader: inout PlainJSONReader, _ values: inout [Int64], depth: Int = 0
) throws(JSONError) {
  let byte = try reader.peek(bytes)
  if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "["), depth >= JSONCursor.maximumDepth {
    throw JSONError(.tooDeep, at: reader.offset)
  }
  var first = true
  switch byte {
  case UInt8(ascii: "{"):
    reader.offset += 1
    while let key = try reader.nextKey(bytes, first: &first) {
      var code: UInt64 = 0
      if key.count <= 8 { for index in key.reversed() { code = code << 8 | UInt64(bytes[index]) } }
      values.append(Int64(truncatingIfNeeded: code))
      values.append(Int64(key.lowerBound))
      try readPlainly(bytes, &reader, &values, depth: depth + 1)
    }
  case UInt8(ascii: "["):
    reader.offset += 1
    while try reader.nextElement(bytes, first: &first) {
      try readPlainly(bytes, &reader, &values, depth: depth + 1)
    }
  case UInt8(ascii: "\""):
    let range = try reader.string(bytes)
    values.append(Int64(range.lowerBound))
    values.append(Int64(range.upperBound))
  case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
    values.append(try reader.units(bytes, scale: Scale(clamping: UInt8(reader.offset % 9))))
  default: try reader.skipValue(bytes)
  }
}

@Suite struct ReaderComparisonTests {
  private static let samples = [
    #"{"table":"orderBookL2","action":"update","data":[{"symbol":"XBTUSD","id":8794815700,"#
      + #""side":"Sell","size":100,"price":51843.5,"timestamp":"2026-01-05T00:00:00.002Z","#
      + #""transactTime":"2026-01-05T00:00:00.002Z"},{"symbol":"XBTUSD","id":8794815000,"#
      + #""side":"Buy","price":51850}]}"#,
    #"{"channel":"book","type":"update","data":[{"symbol":"BTC/USD","bids":[{"price":45283.5,"#
      + #""qty":0.10000000}],"asks":[],"checksum":3310070434,"t":"é€😀\n\u00e9"}]}"#,
    #"{"e":"depthUpdate","E":1672515782136,"b":[["0.0024","10"],["0.0026","1e-8"]],"a":[]}"#,
    " [ -0.5 , 1e400 , 12345678901234567890 , 0.00000001 , true , false , null , \"\" , {} ] ",
  ].map { Array($0.utf8) }

  private func compare(_ text: [UInt8], _ order: inout KeyOrder, _ note: String) {
    let bytes = text.span
    let quick = outcome { () throws(JSONError) in
      var (cursor, values): (JSONCursor, [Int64]) = (JSONCursor(), [])
      try readQuickly(bytes, &cursor, &order, &values)
      try cursor.finish(bytes)
      return (cursor.offset, values)
    }
    let plain = outcome { () throws(JSONError) in
      var (reader, values): (PlainJSONReader, [Int64]) = (PlainJSONReader(), [])
      try readPlainly(bytes, &reader, &values)
      try reader.finish(bytes)
      return (reader.offset, values)
    }
    #expect(quick == plain, "\(note): \(String(decoding: text, as: UTF8.self))")
    let skipped = outcome { () throws(JSONError) in
      var cursor = JSONCursor()
      try cursor.skipValue(bytes)
      return (cursor.offset, [])
    }
    let plainlySkipped = outcome { () throws(JSONError) in
      var reader = PlainJSONReader()
      try reader.skipValue(bytes)
      return (reader.offset, [])
    }
    #expect(skipped == plainlySkipped, "\(note): \(String(decoding: text, as: UTF8.self))")
  }

  @Test func `every beginning of a message is read as the plain reader does`() {
    var order = KeyOrder()
    for sample in Self.samples {
      for length in 0...sample.count { compare(Array(sample.prefix(length)), &order, "\(length)") }
    }
  }

  @Test func `messages with random changes are read as the plain reader does`() {
    let seed: UInt64 = 20_261_126
    var random = SplitMix64(seed: seed)
    let alphabet =
      Array("{}[]\":,0123456789.eE+-truefalsn \\u\t\u{1}é€😀\u{7f}".utf8) + [0xff, 0xc0]
    var order = KeyOrder()
    for round in 0..<20_000 {
      var text = Self.samples[Int(random.below(Int64(Self.samples.count)))]
      for _ in 0...random.below(4) {
        let place = Int(random.below(Int64(text.count)))
        let byte = alphabet[Int(random.below(Int64(alphabet.count)))]
        switch random.below(5) {
        case 0: text[place] = byte
        case 1: text.insert(byte, at: place)
        case 2: text.remove(at: place)
        case 3: text = Array(text.prefix(place + 1))
        default:
          let end = min(text.count, place + 1 + Int(random.below(40)))
          text.insert(contentsOf: text[place..<end], at: place)
        }
        if text.isEmpty { text = [0x31] }
      }
      compare(text, &order, "seed \(seed), round \(round)")
    }
  }

  @Test func `random texts of JSON's own characters are read as the plain reader does`() {
    let seed: UInt64 = 77
    var random = SplitMix64(seed: seed)
    let alphabet = Array("{{}}[[]]\"\"::,,0123.eE+-truefalsn \\u".utf8)
    var order = KeyOrder()
    for round in 0..<50_000 {
      let text = (0..<random.below(14)).map { _ in
        alphabet[Int(random.below(Int64(alphabet.count)))]
      }
      compare(text, &order, "seed \(seed), round \(round)")
    }
  }

  @Test func `a string is found to end at the same place by blocks and by words`() {
    for count in 0..<100 {
      for special in [0x22, 0x5c, 0x1f, 0x00, 0x80, 0xff] as [UInt8] {
        for place in stride(from: 0, to: count, by: 3) {
          var text = [UInt8](repeating: 0x61, count: count)
          text[place] = special
          let bytes = text.span
          for start in stride(from: 0, through: count, by: 5) {
            let expected = min(start <= place ? place : count, start + 32)
            let found = TextBlock.plainEnd(bytes, start)
            let byWords = TextBlock.plainEndByWords(bytes, start)
            #expect(found == expected, "\(special) at \(place) of \(count) from \(start)")
            #expect(byWords == expected, "\(special) at \(place) of \(count) from \(start)")
          }
        }
      }
    }
  }

  @Test func `words near the end have zeros behind it, and none come from outside`() {
    let text = Array("0123456789".utf8)
    for count in 0...text.count {
      let part = Array(text.prefix(count))
      for offset in -2...(count + 9) {
        var expected: UInt64 = 0
        for index in (0..<8).reversed() {
          let place = offset + index
          expected = expected << 8 | (part.indices.contains(place) ? UInt64(part[place]) : 0)
        }
        let found = TextBlock.word(part.span, offset)
        #expect(found == (offset < 0 ? 0 : expected), "\(offset) of \(count)")
      }
    }
  }

  @Test func `whatever order of keys is expected, the keys are those of the text`() throws {
    let texts = [
      #"{"a":1,"bb":2,"averylongkeyindeed":3,"c":4}"#, #"{"bb":1,"a":2}"#, #"{"c":1}"#, "{}",
      #"{ "a" : 1 , "bb":2 }"#, #"{"a":1,"a":2}"#, #"{"akeythatislongerthantwentybytes":1,"a":2}"#,
      #"{"":1,"a":2}"#, #"{"\u0061":1}"#,
    ]
    var order = KeyOrder()
    for text in texts + texts.reversed() + texts {
      let bytes = Array(text.utf8)
      var keys: [Range<Int>] = []
      var cursor = JSONCursor()
      var (place, key) = (KeyPlace(), 0..<0)
      while try cursor.nextCode(bytes.span, &order, &place, range: &key) != nil {
        keys.append(key)
        try cursor.skipValue(bytes.span)
      }
      var plain: [Range<Int>] = []
      var reader = PlainJSONReader()
      var first = true
      try reader.begin(UInt8(ascii: "{"), bytes.span)
      while let key = try reader.nextKey(bytes.span, first: &first) {
        plain.append(key)
        try reader.skipValue(bytes.span)
      }
      #expect(keys == plain, "\(text)")
      #expect(cursor.offset == bytes.count)
    }
  }

  @Test func `more keys than are kept are read all the same`() throws {
    var order = KeyOrder()
    for round in 0..<3 {
      let members = (0..<100).map { "\"k\($0 * (round + 1))\":\($0)" }.joined(separator: ",")
      let bytes = Array("{\(members)}".utf8)
      var cursor = JSONCursor()
      var (place, key, count) = (KeyPlace(), 0..<0, Int64(0))
      while try cursor.nextCode(bytes.span, &order, &place, range: &key) != nil {
        #expect(try cursor.integer(bytes.span) == count)
        count += 1
      }
      #expect(count == 100)
    }
    #expect(order.keys.count <= KeyOrder.maximumCount)
  }

  @Test func `a string counts as the latest only where it is the same to the last byte`() throws {
    var latest = LatestString(0)
    let known = Array(#""BTC/USD""#.utf8)
    latest.set(known.span, 1..<8, 7)
    for (text, expected) in [
      (#""BTC/USD",1"#, 7), (#""BTC/USD""#, 7), (#""BTC/USDT""#, nil), (#""BTC/US""#, nil),
      (#" "BTC/USD""#, nil), ("", nil), (#""BTC/USD"#, nil), (#"1"#, nil),
    ] as [(String, Int?)] {
      let bytes = Array(text.utf8)
      var cursor = JSONCursor()
      #expect(cursor.take(latest, bytes.span) == (bytes.count < 16 ? nil : expected) ?? nil)
      let padded = bytes + Array(repeating: UInt8(ascii: " "), count: 24)
      cursor = JSONCursor()
      #expect(cursor.take(latest, padded.span) == expected, "\(text)")
      #expect(cursor.offset == (expected == nil ? 0 : 9))
    }
  }
}
