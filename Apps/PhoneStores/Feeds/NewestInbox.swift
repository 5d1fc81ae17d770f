import Foundation

/// Delivers only the newest value to the main thread.
///
/// Unchecked because the lock guards all state; the handler runs on the main thread only.
final class NewestInbox<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var newest: Value?
  private let handler: @MainActor (Value) -> Void

  init(_ handler: @escaping @MainActor (Value) -> Void) { self.handler = handler }

  /// Callable on any thread.
  func take(_ value: Value) {
    let mustSchedule = lock.withLock {
      defer { newest = value }
      return newest == nil
    }
    guard mustSchedule else { return }
    DispatchQueue.main.async { [self] in
      MainActor.assumeIsolated { deliver() }
    }
  }

  @MainActor private func deliver() {
    let value = lock.withLock {
      defer { newest = nil }
      return newest
    }
    if let value { handler(value) }
  }
}
