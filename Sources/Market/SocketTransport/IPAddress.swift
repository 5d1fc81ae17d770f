import NIOCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Distinguishes addresses from names.
///
/// TLS sends no IP address as server name (RFC 6066 section 3).
public enum IPAddress {
  /// Whether a host is an IPv4 or IPv6 address, without brackets.
  public static func isLiteral(_ host: some StringProtocol) -> Bool {
    octets(host) != nil || isIPv6(host)
  }

  /// Whether a host is this machine: `localhost`, `::1` or `127.x.y.z`, not `127.example.com`.
  public static func isLoopback(_ host: some StringProtocol) -> Bool {
    host == "localhost" || host == "::1" || octets(host)?.first == 127
  }

  /// The 4 or 16 bytes of an address; nil for a name.
  package static func bytes(_ host: String) -> [UInt8]? {
    if let octets = octets(host) { return octets }
    var bytes = [UInt8](repeating: 0, count: 16)
    return inet_pton(AF_INET6, host, &bytes) == 1 ? bytes : nil
  }

  static func isIPv6(_ host: some StringProtocol) -> Bool {
    host.contains(":") && (try? SocketAddress(ipAddress: String(host), port: 1)) != nil
  }

  /// The four numbers of an IPv4 address, 0 to 255 without leading zeros.
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
