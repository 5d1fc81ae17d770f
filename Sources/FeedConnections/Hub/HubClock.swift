// The one place where this target reads clocks; tests hand in their own.

public import MarketModel
import NIOCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Reads both clocks.
public struct HubClock: Sendable {
  /// Both clocks at this moment; its monotonic half never goes back.
  ///
  /// Called from any thread.
  public var now: @Sendable () -> ClockReading

  /// Makes a clock.
  public init(now: @escaping @Sendable () -> ClockReading) { self.now = now }

  /// The machine's clocks.
  ///
  /// The wall clock is read each time, since it may be corrected while the program runs.
  public static let live = HubClock {
    var wall = timespec()
    clock_gettime(CLOCK_REALTIME, &wall)
    let seconds = Int64(wall.tv_sec)
    return ClockReading(
      monotonic: MonotonicTime(nanoseconds: Int64(NIODeadline.now().uptimeNanoseconds)),
      wall: Timestamp(nanoseconds: seconds * 1_000_000_000 + Int64(wall.tv_nsec)))
  }
}
