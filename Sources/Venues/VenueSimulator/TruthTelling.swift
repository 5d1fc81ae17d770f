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
  /// The subscriptions that a client needs for what its pages show, sorted; without the sessions'
  /// own tables, so that a mistake there is found.
  func streams(for wanted: [Subscription]) -> [String]
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

  /// The same where each instrument has these streams, with others that are always needed.
  func streams(
    for wanted: [Subscription], book: [String], trades: String, figures: String,
    details: [String] = [], always: [String] = []
  ) -> [String] {
    let names = wanted.flatMap { subscription -> [String] in
      let channels: [String]
      switch subscription.channel {
      case .book: channels = book
      case .trades: channels = [trades]
      case .quote: channels = book + [trades]
      case .figures: channels = [figures]
      // Lists come over HTTP.
      case .listing: return []
      }
      return (channels + details).map { "\($0) \(subscription.symbol)" }
    }
    return Set(names + always).sorted()
  }
}

extension SimulatedVenues {
  /// One venue, with the seed of its faults; it must be an order-book venue or the exchange.
  package static func truthful(
    of venue: Venue, seed: UInt64, faults: UInt64, start: Timestamp, _ options: Options
  ) -> any (FaultInjecting & TruthTelling) {
    let simulation = simulation(of: venue, seed: seed, faults: faults, start: start, options)
    guard let truthful = simulation as? any (FaultInjecting & TruthTelling) else {
      preconditionFailure("\(venue) has no book to compare")
    }
    return truthful
  }
}

extension FaultyVenue: TruthTelling where Wrapped: TruthTelling {
  package func bestLevels(_ symbol: Symbol, depth: Int) -> (bids: [TrueLevel], asks: [TrueLevel])? {
    venue.bestLevels(symbol, depth: depth)
  }

  package func publishedLevels(
    _ symbol: Symbol, depth: Int
  ) -> (bids: [TrueLevel], asks: [TrueLevel])? {
    venue.publishedLevels(symbol, depth: depth)
  }

  package func streams(of client: ClientID) -> [String] { venue.streams(of: client) }

  package func streams(for wanted: [Subscription]) -> [String] { venue.streams(for: wanted) }

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
  package func bestLevels(_ symbol: Symbol, depth: Int) -> (bids: [TrueLevel], asks: [TrueLevel])? {
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

  package func streams(for wanted: [Subscription]) -> [String] {
    streams(for: wanted, book: ["book"], trades: "trade", figures: "ticker", always: ["instrument"])
  }
}

extension SimulatedCoinbase {
  package func streams(for wanted: [Subscription]) -> [String] {
    streams(
      for: wanted, book: ["book"], trades: "trade", figures: "ticker", details: ["status"],
      always: ["heartbeats"])
  }
}

extension SimulatedOKX {
  package func streams(for wanted: [Subscription]) -> [String] {
    streams(
      for: wanted, book: ["books", "bbo-tbt"], trades: "trades", figures: "tickers",
      always: ["status"])
  }
}

extension SimulatedBybit {
  package func streams(for wanted: [Subscription]) -> [String] {
    streams(
      for: wanted, book: ["orderbook.50", "orderbook.1"], trades: "publicTrade",
      figures: "tickers")
  }
}

extension SimulatedBinance {
  package func streams(for wanted: [Subscription]) -> [String] {
    streams(for: wanted, book: ["depth@100ms", "bookTicker"], trades: "trade", figures: "ticker")
  }
}

extension SimulatedBitMEX: TruthTelling {
  package func bestLevels(_ symbol: Symbol, depth: Int) -> (bids: [TrueLevel], asks: [TrueLevel])? {
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

  package func streams(for wanted: [Subscription]) -> [String] {
    let names = wanted.flatMap { subscription in
      let tables: [String] =
        switch subscription.channel {
        case .book: ["orderBookL2", "orderBookL2_25", "instrument"]
        case .trades: ["trade", "instrument"]
        case .quote: ["quote", "trade", "instrument"]
        case .figures, .listing: []
        }
      return tables.map { "\($0):\(subscription.symbol)" }
    }
    return Set(names).sorted()
  }
}

extension SimulatedExchange: TruthTelling {
  package func bestLevels(
    _ symbol: Symbol, depth: Int
  ) -> (bids: [TrueLevel], asks: [TrueLevel])? { nil }

  package func streams(of client: ClientID) -> [String] { isGreeted(by: client) ? ["ticks"] : [] }

  package func streams(for wanted: [Subscription]) -> [String] { ["ticks"] }
}
