// VENUE:SYMBOL on the command line.

import ArgumentParser
import LivetapeServer
import MarketModel

/// An instrument at a venue, such as `bitmex:XBTUSD`.
struct InstrumentName: ExpressibleByArgument {
  let venue: Venue
  let symbol: Symbol

  init?(argument: String) {
    let parts = argument.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, let symbol = Symbol(String(parts[1])),
      let venue = Venue(rawValue: String(parts[0]))
    else { return nil }
    self.venue = venue
    self.symbol = symbol
  }

  /// The streams that show everything known of it.
  var keys: Set<MarketKey> {
    [
      MarketKey(venue, .book, symbol), MarketKey(venue, .trades, symbol),
      MarketKey(venue, .quote, symbol),
    ]
  }
}
