// The types that SwiftNIO's buffers and request heads name, so that they build without event loops,
// channels and C. Only those files are NIO's.

import Foundation

/// A body that is not a file.
public enum IOData: Hashable, Sendable { case byteBuffer(ByteBuffer) }

/// The part of an address that its text needs.
public struct SocketAddress {
  struct NoAddress: Error {}

  /// Throws when the text is not an IP address.
  public init(ipAddress text: String, port: Int) throws {
    var (four, six) = (in_addr(), in6_addr())
    guard inet_pton(AF_INET, text, &four) == 1 || inet_pton(AF_INET6, text, &six) == 1 else {
      throw NoAddress()
    }
  }
}

@inlinable
func debugOnly(_ body: () -> Void) { body() }
