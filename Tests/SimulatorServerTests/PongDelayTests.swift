// Delayed pongs: late, in order, and within a bound.

import NIOCore
import NIOEmbedded
import NIOWebSocket
import Testing

@testable import SimulatorServer

@Suite struct PongDelayTests {
  private let channel = EmbeddedChannel()

  private func write(_ opcode: WebSocketOpcode, _ text: String) throws {
    let frame = WebSocketFrame(fin: true, opcode: opcode, data: ByteBuffer(string: text))
    try channel.writeOutbound(frame)
  }

  private func written() throws -> [String] {
    var texts: [String] = []
    while let frame = try channel.readOutbound(as: WebSocketFrame.self) {
      texts.append(String(buffer: frame.data))
    }
    return texts
  }

  private func start(_ milliseconds: @escaping () -> Int64) throws {
    try channel.pipeline.syncOperations.addHandler(PongDelay(milliseconds))
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
  }

  @Test func `only answers to pings are held, and come in order`() throws {
    try start { 300 }
    try write(.pong, "a")
    try write(.text, "b")
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(299))
    try write(.pong, "c")
    #expect(try written() == ["b"])
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
    #expect(try written() == ["a"])
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(299))
    #expect(try written() == ["c"])
  }

  @Test func `without a delay nothing is held`() throws {
    try start { 0 }
    try write(.pong, "a")
    #expect(try written() == ["a"])
  }

  @Test func `no more answers are held than a bound, and none once the client is gone`() throws {
    try start { 300 }
    for number in 0..<PongDelay.maximumHeld + 10 { try write(.pong, "\(number)") }
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(300))
    #expect(try written() == (0..<PongDelay.maximumHeld).map { "\($0)" })
    try write(.pong, "late")
    _ = try channel.finish()
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(300))
    #expect(try written() == [])
  }
}
