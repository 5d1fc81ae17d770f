import FeedConnections
import MarketModel
import NIOConcurrencyHelpers
import NIOCore

/// The machine's clocks, slowed down while the machine is: no deadline passes because a busy
/// machine had no time for the server, its venues or the test.
///
/// In each round every loop of the group and the pool of tasks have their turn, and the clock moves
/// by at most ``longestRound``.
final class PatientClock: Sendable {
  private static let longestRound: Int64 = 50_000_000

  private struct State {
    var reading: ClockReading
    var readAt: MonotonicTime

    func now() -> ClockReading {
      let elapsed = HubClock.live.now().monotonic.nanoseconds - readAt.nanoseconds
      let moved = min(elapsed, longestRound)
      return ClockReading(
        monotonic: MonotonicTime(nanoseconds: reading.monotonic.nanoseconds + moved),
        wall: Timestamp(nanoseconds: reading.wall.nanoseconds + moved))
    }
  }

  private let state: NIOLockedValueBox<State>

  private init() {
    let start = HubClock.live.now()
    state = NIOLockedValueBox(State(reading: start, readAt: start.monotonic))
  }

  /// Runs `body` with a clock that waits for the loops of `group`.
  static func with(
    _ group: any EventLoopGroup, _ body: (HubClock) async throws -> Void
  ) async throws {
    let clock = PatientClock()
    let rounds = Task {
      while !Task.isCancelled {
        for loop in group.makeIterator() {
          try await loop.scheduleTask(in: .milliseconds(2)) {}.futureResult.get()
        }
        clock.state.withLockedValue {
          $0 = State(reading: $0.now(), readAt: HubClock.live.now().monotonic)
        }
      }
    }
    do {
      try await body(HubClock { clock.state.withLockedValue { $0.now() } })
    } catch {
      rounds.cancel()
      _ = await rounds.result
      throw error
    }
    rounds.cancel()
    _ = await rounds.result
  }
}
