// Values on their way to the main thread of which only the newest counts.

import Foundation

/// Hands the newest value to the main thread, however many came before it was there.
///
/// Unchecked because all its state is behind the lock; the handler runs on the main thread alone.
final class NewestInbox<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var newest: Value?
  private let handler: @MainActor (Value) -> Void

  init(_ handler: @escaping @MainActor (Value) -> Void) { self.handler = handler }

  /// Takes a value, on any thread.
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
