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
  /// A queued command or market data.
  package enum Item: Sendable {
    case command(ClientCommand, @Sendable (OrderResponse) -> Void)
    case feed(MarketInput, of: Symbol)
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
    var item = item
    return lock.withLock {
      guard !isClosed else { return .closed }
      if case .command = item {
        guard commands < maximumCommands else { return .full }
        commands += 1
      } else if items.count - commands >= maximumFeedItems {
        makeRoom(for: &item)
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
  ///
  /// A venue's book replaces the one before it, and of its trades only that some were missed stays.
  private func makeRoom(for item: inout Item) {
    if let symbol = item.symbolOfVenue {
      let start = items.lastIndex { if case .command = $0 { true } else { false } } ?? -1
      let before = items.lastIndex { $0.symbol == symbol && $0.isAlike(item) }
      if let before, before > start { items.remove(at: before) }
      if item.isTrade { item = .feed(.missedTrades, of: symbol) }
      return
    }
    if case .feed(.freshness(let state, _), let symbol)? = items.last, state != .waiting,
      symbol == item.symbol
    {
      _ = items.popLast()
    }
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
  fileprivate var symbol: Symbol? {
    if case .feed(_, let symbol) = self { symbol } else { nil }
  }

  /// The instrument of a venue's book or trades; nil for other items.
  fileprivate var symbolOfVenue: Symbol? {
    switch self {
    case .feed(.book, let symbol), .feed(.trade, let symbol), .feed(.missedTrades, let symbol):
      symbol
    default: nil
    }
  }

  fileprivate var isTrade: Bool {
    switch self {
    case .feed(.trade, _), .feed(.missedTrades, _): true
    default: false
    }
  }

  fileprivate func isAlike(_ other: CommandQueue.Item) -> Bool {
    symbolOfVenue != nil && isTrade == other.isTrade
  }

  fileprivate var isTick: Bool {
    switch self {
    case .feed(.tick, _), .feed(.unusable, _), .feed(.unreadable, _): true
    default: false
    }
  }

  fileprivate var isBeginning: Bool {
    if case .feed(.freshness(.waiting, _), _) = self { true } else { false }
  }
}
