// The simulated venues' options from the catalogues.

import Testing
import VenueCatalogue
import VenueSimulator

@testable import SimulatorServer

@Suite struct SimulatedVenueOptionsTests {
  @Test func `a company starts at the same dollars in the price tracker and in the watch list`()
    throws
  {
    let dollars = SimulatedVenueOptions().venues.stockStartCents
    #expect(dollars.count >= 14)
    for (isin, name) in [("US02079K3059", "Alphabet"), ("US5949181045", "Microsoft")] {
      let stock = try #require(StockCatalogue.stocks.first { $0.name == name })
      #expect(try #require(dollars[isin]) == stock.startPriceCents)
    }
  }
}
