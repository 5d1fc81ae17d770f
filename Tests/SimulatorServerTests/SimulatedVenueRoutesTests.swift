import FeedConnections
import MarketModel
import SimulatorHost
import SocketTransport
import Testing
import VenueCatalogue

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
}
