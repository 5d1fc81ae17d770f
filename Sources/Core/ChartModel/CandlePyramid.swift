// Candles with coarser copies of themselves, one for each interval: the chart changes its interval
// at once, and a view of a million candles reads a thousand.

public import MarketModel

/// Candles in the order of time, at their own interval and at every coarser one.
///
/// Adding to the end, or changing the last candle, is O(levels); widening an older one is
/// O(levels × log candles). Levels follow the clock, not the count, so no coarse candle spans a
/// silence.
///
/// Where the finest candles are minutes or more, one that is absent is a time for which nobody
/// vouches: it adds to ``Candle/missing`` of the coarser ones, but not behind the last candle.
/// Absent seconds are seconds without a tick.
public struct CandlePyramid: Sendable {
  /// The interval of the finest level.
  public let interval: CandleInterval

  /// Whether an absent candle is a hole in what is known.
  private let countsHoles: Bool
  /// `levels[0]` holds the candles; each further level holds those of the next coarser interval.
  private var levels: [CandleRun]

  /// An empty pyramid.
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

  /// The oldest candle; nil when there is none.
  public var first: Candle? { levels[0].first }

  /// The latest candle; nil when there is none.
  public var last: Candle? { levels[0].last }

  /// The candles of an interval; the finest ones for an interval below ``interval``.
  public func candles(of interval: CandleInterval) -> CandleRun { levels[level(interval)] }

  /// The number of candles of an interval.
  public func count(of interval: CandleInterval) -> Int { levels[level(interval)].count }

  /// Adds candles that start after the last one, in the order of time; faster than one by one.
  ///
  /// Takes `next(0)` to `next(count - 1)` and leaves out what is nil.
  public mutating func append(count: Int, _ next: (Int, Candle?) -> Candle?) {
    for index in 0..<max(0, count) {
      if let candle = next(index, levels[0].last) { levels[0].append(candle) }
    }
    for level in 1..<max(1, levels.count) { fold(level) }
  }

  /// Makes a level again from its last candle on, out of the level below.
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

  /// Adds a candle that starts after the last one.
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

  /// Puts older candles before these, all of which start after them.
  ///
  /// O(older candles): nothing that is there moves, and only where the two meet is anything made
  /// anew.
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
            // All before its first candle was taken as missing, and the older ones tell of it.
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

  /// Forgets the candles from a time on.
  public mutating func removeAll(notBefore start: Int64) {
    for index in levels.indices {
      let keep = firstIndex(
        notBefore: index == 0 ? start : interval(index).start(of: start), of: interval(index))
      levels[index].truncate(to: keep)
    }
    for level in 1..<max(1, levels.count) { fold(level) }
  }

  /// Takes a tick into the last candle, whose close it becomes; nothing without a candle.
  public mutating func addToLast(_ price: Price, volume: Quantity) {
    for index in levels.indices {
      let last = levels[index].count - 1
      if last >= 0 { levels[index][last].add(price, volume: volume, isLatest: true) }
    }
  }

  /// Widens the candle that starts at a time; false when there is none.
  public mutating func widen(startingAt start: Int64, _ price: Price, volume: Quantity) -> Bool {
    let found = firstIndex(notBefore: start, of: interval)
    guard found < count, levels[0][found].start == start else { return false }
    for index in levels.indices {
      let coarse = firstIndex(
        notBefore: interval(index).start(of: start), of: interval(index))
      guard coarse < levels[index].count else { continue }
      levels[index][coarse].add(price, volume: volume, isLatest: false)
    }
    return true
  }

  /// The index of the first candle of an interval that starts at or after a time.
  ///
  /// O(log n).
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
