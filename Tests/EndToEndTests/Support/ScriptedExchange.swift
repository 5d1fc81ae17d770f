import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import Testing

/// An exchange with scripted ticks over raw TCP, sent to all clients after their hello.
final class ScriptedExchange: Sendable {
  private struct State {
    var clients: [any Channel] = []
    var time = 1_790_000_000
    var latest: String?
  }

  private let state = NIOLockedValueBox(State())
  private let listener = NIOLockedValueBox<(any Channel)?>(nil)

  /// Listens on a free loopback port.
  static func start(on group: any EventLoopGroup) async throws -> ScriptedExchange {
    let exchange = ScriptedExchange()
    let channel = try await ServerBootstrap(group: group)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(HelloHandler(exchange: exchange))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    exchange.listener.withLockedValue { $0 = channel }
    // A repeated tick is not a new one; it only confirms that the market has not moved, so that a
    // slow machine sees it as live.
    let repetition = channel.eventLoop.scheduleRepeatedTask(
      initialDelay: .seconds(1), delay: .seconds(1)
    ) { _ in exchange.sayAgain() }
    channel.closeFuture.whenComplete { _ in repetition.cancel() }
    return exchange
  }

  /// The value for `--exchange-url`.
  var url: String {
    "tcp://127.0.0.1:\(listener.withLockedValue { $0?.localAddress?.port ?? 0 })"
  }

  /// A tick: last price is the ask; the time counts up.
  func tick(bid: String, _ bids: Int, ask: String, _ asks: Int) {
    let (line, clients) = state.withLockedValue { state in
      state.time += 1
      let line = "\(state.time),\(ask),\(bid),\(bids),\(ask),\(asks)\n"
      state.latest = line
      return (line, state.clients)
    }
    for client in clients { client.writeAndFlush(ByteBuffer(string: line), promise: nil) }
  }

  func stop() async {
    try? await listener.withLockedValue { $0 }?.close()
    for client in state.withLockedValue({ $0.clients }) { client.close(promise: nil) }
  }

  private func sayAgain() {
    let (line, clients) = state.withLockedValue { ($0.latest, $0.clients) }
    guard let line else { return }
    for client in clients { client.writeAndFlush(ByteBuffer(string: line), promise: nil) }
  }

  /// A new client receives the latest tick at once, as from a running feed.
  fileprivate func welcome(_ client: any Channel) {
    let latest = state.withLockedValue { state in
      state.clients.append(client)
      return state.latest
    }
    if let latest { client.writeAndFlush(ByteBuffer(string: latest), promise: nil) }
  }

  fileprivate func forget(_ client: any Channel) {
    state.withLockedValue { state in state.clients.removeAll { $0 === client } }
  }
}

private final class HelloHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  private let exchange: ScriptedExchange

  init(exchange: ScriptedExchange) { self.exchange = exchange }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if String(buffer: unwrapInboundIn(data)) == "hello" { exchange.welcome(context.channel) }
  }

  func channelInactive(context: ChannelHandlerContext) { exchange.forget(context.channel) }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
