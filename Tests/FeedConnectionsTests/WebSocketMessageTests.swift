// RFC 6455 on messages: masks, fragments, control frames, text. Numbers in brackets are sections.

import NIOCore
import NIOEmbedded
import SocketTransport
import Testing

@Suite struct WebSocketMessageTests {
  @Test(arguments: [WebSocketRole.client, .server])
  func `text and binary arrive whole, after one opened event`(role: WebSocketRole) throws {
    let wire = try Wire(role)
    wire.receive(.text("hello"), RawFrame(firstByte: 0x82, payload: [0, 255]), .text(""))
    #expect(
      wire.recorder.messages == [
        .text(ByteBuffer(string: "hello")), .binary(ByteBuffer(bytes: [0, 255])),
        .text(ByteBuffer()),
      ])
    #expect(wire.recorder.events == [.opened])
  }

  @Test func `a client masks each frame with a new key, a server masks none (5.3)`() throws {
    for role in [WebSocketRole.client, .server] {
      let wire = try Wire(role)
      for _ in 0..<2 {
        try wire.channel.writeOutbound(WebSocketMessage.text(ByteBuffer(string: "same")))
      }
      wire.command(.ping)
      wire.receive(.ping("x"))
      wire.command(.close(code: 1000, reason: ""))
      let frames = try wire.sent()
      #expect(frames.count == 5)
      #expect(frames.allSatisfy { $0.isMasked == (role == .client) })
      #expect(frames[0].payload == Array("same".utf8))
    }
  }

  @Test func `a server refuses an unmasked frame, a client a masked one (5.1)`() throws {
    for role in [WebSocketRole.client, .server] {
      let wire = try Wire(role)
      wire.receive(bytes: RawFrame.text("x").masked(role == .client).bytes)
      #expect(wire.recorder.messages.isEmpty)
      #expect(try wire.sent().first?.closeCode == 1002)
      #expect(wire.recorder.closures.map(\.code) == [1002])
      #expect(wire.recorder.closures.map(\.initiator) == [.here])
    }
  }

  @Test(arguments: [3, 4, 5, 6, 7, 11, 12, 13, 14, 15] as [UInt8])
  func `a reserved opcode closes with 1002 (5.2)`(opcode: UInt8) throws {
    let wire = try Wire(.server)
    wire.receive(RawFrame(firstByte: 0x80 | opcode, payload: []))
    #expect(try wire.sent().map(\.closeCode) == [1002])
  }

  @Test(arguments: [0x40, 0x20, 0x10, 0x70] as [UInt8])
  func `a reserved bit closes with 1002 (5.2)`(bits: UInt8) throws {
    for opcode in [1, 2, 8, 9, 10] as [UInt8] {
      let wire = try Wire(.server)
      wire.receive(RawFrame(firstByte: 0x80 | bits | opcode, payload: []))
      #expect(try wire.sent().map(\.closeCode) == [1002])
    }
  }

  @Test func `fragments join, and a ping among them is answered at once (5.4)`() throws {
    let wire = try Wire(.server)
    wire.receive(.text("one ", fin: false), .ping("now"), .continuation("two ", fin: false))
    #expect(wire.recorder.messages.isEmpty)
    #expect(try wire.sent() == [.pong(Array("now".utf8))])
    wire.receive(.continuation("three", fin: true), .text("next"))
    #expect(wire.recorder.texts == ["one two three", "next"])
  }

  @Test(arguments: [WebSocketRole.client, .server])
  func `a flood of pings or pongs closes with 1008, a steady rate does not`(
    role: WebSocketRole
  ) throws {
    for frame in [RawFrame.ping("x"), .pong(Array("x".utf8))] {
      let flood = try Wire(role)
      for _ in 0..<1000 { flood.receive(frame) }
      #expect(flood.recorder.closures.isEmpty, "a burst is allowed")
      flood.receive(frame)
      #expect(flood.recorder.closures.map(\.code) == [1008])
      flood.channel.embeddedEventLoop.run()
      #expect(!flood.channel.isActive, "nothing more is read from it")
      let steady = try Wire(role)
      for _ in 0..<3000 {
        steady.receive(frame)
        steady.channel.embeddedEventLoop.advanceTime(by: .milliseconds(10))
      }
      #expect(steady.recorder.closures.isEmpty)
    }
  }

  @Test func `endless small fragments close with 1008, many larger ones join`() throws {
    for part in ["", "x"] {
      let small = try Wire(.client)
      small.receive(.text(part, fin: false))
      for _ in 0..<1200 { small.receive(.continuation(part, fin: false)) }
      #expect(small.recorder.closures.map(\.code) == [1008], "“\(part)”")
    }
    let large = try Wire(.client)
    let part = String(repeating: "x", count: 64)
    large.receive(.text(part, fin: false))
    for _ in 0..<5000 { large.receive(.continuation(part, fin: false)) }
    large.receive(.continuation("", fin: true))
    #expect(large.recorder.texts.map(\.utf8.count) == [64 * 5001])
  }

  @Test func `a continuation of nothing and a message within a message close with 1002`() throws {
    for frames in [
      [RawFrame.continuation("x", fin: true)], [.continuation("x", fin: false)],
      [.text("a", fin: false), .text("b")],
      [.text("a", fin: false), RawFrame(firstByte: 0x82, payload: [1])],
      [.text("a"), .continuation("b", fin: true)],
    ] {
      let wire = try Wire(.server)
      for frame in frames { wire.receive(frame) }
      #expect(try wire.sent().map(\.closeCode) == [1002], "\(frames)")
    }
  }

  @Test func `control frames are short and whole (5.5)`() throws {
    for opcode in [8, 9, 10] as [UInt8] {
      let long = try Wire(.server)
      long.receive(RawFrame(firstByte: 0x80 | opcode, payload: Array(repeating: 97, count: 126)))
      #expect(try long.sent().map(\.closeCode) == [1002])
      let part = try Wire(.server)
      part.receive(RawFrame(firstByte: opcode, payload: []))
      #expect(try part.sent().map(\.closeCode) == [1002])
    }
  }

  @Test func `text that is not UTF-8 closes with 1007, whole or cut (8.1)`() throws {
    let bad: [[UInt8]] = [
      [0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xce],
      Array("κόσμε".utf8) + [0xf5],
    ]
    for bytes in bad {
      let wire = try Wire(.server)
      wire.receive(RawFrame(firstByte: 0x81, payload: bytes))
      #expect(try wire.sent().map(\.closeCode) == [1007], "\(bytes)")
      #expect(wire.recorder.messages.isEmpty)
    }
  }

  @Test func `bad text fails at the fragment that makes it bad`() throws {
    let wire = try Wire(.server)
    wire.receive(.text("fine", fin: false))
    #expect(try wire.sent().isEmpty)
    wire.receive(RawFrame(firstByte: 0, payload: [0xf4, 0x90]))
    #expect(try wire.sent().map(\.closeCode) == [1007])
  }

  @Test func `a character may be cut over fragments, and binary may be anything`() throws {
    let wire = try Wire(.server)
    let bytes = Array("κ𝄞é".utf8)
    for (index, byte) in bytes.enumerated() {
      let fin: UInt8 = index == bytes.count - 1 ? 0x80 : 0
      wire.receive(RawFrame(firstByte: fin | (index == 0 ? 1 : 0), payload: [byte]))
    }
    #expect(wire.recorder.texts == ["κ𝄞é"])
    wire.receive(RawFrame(firstByte: 0x82, payload: [0xff, 0xfe]))
    #expect(wire.recorder.messages.count == 2)
  }

  @Test func `too large a message closes with 1009, in one frame or in many`() throws {
    let limits = WebSocketLimits(maximumMessageBytes: 200)
    let fits = try Wire(.server, limits: limits)
    fits.receive(.text(String(repeating: "x", count: 200)))
    #expect(fits.recorder.messages.count == 1)
    let whole = try Wire(.server, limits: limits)
    whole.receive(.text(String(repeating: "x", count: 201)))
    #expect(try whole.sent().map(\.closeCode) == [1009])
    let parts = try Wire(.server, limits: limits)
    let part = String(repeating: "x", count: 101)
    parts.receive(.text(part, fin: false), .continuation(part, fin: true))
    #expect(try parts.sent().map(\.closeCode) == [1009])
    #expect(parts.recorder.messages.isEmpty)
  }

  @Test func `a length of 2^63 and more is refused before any memory is taken`() throws {
    let wire = try Wire(.client)
    wire.receive(bytes: [0x82, 127, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])
    #expect(try wire.sent().map(\.closeCode) == [1009])
  }

  @Test func `a ping is answered with its own payload`() throws {
    let wire = try Wire(.client)
    wire.receive(.ping(String(repeating: "p", count: 125)), .ping(""))
    let pongs = try wire.sent()
    #expect(pongs.map(\.firstByte) == [0x8a, 0x8a])
    #expect(pongs.map(\.payload.count) == [125, 0])
    #expect(wire.recorder.events == [.opened, .ping, .ping])
  }

  @Test func `behind a full socket only the newest ping is owed an answer (5.5.3)`() throws {
    let wire = try Wire(.server)
    wire.channel.isWritable = false
    for number in 0..<100 { wire.receive(.ping("\(number)")) }
    #expect(try wire.sent().isEmpty)
    wire.channel.isWritable = true
    wire.channel.pipeline.fireChannelWritabilityChanged()
    #expect(try wire.sent() == [.pong(Array("99".utf8))])
  }

  @Test func `our ping measures the round trip, and no other pong does`() throws {
    let wire = try Wire(.client)
    wire.command(.ping)
    let ping = try #require(try wire.sent().first)
    wire.advance(milliseconds: 37)
    wire.receive(.pong([1, 2, 3]), .pong(ping.payload), .pong(ping.payload))
    #expect(
      wire.recorder.events == [
        .opened, .pong(roundTrip: nil), .pong(roundTrip: .milliseconds(37)),
        .pong(roundTrip: nil),
      ])
  }

  @Test func `numbered pings are answered side by side, each by its number`() throws {
    let wire = try Wire(.client)
    wire.command(.numberedPing(.max))
    wire.command(.numberedPing(-2))
    wire.command(.ping)
    let pings = try wire.sent()
    #expect(pings.map(\.firstByte) == [0x89, 0x89, 0x89])
    wire.receive(.pong(pings[1].payload), .pong(pings[2].payload), .pong(pings[0].payload))
    // Bytes that only look alike: too short, too long, with another mark.
    wire.receive(
      .pong(Array(pings[0].payload.dropLast())), .pong(pings[0].payload + [0]),
      .pong([0] + pings[0].payload.dropFirst()))
    let nothing = WebSocketEvent.pong(roundTrip: nil)
    #expect(
      wire.recorder.events == [
        .opened, .numberedPong(-2), .pong(roundTrip: .zero), .numberedPong(.max), nothing,
        nothing, nothing,
      ])
  }

  @Test func `the answer to a ping that another one has replaced measures nothing`() throws {
    let wire = try Wire(.client)
    wire.command(.ping)
    let first = try #require(try wire.sent().first)
    wire.command(.ping)
    wire.receive(.pong(first.payload))
    #expect(wire.recorder.events == [.opened, .pong(roundTrip: nil)])
  }
}
