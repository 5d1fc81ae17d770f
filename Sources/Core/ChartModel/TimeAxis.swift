/// The vertical grid lines of a viewport: round times from 50 ms to years apart.
public enum TimeAxis {
  static let maximumLines = 64
  private static let day: Int64 = 86_400_000

  /// Calls `body` with the grid lines' times, earliest first, at most 64; returns their distance.
  ///
  /// Times are in milliseconds since 1970, the distance in milliseconds, where a month counts 30
  /// days and 0 is no line. `minimumPixels` is a label's width; lines are on round hours, days and
  /// months of `zone`.
  public static func forEachGridTime(
    of viewport: Viewport, minimumPixels: Double, zone: ZoneOffsets, _ body: (Int64) -> Void
  ) -> Int64 {
    guard abs(viewport.leftTime) < 1e15, abs(viewport.rightTime) < 1e15 else { return 0 }
    let wanted = minimumPixels * viewport.millisecondsPerPixel
    let step = step(atLeast: wanted)
    let months = step == nil ? months(atLeast: wanted) : 0
    let length = step ?? months * 30 * day
    var count = 0
    zone.forEachStretch(from: Int64(viewport.leftTime), to: Int64(viewport.rightTime)) { stretch in
      let from = firstLocal(of: stretch, step: length)
      let place = { (local: Int64) in
        guard count < maximumLines else { return }
        count += 1
        body(max(stretch.start, local - stretch.offset))
      }
      guard let step else {
        forEachMonth(from: from, to: stretch.end + stretch.offset, step: months, place)
        return
      }
      forEachMultiple(of: step, from: from, to: stretch.end + stretch.offset, place)
    }
    return length
  }

  /// The local time from which a stretch's lines start.
  ///
  /// A repeated hour has one line unless lines are closer; a day without midnight starts with the
  /// stretch.
  private static func firstLocal(of stretch: ZoneStretch, step: Int64) -> Int64 {
    let shift = stretch.offset - stretch.offsetBefore
    let takesTheOld = shift < 0 ? step > -shift : step >= day
    return stretch.start + (takesTheOld ? stretch.offsetBefore : stretch.offset)
  }

  private static func forEachMultiple(
    of step: Int64, from left: Int64, to right: Int64, _ body: (Int64) -> Void
  ) {
    // Weeks begin on Monday; 1 January 1970 was a Thursday.
    let origin = step == 7 * day ? -3 * day : 0
    let remainder = (left - origin) % step
    var time = left - remainder + (remainder > 0 ? step : 0)
    for _ in 0..<maximumLines where time <= right {
      body(time)
      time += step
    }
  }

  /// In milliseconds.
  private static let steps: [Int64] = [
    50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000,
    900_000, 1_800_000, 3_600_000, 7_200_000, 14_400_000, 21_600_000, 43_200_000, 86_400_000,
    604_800_000,
  ]
  private static let monthSteps: [Int64] = [1, 3, 6, 12, 24, 60, 120, 1200, 12_000]

  private static func step(atLeast wanted: Double) -> Int64? {
    for step in steps where Double(step) >= wanted { return step }
    return nil
  }

  private static func months(atLeast wanted: Double) -> Int64 {
    for step in monthSteps where Double(step * 28 * day) >= wanted { return step }
    return 12_000
  }

  /// Calls `body` with firsts of months, every `step` months counted from January of year 0.
  private static func forEachMonth(
    from left: Int64, to right: Int64, step: Int64, _ body: (Int64) -> Void
  ) {
    var month = monthIndex(of: left)
    month -= ((month % step) + step) % step
    for _ in 0...maximumLines {
      let time = start(ofMonth: month)
      if time > right { return }
      if time >= left { body(time) }
      month += step
    }
  }

  /// Months since January of year 0; Howard Hinnant's `civil_from_days`.
  static func monthIndex(of milliseconds: Int64) -> Int64 {
    let remainder = milliseconds % day
    let days = (milliseconds - (remainder < 0 ? remainder + day : remainder)) / day + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0)) * 12 + month - 1
  }

  /// The first of a month counted as in ``monthIndex(of:)``; Hinnant's `days_from_civil`.
  static func start(ofMonth index: Int64) -> Int64 {
    let remainder = index % 12
    let month = (remainder < 0 ? remainder + 12 : remainder) + 1
    let year = (index - (month - 1)) / 12 - (month <= 2 ? 1 : 0)
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return (era * 146_097 + dayOfEra - 719_468) * day
  }
}
