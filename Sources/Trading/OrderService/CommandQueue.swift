import Foundation
package import MarketModel
package import PaperTrading

/// A bounded queue, in order of arrival, between any thread and the order service.
///
/// Orders, cancellations and previews are never dropped: beyond the bound a new one is rejected at
/// once with a response. All ticks are kept too, since each can fill a resting order. Only when the
/// disk has stalled for thousands of them does the newest tick replace the previous one, and never
/// across an order, so each order meets the market that was on screen.
///
/// @unchecked: the lock protects all mutable state.
package final class CommandQueue: @unchecked Sendable {
  /// A queued command, tick or freshness change.
  package enum Item: Sendable {
    case command(ClientCommand, @Sendable (OrderResponse) -> Void)
    case tick(TopOfBook, lateAt: MonotonicTime?)
    case freshness(FreshnessState, lateAt: MonotonicTime?)
    case skipped(SnapshotProblem, number: UInt64)
    case unreadable
  }

  enum Outcome {
    /// Queued; the service is running or already woken.
    case queued
    /// Queued; the caller must wake the service.
    case wake
    case full
    case closed
  }

  private let maximumCommands: Int
  private let maximumFeedItems: Int
  private let lock = NSLock()
  private var items: [Item] = []
  private var commands = 0
  private var isAwake = false
  private var isClosed = false

  init(maximumCommands: Int = 1024, maximumFeedItems: Int = 4096) {
    self.maximumCommands = maximumCommands
    self.maximumFeedItems = maximumFeedItems
  }

  func add(_ item: Item) -> Outcome {
    lock.withLock {
      guard !isClosed else { return .closed }
      if case .command = item {
        guard commands < maximumCommands else { return .full }
        commands += 1
      } else if items.count - commands >= maximumFeedItems {
        makeRoom(for: item)
      }
      items.append(item)
      if isAwake { return .queued }
      isAwake = true
      return .wake
    }
  }

  /// Everything queued; nil if the queue is empty, which puts the service to sleep.
  func takeAll() -> [Item]? {
    lock.withLock {
      guard !items.isEmpty else {
        isAwake = false
        return nil
      }
      defer {
        items = []
        commands = 0
      }
      return items
    }
  }

  func close() { lock.withLock { isClosed = true } }

  /// Drops what the new item replaces: a freshness change at the end; the previous tick when a tick
  /// arrives, valid or not; the previous feed restart, with a tick between, when the feed restarts.
  private func makeRoom(for item: Item) {
    if case .freshness(let state, _)? = items.last, state != .waiting { _ = items.popLast() }
    if item.isBeginning {
      let begins = items.suffix(2).map(\.isBeginning)
      if begins.last == true {
        items.removeLast()
      } else if begins.first == true, items.last?.isTick == true {
        items.removeLast(2)
      }
    } else if item.isTick, items.last?.isTick == true {
      items.removeLast()
    }
  }
}

extension CommandQueue.Item {
  fileprivate var isTick: Bool {
    switch self {
    case .tick, .skipped, .unreadable: true
    case .command, .freshness: false
    }
  }

  fileprivate var isBeginning: Bool {
    if case .freshness(.waiting, _) = self { true } else { false }
  }
}
