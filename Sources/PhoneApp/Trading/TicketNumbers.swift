// Plus and minus of the ticket's fields: by lot and by tick, always onto a whole step, never out of
// what may be ordered.

import MarketModel

/// Steps a number as it was typed.
enum TicketNumbers {
  /// The next whole step above or below what was typed; from `start` where there is no number.
  ///
  /// - Returns: nil when there is no such number between one step and `maximum`.
  static func stepped(
    _ text: String, by step: FixedDecimal, up: Bool, start: FixedDecimal?, maximum: FixedDecimal
  ) -> String? {
    let typed = FixedDecimal(text.filter { $0 != " " })
    guard let typed, typed.units >= 0 else { return start.flatMap { shown($0, step, maximum) } }
    let scale = max(typed.scale, step.scale)
    guard let value = typed.exactly(at: scale)?.units, let size = step.exactly(at: scale)?.units,
      size > 0
    else { return nil }
    let (below, rest) = value.quotientAndRemainder(dividingBy: size)
    let steps = up ? below &+ 1 : (rest == 0 ? below - 1 : below)
    let (units, overflow) = steps.multipliedReportingOverflow(by: size)
    guard !overflow else { return nil }
    return FixedDecimal(units: units, scale: scale).exactly(at: step.scale)
      .flatMap { shown($0, step, maximum) }
  }

  private static func shown(
    _ value: FixedDecimal, _ step: FixedDecimal, _ maximum: FixedDecimal
  ) -> String? {
    guard value.units > 0, value <= maximum else { return nil }
    return value.description
  }
}
