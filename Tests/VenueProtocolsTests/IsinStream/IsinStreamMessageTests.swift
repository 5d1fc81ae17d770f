// Valid and invalid quotes of the ISIN stream.

import MarketModel
import Testing
import VenueProtocols

struct IsinStreamMessageTests: QuoteVenueTests {
  func decode(_ text: String) throws(IsinStreamError) -> IsinStreamMessage {
    try IsinStreamMessage(decoding: Array(text.utf8).span)
  }

  @Test func `WL1 the brief's example is read exactly`() throws {
    let quote = try decode(#"{"isin":"US0378331005","price":240.32,"bid":240.31,"ask":240.33}"#)
    #expect(quote.isin == "US0378331005")
    #expect(quote.price.description == "240.32")
    #expect(quote.bid?.description == "240.31")
    #expect(quote.ask?.description == "240.33")
  }

  @Test(arguments: [
    ("257.11937852675885", "257.11937852675885"), ("6.823760294580363", "6.823760294580363"),
    ("0.020000000000000018", "0.020000000000000018"),
    ("0.0034000000000000002", "0.003400000000000000"),
    ("0.00012345678901234567", "0.000123456789012346"), ("1e-7", "0.0000001"),
    ("1.5E2", "150"), ("8000.0", "8000.0"), ("32180", "32180"),
    ("2.5e-1", "0.25"), ("299.9999999999999999999999", "300.000000000000000"),
  ])
  func `a price in any spelling keeps every digit that fits`(
    written: String, expected: String
  ) throws {
    let quote = try decode(#"{"isin":"A","price":\#(written)}"#)
    #expect(quote.price.description == expected)
  }

  @Test(arguments: [
    #""240.32""#, "null", "true", "[]", "{}", "-1", "0", "0.0", "-0", "1e400", "1e19", "5e-324",
    "99999999999999999999", "NaN", "Infinity", "01", "1.", ".5", "+1", "0x10", "1e", "1e+", "--1",
  ])
  func `a price that is not a positive number is refused`(written: String) {
    #expect(throws: IsinStreamError.self) {
      try decode(#"{"isin":"A","price":\#(written),"bid":1,"ask":2}"#)
    }
  }

  @Test(arguments: ["123", #"{"a":1}"#, "null", #"["A"]"#, "true"])
  func `an isin of another type is refused`(written: String) {
    #expect(throws: IsinStreamError.self) { try decode(#"{"isin":\#(written),"price":1}"#) }
  }

  @Test func `keys may come in any order, with blanks and unknown ones between`() throws {
    let quote = try decode(
      " { \"ask\" : 2.5 , \"x\" : {\"price\":[9]} , \"price\" : 2 ,\n \"isin\" : \"A\" } ")
    #expect(try quote.price == decimal("2") && quote.ask == decimal("2.5"))
    #expect(quote.bid == nil)
  }

  @Test func `a bid of zero or less belongs to a tiny price`() throws {
    #expect(try decode(#"{"isin":"A","price":0.005,"bid":-0.005,"ask":0.015}"#).bid?.units == -5)
  }

  @Test func `a crossed quote is refused`() throws {
    let (bid, ask) = (try decimal("2.1"), try decimal("1.9"))
    #expect(throws: IsinStreamError.crossed(isin: "A", bid: bid, ask: ask)) {
      try decode(#"{"isin":"A","price":2,"bid":2.1,"ask":1.9}"#)
    }
  }

  @Test(arguments: ["isin", "price", "bid", "ask"])
  func `a repeated key is refused`(key: String) {
    let value = key == "isin" ? #""A""# : "1"
    let text = #"{"isin":"A","price":1,"bid":1,"ask":1,"\#(key)":\#(value)}"#
    #expect(throws: IsinStreamError.self) { try decode(text) }
  }

  @Test(arguments: [#"{"isin":"A"}"#, #"{"price":1}"#, "{}", "[]", "42", "null", "", " ", "{"])
  func `a message without instrument or price is refused`(text: String) {
    #expect(throws: IsinStreamError.self) { try decode(text) }
  }

  @Test func `a message cut at any byte is refused`() {
    let whole = Array(#"{"isin":"US0378331005","price":240.32,"bid":240.31,"ask":240.33}"#.utf8)
    for count in 0..<whole.count {
      #expect(throws: IsinStreamError.self, "cut after \(count) bytes") {
        try IsinStreamMessage(decoding: Array(whole.prefix(count)).span)
      }
    }
  }

  @Test func `a flipped byte never traps and never gives a price of zero or less`() {
    let whole = Array(#"{"isin":"US0378331005","price":240.32,"bid":240.31,"ask":240.33}"#.utf8)
    for (bytes, flip) in flips(of: whole) {
      guard let quote = try? IsinStreamMessage(decoding: bytes.span) else { continue }
      #expect(quote.price.units > 0, "\(flip)")
    }
  }

  @Test func `a message of megabytes is refused unread`() {
    let text = #"{"isin":"A","price":1,"x":""# + String(repeating: "a", count: 1 << 20) + #""}"#
    #expect(throws: IsinStreamError.tooLong(bytes: text.utf8.count)) { try decode(text) }
  }
}
