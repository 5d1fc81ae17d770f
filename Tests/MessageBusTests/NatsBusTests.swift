// What only a real broker can show: one that is frozen, one that refuses, one behind TLS.

import Foundation
import Logging
import MessageBus
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import SocketTransport
import TestSupport
import Testing

@Suite(
  .serialized, .timeLimit(.minutes(5)),
  .enabled(if: NatsServer.program != nil, Comment(rawValue: NatsServer.absence)))
struct NatsBusTests {
  private let loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()

  private func bus(
    _ server: NatsServer, _ address: String, tls: TLSSettings = .system,
    log: NIOLockedValueBox<[String]> = NIOLockedValueBox([])
  ) async throws -> NatsBus {
    let address = try NatsAddress("\(address):\(server.port)")
    let logger = Logger(label: "test") { _ in LineLog(lines: log) }
    let bus = NatsBus(address: address, tls: tls, logger: logger, on: loop)
    try await loop.submit { bus.start() }.get()
    return bus
  }

  private func end(_ bus: NatsBus) async throws {
    try await loop.flatSubmit { bus.shutdown() }.get()
  }

  @Test func `a frozen broker is noticed, though its socket stands`() async throws {
    let server = try NatsServer()
    try server.start()
    let bus = try await bus(server, "nats://127.0.0.1")
    try await LinkWatch.wait(bus) { $0 == .up }
    server.freeze()
    let began = ContinuousClock.now
    try await LinkWatch.wait(bus) { $0 == .down("the broker does not answer") }
    #expect(ContinuousClock.now - began > .seconds(1))
    try await end(bus)
  }

  @Test func `more than is bearable cuts the link, and does not wait in memory`() async throws {
    let server = try NatsServer()
    try server.start()
    let bus = try await bus(server, "nats://127.0.0.1")
    try await LinkWatch.wait(bus) { $0 == .up }
    server.freeze()
    try await loop.submit {
      let payload = ByteBuffer(repeating: 0x61, count: 1 << 20)
      for _ in 0..<70 { bus.publish("a", payload) }
    }.get()
    try await LinkWatch.wait(bus) { link in
      if case .down(let words) = link { words.hasSuffix("bytes wait to be sent") } else { false }
    }
    try await end(bus)
  }

  @Test func `credentials open the door, and are in no log`() async throws {
    let server = try NatsServer()
    try server.start(#"authorization { user: "desk", password: "g%h@im" }"#)
    let log = NIOLockedValueBox<[String]>([])
    let right = try await bus(server, "nats://desk:g%25h%40im@127.0.0.1", log: log)
    try await LinkWatch.wait(right) { $0 == .up }
    let wrong = try await bus(server, "nats://desk:falsch@127.0.0.1", log: log)
    try await LinkWatch.wait(wrong) { $0 == .down("refused: Authorization Violation") }
    try await end(right)
    try await end(wrong)
    let lines = log.withLockedValue { $0 }
    #expect(lines.contains { $0.contains("bus up") && $0.contains("nats://127.0.0.1:") })
    #expect(!lines.contains { $0.contains("g%") || $0.contains("h@im") || $0.contains("falsch") })
  }

  @Test func `TLS begins after the greeting, and a stranger's certificate ends it`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = (certificate: folder.appending(path: "c"), key: folder.appending(path: "k"))
    try Data(TestCertificates.localhost.utf8).write(to: files.certificate)
    try Data(TestCertificates.localhostKey.utf8).write(to: files.key)
    let server = try NatsServer()
    try server.start(
      #"tls { cert_file: "\#(files.certificate.path)", key_file: "\#(files.key.path)" }"#)
    let trust = try TLSSettings(additionalRootsPEM: TestCertificates.root)
    for scheme in ["tls", "nats"] {
      let bus = try await bus(server, "\(scheme)://127.0.0.1", tls: trust)
      try await LinkWatch.wait(bus) { $0 == .up }
      try await end(bus)
    }
    let stranger = try await bus(server, "tls://127.0.0.1")
    try await LinkWatch.wait(stranger) { link in
      if case .down(let words) = link { words.contains("certificate") } else { false }
    }
    try await end(stranger)
  }

  @Test func `without JetStream a lease is refused, and messages travel`() async throws {
    let server = try NatsServer()
    try server.start(hasJetStream: false)
    let bus = try await bus(server, "nats://127.0.0.1")
    try await LinkWatch.wait(bus) { $0 == .up }
    await #expect(throws: BusError.refused("JetStream is off")) {
      try await loop.flatSubmit { bus.hold("a", ByteBuffer(), expecting: 0) }.get()
    }
    try await end(bus)
  }
}

/// Keeps what is logged.
private struct LineLog: LogHandler {
  let lines: NIOLockedValueBox<[String]>
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.trace

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    lines.withLockedValue { $0.append("\(event.message) \(event.metadata ?? [:])") }
  }
}
