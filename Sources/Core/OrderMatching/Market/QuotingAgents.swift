import MarketModel

struct QuotingAgents: Sendable {
  private var makers = [
    MarketMaker(trader: TraderID(1), levels: 6, halfSpread: 3, patience: 12),
    MarketMaker(trader: TraderID(2), levels: 4, halfSpread: 1, patience: 1),
  ]
  private let valueTraders = ValueTraders(first: 100, count: 50)
  private var noiseTraders = NoiseTraders(first: 1000, count: 1000)

  mutating func open<Engine: MatchingEngine>(
    through gateway: inout AgentGateway<Engine>, value: Int64, _ random: inout SplitMix64
  ) {
    for index in makers.indices { makers[index].act(through: &gateway, value: value, &random) }
  }

  /// The makers act last and requote.
  mutating func act<Engine: MatchingEngine>(
    through gateway: inout AgentGateway<Engine>, value: Int64, _ random: inout SplitMix64
  ) {
    valueTraders.act(through: &gateway, value: value, &random)
    noiseTraders.act(through: &gateway, &random)
    open(through: &gateway, value: value, &random)
  }
}

/// Traders without a view on the value.
struct NoiseTraders: Sendable {
  /// The most resting orders; the oldest are cancelled first.
  static let waitingLimit = 200

  private struct Waiting {
    let order: PlacedOrder
    let until: Int64
  }

  private let first: UInt32
  private let count: Int64
  private var waiting: [Waiting] = []

  init(first: UInt32, count: Int64) {
    self.first = first
    self.count = count
  }

  /// Some cancel, one may place an order and one may trade at the market.
  mutating func act<Engine: MatchingEngine>(
    through gateway: inout AgentGateway<Engine>, _ random: inout SplitMix64
  ) {
    cancelOld(through: &gateway)
    if random.once(in: 3) { place(through: &gateway, &random) }
    if random.once(in: 9) {
      gateway.enter(trader(&random), random.side(), .market, size(&random))
    }
  }

  private mutating func cancelOld<Engine: MatchingEngine>(
    through gateway: inout AgentGateway<Engine>
  ) {
    let now = gateway.microseconds
    let excess = max(0, waiting.count - NoiseTraders.waitingLimit)
    for one in waiting.prefix(excess) { gateway.cancel(one.order) }
    waiting.removeFirst(excess)
    for one in waiting where one.until <= now { gateway.cancel(one.order) }
    waiting.removeAll { $0.until <= now }
  }

  private mutating func place<Engine: MatchingEngine>(
    through gateway: inout AgentGateway<Engine>, _ random: inout SplitMix64
  ) {
    let side = random.side()
    let best = gateway.best(side) ?? gateway.last.units
    let behind = random.once(in: 5) ? -1 : random.below(6) + random.halving() * 3
    let price = max(1, side == .buy ? best - behind : best + behind)
    let kind = OrderKind.limit(Price(units: price))
    guard let order = gateway.enter(trader(&random), side, kind, size(&random)) else { return }
    let milliseconds = 500 + random.below(1 << random.uniform(9...15))
    waiting.append(Waiting(order: order, until: gateway.microseconds + milliseconds * 1000))
  }

  private func trader(_ random: inout SplitMix64) -> TraderID {
    TraderID(first + UInt32(random.below(count)))
  }

  /// Mostly 1 to 20 lots, occasionally a hundred.
  private func size(_ random: inout SplitMix64) -> Int64 {
    1 + random.below(12) + random.halving() * random.uniform(3...12)
  }
}

/// Traders with a view on the value, each with a random error.
struct ValueTraders: Sendable {
  private let first: UInt32
  private let count: Int64

  init(first: UInt32, count: Int64) {
    self.first = first
    self.count = count
  }

  /// One of them may take an offer that is better than its view of the value.
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
