import Foundation

/// Lets work finish after the app has left the screen, such as an order that is being stored.
enum BackgroundGrace {
  /// Starts the work; the system suspends the app only after it, or after the system's limit.
  static func run(_ work: @escaping @Sendable () async -> Void) {
    #if canImport(Darwin)
      let done = DispatchSemaphore(value: 0)
      ProcessInfo.processInfo.performExpiringActivity(withReason: "Storing orders") { isExpired in
        if isExpired { done.signal() } else { done.wait() }
      }
      Task {
        await work()
        done.signal()
      }
    #else
      Task { await work() }
    #endif
  }
}
