import Foundation
import NIOConcurrencyHelpers
import NIOCore
import SocketTransport
import TestSupport
import Testing

/// A page without a browser: opens topics, merges patches, and waits for a state with a bound.
final class PageClient: Sendable {
  // @unchecked: the dictionaries come from JSONSerialization and are never changed.
  struct State: @unchecked Sendable {
    var topics: [String: NSDictionary] = [:]
    var sequences: [String: Int] = [:]
    var snapshots: [String: Int] = [:]
    var frames = 0
    var gaps = 0
    var errors: [String] = []
    var pongs: [Int] = []
    var replies: [NSDictionary] = []
    var notices: [NSDictionary] = []
    var closeCode: UInt16?
  }

  private struct Waiter {
    let isDone: @Sendable (State) -> Bool
    let promise: EventLoopPromise<Void>
  }

  private let state = NIOLockedValueBox((state: State(), waiters: [Waiter]()))
  private let channel = NIOLockedValueBox<(any Channel)?>(nil)
  private let loop: any EventLoop

  private init(loop: any EventLoop) { self.loop = loop }

  static func connect(
    port: Int, origin: String?, token: String? = nil, tls: TLSSettings? = nil,
    on loop: any EventLoop
  ) async throws -> PageClient {
    let client = PageClient(loop: loop)
    let endpoint = try Endpoint("\(tls == nil ? "ws" : "wss")://127.0.0.1:\(port)/live")
    let headers =
      (origin.map { [(name: "Origin", value: $0)] } ?? [])
      + (token.map { [(name: "Authorization", value: "Bearer \($0)")] } ?? [])
    let channel = try await WebSocketClient.connect(
      to: endpoint, headers: headers, options: .patient(tls: tls ?? .system), on: loop
    ) { _ in
      PageClientHandler(client: client)
    }.get()
    client.channel.withLockedValue { $0 = channel }
    return client
  }

  var seen: State { state.withLockedValue { $0.state } }

  subscript(topic: String) -> NSDictionary? { seen.topics[topic] }

  func say(_ text: String) {
    let channel = channel.withLockedValue { $0 }
    channel?.writeAndFlush(WebSocketMessage.text(ByteBuffer(string: text)), promise: nil)
  }

  func open(_ topics: String...) {
    say(#"{"open":[\#(topics.map { "\"\($0)\"" }.joined(separator: ","))]}"#)
  }

  func close() async {
    try? await channel.withLockedValue { $0 }?.close()
  }

  func wait(
    _ what: String, sourceLocation: SourceLocation = #_sourceLocation,
    until isDone: @escaping @Sendable (State) -> Bool
  ) async throws {
    let promise = loop.makePromise(of: Void.self)
    let done = state.withLockedValue { both in
      if isDone(both.state) { return true }
      both.waiters.append(Waiter(isDone: isDone, promise: promise))
      return false
    }
    if done { promise.succeed() }
    let deadline = loop.scheduleTask(in: .seconds(Int64(patienceSeconds))) {
      promise.fail(WaitTimeout(what: what))
    }
    do {
      try await promise.futureResult.get()
      deadline.cancel()
    } catch {
      let topics = seen.topics.map { "\($0): \("\($1)".prefix(2_000))" }.joined(separator: "\n")
      Issue.record("\(what): \(topics)", sourceLocation: sourceLocation)
      throw error
    }
  }

  func wait(
    for topic: String, _ what: String, sourceLocation: SourceLocation = #_sourceLocation,
    until isDone: @escaping @Sendable (NSDictionary) -> Bool
  ) async throws {
    try await wait("\(topic) \(what)", sourceLocation: sourceLocation) { state in
      state.topics[topic].map(isDone) ?? false
    }
  }

  fileprivate func receive(_ text: String) {
    let object = try? JSONSerialization.jsonObject(with: Data(text.utf8))
    update { $0.take(object as? NSDictionary ?? [:]) }
  }

  fileprivate func closed(_ code: UInt16) { update { $0.closeCode = code } }

  private func update(_ change: (inout State) -> Void) {
    let ready = state.withLockedValue { both in
      change(&both.state)
      let seen = both.state
      let place = both.waiters.partition { $0.isDone(seen) }
      let ready = Array(both.waiters[place...])
      both.waiters.removeSubrange(place...)
      return ready
    }
    for waiter in ready { waiter.promise.succeed() }
  }
}

struct WaitTimeout: Error {
  let what: String
}

extension PageClient.State {
  /// Applies a message of the server as the page does.
  mutating func take(_ message: NSDictionary) {
    if let error = message["error"] as? NSDictionary {
      errors.append(error["code"] as? String ?? "?")
    }
    if let pong = message["pong"] as? Int { pongs.append(pong) }
    if let reply = message["reply"] as? NSDictionary { replies.append(reply) }
    if let notice = message["notice"] as? NSDictionary { notices.append(notice) }
    guard let news = message["topics"] as? [NSDictionary] else { return }
    frames += 1
    for item in news {
      guard let topic = item["topic"] as? String, let sequence = item["seq"] as? Int else {
        continue
      }
      if let snapshot = item["snapshot"] as? NSDictionary {
        topics[topic] = snapshot
        snapshots[topic, default: 0] += 1
      } else if let patch = item["patch"] as? NSDictionary {
        if sequences[topic] != sequence - 1 { gaps += 1 }
        topics[topic] = merge(patch, into: topics[topic] ?? [:])
      }
      sequences[topic] = sequence
    }
  }
}

private final class PageClientHandler: ChannelInboundHandler {
  typealias InboundIn = WebSocketMessage
  private let client: PageClient

  init(client: PageClient) { self.client = client }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .text(let buffer) = unwrapInboundIn(data) { client.receive(String(buffer: buffer)) }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .closed(let closure)? = event as? WebSocketEvent { client.closed(closure.code) }
  }
}
