// RFC 6455 on the end of a connection: codes, reasons, which end closes, and that it always ends.

import NIOCore
import NIOEmbedded
import SocketTransport
import Testing

@Suite struct WebSocketClosingTests {
  @Test(
    arguments: [
      1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000,
      4999,
    ] as [UInt16])
  func `a lawful code is echoed and reported with its reason (7.4)`(code: UInt16) throws {
    let wire = try Wire(.server)
    wire.receive(.close(code, "bye κ"))
    #expect(try wire.sent() == [.close(code)])
    let expected = WebSocketClosure(code: code, reason: "bye κ", initiator: .there)
    #expect(wire.recorder.closures == [expected])
  }

  @Test(
    arguments: [0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535] as [UInt16])
  func `a code that must not be sent is answered with 1002`(code: UInt16) throws {
    let wire = try Wire(.server)
    wire.receive(.close(code))
    #expect(try wire.sent().map(\.closeCode) == [1002])
    #expect(wire.recorder.closures.map(\.code) == [1002])
  }

  @Test func `an empty close is echoed empty and reported as 1005`() throws {
    let wire = try Wire(.server)
    wire.receive(RawFrame(firstByte: 0x88, payload: []))
    #expect(try wire.sent() == [RawFrame(firstByte: 0x88, payload: [])])
    #expect(wire.recorder.closures.map(\.code) == [1005])
  }

  @Test func `half a code is 1002, a reason that is not UTF-8 is 1007`() throws {
    let half = try Wire(.server)
    half.receive(RawFrame(firstByte: 0x88, payload: [3]))
    #expect(try half.sent().map(\.closeCode) == [1002])
    let text = try Wire(.server)
    text.receive(RawFrame(firstByte: 0x88, payload: [3, 0xe8, 0xff]))
    #expect(try text.sent().map(\.closeCode) == [1007])
  }

  @Test func `nothing is delivered after a close, and writes fail`() throws {
    let wire = try Wire(.client)
    wire.receive(.close(1001, "maintenance"), .text("late"), .ping("late"))
    #expect(wire.recorder.messages.isEmpty)
    #expect(try wire.sent() == [RawFrame.close(1001).masked()])
    #expect(throws: ChannelError.ioOnClosedChannel) {
      try wire.channel.writeOutbound(WebSocketMessage.text(ByteBuffer(string: "x")))
    }
  }

  @Test func `closing here waits for the reply and reports this end's code`() throws {
    let wire = try Wire(.server)
    wire.command(.close(code: 4001, reason: "bored"))
    wire.command(.close(code: 4002, reason: "again"))
    #expect(try wire.sent() == [.close(4001, "bored")])
    wire.receive(.text("under way"))
    #expect(wire.recorder.messages.isEmpty)
    #expect(wire.channel.isActive)
    wire.receive(.close(4001))
    #expect(!wire.channel.isActive)
    let expected = WebSocketClosure(code: 4001, reason: "bored", initiator: .here)
    #expect(wire.recorder.closures == [expected])
  }

  @Test func `a close without an answer ends the socket after two seconds`() throws {
    for role in [WebSocketRole.client, .server] {
      let wire = try Wire(role)
      wire.command(.close(code: 1000, reason: ""))
      wire.advance(milliseconds: 1999)
      #expect(wire.channel.isActive)
      wire.advance(milliseconds: 1)
      #expect(!wire.channel.isActive)
      #expect(wire.recorder.closures.map(\.code) == [1000])
    }
  }

  @Test func `a client lets the server end the socket, but not for ever (7.1.1)`() throws {
    let wire = try Wire(.client)
    wire.receive(.close(1000))
    #expect(wire.channel.isActive)
    wire.advance(milliseconds: 2000)
    #expect(!wire.channel.isActive)
    #expect(wire.recorder.closures.count == 1)
  }

  @Test func `a vanished socket is 1006`() throws {
    let wire = try Wire(.client)
    wire.channel.close(promise: nil)
    wire.channel.embeddedEventLoop.run()
    #expect(wire.recorder.closures == [.abnormal])
  }

  @Test func `a half-closed socket is closed and 1006`() throws {
    let wire = try Wire(.server)
    wire.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    wire.channel.embeddedEventLoop.run()
    #expect(!wire.channel.isActive)
    #expect(wire.recorder.closures == [.abnormal])
  }

  @Test func `a server that shuts down sends 1001 and ends within two seconds`() throws {
    let wire = try Wire(.server)
    wire.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    #expect(try wire.sent().map(\.closeCode) == [1001])
    wire.advance(milliseconds: 2000)
    #expect(!wire.channel.isActive)
  }

  @Test func `an error of the socket ends it and is reported once`() throws {
    let wire = try Wire(.client)
    wire.channel.pipeline.fireErrorCaught(IOError(errnoCode: 104, reason: "read"))
    wire.channel.embeddedEventLoop.run()
    #expect(!wire.channel.isActive)
    #expect(wire.recorder.closures == [.abnormal])
  }

  @Test func `a code that must not be sent becomes 1000, a long reason is cut at a character`()
    throws
  {
    let wire = try Wire(.server)
    wire.command(.close(code: 1006, reason: "x" + String(repeating: "é", count: 200)))
    let frame = try #require(try wire.sent().first)
    #expect(frame.closeCode == 1000)
    #expect(frame.payload.count == 2 + 123)
    #expect(String(validating: frame.payload.dropFirst(2), as: UTF8.self) != nil)
  }

  @Test func `whatever bytes come, nothing traps and at most one close is sent`() throws {
    for seed in 0..<300 as Range<UInt64> {
      var generator = SeededGenerator(seed)
      let wire = try Wire(
        seed % 2 == 0 ? .server : .client, limits: WebSocketLimits(maximumMessageBytes: 512))
      for _ in 0..<20 {
        let count = Int.random(in: 0...40, using: &generator)
        if Bool.random(using: &generator) {
          wire.receive(bytes: (0..<count).map { _ in .random(in: 0...255, using: &generator) })
        } else {
          let first = UInt8.random(in: 0...255, using: &generator)
          let payload = (0..<count).map { _ in UInt8.random(in: 32...127, using: &generator) }
          wire.receive(RawFrame(firstByte: first & 0x8f, payload: payload))
        }
      }
      let closes = try wire.sent().filter { $0.firstByte == 0x88 }.count
      #expect(closes <= 1, "seed \(seed)")
      #expect(wire.recorder.closures.count <= 1, "seed \(seed)")
    }
  }
}
