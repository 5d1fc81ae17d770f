import Foundation
import Logging
import MarketModel
import NIOCore
import NIOEmbedded
import SocketTransport
import VenueProtocols

@testable import FeedConnections

/// A transport that records its calls; used on the hub's loop only.
private final class FakeTransport: FeedTransport {
  let deliver: (TransportEvent) -> Void
  let loop: any EventLoop
  var sent: [String] = []

  init(_ loop: any EventLoop, _ deliver: @escaping (TransportEvent) -> Void) {
    self.loop = loop
    self.deliver = deliver
  }

  func send(_ message: OutboundMessage) {
    sent.append(String(decoding: message.bytes, as: UTF8.self))
  }

  func ping() {}

  func close(code: UInt16, reason: String) -> EventLoopFuture<Void> {
    loop.makeSucceededVoidFuture()
  }
}

/// The price stream's hub on a testing event loop with simulated transports: no socket, no waiting.
///
/// Unchecked because its array is used on the testing event loop only.
final class FakeNetwork: @unchecked Sendable {
  let loop = NIOAsyncTestingEventLoop()
  private var transports: [FakeTransport] = []

  /// The watch list's hub and its clock, both on the testing loop's time.
  func makeHub() -> (hub: FeedHub, clock: HubClock) {
    let loop = loop
    let clock = HubClock {
      let nanoseconds = Int64(loop.now.uptimeNanoseconds)
      return ClockReading(
        monotonic: MonotonicTime(nanoseconds: nanoseconds),
        wall: Timestamp(nanoseconds: nanoseconds))
    }
    let hub = FeedHub(
      venues: [
        VenueConfiguration(
          endpoint: Endpoint(scheme: .ws, host: "prices.test", port: 80),
          session: IsinStreamSession(origin: .venue), jitterSeed: 1)
      ], loop: loop, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
      clock: clock, frameMilliseconds: 16, lingerMilliseconds: 250,
      connector: { [self] _, loop, deliver in
        let transport = FakeTransport(loop, deliver)
        transports.append(transport)
        return transport
      })
    return (hub, clock)
  }

  func advance(_ milliseconds: Int64) async {
    await loop.advanceTime(by: .milliseconds(milliseconds))
  }

  func connections() async throws -> Int {
    await loop.run()
    return try await loop.executeInContext { [self] in transports.count }
  }

  func sent() async throws -> [String] {
    await loop.run()
    return try await loop.executeInContext { [self] in transports.flatMap(\.sent) }
  }

  func deliver(_ event: TransportEvent) async throws {
    await loop.run()
    try await loop.executeInContext { [self] in transports.last?.deliver(event) }
  }

  func open() async throws {
    try await deliver(.connected)
    try await deliver(.opened)
  }

  func say(_ isin: String, price: String) async throws {
    let text = "{\"isin\":\"\(isin)\",\"price\":\(price),\"bid\":\(price),\"ask\":\(price)}"
    try await deliver(.message(ByteBuffer(string: text), .text))
    await advance(20)
  }
}
