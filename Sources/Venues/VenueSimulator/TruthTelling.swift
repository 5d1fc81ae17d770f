package import MarketModel

/// A price level as in the venue's messages.
package struct TrueLevel: Hashable, Sendable {
  /// The price.
  package let price: FixedDecimal
  /// The size.
  package let size: FixedDecimal
}

/// A simulated venue whose current state tests compare with that of its clients.
package protocol TruthTelling: SimulatedVenue {
  /// The best levels of a current book, each side best first; nil without one.
  func bestLevels(_ symbol: Symbol, depth: Int) -> (bids: [TrueLevel], asks: [TrueLevel])?
  /// The best levels of the book that was last sent: the current ones where each change is sent at
  /// once.
  func publishedLevels(_ symbol: Symbol, depth: Int) -> (bids: [TrueLevel], asks: [TrueLevel])?
  /// A client's subscriptions, sorted: "book BTC/USD".
  func streams(of client: ClientID) -> [String]
  /// Advances like ``SimulatedVenue/advance(to:)``, but only to the next state of a book; repeat
  /// until `isLast`.
  mutating func step(to now: Timestamp) -> (effects: [VenueEffect], isLast: Bool)
}

extension TruthTelling {
  package func publishedLevels(
    _ symbol: Symbol, depth: Int
  ) -> (bids: [TrueLevel], asks: [TrueLevel])? {
    bestLevels(symbol, depth: depth)
  }

  package mutating func step(to now: Timestamp) -> (effects: [VenueEffect], isLast: Bool) {
    (advance(to: now), true)
  }
}

extension FaultyVenue: TruthTelling where Wrapped: TruthTelling {
  package func bestLevels(
    _ symbol: Symbol, depth: Int
  ) -> (bids: [TrueLevel], asks: [TrueLevel])? {
    venue.bestLevels(symbol, depth: depth)
  }

  package func publishedLevels(
    _ symbol: Symbol, depth: Int
  ) -> (bids: [TrueLevel], asks: [TrueLevel])? {
    venue.publishedLevels(symbol, depth: depth)
  }

  package func streams(of client: ClientID) -> [String] { venue.streams(of: client) }

  package mutating func step(to now: Timestamp) -> (effects: [VenueEffect], isLast: Bool) {
    var isLast = true
    let effects = advance(to: now) { venue, now in
      let step = venue.step(to: now)
      isLast = step.isLast
      return step.effects
    }
    return (effects, isLast)
  }
}

extension SimulatedKraken {
  package func bestLevels(
    _ symbol: Symbol, depth: Int
  ) -> (bids: [TrueLevel], asks: [TrueLevel])? {
    guard let index = pairs.firstIndex(where: { $0.symbol == symbol.text }) else { return nil }
    let pair = pairs[index]
    let book = KrakenTopBook(market.instruments[index], pair, depth: depth)
    func spelled(_ level: KrakenBookLevel) -> TrueLevel {
      TrueLevel(
        price: pair.price(level.ticks),
        size: FixedDecimal(units: level.units, scale: pair.quantityPrecision))
    }
    return (book.bids.map(spelled), book.asks.map(spelled))
  }

  package func streams(of client: ClientID) -> [String] {
    clients.topics(of: client).map { topic in
      switch topic {
      case .instrument: "instrument"
      case .book(let pair, _): "book \(pairs[pair].symbol)"
      case .trade(let pair): "trade \(pairs[pair].symbol)"
      case .ticker(let pair, _): "ticker \(pairs[pair].symbol)"
      }
    }.sorted()
  }
}

extension SimulatedBitMEX: TruthTelling {
  package func bestLevels(
    _ symbol: Symbol, depth: Int
  ) -> (bids: [TrueLevel], asks: [TrueLevel])? {
    guard let market = markets.first(where: { $0.instrument.symbol == symbol.text }) else {
      return nil
    }
    func spelled(_ level: BitMEXLevel) -> TrueLevel {
      TrueLevel(
        price: market.instrument.price(level.ticks),
        size: FixedDecimal(units: level.size, scale: .whole))
    }
    return (market.bids.top(depth).map(spelled), market.asks.top(depth).map(spelled))
  }

  package func streams(of client: ClientID) -> [String] { clients.topics(of: client) }
}

extension SimulatedExchange: TruthTelling {
  package func bestLevels(
    _ symbol: Symbol, depth: Int
  ) -> (bids: [TrueLevel], asks: [TrueLevel])? { nil }

  package func streams(of client: ClientID) -> [String] {
    isGreeted(by: client) ? ["ticks"] : []
  }
}
