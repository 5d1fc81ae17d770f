// A listener reports its port only after a request to its own socket was answered.

import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import SocketTransport
import TestSupport
import Testing

@testable import SocketServer

@Suite(.timeLimit(.minutes(10))) struct SelfCheckTests {
  private struct Refused: Error {}

  @Test func `a listener that closes what it accepts fails, and logs why`() async throws {
    let lines = NIOLockedValueBox<[String]>([])
    let logger = Logger(label: "test") { _ in ListHandler(lines: lines) }
    try await withThreads(1) { group in
      let listener = SocketListener(
        host: "127.0.0.1", port: 0, limits: SocketLimits(), check: .http(), on: group.next(),
        logger: logger
      ) { _, _, _ in throw Refused() }
      let failure = await #expect(throws: ListenError.self) { try await listener.run() }
      #expect(failure?.cause == "it closes the connections that it accepts")
      await #expect(throws: ListenError.self) { try await listener.port.get() }
    }
    #expect(lines.withLockedValue { $0 }.contains { $0.contains("closed during setup: Refused()") })
  }

  @Test func `a secured listener passes its own check with any certificate`() async throws {
    let tls = try ServerTLS.ofTests()
    try await withThreads(1) { group in
      let listener = SocketListener(
        host: "127.0.0.1", port: 0, limits: SocketLimits(),
        check: .http(secure: ServerTLS.secureSelfCheck), on: group.next(), logger: .quiet
      ) { channel, _, _ in
        try tls.secure(channel)
        try channel.pipeline.syncOperations.addHandler(EchoHandler())
      }
      try await withService(listener) {
        let port = try await listener.port.get()
        #expect(port > 0)
      }
    }
  }

  private final class EchoHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      context.writeAndFlush(data, promise: nil)
    }
  }
}
