// The fast engine agrees with the plain oracle on random commands.

import MarketModel
import OrderMatching
import TestSupport
import Testing

struct EngineAgreementTests {
  /// Plays a flow on both engines and compares every response and fill, and the books at intervals.
  private func compare(
    seed: UInt64, span: Int64, commands: Int, comparingEvery step: Int, limits: MatchingLimits
  ) {
    var flow = RandomCommands(seed: seed, span: span)
    var plain = PlainMatchingEngine(limits: limits)
    var fast = FastMatchingEngine(limits: limits)
    var (plainFills, fastFills): ([Fill], [Fill]) = ([], [])
    for number in 0..<commands {
      let command = flow.next()
      let expected = plain.submit(command, fills: &plainFills)
      let found = fast.submit(command, fills: &fastFills)
      guard expected == found, plainFills == fastFills else {
        Issue.record("seed \(seed), command \(number), \(command): \(expected) and \(found)")
        return
      }
      plainFills.removeAll(keepingCapacity: true)
      fastFills.removeAll(keepingCapacity: true)
      if number % step == 0, !agree(plain, fast, "seed \(seed), command \(number)") { return }
    }
    _ = agree(plain, fast, "seed \(seed), end")
  }

  private func agree(
    _ plain: PlainMatchingEngine, _ fast: FastMatchingEngine, _ place: String
  ) -> Bool {
    #expect(plain.stateHash == fast.stateHash, "\(place)")
    #expect(plain.bookHash == fast.bookHash, "\(place)")
    #expect(plain.queueHash == fast.queueHash, "\(place)")
    #expect(plain.restingOrders == fast.restingOrders, "\(place)")
    for side in [Side.buy, .sell] {
      #expect(plain.best(side) == fast.best(side), "\(place)")
      #expect(plain.levels(side, limit: 5) == fast.levels(side, limit: 5), "\(place)")
    }
    return plain.stateHash == fast.stateHash
  }

  @Test func `both engines agree on the commands of a deep book`() {
    compare(
      seed: 2024, span: 300, commands: repetitions(20_000, all: 200_000), comparingEvery: 10_000,
      limits: MatchingLimits())
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `both engines agree on good and bad commands after every one`(seed: UInt64) {
    compare(
      seed: seed, span: Int64(1 + seed * seed % 90), commands: 600, comparingEvery: 1,
      limits: MatchingLimits(maximumRestingOrders: seed % 4 == 0 ? 25 : 10_000))
  }

  @Test func `both engines agree where every order has a page of prices to itself`() {
    var random = SplitMix64(seed: 5)
    var (plain, fast) = (PlainMatchingEngine(), FastMatchingEngine())
    var fills: [Fill] = []
    for id in 1...6000 as ClosedRange<UInt64> {
      let order = NewOrder(
        id: OrderID(id), side: random.below(2) == 0 ? .buy : .sell,
        kind: .limit(Price(units: 1 + random.below((1 << 24) - 1))),
        quantity: Quantity(units: 1 + random.below(9)))
      let old = OrderID(1 + UInt64(random.below(Int64(id))))
      #expect(plain.enter(order, fills: &fills) == fast.enter(order, fills: &fills))
      #expect(plain.cancel(old) == fast.cancel(old))
    }
    #expect(agree(plain, fast, "seed 5"))
  }
}
