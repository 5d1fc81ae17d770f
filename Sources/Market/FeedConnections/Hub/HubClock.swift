public import MarketModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Reads both clocks; the only clock access of this target, replaced in tests.
public struct HubClock: Sendable {
  /// Reads both clocks, from any thread; the monotonic time never goes back.
  public var now: @Sendable () -> ClockReading

  /// Creates a clock.
  public init(now: @escaping @Sendable () -> ClockReading) { self.now = now }

  /// The machine's clocks.
  ///
  /// The wall clock is read each time, since it may be corrected. The monotonic clock includes
  /// sleep, so that ages and deadlines are right after waking.
  public static let live = HubClock {
    ClockReading(
      monotonic: MonotonicTime(nanoseconds: nanoseconds(of: sleeplessClock)),
      wall: Timestamp(nanoseconds: nanoseconds(of: CLOCK_REALTIME)))
  }

  #if canImport(Darwin)
    /// `mach_continuous_time`, which includes sleep.
    private static let sleeplessClock = CLOCK_MONOTONIC_RAW
  #else
    private static let sleeplessClock = CLOCK_BOOTTIME
  #endif

  private static func nanoseconds(of clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return nanoseconds(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
  }

  /// The total in nanoseconds; saturates for a clock beyond the year 2262.
  static func nanoseconds(seconds: Int64, nanoseconds: Int64) -> Int64 {
    let (scaled, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflows) = scaled.addingReportingOverflow(nanoseconds)
    return isTooLarge || overflows ? (seconds < 0 ? .min : .max) : sum
  }
}
