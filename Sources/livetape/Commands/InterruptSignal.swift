// Ctrl-C and SIGTERM for commands that follow something: they end with a last line, not in the middle.

import Dispatch
import Foundation
import NIOConcurrencyHelpers

/// Notices SIGINT and SIGTERM.
final class InterruptSignal: Sendable {
  private let raised = NIOLockedValueBox(false)
  private let sources: NIOLockedValueBox<[any DispatchSourceSignal]>

  init() {
    let raised = raised
    sources = NIOLockedValueBox(
      [SIGINT, SIGTERM].map { number in
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler { raised.withLockedValue { $0 = true } }
        source.resume()
        return source
      })
  }

  /// Whether one has come.
  var isRaised: Bool { raised.withLockedValue { $0 } }

  /// Waits until a time, or until a signal comes, which is noticed within a tenth of a second.
  func wait(until deadline: ContinuousClock.Instant) async throws {
    while !isRaised, ContinuousClock.now < deadline {
      let slice = ContinuousClock.now + .milliseconds(100)
      try await Task.sleep(until: min(slice, deadline), clock: .continuous)
    }
  }
}
