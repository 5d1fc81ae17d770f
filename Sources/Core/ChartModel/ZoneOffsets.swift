/// A time zone's offsets from UTC over the times of a chart, supplied by the host.
public struct ZoneOffsets: Hashable, Sendable {
  struct Change: Hashable, Sendable {
    let time: Int64
    let offset: Int64
  }

  /// The most changes: two a year for more than a century.
  public static let maximumChanges = 256
  /// The largest offset either way, in milliseconds: a day.
  public static let maximumOffset: Int64 = 86_400_000
  /// UTC.
  public static let utc = ZoneOffsets(0)

  private let first: Int64
  private(set) var changes: [Change] = []

  /// Creates a zone with a constant offset in milliseconds ahead of UTC, clamped to a day.
  public init(_ offset: Int64) { first = ZoneOffsets.bounded(offset) }

  /// Adds an offset in milliseconds from a time on, in milliseconds since 1970.
  ///
  /// False, without effect, if the time is not after the last one, or when full.
  public mutating func append(from time: Int64, offset: Int64) -> Bool {
    guard time.magnitude <= CandleSeries.maximumTime.magnitude,
      changes.count < ZoneOffsets.maximumChanges, changes.last.map({ $0.time < time }) ?? true
    else { return false }
    changes.append(Change(time: time, offset: ZoneOffsets.bounded(offset)))
    return true
  }

  /// Milliseconds ahead of UTC at a time; O(log changes).
  public func offset(at time: Int64) -> Int64 {
    let index = firstChange(after: time)
    return index == 0 ? first : changes[index - 1].offset
  }

  /// The start of a time's local day, milliseconds since 1970: the first moment at or after
  /// midnight.
  public func startOfDay(_ time: Int64) -> Int64 {
    let local = time + offset(at: time)
    let remainder = local % 86_400_000
    let midnight = local - (remainder < 0 ? remainder + 86_400_000 : remainder)
    var start = time
    forEachStretch(from: time - 2 * 86_400_000, to: time) { stretch in
      let wanted = max(stretch.start, midnight - stretch.offset)
      if wanted < start, wanted <= stretch.end { start = wanted }
    }
    return start
  }

  func forEachStretch(from left: Int64, to right: Int64, _ body: (ZoneStretch) -> Void) {
    var start = left
    var index = firstChange(after: left)
    var offset = index == 0 ? first : changes[index - 1].offset
    var before = offset
    while true {
      let isLast = index == changes.count || changes[index].time > right
      body(
        ZoneStretch(
          start: start, end: isLast ? right : changes[index].time - 1, offset: offset,
          offsetBefore: before))
      if isLast { return }
      (before, offset, start) = (offset, changes[index].offset, changes[index].time)
      index += 1
    }
  }

  private func firstChange(after time: Int64) -> Int {
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle].time > time { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private static func bounded(_ offset: Int64) -> Int64 {
    min(max(offset, -maximumOffset), maximumOffset)
  }
}

/// A time span with a constant offset, from the first to the last millisecond since 1970.
struct ZoneStretch: Hashable {
  let start: Int64
  let end: Int64
  let offset: Int64
  /// The offset before it; equal to `offset` at the start of a walk.
  let offsetBefore: Int64
}
