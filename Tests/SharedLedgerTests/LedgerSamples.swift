import MarketModel
import OrderLedger
import OrderService
import PaperTrading
import Testing

enum LedgerSamples {
  static let rules = TradingRules(oneStock: Symbol("AAPL") ?? unreachable())

  static let identity = LedgerIdentity(String(repeating: "0a", count: 16)) ?? unreachable()
  static let otherIdentity = LedgerIdentity(String(repeating: "0b", count: 16)) ?? unreachable()

  static func at(_ milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: milliseconds * 1_000_000)
  }

  static func name(_ text: String) -> ClientOrderIdentifier {
    ClientOrderIdentifier(text) ?? unreachable()
  }

  static let market = Symbol("kraken:BTC/USD") ?? unreachable()

  static func ticket(
    _ text: String, at limit: String? = "40", _ quantity: String = "10", in market: Symbol? = nil
  ) -> OrderTicket {
    OrderTicket(
      clientIdentifier: name(text), instrument: market, side: .buy,
      kind: limit.map { .limit(price: $0) } ?? .market,
      quantity: quantity)
  }

  static func tick(_ number: UInt64, ask: Int64 = 45_020_000, asks: Int64 = 50) -> TopOfBook {
    TopOfBook(
      number: number, venueTime: number,
      bid: PriceLevel(price: Price(units: 45_010_000), quantity: Quantity(units: 20)),
      ask: PriceLevel(price: Price(units: ask), quantity: Quantity(units: asks)))
  }

  /// A book of a venue's market: prices in tenths, sizes in hundredths, 1.5 at the best levels.
  static func book(_ sequence: UInt64, ask: Int64 = 1000) -> MarketInput {
    func row(_ price: Int64) -> BookRow {
      let size = Quantity(units: 150)
      return BookRow(price: Price(units: price), size: size, accumulated: size)
    }
    return .book(
      BookView(
        symbol: market, status: .synced, freshness: .waiting(.venue), bids: [row(ask - 1)],
        asks: [row(ask), row(ask + 5)], bidLevels: 1, askLevels: 2,
        priceScale: Scale(clamping: 1), quantityScale: Scale(clamping: 2),
        priceDecimals: Scale(clamping: 1), sequence: sequence, resyncs: 0), currency: "USD",
      fees: FeeRates(percent: "0.25/0.40"))
  }

  /// The events of some orders: some fill, some rest, some are cancelled.
  static func events(_ count: Int, prefix: String = "order") -> [OrderEvent] {
    var trader = PaperTrader(rules: rules)
    var events: [OrderEvent] = []
    for step in 1...max(1, count) {
      let now = ClockReading(milliseconds: 1_790_000_000_000 + Int64(step))
      events +=
        trader.handle(.feed(.tick(tick(UInt64(step))), of: trader.rules.symbol), at: now).events
      events +=
        trader.handle(
          .place(
            OrderRequest(
              clientIdentifier: name("\(prefix)-\(step)"), symbol: rules.symbol, side: .buy,
              kind: step % 3 == 0 ? .market : .limit(Price(units: 40_000_000)),
              quantity: Quantity(units: 10))), at: now
        ).events
      if step % 4 == 0 {
        events += trader.handle(.cancel(OrderIdentifier(number: UInt64(step) - 2)), at: now).events
      }
    }
    return events
  }

  /// The events as pieces of `size`, with their hashes.
  static func pieces(_ events: [OrderEvent], of size: Int, epoch: UInt64 = 5) -> [PieceSample] {
    var chain = LedgerChain(rules)
    var pieces: [PieceSample] = []
    var rest = events[...]
    while !rest.isEmpty {
      let excerpt = LedgerExcerpt(Array(rest.prefix(size)), after: chain.head)
      rest = rest.dropFirst(size)
      for text in excerpt.texts { chain.advance(by: text) }
      pieces.append(PieceSample(excerpt: excerpt, end: chain.head, last: chain.sequence))
    }
    return pieces
  }
}

/// Events, with the hash and the number of the last of them.
struct PieceSample {
  let excerpt: LedgerExcerpt
  let end: ChainHash
  let last: UInt64
}

func unreachable<T>() -> T { preconditionFailure("a constant of the tests is not what it says") }
