import Foundation
import Logging
import MessageBus
import NIOCore
import NIOPosix
import Testing

/// Two processes' ends of one bus, and a link that can break; the same for every bus.
///
/// Unchecked because one test uses it; the buses are used on their loop.
final class BusStage: @unchecked Sendable {
  enum Kind: String, CaseIterable, CustomTestStringConvertible {
    case memory
    case nats

    /// The kinds available here.
    static var available: [Kind] { NatsServer.program == nil ? [.memory] : [.memory, .nats] }

    var testDescription: String { rawValue }
  }

  let first: any MessageBus
  let second: any MessageBus
  let loop: any EventLoop
  let server: NatsServer?

  init(_ kind: Kind) async throws {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    self.loop = loop
    switch kind {
    case .memory:
      let hub = MemoryBusHub(on: loop)
      (first, second, server) = (hub.makeBus(), hub.makeBus(), nil)
    case .nats:
      let server = try NatsServer()
      try server.start("max_payload: 1MB")
      let address = try NatsAddress("nats://127.0.0.1:\(server.port)")
      let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      let buses = (0..<2).map { _ in NatsBus(address: address, logger: logger, on: loop) }
      (first, second, self.server) = (buses[0], buses[1], server)
      try await loop.submit { for bus in buses { bus.start() } }.get()
    }
    try await up()
  }

  /// Waits until both ends are connected and their subscriptions are registered.
  func up() async throws {
    for bus in [first, second] {
      try await LinkWatch.wait(bus) { $0 == .up }
      try await settle(bus)
    }
  }

  /// Everything sent before has reached the middle.
  func settle(_ bus: any MessageBus) async throws { _ = try? await ask(bus, "no.subscriber") }

  func ask(
    _ bus: any MessageBus, _ subject: String, _ text: String = "", timeout: Int64 = 60_000
  ) async throws -> String {
    try await loop.flatSubmit {
      bus.request(subject, ByteBuffer(string: text), timeoutMilliseconds: timeout)
    }.map { String(buffer: $0) }.get()
  }

  func hold(_ bus: any MessageBus, _ key: String, _ expecting: UInt64) async throws -> UInt64 {
    try await loop.flatSubmit { bus.hold(key, ByteBuffer(string: "x"), expecting: expecting) }.get()
  }

  func load(_ bus: any MessageBus, _ key: String) async throws -> BusValue? {
    try await loop.flatSubmit { bus.load(key) }.get()
  }

  func store(
    _ bus: any MessageBus, _ key: String, _ text: String, _ expecting: UInt64
  ) async throws -> UInt64 {
    try await loop.flatSubmit {
      bus.store(key, ByteBuffer(string: text), expecting: expecting)
    }.get()
  }

  func publish(_ bus: any MessageBus, _ messages: [(String, String)]) async throws {
    try await loop.submit {
      for (subject, text) in messages { bus.publish(subject, ByteBuffer(string: text)) }
    }.get()
  }

  func breakLinks() async throws {
    server?.kill()
    try await loop.submit { [first, second] in
      for bus in [first, second] { (bus as? MemoryBus)?.cutLink() }
    }.get()
    for bus in [first, second] { try await LinkWatch.wait(bus) { $0 != .up } }
  }

  func mendLinks() async throws {
    try server?.start()
    try await loop.submit { [first, second] in
      for bus in [first, second] { (bus as? MemoryBus)?.healLink() }
    }.get()
    try await up()
  }

  func end() async throws {
    try await loop.flatSubmit { [first, second] in
      first.shutdown().and(second.shutdown()).map { _ in }
    }.get()
  }
}

enum LinkWatch {
  static func wait(
    _ bus: any MessageBus, _ isWanted: @escaping @Sendable (BusLink) -> Bool
  ) async throws {
    let (states, states2) = AsyncStream.makeStream(of: BusLink.self)
    let kept = try await bus.eventLoop.submit {
      NIOLoopBound(bus.observeLink { states2.yield($0) }, eventLoop: bus.eventLoop)
    }.get()
    for await state in states where isWanted(state) { break }
    try await bus.eventLoop.submit { kept.value.cancel() }.get()
  }
}

/// The messages of a subscription.
final class Ear: @unchecked Sendable {
  // The subscription is used on the loop, the iterator by one test.

  private var heard: AsyncStream<BusMessage>.Iterator
  private let bus: any MessageBus
  private let kept: NIOLoopBound<BusSubscription>

  init(
    _ bus: any MessageBus, _ subject: String,
    answer: (@Sendable (BusMessage) -> String?)? = nil
  ) async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: BusMessage.self)
    heard = stream.makeAsyncIterator()
    self.bus = bus
    kept = try await bus.eventLoop.submit {
      NIOLoopBound(
        bus.subscribe(subject) { message in
          if let text = answer?(message), let reply = message.replyTo {
            bus.publish(reply, ByteBuffer(string: text))
          }
          continuation.yield(message)
        }, eventLoop: bus.eventLoop)
    }.get()
  }

  /// The next messages as "subject text".
  func next(_ count: Int) async -> [String] {
    var texts: [String] = []
    while texts.count < count, let message = await heard.next() {
      texts.append("\(message.subject) \(String(buffer: message.payload))")
    }
    return texts
  }

  func cancel() async throws {
    try await bus.eventLoop.submit { [kept] in kept.value.cancel() }.get()
  }
}
