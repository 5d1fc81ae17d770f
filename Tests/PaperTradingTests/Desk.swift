import MarketModel
import PaperTrading
import Testing

/// Drives a ``PaperTrader`` with a manual feed and clock, and records its notices.
struct Desk {
  static let stock = Symbol("AAPL") ?? unreachable()

  var trader = PaperTrader(rules: TradingRules(oneStock: Desk.stock))
  var milliseconds: Int64 = 1_000_000
  var events: [OrderEvent] = []
  var told: [String] = []
  var reply = TradingReply.none
  private var ticks: UInt64 = 0
  private var names = 0

  var rules: TradingRules { trader.rules }

  mutating func handle(_ input: TradingInput) {
    let decision = trader.handle(input, at: ClockReading(milliseconds: milliseconds))
    events += decision.events
    told = decision.notices.map(\.text.description)
    reply = decision.reply
    milliseconds += 1
  }

  mutating func feed(_ input: MarketInput) { handle(.feed(input, of: Desk.stock)) }

  /// A tick "price x quantity" a side; "-" for no quote.
  mutating func tick(bid: String = "-", ask: String = "-") {
    ticks += 1
    feed(
      .tick(TopOfBook(number: ticks, venueTime: ticks, bid: level(bid), ask: level(ask))))
  }

  /// Places an order under a new client name; returns its number.
  @discardableResult
  mutating func place(
    _ side: Side, _ quantity: Int64, at limit: String? = nil, named name: String? = nil
  ) -> OrderIdentifier {
    names += 1
    let name = ClientOrderIdentifier(name ?? "order-\(names)") ?? unreachable()
    handle(
      .place(
        OrderRequest(
          clientIdentifier: name, symbol: Desk.stock, side: side,
          kind: limit.map { .limit(price($0)) } ?? .market, quantity: Quantity(units: quantity))))
    return OrderIdentifier(number: UInt64(trader.history.orders.count))
  }

  /// Places an order of any kind under a new client name; returns its number.
  @discardableResult
  mutating func place(_ side: Side, _ quantity: Int64, _ kind: OrderType) -> OrderIdentifier {
    names += 1
    handle(
      .place(
        OrderRequest(
          clientIdentifier: ClientOrderIdentifier("kind-\(names)") ?? unreachable(),
          symbol: Desk.stock, side: side, kind: kind, quantity: Quantity(units: quantity))))
    return OrderIdentifier(number: UInt64(trader.history.orders.count))
  }

  mutating func amend(
    _ order: OrderIdentifier, quantity: Int64? = nil, to price: String? = nil,
    named name: String? = nil
  ) {
    names += 1
    handle(
      .amend(
        AmendRequest(
          clientIdentifier: ClientOrderIdentifier(name ?? "amend-\(names)") ?? unreachable(),
          order: order, quantity: quantity.map { Quantity(units: $0) },
          price: price.map { self.price($0) })))
  }

  /// Places an order and checks its resulting state.
  mutating func expect(
    _ side: Side, _ quantity: Int64, at limit: String? = nil, becomes expected: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let order = place(side, quantity, at: limit)
    let found = line(order)
    #expect(found == expected, sourceLocation: sourceLocation)
  }

  /// A text price as units; the test fails on anything else.
  func price(_ text: String) -> Price {
    guard let units = FixedDecimal(text)?.exactly(at: rules.priceScale)?.units else {
      Issue.record("\(text) is no price")
      return Price(units: 0)
    }
    return Price(units: units)
  }

  func level(_ text: String) -> PriceLevel? {
    let parts = text.split(separator: " ")
    guard parts.count == 3, let quantity = Int64(parts[2]) else { return nil }
    return PriceLevel(price: price(String(parts[0])), quantity: Quantity(units: quantity))
  }

  /// The last order as "STATUS filled/ordered at average".
  func line(_ identifier: OrderIdentifier) -> String {
    guard let order = trader.history.order(identifier) else { return "no order" }
    let average = order.averagePrice.map { " at " + rules.text($0) } ?? ""
    return "\(order.life.status.rawValue) \(order.filledQuantity.units)"
      + "/\(order.request.quantity.units)\(average)"
  }
}

func unreachable<T>() -> T { preconditionFailure("a constant of the tests is not what it says") }
