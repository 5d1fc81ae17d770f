// Child processes of tests: products of this build, without what the person at the keyboard has set
// up for themselves, and never waited for without end.

public import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Process {
  /// A product of this build, ready to run; it reads nothing.
  public static func product(_ name: String, _ arguments: [String]) throws -> Process {
    let process = Process()
    process.executableURL = try builtProduct(name)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.filter { name, _ in
      !name.hasPrefix("LIVETAPE_") && !["LD_PRELOAD", "XDG_DATA_HOME"].contains(name)
    }
    process.standardInput = FileHandle.nullDevice
    return process
  }

  /// Runs it; when it has not ended by itself after ``patienceSeconds``, it is killed, so that
  /// nobody waits for it without end.
  ///
  /// - Returns: what would kill it; cancel that to let it live.
  @discardableResult
  public func runWithinPatience() throws -> DispatchWorkItem {
    try run()
    return killAfterPatience()
  }

  /// Kills it after ``patienceSeconds`` unless it has ended by then.
  ///
  /// - Returns: what would kill it; cancel that to let it live.
  public func killAfterPatience() -> DispatchWorkItem {
    let end = DispatchWorkItem { [weak self] in self?.kill() }
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(patienceSeconds), execute: end)
    return end
  }

  /// SIGKILL: no goodbye to anyone; does nothing once it has ended.
  public func kill() {
    #if canImport(Darwin)
      if isRunning { Darwin.kill(processIdentifier, SIGKILL) }
    #else
      if isRunning { Glibc.kill(processIdentifier, SIGKILL) }
    #endif
  }
}
