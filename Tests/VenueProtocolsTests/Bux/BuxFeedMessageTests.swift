// Valid and invalid events of BUX's feed.

import Foundation
import MarketModel
import Testing
import VenueProtocols

struct BuxFeedMessageTests: QuoteVenueTests {
  func decode(_ text: String) throws(BuxFeedError) -> BuxFeedMessage {
    try BuxFeedMessage(decoding: Array(text.utf8).span)
  }

  func quote(_ price: String) -> String {
    #"{"t":"trading.quote","body":{"securityId":"sb26493","currentPrice":\#(price)}}"#
  }

  @Test func `PD6 the recorded events are read, whatever their key order`() throws {
    let text = String(
      decoding: try QuotePayloads.data("bux/errors-and-events.jsonl"), as: UTF8.self)
    var events: [BuxFeedMessage.Event] = []
    for line in text.split(separator: "\n") {
      let object = try #require(
        JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let json = try #require(object["json"] as? [String: Any])
      guard json["t"] != nil else { continue }
      let start = try #require(line.range(of: #""json":"#)).upperBound
      events.append(try decode(String(line[start...].dropLast())).event)
    }
    #expect(
      events == [
        .failed(errorCode: "RTF_002", developerMessage: "Missing JWT Access Token in request"),
        .connected, .quote(product: "sb26493", price: try decimal("12173.1")),
        .quote(product: "sb26493", price: try decimal("12352.8")),
        .quote(product: "{productId}", price: try decimal("10692.3")), .other,
      ])
  }

  @Test(arguments: [#""12352.80""#, "12352.80", "1.23528e4", #" "1235280e-2" "#])
  func `PD6 the price is a string of digits, or a number`(written: String) throws {
    let expected = BuxFeedMessage.Event.quote(product: "sb26493", price: try decimal("12352.8"))
    #expect(try decode(quote(written)).event == expected)
  }

  @Test(arguments: [
    "null", "true", "[]", "{}", #""""#, #"" 1""#, #""1 ""#, #""1,5""#, #""abc""#, #""-1""#, "-1",
    "0",
    #""0.0""#, #""1e400""#, #""99999999999999999999""#, #""+1""#, #""0x1""#, #""NaN""#,
    #""\u0031""#,
  ])
  func `a price that is not a positive number is refused`(written: String) {
    #expect(throws: BuxFeedError.self) { try decode(quote(written)) }
  }

  @Test(arguments: [
    #"{"t":"trading.quote"}"#, #"{"t":"trading.quote","body":null}"#,
    #"{"t":"trading.quote","body":{}}"#, #"{"t":"trading.quote","body":{"securityId":"a"}}"#,
    #"{"t":"trading.quote","body":{"currentPrice":"1"}}"#,
    #"{"t":"trading.quote","body":{"securityId":1,"currentPrice":"1"}}"#,
    #"{"t":"trading.quote","body":{"securityId":"a","currentPrice":"1","currentPrice":"2"}}"#,
    #"{"t":"trading.quote","t":"x","body":{}}"#, #"{"t":5}"#, "{}", "[]", "", "null",
    #"{"t":"x"}}"#,
  ])
  func `a quote that lacks something is refused`(text: String) {
    #expect(throws: BuxFeedError.self) { try decode(text) }
  }

  @Test(arguments: [
    #"{"t":"portfolio.performance","body":{"securityId":7,"currentPrice":[]}}"#,
    #"{"t":"social.group.x","id":5,"body":"text"}"#, #"{"t":""}"#, #"{"body":[1,[2]],"t":"a b"}"#,
  ])
  func `PD6 the body of any other type is not read`(text: String) throws {
    #expect(try decode(text).event == .other)
  }

  @Test func `a failure without a readable body is still a failure`() throws {
    for body in ["", #","body":null"#, #","body":"x""#, #","body":{"errorCode":5}"#] {
      let event = try decode(#"{"t":"connect.failed"\#(body)}"#).event
      #expect(event == .failed(errorCode: nil, developerMessage: nil))
    }
  }

  @Test func `a message cut at any byte is refused, a flipped byte never traps`() {
    let whole = Array(quote(#""12352.8""#).utf8)
    for count in 0..<whole.count {
      #expect(throws: BuxFeedError.self, "cut after \(count) bytes") {
        try BuxFeedMessage(decoding: Array(whole.prefix(count)).span)
      }
    }
    for (bytes, flip) in flips(of: whole) {
      guard let message = try? BuxFeedMessage(decoding: bytes.span) else { continue }
      if case .quote(_, let price) = message.event { #expect(price.units > 0, "\(flip)") }
    }
  }

  @Test func `a huge message is refused unread`() {
    let text = #"{"t":"x","body":""# + String(repeating: "a", count: 1 << 20) + #""}"#
    #expect(throws: BuxFeedError.tooLong(bytes: text.utf8.count)) { try decode(text) }
  }
}
