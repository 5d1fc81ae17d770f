// What the decoder accepts and rejects, row by row.

import MarketModel
import Testing

@testable import VenueProtocols
import WireJSON

@Suite struct BitMEXDecoderTests {
  private func decode(_ text: String) -> Result<BitMEXMessage, BookDecodeError<BitMEXTable>> {
    var decoder = BitMEXDecoder()
    let bytes = Array(text.utf8)
    do { return .success(try decoder.decode(bytes.span)) } catch { return .failure(error) }
  }

  private func book(_ action: String, _ row: String) -> Result<
    BitMEXMessage, BookDecodeError<BitMEXTable>
  > {
    decode(#"{"table":"orderBookL2","action":"\#(action)","data":[{\#(row)}]}"#)
  }

  private func reason(_ result: Result<BitMEXMessage, BookDecodeError<BitMEXTable>>) -> JSONError
    .Reason?
  {
    guard case .failure(let error) = result else { return nil }
    return error.cause.reason
  }

  @Test(arguments: [
    (#""symbol":"X","id":1,"side":"Buy","size":1.5,"price":2"#, JSONError.Reason.numberOutOfRange),
    (#""symbol":"X","id":1,"side":"Buy","size":0,"price":2"#, .numberOutOfRange),
    (#""symbol":"X","id":1,"side":"Buy","size":-4,"price":2"#, .numberOutOfRange),
    (#""symbol":"X","id":1.5,"side":"Buy","size":1,"price":2"#, .numberOutOfRange),
    (#""symbol":"X","id":9223372036854775808,"side":"Buy","size":1,"price":2"#, .numberOutOfRange),
    (#""symbol":"X","id":1,"side":"Buy","size":1,"price":1e400"#, .numberOutOfRange),
    (#""symbol":"X","id":1,"side":"Buy","size":1,"price":0.000000001"#, .numberOutOfRange),
    (#""symbol":"X","id":1,"side":"Buy","size":1,"price":99999999999999999999"#, .numberOutOfRange),
    (#""symbol":"X","id":1,"side":"Buy","size":1,"price":"2""#, .wrongType),
    (#""symbol":"X","id":1,"side":"buy","size":1,"price":2"#, .wrongType),
    (#""symbol":7,"id":1,"side":"Buy","size":1,"price":2"#, .wrongType),
    (#""symbol":"","id":1,"side":"Buy","size":1,"price":2"#, .badString),
    (#""symbol":"a b","id":1,"side":"Buy","size":1,"price":2"#, .badString),
    (#""symbol":"X","id":1,"side":"Buy","size":1"#, .missingKey),
    (#""symbol":"X","id":1,"side":"Buy","size":null,"price":2"#, .missingKey),
    (#""symbol":"X","id":1,"size":1,"price":2"#, .missingKey),
    (#""symbol":"X","side":"Buy","size":1,"price":2"#, .missingKey),
    (#""id":1,"side":"Buy","size":1,"price":2"#, .missingKey),
    (#""symbol":"X","id":1,"id":1,"side":"Buy","size":1,"price":2"#, .duplicateKey),
    (#""symbol":"X","id":1,"side":"Buy","size":1,"size":2,"price":2"#, .duplicateKey),
    (#""symbol":"X","id":1,"side":"Buy","size":01,"price":2"#, .numberOutOfRange),
    (#""symbol":"X","id":1,"side":"Buy","size":1,"price":2,"#, .wrongType),
  ])
  func `a row that is not a level is refused`(row: String, expected: JSONError.Reason) {
    #expect(reason(book("insert", row)) == expected)
    #expect(reason(book("partial", row)) == expected)
  }

  @Test(arguments: [
    #""symbol":"X","id":1,"side":"Buy","size":1,"price":2,"pool":"Aggregated","new":{"a":[1,"#
      + #"null]}"#,
    #""symbol":"X","id":-1,"side":"Sell","size":42000000.0,"price":1.0E-4,"timestamp":null"#,
    #""price":-2.5,"size":1e3,"side":"Sell","id":9223372036854775807,"symbol":"ETH_USDT""#,
    #""symbol":"\u0058BT","id":1,"side":"Buy","size":1,"price":2"#,
  ])
  func `a level in any spelling is taken`(row: String) {
    #expect(book("insert", row) == .success(.table))
  }

  @Test func `an update needs no more than its id`() {
    #expect(book("update", #""symbol":"X","id":1"#) == .success(.table))
    #expect(book("update", #""symbol":"X","id":1,"side":null,"size":null"#) == .success(.table))
    #expect(reason(book("update", #""symbol":"X","size":1"#)) == .missingKey)
    #expect(reason(book("upsert", #""symbol":"X","id":1"#)) == .wrongType)
  }

  @Test(arguments: [
    #"{"table":"trade","table":"trade","action":"insert","data":[]}"#,
    #"{"table":"trade","action":"insert","action":"insert","data":[]}"#,
    #"{"table":"trade","action":"insert","data":[],"data":[]}"#,
    #"{"error":"a","error":"b"}"#,
    #"{"table":"trade","action":"partial","filter":{"symbol":"A","symbol":"B"},"data":[]}"#,
  ])
  func `a known key twice is refused`(text: String) {
    #expect(reason(decode(text)) == .duplicateKey)
  }

  @Test(arguments: [
    ("", JSONError.Reason.truncated), ("pon", .wrongType), ("[]", .wrongType), ("null", .wrongType),
    ("{} x", .trailingCharacters), ("{}{}", .trailingCharacters),
    (#"{"table":"trade","action":"insert"}"#, .missingKey),
    (#"{"table":"trade","data":[]}"#, .missingKey),
    (#"{"table":"trade","action":"insert","data":{}}"#, .wrongType),
    (#"{"table":"trade","action":"insert","data":[1]}"#, .wrongType),
    (#"{"table":5,"action":"insert","data":[]}"#, .wrongType),
    (
      #"{"table":"trade","action":"insert","data":[{"symbol":"X","size":1,"price":1,"#
        + #""timestamp":"yesterday"}]}"#,
      .wrongType
    ),
    (
      #"{"table":"trade","action":"insert","data":[{"symbol":"X","size":1,"price":1,"#
        + #""timestamp":"2021-02-30T00:00:00.000Z"}]}"#,
      .wrongType
    ),
    (
      #"{"table":"trade","action":"insert","data":[{"symbol":"X","price":1,"#
        + #""timestamp":"2021-02-20T00:00:00.000Z"}]}"#,
      .missingKey
    ),
  ])
  func `what is no message is refused`(text: String, expected: JSONError.Reason) {
    #expect(reason(decode(text)) == expected)
  }

  @Test func `kinds are distinguished by keys in the venue's order`() {
    #expect(decode("pong") == .success(.pong))
    #expect(decode(#"{"info":"Welcome"}"#) == .success(.welcome))
    #expect(decode(#"{"info":"x","success":true}"#) == .success(.acknowledged))
    #expect(
      decode(#"{"info":"x","success":true,"table":"trade","action":"insert","data":[]}"#)
        == .success(.table))
    #expect(decode(#"{"type":"new"}"#) == .success(.ignored))
    #expect(decode(#"{"table":"position","data":1}"#) == .success(.ignored))
  }

  @Test func `an error has its status, text, wait and request`() {
    let result = decode(
      #"{"status":429,"error":"Rate \"limit\"","meta":{"retryAfter":3},"#
        + #""request":{"op":"subscribe","args":["a","b",7]}}"#
    )
    #expect(
      result
        == .success(
          .failure(
            BitMEXFailure(
              status: 429, text: "Rate \"limit\"", retryAfterSeconds: 3, operation: "subscribe",
              topics: ["a", "b"]))))
    let long = String(repeating: "é", count: 2000)
    guard case .success(.failure(let failure)) = decode(#"{"error":"\#(long)","status":-1}"#) else {
      Issue.record("no failure")
      return
    }
    #expect(failure.text.utf8.count <= 520)
    #expect(failure.status == nil)
  }

  @Test func `a failure holds nothing of the one before`() throws {
    var decoder = BitMEXDecoder()
    let first = Array(
      #"{"status":429,"error":"a","meta":{"retryAfter":3},"request":{"op":"subscribe"}}"#.utf8)
    _ = try decoder.decode(first.span)
    let second = Array(#"{"table":"orderBookL2","action":"update","data":[],"error":"b"}"#.utf8)
    let failure = try decoder.decode(second.span)
    #expect(failure == .failure(BitMEXFailure(text: "b")))
  }

  @Test func `symbols with a common prefix are distinguished`() throws {
    var decoder = BitMEXDecoder()
    let symbols = [
      "XBTUSD", "XBTUSDT", "XBTUS", "XBTUSD_LONGER", "XBTUSD1", "XBTUSD", "XBTUS\\u0044",
    ]
    let rows = symbols.map { #"{"symbol":"\#($0)","id":1}"# }.joined(separator: ",")
    let text = #"{"table":"orderBookL2","action":"update","data":[\#(rows)]}"#
    let bytes = Array(text.utf8)
    _ = try decoder.decode(bytes.span)
    #expect(decoder.bookRows.map(\.symbol) == [0, 1, 2, 3, 4, 0, 0])
  }

  @Test(arguments: [
    ("0", 0), ("1234567", 1_234_567), ("12345678", 12_345_678), ("123456789", 123_456_789),
    ("123456789012345", 123_456_789_012_345), ("9223372036854775807", Int64.max),
    ("9223372036854775808", nil), ("1.", nil), (".5", nil), ("1e3", 1000), ("1E3", 1000),
    ("1.0", 1), ("00", nil), ("+1", nil), ("1x", nil), ("", nil), ("null", nil), ("\"1\"", nil),
  ])
  func `an id of any length is read exactly or the row is refused`(text: String, id: Int64?) {
    var decoder = BitMEXDecoder()
    for rest in ["", #","side":"Buy","pool":"far from the end of the message""#] {
      let row = #"{"symbol":"X","id":\#(text)\#(rest)}"#
      let bytes = Array(#"{"table":"orderBookL2","action":"delete","data":[\#(row)]}"#.utf8)
      let isRead = (try? decoder.decode(bytes.span)) != nil
      #expect((isRead ? decoder.bookRows.first?.id : nil) == id, "\(row)")
    }
  }

  @Test func `a decoding error names table, place, expected and found`() {
    guard case .failure(let error) = book("insert", #""symbol":"X","id":true"#) else {
      Issue.record("accepted")
      return
    }
    #expect(error.channel == .orderBookL2)
    #expect(
      error.description
        == "BitMEX orderBookL2: expected a value of the documented type at byte 68, "
        + "found true}]} (wrongType)")
  }

  @Test func `more symbols than the venue has are refused`() {
    var decoder = BitMEXDecoder()
    var failures = 0
    for index in 0..<9000 {
      let text = #"{"table":"quote","action":"insert","data":[{"symbol":"S\#(index)"}]}"#
      let bytes = Array(text.utf8)
      do { _ = try decoder.decode(bytes.span) } catch { failures += 1 }
    }
    #expect(failures == 9000 - 8192)
  }

  @Test func `buffers hold the rows of the latest message only`() throws {
    var decoder = BitMEXDecoder()
    for text in [
      #"{"table":"orderBookL2","action":"update","data":[{"symbol":"X","id":1},{"symbol":"X","#
        + #""id":2}]}"#,
      #"{"table":"orderBookL2","action":"update","data":[{"symbol":"Y","id":3,"price":1.5}]}"#,
    ] {
      let bytes = Array(text.utf8)
      _ = try decoder.decode(bytes.span)
    }
    #expect(
      decoder.bookRows == [
        BitMEXBookRow(symbol: 1, id: 3, isBid: nil, size: nil, price: 150_000_000)
      ])
  }
}
