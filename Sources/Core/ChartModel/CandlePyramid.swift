public import MarketModel

/// Candles in time order, at their own interval and every coarser one.
///
/// A view of a million candles reads a thousand. Appending, or changing the last candle, is
/// O(levels); widening an older one is O(levels × log candles). Levels follow the clock, so no
/// coarse candle spans a silence. If the finest candles are minutes or more, an absent one adds to
/// ``Candle/missing`` of the coarser ones, except behind the last; absent seconds had no tick.
public struct CandlePyramid: Sendable {
  /// The interval of the finest level.
  public let interval: CandleInterval

  private let countsHoles: Bool
  /// `levels[0]` has the finest candles; each further level has the next coarser interval.
  private var levels: [CandleRun]

  /// Creates an empty pyramid.
  public init(interval: CandleInterval) {
    self.interval = interval
    countsHoles = interval.isOfHistory
    let count = Int(CandleInterval.week.rawValue - interval.rawValue) + 1
    levels = Array(repeating: CandleRun(), count: count)
  }

  /// The number of candles of the finest level.
  public var count: Int { levels[0].count }

  /// The candle at an index of the finest level, which must be in range.
  public subscript(index: Int) -> Candle { levels[0][index] }

  /// The oldest candle; nil when empty.
  public var first: Candle? { levels[0].first }

  /// The latest candle; nil when empty.
  public var last: Candle? { levels[0].last }

  /// The candles of an interval; the finest ones for an interval below ``interval``.
  public func candles(of interval: CandleInterval) -> CandleRun { levels[level(interval)] }

  /// The number of candles of an interval.
  public func count(of interval: CandleInterval) -> Int { levels[level(interval)].count }

  /// Appends candles that start after the last one, in time order; faster than one by one.
  ///
  /// Calls `next(0)` to `next(count - 1)` with the last candle so far and skips nil.
  public mutating func append(count: Int, _ next: (Int, Candle?) -> Candle?) {
    for index in 0..<max(0, count) {
      if let candle = next(index, levels[0].last) { levels[0].append(candle) }
    }
    for level in 1..<max(1, levels.count) { fold(level) }
  }

  private mutating func fold(_ level: Int) {
    let unfinished = levels[level].popLast()
    var index = 0
    if let unfinished {
      index = firstIndex(notBefore: unfinished.start, of: interval(level - 1))
    }
    let (length, part) = (length(level), self.length(level - 1))
    let below = levels[level - 1].count
    while index < below {
      var coarse = levels[level - 1][index]
      var end = coarse.start + part
      coarse.start = interval(level).start(of: coarse.start)
      if countsHoles { coarse.lose(end - part - coarse.start) }
      index += 1
      while index < below, levels[level - 1][index].start < coarse.start + length {
        let next = levels[level - 1][index]
        if countsHoles { coarse.lose(next.start - end) }
        coarse.append(next)
        end = next.start + part
        index += 1
      }
      if countsHoles, index < below { coarse.lose(coarse.start + length - end) }
      levels[level].append(coarse)
    }
  }

  /// Appends a candle that starts after the last one.
  public mutating func append(_ candle: Candle) {
    let end = last.map { $0.start + length(0) }
    levels[0].append(candle)
    for index in 1..<max(1, levels.count) {
      let last = levels[index].count - 1
      if last >= 0, candle.start < levels[index][last].start + length(index) {
        if countsHoles, let end { levels[index][last].lose(candle.start - end) }
        levels[index][last].append(candle)
      } else {
        if countsHoles, last >= 0, let end {
          levels[index][last].lose(levels[index][last].start + length(index) - end)
        }
        var coarse = candle
        coarse.start = interval(index).start(of: candle.start)
        if countsHoles { coarse.lose(candle.start - coarse.start) }
        levels[index].append(coarse)
      }
    }
  }

  /// Prepends older candles, all of which start before these; O(older candles).
  public mutating func prepend(_ older: CandlePyramid) {
    guard let oldest = first, let newest = older.last, newest.start < oldest.start,
      older.interval == interval
    else { return }
    let end = newest.start + length(0)
    for index in levels.indices {
      var front = older.levels[index]
      if index > 0, var meeting = front.popLast() {
        let length = length(index)
        if var next = levels[index].first, next.start == meeting.start {
          if countsHoles {
            // All before its first candle counted as missing; the older candles cover it.
            next.missing -= Int32(clamping: oldest.start - next.start)
            meeting.lose(oldest.start - end)
          }
          meeting.append(next)
          levels[index].dropFirst()
        } else if countsHoles {
          meeting.lose(meeting.start + length - end)
        }
        front.append(meeting)
      }
      levels[index].prepend(front)
    }
  }

  /// Removes the candles from a time on.
  public mutating func removeAll(notBefore start: Int64) {
    for index in levels.indices {
      let keep = firstIndex(
        notBefore: index == 0 ? start : interval(index).start(of: start), of: interval(index))
      levels[index].truncate(to: keep)
    }
    for level in 1..<max(1, levels.count) { fold(level) }
  }

  /// Applies a tick to the last candle as its close; does nothing when empty.
  public mutating func addToLast(_ price: Price, volume: Quantity) {
    for index in levels.indices {
      let last = levels[index].count - 1
      if last >= 0 { levels[index][last].add(price, volume: volume, isLatest: true) }
    }
  }

  /// Widens the candle that starts at a time; false if it does not exist.
  public mutating func widen(startingAt start: Int64, _ price: Price, volume: Quantity) -> Bool {
    let found = firstIndex(notBefore: start, of: interval)
    guard found < count, levels[0][found].start == start else { return false }
    for index in levels.indices {
      let coarse = firstIndex(notBefore: interval(index).start(of: start), of: interval(index))
      guard coarse < levels[index].count else { continue }
      levels[index][coarse].add(price, volume: volume, isLatest: false)
    }
    return true
  }

  /// The index of the first candle of an interval at or after a time; O(log n).
  public func firstIndex(notBefore start: Int64, of interval: CandleInterval) -> Int {
    let level = level(interval)
    var (low, high) = (0, levels[level].count)
    while low < high {
      let middle = (low + high) / 2
      if levels[level][middle].start < start { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func level(_ wanted: CandleInterval) -> Int {
    wanted.rawValue < interval.rawValue ? 0 : Int(wanted.rawValue - interval.rawValue)
  }

  private func interval(_ level: Int) -> CandleInterval {
    CandleInterval(rawValue: interval.rawValue + UInt8(level)) ?? .week
  }

  private func length(_ level: Int) -> Int64 { interval(level).milliseconds }
}
