// Reads a URL typed by a person: what is wrong is said in one line.

/// Why a text is not an endpoint, in one line.
public struct EndpointError: Error, Hashable, Sendable, CustomStringConvertible {
  /// "not a URL: ws://:80 has no host".
  public let description: String

  init(_ text: String, _ problem: String) {
    let shown = text.count > 80 ? text.prefix(80) + "…" : text[...]
    description = "not a URL: \(shown) \(problem)"
  }
}

extension Endpoint {
  /// Parses a URL with the scheme ws, wss, http, https or tcp.
  ///
  /// A user name, a fragment, control characters and spaces are refused; nothing is decoded.
  ///
  /// - Throws: ``EndpointError``, which says what is wrong.
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

  private static func scheme(
    of text: String
  ) throws(EndpointError) -> (Scheme, Substring) {
    let names = Scheme.allCases.map(\.rawValue).joined(separator: ", ")
    guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else {
      throw EndpointError(text, "must start with one of \(names) and ://")
    }
    guard let scheme = Scheme(rawValue: text[..<colon].lowercased()) else {
      throw EndpointError(text, "must start with one of \(names)")
    }
    return (scheme, text[text.index(colon, offsetBy: 3)...])
  }

  /// Host and, after its colon, the port's text; the port is nil when there is no colon.
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
