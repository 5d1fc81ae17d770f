// The origin of data: by the address, unless the host declares a simulator.

import MarketModel
import Testing

@testable import FeedConnections

@Suite struct FeedHubOriginTests {
  @Test(arguments: [DataOrigin.custom, .venue])
  func `a host is a simulator for as long as it declares it`(address: DataOrigin) async throws {
    let harness = HubHarness(origin: address)
    let key = MarketKey(.isin, .quote, try #require(Symbol("A")))
    let statuses = Journal<DataOrigin>()
    let values = harness.hub.observe([key]) { _, _ in }
    let connections = harness.hub.observeConnections { statuses.append($0.origin) }
    let hub = harness.hub
    for (says, expected) in [(true, DataOrigin.simulated), (false, address)] {
      hub.start()
      try await harness.deliver(.connected)
      try await harness.deliver(.accepted(says ? .simulated : nil))
      try await harness.deliver(.opened)
      try await harness.say("hello")
      try await harness.say("q A 5")
      await harness.advance(300)
      let value = try await harness.onNewest { _ in hub.value(of: key) }
      guard case .quote(let quote)? = value else {
        Issue.record("no quote")
        return
      }
      #expect(quote.freshness.origin == expected, "said \(says)")
      #expect(statuses.entries.last == expected, "said \(says)")
      hub.stop(.isin)
      await harness.advance(40_000)
    }
    withExtendedLifetime((values, connections)) {}
  }
}
