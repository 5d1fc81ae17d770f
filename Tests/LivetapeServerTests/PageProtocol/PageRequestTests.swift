// Pages' requests, and every malformed one.

import MarketModel
import Testing

@testable import LivetapeServer

@Suite struct PageRequestTests {
  @Test func `topics are opened and closed in one message`() {
    #expect(
      parse(#"{"open":["feed","stock/US0378331005"],"close":["products"]}"#)
        == .success(.topics(open: ["feed", "stock/US0378331005"], close: ["products"])))
    #expect(parse(#"{"open":[]}"#) == .success(.topics(open: [], close: [])))
  }

  @Test func `actions carry their argument`() {
    #expect(parse(#"{"do":"feed.stop"}"#) == .success(.action(name: "feed.stop", argument: nil)))
    #expect(
      parse(#"{"do":"venue.retry","venue":"bitmex"}"#)
        == .success(.action(name: "venue.retry", argument: "bitmex")))
  }

  @Test func `a ping carries a number`() {
    #expect(parse(#"{"ping":17}"#) == .success(.ping(17)))
  }

  @Test(arguments: [16, 33, 1000] as [Int64])
  func `a page sets its frame interval`(milliseconds: Int64) {
    #expect(
      parse(#"{"frameMilliseconds":\#(milliseconds)}"#)
        == .success(.frames(everyMilliseconds: milliseconds)))
  }

  @Test(arguments: [
    "15", "1001", "0", "-16", "16.5", "\"16\"", "null", "1e400", "9223372036854775807",
    "9223372036854775808", "16,\"frameMilliseconds\":16", "16,\"open\":[\"feed\"]",
    "16,\"do\":\"feed.stop\"",
  ])
  func `a pace that no page can have is a bad message`(value: String) {
    guard case .failure(let error) = parse(#"{"frameMilliseconds":\#(value)}"#) else {
      Issue.record("accepted \(value)")
      return
    }
    #expect(error.code == "bad_message" && !error.message.description.isEmpty)
  }

  @Test(arguments: [
    "", "{", "[]", "42", "null", "\"x\"", "{}", #"{"open":"feed"}"#, #"{"open":[1]}"#,
    #"{"open":["a"],"open":["b"]}"#, #"{"ping":1.5}"#, #"{"ping":"1"}"#, #"{"do":1}"#,
    #"{"open":["a"]} trailing"#, #"{"what":1}"#, "{\"open\":[\"\u{1}\"]}", #"{"ping":1e400}"#,
  ])
  func `anything else is a bad message`(text: String) {
    guard case .failure(let error) = parse(text) else {
      Issue.record("accepted \(text)")
      return
    }
    #expect(error.code == "bad_message")
  }

  @Test func `every prefix and every flipped byte of a good message is survived`() {
    let good = Array(#"{"open":["feed","book/XBTUSD"],"close":["stock/US0378331005"]}"#.utf8)
    for length in 0..<good.count {
      let part = Array(good[..<length])
      #expect(throws: PageRequestError.self) { try PageRequest(part.span) }
    }
    for index in good.indices {
      for bit in 0..<8 {
        var bad = good
        bad[index] ^= UInt8(1 << bit)
        _ = try? PageRequest(bad.span)
      }
    }
  }

  @Test func `too long, too many and too large are refused`() {
    let long = String(repeating: "x", count: PageRequest.maximumNameBytes + 1)
    #expect(throws: PageRequestError.self) { try parse(#"{"do":"\#(long)"}"#).get() }
    let many = Array(repeating: "\"a\"", count: PageRequest.maximumTopics + 1).joined(
      separator: ",")
    #expect(throws: PageRequestError.self) { try parse(#"{"open":[\#(many)]}"#).get() }
    let large = String(repeating: " ", count: PageRequest.maximumBytes)
    #expect(throws: PageRequestError.self) { try parse(#"{"ping":1}"# + large).get() }
  }
}
