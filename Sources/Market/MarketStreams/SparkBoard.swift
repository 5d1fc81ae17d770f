// The small lines that were found, each for as long as its hour lasts: a list of a thousand markets
// asks for the same ones again and again.

public import MarketHistory
public import MarketModel

/// What is said of an instrument's last 24 hours.
public enum SparkResponse: Hashable, Sendable {
  /// Its line, which is empty where nobody has a history of it.
  case line(SparkLine)
  /// There is no such instrument.
  case unknown
  /// The venue has not answered yet, or could not: it can be asked for again.
  case late
}

/// The answers that are kept.
public struct SparkBoard: Sendable {
  /// The most answers kept; above it the oldest go.
  public static let maximumCount = 2000
  /// How long an answer is kept that is not the last word, in milliseconds.
  public static let retryMilliseconds: Int64 = 60_000

  private struct Kept {
    let answer: SparkResponse
    /// The start of the hour for which it holds, milliseconds since 1970.
    let hour: Int64
    /// Until when; nil for the whole hour.
    let until: MonotonicTime?
  }

  private var kept: [InstrumentKey: Kept] = [:]
  /// The instruments, the one whose answer came first at the beginning.
  private var order: [InstrumentKey] = []

  /// Starts with none.
  public init() {}

  /// How many answers are kept.
  public var count: Int { kept.count }

  /// What was said of an instrument, if it still holds.
  public func answer(_ instrument: InstrumentKey, at now: ClockReading) -> SparkResponse? {
    guard let found = kept[instrument], found.hour == SparkLine.hour(at: now.wall),
      found.until.map({ now.monotonic < $0 }) ?? true
    else { return nil }
    return found.answer
  }

  /// Keeps an answer until its hour ends, or only for a minute where it is not the last word.
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
