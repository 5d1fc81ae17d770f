import MarketModel

struct MarketMaker: Sendable {
  let trader: TraderID
  let levels: Int64
  /// The least distance of the best quote from the centre, in ticks.
  let halfSpread: Int64
  /// Acts once in this many steps on average.
  let patience: Int64
  private var quotes: [PlacedOrder] = []
  private var centre: Int64?
  private var stepsQuoted = 0

  init(trader: TraderID, levels: Int64, halfSpread: Int64, patience: Int64) {
    self.trader = trader
    self.levels = levels
    self.halfSpread = halfSpread
    self.patience = patience
  }

  mutating func act<Engine: MatchingEngine>(
    through gateway: inout AgentGateway<Engine>, value: Int64, _ random: inout SplitMix64
  ) {
    guard random.once(in: patience) || gateway.best(.buy) == nil || gateway.best(.sell) == nil
    else { return }
    stepsQuoted += 1
    let ticks = (value + 500) / 1000
    let isCurrent = ticks == centre && stepsQuoted < 20
    let isTaken = gateway.best(.buy) == nil || gateway.best(.sell) == nil
    if isCurrent && !isTaken { return }
    withdraw(through: &gateway)
    let move = abs(ticks - (centre ?? ticks))
    centre = ticks
    stepsQuoted = 0
    quote(through: &gateway, around: ticks, afterMove: move, &random)
  }

  private mutating func withdraw<Engine: MatchingEngine>(
    through gateway: inout AgentGateway<Engine>
  ) {
    for order in quotes { gateway.cancel(order) }
    quotes.removeAll(keepingCapacity: true)
  }

  /// Wider after a large move; sizes grow with the distance from the touch.
  private mutating func quote<Engine: MatchingEngine>(
    through gateway: inout AgentGateway<Engine>, around ticks: Int64, afterMove move: Int64,
    _ random: inout SplitMix64
  ) {
    let half = halfSpread + random.halving().clamped(to: 0...2) + (move / 3).clamped(to: 0...2)
    for side in [Side.buy, .sell] {
      var distance = half
      for level in 0..<levels {
        let price = side == .buy ? ticks - distance : ticks + distance
        let lots = random.uniform(8...40) + level * random.uniform(4...20)
        let kind = OrderKind.limit(Price(units: max(1, price)))
        if let order = gateway.enter(trader, side, kind, lots) { quotes.append(order) }
        distance += random.uniform(1...2)
      }
    }
  }
}

extension Int64 {
  func clamped(to range: ClosedRange<Int64>) -> Int64 {
    Swift.max(range.lowerBound, Swift.min(self, range.upperBound))
  }
}
