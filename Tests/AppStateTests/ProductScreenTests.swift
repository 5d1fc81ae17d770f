// PD1–PD8: a product's screen, from the first request to the recovery after an outage.

import MarketModel
import Testing
import VenueCatalogue

@testable import AppState

@Suite struct ProductScreenTests {
  private let identifier: Symbol
  private let key: MarketKey
  private let network = ProductFailure(code: "NETWORK", userMessage: "No network.", canRetry: true)

  init() throws {
    identifier = try symbol("sb26493")
    key = MarketKey(.bux, .quote, identifier)
  }

  private func germany(
    _ price: String = "12173.1", closing: String? = "12000.0", isOpen: Bool? = true
  ) throws -> Product {
    Product(
      identifier: identifier, symbol: "GERMANY30", displayName: "Germany 30", currency: "EUR",
      decimals: Scale(clamping: 1), currentPrice: try decimal(price),
      closingPrice: try closing.map(decimal), isMarketOpen: isOpen)
  }

  private func answer(_ product: Product) -> ScreenInput { .product(identifier, .success(product)) }

  private func failure(_ failure: ProductFailure) -> ScreenInput {
    .product(identifier, .failure(failure))
  }

  /// A screen that is connected and has loaded its product at 100.
  private func loaded(isOpen: Bool? = true) throws -> ProductScreen {
    var screen = ProductScreen(identifier: "sb26493")
    screen.take(connection(.bux, .live), 0)
    screen.take(answer(try germany(isOpen: isOpen)), 100)
    return screen
  }

  @Test func `PD2 opening requests the product once and subscribes its quotes`() {
    var screen = ProductScreen(identifier: "sb26493")
    #expect(screen.state.phase == .loading)
    #expect(screen.state.freshness.state == .waiting)
    #expect(screen.wanted == [key])
    #expect(screen.take(connection(.bux, .connecting), 0) == [.fetchProduct(identifier)])
    #expect(screen.pass(to: 250).isEmpty)
    #expect(screen.take(connection(.bux, .live), 300).isEmpty)
    #expect(screen.perform(.retry, at: at(400)).isEmpty, "a request is under way")
  }

  @Test(arguments: [
    "", " ", "sb 26493", "../secrets", "sb26493/..", "sb26493?x=1", "%2e%2e", "a\"b", "sb26493\n",
    "ßb26493", String(repeating: "a", count: 49), String(repeating: "💥", count: 10_000),
  ])
  func `PD1 an invalid identifier fails at once without a request`(text: String) {
    var screen = ProductScreen(identifier: text)
    #expect(screen.state.phase == .failed)
    #expect(screen.state.failure?.canRetry == false)
    #expect(screen.state.identifier.count <= 48)
    #expect(screen.wanted.isEmpty)
    #expect(screen.pass(to: 0).isEmpty)
    #expect(screen.perform(.retry, at: at(0)).isEmpty)
  }

  @Test func `PD1 spaces around a typed identifier do not matter`() {
    #expect(ProductScreen(identifier: " sb26493 ").wanted == [key])
    #expect(ProductScreen(identifier: "SB26493").wanted == [key], "a known one, in any case")
  }

  @Test func `PD3 the product shows price, close, difference and decimals`() throws {
    let details = try #require(try loaded().state.details)
    #expect(details.symbol == "GERMANY30")
    #expect(details.name == "Germany 30")
    #expect(details.currency == "EUR")
    #expect(details.decimals.digits == 1)
    #expect(details.price.description == "12173.1")
    #expect(details.closing?.description == "12000.0")
    #expect(details.percent?.description == "1.44")
    #expect(details.market == .open)
    #expect(details.changes == 0)
    #expect(try loaded().state.phase == .shown)
    #expect(try loaded().state.freshness.state == .live)
  }

  @Test(arguments: [nil, "0.0"])
  func `PD3 without a close there is a price but no percentage`(closing: String?) throws {
    var screen = ProductScreen(identifier: "sb26493")
    screen.take(answer(try germany(closing: closing)), 0)
    #expect(screen.state.phase == .shown)
    #expect(screen.state.details?.percent == nil)
  }

  @Test func `PD6 a quote updates price, percentage and direction`() throws {
    var screen = try loaded()
    screen.take(try quote(.bux, "sb26493", "12352.8", fresh(.live, 200)), 200)
    #expect(screen.state.details?.price.description == "12352.8")
    #expect(screen.state.details?.percent?.description == "2.94")
    #expect(screen.state.details?.direction == .up)
    #expect(screen.state.details?.changes == 1)
    screen.take(try quote(.bux, "sb26493", "12352.80", fresh(.live, 300)), 300)
    #expect(screen.state.details?.changes == 1, "an equal price is no change")
    screen.take(try quote(.bux, "sb26493", "12352.7", fresh(.live, 400)), 400)
    #expect(screen.state.details?.direction == .down)
    #expect(screen.state.details?.changes == 2)
  }

  @Test func `PD6 a quote of another product is ignored`() throws {
    var screen = try loaded()
    let before = screen.state
    screen.take(try quote(.bux, "sb26496", "1", fresh(.live, 200)), 200)
    let other = QuoteView(
      symbol: try symbol("sb26496"), price: try decimal("1"), freshness: fresh(.live, 200))
    screen.take(.value(key, .quote(other)), 200)
    #expect(screen.state.details == before.details)
  }

  @Test func `PD6 a quote with more digits than the product shows keeps them all`() throws {
    var screen = try loaded()
    screen.take(try quote(.bux, "sb26493", "12352.85", fresh(.live, 200)), 200)
    #expect(screen.state.details?.price.description == "12352.85")
  }

  @Test func `PD2 an answer for another product changes nothing or is refused`() throws {
    var screen = ProductScreen(identifier: "sb26493")
    screen.pass(to: 0)
    screen.take(.product(try symbol("sb26496"), .success(try germany())), 10)
    #expect(screen.state.phase == .loading)
    let wrong = Product(
      identifier: try symbol("sb26496"), symbol: "US500", displayName: "US 500", currency: "USD",
      decimals: .whole, currentPrice: try decimal("1"), closingPrice: nil, isMarketOpen: nil)
    screen.take(answer(wrong), 20)
    #expect(screen.state.phase == .failed)
    #expect(screen.state.failure?.code == "BAD_ANSWER")
  }

  @Test func `PD7 a failure shows its message and Retry loads again`() throws {
    let expired = ProductFailure(code: "AUTH_008", userMessage: "Expired.", canRetry: false)
    var screen = ProductScreen(identifier: "sb26493")
    screen.pass(to: 0)
    screen.take(failure(expired), 100)
    #expect(screen.state.phase == .failed)
    #expect(screen.state.failure == expired)
    #expect(screen.pass(to: 3_600_000).isEmpty, "a token does not mend itself")
    #expect(screen.perform(.retry, at: at(3_600_001)) == [.fetchProduct(identifier)])
    #expect(screen.state.phase == .loading)
    #expect(screen.state.failure == nil)
    screen.take(answer(try germany()), 3_600_002)
    #expect(screen.state.phase == .shown)
  }

  @Test func `PD7 a product that does not exist is no longer wanted, until Retry`() {
    let missing = ProductFailure(code: "NOT_FOUND", userMessage: "Unknown.", canRetry: false)
    var screen = ProductScreen(identifier: "sb26493")
    screen.pass(to: 0)
    #expect(screen.take(failure(missing), 100) == [.wantedChanged])
    #expect(screen.wanted.isEmpty)
    #expect(screen.perform(.retry, at: at(200)) == [.fetchProduct(identifier), .wantedChanged])
    #expect(screen.wanted == [key])
  }

  @Test func `PD8 a lost connection keeps the price, marked disconnected`() throws {
    var screen = try loaded()
    screen.take(try quote(.bux, "sb26493", "12352.8", fresh(.live, 200)), 200)
    screen.take(connection(.bux, .backingOff, since: 300), 300)
    #expect(screen.state.phase == .shown)
    #expect(screen.state.details?.price.description == "12352.8")
    #expect(screen.state.freshness.state == .disconnected)
    #expect(screen.state.freshness.confirmedAt == at(200))
  }

  @Test func `PD8 after a short outage the price is stale until a quote confirms it`() throws {
    var screen = try loaded()
    screen.take(try quote(.bux, "sb26493", "12352.8", fresh(.live, 200)), 200)
    screen.take(connection(.bux, .backingOff, since: 300), 300)
    #expect(screen.take(connection(.bux, .live, since: 400), 400).isEmpty)
    #expect(screen.state.freshness.state == .stale)
    screen.take(try quote(.bux, "sb26493", "12352.8", fresh(.live, 500)), 500)
    #expect(screen.state.freshness.state == .live)
  }

  @Test func `PD8 a reconnect asks again when the answer is older than a minute`() throws {
    var screen = try loaded()
    screen.take(connection(.bux, .backingOff, since: 300), 300)
    #expect(screen.take(connection(.bux, .live, since: 60_100), 60_100).isEmpty)
    screen.take(connection(.bux, .backingOff, since: 60_101), 60_101)
    let effects = screen.take(connection(.bux, .subscribing, since: 60_102), 60_102)
    #expect(effects == [.fetchProduct(identifier)])
    #expect(screen.take(connection(.bux, .live, since: 60_103), 60_103).isEmpty)
    screen.take(answer(try germany("12000.0")), 60_200)
    #expect(screen.state.details?.price.description == "12000.0")
    #expect(screen.state.details?.direction == .down)
    #expect(screen.state.freshness.state == .live)
  }

  @Test func `PD8 a failure of the network is retried on reconnect and by itself`() {
    var screen = ProductScreen(identifier: "sb26493")
    screen.pass(to: 0)
    screen.take(failure(network), 100)
    #expect(screen.state.phase == .failed)
    let effects = screen.take(connection(.bux, .live, since: 200), 200)
    #expect(effects == [.fetchProduct(identifier)])
    screen.take(failure(network), 300)
    #expect(screen.pass(to: 10_299).isEmpty)
    #expect(screen.pass(to: 10_300) == [.fetchProduct(identifier)], "the second pause is 10 s")
  }

  @Test func `PD8 the pauses double from 5 s up to a minute`() {
    var screen = ProductScreen(identifier: "sb26493")
    screen.pass(to: 0)
    var now: Int64 = 0
    for pause: Int64 in [5000, 10_000, 20_000, 40_000, 60_000, 60_000, 60_000, 60_000, 60_000] {
      screen.take(failure(network), now)
      #expect(screen.pass(to: now + pause - 1).isEmpty)
      #expect(screen.pass(to: now + pause) == [.fetchProduct(identifier)])
      now += pause
    }
  }

  @Test func `PD8 a request without an answer fails after 30 s: no endless spinner`() {
    var screen = ProductScreen(identifier: "sb26493")
    screen.pass(to: 0)
    screen.pass(to: 29_999)
    #expect(screen.state.phase == .loading)
    screen.pass(to: 30_000)
    #expect(screen.state.phase == .failed)
    #expect(screen.state.failure?.canRetry == true)
  }

  @Test func `PD8 a failed refresh keeps the product and gives the reason`() throws {
    var screen = try loaded()
    #expect(screen.perform(.retry, at: at(200)) == [.fetchProduct(identifier)])
    #expect(screen.state.phase == .shown)
    screen.take(failure(network), 300)
    #expect(screen.state.phase == .shown)
    #expect(screen.state.failure == network)
    #expect(screen.state.details != nil)
  }

  @Test func `PD6 an answer is late as soon as a newer quote could not be read`() throws {
    var screen = try loaded()
    screen.take(try quote(.bux, "sb26493", nil, fresh(.late)), 200)
    #expect(screen.state.freshness.state == .late, "the first quote is no quote")
    screen.take(answer(try germany("12353.0")), 300)
    #expect(screen.state.freshness.state == .live, "loaded since")
    screen.take(try quote(.bux, "sb26493", "12352.8", fresh(.live, 400)), 400)
    screen.take(answer(try germany("12353.0")), 500)
    screen.take(try quote(.bux, "sb26493", "12352.8", fresh(.late, 400)), 600)
    #expect(screen.state.freshness.state == .late)
  }

  @Test func `PD8 an answer without quotes grows late, then stale`() throws {
    var screen = try loaded()
    for (moment, state) in [
      (10_100, FreshnessState.live), (10_101, .late), (60_100, .late), (60_101, .stale),
    ] {
      screen.pass(to: Int64(moment))
      #expect(screen.state.freshness.state == state, "at \(moment)")
      #expect(screen.state.freshness.confirmedAt == at(100))
    }
  }

  @Test func `PD8 a closed market is closed, not stale`() throws {
    var screen = try loaded(isOpen: false)
    #expect(screen.state.details?.market == .closed)
    screen.pass(to: 3_600_000)
    #expect(screen.state.freshness.state == .closed)
    screen.take(try quote(.bux, "sb26493", "12352.8", fresh(.live, 3_600_001)), 3_600_001)
    #expect(screen.state.freshness.state == .live, "a live quote proves that it has opened")
    screen.take(connection(.bux, .backingOff, since: 3_600_002), 3_600_002)
    #expect(screen.state.freshness.state == .disconnected)
  }

  @Test func `PD8 the first connection attempt is no outage`() throws {
    var screen = ProductScreen(identifier: "sb26493")
    screen.take(connection(.bux, .connecting), 0)
    screen.take(answer(try germany()), 100)
    #expect(screen.state.freshness.state == .live)
    screen.take(connection(.bux, .backingOff), 200)
    #expect(screen.state.freshness.state == .disconnected)
  }
}
