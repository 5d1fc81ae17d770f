// What waits for the desk while the disk is busy, in the order in which it came.
//
// Orders, cancellations and previews are never dropped: above the bound a new one is refused at
// once, with an answer. Ticks are all kept, too, since each one's offers can fill a waiting order;
// only when the disk has stood still for thousands of them does the newest tick take the place of
// the one before it, and never across an order that came between them, so that each order still
// meets the market that its person saw.

import Foundation
import MarketModel
import PaperTrading

/// A bounded queue between any thread and the desk.
///
/// @unchecked: everything that changes is behind the lock.
final class TradingInbox: @unchecked Sendable {
  /// One thing that waits.
  enum Item: Sendable {
    case wish(TradingWish, @Sendable (TradingAnswer) -> Void)
    case tick(TopOfBook, lateAt: MonotonicTime?)
    case freshness(FreshnessState, lateAt: MonotonicTime?)
    case skipped(SnapshotProblem, number: UInt64)
  }

  /// What became of an item.
  enum Outcome {
    /// It waits, and the desk is at work or has been woken before.
    case queued
    /// It waits, and the desk must be woken.
    case wake
    /// Too much waits already.
    case full
    /// The desk is closed.
    case closed
  }

  private let maximumWishes: Int
  private let maximumFeedItems: Int
  private let lock = NSLock()
  private var items: [Item] = []
  private var wishes = 0
  private var isAwake = false
  private var isClosed = false

  init(maximumWishes: Int = 1024, maximumFeedItems: Int = 4096) {
    self.maximumWishes = maximumWishes
    self.maximumFeedItems = maximumFeedItems
  }

  /// Adds an item, from any thread.
  func add(_ item: Item) -> Outcome {
    lock.withLock {
      guard !isClosed else { return .closed }
      if case .wish = item {
        guard wishes < maximumWishes else { return .full }
        wishes += 1
      } else if items.count - wishes >= maximumFeedItems {
        makeRoom(for: item)
      }
      items.append(item)
      if isAwake { return .queued }
      isAwake = true
      return .wake
    }
  }

  /// Everything that waits; nil, and the desk sleeps, when that is nothing.
  func takeAll() -> [Item]? {
    lock.withLock {
      guard !items.isEmpty else {
        isAwake = false
        return nil
      }
      defer {
        items = []
        wishes = 0
      }
      return items
    }
  }

  /// Takes nothing more from now on.
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

extension TradingInbox.Item {
  fileprivate var isTick: Bool {
    switch self {
    case .tick, .skipped: true
    case .wish, .freshness: false
    }
  }

  /// Whether the feed begins anew with it.
  fileprivate var isBeginning: Bool {
    if case .freshness(.waiting, _) = self { true } else { false }
  }
}
