// A process for the ledger's tests to kill: it places and changes orders as fast as it can, and
// prints what the ledger acknowledged. It ends when its output is no longer read.
//
//     ledger-crash-writer write PATH SEED    appends endlessly; a line each "ack NAME" of an order,
//                                            "sent ORDER NAME|cancel" of a change under way, and
//                                            "at SEQUENCE"
//     ledger-crash-writer open PATH          as an ordinary user; prints "open" or the error
//     ledger-crash-writer held PATH          prints whether a process holds a lock on the file

import Foundation
import MarketModel
import OrderLedger
import PaperTrading

/// Ends the process when its output is no longer read.
func say(_ lines: String) { FileHandle.standardOutput.write(Data(lines.utf8)) }

/// The stock of the exchange and twenty markets of venues.
let markets = (0..<20).compactMap { Symbol("kraken:M\($0)/USD") }

/// A book of two levels a side.
func book(_ symbol: Symbol, _ step: UInt64, bid: Int64, _ random: inout SplitMix64) -> BookView {
  func rows(_ prices: [Int64]) -> [BookRow] {
    prices.map {
      let size = Quantity(units: 1 + random.below(50))
      return BookRow(price: Price(units: $0), size: size, accumulated: size)
    }
  }
  return BookView(
    symbol: symbol, status: .synced, freshness: .waiting(.venue), bids: rows([bid, bid - 10_000]),
    asks: rows([bid + 10_000, bid + 20_000]), bidLevels: 2, askLevels: 2,
    priceScale: Scale(clamping: 6), quantityScale: .whole, priceDecimals: Scale(clamping: 2),
    sequence: step, resyncs: 0, tick: Price(units: 10_000))
}

/// One seeded step: market data, an order or a change, which take 0 to 60 ms to most markets.
func input(_ step: UInt64, orders: Int, _ random: inout SplitMix64, _ stock: Symbol)
  -> TradingInput
{
  let bid = 45_000_000 + random.below(20) * 10_000
  let number = Int(random.below(Int64(markets.count + 1)))
  let symbol = number < markets.count ? markets[number] : stock
  switch random.below(6) {
  case 0 where symbol == stock, 1 where symbol == stock:
    return .feed(
      .tick(
        TopOfBook(
          number: step, venueTime: step,
          bid: PriceLevel(price: Price(units: bid), quantity: Quantity(units: random.below(50))),
          ask: PriceLevel(
            price: Price(units: bid + 30_000), quantity: Quantity(units: random.below(50))))),
      of: stock)
  case 0:
    return .feed(
      .book(
        book(symbol, step, bid: bid, &random), currency: "USD",
        latencyMilliseconds: Int64(number % 4) * 20), of: symbol)
  case 1:
    let trade = Trade(
      price: Price(units: bid), size: Quantity(units: 1 + random.below(50)),
      side: random.below(2) == 0 ? .buy : .sell, time: Timestamp(milliseconds: Int64(step)),
      arrival: step, identifier: Int64(step))
    return .feed(.trade(trade, priceScale: Scale(clamping: 6), quantityScale: .whole), of: symbol)
  case 2:
    let order = OrderIdentifier(number: UInt64(max(1, orders - Int(random.below(60)))))
    let price = random.below(2) == 0 ? nil : Price(units: bid)
    guard random.below(2) == 0, let name = ClientOrderIdentifier("amend-\(step)") else {
      return .cancel(order)
    }
    return .amend(
      AmendRequest(
        clientIdentifier: name, order: order, quantity: Quantity(units: 1 + random.below(60)),
        price: price))
  default: break
  }
  guard let name = ClientOrderIdentifier("order-\(orders + 1)") else {
    return .feed(.freshness(.stale), of: stock)
  }
  return .place(
    OrderRequest(
      clientIdentifier: name, symbol: symbol, side: random.below(2) == 0 ? .buy : .sell,
      kind: random.below(3) == 0 ? .market : .limit(Price(units: bid)),
      quantity: Quantity(units: 1 + random.below(60))))
}

/// Appends endlessly, in batches of 1 to 20 inputs, and acknowledges a batch after `append`
/// returned.
func write(_ path: String, _ rules: TradingRules, seed: UInt64) throws(LedgerError) {
  var random = SplitMix64(seed: seed)
  let opened = try OrderLedger.open(
    at: path, rules: rules, now: Timestamp(milliseconds: 0), ifDamaged: .refuse)
  var trader = PaperTrader(rules: rules, history: opened.history)
  say("at \(trader.history.lastSequence)\n")
  var step = UInt64(max(0, opened.history.lastTime?.milliseconds ?? 0))
  while true {
    var events: [OrderEvent] = []
    for _ in 0...random.below(20) {
      step += 1
      let next = input(step, orders: trader.history.orders.count, &random, rules.symbol)
      let now = ClockReading(milliseconds: Int64(step))
      events += trader.handle(next, at: now).events
    }
    guard let last = events.last else { continue }
    try opened.ledger.append(events)
    let names = events.compactMap { event in
      switch event.change {
      case .accepted(let placement), .rejected(let placement, _):
        "ack \(placement.request.clientIdentifier)\n"
      case .requested(let order, .amend(let request, _)):
        "sent \(order) \(request.clientIdentifier)\n"
      case .requested(let order, .cancel): "sent \(order) cancel\n"
      case .arrived, .requested(_, .refused), .filled, .amended, .cancelled, .possible, .triggered,
        .trailed, .listed:
        nil
      }
    }
    say(names.joined() + "at \(last.sequence)\n")
  }
}

let arguments = CommandLine.arguments
guard arguments.count >= 3, let symbol = Symbol("AAPL") else { exit(2) }
let rules = TradingRules(oneStock: symbol)
do throws(LedgerError) {
  if arguments[1] == "held" {
    var wanted = flock()
    wanted.l_type = Int16(F_WRLCK)
    wanted.l_whence = Int16(SEEK_SET)
    let file = open(arguments[2], O_RDWR)
    guard fcntl(file, F_GETLK, &wanted) == 0 else { exit(2) }
    say(wanted.l_type == Int16(F_UNLCK) ? "free\n" : "held\n")
  } else if arguments[1] == "open" {
    // Root may write anywhere, so a test that runs as root would prove nothing.
    if geteuid() == 0, setgroups(0, nil) != 0 || setgid(65_534) != 0 || setuid(65_534) != 0 {
      exit(2)
    }
    _ = try OrderLedger.open(at: arguments[2], rules: rules, now: Timestamp(milliseconds: 0))
    say("open\n")
  } else {
    try write(arguments[2], rules, seed: UInt64(arguments.dropFirst(3).first ?? "") ?? 1)
  }
} catch {
  say("error \(error)\nmessage \(error.userMessage)\n")
  exit(1)
}
