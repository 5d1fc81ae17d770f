// The reader against the plain one: acceptance, rejection, errors and offsets.

import MarketModel
import Testing

@testable import WireJSON

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

  private func compare(_ text: [UInt8], _ readers: inout ReaderComparison, _ note: String) {
    let difference = readers.difference(text.span)
    #expect(difference == nil, "\(note): \(String(decoding: text, as: UTF8.self))")
  }

  @Test func `every beginning of a message is read as the plain reader does`() {
    var readers = ReaderComparison()
    for sample in Self.samples {
      for length in 0...sample.count {
        compare(Array(sample.prefix(length)), &readers, "\(length)")
      }
    }
  }

  @Test func `messages with random changes are read as the plain reader does`() {
    let seed: UInt64 = 20_261_126
    var random = SplitMix64(seed: seed)
    var readers = ReaderComparison()
    for round in 0..<20_000 {
      var text = Self.samples[Int(random.below(Int64(Self.samples.count)))]
      ReaderComparison.change(&text, &random)
      compare(text, &readers, "seed \(seed), round \(round)")
    }
  }

  @Test func `random texts of JSON's own characters are read as the plain reader does`() {
    let seed: UInt64 = 77
    var random = SplitMix64(seed: seed)
    let alphabet = Array("{{}}[[]]\"\"::,,0123.eE+-truefalsn \\u".utf8)
    var readers = ReaderComparison()
    for round in 0..<50_000 {
      let text = (0..<random.below(14)).map { _ in
        alphabet[Int(random.below(Int64(alphabet.count)))]
      }
      compare(text, &readers, "seed \(seed), round \(round)")
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
      var (place, key) = (KeyPlace(order), 0..<0)
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
      var (place, key, count) = (KeyPlace(order), 0..<0, Int64(0))
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
      let found = cursor.take(latest, bytes.span)
      #expect(found == nil || found == expected, "\(text), near its end")
      let padded = bytes + Array(repeating: UInt8(ascii: " "), count: 24)
      cursor = JSONCursor()
      #expect(cursor.take(latest, padded.span) == expected, "\(text)")
      #expect(cursor.offset == (expected == nil ? 0 : 9))
    }
  }

  @Test func `times are those of the general parser, whatever a character is changed to`() throws {
    let seed: UInt64 = 5
    var random = SplitMix64(seed: seed)
    let characters = Array("0123456789012345678901234567890123456789-:.TtZz+ /;".utf8)
    for round in 0..<40_000 {
      let decimals = Int(random.below(9))
      var text = Array("\"2026-01-05T00:00:01".utf8)
      if decimals > 0 {
        text += [0x2e] + (0..<decimals).map { _ in 0x30 + UInt8(random.below(10)) }
      }
      text += Array("Z\"".utf8)
      for _ in 0..<random.below(4) {
        text[1 + Int(random.below(Int64(text.count - 2)))] =
          characters[Int(random.below(Int64(characters.count)))]
      }
      var cursor = JSONCursor()
      let general = Timestamp(iso8601: Array(text[1..<(text.count - 1)]).span)
      let found = try? cursor.timestamp(text.span)
      #expect(found == general, "seed \(seed), round \(round)")
    }
  }

  @Test func `the strings of a pair are recognised, and no other is consumed`() throws {
    let pair = try #require(StringPair("Buy", "Sell"))
    func taken(_ text: String) -> (isFirst: Bool?, end: Int) {
      var cursor = JSONCursor()
      let isFirst = cursor.take(pair, Array(text.utf8).span)
      return (isFirst, cursor.offset)
    }
    #expect(taken(#""Buy","size":1}"#) == (true, 5))
    #expect(taken(#""Sell"}]}"#) == (false, 6))
    for other in [
      #""buy" , 1"#, #""Buyer" , 1"#, #""Sel" , 1"#, "Buy, Sell", #""Sell""#, "", "null",
    ] {
      #expect(taken(other) == (nil, 0), "\(other)")
    }
    #expect(StringPair("Buy", "tooLong") == nil)
  }

  @Test func `variants of an object have separate orders`() throws {
    var order = KeyOrder(reading: ["a", "b"])
    let texts = [#"{"a":1,"b":2,"c":3}"#, #"{"b":1}"#, #"{"a":"x","d":1,"b":4}"#, "{}"]
    for _ in 0..<3 {
      for (variant, text) in texts.enumerated() {
        let bytes = Array(text.utf8)
        var cursor = JSONCursor()
        var (place, key, keys) = (KeyPlace(order, variant: variant), 0..<0, "")
        while try cursor.nextCode(bytes.span, &order, &place, range: &key) != nil {
          keys += JSONText.decode(bytes.span, key)
          try cursor.skipValue(bytes.span)
        }
        #expect(keys == ["ab", "b", "ab", ""][variant])
        #expect(cursor.offset == bytes.count)
      }
    }
  }
}
