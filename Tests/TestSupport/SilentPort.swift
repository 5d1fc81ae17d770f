public import SocketTransport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A bound socket that does not listen: connections to it are refused, and its port is assigned to
/// no other process.
public struct SilentPort {
  /// The system assigned no port.
  public struct Unavailable: Error {}

  private let descriptor: Int32
  private let port: Int

  /// Binds a free loopback port.
  public static func hold() throws -> SilentPort {
    #if canImport(Darwin)
      let kind = SOCK_STREAM
    #else
      let kind = Int32(SOCK_STREAM.rawValue)
    #endif
    let descriptor = socket(AF_INET, kind, 0)
    guard descriptor >= 0 else { throw Unavailable() }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        bind(descriptor, generic, length) == 0 && getsockname(descriptor, generic, &length) == 0
      }
    }
    guard isBound else {
      close(descriptor)
      throw Unavailable()
    }
    return SilentPort(descriptor: descriptor, port: Int(UInt16(bigEndian: address.sin_port)))
  }

  /// An address at this port.
  public func endpoint(_ scheme: Endpoint.Scheme) -> Endpoint {
    Endpoint(scheme: scheme, host: "127.0.0.1", port: port)
  }

  /// Releases the port.
  public func release() { close(descriptor) }
}
