#if os(Linux)
  import Glibc
#endif

/// Notifies a service manager that the server is up and alive (sd_notify(3)).
///
/// Each message is a datagram to the socket that the manager names.
package struct ServiceNotifier: Sendable, Equatable {
  /// The beat interval in milliseconds, half the manager's watchdog time; nil without a watchdog.
  package let beatMilliseconds: Int64?
  /// The bytes of the address: a path, or a zero and an abstract name.
  private let address: [UInt8]

  /// Reads `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`.
  ///
  /// nil without a manager, and on systems without such managers.
  package init?(environment: [String: String], process: Int32) {
    guard var bytes = environment["NOTIFY_SOCKET"].map({ Array($0.utf8) }),
      bytes.count > 1, bytes.count < ServiceNotifier.maximumAddress
    else { return nil }
    switch bytes[0] {
    case UInt8(ascii: "/"): break
    case UInt8(ascii: "@"): bytes[0] = 0
    default: return nil
    }
    address = bytes
    let isOurs = environment["WATCHDOG_PID"].map { $0 == String(process) } ?? true
    let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
    beatMilliseconds = isOurs && microseconds >= 2000 ? microseconds / 2000 : nil
  }

  /// Reports that the server is ready; `status` is a line for the operator.
  @discardableResult
  package func ready(status: String) -> Bool {
    send("READY=1\nSTATUS=\(status.filter { !$0.isNewline }.prefix(200))")
  }

  /// Reports that the server is stopping.
  @discardableResult
  package func stopping() -> Bool { send("STOPPING=1") }

  /// Reports that the server is alive; call at least every ``beatMilliseconds``.
  @discardableResult
  package func beat() -> Bool { send("WATCHDOG=1") }
}

#if os(Linux)
  extension ServiceNotifier {
    private static let maximumAddress = MemoryLayout.size(ofValue: sockaddr_un().sun_path)

    /// Sends a datagram without blocking; false if it was not delivered.
    private func send(_ text: String) -> Bool {
      let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
      let descriptor = socket(AF_UNIX, kind, 0)
      guard descriptor >= 0 else { return false }
      defer { close(descriptor) }
      var target = sockaddr_un()
      target.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &target.sun_path) { $0.copyBytes(from: address) }
      // A path ends with a zero, an abstract name with the length.
      let end = address[0] == 0 ? 0 : 1
      let length = MemoryLayout<sa_family_t>.size + address.count + end
      let bytes = Array(text.utf8)
      let sent = withUnsafePointer(to: &target) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
          sendto(
            descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), generic,
            socklen_t(length))
        }
      }
      return sent == bytes.count
    }
  }
#else
  extension ServiceNotifier {
    private static let maximumAddress = 0

    private func send(_ text: String) -> Bool { false }
  }
#endif
