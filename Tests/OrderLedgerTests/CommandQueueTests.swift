// The queue for a blocked disk: orders are never dropped, and ticks only when a newer one replaces
// them with no order between.

import MarketModel
import PaperTrading
import Testing

@testable import OrderService

@Suite struct CommandQueueTests {
  private let stock = Symbol(known: "AAPL")

  private func tick(_ number: UInt64) -> CommandQueue.Item {
    .feed(.tick(TopOfBook(number: number, venueTime: number, bid: nil, ask: nil)), of: stock)
  }

  private func cancel(_ number: UInt64) -> CommandQueue.Item {
    .command(.cancel(OrderIdentifier(number: number))) { _ in }
  }

  private func words(_ items: [CommandQueue.Item]) -> [String] {
    items.map { item in
      switch item {
      case .feed(.tick(let snapshot, _), _): "tick \(snapshot.number)"
      case .feed(.freshness(let state, _), _): state.rawValue
      case .feed(.missedTrades, _): "missed"
      case .feed(.unusable, _): "skipped"
      case .feed: "data"
      case .command(.cancel(let order), _): "cancel \(order)"
      case .command: "command"
      }
    }
  }

  @Test func `everything comes out once and in order, and the service is woken once`() {
    let queue = CommandQueue()
    let outcomes = [tick(1), cancel(1), .feed(.freshness(.late), of: stock), tick(2)].map {
      queue.add($0)
    }
    #expect(outcomes == [.wake, .queued, .queued, .queued])
    #expect(queue.takeAll().map(words) == ["tick 1", "cancel 1", "late", "tick 2"])
    let meanwhile = queue.add(tick(3))
    #expect(meanwhile == .queued, "the service is still at work")
    #expect(queue.takeAll().map(words) == ["tick 3"])
    #expect(queue.takeAll() == nil)
    let woken = queue.add(tick(4))
    #expect(woken == .wake)
  }

  @Test func `orders above the bound are refused and the others kept`() {
    let queue = CommandQueue(maximumCommands: 2, maximumFeedItems: 2)
    let outcomes = (1...3).map { queue.add(cancel($0)) }
    #expect(outcomes == [.wake, .queued, .full])
    #expect(queue.takeAll().map(words) == ["cancel 1", "cancel 2"])
    let later = queue.add(cancel(4))
    #expect(later == .queued)
  }

  @Test func `above the bound a tick replaces the tick before it but never across an order`() {
    let queue = CommandQueue(maximumCommands: 9, maximumFeedItems: 2)
    for number in 1...3 { _ = queue.add(tick(UInt64(number))) }
    _ = queue.add(cancel(1))
    for number in 4...6 { _ = queue.add(tick(UInt64(number))) }
    #expect(queue.takeAll().map(words) == ["tick 1", "tick 3", "cancel 1", "tick 6"])
  }

  @Test func `a flapping feed before a blocked disk stays bounded`() {
    let queue = CommandQueue(maximumCommands: 9, maximumFeedItems: 4)
    for number in 1...1000 {
      _ = queue.add(tick(UInt64(number)))
      _ = queue.add(.feed(.freshness(.stale), of: stock))
      _ = queue.add(.feed(.unusable(.priceTooHigh(Price(units: 1)), number: 1), of: stock))
    }
    let left = queue.takeAll().map(words) ?? []
    #expect(left.count <= 5)
    #expect(left.last == "skipped", "what came last is never dropped: it ends the market")
  }

  @Test func `a feed that restarts repeatedly before a blocked disk stays bounded`() {
    let queue = CommandQueue(maximumCommands: 9, maximumFeedItems: 4)
    for number in 1...1000 {
      _ = queue.add(.feed(.freshness(.waiting), of: stock))
      _ = queue.add(tick(UInt64(number)))
      if number.isMultiple(of: 3) { _ = queue.add(.feed(.freshness(.late), of: stock)) }
      if number.isMultiple(of: 5) { _ = queue.add(.feed(.freshness(.waiting), of: stock)) }
      if number == 500 { _ = queue.add(cancel(1)) }
    }
    let left = queue.takeAll().map(words) ?? []
    #expect(left.count <= 12)
    #expect(left.prefix(2) == ["waiting", "tick 1"] && left.contains("cancel 1"))
    #expect(left.last == "waiting", "what came last is never dropped: it ends the market")
  }

  @Test func `a closed queue takes nothing`() {
    let queue = CommandQueue()
    queue.close()
    let outcome = queue.add(cancel(1))
    #expect(outcome == .closed)
  }
}
