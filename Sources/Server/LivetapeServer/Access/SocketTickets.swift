import MarketModel
import NIOConcurrencyHelpers
import NIOHTTP1
import SocketServer

/// Tickets for browser sockets: each opens one socket, once and within seconds.
///
/// A browser adds its cookie to any socket that any page opens, so a page must also prove that it
/// can read responses reserved for the server's own pages. The ticket is sent as a subprotocol,
/// because addresses are logged and headers are not.
final class SocketTickets: Sendable {
  static let path = "/session/socket"
  static let subprotocol = "livetape"
  /// How long a ticket is valid, in milliseconds.
  static let lifetimeMilliseconds: Int64 = 30_000
  /// The maximum number of unused tickets, each for viewers and others; the oldest is dropped
  /// first.
  static let maximumWaiting = 256

  private struct Ticket {
    let text: String
    let isViewer: Bool
    let end: MonotonicTime
  }

  private static let prefix = "livetape.ticket."
  private let waiting = NIOLockedValueBox<[Ticket]>([])
  private let now: @Sendable () -> MonotonicTime

  init(now: @escaping @Sendable () -> MonotonicTime) { self.now = now }

  /// A new ticket of 128 random bits.
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

  /// Whether a request has an unused ticket; does not consume it.
  func isNamed(by head: HTTPRequestHead, asViewer isViewer: Bool) -> Bool {
    waiting.withLockedValue { place(of: head, isViewer, in: &$0) != nil }
  }

  /// Consumes a request's ticket; false if it has none.
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
  /// The response to an admitted request about tickets: a new one, or a rejection of a socket
  /// without one; nil for other requests.
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

  /// Consumes the ticket of an otherwise acceptable socket; true if it needs none.
  func takeTicket(of head: HTTPRequestHead) -> Bool {
    guard let tickets, needsTicket(head) else { return true }
    return tickets.take(for: head, asViewer: isViewer(head))
  }

  /// Whether a request is for a socket whose browser may have sent the cookie.
  ///
  /// No page can make a browser send a bearer token with a socket.
  private func needsTicket(_ head: HTTPRequestHead) -> Bool {
    head.headers.contains(name: "upgrade") && !isByBearer(head)
  }

  private func isByBearer(_ head: HTTPRequestHead) -> Bool {
    token?.isBearer(of: head) == true || viewerToken?.isBearer(of: head) == true
  }
}
