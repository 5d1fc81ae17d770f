import ChartModel

/// Half-open time spans in order, none touching another, in milliseconds since 1970.
struct TimeSpans: Hashable, Sendable {
  /// The most spans; the oldest are dropped first.
  static let maximumCount = 512

  private(set) var spans: [Range<Int64>] = []

  /// Adds a span and merges it with those it touches.
  mutating func insert(_ from: Int64, _ until: Int64) {
    guard from < until else { return }
    var low = spans.count
    while low > 0, spans[low - 1].upperBound >= from { low -= 1 }
    var high = low
    var joined = from..<until
    while high < spans.count, spans[high].lowerBound <= until {
      joined =
        min(
          joined.lowerBound, spans[high].lowerBound)..<max(
          joined.upperBound, spans[high].upperBound)
      high += 1
    }
    spans.replaceSubrange(low..<high, with: CollectionOfOne(joined))
    if spans.count > TimeSpans.maximumCount { spans.removeFirst() }
  }

  func covered(_ from: Int64, _ until: Int64) -> Int64 {
    var sum: Int64 = 0
    for span in spans.reversed() {
      if span.upperBound <= from { break }
      sum += max(0, min(span.upperBound, until) - max(span.lowerBound, from))
    }
    return sum
  }

  func contains(_ from: Int64, _ until: Int64) -> Bool {
    covered(from, until) == max(0, until - from)
  }

  func holes(_ from: Int64, _ until: Int64) -> [SeriesGap] {
    var holes: [SeriesGap] = []
    var time = from
    for span in spans where span.upperBound > from && span.lowerBound < until {
      if span.lowerBound > time { holes.append(SeriesGap(start: time, end: span.lowerBound)) }
      time = max(time, span.upperBound)
    }
    if time < until { holes.append(SeriesGap(start: time, end: until)) }
    return holes
  }
}
