// The spans that ticks are gathered into.

/// The length of a candle.
public enum CandleInterval: UInt8, Sendable, CaseIterable {
  /// 1 second.
  case second
  /// 5 seconds.
  case fiveSeconds
  /// 15 seconds.
  case fifteenSeconds
  /// 1 minute.
  case minute
  /// 5 minutes.
  case fiveMinutes
  /// 15 minutes.
  case fifteenMinutes
  /// 1 hour.
  case hour
  /// 1 day, UTC.
  case day

  /// The length in milliseconds.
  public var milliseconds: Int64 {
    switch self {
    case .second: 1000
    case .fiveSeconds: 5000
    case .fifteenSeconds: 15_000
    case .minute: 60_000
    case .fiveMinutes: 300_000
    case .fifteenMinutes: 900_000
    case .hour: 3_600_000
    case .day: 86_400_000
    }
  }

  /// The start of the candle that a time falls into, in milliseconds since 1970.
  public func start(of milliseconds: Int64) -> Int64 {
    let remainder = milliseconds % self.milliseconds
    return milliseconds - (remainder < 0 ? remainder + self.milliseconds : remainder)
  }
}
