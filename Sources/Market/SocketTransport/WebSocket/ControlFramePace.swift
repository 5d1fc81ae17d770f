import NIOCore

/// Limits the peer's pings and pongs, for which RFC 6455 sets no rate.
struct ControlFramePace {
  /// Frames accepted at once; a client that slept receives its queue.
  static let burst = 1000
  /// Long-term frames per second.
  static let perSecond: Int64 = 100

  private var available = ControlFramePace.burst
  private var refilledAt: NIODeadline?

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
