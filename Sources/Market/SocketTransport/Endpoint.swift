/// A URL that this program can connect to.
public struct Endpoint: Sendable, Hashable, CustomStringConvertible {
  /// The protocol.
  public enum Scheme: String, Sendable, Hashable, CaseIterable {
    case ws
    case wss
    case http
    case https
    case tcp

    /// The default port; nil for TCP.
    public var defaultPort: Int? {
      switch self {
      case .ws, .http: 80
      case .wss, .https: 443
      case .tcp: nil
      }
    }
  }

  /// The limit of a URL, in bytes.
  public static let maximumBytes = 2048

  /// The protocol.
  public let scheme: Scheme
  /// A name, an IPv4 address, or an IPv6 address without brackets.
  public let host: String
  /// 1 to 65535.
  public let port: Int
  /// Path and query as in a request line, starting with "/"; empty for TCP.
  public let target: String

  /// Creates an endpoint from valid parts: a host without brackets, a port of 1 to 65535.
  ///
  /// An empty target becomes "/".
  public init(scheme: Scheme, host: String, port: Int, target: String = "/") {
    self.scheme = scheme
    self.host = host
    self.port = port
    self.target = scheme == .tcp ? "" : target.isEmpty ? "/" : target
  }

  /// Whether TLS is used.
  public var isSecure: Bool { scheme == .wss || scheme == .https }

  /// Whether the host is this machine.
  public var isLoopback: Bool { IPAddress.isLoopback(host) }

  /// Host and port for display and the `Host` header: IPv6 in brackets, no default port.
  public var authority: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == scheme.defaultPort ? name : "\(name):\(port)"
  }

  /// The URL without its query, which may contain secrets.
  public var description: String {
    "\(scheme.rawValue)://\(authority)\(target.prefix { $0 != "?" })"
  }

  /// The same server with another path and query, which starts with "/" and is not encoded here.
  public func withTarget(_ target: String) -> Endpoint {
    Endpoint(scheme: scheme, host: host, port: port, target: target)
  }

  /// An endpoint below this one: its path, then `path`, which starts with "/"; without its query.
  public func appending(_ path: String) -> Endpoint {
    var base = target.prefix { $0 != "?" }
    if base.hasSuffix("/") { base = base.dropLast() }
    return withTarget(base + path)
  }

  /// The same endpoint over HTTP: `ws` becomes `http`, `wss` becomes `https`.
  public var asHTTP: Endpoint {
    let other: Scheme = isSecure ? .https : .http
    return Endpoint(scheme: scheme == .tcp ? .tcp : other, host: host, port: port, target: target)
  }

  /// The same endpoint over WebSocket: `http` becomes `ws`, `https` becomes `wss`.
  public var asWebSocket: Endpoint {
    let other: Scheme = isSecure ? .wss : .ws
    return Endpoint(scheme: scheme == .tcp ? .tcp : other, host: host, port: port, target: target)
  }
}

// MARK: - Parsing

/// Why a text is not an endpoint, in one line.
public struct EndpointError: Error, Hashable, Sendable, CustomStringConvertible {
  /// For example "not a URL: ws://:80 has no host".
  public let description: String

  init(_ text: String, _ problem: String) {
    let shown = text.count > 80 ? text.prefix(80) + "…" : text[...]
    description = "not a URL: \(shown) \(problem)"
  }
}

extension Endpoint {
  /// Parses a URL with the scheme ws, wss, http, https or tcp.
  ///
  /// Rejects a user name, a fragment, control characters and spaces; decodes nothing.
  public init(_ text: String) throws(EndpointError) {
    guard text.utf8.count <= Endpoint.maximumBytes else {
      throw EndpointError(text, "is longer than \(Endpoint.maximumBytes) bytes")
    }
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
      throw EndpointError(text, "holds a space or a character that is not ASCII")
    }
    let (scheme, rest) = try Endpoint.scheme(of: text)
    let authorityEnd = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
    let authority = rest[..<authorityEnd]
    let target = rest[authorityEnd...]
    if authority.contains("@") { throw EndpointError(text, "must not hold a user name") }
    if target.contains("#") { throw EndpointError(text, "must not hold a fragment (#)") }
    if scheme == .tcp, !(target.isEmpty || target == "/") {
      throw EndpointError(text, "must end after the port")
    }
    let (host, portText) = try Endpoint.split(authority, of: text)
    let port = try Endpoint.port(portText, scheme: scheme, of: text)
    let path = target.hasPrefix("?") ? "/" + target : String(target)
    self.init(scheme: scheme, host: host, port: port, target: path)
  }

  private static func scheme(of text: String) throws(EndpointError) -> (Scheme, Substring) {
    let names = Scheme.allCases.map(\.rawValue).joined(separator: ", ")
    guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else {
      throw EndpointError(text, "must start with one of \(names) and ://")
    }
    guard let scheme = Scheme(rawValue: text[..<colon].lowercased()) else {
      throw EndpointError(text, "must start with one of \(names)")
    }
    return (scheme, text[text.index(colon, offsetBy: 3)...])
  }

  private static func split(
    _ authority: Substring, of text: String
  ) throws(EndpointError) -> (host: String, port: Substring?) {
    var host = authority
    var port: Substring?
    if authority.hasPrefix("[") {
      guard let bracket = authority.firstIndex(of: "]") else {
        throw EndpointError(text, "has [ without ]")
      }
      host = authority[authority.index(after: authority.startIndex)..<bracket]
      let after = authority[authority.index(after: bracket)...]
      if !after.isEmpty {
        guard after.hasPrefix(":") else { throw EndpointError(text, "has text after ]") }
        port = after.dropFirst()
      }
      guard IPAddress.isIPv6(host) else { throw EndpointError(text, "needs IPv6 between [ and ]") }
    } else if authority.count(where: { $0 == ":" }) > 1 {
      throw EndpointError(text, "has several colons: IPv6 needs brackets")
    } else if let colon = authority.firstIndex(of: ":") {
      host = authority[..<colon]
      port = authority[authority.index(after: colon)...]
    }
    guard !host.isEmpty else { throw EndpointError(text, "has no host") }
    let isName = host.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"):
        true
      default: false
      }
    }
    guard isName || authority.hasPrefix("[") else {
      throw EndpointError(text, "has a host with strange characters")
    }
    return (host.lowercased(), port)
  }

  private static func port(
    _ digits: Substring?, scheme: Scheme, of text: String
  ) throws(EndpointError) -> Int {
    guard let digits else {
      guard let port = scheme.defaultPort else { throw EndpointError(text, "needs a port") }
      return port
    }
    guard digits.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let port = Int(digits),
      (1...65535).contains(port)
    else { throw EndpointError(text, "needs a port from 1 to 65535") }
    return port
  }
}
