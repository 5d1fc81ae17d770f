// Charts of simulated venues with past trades, in process and on a virtual clock: what the stream
// loses is fetched, and every closed minute is proven.

import ChartModel
import FeedConnections
import Logging
import MarketModel
import MarketStreams
import NIOCore
import NIOEmbedded
import SimulatorHost
import Testing
import VenueCatalogue
import VenueSimulator

@Suite struct PastTradesTests {
  /// A page of minutes after a run of three and a half minutes with faults on the way.
  private func minutes(
    of venue: Venue, _ faults: [(second: Int, spec: String)]
  ) async throws -> CandlePage {
    let loop = NIOAsyncTestingEventLoop()
    let clock = HubClock {
      ClockReading(milliseconds: 1_790_000_000_000 + Int64(loop.now.uptimeNanoseconds) / 1_000_000)
    }
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let addresses = MarketChoice(.builtIn).addresses(of: [venue])
    let market = BuiltInMarket(addresses, seed: 7, clock: clock, on: loop, logger: logger)
    let hub = FeedHub(
      venues: addresses.map { $0.connection(token: nil, seed: 7) }, loop: loop, logger: logger,
      clock: clock, connector: market.connector)
    let book = try #require(venue.descriptor.books.first)
    let instrument = InstrumentKey(venue, book.symbol)
    let service = CandleService(
      feeds: hub, addresses: addresses, venues: market, origin: .simulated, recorded: [],
      store: nil, clock: clock, logger: logger)
    hub.start()
    service.start()
    let observation = service.observe(instrument) { _ in }
    func page() async throws -> CandlePage {
      let task = Task { await service.candles(of: instrument, .minute) }
      for _ in 0..<30 { await loop.advanceTime(by: .milliseconds(100)) }
      return try #require(await task.value)
    }
    _ = try await page()
    for step in 0..<2100 {
      for fault in faults where fault.second * 10 == step {
        let spec = try FaultSpec(fault.spec)
        try await loop.executeInContext { try market.addFaults(spec, to: venue) }
      }
      // The request keeps the minutes of the venue coming.
      if step % 300 == 0 { _ = try await page() }
      await loop.advanceTime(by: .milliseconds(100))
    }
    let found = try await page()
    observation.cancel()
    service.shutdown()
    let ended = Task { await hub.shutdown() }
    for _ in 0..<30 { await loop.advanceTime(by: .milliseconds(100)) }
    await ended.value
    return found
  }

  @Test func `OKX's trades that the stream lost are fetched by number, and minutes are proven`()
    async throws
  {
    let page = try await minutes(
      of: .okx, [(40, "cut, refuse=503 for 15s"), (110, "drop=40% for 10s")])
    // The open minute, one that the venue has not been asked for yet, and three before it.
    let own = page.candles.suffix(5)
    #expect(own.dropLast(2).allSatisfy { $0.proof == .proven }, "\(own)")
    #expect(own.allSatisfy { $0.source == .trades && $0.missing == 0 && $0.count > 0 }, "\(own)")
    #expect(page.gaps.isEmpty && page.mismatches == 0)
  }
}
