public import MarketHistory
public import MarketModel

/// The result of a request for an instrument's sparkline.
public enum SparkResponse: Hashable, Sendable {
  /// Its line; empty without any history.
  case line(SparkLine)
  case unknown
  /// The venue has not responded yet, or failed; request it again.
  case late
}

/// Caches sparklines until the end of their hour, because lists request them repeatedly.
public struct SparkBoard: Sendable {
  /// The most cached results; the oldest are dropped first.
  public static let maximumCount = 2000
  /// How long a preliminary result is cached, in milliseconds.
  public static let retryMilliseconds: Int64 = 60_000

  private struct Kept {
    let answer: SparkResponse
    /// The start of its hour, milliseconds since 1970.
    let hour: Int64
    /// When it expires; nil for the end of the hour.
    let until: MonotonicTime?
  }

  private var kept: [InstrumentKey: Kept] = [:]
  /// The instruments, the oldest result first.
  private var order: [InstrumentKey] = []

  /// Creates an empty cache.
  public init() {}

  /// The number of cached results.
  public var count: Int { kept.count }

  /// The cached result for an instrument, if still valid.
  public func answer(_ instrument: InstrumentKey, at now: ClockReading) -> SparkResponse? {
    guard let found = kept[instrument], found.hour == SparkLine.hour(at: now.wall),
      found.until.map({ now.monotonic < $0 }) ?? true
    else { return nil }
    return found.answer
  }

  /// Caches a result until its hour ends, or only for a minute unless `isLastWord`.
  public mutating func keep(
    _ answer: SparkResponse, of instrument: InstrumentKey, isLastWord: Bool, at now: ClockReading
  ) {
    if kept[instrument] == nil {
      order.append(instrument)
      if order.count > SparkBoard.maximumCount { kept[order.removeFirst()] = nil }
    }
    kept[instrument] = Kept(
      answer: answer, hour: SparkLine.hour(at: now.wall),
      until: isLastWord ? nil : now.monotonic.adding(milliseconds: SparkBoard.retryMilliseconds))
  }
}
