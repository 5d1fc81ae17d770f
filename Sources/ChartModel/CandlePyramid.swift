// Candles with coarser copies of themselves: a view of a million candles reads a thousand.

import MarketModel

/// Candles in the order of time, with a level of detail for each power of eight.
///
/// Adding to the end, or changing the last candle, is O(levels); so is widening an older one.
public struct CandlePyramid: Sendable {
  /// Candles of one level that make one of the next.
  static let fanOut = 8

  /// `levels[0]` holds the candles; each further level holds one for every eight of the one before.
  private var levels: [[Candle]] = [[]]

  /// An empty pyramid.
  public init() {}

  /// The number of candles.
  public var count: Int { levels[0].count }

  /// The number of levels, at least 1.
  public var levelCount: Int { levels.count }

  /// The candle at an index of the finest level, which must be in range.
  public subscript(index: Int) -> Candle { levels[0][index] }

  /// The latest candle; nil when there is none.
  public var last: Candle? { levels[0].last }

  /// The candles of a level, finest first.
  func candles(atLevel level: Int) -> [Candle] { levels[level] }

  /// Candles of the finest level that one of `level` stands for.
  static func span(ofLevel level: Int) -> Int {
    var span = 1
    for _ in 0..<level { span *= fanOut }
    return span
  }

  /// Adds a candle that starts after the last one.
  public mutating func append(_ candle: Candle) {
    var index = count
    levels[0].append(candle)
    var level = 1
    while level < levels.count || levels[level - 1].count > CandlePyramid.fanOut {
      if level == levels.count { build(level) }
      index /= CandlePyramid.fanOut
      refresh(level, index)
      level += 1
    }
  }

  /// Changes a candle in place and its coarser copies with it; the index must be in range.
  public mutating func update(_ index: Int, _ change: (inout Candle) -> Void) {
    change(&levels[0][index])
    var group = index
    for level in 1..<max(1, levels.count) {
      group /= CandlePyramid.fanOut
      refresh(level, group)
    }
  }

  /// The index of the first candle that starts at or after a time.
  ///
  /// O(log n).
  public func firstIndex(notBefore start: Int64) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if levels[0][middle].start < start { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private mutating func build(_ level: Int) {
    levels.append([])
    let groups = (levels[level - 1].count - 1) / CandlePyramid.fanOut
    for group in 0...groups { refresh(level, group) }
  }

  /// Makes one coarse candle from its eight finer ones.
  private mutating func refresh(_ level: Int, _ group: Int) {
    let first = group * CandlePyramid.fanOut
    let end = min(first + CandlePyramid.fanOut, levels[level - 1].count)
    guard first < end else { return }
    var merged = levels[level - 1][first]
    for index in (first + 1)..<max(first + 1, end) { merged.append(levels[level - 1][index]) }
    if group < levels[level].count {
      levels[level][group] = merged
    } else {
      levels[level].append(merged)
    }
  }
}
