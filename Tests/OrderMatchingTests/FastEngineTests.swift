// Risks of the fast engine alone: sharing after a copy, growth, reuse of slots, hashes.

import MarketModel
import OrderMatching
import Testing

@testable import struct OrderMatching.PriceBitmap

struct FastEngineTests {
  @Test func `a copy and its original go their own ways`() {
    var first = FastMatchingEngine()
    BookTable.enter(Rule.book, into: &first)
    let before = first.stateHash
    var second = first
    var fills: [Fill] = []
    _ = second.submit(Script.command("buy 9:100 103"), fills: &fills)
    #expect(first.stateHash == before)
    #expect(second.stateHash != before)
    _ = first.cancel(OrderID(6))
    #expect(BookTable.draw(second) == BookTable.normal("9:52 | 103 |\n6:7 7:9 | 99 |\n8:4 | 98 |"))
  }

  @Test func `a hundred thousand orders rest and leave in any order`() {
    var random = SplitMix64(seed: 77)
    var engine = FastMatchingEngine()
    var fills: [Fill] = []
    var ids: [UInt64] = []
    for _ in 0..<100_000 {
      let id = random.next()
      let order = NewOrder(
        id: OrderID(id), side: .buy, kind: .limit(Price(units: 1 + random.below(5000))),
        quantity: Quantity(units: 1))
      #expect(engine.enter(order, fills: &fills).standing == .resting)
      ids.append(id)
    }
    #expect(engine.levels(.buy, limit: .max).reduce(0) { $0 + $1.orders } == 100_000)
    ids.shuffle(using: &random)
    for id in ids { #expect(engine.cancel(OrderID(id)).cancelled.units == 1) }
    #expect(engine.restingOrders == 0)
    #expect(engine.best(.buy) == nil)
  }

  @Test func `numbers with the same index slot are distinguished`() {
    var engine = FastMatchingEngine()
    var fills: [Fill] = []
    let ids = (1...300 as ClosedRange<UInt64>).map { $0 << 16 | $0 }
    for id in ids {
      let order = NewOrder(
        id: OrderID(id), side: .sell, kind: .limit(Price(units: 7)), quantity: Quantity(units: 2))
      #expect(engine.enter(order, fills: &fills).standing == .resting)
      #expect(engine.enter(order, fills: &fills).standing == .rejected(.duplicateOrder))
    }
    var random = SplitMix64(seed: 4)
    for id in ids.shuffled(using: &random) {
      #expect(engine.cancel(OrderID(id)).cancelled.units == 2)
    }
    #expect(engine.cancel(OrderID(ids[0])).standing == .rejected(.unknownOrder))
  }

  @Test func `the extreme prices and quantities trade`() {
    var engine = FastMatchingEngine()
    var fills: [Fill] = []
    for command in [
      "sell 1:1000000000 16777215", "buy 2:1000000000 1", "buy 3:1000000000 16777215",
      "sell 4:1000000000 market",
    ] {
      _ = engine.submit(Script.command(command), fills: &fills)
    }
    #expect(Script.text(fills) == "3:1:16777215:1000000000; 4:2:1:1000000000;")
    #expect(BookTable.draw(engine) == "(empty)")
  }

  @Test func `a bitmap finds the neighbours that a sorted set has`() {
    var random = SplitMix64(seed: 3)
    let maximum = (1 << 24) - 1
    let bitmap = PriceBitmap(maximum: maximum)
    var members: Set<Int> = []
    for round in 0..<400 {
      let spread: Int64 = [70, 5000, 300_000, 1 << 24][round % 4]
      let member = Int(random.below(spread))
      if members.insert(member).inserted {
        bitmap.insert(member)
      } else {
        members.remove(member)
        _ = bitmap.remove(member)
      }
      let start = Int(random.below(spread))
      #expect(bitmap.first(atOrAbove: start) == members.filter { $0 >= start }.min(), "\(round)")
      #expect(bitmap.last(atOrBelow: start) == members.filter { $0 <= start }.max(), "\(round)")
    }
    for member in members { _ = bitmap.remove(member) }
    #expect(bitmap.first(atOrAbove: 0) == nil)
    #expect(bitmap.last(atOrBelow: maximum) == nil)
  }
}
