import NIOCore

extension EventLoop {
  /// Runs work at once when called on the loop, else as soon as the loop gets to it.
  package func perform(_ work: @escaping @Sendable () -> Void) {
    if inEventLoop { work() } else { execute(work) }
  }
}
