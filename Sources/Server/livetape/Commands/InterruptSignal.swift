import NIOConcurrencyHelpers
import UnixSignals

/// Handles SIGINT and SIGTERM for commands that follow a stream, so that they end after a complete
/// line.
final class InterruptSignal: Sendable {
  private let raised = NIOLockedValueBox(false)

  init() {
    let raised = raised
    Task {
      for await _ in await UnixSignalsSequence(trapping: [.sigint, .sigterm]) {
        raised.withLockedValue { $0 = true }
        return
      }
    }
  }

  var isRaised: Bool { raised.withLockedValue { $0 } }

  /// Waits until a deadline, a signal or a condition, checked every tenth of a second.
  func wait(
    until deadline: ContinuousClock.Instant, or hasHappened: () -> Bool = { false }
  ) async throws {
    while !isRaised, !hasHappened(), ContinuousClock.now < deadline {
      let slice = ContinuousClock.now + .milliseconds(100)
      try await Task.sleep(until: min(slice, deadline), clock: .continuous)
    }
  }
}
