// Combine and async sequences: slow consumers get the newest value, and all share one connection.

import Combine
import MarketModel
import NIOConcurrencyHelpers
import NIOCore
import Testing

@testable import FeedConnections

/// A subscriber with manual demand.
///
/// Unchecked because the subscription makes one call at a time.
private final class SlowSubscriber: Subscriber, @unchecked Sendable {
  typealias Input = MarketValue
  typealias Failure = Never
  var subscription: (any Combine.Subscription)?
  var received: [String] = []
  var isFinished = false

  func receive(subscription: any Combine.Subscription) { self.subscription = subscription }
  func receive(_ input: MarketValue) -> Subscribers.Demand {
    received.append(brief(input))
    return .none
  }
  func receive(completion: Subscribers.Completion<Never>) { isFinished = true }
}

@Suite struct FeedHubStreamsTests {
  @Test func `a publisher brings the present value and each change`() async throws {
    let harness = try await HubHarness.started()
    let journal = Journal<String>()
    let key = try #require(harness.key("A"))
    let first = harness.hub.publisher(for: key).sink { journal.append("one " + brief($0)) }
    let second = harness.hub.publisher(for: key).map(brief).sink { journal.append("two " + $0) }
    await harness.advance(16)
    try await harness.say("q A 1")
    await harness.advance(20)
    #expect(
      journal.entries == ["one A - waiting", "two A - waiting", "one A 1 live", "two A 1 live"])
    #expect(try await harness.transports() == 1)
    first.cancel()
    second.cancel()
    await harness.advance(1000)
    #expect(try await harness.sent() == ["subscribe A", "unsubscribe A"])
  }

  @Test func `a subscriber that asks for one value at a time gets the newest`() async throws {
    let harness = try await HubHarness.started()
    let slow = SlowSubscriber()
    harness.hub.publisher(for: try #require(harness.key("A"))).subscribe(slow)
    await harness.advance(16)
    for price in 1...5 {
      try await harness.say("q A \(price)")
      await harness.advance(20)
    }
    #expect(slow.received.isEmpty)
    slow.subscription?.request(.max(1))
    #expect(slow.received == ["A 5 live"])
    try await harness.say("q A 6")
    await harness.advance(20)
    #expect(slow.received == ["A 5 live"])
    slow.subscription?.request(.max(2))
    #expect(slow.received == ["A 5 live", "A 6 live"])
    slow.subscription?.cancel()
    await harness.advance(1000)
    #expect(try await harness.sent().last == "unsubscribe A")
  }

  @Test func `connection statuses are published for every venue`() async throws {
    let harness = HubHarness(venues: [.isin, .echo])
    let journal = Journal<String>()
    let observation = harness.hub.connectionPublisher.sink {
      journal.append("\($0.venue) \($0.phase)")
    }
    harness.hub.start(.isin)
    await harness.advance(16)
    #expect(journal.entries == ["echo idle", "isin idle", "isin connecting"])
    observation.cancel()
  }

  @Test func `publishers finish when the hub is shut down`() async throws {
    let harness = HubHarness()
    let slow = SlowSubscriber()
    harness.hub.publisher(for: try #require(harness.key("A"))).subscribe(slow)
    await harness.advance(16)
    harness.hub.ends.runAll()
    slow.subscription?.request(.unlimited)
    #expect(slow.isFinished)
  }

  @Test func `a slow reader of a sequence gets the newest value`() async throws {
    let harness = try await HubHarness.started()
    let values = harness.hub.updates(for: try #require(harness.key("A")))
    await harness.advance(16)
    for price in 1...5 {
      try await harness.say("q A \(price)")
      await harness.advance(20)
    }
    var seen: [String] = []
    for await value in values {
      seen.append(brief(value))
      break
    }
    #expect(seen == ["A 5 live"])
  }
}
