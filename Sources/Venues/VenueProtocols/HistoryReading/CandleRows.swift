import MarketModel
import WireJSON

/// Validation of the rows of any venue's response with candles.
enum CandleRows {
  static let maximumCount = 2000
  /// The year 5138: later times are errors.
  static let maximumSeconds: Int64 = 100_000_000_000

  /// The defect of the first invalid row of an interval; nil when all are valid.
  ///
  /// Rows of another interval have times off the grid, or no two of them are neighbours. Prices of
  /// 0 or less are valid only with `mayBeNegative`: those of a spread between two contracts. A
  /// venue that `leavesOutEmpty` intervals may have no neighbours among a few rows.
  static func problem(
    in rows: [VenueCandle], of interval: CandleInterval, mayBeNegative: Bool = false,
    leavesOutEmpty: Bool = false
  ) -> String? {
    var former: Int64?
    var closest = Int64.max
    var common: Int64 = 0
    for row in rows {
      guard row.start >= 0, row.start <= maximumSeconds * 1000,
        interval.start(of: row.start) == row.start
      else { return "a candle at \(row.start) is off the grid" }
      if let former {
        guard row.start > former else { return "the candle at \(row.start) is out of order" }
        closest = min(closest, row.start - former)
        common = greatestDivisor(common, row.start - former)
      }
      guard isSound(row), mayBeNegative || row.low.units > 0 else {
        return "the candle at \(row.start) can't be"
      }
      former = row.start
    }
    let isOther =
      leavesOutEmpty
      ? rows.count >= leastRowsOfPattern && common >= 5 * interval.milliseconds
      : rows.count > 1 && closest != interval.milliseconds
    return isOther ? "the candles are of another interval" : nil
  }

  /// Rows whose common grid, of five intervals or more, can't be a coincidence.
  private static let leastRowsOfPattern = 8

  private static func greatestDivisor(_ one: Int64, _ other: Int64) -> Int64 {
    var (one, other) = (one, other)
    while other != 0 { (one, other) = (other, one % other) }
    return one
  }

  private static func isSound(_ row: VenueCandle) -> Bool {
    guard row.low <= row.open, row.open <= row.high, row.low <= row.close,
      row.close <= row.high, row.volume.units >= 0, row.count ?? 0 >= 0
    else { return false }
    return row.hasTrades || (row.volume.units == 0 && row.low == row.high)
  }
}

// Rows of venues' histories: arrays of numbers in a fixed order.

extension JSONCursor {
  /// The next integer from 0 to `maximum`.
  mutating func count(_ bytes: Span<UInt8>, upTo maximum: Int64) throws(JSONError) -> Int64 {
    let start = offset
    let value = try integer(bytes)
    guard value >= 0, value <= maximum else { throw JSONError(.numberOutOfRange, at: start) }
    return value
  }

  /// Moves to the next element, which is required.
  mutating func requireElement(_ bytes: Span<UInt8>, first: inout Bool) throws(JSONError) {
    guard try nextElement(bytes, first: &first) else { throw JSONError(.missingKey, at: offset) }
  }

  /// The next element, a required number that is written as a number or as a string.
  mutating func requireDecimal(
    _ bytes: Span<UInt8>, first: inout Bool
  ) throws(JSONError) -> FixedDecimal {
    try requireElement(bytes, first: &first)
    return try looseDecimal(bytes)
  }

  /// The next four elements: the prices of a candle.
  mutating func prices(_ bytes: Span<UInt8>, first: inout Bool) throws(JSONError) -> (
    open: FixedDecimal, high: FixedDecimal, low: FixedDecimal, close: FixedDecimal
  ) {
    let open = try requireDecimal(bytes, first: &first)
    let high = try requireDecimal(bytes, first: &first)
    let low = try requireDecimal(bytes, first: &first)
    return (open, high, low, try requireDecimal(bytes, first: &first))
  }

  mutating func skipElements(_ bytes: Span<UInt8>, first: inout Bool) throws(JSONError) {
    while try nextElement(bytes, first: &first) { try skipValue(bytes) }
  }
}

extension CandleInterval {
  /// The venue's word for the interval; nil where it does not offer it.
  func text(in words: [(interval: CandleInterval, text: String)]) -> String? {
    words.first { $0.interval == self }?.text
  }
}

extension HistoryFailure {
  /// Reads the body of a response with status 200 and at most `maximum` bytes.
  static func read<Value>(
    _ body: Span<UInt8>, status: Int, atMost maximum: Int,
    _ value: (Span<UInt8>) throws(JSONError) -> Result<Value, HistoryFailure>
  ) -> Result<Value, HistoryFailure> {
    guard status == 200 else { return .failure(.status(status)) }
    guard body.count <= maximum else { return .failure(.badAnswer("\(body.count) bytes")) }
    do throws(JSONError) { return try value(body) } catch { return .failure(.unreadable(error)) }
  }

  static func status(_ status: Int) -> HistoryFailure {
    status == 429 ? .rateLimited : .unavailable("HTTP \(status)")
  }

  static func unreadable(_ error: JSONError) -> HistoryFailure { .badAnswer(error.description) }
}
