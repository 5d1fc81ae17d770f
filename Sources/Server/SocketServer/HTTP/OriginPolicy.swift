// By which names a server may be asked, and by which web pages. A browser sends the name that its
// person's page used and where that page came from; a foreign page must read nothing here, order
// nothing, and gets nowhere with a name of its own made to point at this machine.

package import NIOHTTP1
import SocketTransport

/// Judges a request's Host and Origin.
package struct OriginPolicy: Sendable {
  /// Which pages may ask.
  package enum Visitors: Sendable {
    /// Those that this server has served.
    case own
    /// Those, and any that this machine has served.
    case thisMachine
  }

  private let names: Set<String>
  private let acceptsAddresses: Bool
  private let visitors: Visitors
  private let isOverTLS: Bool
  private let isProxyOnly: Bool

  /// The policy of a server that listens on `host` and is also known by `names`.
  ///
  /// On loopback its hosts are loopback addresses and localhost; elsewhere any address, since an
  /// address, unlike a name, can't be made to point here. With `proxyOnly` what it listens on is
  /// not a name of it: requests name the proxy, which is one of `names`. With `overTLS`
  /// browsers reach the server over TLS, so a page that came without it is foreign; behind a proxy
  /// this machine's own may have.
  package init(
    listeningOn host: String, names: [String] = [], proxyOnly: Bool = false,
    overTLS: Bool = false, visitors: Visitors = .own
  ) {
    (isOverTLS, isProxyOnly) = (overTLS, proxyOnly)
    self.names = Set((proxyOnly ? names : names + [host]).map { $0.lowercased() })
    acceptsAddresses = !proxyOnly && !IPAddress.isLoopback(host)
    self.visitors = visitors
  }

  /// The response that refuses a request, or nil.
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

  /// Without TLS of its own the server can't know which scheme a page came by: a proxy that it was
  /// not told of may have TLS.
  private func isWelcome(_ origin: String, host: String, mayBePlain: Bool) -> Bool {
    if origin == "https://\(host)" || mayBePlain && origin == "http://\(host)" { return true }
    guard visitors == .thisMachine, let endpoint = try? Endpoint(origin) else { return false }
    return endpoint.isLoopback && (endpoint.scheme == .http || endpoint.scheme == .https)
  }

  /// Host and port of a Host header; nil when it is anything else.
  private static func authority(_ text: String) -> Endpoint? {
    guard !text.contains(where: { "/?#@".contains($0) }) else { return nil }
    return try? Endpoint("http://" + text)
  }
}
