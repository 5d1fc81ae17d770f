// Figures of venues that write numbers as strings and leave the change to the client.

import MarketModel
import WireJSON

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
