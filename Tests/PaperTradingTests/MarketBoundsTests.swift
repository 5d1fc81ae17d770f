// The two bounds of orders in a venue's market, against a matching engine with queues: the same
// commands are executed with and without the order, and the trader sees the market without it.

import TestSupport
import Testing

@Suite struct MarketBoundsTests {
  /// Every type, trigger, condition and link of an order.
  static let types: Set<String> = [
    "market", "protected", "limit", "ioc", "fok", "stop", "takeProfit", "trailing", "trailing %",
    "post-only", "gtd", "oco", "oco leg", "bracket", "bracket leg",
  ]

  /// Runs all seeds; returns the types of which an engine filled something.
  private func run(
    _ begin: (UInt64) -> EngineRun, _ play: (inout EngineRun) -> Void
  ) -> Set<String> {
    var types: Set<String> = []
    for seed in 1...UInt64(repetitions(200, all: 10_000)) {
      var run = begin(seed)
      for _ in 0..<40 { run.step() }
      play(&run)
      types.formUnion(run.filledTypes)
    }
    return types
  }

  @Test func `what an engine fills of an order of any type is between certain and possible`() {
    let types = run({ EngineRun(seed: $0, isComplete: !$0.isMultiple(of: 4)) }) { run in
      run.place()
      run.play(200)
    }
    #expect(types == Self.types)
  }

  @Test func `what an engine fills of an order that is being changed is within its bounds`() {
    var changes: Set<String> = []
    _ = run({ EngineRun(seed: $0 * 2, latency: Int64($0 % 4) * 6) }) { run in
      run.place()
      run.play(150, changingEvery: 8)
      changes.formUnion(run.changes)
    }
    #expect(
      changes == [
        "cancelled", "in place", "requeued", "waiting", "taking", "after a part", "too late",
        "refused",
      ])
  }

  @Test func `lost and swapped messages leave what an engine fills between certain and possible`() {
    let types = run({
      EngineRun(
        seed: $0 * 2 + 1, latency: Int64($0 % 3) * 6, link: FaultyLink(seed: $0))
    }) { run in
      run.place()
      run.play(200, changingEvery: run.seed % 4 == 1 ? 12 : nil)
    }
    #expect(
      types == [
        "market", "limit", "stop", "takeProfit", "trailing", "trailing %", "post-only", "gtd",
      ])
  }

  @Test func `two reduce-only orders never close more than the position, nor more than an engine`()
  {
    let types = run({
      EngineRun(seed: $0 * 2, link: $0.isMultiple(of: 2) ? FaultyLink(seed: $0) : nil, holds: true)
    }) { run in
      run.place()
      run.place()
      run.play(150)
    }
    #expect(types == Self.types.filter { !$0.hasPrefix("oco") && !$0.hasPrefix("bracket") })
  }
}
