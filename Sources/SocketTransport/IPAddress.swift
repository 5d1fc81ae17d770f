// TLS names no IP address to the server (RFC 6066 section 3), so literals must be told from names.

import NIOCore

enum IPAddress {
  /// Whether a host is an IPv4 or IPv6 address rather than a name.
  static func isLiteral(_ host: some StringProtocol) -> Bool {
    (try? SocketAddress(ipAddress: String(host), port: 1)) != nil
  }

  /// Whether a host is an IPv6 address.
  static func isIPv6(_ host: some StringProtocol) -> Bool {
    host.contains(":") && isLiteral(host)
  }
}
