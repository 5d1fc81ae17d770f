// A process for the ledger's tests to kill: it places orders as fast as it can, and prints which
// ones the ledger acknowledged. It ends when its output is no longer read.
//
//     ledger-crash-writer write PATH SEED    appends endlessly; "ack NAME" and "at SEQUENCE" a line
//     ledger-crash-writer open PATH          as an ordinary user; prints "open" or the error
//     ledger-crash-writer held PATH          prints whether a process holds a lock on the file

import Foundation
import MarketModel
import OrderLedger
import PaperTrading

/// Ends the process when its output is no longer read.
func say(_ lines: String) { FileHandle.standardOutput.write(Data(lines.utf8)) }

/// One seeded step: a tick, an order or a cancellation.
func input(_ step: UInt64, orders: Int, _ random: inout SplitMix64, _ symbol: Symbol)
  -> TradingInput
{
  let bid = 45_000_000 + random.below(20) * 10_000
  if random.below(3) == 0 {
    return .market(
      TopOfBook(
        number: step, venueTime: step,
        bid: PriceLevel(price: Price(units: bid), quantity: Quantity(units: random.below(50))),
        ask: PriceLevel(
          price: Price(units: bid + 30_000), quantity: Quantity(units: random.below(50)))))
  }
  if random.below(3) == 0 { return .cancel(OrderIdentifier(number: UInt64(max(1, orders - 3)))) }
  guard let name = ClientOrderIdentifier("order-\(orders + 1)") else { return .freshness(.stale) }
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
  var step: UInt64 = 0
  while true {
    var events: [OrderEvent] = []
    for _ in 0...random.below(20) {
      step += 1
      let next = input(
        step, orders: trader.history.orders.count, &random, rules.symbol)
      let now = ClockReading(milliseconds: Int64(step))
      events += trader.handle(next, at: now).events
    }
    guard let last = events.last else { continue }
    try opened.ledger.append(events)
    let names = events.compactMap { event in
      switch event.change {
      case .accepted(let placement), .rejected(let placement, _):
        "ack \(placement.request.clientIdentifier)\n"
      case .filled, .amended, .cancelled: nil
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
