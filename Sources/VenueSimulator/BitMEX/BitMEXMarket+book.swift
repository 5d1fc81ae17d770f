// The ordinary life of the book: sizes change, orders come and go, at the measured distances.

import MarketModel

extension BitMEXMarket {
  /// One message's worth of ordinary changes: all of one action.
  mutating func change() -> [BitMEXMarketEvent] {
    let kind = random.below(1000)
    let action: BitMEXAction = kind < 780 ? .update : kind < 890 ? .insert : .delete
    var rows: [BitMEXBookRow] = []
    var isAsk = random.chance(1, of: 2)
    for _ in 0..<BitMEXShape.rows.draw(&random) {
      if random.chance(3, of: 10) { isAsk.toggle() }
      if let row = change(action, isAsk: isAsk, besides: rows) { rows.append(row) }
    }
    return rows.isEmpty ? [] : [.book(action, rows)]
  }

  /// One row; nil when the book has no room for this action at the place that was drawn, or when
  /// the level there is in the message already.
  private mutating func change(
    _ action: BitMEXAction, isAsk: Bool, besides rows: [BitMEXBookRow]
  ) -> BitMEXBookRow? {
    let distance = scaled(BitMEXShape.changeDistance.draw(&random))
    let wanted = isAsk ? instrument.levels.asks : instrument.levels.bids
    let count = isAsk ? asks.count : bids.count
    switch action {
    case .update:
      let index = index(isAsk: isAsk, behindBest: distance) ?? 0
      let old = isAsk ? asks.levels[index] : bids.levels[index]
      if rows.contains(where: { $0.level.id == old.id }) { return nil }
      return resize(isAsk: isAsk, index: index, to: newSize(old.size, distance))
    case .delete:
      guard count > wanted - wanted / 100, let index = index(isAsk: isAsk, behindBest: distance)
      else { return nil }
      return remove(isAsk: isAsk, index: index)
    case .insert:
      guard count < wanted + wanted / 100 else { return nil }
      return freeTicks(isAsk: isAsk, behindBest: max(1, distance)).map {
        insert(isAsk: isAsk, ticks: $0)
      }
    }
  }

  // The sides are only ever reached in place: a copy of one held across a change would make that
  // change copy thousands of levels.

  private func index(isAsk: Bool, behindBest distance: Int64) -> Int? {
    isAsk
      ? asks.index(atOrBehind: asks.ticks(behindBest: distance))
      : bids.index(atOrBehind: bids.ticks(behindBest: distance))
  }

  /// The first price without a level among eight at and behind this distance; nil when none is.
  private func freeTicks(isAsk: Bool, behindBest distance: Int64) -> Int64? {
    for attempt in distance..<(distance + 8) {
      let ticks = isAsk ? asks.ticks(behindBest: attempt) : bids.ticks(behindBest: attempt)
      let isTaken = isAsk ? asks.contains(ticks) : bids.contains(ticks)
      if ticks > 0, !isTaken { return ticks }
    }
    return nil
  }

  /// Adds a level of a fitting size at a free price that crosses nothing.
  mutating func insert(isAsk: Bool, ticks: Int64) -> BitMEXBookRow {
    let distance = abs(2 * ticks - doubledMiddle) / 2
    let isNear = distance < scaled(60)
    var size = isNear ? BitMEXShape.nearSize.draw(&random) : BitMEXShape.farSize.draw(&random)
    // A new best price starts small and grows.
    if distance < scaled(2) { size = size / 20 + 100 }
    let level = BitMEXLevel(
      ticks: ticks, size: lots(size), id: newID(ticks), changedMilliseconds: milliseconds)
    if isAsk { asks.insert(level) } else { bids.insert(level) }
    return BitMEXBookRow(isAsk: isAsk, level: level)
  }

  /// Removes the level at a valid place, -1 for the best.
  mutating func remove(isAsk: Bool, index: Int) -> BitMEXBookRow {
    let level =
      isAsk
      ? asks.remove(at: index < 0 ? asks.count - 1 : index)
      : bids.remove(at: index < 0 ? bids.count - 1 : index)
    return BitMEXBookRow(isAsk: isAsk, level: level)
  }

  /// Changes the size of the level at a valid place, -1 for the best.
  mutating func resize(isAsk: Bool, index: Int, to size: Int64) -> BitMEXBookRow {
    let level =
      isAsk
      ? asks.resize(at: index < 0 ? asks.count - 1 : index, to: size, milliseconds: milliseconds)
      : bids.resize(at: index < 0 ? bids.count - 1 : index, to: size, milliseconds: milliseconds)
    return BitMEXBookRow(isAsk: isAsk, level: level)
  }

  /// Whether a side has so many levels that losing one leaves a market.
  func canRemove(isAsk: Bool) -> Bool {
    isAsk
      ? asks.count > instrument.levels.asks * 9 / 10 : bids.count > instrument.levels.bids * 9 / 10
  }

  /// A size in XBTUSD contracts as whole lots of this instrument, at least one.
  func lots(_ size: Int64) -> Int64 { max(1, size / 100) * instrument.lot }

  /// A distance in ticks of the captured XBTUSD as ticks of this instrument.
  func scaled(_ distance: Int64) -> Int64 { distance * instrument.startTicks / 64_360 }

  /// The id of a new level: computed in the old generation, opaque and in no order in the new.
  mutating func newID(_ ticks: Int64) -> Int64 {
    switch generation {
    case .legacy: return instrument.legacyID(ticks)
    case .modern:
      nextID += random.within(1...40)
      return nextID
    }
  }

  /// Another size: the old one and an order more or less, or a new one.
  private mutating func newSize(_ old: Int64, _ distance: Int64) -> Int64 {
    let lot = instrument.lot
    var size: Int64
    if random.chance(1, of: 2) {
      let order = lots(BitMEXShape.tradeSize.draw(&random))
      size = random.chance(1, of: 2) || old <= order ? old + order : old - order
    } else {
      let isNear = distance < scaled(60)
      size = lots(
        isNear ? BitMEXShape.nearSize.draw(&random) : BitMEXShape.farSize.draw(&random))
    }
    if size > 100_000 * lot { size = lots(BitMEXShape.nearSize.draw(&random)) }
    return size == old ? old + lot : size
  }
}
