package import NIOCore
import SocketTransport

/// The source of a socket: an IPv4 address or an IPv6 /64 network.
///
/// One host can use any address of its /64 network.
package struct SocketSource: Sendable, Hashable, CustomStringConvertible {
  /// Sources without an IP address.
  package static let unknown = SocketSource(bytes: [])

  private let bytes: [UInt8]

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// The source of an address; ``unknown`` if it is absent or not an IP address.
  package init(_ address: SocketAddress?) {
    self = address?.ipAddress.flatMap { SocketSource(literal: $0) } ?? .unknown
  }

  /// The source of an address as text; nil if the text is not an IP address.
  package init?(literal text: String) {
    guard let address = IPAddress.bytes(text) else { return nil }
    let isMapped =
      address.count == 16 && address.prefix(10).allSatisfy { $0 == 0 }
      && address[10...11].allSatisfy { $0 == 0xff }
    bytes = isMapped ? Array(address.suffix(4)) : Array(address.prefix(8))
  }

  /// The address or network, for logs: digits, dots and colons only.
  package var description: String {
    switch bytes.count {
    case 4: bytes.map { String($0) }.joined(separator: ".")
    case 8:
      stride(from: 0, to: 8, by: 2).map { place in
        String(Int(bytes[place]) << 8 | Int(bytes[place + 1]), radix: 16)
      }.joined(separator: ":") + "::/64"
    default: "an unknown address"
    }
  }
}
