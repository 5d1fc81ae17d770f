package import NIOHTTP1
import SocketTransport

/// Validates a request's Host and Origin.
///
/// A browser sends the host name that the page used and the page's origin. Pages of other sites
/// must not read or order anything here, not even through a host name made to resolve to this
/// machine.
package struct OriginPolicy: Sendable {
  /// Which pages may use the server.
  package enum Visitors: Sendable {
    /// Pages that this server has served.
    case own
    /// Also pages that another server on this machine has served.
    case thisMachine
  }

  private let names: Set<String>
  private let acceptsAddresses: Bool
  private let visitors: Visitors
  private let isOverTLS: Bool
  private let isProxyOnly: Bool

  /// The policy of a server that listens on `host` and also has other `names`.
  ///
  /// On loopback, valid hosts are loopback addresses and localhost; elsewhere any address, since an
  /// address, unlike a name, can't be made to resolve here. With `proxyOnly`, the listening address
  /// is not a valid name: requests name the proxy, which is in `names`. With `overTLS`, browsers
  /// use TLS, so a page loaded without it is foreign; behind a proxy, pages of this machine may
  /// have been loaded without it.
  package init(
    listeningOn host: String, names: [String] = [], proxyOnly: Bool = false,
    overTLS: Bool = false, visitors: Visitors = .own
  ) {
    (isOverTLS, isProxyOnly) = (overTLS, proxyOnly)
    self.names = Set((proxyOnly ? names : names + [host]).map { $0.lowercased() })
    acceptsAddresses = !proxyOnly && !IPAddress.isLoopback(host)
    self.visitors = visitors
  }

  /// The response that rejects a request, or nil.
  package func refusal(of headers: HTTPHeaders) -> PlainResponse? {
    let hosts = headers["host"]
    guard hosts.count == 1, let host = hosts.first?.lowercased(),
      let authority = OriginPolicy.authority(host)
    else { return PlainResponse(status: .badRequest, text: "A request needs one Host.\n") }
    guard isOwn(authority.host) else {
      return PlainResponse(
        status: .forbidden,
        text: "This server does not go by that name; --host-name gives it another.\n")
    }
    let origins = headers["origin"]
    guard let origin = origins.first?.lowercased() else { return nil }
    let mayBePlain = !isOverTLS || isProxyOnly && IPAddress.isLoopback(authority.host)
    guard origins.count == 1, isWelcome(origin, host: host, mayBePlain: mayBePlain) else {
      return PlainResponse(
        status: .forbidden, text: "Pages of another Origin may not use this server.\n")
    }
    return nil
  }

  private func isOwn(_ host: String) -> Bool {
    IPAddress.isLoopback(host) || names.contains(host)
      || acceptsAddresses && IPAddress.isLiteral(host)
  }

  /// Without TLS the server can't verify a page's scheme: an unconfigured proxy may use TLS.
  private func isWelcome(_ origin: String, host: String, mayBePlain: Bool) -> Bool {
    if origin == "https://\(host)" || mayBePlain && origin == "http://\(host)" { return true }
    guard visitors == .thisMachine, let endpoint = try? Endpoint(origin) else { return false }
    return endpoint.isLoopback && (endpoint.scheme == .http || endpoint.scheme == .https)
  }

  /// Host and port of a Host header; nil if invalid.
  private static func authority(_ text: String) -> Endpoint? {
    guard !text.contains(where: { "/?#@".contains($0) }) else { return nil }
    return try? Endpoint("http://" + text)
  }
}
