/// The length of a candle; each is a multiple of the one before.
public enum CandleInterval: UInt8, Sendable, CaseIterable {
  case second
  case fiveSeconds
  case fifteenSeconds
  case minute
  case fiveMinutes
  case fifteenMinutes
  case hour
  /// 4 hours, UTC; drawn instead of finer candles that share a pixel.
  case fourHours
  /// 1 day, UTC.
  case day
  /// 7 days from Monday, UTC; drawn instead of days that share a pixel.
  case week

  /// The interval of a length in milliseconds; nil for any other length.
  public init?(milliseconds: Int64) {
    for raw in 0...CandleInterval.week.rawValue {
      if let known = CandleInterval(rawValue: raw), known.milliseconds == milliseconds {
        self = known
        return
      }
    }
    return nil
  }

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
    case .fourHours: 14_400_000
    case .day: 86_400_000
    case .week: 604_800_000
    }
  }

  /// The next coarser interval; nil after the coarsest.
  public var coarser: CandleInterval? { CandleInterval(rawValue: rawValue + 1) }

  /// The start of the candle that a time falls into, in milliseconds since 1970.
  public func start(of milliseconds: Int64) -> Int64 {
    // 1 January 1970 was a Thursday; the Monday before it is three days earlier.
    let origin: Int64 = self == .week ? -259_200_000 : 0
    let remainder = (milliseconds - origin) % self.milliseconds
    return milliseconds - (remainder < 0 ? remainder + self.milliseconds : remainder)
  }
}
