// A timer for what lives on one event loop and is not for others.

package import NIOCore

/// Calls again and again until it is let go; on the loop only.
package final class LoopTimer {
  private let loop: any EventLoop
  private let pause: TimeAmount
  private let body: () -> Void
  private var next: Scheduled<Void>?

  /// Begins at once.
  package init(every milliseconds: Int64, on loop: any EventLoop, _ body: @escaping () -> Void) {
    self.loop = loop
    pause = .milliseconds(milliseconds)
    self.body = body
    schedule()
  }

  deinit { next?.cancel() }

  private func schedule() {
    next = loop.assumeIsolated().scheduleTask(in: pause) { [weak self] in
      guard let self else { return }
      schedule()
      body()
    }
  }
}
