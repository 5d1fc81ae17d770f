// How long messages take, for whoever shows it or measures a further step.

public import MarketModel
public import MarketStreams
import NIOCore

extension FeedHub {
  /// What was measured at each venue, in the order of ``venues``; empty after ``shutdown()``.
  ///
  /// From any thread. It costs some 0.1 ms a venue: for each second, not for each frame.
  public func latency() async -> [LatencyReport] {
    (try? await eventLoop.submit { [core, venues] in core.value.latency(of: venues) }.get()) ?? []
  }

  /// The same at once; on ``eventLoop`` only.
  public func latencyNow() -> [LatencyReport] { core.value.latency(of: venues) }

  /// A venue's clock less another one, for whoever tells others; on ``eventLoop`` only.
  ///
  /// - Parameters:
  ///   - venue: whose clock.
  ///   - now: this moment by the monotonic clock and by the one to compare with.
  /// - Returns: nil while nothing is known of it.
  package func venueClock(of venue: Venue, at now: ClockReading) -> ClockEstimate? {
    core.value.venue(venue)?.ladder.clock(at: now)
  }

  /// Notes that the message whose observers are being called has begun a frame, and measures how
  /// it came here; on ``eventLoop`` only.
  ///
  /// - Returns: where the next step begins; nil when no message of the venue is being taken in.
  public func measure(_ venue: Venue) -> MessageStamp? { core.value.venue(venue)?.measure() }

  /// Notes how long a further step took, in nanoseconds; on ``eventLoop`` only.
  ///
  /// - Parameters:
  ///   - rung: the step.
  ///   - nanoseconds: how long it took.
  ///   - within: how far that may be off, where two clocks measured it.
  ///   - venue: whose message it was.
  public func record(
    _ rung: LatencyRung, _ nanoseconds: Int64, within: Int64? = nil, of venue: Venue
  ) { core.value.record(rung, nanoseconds, within: within, of: venue) }
}
