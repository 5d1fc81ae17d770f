// Requests over HTTP beside a WebSocket: their outcome is a message of the connection.

import MarketModel
import NIOCore
import NIOHTTP1
import NIOPosix
import SocketTransport
import TestSupport
import Testing
import VenueProtocols

@testable import FeedConnections

@Suite(.timeLimit(.minutes(5))) struct FetchTests {
  private let loop = MultiThreadedEventLoopGroup.singleton.any()
  private let journal = Journal<String>()
  private static let path = "/api/v3/depth?symbol=BTCUSDT"

  /// An open connection to a server whose requests below `/api` have this response.
  private func open(
    _ server: TestServer, requests: String? = ""
  ) async throws -> NIOLoopBound<any FeedTransport> {
    let base = Endpoint(scheme: .http, host: "127.0.0.1", port: server.port)
    let request = TransportRequest(
      venue: .binance, endpoint: server.endpoint(.ws),
      requests: requests.map { base.appending($0) },
      headers: [], options: .patient())
    let feed = try await loop.submit { [loop, journal] in
      let feed = SocketFeed.connector(request, loop) { event in
        switch event {
        case .opened: journal.append("opened")
        case .message(let payload, .text): journal.append(String(buffer: payload))
        default: break
        }
      }
      return NIOLoopBound(feed, eventLoop: loop)
    }.get()
    try await journal.wait("an open connection") { $0 == ["opened"] }
    return feed
  }

  private func fetch(
    _ feed: NIOLoopBound<any FeedTransport>, maximumBytes: Int = 1 << 20
  ) async throws {
    try await loop.submit {
      feed.value.fetch(FetchRequest(path: Self.path, maximumBytes: maximumBytes))
    }.get()
  }

  private func script(
    _ status: HTTPResponseStatus, _ headers: HTTPHeaders = [:], _ body: String
  ) -> ServerScript {
    ServerScript(refusal: { $0.uri.hasPrefix("/api") ? (status, headers, body) : nil })
  }

  private func outcome(
    of script: ServerScript, maximumBytes: Int = 1 << 20, requests: String? = ""
  ) async throws -> String? {
    let server = try await TestServer.webSocket(script)
    let feed = try await open(server, requests: requests)
    try await fetch(feed, maximumBytes: maximumBytes)
    let entries = try await journal.wait("an outcome") { $0.count == 2 }
    try await loop.submit { feed.value.close(code: 1000, reason: "") }.get().get()
    try await server.stop()
    return entries.last
  }

  @Test func `a response arrives as a message with its path, status and body`() async throws {
    let message = try await outcome(of: script(.ok, [:], #"{"lastUpdateId":7}"#))
    #expect(message == #"{"fetched":"\#(Self.path)","status":200,"body":{"lastUpdateId":7}}"#)
  }

  @Test func `a refusal has its status and wait`() async throws {
    let message = try await outcome(of: script(.tooManyRequests, ["retry-after": "9"], "<html>"))
    #expect(message == #"{"fetched":"\#(Self.path)","status":429,"wait":9}"#)
  }

  @Test func `a body that is too large is no response`() async throws {
    let message = try await outcome(
      of: script(.ok, [:], "[" + String(repeating: "1,", count: 600) + "1]"), maximumBytes: 1000)
    #expect(message == #"{"fetched":"\#(Self.path)","status":0}"#)
  }

  @Test func `without an address there is no response`() async throws {
    let message = try await outcome(of: script(.ok, [:], "{}"), requests: nil)
    #expect(message == #"{"fetched":"\#(Self.path)","status":0}"#)
  }

  @Test func `no outcome follows the end of the connection`() async throws {
    let server = try await TestServer.webSocket(script(.ok, [:], "{}"))
    let feed = try await open(server)
    try await loop.submit {
      feed.value.fetch(FetchRequest(path: Self.path, maximumBytes: 100))
      return feed.value.close(code: 1000, reason: "")
    }.get().get()
    try await server.stop()
    #expect(journal.entries == ["opened"])
  }
}
