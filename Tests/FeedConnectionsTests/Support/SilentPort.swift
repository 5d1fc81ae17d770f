// A port of loopback at which nobody listens for as long as a test holds it.

import NIOCore
import NIOPosix
import SocketTransport

/// The client's end of a connection: its port is taken, and refuses whoever connects to it. (The
/// port of a listener that has just closed may still take a connection for a moment.)
struct SilentPort {
  private let server: TestServer
  private let channel: any NIOCore.Channel

  static func hold() async throws -> SilentPort {
    let server = try await TestServer.start { _, _ in }
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(host: "127.0.0.1", port: server.port).get()
    return SilentPort(server: server, channel: channel)
  }

  func endpoint(_ scheme: Endpoint.Scheme) -> Endpoint {
    Endpoint(scheme: scheme, host: "127.0.0.1", port: channel.localAddress?.port ?? 0)
  }

  func release() async throws {
    try await channel.close()
    try await server.stop()
  }
}
