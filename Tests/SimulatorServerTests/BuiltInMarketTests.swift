import FeedConnections
import Logging
import MarketModel
import NIOCore
import NIOEmbedded
import NIOPosix
import SimulatorHost
import Testing
import VenueCatalogue

@Suite struct BuiltInMarketTests {
  @Test func `every venue's first book is live, although no socket can be opened`() async throws {
    let loop = NIOAsyncTestingEventLoop()
    try #require(ClientBootstrap(validatingGroup: loop) == nil, "this loop could open a socket")
    let clock = HubClock {
      ClockReading(milliseconds: 1_790_000_000_000 + Int64(loop.now.uptimeNanoseconds) / 1_000_000)
    }
    let venues = Venue.allCases.filter { !$0.descriptor.books.isEmpty }
    let addresses = MarketChoice(.builtIn).addresses(of: venues)
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let market = BuiltInMarket(addresses, seed: 7, clock: clock, on: loop, logger: logger)
    let hub = FeedHub(
      venues: addresses.map { $0.connection(token: nil, seed: 7) }, loop: loop, logger: logger,
      clock: clock, connector: market.connector)
    hub.start()
    let keys = venues.compactMap { $0.descriptor.books.first?.bookKey }
    let observation = hub.observe(Set(keys)) { _, _ in }
    var states: [FreshnessState?] = []
    for _ in 0..<300 where states.isEmpty || states.contains(where: { $0 != .live }) {
      await loop.advanceTime(by: .milliseconds(100))
      states = try await loop.executeInContext {
        keys.map { hub.value(of: $0)?.freshness.state }
      }
    }
    #expect(
      states == keys.map { _ in .live }, "\(zip(venues, states).map { "\($0) \($1 as Any)" })")
    observation.cancel()
    let ended = Task { await hub.shutdown() }
    for _ in 0..<20 { await loop.advanceTime(by: .milliseconds(100)) }
    await ended.value
  }
}
