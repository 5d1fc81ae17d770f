// The hub over real sockets on loopback: one connection for many, recovery, and every failure as
// text.

import Logging
import Combine
import MarketModel
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOPosix
import SocketTransport
import TestSupport
import Testing
import VenueProtocols

@testable import FeedConnections

/// A hub on real event loops with one scripted venue.
private func makeHub(
  _ endpoint: Endpoint, heartbeat: HeartbeatPolicy? = nil, greets: Bool = true,
  options: ClientOptions = .patient()
) -> FeedHub {
  var session = ScriptedSession(.bitmex, greets: greets, heartbeat: heartbeat)
  // This clock is real, and a busy machine may stall for seconds.
  session.liveMilliseconds = 3_600_000
  let venue = VenueConfiguration(
    endpoint: endpoint, headers: [("Authorization", "Bearer secret")], session: session,
    options: options, readyDeadlineMilliseconds: patience.nanoseconds / 1_000_000)
  return FeedHub(
    venues: [venue], group: MultiThreadedEventLoopGroup.singleton,
    logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
}

private func text(_ text: String) -> WebSocketMessage { .text(ByteBuffer(string: text)) }

/// Greets, and responds to each subscription with one quote a stream.
private let quoting = ServerScript(
  greeting: [text("hello")],
  answer: { message, _ in
    let words = String(buffer: message.payload).split(separator: " ")
    guard words.count == 2, words[0] == "subscribe" else { return [] }
    return words[1].split(separator: ",").map { text("q \($0) 7.5") }
  })

@Suite(.timeLimit(.minutes(5))) struct FeedHubSocketTests {
  private func key(_ name: String) throws -> MarketKey {
    MarketKey(.bitmex, .quote, try #require(Symbol(name)))
  }

  @Test func `many observers of every kind share one connection`() async throws {
    let server = try await TestServer.webSocket(quoting)
    let hub = makeHub(server.endpoint(.ws))
    let journal = Journal<String>()
    let (a, b) = (try key("A"), try key("B"))
    let observations = (0..<10).map { number in
      hub.observe([a, b]) { _, value in journal.append("\(number) \(brief(value))") }
    }
    let publisher = hub.publisher(for: a).sink { journal.append("p \(brief($0))") }
    hub.start()
    try await journal.wait("all values") { entries in
      entries.filter { $0.hasSuffix("7.5 live") }.count >= 21
    }
    #expect(server.connections == 1)
    #expect(server.messages == ["subscribe A,B"])
    withExtendedLifetime((observations, publisher)) {}
    await hub.shutdown()
    try await server.stop()
  }

  @Test func `what a session sends as soon as the connection is open arrives`() async throws {
    let server = try await TestServer.webSocket(
      ServerScript(answer: { message, _ in
        String(buffer: message.payload) == "subscribe A" ? [text("q A 7.5")] : []
      }))
    let hub = makeHub(server.endpoint(.ws), greets: false)
    let journal = Journal<String>()
    let observation = hub.observe([try key("A")]) { _, value in journal.append(brief(value)) }
    hub.start()
    try await journal.wait("the first quote") { $0.contains("A 7.5 live") }
    #expect(server.messages == ["subscribe A"])
    withExtendedLifetime(observation) {}
    await hub.shutdown()
    try await server.stop()
  }

  @Test func `a cut connection comes back with the same streams`() async throws {
    let asked = NIOLockedValueBox(0)
    let server = try await TestServer.webSocket(
      ServerScript(
        greeting: [text("hello")],
        answer: { message, _ in
          guard String(buffer: message.payload) == "subscribe A,B" else { return [] }
          // The quotes of each connection have a distinct price.
          let number = asked.withLockedValue { count -> Int in
            count += 1
            return count
          }
          return [text("q A \(number).5"), text("q B \(number).5")]
        }))
    let hub = makeHub(server.endpoint(.ws))
    let journal = Journal<String>()
    let observation = hub.observe([try key("A"), try key("B")]) { _, value in
      journal.append(brief(value))
    }
    hub.start()
    try await journal.wait("the first quotes") { $0.contains("A 1.5 live") }
    for child in server.open { child.close(promise: nil) }
    let entries = try await journal.wait("the quotes after the cut") { $0.contains("A 2.5 live") }
    #expect(entries.contains("A 1.5 disconnected"))
    #expect(server.connections == 2)
    #expect(server.messages == ["subscribe A,B", "subscribe A,B"])
    withExtendedLifetime(observation) {}
    await hub.shutdown()
    try await server.stop()
  }

  @Test func `a half-open connection is found by the heartbeat and replaced`() async throws {
    // The server greets and then never reads again: the kernel accepts our bytes, but nothing
    // responds.
    let server = try await TestServer.webSocket(
      ServerScript(
        greeting: [text("hello")],
        answer: { _, channel in
          _ = channel.setOption(.autoRead, value: false)
          return []
        }))
    let heartbeat = HeartbeatPolicy(
      probe: .pingFrame, probeAfterMilliseconds: 50, deadAfterMilliseconds: 50)
    let hub = makeHub(server.endpoint(.ws), heartbeat: heartbeat)
    let journal = Journal<ConnectionStatus>()
    let watching = hub.observeConnections { journal.append($0) }
    let observation = hub.observe([try key("A")]) { _, _ in }
    hub.start()
    let statuses = try await journal.wait("a reconnect") { $0.contains { $0.reconnects == 1 } }
    let reason = statuses.first { $0.phase == .backingOff }?.reason ?? ""
    #expect(
      reason.description.wholeMatch(of: #/BitMEX has been silent for \d+ s\. Reconnecting\./#)
        != nil,
      "\(reason)")
    #expect(statuses.contains { $0.phase == .stale })
    withExtendedLifetime((watching, observation)) {}
    await hub.shutdown()
    try await server.stop()
  }

  @Test func `a live but quiet connection stays, and its round trip is measured`() async throws {
    let limits = WebSocketLimits(closeTimeoutMilliseconds: 600_000)
    let server = try await TestServer.webSocket(
      ServerScript(greeting: [text("hello")], limits: limits))
    let heartbeat = HeartbeatPolicy(
      probe: .pingFrame, probeAfterMilliseconds: 20, deadAfterMilliseconds: 600_000)
    let hub = makeHub(
      server.endpoint(.ws), heartbeat: heartbeat, options: .patient(limits: limits))
    let journal = Journal<ConnectionStatus>()
    let watching = hub.observeConnections { journal.append($0) }
    hub.start()
    let statuses = try await journal.wait("a round trip") {
      $0.last?.roundTripMicroseconds != nil
    }
    #expect(statuses.last?.phase == .live)
    #expect(server.connections == 1)
    withExtendedLifetime(watching) {}
    await hub.shutdown()
    try await server.stop()
    #expect(server.closures.map(\.code) == [1000])
  }

  /// The first status that gives the reason why `hub` is not connected.
  private func reason(_ hub: FeedHub) async throws -> ConnectionStatus {
    let journal = Journal<ConnectionStatus>()
    let watching = hub.observeConnections { journal.append($0) }
    hub.start()
    let statuses = try await journal.wait("a reason") { $0.contains { $0.reason != nil } }
    withExtendedLifetime(watching) {}
    await hub.shutdown()
    return try #require(statuses.first { $0.reason != nil })
  }

  @Test(arguments: [
    (401, ConnectionPhase.refused, "does not accept the access token"),
    (403, .refused, "no permission"), (404, .backingOff, "no market data at this address"),
    (429, .backingOff, "limits connections"), (503, .backingOff, "is temporarily unavailable"),
    (500, .backingOff, "status 500"), (301, .backingOff, "has moved"),
  ])
  func `a rejected upgrade is reported as text`(
    status: Int, phase: ConnectionPhase, words: String
  ) async throws {
    let script = ServerScript(refusal: { _ in (HTTPResponseStatus(statusCode: status), [:], "") })
    let server = try await TestServer.webSocket(script)
    let told = try await reason(makeHub(server.endpoint(.ws)))
    #expect(told.phase == phase)
    #expect(told.reason?.description.contains(words) == true, "\(told.reason?.description ?? "")")
    #expect(told.reason?.description.contains("BitMEX") == true)
    try await server.stop()
  }

  @Test(arguments: [
    (TestCertificates.localhost, TestCertificates.localhostKey, false, "is not trusted"),
    (TestCertificates.expired, TestCertificates.expiredKey, true, "has expired"),
    (TestCertificates.elsewhere, TestCertificates.elsewhereKey, true, "belongs to another server"),
  ])
  func `a rejected certificate gives its reason, and nothing is sent`(
    certificate: String, key: String, isRootTrusted: Bool, words: String
  ) async throws {
    let server = try await TestServer.webSocket(tls: (certificate, key), ServerScript())
    let trust = isRootTrusted ? try TLSSettings(additionalRootsPEM: TestCertificates.root) : .system
    let status = try await reason(makeHub(server.endpoint(.wss), options: .patient(tls: trust)))
    #expect(status.reason == "The certificate of BitMEX \(words), so nothing was sent.")
    #expect(server.heads.isEmpty)
    try await server.stop()
  }

  @Test func `failures of the network have different reasons`() async throws {
    let silent = try await TestServer.start { _, _ in }
    let options = ClientOptions(deadlineMilliseconds: 100)
    let late = try await reason(makeHub(silent.endpoint(.ws), options: options))
    #expect(late.reason == "BitMEX did not respond in time.")
    try await silent.stop()
    let silence = try SilentPort.hold()
    let refused = try await reason(makeHub(silence.endpoint(.ws)))
    #expect(refused.reason == "BitMEX is not accepting connections.")
    silence.release()
    let wrong = try await reason(makeHub(Endpoint(scheme: .http, host: "127.0.0.1", port: 1)))
    #expect(wrong.reason == "The address of BitMEX can't start with http://.")
  }

  @Test func `a venue over plain TCP is a stream of bytes`() async throws {
    let server = try await TestServer.start { channel, seen in
      try channel.pipeline.syncOperations.addHandler(
        LineServer { line in seen.withLockedValue { $0.messages.append(line) } })
    }
    let hub = makeHub(server.endpoint(.tcp), greets: false)
    let journal = Journal<String>()
    let observation = hub.observe([try key("A")]) { _, value in journal.append(brief(value)) }
    hub.start()
    try await journal.wait("both lines") { $0.contains("A 2.5 live") }
    #expect(server.messages == ["subscribe A"])
    withExtendedLifetime(observation) {}
    await hub.shutdown()
    try await server.stop()
  }
}

/// Sends two quotes in three pieces after the first request.
private final class LineServer: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer
  private let note: (String) -> Void

  init(_ note: @escaping (String) -> Void) { self.note = note }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    note(String(buffer: Self.unwrapInboundIn(data)))
    for piece in ["q A", " 1.5\nq A 2", ".5\n"] {
      context.writeAndFlush(Self.wrapOutboundOut(ByteBuffer(string: piece)), promise: nil)
    }
  }
}
