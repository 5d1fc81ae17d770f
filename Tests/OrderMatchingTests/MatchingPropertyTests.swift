// Invariants after every command of seeded random flows.

import MarketModel
import OrderMatching
import Testing

struct MatchingPropertyTests {
  private struct Ordered {
    let side: Side
    let trader: TraderID
    let limit: Price?
    let quantity: Int64
    var traded: Int64 = 0
  }

  @Test(arguments: 100...130 as ClosedRange<UInt64>)
  func `what is filled, open and cancelled is what was ordered`(seed: UInt64) {
    var flow = RandomCommands(seed: seed, span: 30)
    var engine = FastMatchingEngine()
    var fills: [Fill] = []
    var open: [OrderID: Int64] = [:]
    for _ in 0..<2000 {
      let command = flow.next()
      fills.removeAll(keepingCapacity: true)
      let report = engine.submit(command, fills: &fills)
      let traded = fills.reduce(Int64(0)) { $0 + $1.quantity.units }
      #expect(report.filled.units == traded, "seed \(seed): \(command)")
      for fill in fills {
        #expect(fill.quantity > .zero, "seed \(seed): \(command)")
        open[fill.maker, default: 0] -= fill.quantity.units
        if open[fill.maker] == 0 { open[fill.maker] = nil }
      }
      let sum = report.filled.units + report.resting.units + report.cancelled.units
      #expect(sum == ordered(command, report, open), "seed \(seed): \(command)")
      note(command, report, &open)
    }
    let resting = engine.orders(.buy) + engine.orders(.sell)
    let found = Dictionary(resting.map { ($0.id, $0.quantity.units) }, uniquingKeysWith: +)
    #expect(found == open, "seed \(seed)")
  }

  private func ordered(
    _ command: OrderCommand, _ report: ExecutionReport, _ open: [OrderID: Int64]
  ) -> Int64 {
    if case .rejected = report.standing { return 0 }
    switch command {
    case .enter(let order): return order.quantity.units
    case .cancel(let id): return open[id] ?? 0
    case .modify(_, _, let quantity): return quantity.units
    }
  }

  private func note(
    _ command: OrderCommand, _ report: ExecutionReport, _ open: inout [OrderID: Int64]
  ) {
    if case .rejected = report.standing { return }
    switch command {
    case .enter(let order): open[order.id] = report.resting.units
    case .cancel(let id): open[id] = nil
    case .modify(let id, _, _): open[id] = report.resting.units
    }
    open = open.filter { $0.value != 0 }
  }

  @Test(arguments: 200...230 as ClosedRange<UInt64>)
  func `no trade is worse than a limit, out of turn or with oneself`(seed: UInt64) {
    var flow = RandomCommands(seed: seed, span: 30)
    var engine = FastMatchingEngine()
    var fills: [Fill] = []
    for _ in 0..<1000 {
      let command = flow.next()
      let waiting = (engine.orders(.buy), engine.orders(.sell))
      fills.removeAll(keepingCapacity: true)
      _ = engine.submit(command, fills: &fills)
      guard !fills.isEmpty, let taker = taker(command, waiting.0 + waiting.1) else { continue }
      let queue = taker.side == .buy ? waiting.1 : waiting.0
      for (fill, maker) in zip(fills, queue) {
        #expect(fill.maker == maker.id, "seed \(seed): \(command) out of turn")
        #expect(fill.price == maker.price, "seed \(seed): \(command)")
        #expect(
          maker.trader != taker.trader || maker.trader == .anonymous, "seed \(seed): \(command)")
        guard let limit = taker.limit else { continue }
        let isWithin = taker.side == .buy ? fill.price <= limit : fill.price >= limit
        #expect(isWithin, "seed \(seed): \(command) at \(fill.price)")
      }
      let full = zip(fills, queue).dropLast().allSatisfy { $0.quantity == $1.quantity }
      #expect(full && fills.count <= queue.count, "seed \(seed): \(command) skipped an order")
    }
  }

  private func taker(_ command: OrderCommand, _ resting: [RestingOrder]) -> Ordered? {
    switch command {
    case .enter(let order):
      let limit: Price? =
        switch order.kind {
        case .limit(let price), .immediateOrCancel(let price), .fillOrKill(let price): price
        case .market: nil
        }
      return Ordered(
        side: order.side, trader: order.trader, limit: limit, quantity: order.quantity.units)
    case .modify(let id, let price, let quantity):
      return resting.first { $0.id == id }.map {
        Ordered(side: $0.side, trader: $0.trader, limit: price, quantity: quantity.units)
      }
    case .cancel: return nil
    }
  }

  @Test(arguments: 300...320 as ClosedRange<UInt64>)
  func `the book is never crossed or locked`(seed: UInt64) {
    var flow = RandomCommands(seed: seed, span: 15)
    var engine = FastMatchingEngine()
    var fills: [Fill] = []
    for number in 0..<3000 {
      _ = engine.submit(flow.next(), fills: &fills)
      if let bid = engine.best(.buy), let ask = engine.best(.sell) {
        #expect(bid.price < ask.price, "seed \(seed), command \(number)")
      }
    }
  }
}
