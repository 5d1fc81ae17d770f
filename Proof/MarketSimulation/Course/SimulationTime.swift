import FeedConnections
import MarketModel
import NIOConcurrencyHelpers
import NIOCore
import NIOEmbedded

/// Virtual time of a simulated world; used on the thread that created it.
///
/// NIO's testing event loop schedules everything, so that the hub's timers and the simulation run
/// in one order.
final class SimulationTime: Sendable {
  /// The start of every simulation: 2021-07-22T22:36:07Z.
  static let start = Timestamp(milliseconds: 1_626_993_367_000)

  private struct Offsets {
    /// Time that passed for the world but not for timers, since the machine slept.
    var slept: Int64 = 0
    var wall: Int64 = 0
  }

  let loop = EmbeddedEventLoop()
  private let offsets = NIOLockedValueBox(Offsets())

  /// Nanoseconds since the start.
  var nanoseconds: Int64 {
    Int64(loop.now.uptimeNanoseconds) + offsets.withLockedValue { $0.slept }
  }

  /// Milliseconds since the start.
  var milliseconds: Int64 { nanoseconds / 1_000_000 }

  /// Nanoseconds since the start, as timers count them.
  var awakeNanoseconds: Int64 { Int64(loop.now.uptimeNanoseconds) }

  /// Milliseconds since the start, as timers count them.
  var awakeMilliseconds: Int64 { awakeNanoseconds / 1_000_000 }

  /// The right time, which the venues have.
  var now: Timestamp {
    Timestamp(nanoseconds: SimulationTime.start.nanoseconds + nanoseconds)
  }

  var reading: ClockReading {
    let wall = now.nanoseconds + offsets.withLockedValue { $0.wall }
    return ClockReading(
      monotonic: MonotonicTime(nanoseconds: nanoseconds), wall: Timestamp(nanoseconds: wall))
  }

  var clock: HubClock { HubClock { self.reading } }

  /// Lets the server's machine sleep: time passes, its timers stop.
  func sleep(milliseconds: Int64) {
    offsets.withLockedValue { $0.slept += milliseconds * 1_000_000 }
  }

  func setWall(offMilliseconds: Int64) {
    offsets.withLockedValue { $0.wall = offMilliseconds * 1_000_000 }
  }

  @discardableResult
  func after(nanoseconds: Int64, _ body: @escaping () -> Void) -> Scheduled<Void> {
    loop.assumeIsolated().scheduleTask(in: .nanoseconds(max(0, nanoseconds)), body)
  }

  @discardableResult
  func after(milliseconds: Int64, _ body: @escaping () -> Void) -> Scheduled<Void> {
    after(nanoseconds: milliseconds * 1_000_000, body)
  }

  func run(milliseconds: Int64) { loop.advanceTime(by: .milliseconds(milliseconds)) }

  func end() {
    loop.run()
    try? loop.syncShutdownGracefully()
  }
}
