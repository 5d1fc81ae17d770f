import MarketModel

/// A frame whose latency is measured.
package struct MeasuredFrame: Sendable, Equatable {
  let page: PageID
  let number: Int
  let venues: [Venue]
  let shown: MonotonicTime
}

struct FrameMeasures: Sendable {
  /// The minimum time between two measured frames, in milliseconds.
  static let pauseMilliseconds: Int64 = 125
  /// The maximum number of frames that the page may still report.
  static let maximumWritten = 32

  private struct Written {
    let number: Int
    let venues: [Venue]
    let at: MonotonicTime
  }

  private let connectedAt: MonotonicTime
  /// The venues whose messages the next frame shows.
  private var fresh: [Venue: MonotonicTime] = [:]
  private var next: (number: Int, venues: [Venue], shown: MonotonicTime)?
  private var last: MonotonicTime?
  private var written: [Written] = []

  init(connectedAt time: MonotonicTime) { connectedAt = time }

  /// Microseconds since the page's connection began.
  func microseconds(at time: MonotonicTime) -> Int64 {
    (time.nanoseconds - connectedAt.nanoseconds) / 1000
  }

  mutating func note(_ venue: Venue, shown time: MonotonicTime) { fresh[venue] = time }

  /// Starts a frame; returns whether it is measured.
  mutating func begin(_ number: Int, at now: MonotonicTime) -> Bool {
    let isSoon =
      last.map { now.milliseconds(since: $0) < FrameMeasures.pauseMilliseconds } ?? false
    guard !fresh.isEmpty, !isSoon, let shown = fresh.values.min() else { return false }
    next = (number, fresh.keys.sorted(), shown)
    last = now
    return true
  }

  /// The frame that was just made, if it is measured.
  mutating func takeFrame(of page: PageID, at now: MonotonicTime) -> MeasuredFrame? {
    defer { (next, fresh) = (nil, [:]) }
    return next.map {
      MeasuredFrame(page: page, number: $0.number, venues: $0.venues, shown: $0.shown)
    }
  }

  mutating func wrote(_ frame: MeasuredFrame, at now: MonotonicTime) {
    if written.count >= FrameMeasures.maximumWritten { written.removeFirst() }
    written.append(Written(number: frame.number, venues: frame.venues, at: now))
  }

  /// Consumes a frame that the page reports; nil for an unknown one.
  mutating func take(_ number: Int) -> (venues: [Venue], writtenAt: Int64)? {
    guard let place = written.firstIndex(where: { $0.number == number }) else { return nil }
    let frame = written.remove(at: place)
    return (frame.venues, microseconds(at: frame.at))
  }
}
