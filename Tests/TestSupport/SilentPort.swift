// A port of this machine on which nobody listens, and which nobody else is given meanwhile.

public import SocketTransport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A socket that is bound and does not listen: connecting to it is refused.
public struct SilentPort {
  /// The system gave no port.
  public struct Unavailable: Error {}

  private let descriptor: Int32
  private let port: Int

  /// Takes a free port of loopback.
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

  /// Gives the port back.
  public func release() { close(descriptor) }
}
