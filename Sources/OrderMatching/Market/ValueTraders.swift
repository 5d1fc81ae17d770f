// Agents who trade when the market is away from what they think the stock is worth: they pull the
// tape after the value.

import MarketModel

/// Traders with an opinion of the value, each with an error of their own.
struct ValueTraders: Sendable {
  private let first: UInt32
  private let count: Int64

  /// Their trader numbers run from `first` on.
  init(first: UInt32, count: Int64) {
    self.first = first
    self.count = count
  }

  /// One of them may take an offer that is better than the value as they see it.
  func act<Engine: MatchingEngine>(
    through gateway: inout AgentGateway<Engine>, value: Int64, _ random: inout SplitMix64
  ) {
    guard random.once(in: 4) else { return }
    let trader = TraderID(first + UInt32(random.below(count)))
    let opinion = max(1, (value + 500) / 1000 + random.bell(4))
    let lots = 1 + random.uniform(0...15) + random.halving() * 12
    let kind = OrderKind.immediateOrCancel(Price(units: opinion))
    if let ask = gateway.best(.sell), ask < opinion {
      gateway.enter(trader, .buy, kind, lots)
    } else if let bid = gateway.best(.buy), bid > opinion {
      gateway.enter(trader, .sell, kind, lots)
    }
  }
}
