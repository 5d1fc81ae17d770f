import MarketModel
import NIOCore
import NIOHTTP1
import SocketServer

/// Access rules for every request: valid Host, valid Origin, and the token if the server has one.
struct AccessPolicy: Sendable {
  let origins: OriginPolicy
  let token: PageToken?
  /// A second token that may view everything and change nothing.
  var viewerToken: PageToken?
  /// Tickets for browser sockets; nil if no token is needed.
  var tickets: SocketTickets?
  /// Rate-limits wrong tokens; nil if no token is needed.
  var tokenGuard: TokenGuard?
  /// Whether browsers reach the server over TLS: its own, or a configured proxy's.
  var isSecure = false
  /// Whether a configured proxy forwards requests with the client in `X-Forwarded-For`.
  var isBehindProxy = false
  /// Whether only this machine can reach the server, not even through a proxy.
  let isLoopbackOnly: Bool
  let now: @Sendable () -> Timestamp

  /// The response that replaces the requested one, or nil to proceed.
  func response(to head: HTTPRequestHead, from socket: SocketSource = .unknown) -> PlainResponse? {
    if let refusal = origins.refusal(of: head.headers) { return refusal }
    if let refusal = crossSiteRefusal(of: head) { return refusal }
    if isProbe(head) { return nil }
    guard let token else { return ticketResponse(to: head) }
    let (source, now, sent) = (source(of: head, socket), now(), PageToken.sent(by: head))
    if !sent.isEmpty, let pause = tokenGuard?.pause(for: source) { return pause }
    let isViewing = viewerToken?.admits(head, at: now) == true
    if token.admits(head, at: now) {
      tokenGuard?.admit(source)
    } else if !sent.isEmpty, !isViewing {
      tokenGuard?.refuse(sent, from: source)
    }
    let own = isViewing ? viewerToken ?? token : token
    return own.response(to: head, isSecure: isSecure, at: now) ?? ticketResponse(to: head)
  }

  /// The source of a request: the proxy's last entry, if there is a proxy.
  private func source(of head: HTTPRequestHead, _ socket: SocketSource) -> SocketSource {
    guard isBehindProxy, let last = head.headers[canonicalForm: "x-forwarded-for"].last else {
      return socket
    }
    return SocketSource(literal: String(last)) ?? socket
  }

  /// Folders of data, which no other site has a reason to link to: each request may cost a request
  /// to a venue.
  private static let dataFolders: Set<Substring> = ["api", "history", "live", "session", "spark"]

  /// Rejects requests of other sites' pages, whatever the path.
  ///
  /// Browsers send `Origin` with few of these requests, and cookies with some. Links to documents
  /// are still allowed.
  private func crossSiteRefusal(of head: HTTPRequestHead) -> PlainResponse? {
    let sites = head.headers[canonicalForm: "sec-fetch-site"].map { $0.lowercased() }
    guard sites.contains("cross-site") || sites.contains("same-site") else { return nil }
    let folder = head.uri.prefix { $0 != "?" }.split(separator: "/").first ?? ""
    let isLink =
      (head.method == .GET || head.method == .HEAD)
      && head.headers["sec-fetch-mode"] == ["navigate"]
      && head.headers["sec-fetch-dest"] == ["document"]
      && !AccessPolicy.dataFolders.contains(folder)
    return isLink
      ? nil
      : PlainResponse(status: .forbidden, text: "Pages of another site may not use this server.\n")
  }

  /// Whether an admitted request is read-only, because it has only the viewers' token.
  func isViewer(_ head: HTTPRequestHead) -> Bool {
    guard let token, let viewerToken else { return false }
    let now = now()
    return viewerToken.admits(head, at: now) && !token.admits(head, at: now)
  }

  /// The visitor of a request's socket: its rights and its source.
  func visitor(_ head: HTTPRequestHead, on channel: any NIOCore.Channel) -> Visitor {
    Visitor(
      address: source(of: head, SocketSource(channel.remoteAddress)).description,
      isViewer: isViewer(head))
  }

  private static let probes: Set<Substring> = ["/healthz", "/readyz"]
  private static let forwarding = [
    "forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via",
  ]

  /// Whether this machine's supervisor requests the health, which needs no token.
  ///
  /// A local proxy forwards requests of other machines, which need one.
  private func isProbe(_ head: HTTPRequestHead) -> Bool {
    isLoopbackOnly && (head.method == .GET || head.method == .HEAD)
      && AccessPolicy.probes.contains(head.uri.prefix { $0 != "?" })
      && !AccessPolicy.forwarding.contains { head.headers.contains(name: $0) }
  }
}
