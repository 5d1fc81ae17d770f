import MarketModel

struct BitMEXLevel: Sendable, Equatable {
  let ticks: Int64
  /// Contracts.
  var size: Int64
  let id: Int64
  /// When it was last changed, in milliseconds since 1970.
  var changedMilliseconds: Int64
}

/// One side of a book, the best price last: nearly all changes are there and move few elements.
struct BitMEXBookSide: Sendable {
  let isAsk: Bool
  /// Best last: asks by falling price, bids by rising price.
  private(set) var levels: [BitMEXLevel]

  /// Creates a side from levels in any order, with no price twice.
  init(isAsk: Bool, levels: [BitMEXLevel]) {
    self.isAsk = isAsk
    self.levels = levels.sorted { isAsk ? $0.ticks > $1.ticks : $0.ticks < $1.ticks }
  }

  var best: BitMEXLevel? { levels.last }

  var count: Int { levels.count }

  /// The index of the level at this price, in O(log n); nil without one.
  func index(of ticks: Int64) -> Int? {
    let index = insertionIndex(ticks)
    return index < levels.count && levels[index].ticks == ticks ? index : nil
  }

  /// Adds a level whose price is new, in O(distance from the touch).
  mutating func insert(_ level: BitMEXLevel) {
    levels.insert(level, at: insertionIndex(level.ticks))
  }

  mutating func resize(at index: Int, to size: Int64, milliseconds: Int64) -> BitMEXLevel {
    levels[index].size = size
    levels[index].changedMilliseconds = milliseconds
    return levels[index]
  }

  /// Removes and returns a level, in O(distance from the touch).
  mutating func remove(at index: Int) -> BitMEXLevel { levels.remove(at: index) }

  /// At most `depth` levels, best first.
  func top(_ depth: Int) -> [BitMEXLevel] { levels.suffix(depth).reversed() }

  private func insertionIndex(_ ticks: Int64) -> Int {
    var (low, high) = (0, levels.count)
    while low < high {
      let middle = (low + high) / 2
      let isBehind = isAsk ? levels[middle].ticks > ticks : levels[middle].ticks < ticks
      if isBehind { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

enum SimulatedBitMEXAction: String, Sendable {
  /// New levels.
  case insert
  /// New sizes.
  case update
  /// Removed levels; rows hold the last size.
  case delete
}

struct SimulatedBitMEXRow: Sendable, Equatable {
  let isAsk: Bool
  /// The level after the change; before it for a deletion.
  let level: BitMEXLevel
}

struct BitMEXTrade: Sendable, Equatable {
  /// In milliseconds since 1970; the same for all rows of a sweep.
  let milliseconds: Int64
  /// The taker's side.
  let isBuy: Bool
  /// Contracts.
  let size: Int64
  let ticks: Int64
  /// Relative to the previous trade.
  let direction: BitMEXTickDirection
  /// The bits of `trdMatchID`.
  let match: (UInt64, UInt64)

  static func == (left: BitMEXTrade, right: BitMEXTrade) -> Bool { left.match == right.match }
}

enum BitMEXTickDirection: String, Sendable {
  /// Higher.
  case plus = "PlusTick"
  /// The same, after a higher one.
  case zeroPlus = "ZeroPlusTick"
  /// Lower.
  case minus = "MinusTick"
  /// The same, after a lower one.
  case zeroMinus = "ZeroMinusTick"

  /// The direction of the next trade, by the sign of the price change.
  func next(change: Int64) -> BitMEXTickDirection {
    if change > 0 { return .plus }
    if change < 0 { return .minus }
    return self == .plus || self == .zeroPlus ? .zeroPlus : .zeroMinus
  }
}

/// One message of a market.
enum BitMEXMarketEvent: Sendable {
  /// Rows of one action.
  case book(SimulatedBitMEXAction, [SimulatedBitMEXRow])
  /// Executions, oldest first.
  case trades([BitMEXTrade])
}

/// The last published levels of `orderBookL2_25` or `orderBookL2_100`.
struct BitMEXTopBook: Sendable {
  private(set) var asks: [BitMEXLevel]
  private(set) var bids: [BitMEXLevel]

  init(_ market: BitMEXMarket, depth: Int) {
    asks = market.asks.top(depth)
    bids = market.bids.top(depth)
  }

  /// Rows for a partial: asks by falling price, then bids by falling price.
  var rows: [SimulatedBitMEXRow] {
    asks.reversed().map { SimulatedBitMEXRow(isAsk: true, level: $0) }
      + bids.map { SimulatedBitMEXRow(isAsk: false, level: $0) }
  }

  /// The changes that lead to `new`, in an order in which the book is never crossed.
  func changes(to new: BitMEXTopBook) -> [(SimulatedBitMEXAction, [SimulatedBitMEXRow])] {
    var deleted: [SimulatedBitMEXRow] = []
    var updated: [SimulatedBitMEXRow] = []
    var inserted: [SimulatedBitMEXRow] = []
    for (isAsk, old, new) in [(true, asks, new.asks), (false, bids, new.bids)] {
      let known = Dictionary(old.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
      let kept = Set(new.map(\.id))
      deleted += old.filter { !kept.contains($0.id) }.map {
        SimulatedBitMEXRow(isAsk: isAsk, level: $0)
      }
      for level in new {
        let row = SimulatedBitMEXRow(isAsk: isAsk, level: level)
        if let former = known[level.id] {
          if former.size != level.size { updated.append(row) }
        } else {
          inserted.append(row)
        }
      }
    }
    return [(.delete, deleted), (.update, updated), (.insert, inserted)].filter { !$0.1.isEmpty }
  }
}

/// The years whose row format is simulated; clients must handle the oldest and the newest.
public enum BitMEXGeneration: String, Sendable, CaseIterable {
  /// As captured in 2021: ids computed from the price, no price on update and delete, no row times,
  /// JavaScript's numbers, `foreignKeys` and `attributes` in partials, XBTUSD in steps of 0.5.
  case legacy
  /// As captured in 2023 to 2025: opaque ids in no order, price and times on every row, a
  /// meaningless size on deletes, Java's number format, XBTUSD in steps of 0.1.
  case modern
}
