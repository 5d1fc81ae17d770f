import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import SocketTransport
import Testing

/// A Kraken WebSocket v2 that lists, rejects and delists pairs on a test's command, with empty
/// books.
final class ScriptedKraken: Sendable {
  private struct State {
    var listed: [String]
    var refused: Set<String> = []
    var clients: [any Channel] = []
  }

  private let state: NIOLockedValueBox<State>
  private let listener = NIOLockedValueBox<(any Channel)?>(nil)

  private init(listing pairs: [String]) { state = NIOLockedValueBox(State(listed: pairs)) }

  /// Listens on a free loopback port.
  static func start(
    listing pairs: [String], on group: any EventLoopGroup
  ) async throws -> ScriptedKraken {
    let kraken = ScriptedKraken(listing: pairs)
    let channel = try await ServerBootstrap(group: group)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try WebSocketPipeline.configureServer(channel, accept: { _ in true }, http: []) {
            channel, _ in
            try WebSocketPipeline.add(KrakenHandler(kraken), to: channel, role: .server)
          }
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    kraken.listener.withLockedValue { $0 = channel }
    return kraken
  }

  var url: String {
    "ws://127.0.0.1:\(listener.withLockedValue { $0?.localAddress?.port ?? 0 })/v2"
  }

  /// Lists one more pair, and sends the listing to all clients.
  func list(_ pair: String) {
    let clients = state.withLockedValue { state in
      state.listed.append(pair)
      return state.clients
    }
    for client in clients { say(Self.pairs([pair], "update"), to: client) }
  }

  /// Rejects a still listed pair from now on, and disconnects all clients.
  func refuse(_ pair: String) {
    let clients = state.withLockedValue { state in
      state.refused.insert(pair)
      defer { state.clients = [] }
      return state.clients
    }
    for client in clients { client.close(promise: nil) }
  }

  func stop() async {
    try? await listener.withLockedValue { $0 }?.close()
    for client in state.withLockedValue({ $0.clients }) { client.close(promise: nil) }
  }

  fileprivate func greet(_ client: any Channel) {
    state.withLockedValue { $0.clients.append(client) }
    say(#"{"channel":"status","type":"update","data":[{"system":"online"}]}"#, to: client)
  }

  fileprivate func take(_ text: String, from client: any Channel) {
    let request = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary
    guard let request, request["method"] as? String == "subscribe",
      let wish = request["params"] as? NSDictionary, let number = request["req_id"] as? Int
    else { return }
    let (listed, refused) = state.withLockedValue { ($0.listed, $0.refused) }
    if wish["channel"] as? String == "instrument" {
      return say(Self.pairs(listed, "snapshot"), to: client)
    }
    for pair in wish["symbol"] as? [String] ?? [] {
      if refused.contains(pair) {
        say(
          #"{"error":"Currency pair not supported \#(pair)","method":"subscribe","#
            + #""req_id":\#(number),"success":false,"symbol":"\#(pair)"}"#, to: client)
      } else if wish["channel"] as? String == "book" {
        say(
          #"{"channel":"book","type":"snapshot","data":[{"symbol":"\#(pair)","bids":[],"#
            + #""asks":[],"checksum":0,"timestamp":"2026-11-21T08:00:00.000001Z"}]}"#, to: client)
      }
    }
  }

  private static func pairs(_ pairs: [String], _ type: String) -> String {
    let rows = pairs.map {
      #"{"symbol":"\#($0)","status":"online","qty_precision":8,"price_precision":1}"#
    }
    return #"{"channel":"instrument","type":"\#(type)","data":{"assets":[],"pairs":["#
      + rows.joined(separator: ",") + "]}}"
  }

  private func say(_ text: String, to client: any Channel) {
    client.writeAndFlush(WebSocketMessage.text(ByteBuffer(string: text)), promise: nil)
  }
}

private final class KrakenHandler: ChannelInboundHandler {
  typealias InboundIn = WebSocketMessage
  private let kraken: ScriptedKraken

  init(_ kraken: ScriptedKraken) { self.kraken = kraken }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .text(let buffer) = unwrapInboundIn(data) {
      kraken.take(String(buffer: buffer), from: context.channel)
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .opened? = event as? WebSocketEvent { kraken.greet(context.channel) }
  }
}
