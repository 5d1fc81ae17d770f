package import NIOCore

/// Calls a body repeatedly until it is released; on one event loop only.
package final class LoopTimer {
  private let loop: any EventLoop
  private let pause: TimeAmount
  private let body: () -> Void
  private var next: Scheduled<Void>?

  /// Starts at once.
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
