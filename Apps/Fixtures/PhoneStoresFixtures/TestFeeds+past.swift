import Foundation
package import MarketModel
import VenueProtocols

extension TestFeeds {
  /// The snapshot of trades that a stream begins with: the latest 30 of a past.
  package func begin(_ venue: Venue, _ name: String, of past: PlayedPast) throws {
    let last = PlayedPast.number(at: milliseconds)
    try tape(venue, name, (last - 29...last).map { live(past, $0, venue) })
  }

  /// Advances time and delivers every trade of a past when it is due.
  package func play(
    _ amount: Int64, _ venue: Venue, _ name: String, of past: PlayedPast
  ) throws {
    let key = MarketKey(venue, .trades, try symbol(name))
    let end = milliseconds + amount
    while true {
      let number = PlayedPast.number(at: milliseconds) + 1
      let time = number * PlayedPast.step
      guard time <= end else { return pass(end - milliseconds) }
      pass(time - milliseconds)
      let trade = live(past, number, venue)
      happen(
        key,
        .trade(trade, priceScale: PlayedPast.scale, quantityScale: PlayedPast.quantityScale))
      try tape(venue, name, (number - 29...number).map { live(past, $0, venue) })
    }
  }

  private func tape(_ venue: Venue, _ name: String, _ trades: [Trade]) throws {
    let name = try symbol(name)
    send(
      MarketKey(venue, .trades, name),
      .trades(
        TapeView(
          symbol: name, trades: trades.reversed(), priceScale: PlayedPast.scale,
          quantityScale: PlayedPast.quantityScale, priceDecimals: PlayedPast.scale,
          freshness: fresh(.live))))
  }

  /// A trade as the stream delivers it; not every venue numbers them.
  private func live(_ past: PlayedPast, _ number: Int64, _ venue: Venue) -> Trade {
    let trade = past.trade(number)
    let isNumbered = venue.adapter.history?.givesTrades == true
    return Trade(
      price: Price(units: trade.price.units), size: Quantity(units: trade.quantity.units),
      side: past.price(at: number * PlayedPast.step) % 2 == 0 ? .buy : .sell, time: trade.time,
      arrival: UInt64(number), identifier: isNumbered ? number : 0)
  }

  /// A venue's own figures of an instrument.
  package func figures(
    _ venue: Venue, _ name: String, _ state: FreshnessState = .live,
    _ change: (inout DayFigures) throws -> Void
  ) throws {
    let name = try symbol(name)
    var figures = DayFigures(symbol: name, freshness: fresh(state))
    figures.at = Timestamp(milliseconds: milliseconds)
    try change(&figures)
    send(MarketKey(venue, .figures, name), .figures(figures))
  }
}

extension TestFeeds {
  /// Kraken's listing in small: pairs of its catalogue, a closed one, and a token.
  package func listing() throws {
    func listed(
      _ base: String, _ quote: String = "USD", _ kind: InstrumentKind = .spot, isOpen: Bool = true
    ) throws -> ListedInstrument {
      ListedInstrument(
        symbol: try symbol("\(base)/\(quote)"), base: base, quote: quote, kind: kind,
        isOpen: isOpen)
    }
    let instruments = [
      try listed("AAPLx", "USD", .token), try listed("ADA", isOpen: false),
      try listed("BTC", "EUR"), try listed("BTC"), try listed("DOGE"), try listed("ETH", "BTC"),
      try listed("ETH"), try listed("SHIB"), try listed("SOL"), try listed("XRP"),
    ]
    send(
      .listing(of: .kraken),
      .listing(VenueListing(instruments: instruments, freshness: fresh(.live))))
  }
}
