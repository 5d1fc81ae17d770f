// Where the vertical grid lines go: round times at least a label's width apart.

/// Round times for a viewport.
public enum TimeAxis {
  /// Steps that read well, in milliseconds: from 50 ms to 365 days.
  static let steps: [Int64] = [
    50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000,
    900_000, 1_800_000, 3_600_000, 7_200_000, 14_400_000, 21_600_000, 43_200_000, 86_400_000,
    172_800_000, 604_800_000, 2_592_000_000, 7_776_000_000, 31_536_000_000,
  ]

  /// Times of the grid lines, earliest first, at most 64.
  ///
  /// - Parameter offset: of the reader's zone from UTC in milliseconds, so that lines fall on local hours.
  public static func gridTimes(
    of viewport: Viewport, minimumPixels: Double, offset: Int64
  ) -> [Int64] {
    let wanted = minimumPixels * viewport.millisecondsPerPixel
    var step = steps[steps.count - 1]
    for candidate in steps where Double(candidate) >= wanted {
      step = candidate
      break
    }
    guard abs(viewport.leftTime) < 1e15, abs(viewport.rightTime) < 1e15 else { return [] }
    let left = Int64(viewport.leftTime)
    let right = Int64(viewport.rightTime)
    let remainder = (left + offset) % step
    var time = left - remainder + (remainder > 0 ? step : 0)
    var times: [Int64] = []
    while time <= right, times.count < 64 {
      times.append(time)
      time += step
    }
    return times
  }
}
