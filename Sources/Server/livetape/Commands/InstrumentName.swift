import ArgumentParser
import LivetapeServer
import MarketModel
import VenueCatalogue

/// An instrument at a venue, such as `bitmex:XBTUSD`.
struct InstrumentName: ExpressibleByArgument {
  let venue: Venue
  let symbol: Symbol

  init(_ venue: Venue, _ symbol: Symbol) { (self.venue, self.symbol) = (venue, symbol) }

  init?(argument: String) {
    let parts = argument.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, let symbol = Symbol(String(parts[1])),
      let venue = Venue(rawValue: String(parts[0]))
    else { return nil }
    self.venue = venue
    self.symbol = symbol
  }

  var keys: Set<MarketKey> {
    [
      MarketKey(venue, .book, symbol), MarketKey(venue, .trades, symbol),
      MarketKey(venue, .quote, symbol),
    ]
  }

  /// Throws if the venue can't have such an instrument, without a request.
  func check() throws(CommandFailure) {
    if let refusal = venue.descriptor.refusal(of: symbol) { throw CommandFailure(refusal) }
  }

  /// The failure once the venue has reported the instrument as unknown.
  var absence: CommandFailure {
    CommandFailure("\(venue):\(symbol): \(venue.displayName) has no such instrument")
  }
}
