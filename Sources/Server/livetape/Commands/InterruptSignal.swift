// Ctrl-C and SIGTERM for commands that follow something: they end with a last line, not in the
// middle.

import NIOConcurrencyHelpers
import UnixSignals

/// Notices SIGINT and SIGTERM.
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

  /// Whether one has come.
  var isRaised: Bool { raised.withLockedValue { $0 } }

  /// Waits until a time, or until a signal comes or something else happens, which is noticed within
  /// a tenth of a second.
  func wait(
    until deadline: ContinuousClock.Instant, or hasHappened: () -> Bool = { false }
  ) async throws {
    while !isRaised, !hasHappened(), ContinuousClock.now < deadline {
      let slice = ContinuousClock.now + .milliseconds(100)
      try await Task.sleep(until: min(slice, deadline), clock: .continuous)
    }
  }
}
