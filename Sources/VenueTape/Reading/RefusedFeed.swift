// A connection that is not made: its venue is another process's to read.

import FeedConnections
import NIOCore
import VenueProtocols

/// Ends at once.
final class RefusedFeed: FeedTransport {
  private let loop: any EventLoop
  private var deliver: ((TransportEvent) -> Void)?

  init(on loop: any EventLoop, _ deliver: @escaping (TransportEvent) -> Void) {
    (self.loop, self.deliver) = (loop, deliver)
    loop.assumeIsolated().execute { [weak self] in
      self?.deliver?(.ended(.reader(.changed)))
      self?.deliver = nil
    }
  }

  func send(_ message: OutboundMessage) {}

  func ping() {}

  func close(code: UInt16, reason: String) -> EventLoopFuture<Void> {
    deliver = nil
    return loop.makeSucceededVoidFuture()
  }
}
