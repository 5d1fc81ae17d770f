// What is read by comparison with the venue's usual spelling must come out exactly as by the
// careful code, for every text. A blank behind each opening brace leads a text past the comparison.

import MarketModel
import Testing

@testable import VenueProtocols
import WireJSON

@Suite struct BitMEXUsualSpellingTests {
  /// What a decoder says of a message: its rows, or why there are none.
  private enum Outcome: Equatable {
    case read(BitMEXMessage, BitMEXAction?, [BitMEXBookRow])
    case refused(JSONError.Reason, BitMEXTable?)
  }

  private static let times =
    #","timestamp":"2026-01-05T00:00:00.080Z","transactTime":"2026-01-05T00:00:00.076Z""#

  private static func row(_ id: String, _ side: String, _ rest: String) -> String {
    #"{"symbol":"XBTUSD","id":\#(id),"side":"\#(side)"\#(rest)}"#
  }

  private static func message(_ action: String, _ rows: [String]) -> [UInt8] {
    let rows = rows.joined(separator: ",")
    return Array(#"{"table":"orderBookL2","action":"\#(action)","data":[\#(rows)]}"#.utf8)
  }

  /// One message of each action, in the spellings of several years.
  private static let messages: [[UInt8]] = [
    message(
      "update",
      [
        row("8794817100", "Buy", #","size":800,"price":51829"# + times),
        row("8794817000", "Sell", #","size":15700,"price":51830.5"# + times),
      ]),
    message("insert", [row("1", "Buy", #","size":1,"price":0.0001234"# + times)]),
    message("delete", [row("8794817100", "Sell", #","price":51829.5"# + times)]),
    message("update", [row("8799960950", "Buy", #","size":100"#), row("87999", "Buy", "")]),
    message("delete", [row("8799960950", "Buy", ""), row("8799960951", "Sell", "")]),
  ]

  /// Decodes after a message that made XBTUSD the latest symbol.
  private static func outcome(_ bytes: [UInt8]) -> Outcome {
    var decoder = BitMEXDecoder()
    let other = Array(
      #"{"table":"quote","action":"insert","data":[{"symbol":"ETHUSD"},{"symbol":"XBTUSD"}]}"#.utf8)
    do {
      _ = try decoder.decode(other.span)
      let message = try decoder.decode(bytes.span)
      return .read(message, decoder.action, message == .table ? decoder.bookRows : [])
    } catch {
      return .refused(error.cause.reason, error.table)
    }
  }

  /// The text with a blank behind every opening brace of `original`.
  private static func spaced(_ bytes: [UInt8], like original: [UInt8]) -> [UInt8] {
    var spaced: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      spaced.append(byte)
      if index < original.count, original[index] == UInt8(ascii: "{") { spaced.append(0x20) }
    }
    return spaced
  }

  private static func expectSame(_ bytes: [UInt8], like original: [UInt8]) {
    let usual = outcome(bytes)
    let careful = outcome(spaced(bytes, like: original))
    #expect(usual == careful, "\(String(decoding: bytes, as: UTF8.self))")
  }

  @Test func `the usual spelling is recognised`() throws {
    for message in Self.messages {
      var decoder = BitMEXDecoder()
      _ = try decoder.decode(message.span)
      var cursor = JSONCursor()
      let found = decoder.usualHead(message.span, &cursor)
      let action = try #require(found)
      #expect(action == decoder.action)
      try cursor.beginArray(message.span)
      let row = decoder.usualBookRow(action, message.span, &cursor)
      #expect(row == decoder.bookRows[0])
      let spaced = Self.spaced(message, like: message)
      cursor = JSONCursor()
      let none = decoder.usualHead(spaced.span, &cursor)
      #expect(none == nil)
      #expect(cursor.offset == 0)
    }
  }

  @Test(arguments: 0..<5)
  func `every byte changed gives what the careful code gives`(number: Int) {
    let message = Self.messages[number]
    let others: [UInt8] =
      Array("\"\\{}[]:,.-+eE019AZz \n".utf8) + [0, 0x1f, 0x7f, 0x80, 0xc3, 0xff]
    for index in message.indices {
      for other in others {
        var changed = message
        changed[index] = other
        Self.expectSame(changed, like: message)
      }
    }
  }

  @Test(arguments: 0..<5)
  func `every cut gives what the careful code gives`(number: Int) {
    let message = Self.messages[number]
    for length in message.indices {
      Self.expectSame(Array(message[..<length]), like: message)
      let shorter = Array(message[..<length] + message[(length + 1)...])
      Self.expectSame(shorter, like: shorter)
    }
  }

  @Test func `every byte in a time gives what the careful code gives`() throws {
    let message = Self.messages[1]
    let text = String(decoding: message, as: UTF8.self)
    let end = try #require(text.utf8.firstIndex(of: UInt8(ascii: "T")))
    let day = text.utf8.distance(from: text.utf8.startIndex, to: end) - 10
    for index in [day - 1, day, day + 7, day + 8, day + 16, day + 23, day + 24] {
      for byte in UInt8.min...UInt8.max {
        var changed = message
        changed[index] = byte
        Self.expectSame(changed, like: message)
      }
    }
  }

  @Test(arguments: [
    "0", "1", "-1", "00", "01", "1234567", "12345678", "123456789", "123456789012345",
    "1234567890123456", "9223372036854775807", "9223372036854775808", "1.5", "1.", ".5", "1e3",
    "1.5e3", "1E3", "12345678.", "12345678.12345678", "1.1234567", "1.12345678", "1.123456789",
    "99999999999.5", "null", "\"1\"", "1 ", "+1", "1x", "",
  ])
  func `numbers of every length are what the careful code reads`(number: String) {
    for action in ["update", "insert", "delete"] {
      for rest in [
        #","size":\#(number),"price":1"#, #","size":1,"price":\#(number)"#, #","price":\#(number)"#,
        #","size":\#(number)"#,
      ] {
        for times in ["", Self.times, #","timestamp":"2026","pool":[1,{}]"#] {
          let message = Self.message(action, [Self.row("1", "Buy", rest + times)])
          Self.expectSame(message, like: message)
        }
      }
      let message = Self.message(action, [Self.row(number, "Sell", #","size":1,"price":1"#)])
      Self.expectSame(message, like: message)
    }
  }

  @Test(arguments: [
    #","side":"Buy""#, #","id":1"#, #","symbol":"XBTUSD""#, #","size":1"#, #","price":1"#,
    #","timestamp":"2026-01-05T00:00:00.080Z""#, #","other":{"id":1,"size":[]}"#,
  ])
  func `keys that come twice or late are judged by the careful code`(more: String) {
    for action in ["update", "insert", "delete"] {
      for rest in ["", #","size":1,"price":1"#, #","size":1,"price":1"# + Self.times] {
        let message = Self.message(action, [Self.row("1", "Buy", rest + more)])
        Self.expectSame(message, like: message)
      }
    }
  }

  @Test(arguments: [
    #","error":"x"}"#, #","table":"trade"}"#, #","data":[]}"#, #","action":"insert"}"#, "} ", "}}",
    #","filter":{"symbol":"XBTUSD"}}"#, #","status":429,"error":{"message":"slow"}}"#,
  ])
  func `what follows the rows is judged by the careful code`(rest: String) {
    for message in Self.messages {
      let longer = Array(message.dropLast()) + Array(rest.utf8)
      Self.expectSame(longer, like: message)
    }
  }

  @Test func `a failure holds nothing of the one before`() throws {
    var decoder = BitMEXDecoder()
    let first = Array(
      #"{"status":429,"error":"a","meta":{"retryAfter":3},"request":{"op":"subscribe"}}"#.utf8)
    _ = try decoder.decode(first.span)
    let second = Array(
      #"{"table":"orderBookL2","action":"update","data":[],"error":"b"}"#.utf8)
    let failure = try decoder.decode(second.span)
    #expect(failure == .failure(BitMEXFailure(text: "b")))
  }

  @Test func `other symbols are never taken for the latest`() {
    for symbol in ["XBTUSDT", "XBTUS", "XBT", "ETHUSD", "XBTUSD_LONGER", "XBTUSD\\u0031", "XBTUSÐ"]
    {
      let row = #"{"symbol":"\#(symbol)","id":1,"side":"Buy","size":1,"price":1}"#
      let message = Self.message("insert", [row, row, Self.row("2", "Buy", "")])
      Self.expectSame(message, like: message)
    }
  }

  @Test func `each spelling is what its comment says`() {
    let spellings: [(JSONSpelling, String)] = [
      (BitMEXSpelling.head, #"{"table":"orderB"#), (BitMEXSpelling.headEnd, #"ookL2","action":"#),
      (BitMEXSpelling.update, #""update","data":"#), (BitMEXSpelling.insert, #""insert","data":"#),
      (BitMEXSpelling.delete, #""delete","data":"#), (BitMEXSpelling.symbol, #"{"symbol":""#),
      (BitMEXSpelling.identifier, #"","id":"#), (BitMEXSpelling.side, #","side":""#),
      (BitMEXSpelling.buy, #"Buy""#), (BitMEXSpelling.sell, #"Sell""#),
      (BitMEXSpelling.size, #","size":"#), (BitMEXSpelling.price, #","price":"#),
      (BitMEXSpelling.time, #","timestamp":"#),
      (BitMEXSpelling.transactTime, #","transactTime":"#),
    ]
    for (spelling, text) in spellings {
      #expect(spelling == JSONSpelling(spelledOut: text), "\(text)")
    }
  }
}
