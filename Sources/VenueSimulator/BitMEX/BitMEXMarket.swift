// One instrument's market: a hidden fair price wanders, and the book follows it by updates,
// inserts, deletes and trades in the measured proportions.

import MarketModel

/// A seeded market.
///
/// It moves only by ``step()``, one small change at a time, each costing little.
///
/// After every event of a step the best bid is below the best ask, and neither side is empty.
struct BitMEXMarket: Sendable {
  /// Trades kept for the REST answer.
  static let keptTrades = 1000

  /// What is traded.
  let instrument: BitMEXInstrument
  /// Offers to sell.
  var asks: BitMEXBookSide
  /// Offers to buy.
  var bids: BitMEXBookSide
  /// Latest executions, oldest first; at least one, at most twice ``keptTrades``.
  var trades: [BitMEXTrade]
  /// When the next step is due.
  var due: Timestamp
  /// Contracts traded since the market opened.
  var volume: Int64 = 0
  /// Highest and lowest trade since the market opened, in ticks.
  var range: (low: Int64, high: Int64)

  let generation: BitMEXGeneration
  var random: SplitMix64
  var nextID: Int64
  /// The hidden price, in millionths of a tick.
  var fair: Int64
  /// The time of the step that is being made, in milliseconds since 1970.
  var milliseconds: Int64

  /// The middle of the touch, in half ticks.
  var doubledMiddle: Int64 { (bids.best?.ticks ?? 0) + (asks.best?.ticks ?? 0) }

  /// Makes the step that is due, plans the next, and returns what happened, in order.
  mutating func step() -> [BitMEXMarketEvent] {
    milliseconds = due.milliseconds
    let gap = BitMEXShape.gapMicroseconds.draw(&random) * instrument.gapPercent / 100
    due = due.adding(microseconds: gap)
    wander()
    guard let bid = bids.best?.ticks, let ask = asks.best?.ticks else { return [] }
    if ask - bid > 1, random.chance(6, of: 10) { return fillSpread(bid, ask) }
    let slack = max(1, scaled(1))
    if fair > (ask + slack) * 1_000_000, random.chance(15, of: 100) { return push(isBuy: true) }
    if fair < (bid - slack) * 1_000_000, random.chance(15, of: 100) { return push(isBuy: false) }
    if random.chance(18, of: 1000) {
      let size = BitMEXShape.tradeSize.draw(&random)
      return take(isBuy: random.chance(1, of: 2), size: lots(size))
    }
    return change()
  }

  private mutating func wander() {
    let start = instrument.startTicks
    fair += random.bell(start * instrument.volatility) + (start * 1_000_000 - fair) / 1_000_000
    // Far beyond anything the walk reaches: it only keeps the arithmetic safe.
    fair = min(max(fair, start * 500_000), start * 2_000_000)
  }

  /// Puts an order between the best prices, on the side that the fair price favours.
  private mutating func fillSpread(_ bid: Int64, _ ask: Int64) -> [BitMEXMarketEvent] {
    let isAsk = fair * 2 < (bid + ask) * 1_000_000
    let closest = isAsk ? bid + 1 : ask - 1
    let ticks = random.chance(7, of: 10) ? closest : random.within((bid + 1)...(ask - 1))
    return [.book(.insert, [insert(isAsk: isAsk, ticks: ticks)])]
  }

  /// The fair price has left the touch: the best level thins out, is cancelled or is taken.
  mutating func push(isBuy: Bool) -> [BitMEXMarketEvent] {
    guard let best = isBuy ? asks.best : bids.best else { return [] }
    let lot = instrument.lot
    if best.size > 200 * lot, random.chance(2, of: 3) {
      let left = max(lot, best.size * random.within(10...60) / 100 / lot * lot)
      return [.book(.update, [resize(isAsk: isBuy, index: -1, to: left)])]
    }
    if random.chance(1, of: 3) {
      return take(isBuy: isBuy, size: best.size + lots(BitMEXShape.tradeSize.draw(&random)))
    }
    return canRemove(isAsk: isBuy) ? [.book(.delete, [remove(isAsk: isBuy, index: -1)])] : []
  }

  /// A taker: trades against the best levels, at most four of them, and the book they leave.
  private mutating func take(isBuy: Bool, size: Int64) -> [BitMEXMarketEvent] {
    var (left, executed): (Int64, [BitMEXTrade]) = (size, [])
    var deleted: [BitMEXBookRow] = []
    var events: [BitMEXMarketEvent] = []
    while left > 0, deleted.count < 4, canRemove(isAsk: isBuy),
      let best = isBuy ? asks.best : bids.best
    {
      let part = min(left, best.size)
      execute(isBuy: isBuy, size: part, ticks: best.ticks, &executed)
      left -= part
      if part == best.size {
        deleted.append(remove(isAsk: isBuy, index: -1))
      } else {
        let row = resize(isAsk: isBuy, index: -1, to: best.size - part)
        events.append(.book(.update, [row]))
      }
    }
    if !deleted.isEmpty { events.insert(.book(.delete, deleted), at: 0) }
    if !executed.isEmpty { events.insert(.trades(executed), at: 0) }
    return events
  }

  /// Splits what is taken at one price over one to three resting orders.
  private mutating func execute(
    isBuy: Bool, size: Int64, ticks: Int64, _ executed: inout [BitMEXTrade]
  ) {
    var left = size
    var rows = random.within(1...3)
    while left > 0 {
      let lotsLeft = left / instrument.lot
      let isLast = rows == 1 || lotsLeft < 2
      let part = isLast ? left : random.within(1...(lotsLeft - 1)) * instrument.lot
      let last = trades.last
      let direction = last.map { $0.direction.next(change: ticks - $0.ticks) } ?? .plus
      let trade = BitMEXTrade(
        milliseconds: milliseconds, isBuy: isBuy, size: part, ticks: ticks, direction: direction,
        match: (random.next(), random.next()))
      executed.append(trade)
      record(trade)
      left -= part
      rows -= 1
    }
  }

  private mutating func record(_ trade: BitMEXTrade) {
    trades.append(trade)
    volume += trade.size
    range = (min(range.low, trade.ticks), max(range.high, trade.ticks))
    if trades.count >= 2 * BitMEXMarket.keptTrades {
      trades.removeFirst(BitMEXMarket.keptTrades)
    }
  }
}
