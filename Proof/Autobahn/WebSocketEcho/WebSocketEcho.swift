// Both ends of SocketTransport for the Autobahn test suite: an echo server and client.
//
//     websocket-echo server PORT          echoes every message until it is killed
//     websocket-echo client URL AGENT     runs all cases of a fuzzing server, then its report

import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import SocketTransport

/// More than the suite's largest message.
let limits = WebSocketLimits(maximumMessageBytes: 32 << 20)

/// Writes a line without buffering.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

/// Echoes messages in order.
final class EchoHandler: ChannelInboundHandler {
  typealias InboundIn = WebSocketMessage
  typealias OutboundOut = WebSocketMessage

  /// The first message, for a client that requests one value; then the connection closes.
  let answer: EventLoopPromise<String>?

  init(answer: EventLoopPromise<String>? = nil) { self.answer = answer }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let message = Self.unwrapInboundIn(data)
    if let answer {
      answer.succeed(String(buffer: message.payload))
    } else {
      context.writeAndFlush(Self.wrapOutboundOut(message), promise: nil)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    answer?.fail(ChannelError.eof)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}

final class NothingElse: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart

  func channelRead(context: ChannelHandlerContext, data: NIOAny) { context.close(promise: nil) }
}

/// Listens on loopback; never returns.
func serve(port: Int) async throws {
  let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
    .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
    .childChannelOption(.allowRemoteHalfClosure, value: true)
    .childChannelInitializer { channel in
      channel.eventLoop.makeCompletedFuture {
        try WebSocketPipeline.configureServer(
          channel, limits: limits, accept: { _ in true }, http: [NothingElse()],
          upgraded: { channel, _ in
            try WebSocketPipeline.add(EchoHandler(), to: channel, role: .server, limits: limits)
          })
      }
    }
    .bind(host: "127.0.0.1", port: port).get()
  say("listening on \(channel.localAddress?.port ?? 0)")
  try await channel.closeFuture.get()
}

/// A connection to the fuzzing server; returns its first message if requested.
func connect(_ address: String, wantsAnswer: Bool = false) async throws -> String {
  let loop = MultiThreadedEventLoopGroup.singleton.next()
  let answer = wantsAnswer ? loop.makePromise(of: String.self) : nil
  let channel = try await WebSocketClient.connect(
    to: try Endpoint(address), options: ClientOptions(limits: limits), on: loop
  ) { _ in EchoHandler(answer: answer) }.get()
  let said = try await answer?.futureResult.get() ?? ""
  try await channel.closeFuture.get()
  return said
}

/// Runs all cases, one after the other, and requests the report.
func runCases(_ base: String, agent: String) async throws {
  guard let count = Int(try await connect("\(base)/getCaseCount", wantsAnswer: true)) else {
    throw ChannelError.badInterfaceAddressFamily
  }
  say("\(count) cases")
  for number in 1...max(1, count) {
    do {
      _ = try await connect("\(base)/runCase?case=\(number)&agent=\(agent)")
    } catch {
      // The suite judges the case.
      say("case \(number): \(error)")
    }
  }
  _ = try await connect("\(base)/updateReports?agent=\(agent)")
}

@main
enum WebSocketEcho {
  static func main() async throws {
    let words = CommandLine.arguments.dropFirst()
    switch (words.first, words.count) {
    case ("server", 2): try await serve(port: words.last.flatMap { Int($0) } ?? 0)
    case ("client", 3):
      let rest = Array(words.dropFirst())
      try await runCases(rest[0], agent: rest[1])
    default:
      say("websocket-echo server PORT | client URL AGENT")
      exit(64)
    }
  }
}
