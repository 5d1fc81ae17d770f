// Which sockets need a token, how long one is valid, and for what.

import MarketModel
import NIOConcurrencyHelpers
import NIOHTTP1
import SocketServer
import Testing

@testable import LivetapeServer

@Suite struct SocketTicketsTests {
  private let time = NIOLockedValueBox<Int64>(0)
  private let policy: AccessPolicy

  init() throws {
    let time = time
    policy = AccessPolicy(
      origins: OriginPolicy(listeningOn: "127.0.0.1"), token: try PageToken("0123456789abcdef"),
      viewerToken: try PageToken("viewer-0123456789"),
      tickets: SocketTickets { MonotonicTime(nanoseconds: time.withLockedValue { $0 }) },
      isLoopbackOnly: true, now: { Timestamp(milliseconds: 0) })
  }

  private static let (trader, viewer) = ("0123456789abcdef", "viewer-0123456789")

  private func head(
    _ uri: String, as token: String, ticket: String? = nil, _ more: HTTPHeaders = [:]
  ) -> HTTPRequestHead {
    let session = PageSession.issue(by: Array(token.utf8), at: Timestamp(milliseconds: 0))
    var headers: HTTPHeaders = ["Host": "127.0.0.1:8080", "Cookie": "livetape=\(session)"]
    if uri != SocketTickets.path { headers.add(name: "Upgrade", value: "websocket") }
    if let ticket {
      headers.add(name: "Sec-WebSocket-Protocol", value: "livetape, livetape.ticket.\(ticket)")
    }
    headers.add(contentsOf: more)
    return HTTPRequestHead(version: .http1_1, method: .GET, uri: uri, headers: headers)
  }

  private func ticket(as token: String) throws -> String {
    let answer = try #require(policy.response(to: head(SocketTickets.path, as: token)))
    #expect(answer.status == .ok)
    return answer.text
  }

  @Test(arguments: ["/live", "/api/v1/stream"])
  func `a ticket opens one socket, once`(uri: String) throws {
    let ticket = try ticket(as: Self.trader)
    let first = head(uri, as: Self.trader, ticket: ticket)
    #expect(policy.response(to: head(uri, as: Self.trader))?.status == .forbidden)
    #expect(policy.response(to: first) == nil)
    #expect(policy.takeTicket(of: first))
    #expect(policy.response(to: first)?.status == .forbidden)
    #expect(!policy.takeTicket(of: first))
  }

  @Test func `it opens none after half a minute`() throws {
    let ticket = try ticket(as: Self.trader)
    time.withLockedValue { $0 = 29_999_999_999 }
    #expect(policy.response(to: head("/live", as: Self.trader, ticket: ticket)) == nil)
    time.withLockedValue { $0 = 30_000_000_000 }
    #expect(
      policy.response(to: head("/live", as: Self.trader, ticket: ticket))?.status == .forbidden)
  }

  @Test func `it is worth nothing with the other token, or with none`() throws {
    let ticket = try ticket(as: Self.viewer)
    #expect(
      policy.response(to: head("/live", as: Self.trader, ticket: ticket))?.status == .forbidden)
    #expect(
      policy.response(to: head("/live", as: "nobody", ticket: ticket))?.status == .unauthorized)
    #expect(policy.response(to: head(SocketTickets.path, as: "nobody"))?.status == .unauthorized)
  }

  @Test func `scripts with a bearer token need none, and plain requests neither`() throws {
    let bearer: HTTPHeaders = ["Authorization": "Bearer \(Self.trader)"]
    let script = head("/live", as: "nobody", bearer)
    #expect(policy.response(to: script) == nil && policy.takeTicket(of: script))
    var plain = head("/live", as: Self.trader)
    plain.headers.remove(name: "upgrade")
    #expect(policy.response(to: plain) == nil)
  }

  @Test func `a client with too many tokens loses its own oldest, and no other's`() throws {
    let trading = try ticket(as: Self.trader)
    let viewing = try (0...SocketTickets.maximumWaiting).map { _ in try ticket(as: Self.viewer) }
    #expect(Set(viewing).count == viewing.count)
    func status(_ ticket: String, as token: String) -> HTTPResponseStatus? {
      policy.response(to: head("/live", as: token, ticket: ticket))?.status
    }
    #expect(status(trading, as: Self.trader) == nil)
    #expect(status(viewing[0], as: Self.viewer) == .forbidden)
    for ticket in viewing.dropFirst() { #expect(status(ticket, as: Self.viewer) == nil) }
  }

  @Test func `without a token there are no tickets, and no socket needs one`() throws {
    let free = LivetapeConfiguration().access()
    #expect(free.response(to: head(SocketTickets.path, as: "nobody")) == nil)
    let socket = head("/live", as: "nobody")
    #expect(free.response(to: socket) == nil && free.takeTicket(of: socket))
  }
}
