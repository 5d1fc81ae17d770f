import Foundation
import MarketModel

/// Delivers all events to the main thread, in order.
///
/// When the main thread is blocked until the bound is reached, the oldest are dropped and a loss is
/// reported in their place. Unchecked because the lock guards all state; the handler runs on the
/// main thread only.
final class EventInbox: @unchecked Sendable {
  /// The bound: minutes of a busy stream.
  static let limit = 4096

  private let lock = NSLock()
  private var waiting: [(MarketKey, MarketEvent)] = []
  private var isScheduled = false
  /// Streams whose dropped events came before the waiting ones.
  private var missing: Set<MarketKey> = []
  private let handler: @MainActor (MarketKey, MarketEvent) -> Void

  init(_ handler: @escaping @MainActor (MarketKey, MarketEvent) -> Void) {
    self.handler = handler
  }

  /// Callable on any thread.
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
