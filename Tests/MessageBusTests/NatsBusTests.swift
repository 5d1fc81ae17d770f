// Cases that need a real broker: a frozen one, a rejecting one, one behind TLS.

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

  @Test func `a frozen broker is noticed, though its socket is open`() async throws {
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

  @Test func `after a loss the next broker is tried, and leases persist`() async throws {
    let servers = try (0..<3).map { _ in try NatsServer() }
    for server in servers { try server.start(asOneOf: servers) }
    let hosts = servers.map { "127.0.0.1:\($0.port)" }.joined(separator: ",")
    let log = NIOLockedValueBox<[String]>([])
    let logger = Logger(label: "test") { _ in LineLog(lines: log) }
    let address = try NatsAddress("nats://\(hosts)")
    let bus = NatsBus(address: address, logger: logger, on: loop)
    try await loop.submit { bus.start() }.get()
    try await LinkWatch.wait(bus) { $0 == .up }
    let first = try await held(bus, after: 0)
    func linked() -> Int? {
      let up = log.withLockedValue { $0.last { $0.contains("bus up") } } ?? ""
      return servers.firstIndex { up.contains(":\($0.port)") }
    }
    let lost = try #require(linked())
    servers[lost].kill()
    let second = try await held(bus, after: first)
    #expect(second > first, "epochs rise")
    #expect(linked() == (lost + 1) % 3)
    try await end(bus)
  }

  @Test func `a broker that is about to close is left before it does`() async throws {
    let servers = try (0..<3).map { _ in try NatsServer() }
    for server in servers { try server.start(asOneOf: servers) }
    let hosts = servers.map { "127.0.0.1:\($0.port)" }.joined(separator: ",")
    let log = NIOLockedValueBox<[String]>([])
    let logger = Logger(label: "test") { _ in LineLog(lines: log) }
    let address = try NatsAddress("nats://\(hosts)")
    let bus = NatsBus(address: address, logger: logger, on: loop)
    try await loop.submit { bus.start() }.get()
    try await LinkWatch.wait(bus) { $0 == .up }
    func ups() -> [String] { log.withLockedValue { $0.filter { $0.contains("bus up") } } }
    let downs = NIOLockedValueBox(0)
    let kept = try await loop.submit { [loop] in
      NIOLoopBound(
        bus.observeLink { link in if link != .up { downs.withLockedValue { $0 += 1 } } },
        eventLoop: loop)
    }.get()
    let ear = try await Ear(bus, "question") { "answer to \(String(buffer: $0.payload))" }
    let first = try #require(servers.firstIndex { ups()[0].contains(":\($0.port)") })
    servers[first].enterLameDuckMode()
    while ups().count < 2 {
      try await loop.scheduleTask(in: .milliseconds(20)) {}.futureResult.get()
    }
    #expect(!ups()[1].contains(":\(servers[first].port)"), "another broker")
    let answer = try await loop.flatSubmit {
      bus.request("question", ByteBuffer(string: "7"), timeoutMilliseconds: 60_000)
    }.get()
    #expect(String(buffer: answer) == "answer to 7")
    #expect(downs.withLockedValue { $0 } == 0, "the link was never down")
    try await ear.cancel()
    try await loop.submit { kept.value.cancel() }.get()
    try await end(bus)
  }

  /// The revision of a lease, once the cluster has elected a leader.
  private func held(_ bus: NatsBus, after revision: UInt64) async throws -> UInt64 {
    let deadline = ContinuousClock.now + .seconds(120)
    var expecting = revision
    while true {
      do {
        let expected = expecting
        return try await loop.flatSubmit {
          bus.hold("a", ByteBuffer(string: "x"), expecting: expected)
        }.get()
      } catch {
        guard ContinuousClock.now < deadline else { throw error }
        // It may have expired before that.
        if error as? BusError == .wrongRevision { expecting = 0 }
        try await loop.scheduleTask(in: .milliseconds(100)) {}.futureResult.get()
      }
    }
  }

  @Test func `how long ago the broker's bytes came is known`() async throws {
    let server = try NatsServer()
    try server.start()
    let bus = try await bus(server, "nats://127.0.0.1")
    try await LinkWatch.wait(bus) { $0 == .up }
    server.freeze()
    // It may respond until all its threads have stopped.
    var said = BusError.noResponders
    while said == .noResponders {
      do {
        _ = try await loop.flatSubmit {
          bus.request("a", ByteBuffer(), timeoutMilliseconds: 20)
        }.get()
      } catch {
        said = try #require(error as? BusError)
      }
    }
    #expect(said == .timeout)
    let silence = try await loop.submit { bus.nanosecondsSinceRead }.get()
    #expect(silence >= 20_000_000)
    try await end(bus)
  }

  @Test(arguments: [
    (#""subjects":["$KV.LEASE.>"],"storage":"file","max_msgs_per_subject":1"#, "max_age 0 instead"),
    (
      #""subjects":["$KV.LEASE.>"],"storage":"memory","max_age":3000000000,"#
        + #""max_msgs_per_subject":1"#, "storage memory instead of file"
    ),
    (
      #""subjects":["$KV.LEASE.>"],"storage":"file","max_age":3000000000"#,
      "max_msgs_per_subject -1 instead of 1"
    ),
    (
      #""subjects":["other.>"],"storage":"file","max_age":3000000000,"max_msgs_per_subject":1"#,
      "subjects other.> instead"
    ),
    (
      #""subjects":["$KV.LEASE.>"],"storage":"file","max_age":3000000000,"#
        + #""max_msgs_per_subject":1,"no_ack":true"#, "no_ack is set"
    ),
  ])
  func `a lease in a stream with foreign settings is rejected, and names them`(
    settings: String, difference: String
  ) async throws {
    let server = try NatsServer()
    try server.start()
    let bus = try await bus(server, "nats://127.0.0.1")
    try await LinkWatch.wait(bus) { $0 == .up }
    let made = try await loop.flatSubmit {
      bus.request(
        "$JS.API.STREAM.CREATE.KV_LEASE",
        ByteBuffer(string: #"{"name":"KV_LEASE","retention":"limits",\#(settings)}"#),
        timeoutMilliseconds: 60_000)
    }.get()
    #expect(String(buffer: made).contains(#""config""#), "\(String(buffer: made))")
    let error = await #expect(throws: BusError.self) {
      try await loop.flatSubmit { bus.hold("a", ByteBuffer(), expecting: 0) }.get()
    }
    #expect(error?.description.contains("KV_LEASE was not made by Livetape") == true)
    #expect(error?.description.contains(difference) == true, "\(error?.description ?? "")")
    // The other bucket is unaffected.
    #expect(try await loop.flatSubmit { bus.load("a") }.get() == nil)
    // Once it is deleted, the next attempt creates it.
    _ = try await loop.flatSubmit {
      bus.request("$JS.API.STREAM.DELETE.KV_LEASE", ByteBuffer(), timeoutMilliseconds: 60_000)
    }.get()
    #expect(try await loop.flatSubmit { bus.hold("a", ByteBuffer(), expecting: 0) }.get() > 0)
    try await end(bus)
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
