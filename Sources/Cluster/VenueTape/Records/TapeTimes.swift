import MarketModel
import MarketStreams
import NIOCore

/// When a reader had a message, by its own clock, in microseconds; bounded, so that arithmetic
/// can't overflow.
struct TapeTimes: Equatable {
  /// Later than any clock: the year 2100.
  static let readBound: Int64 = 4_102_444_800_000_000
  /// The maximum holding time: an hour.
  static let heldMost: Int64 = 3_600_000_000

  /// When its bytes were read, since 1970; rounded down.
  let read: Int64
  /// From then until it was published; rounded up.
  let held: Int64

  /// nil for times out of range.
  init?(read: Int64, held: Int64) {
    guard (0..<TapeTimes.readBound).contains(read), (0...TapeTimes.heldMost).contains(held)
    else { return nil }
    (self.read, self.held) = (read, held)
  }
}

/// A reader's clock: set once by its wall clock, and continued by its monotonic one.
struct ReaderClock {
  private let ahead: Int64

  init(setBy now: ClockReading) { ahead = now.wall.nanoseconds &- now.monotonic.nanoseconds }

  func time(at moment: MonotonicTime) -> Timestamp {
    Timestamp(nanoseconds: moment.nanoseconds &+ ahead)
  }

  /// The times of a message read and published at these moments; nil if the clock is not set.
  func times(read: MonotonicTime, published: MonotonicTime) -> TapeTimes? {
    let start = time(at: read).nanoseconds / 1000
    let end = (time(at: published).nanoseconds &+ 999) / 1000
    return TapeTimes(read: start, held: max(0, end &- start))
  }
}

/// A reader's reply to a time request: "epoch got answered", in nanoseconds.
struct ReaderTimeReply: Equatable {
  let epoch: UInt64
  let got: Timestamp
  let answered: Timestamp

  var bytes: ByteBuffer {
    ByteBuffer(string: "\(epoch) \(got.nanoseconds) \(answered.nanoseconds)")
  }

  init(epoch: UInt64, got: Timestamp, answered: Timestamp) {
    (self.epoch, self.got, self.answered) = (epoch, got, answered)
  }

  init?(_ bytes: ByteBuffer) {
    guard bytes.readableBytes <= 64 else { return nil }
    let words = String(buffer: bytes).split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, let epoch = UInt64(words[0]), let got = Int64(words[1]),
      let answered = Int64(words[2])
    else { return nil }
    self.init(
      epoch: epoch, got: Timestamp(nanoseconds: got), answered: Timestamp(nanoseconds: answered))
  }
}

/// A reader's estimate of its venue's clock, as a word of its pulse: "offset:within:steps" or
/// "offset:within:steps:drift:within", in nanoseconds and parts per thousand million.
enum ClockWord {
  private static let offsets = -TapeTimes.readBound * 1000...TapeTimes.readBound * 1000
  private static let uncertainties = 0...TapeTimes.heldMost * 1000
  private static let drifts: ClosedRange<Int64> = -1_000_000_000...1_000_000_000

  static func text(_ clock: ClockEstimate) -> String {
    let drift = clock.drift.map { ":\($0.perBillion):\($0.within)" } ?? ""
    return "\(clock.offset):\(clock.within):\(clock.steps)\(drift)"
  }

  static func estimate(_ word: Substring) -> ClockEstimate? {
    let parts = word.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int64($0) }
    guard numbers.count == parts.count, numbers.count == 3 || numbers.count == 5,
      offsets.contains(numbers[0]), uncertainties.contains(numbers[1]),
      (0...1_000_000_000).contains(numbers[2])
    else { return nil }
    var drift: ClockEstimate.Drift?
    if numbers.count == 5 {
      guard drifts.contains(numbers[3]), (0...drifts.upperBound).contains(numbers[4])
      else { return nil }
      drift = ClockEstimate.Drift(perBillion: numbers[3], within: numbers[4])
    }
    return ClockEstimate(
      offset: numbers[0], within: numbers[1], method: .pings, steps: Int(numbers[2]),
      drift: drift)
  }
}
