// Virtual time: the testing event loop of NIO is the schedule of everything, so that what the hub
// sets timers for and what the simulation does happen in one order.

import FeedConnections
import MarketModel
import NIOConcurrencyHelpers
import NIOCore
import NIOEmbedded

/// The clocks of a simulated world; used on the thread that made it.
final class SimulationTime: Sendable {
  /// When every simulation starts: 2021-07-22T22:36:07Z.
  static let start = Timestamp(milliseconds: 1_626_993_367_000)

  private struct Offsets {
    /// Time that timers know nothing of, since the machine slept.
    var slept: Int64 = 0
    /// How wrong the server's wall clock is.
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

  /// Nanoseconds since the start that timers know of.
  var awakeNanoseconds: Int64 { Int64(loop.now.uptimeNanoseconds) }

  /// Milliseconds since the start that timers know of.
  var awakeMilliseconds: Int64 { awakeNanoseconds / 1_000_000 }

  /// The right time, which is the venues'.
  var now: Timestamp {
    Timestamp(nanoseconds: SimulationTime.start.nanoseconds + nanoseconds)
  }

  /// What the server's clocks show.
  var reading: ClockReading {
    let wall = now.nanoseconds + offsets.withLockedValue { $0.wall }
    return ClockReading(
      monotonic: MonotonicTime(nanoseconds: nanoseconds), wall: Timestamp(nanoseconds: wall))
  }

  /// The server's clocks, for the hub.
  var clock: HubClock { HubClock { self.reading } }

  /// Lets the server's machine sleep: time goes on, its timers do not.
  func sleep(milliseconds: Int64) {
    offsets.withLockedValue { $0.slept += milliseconds * 1_000_000 }
  }

  /// Sets the server's wall clock wrong, or right again.
  func setWall(offMilliseconds: Int64) {
    offsets.withLockedValue { $0.wall = offMilliseconds * 1_000_000 }
  }

  /// Does something after so many nanoseconds.
  @discardableResult
  func after(nanoseconds: Int64, _ body: @escaping () -> Void) -> Scheduled<Void> {
    loop.assumeIsolated().scheduleTask(in: .nanoseconds(max(0, nanoseconds)), body)
  }

  /// Does something after so many milliseconds.
  @discardableResult
  func after(milliseconds: Int64, _ body: @escaping () -> Void) -> Scheduled<Void> {
    after(nanoseconds: milliseconds * 1_000_000, body)
  }

  /// Lets everything happen that is due within so many milliseconds.
  func run(milliseconds: Int64) { loop.advanceTime(by: .milliseconds(milliseconds)) }

  /// Forgets whatever is still planned.
  func end() {
    loop.run()
    try? loop.syncShutdownGracefully()
  }
}
