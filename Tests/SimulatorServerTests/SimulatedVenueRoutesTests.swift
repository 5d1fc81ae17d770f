import FeedConnections
import Logging
import MarketModel
import NIOCore
import NIOEmbedded
import SimulatorHost
import SocketTransport
import Testing
import VenueCatalogue
import VenueSimulator

@testable import SimulatorServer

@Suite struct SimulatedVenueRoutesTests {
  @Test(arguments: Venue.allCases)
  func `a venue's own address leads to the venue, but for a raw feed`(venue: Venue) {
    let addresses = SimulatedVenueAddresses(host: "127.0.0.1", port: 1, exchangePort: 2)
    let found = SimulatedVenueHost.resolve(addresses.address(of: venue).endpoint.target)
    #expect(found?.venue == (venue.descriptor.transport == .tcp ? nil : venue))
    let path = venue.descriptor.simulatedPath
    #expect(found.map { $0.path == (path.isEmpty ? "/" : path) } ?? true)
  }

  @Test(arguments: [
    ("/bitmex", Venue.bitmex, "/"), ("/bitmex/api/v1/trade", .bitmex, "/api/v1/trade"),
    ("/realtime", .bitmex, "/realtime"), ("/api/v1/trade", .bitmex, "/api/v1/trade"),
    ("/v2", .kraken, "/v2"), ("/isin/", .isin, "/"),
    ("/bux/core/23/products/x", .bux, "/core/23/products/x"),
  ])
  func `a path leads to a venue and what is left of it`(path: String, venue: Venue, rest: String) {
    let found = SimulatedVenueHost.resolve(path)
    #expect(found?.venue == venue && found?.path == rest)
  }

  @Test(arguments: ["/", "", "/v2/", "/v2x", "/realtime/x", "/api/v2/x", "/krakenx", "/exchange"])
  func `other paths are no venue's`(path: String) {
    #expect(SimulatedVenueHost.resolve(path) == nil)
  }

  @Test(arguments: SimulatedVenueHost.routed)
  func `a refused upgrade is answered with the status of its refusal`(venue: Venue) throws {
    let (loop, start) = (EmbeddedEventLoop(), Timestamp(milliseconds: 1_626_993_367_000))
    let host = SimulatedVenueHost(
      SimulatedVenues.make(seed: 1, start: start, venues: [venue]), loop: loop,
      clock: HubClock { ClockReading(monotonic: MonotonicTime(milliseconds: 0), wall: start) },
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    loop.run()
    try host.changeFaults(of: venue, to: FaultSpec("refuse=429*2"), replacesAll: true)
    for attempt in 1...3 {
      let request = VenueRequest(
        path: venue.descriptor.simulatedPath, headers: ["sec-websocket-key": "key \(attempt)"])
      let refusal = host.refusal(of: request, venue: venue)
      guard attempt <= 2 else {
        #expect(refusal?.status != 429, "only two are refused")
        continue
      }
      #expect(refusal?.status == 429)
      let response = host.respond(to: request, venue: venue)
      loop.run()
      #expect(try response.wait()?.status == 429, "attempt \(attempt)")
    }
    host.shutDown()
    loop.run()
  }
}
