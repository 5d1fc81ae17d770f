// Tickets for sockets: a browser adds its cookie to any socket that any page opens, so a page has
// to show besides that it can read what only the server's own pages can.

import MarketModel
import NIOConcurrencyHelpers
import NIOHTTP1
import SocketServer

/// Tickets that have been issued and not used: each opens one socket, once and soon.
///
/// A page names its ticket as a subprotocol: addresses are written into logs, and headers are not.
final class SocketTickets: Sendable {
  /// Where a page gets one.
  static let path = "/session/socket"
  /// The subprotocol that such a socket speaks.
  static let subprotocol = "livetape"
  /// How long a ticket waits for its socket, in milliseconds.
  static let lifetimeMilliseconds: Int64 = 30_000
  /// The most that wait of those who may change something, and of viewers; the oldest goes first.
  static let maximumWaiting = 256

  private struct Ticket {
    let text: String
    let isViewer: Bool
    let end: MonotonicTime
  }

  private static let prefix = "livetape.ticket."
  private let waiting = NIOLockedValueBox<[Ticket]>([])
  private let now: @Sendable () -> MonotonicTime

  /// None yet; `now` reads the clock.
  init(now: @escaping @Sendable () -> MonotonicTime) { self.now = now }

  /// A new one: 128 bits by chance.
  func issue(toViewer isViewer: Bool) -> String {
    var random = SystemRandomNumberGenerator()
    let parts = [random.next(), random.next()].map { String($0, radix: 36) }
    let ticket = Ticket(
      text: parts.joined(separator: "."), isViewer: isViewer,
      end: now().adding(milliseconds: SocketTickets.lifetimeMilliseconds))
    waiting.withLockedValue { waiting in
      forgetOld(&waiting)
      let ofKind = waiting.indices.filter { waiting[$0].isViewer == isViewer }
      if ofKind.count >= SocketTickets.maximumWaiting { waiting.remove(at: ofKind[0]) }
      waiting.append(ticket)
    }
    return ticket.text
  }

  /// Whether a request names a ticket that waits; it goes on waiting.
  func isNamed(by head: HTTPRequestHead, asViewer isViewer: Bool) -> Bool {
    waiting.withLockedValue { place(of: head, isViewer, in: &$0) != nil }
  }

  /// Takes the ticket that a request names; false where none waits.
  func take(for head: HTTPRequestHead, asViewer isViewer: Bool) -> Bool {
    waiting.withLockedValue { waiting in
      guard let place = place(of: head, isViewer, in: &waiting) else { return false }
      waiting.remove(at: place)
      return true
    }
  }

  private func place(
    of head: HTTPRequestHead, _ isViewer: Bool, in waiting: inout [Ticket]
  ) -> Int? {
    forgetOld(&waiting)
    let named = head.headers[canonicalForm: "sec-websocket-protocol"]
      .filter { $0.hasPrefix(SocketTickets.prefix) }
      .map { $0.dropFirst(SocketTickets.prefix.count) }
    guard named.count == 1 else { return nil }
    return waiting.firstIndex { $0.text == named[0] && $0.isViewer == isViewer }
  }

  private func forgetOld(_ waiting: inout [Ticket]) {
    let now = now()
    waiting.removeAll { $0.end <= now }
  }
}

extension AccessPolicy {
  /// What a visitor with the token gets about tickets: one that it asks for, or the refusal of a
  /// socket that has none; nil where that is not the matter.
  func ticketResponse(to head: HTTPRequestHead) -> PlainResponse? {
    guard let tickets else { return nil }
    if head.uri == SocketTickets.path, head.method == .GET {
      return PlainResponse(status: .ok, text: tickets.issue(toViewer: isViewer(head)))
    }
    guard needsTicket(head), !tickets.isNamed(by: head, asViewer: isViewer(head)) else {
      return nil
    }
    return PlainResponse(
      status: .forbidden,
      text: "This socket needs an unused ticket of \(SocketTickets.path), or "
        + "Authorization: Bearer ….\n")
  }

  /// Takes the ticket of a socket that is welcome otherwise; true where it needs none.
  func takeTicket(of head: HTTPRequestHead) -> Bool {
    guard let tickets, needsTicket(head) else { return true }
    return tickets.take(for: head, asViewer: isViewer(head))
  }

  /// Whether a request is for a socket, by a visitor whose browser may have sent the cookie.
  ///
  /// No page can make a browser send a bearer token with a socket.
  private func needsTicket(_ head: HTTPRequestHead) -> Bool {
    head.headers.contains(name: "upgrade") && !isByBearer(head)
  }

  private func isByBearer(_ head: HTTPRequestHead) -> Bool {
    token?.isBearer(of: head) == true || viewerToken?.isBearer(of: head) == true
  }
}
