public import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Process {
  /// A product of this build, ready to run, without the user's environment; its standard input is
  /// empty.
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

  /// Runs it, and kills it after ``patienceSeconds`` if it is still running.
  ///
  /// - Returns: the pending kill; cancel it to let the process live.
  @discardableResult
  public func runWithinPatience() throws -> DispatchWorkItem {
    try run()
    return killAfterPatience()
  }

  /// Kills it after ``patienceSeconds`` if it is still running.
  ///
  /// - Returns: the pending kill; cancel it to let the process live.
  public func killAfterPatience() -> DispatchWorkItem {
    let end = DispatchWorkItem { [weak self] in self?.kill() }
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(patienceSeconds), execute: end)
    return end
  }

  /// Sends SIGKILL; no effect once it has ended.
  public func kill() {
    #if canImport(Darwin)
      if isRunning { Darwin.kill(processIdentifier, SIGKILL) }
    #else
      if isRunning { Glibc.kill(processIdentifier, SIGKILL) }
    #endif
  }
}
