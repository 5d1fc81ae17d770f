import MarketModel
import WireJSON

/// One statement of a venue; absent values are nil.
struct DayFiguresRow: Equatable {
  var number = 0
  var last: FixedDecimal?
  var change: FixedDecimal?
  var changePercent: FixedDecimal?
  var high: FixedDecimal?
  var low: FixedDecimal?
  var volume: FixedDecimal?
  var vwap: FixedDecimal?
  var bid: FixedDecimal?
  var ask: FixedDecimal?
  var bidSize: FixedDecimal?
  var askSize: FixedDecimal?
  var trades: Int64?
  var time: Timestamp?
}

/// The figures of one instrument's day.
///
/// Each statement is complete, so nothing is accumulated, and the next one replaces a lost one.
struct BookFigures {
  private(set) var row: DayFiguresRow?
  private(set) var direction = Direction.unchanged
  private(set) var changes: UInt64 = 0
  private(set) var confirmedAt: ClockReading?
  /// Whether statements are dropped until a snapshot comes.
  private(set) var awaitsSnapshot = false
  /// When the snapshot was requested; nil while no request is pending.
  private(set) var askedAt: MonotonicTime?

  /// Applies a statement; returns false when it must be dropped.
  ///
  /// A snapshot counts as no change, because anything may have happened before it.
  mutating func take(_ new: DayFiguresRow, isSnapshot: Bool, at now: ClockReading) -> Bool {
    if isSnapshot {
      awaitsSnapshot = false
      askedAt = nil
      direction = .unchanged
    } else if awaitsSnapshot {
      return false
    } else if let old = row?.last, let last = new.last, old != last {
      direction = last > old ? .up : .down
      changes &+= 1
    }
    row = new
    confirmedAt = now
    return true
  }

  /// Drops statements until a snapshot comes, requested at `now`; nil if not requested yet.
  mutating func awaitSnapshot(at now: MonotonicTime?) {
    awaitsSnapshot = true
    askedAt = now
  }

  /// Resets everything but the count of changes.
  mutating func forget() {
    let counted = changes
    self = BookFigures()
    changes = counted
    awaitsSnapshot = true
  }

  /// The freshness of the figures: what an open connection has not sent has not changed.
  func freshness(_ connection: Freshness) -> Freshness {
    var state = connection.state
    if state != .disconnected {
      if awaitsSnapshot || row == nil { state = row == nil ? .waiting : .resyncing }
    }
    return Freshness(
      state: state, origin: connection.origin, confirmedAt: confirmedAt,
      lateAfterMilliseconds: connection.lateAfterMilliseconds)
  }

  /// The figures, with prices in at least the `decimals` of the book: venues leave zeros out.
  func view(of symbol: Symbol, decimals: Scale, _ freshness: Freshness) -> DayFigures {
    var figures = DayFigures(
      symbol: symbol, direction: direction, changes: changes, freshness: freshness)
    guard let row else { return figures }
    func price(_ price: FixedDecimal?) -> FixedDecimal? { price?.shown(at: decimals) }
    figures.last = price(row.last)
    (figures.change, figures.changePercent) = (price(row.change), row.changePercent)
    (figures.high, figures.low) = (price(row.high), price(row.low))
    (figures.volume, figures.vwap, figures.trades) = (row.volume, row.vwap, row.trades)
    (figures.bid, figures.bidSize) = (price(row.bid), row.bidSize)
    (figures.ask, figures.askSize) = (price(row.ask), row.askSize)
    figures.at = row.time
    return figures
  }
}

// Figures of venues that write numbers as strings and leave the change to the client.

extension DayFiguresRow {
  /// A price; nil for null, an empty string and 0.
  static func price(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> FixedDecimal? {
    try amount(bytes, &cursor).flatMap { $0.units == 0 ? nil : $0 }
  }

  /// A number of 0 or more; nil for null and an empty string.
  static func amount(
    _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
  ) throws(JSONError) -> FixedDecimal? {
    if try cursor.takeNullIfPresent(bytes) { return nil }
    let start = cursor.offset
    if try cursor.peek(bytes) == UInt8(ascii: "\"") {
      var trial = cursor
      if try trial.string(bytes).isEmpty {
        cursor = trial
        return nil
      }
    }
    let value = try cursor.looseDecimal(bytes)
    guard value.units >= 0 else { throw JSONError(.numberOutOfRange, at: start) }
    return value
  }

  /// The price a day ago, from which a client computes the change; nil without a change.
  var open: FixedDecimal? {
    change.flatMap { change in
      last?.exactly(at: change.scale).map {
        FixedDecimal(units: $0.units - change.units, scale: change.scale)
      }
    }
  }

  /// Sets the change from the price a day ago to ``last``, and the same in percent with two
  /// decimals; nothing when a price is missing or does not fit.
  mutating func setChange(from open: FixedDecimal?) {
    guard let open, let last, open.units > 0 else { return }
    let scale = max(open.scale, last.scale)
    guard let before = open.exactly(at: scale)?.units, let now = last.exactly(at: scale)?.units
    else { return }
    let difference = now - before
    change = FixedDecimal(units: difference, scale: scale)
    guard
      let percent = roundedQuotient(difference.magnitude, times: 10_000, by: before.magnitude)
    else { return }
    changePercent = FixedDecimal(
      units: difference < 0 ? -percent : percent, scale: Scale(clamping: 2))
  }
}
