import SocketTransport

/// The addresses and credentials of one broker or a NATS cluster.
///
/// `nats://[user:password@|token@]host[:port][,host[:port]…]`, or `tls://…`. Secrets appear in no
/// log, error or dump.
public struct NatsAddress: Sendable, Equatable, CustomStringConvertible,
  CustomDebugStringConvertible, CustomReflectable
{
  enum Credentials: Sendable, Equatable {
    case none
    case token(String)
    case user(String, password: String)
  }

  static let defaultPort = 4222

  /// More than a cluster has.
  static let maximumHosts = 16

  /// Host and port of each broker, at least one.
  let endpoints: [Endpoint]
  let isSecure: Bool
  let credentials: Credentials

  /// Parses an address; user name, password and token may be percent-encoded.
  ///
  /// - Throws: ``NatsAddressError`` with the reason and without secrets.
  public init(_ text: String) throws(NatsAddressError) {
    guard let scheme = ["nats", "tls"].first(where: { text.hasPrefix("\($0)://") }) else {
      throw NatsAddressError("must start with nats:// or tls://")
    }
    isSecure = scheme == "tls"
    var rest = text.dropFirst(scheme.count + 3)
    if let at = rest.lastIndex(of: "@") {
      credentials = try NatsAddress.credentials(rest[..<at])
      rest = rest[rest.index(after: at)...]
    } else {
      credentials = .none
    }
    while rest.hasSuffix("/") { rest = rest.dropLast() }
    var endpoints: [Endpoint] = []
    for host in rest.split(separator: ",", omittingEmptySubsequences: false) {
      endpoints.append(try NatsAddress.endpoint(host))
    }
    guard endpoints.count <= NatsAddress.maximumHosts else {
      throw NatsAddressError("names more than \(NatsAddress.maximumHosts) hosts")
    }
    self.endpoints = endpoints
  }

  private static func endpoint(_ host: Substring) throws(NatsAddressError) -> Endpoint {
    let lastColon = host.lastIndex(of: ":")
    let hasPort = lastColon.map { !host[$0...].contains("]") } ?? false
    let authority = hasPort ? String(host) : "\(host):\(NatsAddress.defaultPort)"
    do {
      return try Endpoint("tcp://\(authority)")
    } catch {
      // The parser's own error would quote the text.
      throw NatsAddressError("needs a host, and a port from 1 to 65535 if any, after the scheme")
    }
  }

  /// Scheme, hosts and ports.
  public var description: String {
    let hosts = endpoints.map(\.authority).joined(separator: ",")
    return "\(isSecure ? "tls" : "nats")://\(hosts)"
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// Contains only ``description``, so that a dump has no secrets.
  public var customMirror: Mirror { Mirror(self, children: ["address": description]) }

  private static func credentials(_ text: Substring) throws(NatsAddressError) -> Credentials {
    guard let colon = text.firstIndex(of: ":") else { return .token(try decoded(text)) }
    return .user(
      try decoded(text[..<colon]), password: try decoded(text[text.index(after: colon)...]))
  }

  private static func decoded(_ text: Substring) throws(NatsAddressError) -> String {
    guard !text.isEmpty else { throw NatsAddressError("has an empty user, password or token") }
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      else { throw NatsAddressError("has a % without two hexadecimal digits") }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw NatsAddressError("has a user, password or token that is not UTF-8")
    }
    return text
  }
}

/// Why a text is not a broker's address, in one line without any of the text.
public struct NatsAddressError: Error, Hashable, Sendable, CustomStringConvertible {
  /// "not a broker's address: it must start with nats:// or tls://".
  public let description: String

  init(_ problem: String) { description = "not a broker's address: it \(problem)" }
}
