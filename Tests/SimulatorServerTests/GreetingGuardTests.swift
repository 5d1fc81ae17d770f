// The tick feed's one deadline, with manual time.

import NIOCore
import NIOEmbedded
import Testing

@testable import SimulatorServer

@Suite struct GreetingGuardTests {
  private final class Connection {
    let channel = EmbeddedChannel()
    var greetings = 0

    init() throws {
      try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
      try channel.pipeline.syncOperations.addHandler(
        GreetingGuard(milliseconds: 10_000) { self.greetings += 1 })
    }

    func say(_ text: String) throws { try channel.writeInbound(ByteBuffer(string: text)) }

    func pass(seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }

    func heard() throws -> String? {
      try channel.readInbound(as: ByteBuffer.self).map { String(buffer: $0) }
    }
  }

  @Test func `a client that sends only hello stays`() throws {
    let connection = try Connection()
    try connection.say("HEL")
    connection.pass(seconds: 9)
    #expect(connection.greetings == 0)
    try connection.say("lo")
    try connection.say("hello")
    connection.pass(seconds: 3600)
    #expect(connection.channel.isActive && connection.greetings == 1)
    #expect(try (0..<3).map { _ in try connection.heard() } == ["HEL", "lo", "hello"])
  }

  @Test(arguments: ["", "h", "help me, help me"])
  func `a client without hello within ten seconds is disconnected`(words: String) throws {
    let connection = try Connection()
    try connection.say(words)
    connection.pass(seconds: 9)
    try connection.say(words)
    #expect(connection.channel.isActive)
    connection.pass(seconds: 1)
    #expect(!connection.channel.isActive && connection.greetings == 0)
  }
}
