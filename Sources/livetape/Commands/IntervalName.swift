// Lengths of candles and moments on the command line.

import ArgumentParser
import Foundation
import MarketModel

/// The length of a candle, such as `1m`.
enum IntervalName: String, ExpressibleByArgument, CaseIterable {
  case minute = "1m"
  case fiveMinutes = "5m"
  case fifteenMinutes = "15m"
  case hour = "1h"
  case fourHours = "4h"
  case day = "1d"
  case week = "1w"

  /// The interval.
  var interval: CandleInterval {
    switch self {
    case .minute: .minute
    case .fiveMinutes: .fiveMinutes
    case .fifteenMinutes: .fifteenMinutes
    case .hour: .hour
    case .fourHours: .fourHours
    case .day: .day
    case .week: .week
    }
  }
}

/// A moment: seconds since 1970, `2026-11-22` or `2026-11-22T09:05:00Z`.
struct MomentName: ExpressibleByArgument {
  /// Milliseconds since 1970.
  let milliseconds: Int64

  init?(argument: String) {
    if let seconds = Int64(argument), abs(seconds) < 1_000_000_000_000 {
      milliseconds = seconds * 1000
      return
    }
    let text = argument.count == 10 ? argument + "T00:00:00Z" : argument
    guard let date = try? Date(text, strategy: .iso8601) else { return nil }
    milliseconds = Int64((date.timeIntervalSince1970 * 1000).rounded())
  }
}
