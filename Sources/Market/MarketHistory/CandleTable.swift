import ChartModel
import MarketModel

/// The closed candles of one interval, oldest first, with unique starts.
struct CandleTable: Sendable {
  /// The limit; the oldest are dropped first.
  let limit: Int
  private(set) var candles: [Candle] = []

  init(limit: Int) { self.limit = limit }

  subscript(start: Int64) -> Candle? {
    let index = firstIndex(notBefore: start)
    return index < candles.count && candles[index].start == start ? candles[index] : nil
  }

  func firstIndex(notBefore start: Int64) -> Int {
    guard let last = candles.last, last.start >= start else { return candles.count }
    var (low, high) = (0, candles.count)
    while low < high {
      let middle = (low + high) / 2
      if candles[middle].start < start { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Whether a candle starts in `from`..<`until`.
  func hasAny(_ from: Int64, _ until: Int64) -> Bool {
    let index = firstIndex(notBefore: from)
    return index < candles.count && candles[index].start < until
  }

  /// Inserts or replaces a candle; false if nothing changed.
  mutating func put(_ candle: Candle) -> Bool {
    let index = firstIndex(notBefore: candle.start)
    if index < candles.count, candles[index].start == candle.start {
      guard candles[index] != candle else { return false }
      candles[index] = candle
      return true
    }
    if candles.count >= limit {
      guard index > 0 else { return false }
      candles.removeFirst(candles.count - limit + 1)
      candles.insert(candle, at: firstIndex(notBefore: candle.start))
    } else {
      candles.insert(candle, at: index)
    }
    return true
  }

  mutating func remove(_ start: Int64) -> Bool {
    let index = firstIndex(notBefore: start)
    guard index < candles.count, candles[index].start == start else { return false }
    candles.remove(at: index)
    return true
  }

  /// Inserts or replaces candles in time order; returns the starts of those that changed anything.
  mutating func merge(_ rows: [Candle]) -> [Int64] {
    guard let first = rows.first else { return [] }
    let kept = firstIndex(notBefore: first.start)
    var (merged, changed): ([Candle], [Int64]) = ([], [])
    merged.reserveCapacity(candles.count + rows.count)
    merged.append(contentsOf: candles[..<kept])
    var index = kept
    for row in rows {
      while index < candles.count, candles[index].start < row.start {
        merged.append(candles[index])
        index += 1
      }
      var isNew = true
      if index < candles.count, candles[index].start == row.start {
        isNew = candles[index] != row
        index += 1
      }
      if isNew { changed.append(row.start) }
      merged.append(row)
    }
    merged.append(contentsOf: candles[index...])
    if merged.count > limit { merged.removeFirst(merged.count - limit) }
    candles = merged
    let oldest = merged.first?.start ?? 0
    return changed.filter { $0 >= oldest }
  }

  /// Rescales quantities to a unit smaller by `factor`.
  mutating func scaleVolumes(by factor: Int64) {
    for index in candles.indices { candles[index].volume = candles[index].volume.scaled(factor) }
  }
}

extension Quantity {
  /// The quantity in a unit smaller by `factor`; saturates.
  func scaled(_ factor: Int64) -> Quantity {
    let (product, overflow) = units.multipliedReportingOverflow(by: factor)
    return Quantity(units: overflow ? (units < 0 ? .min : .max) : product)
  }
}
