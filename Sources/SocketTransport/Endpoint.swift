// Where a venue lives. A small parser of its own: the few forms that the command line takes, each
// error in one clear line, and no Foundation.

/// A URL that this program can connect to.
public struct Endpoint: Sendable, Hashable, CustomStringConvertible {
  /// How to talk to it.
  public enum Scheme: String, Sendable, Hashable, CaseIterable {
    /// WebSocket.
    case ws
    /// WebSocket over TLS.
    case wss
    /// HTTP.
    case http
    /// HTTP over TLS.
    case https
    /// Plain TCP.
    case tcp

    /// The port when none is named; nil for TCP, which has none.
    public var defaultPort: Int? {
      switch self {
      case .ws, .http: 80
      case .wss, .https: 443
      case .tcp: nil
      }
    }
  }

  /// The most bytes of a URL.
  public static let maximumBytes = 2048

  /// How to talk to it.
  public let scheme: Scheme
  /// A name, an IPv4 address, or an IPv6 address without brackets.
  public let host: String
  /// 1 to 65535.
  public let port: Int
  /// Path and query as they stand in a request line, starting with "/"; empty for TCP.
  public let target: String

  /// Puts an endpoint together from parts known to be good.
  ///
  /// - Parameters:
  ///   - scheme: how to talk to it.
  ///   - host: a name or an address without brackets.
  ///   - port: 1 to 65535.
  ///   - target: path and query; "/" where it is empty.
  public init(scheme: Scheme, host: String, port: Int, target: String = "/") {
    self.scheme = scheme
    self.host = host
    self.port = port
    self.target = scheme == .tcp ? "" : target.isEmpty ? "/" : target
  }

  /// Whether TLS is used.
  public var isSecure: Bool { scheme == .wss || scheme == .https }

  /// Whether it is on this machine itself.
  public var isLoopback: Bool { IPAddress.isLoopback(host) }

  /// Host and port for people and for the `Host` header: brackets about IPv6, no default port.
  public var authority: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == scheme.defaultPort ? name : "\(name):\(port)"
  }

  /// The URL without its query, which may hold secrets.
  public var description: String {
    "\(scheme.rawValue)://\(authority)\(target.prefix { $0 != "?" })"
  }

  /// The same place with another path and query.
  ///
  /// - Parameter target: starts with "/"; not percent-encoded here.
  /// - Returns: the endpoint with that target.
  public func withTarget(_ target: String) -> Endpoint {
    Endpoint(scheme: scheme, host: host, port: port, target: target)
  }

  /// A place below this one: the path of this endpoint, then `path`; the query is left out.
  ///
  /// - Parameter path: starts with "/"; not percent-encoded here.
  /// - Returns: the endpoint below.
  public func appending(_ path: String) -> Endpoint {
    var base = target.prefix { $0 != "?" }
    if base.hasSuffix("/") { base = base.dropLast() }
    return withTarget(base + path)
  }

  /// The same place spoken to over HTTP: `ws` becomes `http`, `wss` becomes `https`.
  public var asHTTP: Endpoint {
    let other: Scheme = isSecure ? .https : .http
    return Endpoint(scheme: scheme == .tcp ? .tcp : other, host: host, port: port, target: target)
  }

  /// The same place spoken to over WebSocket: `http` becomes `ws`, `https` becomes `wss`.
  public var asWebSocket: Endpoint {
    let other: Scheme = isSecure ? .wss : .ws
    return Endpoint(scheme: scheme == .tcp ? .tcp : other, host: host, port: port, target: target)
  }
}
