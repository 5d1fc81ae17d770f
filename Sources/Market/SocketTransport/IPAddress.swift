// Addresses told from names: TLS names no IP address to the server (RFC 6066 section 3), and only
// an address, never a name, is known to be this machine's own.

import NIOCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What a host in a URL or a Host header is.
public enum IPAddress {
  /// Whether a host is an IPv4 or IPv6 address, without brackets, rather than a name.
  public static func isLiteral(_ host: some StringProtocol) -> Bool {
    octets(host) != nil || isIPv6(host)
  }

  /// Whether a host is this machine itself: `localhost`, `::1` or an IPv4 address `127.x.y.z`.
  ///
  /// `127.example.com` is a name like any other: whoever owns it chooses where it points.
  public static func isLoopback(_ host: some StringProtocol) -> Bool {
    host == "localhost" || host == "::1" || octets(host)?.first == 127
  }

  /// The 4 or 16 bytes of an address; nil for a name.
  package static func bytes(_ host: String) -> [UInt8]? {
    if let octets = octets(host) { return octets }
    var bytes = [UInt8](repeating: 0, count: 16)
    return inet_pton(AF_INET6, host, &bytes) == 1 ? bytes : nil
  }

  /// Whether a host is an IPv6 address.
  static func isIPv6(_ host: some StringProtocol) -> Bool {
    host.contains(":") && (try? SocketAddress(ipAddress: String(host), port: 1)) != nil
  }

  /// The four numbers of an IPv4 address: digits without a leading zero, 0 to 255 each.
  private static func octets(_ host: some StringProtocol) -> [UInt8]? {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    let numbers = parts.compactMap { part -> UInt8? in
      guard let number = UInt8(part), String(number) == part else { return nil }
      return number
    }
    return numbers.count == 4 ? numbers : nil
  }
}
