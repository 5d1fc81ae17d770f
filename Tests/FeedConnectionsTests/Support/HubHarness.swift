import Logging
import MarketModel
import NIOConcurrencyHelpers
import NIOCore
import NIOEmbedded
import SocketTransport
import VenueProtocols

@testable import FeedConnections

/// A transport that records its calls; used on the hub's loop only.
final class FakeTransport: FeedTransport {
  let request: TransportRequest
  let deliver: (TransportEvent) -> Void
  let loop: any EventLoop
  var sent: [String] = []
  var pings = 0
  /// The numbers of numbered pings.
  var asked: [Int64] = []
  var closeCode: UInt16?
  var nanosecondsSinceRead: Int64 = 0
  var way = MessageWay.direct

  init(
    _ request: TransportRequest, _ loop: any EventLoop,
    _ deliver: @escaping (TransportEvent) -> Void
  ) {
    self.request = request
    self.loop = loop
    self.deliver = deliver
  }

  func send(_ message: OutboundMessage) {
    sent.append(String(decoding: message.bytes, as: UTF8.self))
  }

  func ping() { pings += 1 }

  func ping(number: Int64) { asked.append(number) }

  func close(code: UInt16, reason: String) -> EventLoopFuture<Void> {
    closeCode = code
    return loop.makeSucceededVoidFuture()
  }
}

/// Every transport that a hub has opened, oldest first.
///
/// Unchecked because its array is used on the testing event loop only.
final class FakeNetwork: @unchecked Sendable {
  var transports: [FakeTransport] = []

  var connector: FeedConnector {
    { [self] request, loop, deliver in
      let transport = FakeTransport(request, loop, deliver)
      transports.append(transport)
      return transport
    }
  }
}

/// A hub on a testing event loop, its network and its time: no socket, no waiting.
final class HubHarness: Sendable {
  let loop = NIOAsyncTestingEventLoop()
  let network = FakeNetwork()
  let hub: FeedHub
  let clock: HubClock
  let raw = Journal<String>()
  /// How long the machine has slept: time that the loop's timers don't count.
  let slept = NIOLockedValueBox<Int64>(0)

  init(
    venues: [Venue] = [.isin], greets: Bool = true, frameMilliseconds: Int64 = 16,
    probe: HeartbeatPolicy.Probe = .pingFrame, origin: DataOrigin = .simulated,
    tellsTime: Bool = false
  ) {
    let loop = loop
    let heartbeat = HeartbeatPolicy(
      probe: probe, probeAfterMilliseconds: 5000, deadAfterMilliseconds: 4000)
    let raw = raw
    let slept = slept
    let configurations = venues.map { venue in
      var session = ScriptedSession(venue, greets: greets, heartbeat: heartbeat)
      session.origin = origin
      session.tellsTime = tellsTime
      return VenueConfiguration(
        endpoint: Endpoint(scheme: .ws, host: "venue.test", port: 80),
        headers: [("Authorization", "Bearer first")],
        session: session,
        displayName: "Venue", jitterSeed: 1,
        onRawMessage: { name, bytes, _ in raw.append("\(name): \(String(buffer: bytes))") })
    }
    clock = HubClock {
      let nanoseconds =
        Int64(loop.now.uptimeNanoseconds) + slept.withLockedValue { $0 } * 1_000_000
      return ClockReading(
        monotonic: MonotonicTime(nanoseconds: nanoseconds),
        wall: Timestamp(nanoseconds: nanoseconds))
    }
    hub = FeedHub(
      venues: configurations, loop: loop,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
      clock: clock, frameMilliseconds: frameMilliseconds, lingerMilliseconds: 250,
      connector: network.connector)
  }

  func settle() async { await loop.run() }

  func advance(_ milliseconds: Int64) async {
    await loop.advanceTime(by: .milliseconds(milliseconds))
  }

  /// Runs on the newest transport, on the loop.
  func onNewest<Value: Sendable>(
    _ body: @escaping @Sendable (FakeTransport) -> Value
  ) async throws -> Value {
    await loop.run()
    let network = network
    return try await loop.executeInContext {
      guard let transport = network.transports.last else {
        throw WaitedInVain(what: "a transport")
      }
      return body(transport)
    }
  }

  func deliver(_ event: TransportEvent) async throws { try await onNewest { $0.deliver(event) } }

  func say(_ text: String) async throws {
    try await deliver(.message(ByteBuffer(string: text), .text))
  }

  /// Opens the newest transport and greets.
  func open() async throws {
    try await deliver(.connected)
    try await deliver(.opened)
    try await say("hello")
  }

  func start() async throws {
    hub.start()
    try await open()
  }

  static func started() async throws -> HubHarness {
    let harness = HubHarness()
    try await harness.start()
    return harness
  }

  func sent() async throws -> [String] { try await onNewest { $0.sent } }

  func transports() async throws -> Int {
    await loop.run()
    let network = network
    return try await loop.executeInContext { network.transports.count }
  }

  func observe(_ symbols: String..., into journal: Journal<String>) -> FeedObservation {
    hub.observe(Set(symbols.compactMap { key($0) })) { _, value in journal.append(brief(value)) }
  }

  func key(_ text: String) -> MarketKey? {
    Symbol(text).map { MarketKey(hub.venues[0], .quote, $0) }
  }

  func phases(into journal: Journal<String>) -> FeedObservation {
    hub.observeConnections { journal.append("\($0.phase)") }
  }
}
