// EX7 and the ticket's texts: every limit has its message.

import MarketModel
import PaperTrading
import Testing

@Suite struct `Validation` {
  @Test(arguments: [
    (Int64(0), "The quantity must be more than 0; 0 is not."),
    (-5, "The quantity must be more than 0; -5 is not."),
    (.min, "The quantity must be more than 0; -9223372036854775808 is not."),
    (1_000_001, "One order can be for at most 1000000; 1000001 is more."),
    (.max, "One order can be for at most 1000000; 9223372036854775807 is more."),
  ])
  func `a quantity out of bounds is recorded as rejected`(quantity: Int64, message: String) {
    var desk = Desk()
    desk.tick(ask: "45.10 x 36")
    let order = desk.place(.buy, quantity)
    #expect(desk.line(order) == "REJECTED 0/\(quantity)")
    #expect(desk.told == ["AAPL order rejected. " + message])
    #expect(desk.trader.history.openCount == 0)
  }

  @Test(arguments: [
    ("0", "The price must be more than 0; 0.00 is not."),
    ("-45", "The price must be more than 0; -45.00 is not."),
    ("45.005", "The price must be a multiple of 0.01; 45.005 is not."),
    ("1000000.01", "The price can be at most 1000000.00; 1000000.01 is more."),
    ("451.01", "The price can be at most 10 times the best offer, 451.00 now; 451.01 is more."),
  ])
  func `a limit price out of bounds is recorded as rejected`(price: String, message: String) {
    var desk = Desk()
    desk.tick(bid: "45.01 x 17", ask: "45.10 x 36")
    let order = desk.place(.buy, 10, at: price)
    #expect(desk.line(order) == "REJECTED 0/10")
    #expect(desk.told == ["AAPL order rejected. " + message])
  }

  @Test func `a quantity that is not a whole number of lots is rejected`() throws {
    let rules = try #require(
      TradingRules(
        symbol: Desk.stock, priceScale: Scale(clamping: 2), tick: Price(units: 5),
        maximumPrice: Price(units: 1_000_000), quantityScale: Scale(clamping: 3),
        lot: Quantity(units: 500), maximumQuantity: Quantity(units: 1_000_000)))
    #expect(
      rules.brokenLimit(ofQuantity: Quantity(units: 700))?.userMessage(under: rules)
        == "The quantity must be a multiple of 0.5; 0.7 is not.")
    #expect(rules.brokenLimit(ofQuantity: Quantity(units: 1500)) == nil)
  }

  @Test func `rules whose sums could overflow cannot be made`() {
    func rules(tick: Int64 = 1, price: Int64, lot: Int64 = 1, quantity: Int64) -> TradingRules? {
      TradingRules(
        symbol: Desk.stock, priceScale: .whole, tick: Price(units: tick),
        maximumPrice: Price(units: price), quantityScale: .whole, lot: Quantity(units: lot),
        maximumQuantity: Quantity(units: quantity))
    }
    #expect(rules(price: 1000, quantity: 1000) != nil)
    #expect(rules(price: .max / 20, quantity: 1000) == nil)
    #expect(rules(price: .max / 2, quantity: 1) == nil)
    #expect(rules(tick: 0, price: 1000, quantity: 1000) == nil)
    #expect(rules(tick: 7, price: 1000, quantity: 1000) == nil)
    #expect(rules(price: 1000, lot: 7, quantity: 1000) == nil)
    #expect(rules(price: 1000, quantity: 0) == nil)
  }

  @Test func `the ten-thousand-and-first open order is refused, and a place that frees up is used`()
  {
    var desk = Desk()
    desk.tick(ask: "45.10 x 36")
    for _ in 0..<10_000 { desk.place(.buy, 1, at: "1.00") }
    let refused = desk.place(.buy, 1, at: "1.00")
    #expect(desk.reply == .rejected(refused, .tooManyOpenOrders(maximum: 10_000)))
    desk.handle(.cancel(OrderIdentifier(number: 500)))
    desk.expect(.buy, 1, at: "1.00", becomes: "PENDING 0/1")
  }

  @Test func `another instrument is not traded here`() throws {
    var desk = Desk()
    let name = try #require(ClientOrderIdentifier("a"))
    let other = try #require(Symbol("MSFT"))
    desk.handle(
      .place(
        OrderRequest(
          clientIdentifier: name, symbol: other, side: .buy, kind: .market,
          quantity: Quantity(units: 1))))
    #expect(desk.told == ["MSFT order rejected. Only AAPL can be traded here."])
  }

  @Test func `every rejection is read back from its code and numbers`() {
    let (q, p) = (Quantity(units: 7), Price(units: 9))
    let reasons: [RejectionReason] = [
      .unknownSymbol, .quantityNotPositive(q), .quantityOffLot(q, lot: q),
      .quantityTooLarge(q, maximum: q), .priceNotPositive(p), .priceOffTick(p, tick: p),
      .priceTooHigh(p, maximum: p), .priceFarFromMarket(p, maximum: p), .marketNotLive(.stale),
      .tooManyOpenOrders(maximum: 3),
    ]
    for reason in reasons {
      let stored = reason.stored
      #expect(RejectionReason(code: stored.code, values: stored.values) == reason)
      #expect(RejectionReason(code: stored.code, values: stored.values + [1]) == nil)
    }
    #expect(RejectionReason(code: "marketNotLive.unheardOf", values: []) == nil)
  }

  @Test(arguments: ["", "a b", "ä", "a\"b", String(repeating: "x", count: 65), "a/b", "a\n"])
  func `a device's name outside its alphabet is invalid`(text: String) {
    #expect(ClientOrderIdentifier(text) == nil)
  }
}
