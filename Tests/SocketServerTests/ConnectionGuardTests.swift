// A connection's deadlines, with manual time.

import NIOCore
import NIOEmbedded
import Testing

@testable import SocketServer

@Suite struct ConnectionGuardTests {
  /// A connection with ten seconds for a request and sixty for silence.
  private final class Connection {
    let channel = EmbeddedChannel()
    var activities: [SocketActivity] = []

    init() throws {
      try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
      // An embedded channel can't close half of a socket.
      try channel.pipeline.syncOperations.addHandler(OutputKeeper())
      let limits = SocketLimits(requestMilliseconds: 10_000, idleMilliseconds: 60_000)
      try channel.pipeline.syncOperations.addHandler(
        ConnectionGuard(limits) { self.activities.append($0) })
    }

    func pass(seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }

    func receive(_ count: Int = 1) throws {
      try channel.writeInbound(ByteBuffer(repeating: 0x78, count: count))
    }

    func report(_ progress: RequestProgress) {
      channel.pipeline.triggerUserOutboundEvent(progress, promise: nil)
    }

    func saysNoMore() { channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }

    func quiesce() { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }

    /// Whether the socket is open after this long, and closed a second later.
    func lasts(seconds: Int64) -> Bool {
      pass(seconds: seconds - 1)
      guard channel.isActive else { return false }
      pass(seconds: 2)
      return !channel.isActive
    }
  }

  @Test func `a silent socket has ten seconds`() throws {
    #expect(try Connection().lasts(seconds: 10))
  }

  @Test func `a byte now and then buys no time for the first request`() throws {
    let connection = try Connection()
    for _ in 0..<9 {
      connection.pass(seconds: 1)
      try connection.receive()
    }
    #expect(connection.lasts(seconds: 1))
  }

  @Test func `after an answer there is a minute, and ten seconds for half a request`() throws {
    let idle = try Connection()
    idle.report(.received)
    idle.report(.answered(isLast: false))
    #expect(idle.activities == [.busy, .idle])
    #expect(idle.lasts(seconds: 60))

    let slow = try Connection()
    slow.report(.received)
    slow.report(.answered(isLast: false))
    slow.pass(seconds: 50)
    try slow.receive()
    #expect(slow.lasts(seconds: 10))
  }

  @Test func `when the listener stops, a kept connection ends at once`() throws {
    let idle = try Connection()
    idle.report(.received)
    idle.report(.answered(isLast: false))
    idle.quiesce()
    #expect(!idle.channel.isActive)
    let silent = try Connection()
    silent.quiesce()
    #expect(!silent.channel.isActive)
  }

  @Test func `a half-closed socket ends after its response`() throws {
    let idle = try Connection()
    idle.report(.received)
    idle.report(.answered(isLast: false))
    idle.saysNoMore()
    #expect(!idle.channel.isActive)
    let asking = try Connection()
    asking.report(.received)
    asking.saysNoMore()
    #expect(asking.channel.isActive)
    asking.report(.answered(isLast: false))
    #expect(asking.lasts(seconds: 2))
  }

  @Test func `when the listener stops, requests that were read are answered first`() throws {
    let connection = try Connection()
    connection.report(.received)
    connection.report(.received)
    connection.quiesce()
    #expect(connection.channel.isActive)
    connection.report(.answered(isLast: false))
    #expect(connection.channel.isActive, "one more is being answered")
    connection.report(.answered(isLast: false))
    #expect(connection.lasts(seconds: 2), "the other end may take so long to close")
  }

  @Test func `an unread response ends the connection after a minute`() throws {
    let connection = try Connection()
    connection.pass(seconds: 9)
    connection.report(.received)
    #expect(connection.lasts(seconds: 60))
  }

  @Test func `an answer does not end the wait for the one that follows`() throws {
    let connection = try Connection()
    connection.report(.received)
    connection.report(.received)
    connection.report(.answered(isLast: false))
    try connection.receive()
    #expect(connection.activities == [.busy])
    #expect(connection.lasts(seconds: 60), "a request is still being answered")
  }

  @Test func `half a request that came during an answer has ten seconds, too`() throws {
    let connection = try Connection()
    connection.report(.received)
    try connection.receive()
    connection.pass(seconds: 30)
    connection.report(.answered(isLast: false))
    #expect(connection.lasts(seconds: 10))
  }

  @Test func `after the last answer little is read, and not for long`() throws {
    let talkative = try Connection()
    talkative.report(.answered(isLast: true))
    try talkative.receive(ConnectionGuard.maximumDiscardedBytes)
    #expect(talkative.channel.isActive)
    let passedOn = try talkative.channel.readInbound(as: ByteBuffer.self)
    #expect(passedOn == nil, "nobody is left who would read it")
    try talkative.receive()
    #expect(!talkative.channel.isActive)

    let silent = try Connection()
    silent.report(.answered(isLast: true))
    #expect(silent.lasts(seconds: 2))
  }
}

/// Keeps the other half of the socket when one is closed.
private final class OutputKeeper: ChannelOutboundHandler {
  typealias OutboundIn = ByteBuffer

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    if mode == .output {
      promise?.succeed()
    } else {
      context.close(mode: mode, promise: promise)
    }
  }
}
