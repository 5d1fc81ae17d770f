// The one place where this target reads clocks; tests hand in their own.

public import MarketModel

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
  /// The monotonic one runs on while the machine sleeps, so that ages and deadlines are right after
  /// it wakes.
  public static let live = HubClock {
    ClockReading(
      monotonic: MonotonicTime(nanoseconds: nanoseconds(of: sleeplessClock)),
      wall: Timestamp(nanoseconds: nanoseconds(of: CLOCK_REALTIME)))
  }

  #if canImport(Darwin)
    /// `mach_continuous_time`, which goes on in sleep.
    private static let sleeplessClock = CLOCK_MONOTONIC_RAW
  #else
    private static let sleeplessClock = CLOCK_BOOTTIME
  #endif

  private static func nanoseconds(of clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return nanoseconds(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
  }

  /// Nanoseconds in all; the last that there is for a clock set beyond the year 2262.
  static func nanoseconds(seconds: Int64, nanoseconds: Int64) -> Int64 {
    let (scaled, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflows) = scaled.addingReportingOverflow(nanoseconds)
    return isTooLarge || overflows ? (seconds < 0 ? .min : .max) : sum
  }
}
