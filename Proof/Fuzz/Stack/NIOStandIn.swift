// What SwiftNIO's buffers and heads of requests name of the rest of SwiftNIO, so that they build
// without event loops, channels and C. Only their own files are NIO's.

import Foundation

/// A body that is no file.
public enum IOData: Hashable, Sendable { case byteBuffer(ByteBuffer) }

/// As much of an address as its text is asked for.
public struct SocketAddress {
  struct NoAddress: Error {}

  /// Throws when the text is no address of a computer.
  public init(ipAddress text: String, port: Int) throws {
    var (four, six) = (in_addr(), in6_addr())
    guard inet_pton(AF_INET, text, &four) == 1 || inet_pton(AF_INET6, text, &six) == 1 else {
      throw NoAddress()
    }
  }
}

@inlinable
func debugOnly(_ body: () -> Void) { body() }
