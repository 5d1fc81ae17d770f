// Which requests the page's server accepts: right Host, right Origin, and the token where there is
// one.

import MarketModel
import NIOCore
import NIOHTTP1
import SocketServer

/// The rules for every request, whatever it asks for.
struct AccessPolicy: Sendable {
  let origins: OriginPolicy
  let token: PageToken?
  /// Another token, which may see everything and change nothing.
  var viewerToken: PageToken?
  /// What sockets of browsers need beside it; nil where nothing needs a token.
  var tickets: SocketTickets?
  /// Counts wrong tokens; nil where nothing needs a token.
  var tokenGuard: TokenGuard?
  /// Whether browsers reach the server over TLS: its own, or that of the named proxy.
  var isSecure = false
  /// Whether a named proxy passes requests on, and says in `X-Forwarded-For` from where.
  var isBehindProxy = false
  /// Whether only this machine can reach the server, not even others through a proxy.
  let isLoopbackOnly: Bool
  /// Reads the clock by which sessions end.
  let now: @Sendable () -> Timestamp

  /// The response that a request gets instead of what it asked for, or nil when it may go on.
  func response(
    to head: HTTPRequestHead, from socket: SocketSource = .unknown
  ) -> PlainResponse? {
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

  /// Where a request comes from: the proxy's last word about it, where there is a proxy.
  private func source(of head: HTTPRequestHead, _ socket: SocketSource) -> SocketSource {
    guard isBehindProxy, let last = head.headers[canonicalForm: "x-forwarded-for"].last else {
      return socket
    }
    return SocketSource(literal: String(last)) ?? socket
  }

  /// Folders of data, which a link on another site has no reason to open: each request may cost a
  /// request to a venue.
  private static let dataFolders: Set<Substring> = ["api", "history", "live", "session", "spark"]

  /// Rejects what a page of another site sends, whatever its path.
  ///
  /// A browser adds `Origin` to few of these requests, and cookies to some. A person may still
  /// follow a link to a document.
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

  /// Whether an admitted request may change nothing: it came with the viewers' token.
  ///
  /// A request with both tokens may do what the stronger one allows.
  func isViewer(_ head: HTTPRequestHead) -> Bool {
    guard let token, let viewerToken else { return false }
    let now = now()
    return viewerToken.admits(head, at: now) && !token.admits(head, at: now)
  }

  /// Whose socket a request opens: by what it may do, and by the source that it comes from.
  func visitor(_ head: HTTPRequestHead, on channel: any NIOCore.Channel) -> Visitor {
    Visitor(
      address: source(of: head, SocketSource(channel.remoteAddress)).description,
      isViewer: isViewer(head))
  }

  /// Paths that say how the server is, and nothing that it knows.
  private static let probes: Set<Substring> = ["/healthz", "/readyz"]
  /// What a proxy says of the one it asks for.
  private static let forwarding = [
    "forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via",
  ]

  /// Whether this machine's own supervisor asks how the server is: that needs no token.
  ///
  /// A proxy on this machine asks for others, who need one.
  private func isProbe(_ head: HTTPRequestHead) -> Bool {
    isLoopbackOnly && (head.method == .GET || head.method == .HEAD)
      && AccessPolicy.probes.contains(head.uri.prefix { $0 != "?" })
      && !AccessPolicy.forwarding.contains { head.headers.contains(name: $0) }
  }
}
