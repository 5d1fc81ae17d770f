// What waits for the order service while the disk is busy, in order of arrival.
//
// Orders, cancellations and previews are never dropped: above the bound a new one is refused at
// once, with a response. Ticks are all kept, too, since each can fill a resting order. Only when
// the disk has stalled for thousands of them does the newest tick replace the one before it, and
// never across an order between them: each order still meets the market that its person saw.

import Foundation
package import MarketModel
package import PaperTrading

/// A bounded queue between any thread and the service.
///
/// @unchecked: everything that changes is behind the lock.
package final class CommandQueue: @unchecked Sendable {
  /// A queued command, tick or change of freshness.
  package enum Item: Sendable {
    case command(ClientCommand, @Sendable (OrderResponse) -> Void)
    case tick(TopOfBook, lateAt: MonotonicTime?)
    case freshness(FreshnessState, lateAt: MonotonicTime?)
    case skipped(SnapshotProblem, number: UInt64)
    /// A message of the feed that could not be read.
    case unreadable
  }

  /// What became of an item.
  enum Outcome {
    /// It is queued, and the service is at work or has been woken before.
    case queued
    /// It is queued, and the service must be woken.
    case wake
    /// The queue is full.
    case full
    /// The service is closed.
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

  /// Adds an item, from any thread.
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

  /// Everything queued; nil, and the service sleeps, when the queue is empty.
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

  /// Refuses everything from now on.
  func close() { lock.withLock { isClosed = true } }

  /// Drops what the new item replaces: the state at the end; when a tick comes, good or not, the
  /// tick before it; when the feed begins anew, its beginning just before, with the tick that may
  /// lie between.
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

  /// Whether the feed begins anew with it.
  fileprivate var isBeginning: Bool {
    if case .freshness(.waiting, _) = self { true } else { false }
  }
}
