// Messages to a service manager, through a test's own socket.

import Testing

@testable import SocketServer

#if os(Linux)
  import Glibc

  /// The socket of a manager: a datagram socket with a path or an abstract name.
  private struct ManagerSocket: ~Copyable {
    let descriptor: Int32
    let path: String?

    /// Binds to a path, or to an abstract name that begins with "@".
    init(_ name: String) throws {
      descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
      path = name.hasPrefix("/") ? name : nil
      var bytes = Array(name.utf8)
      if bytes.first == UInt8(ascii: "@") { bytes[0] = 0 }
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
      let length = MemoryLayout<sa_family_t>.size + bytes.count
      let descriptor = descriptor
      let isBound = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
          bind(descriptor, generic, socklen_t(length)) == 0
        }
      }
      try #require(descriptor >= 0 && isBound)
    }

    /// The next datagram; nil without one.
    func read() -> String? {
      var bytes = [UInt8](repeating: 0, count: 1024)
      let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    deinit {
      close(descriptor)
      if let path { unlink(path) }
    }
  }

  @Suite struct ServiceNotifierTests {
    private static func name(_ prefix: String) -> String {
      "\(prefix)livetape-test-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    }

    @Test(arguments: ["/tmp/", "@"])
    func `a manager is notified that the server is ready and stops`(prefix: String) throws {
      let name = Self.name(prefix)
      let manager = try ManagerSocket(name)
      let notifier = try #require(ServiceNotifier(environment: ["NOTIFY_SOCKET": name], process: 1))
      #expect(notifier.ready(status: "Running at\nhttp://x/"))
      #expect(manager.read() == "READY=1\nSTATUS=Running athttp://x/")
      #expect(notifier.beat())
      #expect(manager.read() == "WATCHDOG=1")
      #expect(manager.read() == nil)
    }

    @Test func `a manager that is gone, or reads nothing, blocks nothing`() throws {
      let name = Self.name("@")
      let notifier = try #require(ServiceNotifier(environment: ["NOTIFY_SOCKET": name], process: 1))
      #expect(!notifier.beat(), "nobody is there")
      let manager = try ManagerSocket(name)
      var sent = 0
      while sent < 100_000, notifier.beat() { sent += 1 }
      #expect(sent > 0 && sent < 100_000, "its queue fills and then takes no more")
      #expect(manager.read() == "WATCHDOG=1")
    }

    @Test(arguments: [
      [:], ["NOTIFY_SOCKET": ""], ["NOTIFY_SOCKET": "/"], ["NOTIFY_SOCKET": "relative"],
      ["NOTIFY_SOCKET": "vsock:2:1"],
      ["NOTIFY_SOCKET": "/" + String(repeating: "x", count: 200)],
    ])
    func `without a socket that can be there is no manager`(environment: [String: String]) {
      #expect(ServiceNotifier(environment: environment, process: 1) == nil)
    }

    @Test(
      arguments: [
        (["WATCHDOG_USEC": "30000000"], 15_000), (["WATCHDOG_USEC": "2000"], 1),
        (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "7"], 15_000),
        (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "8"], nil), (["WATCHDOG_USEC": "x"], nil),
        (["WATCHDOG_USEC": "1999"], nil), (["WATCHDOG_USEC": "-5"], nil), ([:], nil),
      ] as [([String: String], Int64?)])
    func `the watchdog is notified twice an interval, if requested`(
      watchdog: [String: String], milliseconds: Int64?
    ) throws {
      let environment = watchdog.merging(["NOTIFY_SOCKET": "@x"]) { $1 }
      let notifier = try #require(ServiceNotifier(environment: environment, process: 7))
      #expect(notifier.beatMilliseconds == milliseconds)
    }
  }
#endif
