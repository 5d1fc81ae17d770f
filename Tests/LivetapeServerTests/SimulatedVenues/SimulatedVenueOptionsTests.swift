// What the simulated venues are told by the catalogues.

import Testing
import VenueProtocols
import VenueSimulator

@testable import LivetapeServer

@Suite struct SimulatedVenueOptionsTests {
  @Test func `a company costs about the same in the price tracker and in the watch list`() throws {
    let euros = SimulatedVenueOptions().venues.isinStartPricesCents
    #expect(euros.count >= 14)
    for (isin, name) in [("US02079K3059", "Alphabet"), ("US5949181045", "Microsoft")] {
      let stock = try #require(StockCatalogue.stocks.first { $0.name == name })
      #expect(try #require(euros[isin]) == stock.startPriceCents * 92 / 100)
    }
  }
}
