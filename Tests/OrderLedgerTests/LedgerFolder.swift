import Foundation
import MarketModel
@testable import OrderLedger
import PaperTrading
import TestSupport

/// A temporary folder with a ledger's path and other processes that access it; removed at the end.
final class LedgerFolder {
  let folder: String
  var path: String { folder + "/orders.sqlite" }
  let rules = TradingRules(oneStock: Symbol("AAPL") ?? unreachable())

  init() throws {
    folder = FileManager.default.temporaryDirectory.path + "/livetape-ledger-\(UUID())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func open(
    _ policy: OrderLedger.DamagePolicy = .refuse, maximumPages: Int? = nil
  ) throws(LedgerError) -> OrderLedger.Opened {
    try OrderLedger.open(
      at: path, rules: rules, now: Timestamp(milliseconds: 1_790_000_000_123), ifDamaged: policy,
      maximumPages: maximumPages)
  }

  /// Events of a seeded run: every kind of event, `steps` inputs.
  func events(
    _ steps: Int, seed: UInt64 = 1, after history: OrderHistory = OrderHistory()
  ) -> [OrderEvent] {
    var random = SplitMix64(seed: seed)
    var trader = PaperTrader(rules: rules, history: history)
    var events: [OrderEvent] = []
    for step in 1...steps {
      let input = input(UInt64(step), &random, trader.history.orders.count)
      let now = ClockReading(milliseconds: 1_790_000_000_000 + Int64(step))
      events += trader.handle(input, at: now).events
    }
    return events
  }

  private func input(_ step: UInt64, _ random: inout SplitMix64, _ orders: Int) -> TradingInput {
    let bid = 45_000_000 + random.below(20) * 10_000
    switch random.below(5) {
    case 0:
      return .feed(
        .tick(
          TopOfBook(
            number: step, venueTime: step,
            bid: PriceLevel(price: Price(units: bid), quantity: Quantity(units: random.below(50))),
            ask: PriceLevel(
              price: Price(units: bid + 30_000), quantity: Quantity(units: random.below(50))))),
        of: rules.symbol)
    case 4:
      return .amend(
        AmendRequest(
          clientIdentifier: ClientOrderIdentifier("amend-\(step)") ?? unreachable(),
          order: OrderIdentifier(number: UInt64(max(1, orders - Int(random.below(4))))),
          quantity: random.below(2) == 0 ? nil : Quantity(units: random.below(60)),
          price: random.below(2) == 0 ? nil : Price(units: bid)))
    case 1: return .cancel(OrderIdentifier(number: UInt64(max(1, orders - 2))))
    default:
      return .place(
        OrderRequest(
          clientIdentifier: ClientOrderIdentifier("order-\(orders + 1)") ?? unreachable(),
          symbol: rules.symbol, side: random.below(2) == 0 ? .buy : .sell,
          kind: kind(Price(units: bid + random.below(2)), &random),
          quantity: Quantity(units: random.below(60))))
    }
  }

  private func kind(_ price: Price, _ random: inout SplitMix64) -> OrderType {
    switch random.below(6) {
    case 0: .market
    case 1: .protectedMarket(price)
    case 2: random.below(2) == 0 ? .immediateOrCancel(price) : .fillOrKill(price)
    default: .limit(price)
    }
  }

  /// A ledger that was filled and closed; returns its orders.
  @discardableResult
  func fill(_ steps: Int = 60) throws -> OrderHistory {
    let events = events(steps)
    let opened = try open()
    try opened.ledger.append(events)
    try opened.ledger.close()
    return try OrderHistory(replaying: events)
  }
}

func unreachable<T>() -> T { preconditionFailure("a constant of the tests is not what it says") }

/// The helper executable; killed when it does not end.
enum CrashWriter {
  static func start(_ arguments: [String]) throws -> (process: Process, output: FileHandle) {
    let process = try Process.product("ledger-crash-writer", arguments)
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.runWithinPatience()
    return (process, pipe.fileHandleForReading)
  }

  /// Its output until it ends, and its exit status.
  static func run(_ arguments: [String]) throws -> (said: String, status: Int32) {
    let (process, output) = try start(arguments)
    let text = String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (text, process.terminationStatus)
  }

  /// Its status when this user may write anywhere and can't drop that privilege, so that an
  /// unwritable folder can't be tested.
  static let mayWriteAnywhere: Int32 = 2
}
