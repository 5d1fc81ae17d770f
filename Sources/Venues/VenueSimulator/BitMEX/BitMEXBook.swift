// The book as the simulated BitMEX's clients see it, levels with ids: sorted arrays with the best
// price at the end, so that what happens near the touch, which is nearly everything, moves few
// elements.

import MarketModel

/// One price level.
struct BitMEXLevel: Sendable, Equatable {
  /// The price.
  let ticks: Int64
  /// Contracts.
  var size: Int64
  /// What rows call it.
  let id: Int64
  /// When it was last changed, in milliseconds since 1970.
  var changedMilliseconds: Int64
}

/// One side of a book.
struct BitMEXBookSide: Sendable {
  /// Whether these are offers to sell.
  let isAsk: Bool
  /// Best last: asks by falling price, bids by rising price.
  private(set) var levels: [BitMEXLevel]

  /// Makes a side from levels in any order, with no price twice.
  init(isAsk: Bool, levels: [BitMEXLevel]) {
    self.isAsk = isAsk
    self.levels = levels.sorted { isAsk ? $0.ticks > $1.ticks : $0.ticks < $1.ticks }
  }

  /// The best level; nil when the side is empty.
  var best: BitMEXLevel? { levels.last }

  /// Levels on this side.
  var count: Int { levels.count }

  /// The place of the level at this price; nil when none is there.
  ///
  /// O(log n).
  func index(of ticks: Int64) -> Int? {
    let index = insertionIndex(ticks)
    return index < levels.count && levels[index].ticks == ticks ? index : nil
  }

  /// Adds a level; its price must not be there yet.
  ///
  /// O(distance from the touch).
  mutating func insert(_ level: BitMEXLevel) {
    levels.insert(level, at: insertionIndex(level.ticks))
  }

  /// Changes the size of the level at a valid place and returns it.
  mutating func resize(at index: Int, to size: Int64, milliseconds: Int64) -> BitMEXLevel {
    levels[index].size = size
    levels[index].changedMilliseconds = milliseconds
    return levels[index]
  }

  /// Removes the level at a valid place and returns it.
  ///
  /// O(distance from the touch).
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

/// What happens to rows of a book.
enum SimulatedBitMEXAction: String, Sendable {
  /// New levels.
  case insert
  /// New sizes.
  case update
  /// Levels gone; rows hold the last size.
  case delete
}

/// One row of a book message.
struct SimulatedBitMEXRow: Sendable, Equatable {
  /// The side.
  let isAsk: Bool
  /// The level, as it is after the change (before it, for a deleted one).
  let level: BitMEXLevel
}

/// One execution.
struct BitMEXTrade: Sendable, Equatable {
  /// When, in milliseconds since 1970; the same for all rows of a sweep.
  let milliseconds: Int64
  /// The taker's side.
  let isBuy: Bool
  /// Contracts.
  let size: Int64
  /// The price.
  let ticks: Int64
  /// "PlusTick" and so on: against the trade before it.
  let direction: BitMEXTickDirection
  /// The bits of `trdMatchID`.
  let match: (UInt64, UInt64)

  static func == (left: BitMEXTrade, right: BitMEXTrade) -> Bool { left.match == right.match }
}

/// How a trade's price lies to the one before.
enum BitMEXTickDirection: String, Sendable {
  /// Higher.
  case plus = "PlusTick"
  /// The same, after a higher one.
  case zeroPlus = "ZeroPlusTick"
  /// Lower.
  case minus = "MinusTick"
  /// The same, after a lower one.
  case zeroMinus = "ZeroMinusTick"

  /// The direction of a trade that follows one of this direction, by the sign of the price change.
  func next(change: Int64) -> BitMEXTickDirection {
    if change > 0 { return .plus }
    if change < 0 { return .minus }
    return self == .plus || self == .zeroPlus ? .zeroPlus : .zeroMinus
  }
}

/// One message's worth of what happened in a market.
enum BitMEXMarketEvent: Sendable {
  /// Rows of one action.
  case book(SimulatedBitMEXAction, [SimulatedBitMEXRow])
  /// Executions, oldest first.
  case trades([BitMEXTrade])
}
