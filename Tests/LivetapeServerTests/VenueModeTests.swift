// Which venues a server reads, and which of them the configuration names.

import FeedConnections
import MarketModel
import Testing
import VenueCatalogue

@testable import LivetapeServer

@Suite struct VenueModeTests {
  @Test func `an argument is simulated, live, or names of venues`() {
    #expect(VenueMode("simulated") == .simulated && VenueMode("live") == .live)
    #expect(VenueMode("kraken, coinbase") == .named([.kraken, .coinbase]))
    for text in ["", "kraken,", "kraken,kraken", "nope", "live,kraken"] {
      #expect(VenueMode(text) == nil, "\(text)")
    }
  }

  @Test func `named venues alone are read, and the others say that they are not`() {
    var configuration = LivetapeConfiguration()
    configuration.mode = .named([.kraken, .coinbase])
    let venues = ServedVenues(configuration, simulated: nil)
    #expect(venues.addresses.map(\.venue) == [.kraken, .coinbase])
    #expect(configuration.requestedVenues == [.kraken, .coinbase])
    #expect(venues.closed[.binance] == "This server doesn't read Binance.")
    #expect(venues.closed[.bitmex] == Venue.bitmex.closure)
    configuration.mode = .live
    #expect(configuration.requestedVenues.isEmpty)
    #expect(ServedVenues(configuration, simulated: nil).closed.keys.sorted() == [.bitmex])
  }

  @Test func `a closed venue can't be named without an address`() throws {
    var configuration = LivetapeConfiguration()
    configuration.mode = .named([.bitmex])
    #expect(throws: ConfigurationError.self) { try configuration.check() }
    configuration.addresses[.bitmex] = try .given("ws://127.0.0.1:1/realtime", for: .bitmex)
    try configuration.check()
    #expect(configuration.requestedVenues == [.bitmex])
  }
}
