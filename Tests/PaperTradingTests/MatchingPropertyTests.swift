// Seeded random runs against a simple reference.

import MarketModel
import PaperTrading
import Testing

/// The rules in their simplest form: one list, searched from the start for the best order each
/// time.
private struct PlainExchange {
  struct Entry: Equatable {
    let side: Side
    var limit: Int64?
    var ordered: Int64
    /// The remainder is cancelled at once.
    var isForNow = false
    var filled: Int64 = 0
    var notional: Int64 = 0
    var isOpen = true
  }

  var entries: [Entry] = []
  /// The entries in queue order.
  var queue: [Int] = []
  var bid = (price: Int64(0), left: Int64(0))
  var ask = (price: Int64(0), left: Int64(0))
  var isLive = false

  mutating func tick(bid: (Int64, Int64), ask: (Int64, Int64)) {
    (self.bid, self.ask) = (bid, ask)
    isLive = true
    while let index = nextInLine() { trade(index) }
  }

  mutating func place(
    _ side: Side, _ quantity: Int64, _ limit: Int64?, isForNow: Bool, isAllOrNothing: Bool
  ) {
    entries.append(Entry(side: side, limit: limit, ordered: quantity, isForNow: isForNow))
    let index = entries.count - 1
    queue.append(index)
    let isMissed = isAllOrNothing && (side == .buy ? ask : bid).left < quantity
    if isLive && canTrade(index) && !isMissed { trade(index) }
    if isForNow { entries[index].isOpen = false }
  }

  mutating func amend(_ index: Int, _ quantity: Int64, _ limit: Int64) {
    let entry = entries[index]
    guard entry.isOpen, !entry.isForNow, quantity > entry.filled else { return }
    (entries[index].ordered, entries[index].limit) = (quantity, limit)
    if limit != entry.limit || quantity > entry.ordered {
      queue.removeAll { $0 == index }
      queue.append(index)
    }
    if isLive && canTrade(index) { trade(index) }
  }

  mutating func cancel(_ index: Int) { entries[index].isOpen = false }

  private func canTrade(_ index: Int) -> Bool {
    let entry = entries[index]
    guard entry.isOpen else { return false }
    let offer = entry.side == .buy ? ask : bid
    guard offer.left > 0 else { return false }
    guard let limit = entry.limit else { return true }
    return entry.side == .buy ? offer.price <= limit : offer.price >= limit
  }

  private func nextInLine() -> Int? {
    var best: Int?
    for index in queue where canTrade(index) {
      guard let current = best else {
        best = index
        continue
      }
      let (a, b) = (entries[index], entries[current])
      guard a.side == b.side, let mine = a.limit, let other = b.limit else { continue }
      if a.side == .buy ? mine > other : mine < other { best = index }
    }
    return best
  }

  private mutating func trade(_ index: Int) {
    let offer = entries[index].side == .buy ? ask : bid
    let quantity = min(offer.left, entries[index].ordered - entries[index].filled)
    entries[index].filled += quantity
    entries[index].notional += quantity * offer.price
    if entries[index].filled == entries[index].ordered { entries[index].isOpen = false }
    if entries[index].side == .buy { ask.left -= quantity } else { bid.left -= quantity }
  }
}

@Suite struct `Matching in random runs` {
  static let seeds = Array(UInt64(1)...40)

  @Test(arguments: seeds)
  func `equals the plain exchange after every step, and its laws hold`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var desk = Desk()
    var plain = PlainExchange()
    for step in 0..<400 {
      advance(&desk, &plain, &random)
      let found = desk.trader.history.orders.map { order in
        PlainExchange.Entry(
          side: order.request.side, limit: order.request.kind.bound?.units,
          ordered: order.request.quantity.units, isForNow: !order.request.kind.mayRest,
          filled: order.filledQuantity.units,
          notional: order.averagePrice?.notional ?? 0, isOpen: order.life.isOpen)
      }
      try #require(found == plain.entries, "seed \(seed), step \(step)")
    }
    checkLaws(desk, seed)
    let replayed = try OrderHistory(replaying: desk.events)
    #expect(replayed == desk.trader.history, "seed \(seed)")
    #expect(replayed.stateHash == desk.trader.stateHash, "seed \(seed)")
  }

  private func advance(_ desk: inout Desk, _ plain: inout PlainExchange, _ random: inout SplitMix64)
  {
    let tick = desk.rules.tick.units
    switch random.below(11) {
    case 0...3:
      let bid = (4490 + random.below(15)) * tick
      let ask = bid + (1 + random.below(8)) * tick
      let (wanted, offered) = (random.below(30), random.below(30))
      desk.tick(
        bid: "\(FixedDecimal(units: bid, scale: desk.rules.priceScale)) x \(wanted)",
        ask: "\(FixedDecimal(units: ask, scale: desk.rules.priceScale)) x \(offered)")
      plain.tick(bid: (bid, wanted), ask: (ask, offered))
    case 4...7:
      let side = random.below(2) == 0 ? Side.buy : .sell
      let quantity = 1 + random.below(40)
      let bound = (4485 + random.below(25)) * tick
      let kinds: [OrderType] =
        [.market, .protectedMarket(Price(units: bound)), .immediateOrCancel(Price(units: bound))]
        + [.fillOrKill(Price(units: bound))]
        + Array(repeating: .limit(Price(units: bound)), count: 4)
      let kind = kinds[Int(random.below(Int64(kinds.count)))]
      desk.place(side, quantity, kind)
      plain.place(
        side, quantity, kind.bound?.units, isForNow: !kind.mayRest,
        isAllOrNothing: kind.timeInForce == .fillOrKill)
    case 8:
      let open = plain.entries.indices.filter { plain.entries[$0].isOpen }
      guard !open.isEmpty else { return }
      let index = open[Int(random.below(Int64(open.count)))]
      desk.handle(.cancel(OrderIdentifier(number: UInt64(index) + 1)))
      plain.cancel(index)
    case 9:
      let open = plain.entries.indices.filter { plain.entries[$0].isOpen }
      let candidates = open.isEmpty ? Array(plain.entries.indices) : open
      guard !candidates.isEmpty else { return }
      let index = candidates[Int(random.below(Int64(candidates.count)))]
      let (quantity, limit) = (1 + random.below(40), (4485 + random.below(25)) * tick)
      desk.amend(
        OrderIdentifier(number: UInt64(index) + 1), quantity: quantity,
        to: FixedDecimal(units: limit, scale: desk.rules.priceScale).description)
      plain.amend(index, quantity, limit)
    default:
      desk.feed(.freshness(random.below(2) == 0 ? .stale : .disconnected))
      plain.isLive = false
    }
  }

  private func checkLaws(_ desk: Desk, _ seed: UInt64) {
    var used: [[UInt64]: Int64] = [:]
    var offered: [[UInt64]: Int64] = [:]
    for order in desk.trader.history.orders where order.life.status != .rejected {
      let sum =
        order.filledQuantity.units + order.openQuantity.units
        + order.cancelledQuantity.units
      #expect(sum == order.request.quantity.units, "seed \(seed), order \(order.identifier.number)")
      for entry in order.life.fills?.fills ?? [] {
        #expect(order.amendments > 0 || order.request.accepts(entry.fill.price), "seed \(seed)")
        let key = [entry.fill.tickNumber, order.request.side == .buy ? 0 : 1]
        used[key, default: 0] += entry.fill.quantity.units
        #expect(offered[key, default: entry.fill.offered.units] == entry.fill.offered.units)
        offered[key] = entry.fill.offered.units
      }
    }
    for (key, quantity) in used {
      #expect(quantity <= offered[key] ?? 0, "seed \(seed), tick \(key)")
    }
    let wasAmended = desk.events.contains { if case .amended = $0.change { true } else { false } }
    #expect(wasAmended, "seed \(seed) amended nothing: the run shows nothing")
    #expect(!used.isEmpty, "seed \(seed) filled nothing: the run shows nothing")
  }
}
