// Events on their way to the main thread: each one counts, so they wait in order; when the main
// thread stands still for so long that the bound is reached, the oldest are given up, and that is
// told where they would have stood.

import Foundation
import MarketModel

/// Hands events to the main thread, in order.
///
/// Unchecked because all its state is behind the lock; the handler runs on the main thread alone.
final class EventInbox: @unchecked Sendable {
  /// Events that wait at most: minutes of a busy stream.
  static let limit = 4096

  private let lock = NSLock()
  private var waiting: [(MarketKey, MarketEvent)] = []
  private var isScheduled = false
  /// Streams of which events were given up that would have come before the waiting ones.
  private var missing: Set<MarketKey> = []
  private let handler: @MainActor (MarketKey, MarketEvent) -> Void

  init(_ handler: @escaping @MainActor (MarketKey, MarketEvent) -> Void) {
    self.handler = handler
  }

  /// Takes an event, on any thread.
  func take(_ key: MarketKey, _ event: MarketEvent) {
    let mustSchedule = lock.withLock {
      if waiting.count >= EventInbox.limit {
        let surplus = EventInbox.limit / 4
        missing.formUnion(waiting.prefix(surplus).map(\.0))
        waiting.removeFirst(surplus)
      }
      waiting.append((key, event))
      defer { isScheduled = true }
      return !isScheduled
    }
    guard mustSchedule else { return }
    DispatchQueue.main.async { [self] in
      MainActor.assumeIsolated { deliver() }
    }
  }

  @MainActor private func deliver() {
    let (cut, events) = lock.withLock {
      defer {
        waiting = []
        missing = []
        isScheduled = false
      }
      return (missing, waiting)
    }
    for key in cut { handler(key, .missed) }
    for (key, event) in events { handler(key, event) }
  }
}
