// BUX's HTTP responses: PD2 and PD7, over recorded products and every documented code.

import Foundation
import MarketModel
import Testing
import VenueCatalogue
import VenueProtocols

struct BuxProductResponseTests: QuoteVenueTests {
  func decode(_ text: String, expected: Symbol? = nil) throws(ProductFailure) -> Product {
    try BuxProductResponse.product(from: Array(text.utf8).span, expected: expected)
  }

  func product(current: String, closing: String = "null", more: String = "") -> String {
    #"""
    {"symbol":"FRANCE40","securityId":"26608","displayName":"French Exchange",
    "currentPrice":\#(current),"closingPrice":\#(closing)\#(more)}
    """#
  }

  func money(_ amount: String, _ decimals: String = "1", _ currency: String = "EUR") -> String {
    #"{"currency":"\#(currency)","decimals":\#(decimals),"amount":"\#(amount)"}"#
  }

  @Test func `PD2 all recorded products are read exactly`() throws {
    let data = try QuotePayloads.data("bux/products.json")
    let products = try BuxProductResponse.products(from: Array(data).span)
    let recorded = try #require(JSONSerialization.jsonObject(with: data) as? [[String: Any]])
    #expect(products.count == 30 && recorded.count == 30)
    for (product, json) in zip(products, recorded) {
      let current = try #require(json["currentPrice"] as? [String: Any])
      let closing = json["closingPrice"] as? [String: Any]
      #expect(product.identifier.text == json["securityId"] as? String)
      #expect(product.symbol == json["symbol"] as? String)
      #expect(product.displayName == json["displayName"] as? String)
      #expect(product.currency == current["currency"] as? String)
      #expect(product.currentPrice.description == current["amount"] as? String)
      #expect(Int(product.decimals.digits) == current["decimals"] as? Int)
      #expect(product.closingPrice?.description == closing?["amount"] as? String)
      let status = json["productMarketStatus"] as? String
      #expect(product.isMarketOpen == status.map { $0 == "OPEN" })
      let alone = try JSONSerialization.data(withJSONObject: json)
      #expect(try BuxProductResponse.product(from: Array(alone).span) == product)
    }
  }

  @Test func `PD1 the six products of the brief are among the recorded ones`() throws {
    let data = try QuotePayloads.data("bux/products.json")
    let names = try BuxProductResponse.products(from: Array(data).span).map { $0.identifier.text }
    for name in ["sb26493", "sb26496", "sb26502", "sb26500", "sb26513", "sb28248"] {
      #expect(names.contains(name))
    }
  }

  @Test(arguments: [("12352", "0"), ("1.5", "1"), ("36.425", "3"), ("1.08215", "5")])
  func `PD3 the amount keeps the product's decimals`(amount: String, decimals: String) throws {
    let product = try decode(product(current: money(amount, decimals)))
    #expect(product.currentPrice.description == amount)
    #expect(String(product.decimals.digits) == decimals)
  }

  @Test func `an amount with fewer or more digits than its decimals loses none`() throws {
    #expect(try decode(product(current: money("12", "2"))).currentPrice.description == "12.00")
    let finer = try decode(product(current: money("12.345", "2")))
    #expect(finer.currentPrice.description == "12.345" && finer.decimals.digits == 2)
  }

  @Test func `PD1 names from outside are cleaned, and an empty one is replaced`() throws {
    let text = product(current: money("1.0"))
    let reversed = text.replacingOccurrences(of: "FRANCE40", with: #"A\u202eB"#)
    #expect(try decode(reversed).symbol.unicodeScalars.contains("\u{202e}") == false)
    let unnamed = text.replacingOccurrences(of: "FRANCE40", with: "")
      .replacingOccurrences(of: "French Exchange", with: "")
    #expect(try decode(unnamed).symbol == "26608" && decode(unnamed).displayName == "26608")
  }

  @Test func `PD3 a close that is absent, zero or in another currency is ignored`() throws {
    let current = money("100.0")
    for closing in ["null", money("0.0"), money("0"), money("-1"), money("99.0", "1", "USD")] {
      #expect(try decode(product(current: current, closing: closing)).closingPrice == nil)
    }
    let known = try decode(product(current: current, closing: money("50.0")))
    #expect(known.closingPrice?.description == "50.0" && known.isMarketOpen == nil)
  }

  @Test func `another product than the requested one is a bad response`() throws {
    let text = product(current: money("1.0"))
    #expect(try decode(text, expected: symbol("26608")).displayName == "French Exchange")
    let other = try symbol("sb1")
    #expect(throws: ProductFailure.self) { try decode(text, expected: other) }
  }

  @Test func `what is no product is a bad answer that can be tried again`() {
    let good = product(current: money("1.0"))
    let bad = [
      "", "null", "[]", "<html>", good + "x", product(current: "null"), product(current: "5"),
      product(current: money("0.0")), product(current: money("-1.0")), product(current: money("")),
      product(current: money("1,0")), product(current: money("1.0", "19")),
      product(current: money("1.0", "-1")), product(current: money("1.0", "1e9")),
      product(current: money("1.0", "1", "eur")), product(current: money("1.0", "1", "")),
      product(current: money("1.0"), closing: "5"),
      product(current: money("1.0"), more: #","symbol":"twice""#),
    ]
    for text in bad {
      do throws(ProductFailure) {
        _ = try decode(text)
        Issue.record("accepted \(text)")
      } catch {
        #expect(error.code == "BAD_ANSWER" && error.canRetry)
      }
    }
  }

  @Test func `an answer cut at any byte is a bad answer`() {
    let whole = Array(product(current: money("1.0"), closing: money("2.0")).utf8)
    for count in 0..<whole.count {
      #expect(throws: ProductFailure.self, "cut after \(count) bytes") {
        try BuxProductResponse.product(from: Array(whole.prefix(count)).span)
      }
    }
  }

  @Test func `one bad product spoils the list`() {
    let text = "[" + product(current: money("1.0")) + ",{}]"
    #expect(throws: ProductFailure.self) {
      try BuxProductResponse.products(from: Array(text.utf8).span)
    }
  }
}

struct BuxErrorResponseTests {
  func failure(_ status: Int, _ body: String) -> ProductFailure {
    BuxErrorResponse.failure(status: status, body: Array(body.utf8).span)
  }

  func body(_ code: String) -> String {
    #"{"message":null,"developerMessage":"x","errorCode":"\#(code)"}"#
  }

  @Test(arguments: [
    (500, "TRADING_002", "unexpected problem", true), (401, "AUTH_001", "sign-in", false),
    (401, "AUTH_007", "not valid", false), (401, "AUTH_008", "expired", false),
    (401, "AUTH_009", "none was sent", false), (403, "AUTH_014", "no permission", false),
    (401, "RTF_002", "none was sent", false),
  ])
  func `PD7 each code has words of its own`(
    status: Int, code: String, words: String, canRetry: Bool
  ) {
    let found = failure(status, body(code))
    #expect(found.code == code && found.canRetry == canRetry)
    #expect(found.userMessage.description.contains(words))
  }

  @Test(arguments: [
    (401, "HTTP_401", false), (403, "HTTP_403", false), (404, "NOT_FOUND", false),
    (408, "HTTP_408", true), (429, "HTTP_429", true), (500, "HTTP_500", true),
    (503, "HTTP_503", true), (418, "HTTP_418", false), (302, "HTTP_302", false),
  ])
  func `PD7 without a readable body the status decides`(status: Int, code: String, canRetry: Bool) {
    for body in ["", "<html><body>502 Bad Gateway</body></html>", "{", "{}", "[]", "null", "7"] {
      let found = failure(status, body)
      #expect(found.code == code && found.canRetry == canRetry)
      #expect(!found.userMessage.description.isEmpty)
    }
  }

  @Test(arguments: [
    ("AUTH_001", true), ("AUTH_007", true), ("AUTH_008", true), ("AUTH_009", true),
    ("AUTH_014", true), ("RTF_002", true), ("HTTP_401", true), ("HTTP_403", true),
    ("TRADING_002", false), ("NOT_FOUND", false), ("NETWORK", false), ("HTTP_500", false),
  ])
  func `a failure shows whether another token helps`(code: String, isAboutToken: Bool) {
    let failure = ProductFailure(code: code, userMessage: "", canRetry: false)
    #expect(failure.isAboutToken == isAboutToken)
  }

  @Test func `PD7 an unknown code is shown in BUX's own words, if it has any`() {
    let recorded = """
      {"message":"Can only request followers preview of a public group","developerMessage":\
      "Can only request followers preview of a public group","errorCode":"CORE_038"}
      """
    let found = failure(403, recorded)
    #expect(found.code == "CORE_038" && !found.canRetry)
    #expect(found.userMessage.description.contains("followers preview of a public group"))
    let wordless = failure(500, body("CORE_999"))
    #expect(wordless.code == "CORE_999" && wordless.canRetry)
    #expect(wordless.userMessage == failure(500, "").userMessage)
  }

  @Test func `BUX's words are bounded and hold no control characters`() {
    let long = #"{"message":"\#(String(repeating: "é\\n\\u001b", count: 500))","errorCode":"X"}"#
    let message = failure(400, long).userMessage.description
    #expect(message.unicodeScalars.count < 250)
    #expect(!message.unicodeScalars.contains { $0.properties.generalCategory == .control })
    #expect(
      failure(400, #"{"message":"  ","errorCode":"X"}"#).userMessage.description.contains(
        "status 400"))
  }
}

struct BuxRequestTests: QuoteVenueTests {
  @Test func `PD2 a product is requested with the three headers`() throws {
    let token = try #require(AccessToken("abc.def-ghi_jkl"))
    let request = BuxRequest.product(try symbol("sb26493"), token: token)
    #expect(request.path == "/core/23/products/sb26493")
    #expect(
      request.headers.map { "\($0.name): \($0.value)" } == [
        "Authorization: Bearer abc.def-ghi_jkl", "Accept: application/json",
        "Accept-Language: nl-NL,en;q=0.8",
      ])
    #expect(BuxRequest.feed(token: token).path == "/subscriptions/me")
    #expect(BuxRequest.feed(token: token).headers.count == 3)
    #expect(BuxRequest.products(token: nil).headers.count == 2)
  }

  @Test func `a product's name can't leave its place in the path`() throws {
    let request = BuxRequest.product(try symbol("../x?y=1#z%2f"), token: nil)
    #expect(request.path == "/core/23/products/%2E%2E%2Fx%3Fy%3D1%23z%252f")
  }

  @Test func `PD9 no description, dump or mirror shows the token`() throws {
    let secret = "s3cr3t-t0k3n"
    let token = try #require(AccessToken(secret))
    let request = BuxRequest.feed(token: token)
    var dumped = ""
    dump(request, to: &dumped)
    dump(token, to: &dumped)
    let texts = [
      "\(token)", String(reflecting: token), "\(request)", String(reflecting: request),
      "\(Optional(token) as Any)", "\([token])", dumped,
    ]
    for text in texts { #expect(!text.contains(secret)) }
  }

  @Test(arguments: [
    "", " ", "a b", "a\r\nX: y", "é", "\u{7f}", String(repeating: "a", count: 8193),
  ])
  func `a token that is no header value is refused`(text: String) {
    #expect(AccessToken(text) == nil)
  }
}
