// A warning beside a result: the result counts, the warning goes to the log.

import MarketModel
import Testing

@testable import VenueProtocols

struct WarningTests {
  private static let warning = #""WGeneral:x""#

  /// Every kind of Kraken's HTTP responses, with a placeholder for the list of errors.
  private static let requests: [(HistoryRequest, name: String, body: String)] = [
    (.candles(.minute), KrakenHistoryTests.name, KrakenHistoryTests.candleText),
    (KrakenHistoryTests.page, KrakenHistoryTests.name, KrakenHistoryTests.tradeText),
    (.condition, "", #"{"error":[],"result":{"status":"online"}}"#),
    (.names(.currencies), "", #"{"error":[],"result":{"A":{"altname":"A","wsname":"A/B"}}}"#),
    (.names(.tokens), "", #"{"error":[],"result":{"A":{"altname":"A","wsname":"A/B"}}}"#),
  ]

  @Test(arguments: requests.indices)
  func `a warning beside a result changes no answer of Kraken's history`(_ index: Int) {
    let (request, name, body) = Self.requests[index]
    let plain = VenueHistory.kraken.read(request, name, body)
    #expect(plain.failure == nil)
    for list in [Self.warning, "\(Self.warning),\"WTrade:y:z\""] {
      let warned = body.replacing(#""error":[]"#, with: #""error":[\#(list)]"#)
      #expect(VenueHistory.kraken.read(request, name, warned) == plain)
      #expect(warnings(.kraken, warned).first == "WGeneral:x")
    }
    let failed = body.replacing(
      #""error":[]"#, with: #""error":[\#(Self.warning),"EService:Busy"]"#)
    #expect(
      VenueHistory.kraken.read(request, name, failed).failure == .unavailable("EService:Busy"),
      "an error beside a warning is one")
  }

  @Test func `a warning beside Kraken's tickers leaves them as they are`() throws {
    let row = #""A":{"c":["2.0","1"],"v":["1","1"]}"#
    let names = [Symbol(known: "A/B"): "A"]
    func read(_ list: String) -> Result<[DayFigures], HistoryFailure> {
      let bytes = Array(#"{"error":[\#(list)],"result":{\#(row)}}"#.utf8)
      return KrakenTickers.read(
        names, status: 200, bytes.span, at: Timestamp(milliseconds: 1), .waiting(.venue))
    }
    #expect(try read("").get().count == 1 && read(Self.warning) == read(""))
  }

  @Test func `a warning without a result is still no answer`() {
    let read = VenueHistory.kraken.read(.condition, "", #"{"error":["WGeneral:x"]}"#)
    #expect(read.failure == .badAnswer("no result"))
  }

  @Test func `bodies that can't be read warn of nothing`() {
    for body in ["", "[]", "{", #"{"error":7}"#, #"{"error":["W"#, #"{"error":["EGeneral:x"]}"#] {
      #expect(warnings(.kraken, body).isEmpty, "\(body)")
    }
    #expect(warnings(.bitmex, #"{"error":["WGeneral:x"]}"#).isEmpty)
  }

  @Test(arguments: [
    #","error":"WGeneral:x""#, #","warnings":["WGeneral:x"]"#, #","error":null"#,
    #","error":"WGeneral:x","warnings":[7,"",null]"#,
  ])
  func `a warning beside a subscription that Kraken grants leaves it granted`(_ more: String) {
    let trades = Subscription(.trades, KrakenHarness.bitcoin)
    var harness = KrakenHarness(wanting: trades)
    harness.receive(
      #"{"method":"subscribe","result":{"channel":"trade","symbol":"BTC/USD"},"#
        + #""success":true\#(more)}"#)
    let warned: [SessionEffect] =
      more.contains("x") ? [.warned("Kraken subscribe: WGeneral:x")] : []
    #expect(harness.effects.map(Self.withoutSymbol) == warned, "\(more)")
    harness.receive(KrakenHarness.trades("snapshot", "5 buy 100.5 0.1"))
    #expect(harness.tape()?.freshness.state == .live)
    #expect(harness.tape()?.isKnown == true)
  }

  private static func withoutSymbol(_ effect: SessionEffect) -> SessionEffect {
    guard case .warned(let text) = effect else { return effect }
    return .warned(text.replacing(" BTC/USD", with: ""))
  }

  @Test func `warnings inside a result are kept, up to their bound`() {
    var harness = KrakenHarness(wanting: Subscription(.trades, KrakenHarness.bitcoin))
    let many = Array(repeating: #""old field""#, count: 100).joined(separator: ",")
    harness.receive(
      #"{"method":"subscribe","result":{"channel":"trade","symbol":"BTC/USD","#
        + #""warnings":[\#(many)]},"success":true}"#)
    #expect(harness.effects.count == KrakenMethodResponse.maximumWarnings)
  }

  @Test func `a refusal stays one, whatever its severity`() {
    var harness = KrakenHarness(wanting: Subscription(.trades, KrakenHarness.bitcoin))
    harness.receive(
      #"{"error":"WGeneral:x","method":"subscribe","success":false,"symbol":"BTC/USD"}"#)
    #expect(harness.problems == [.venueError])
  }

  @Test func `BitMEX carries a request out beside an error of null or a warning`() {
    let trades = Subscription(.trades, SessionHarness.usual)
    for more in [#""error":null"#, #""warning":"deprecated""#] {
      var harness = SessionHarness(wanting: trades)
      harness.receive(#"{"success":true,"subscribe":"trade:XBTUSD",\#(more)}"#)
      #expect(harness.effects.isEmpty, "\(more)")
    }
  }

  @Test func `BUX's product beside empty fields of an error is a product`() throws {
    let text =
      #"{"message":"soon gone","developerMessage":null,"errorCode":null,"symbol":"A","#
      + #""securityId":"26608","displayName":"A","#
      + #""currentPrice":{"currency":"EUR","decimals":1,"amount":"2.0"}}"#
    #expect(try BuxProductResponse.product(from: Array(text.utf8).span).symbol == "A")
  }

  private func warnings(_ venue: Venue, _ body: String) -> [String] {
    let bytes = ContiguousArray(body.utf8)
    return venue.adapter.warnings(bytes.span)
  }
}
