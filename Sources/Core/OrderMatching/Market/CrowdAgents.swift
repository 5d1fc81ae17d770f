import MarketModel

/// The traders of a deep book, one acting in each step, at the measured distances.
struct CrowdAgents: Sendable {
  private let profile: DepthProfile
  /// This instrument's ticks per ``CapturedShape/priceTicks`` of the captured one.
  private let startTicks: Int64

  init(_ profile: DepthProfile, startTicks: Int64) {
    self.profile = profile
    self.startTicks = startTicks
  }

  /// Microseconds to the next step.
  func gap(_ random: inout SplitMix64) -> Int64 {
    CapturedShape.gapMicroseconds.draw(&random) * profile.gapPercent / 100
  }

  func act<Engine: MatchingEngine>(
    through gateway: inout AgentGateway<Engine>, value: Int64, _ random: inout SplitMix64
  ) {
    guard let bid = gateway.best(.buy), let ask = gateway.best(.sell) else {
      return fillEmptySide(through: &gateway, value, &random)
    }
    if ask - bid > 1, random.below(10) < 6 {
      return narrow(through: &gateway, bid: bid, ask: ask, value, &random)
    }
    let slack = max(1, scaled(1))
    let isAbove = value > (ask + slack) * 1000
    let isBelow = value < (bid - slack) * 1000
    if isAbove || isBelow, random.below(100) < 15 {
      return follow(through: &gateway, isAbove ? .buy : .sell, &random)
    }
    if random.below(1000) < 18, isTaken(&random) {
      let size = CapturedShape.tradeSize.draw(&random)
      return take(through: &gateway, random.side(), lots(size, &random))
    }
    change(through: &gateway, &random)
  }

  /// A maker improves the best price on the side favoured by the value.
  private func narrow<Engine: MatchingEngine>(
    through gateway: inout AgentGateway<Engine>, bid: Int64, ask: Int64, _ value: Int64,
    _ random: inout SplitMix64
  ) {
    let side: Side = value * 2 < (bid + ask) * 1000 ? .sell : .buy
    let closest = side == .sell ? bid + 1 : ask - 1
    let ticks = random.below(10) < 7 ? closest : random.uniform((bid + 1)...(ask - 1))
    place(through: &gateway, side, ticks, distance: 0, &random)
  }

  /// The value has left the touch: the best level shrinks, is cancelled or is taken.
  private func follow<Engine: MatchingEngine>(
    through gateway: inout AgentGateway<Engine>, _ side: Side, _ random: inout SplitMix64
  ) {
    guard let best = gateway.engine.best(side.opposite) else { return }
    let size = best.quantity.units
    if size > 200 * profile.lotsPerHundred, random.below(3) < 2 {
      let left = max(1, size * random.uniform(10...60) / 100)
      gateway.resize(side.opposite, best.price, to: left)
    } else if random.once(in: 3), isTaken(&random) {
      let extra = lots(CapturedShape.tradeSize.draw(&random), &random)
      take(through: &gateway, side, min(size + extra, CrowdAgents.largestOrder))
    } else if hasLevelsToSpare(side.opposite, through: gateway) {
      gateway.resize(side.opposite, best.price, to: 0)
    }
  }

  /// Whether a taker acts where the captured market had one.
  private func isTaken(_ random: inout SplitMix64) -> Bool {
    profile.takerPercent == 100 || random.below(100) < profile.takerPercent
  }

  private func take<Engine: MatchingEngine>(
    through gateway: inout AgentGateway<Engine>, _ side: Side, _ lots: Int64
  ) {
    guard hasLevelsToSpare(side.opposite, through: gateway),
      let last = gateway.engine.levels(side.opposite, limit: 4).last
    else { return }
    gateway.enter(.anonymous, side, .immediateOrCancel(last.price), lots)
  }

  /// Ordinary changes of one kind, at the measured distances.
  private func change<Engine: MatchingEngine>(
    through gateway: inout AgentGateway<Engine>, _ random: inout SplitMix64
  ) {
    let kind = random.below(1000)
    var side = random.side()
    for _ in 0..<CapturedShape.rows.draw(&random) {
      if random.below(10) < 3 { side = side.opposite }
      let distance = min(scaled(CapturedShape.changeDistance.draw(&random)), farthest(side))
      if kind < 780 {
        resizeOne(through: &gateway, side, behindBest: distance, &random)
      } else if kind < 890 {
        guard gateway.levelCount(side) < wanted(side) + wanted(side) / 100 else { continue }
        addOne(through: &gateway, side, behindBest: max(1, distance), &random)
      } else {
        guard gateway.levelCount(side) > wanted(side) - wanted(side) / 100,
          let level = level(through: gateway, side, behindBest: distance)
        else { continue }
        gateway.resize(side, level.price, to: 0)
      }
    }
  }

  private func resizeOne<Engine: MatchingEngine>(
    through gateway: inout AgentGateway<Engine>, _ side: Side, behindBest distance: Int64,
    _ random: inout SplitMix64
  ) {
    guard
      let level = level(through: gateway, side, behindBest: distance) ?? gateway.engine.best(side),
      !gateway.isChanged(side, level.price)
    else { return }
    gateway.resize(side, level.price, to: newSize(level, distance, &random))
  }

  private func newSize(_ level: BookLevel, _ distance: Int64, _ random: inout SplitMix64) -> Int64 {
    let old = level.quantity.units
    var size: Int64
    if random.once(in: 2) {
      let order = lots(CapturedShape.tradeSize.draw(&random), &random)
      size = random.once(in: 2) || old <= order ? old + order : old - order
    } else {
      size = standingLots(distance, &random)
    }
    if size > 100_000 * profile.lotsPerHundred { size = standingLots(0, &random) }
    return size == old ? old + profile.lotsPerHundred : size
  }

  /// Adds an order at the first free of eight prices from this distance on.
  private func addOne<Engine: MatchingEngine>(
    through gateway: inout AgentGateway<Engine>, _ side: Side, behindBest distance: Int64,
    _ random: inout SplitMix64
  ) {
    guard let best = gateway.best(side) else { return }
    for behind in distance..<(distance + 8) {
      let ticks = side == .buy ? best - behind : best + behind
      if ticks > 0, gateway.engine.quantity(side, at: Price(units: ticks)) == .zero {
        return place(through: &gateway, side, ticks, distance: behind, &random)
      }
    }
  }
}

extension CrowdAgents {
  /// Ten times the largest captured level, and far below the engine's own bound.
  private static let largestOrder: Int64 = 900_000_000

  /// Fills an empty book by the captured quantiles, without repeating a price.
  func open<Engine: MatchingEngine>(
    through gateway: inout AgentGateway<Engine>, value: Int64, _ random: inout SplitMix64
  ) {
    for side in [Side.sell, .buy] {
      let table = side == .sell ? CapturedShape.askDistance : CapturedShape.bidDistance
      let count = Int64(wanted(side))
      var former: Int64 = -1
      for index in 0..<count {
        let share = index * profile.reach * 1000 / (count - 1)
        former = max(former + 1, scaled(table.value(at: share)))
        let ticks = side == .sell ? value / 1000 + 1 + former : value / 1000 - former
        guard ticks > 0 else { break }
        let size = index < 60 ? standingLots(0, &random) : standingLots(.max, &random)
        let kind = OrderKind.limit(Price(units: ticks))
        gateway.enter(.anonymous, side, kind, min(size, CrowdAgents.largestOrder))
      }
    }
  }

  /// A side is empty: quotes at the value again.
  private func fillEmptySide<Engine: MatchingEngine>(
    through gateway: inout AgentGateway<Engine>, _ value: Int64, _ random: inout SplitMix64
  ) {
    let ticks = value / 1000
    if let bid = gateway.best(.buy) {
      place(through: &gateway, .sell, max(ticks, bid + 1), distance: 0, &random)
    } else {
      let ask = gateway.best(.sell) ?? ticks + 1
      place(through: &gateway, .buy, max(1, min(ticks, ask - 1)), distance: 0, &random)
    }
  }

  /// Adds a level at a price that crosses nothing; a new best price starts small.
  private func place<Engine: MatchingEngine>(
    through gateway: inout AgentGateway<Engine>, _ side: Side, _ ticks: Int64, distance: Int64,
    _ random: inout SplitMix64
  ) {
    var size = standingLots(distance, &random)
    if distance < scaled(2) || distance == 0 { size = size / 20 + profile.lotsPerHundred }
    gateway.enter(
      .anonymous, side, .limit(Price(units: ticks)), min(size, CrowdAgents.largestOrder))
  }

  /// The level this far behind the best one, or the next behind it.
  private func level<Engine: MatchingEngine>(
    through gateway: AgentGateway<Engine>, _ side: Side, behindBest distance: Int64
  ) -> BookLevel? {
    guard let best = gateway.best(side) else { return nil }
    let ticks = side == .buy ? best - distance : best + distance
    return gateway.engine.level(side, atOrBehind: Price(units: ticks))
  }

  private func wanted(_ side: Side) -> Int {
    side == .buy ? profile.levels.bids : profile.levels.asks
  }

  private func farthest(_ side: Side) -> Int64 {
    let table = side == .sell ? CapturedShape.askDistance : CapturedShape.bidDistance
    return max(Int64(wanted(side)), scaled(table.value(at: profile.reach * 1000)))
  }

  private func hasLevelsToSpare<Engine: MatchingEngine>(
    _ side: Side, through gateway: AgentGateway<Engine>
  ) -> Bool { gateway.levelCount(side) > wanted(side) * 9 / 10 }

  private func scaled(_ distance: Int64) -> Int64 {
    distance * startTicks / CapturedShape.priceTicks
  }

  private func standingLots(_ distance: Int64, _ random: inout SplitMix64) -> Int64 {
    let isNear = distance < scaled(60)
    let table = isNear ? CapturedShape.nearSize : CapturedShape.farSize
    return lots(table.draw(&random), &random)
  }

  /// Converts captured contracts to this instrument's lots, at least one.
  private func lots(_ size: Int64, _ random: inout SplitMix64) -> Int64 {
    let whole = max(1, size / 100) * profile.lotsPerHundred
    return profile.lotsPerHundred > 1 ? whole + random.below(profile.lotsPerHundred) : whole
  }
}
