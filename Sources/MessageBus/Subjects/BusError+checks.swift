// What is refused before it is sent, the same on every bus.

import NIOCore

extension BusError {
  /// Why something can't be sent; nil when it can.
  static func preventing(
    _ subject: String, _ payload: ByteBuffer, on bus: some MessageBus, isUp: Bool
  ) -> BusError? {
    guard BusSubject.isPublishable(subject) else { return .refused("not a subject") }
    guard payload.readableBytes <= bus.maximumPayloadBytes else { return .tooLarge }
    return isUp ? nil : .disconnected
  }
}

extension EventLoop {
  /// Runs it at once on the loop, and later anywhere else: a subscription may be let go anywhere.
  func assumeIsolatedOrLater(_ body: @escaping @Sendable () -> Void) {
    if inEventLoop { body() } else { execute(body) }
  }
}
