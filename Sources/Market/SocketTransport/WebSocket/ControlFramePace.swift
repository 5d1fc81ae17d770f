// RFC 6455 sets no rate for pings and pongs, and each of them costs an answer or an event.

import NIOCore

/// Limits pings and pongs of the other end.
struct ControlFramePace {
  /// Frames that may arrive at once; a client that was asleep receives what was queued.
  static let burst = 1000
  /// Frames a second that are allowed in the long run.
  static let perSecond: Int64 = 100

  private var available = ControlFramePace.burst
  private var refilledAt: NIODeadline?

  /// Counts a frame; false when there were too many.
  mutating func allows(at now: NIODeadline) -> Bool {
    let last = refilledAt ?? now
    let earned = (now - last).nanoseconds / (1_000_000_000 / Self.perSecond)
    if earned > 0 || refilledAt == nil {
      available = Int(min(Int64(Self.burst), Int64(available) + max(0, earned)))
      refilledAt = now
    }
    guard available > 0 else { return false }
    available -= 1
    return true
  }
}
