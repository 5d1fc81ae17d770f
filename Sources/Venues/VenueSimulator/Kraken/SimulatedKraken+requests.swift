// Requests of clients: one response per symbol, in the real venue's format.

import MarketModel
import VenueProtocols

extension SimulatedKraken {
  /// The symbols of all listed currency pairs with a market; the most active, deep ones first.
  public var symbols: [String] { directory.tradable.currencies.map { directory.pairs[$0].symbol } }

  /// The best levels of a pair's current book, each side best first, as in messages; nil for an
  /// unknown pair, and for one that was never requested.
  public func bookLevels(
    _ symbol: String, depth: Int
  ) -> (bids: [SimulatedKrakenLevel], asks: [SimulatedKrakenLevel])? {
    guard let index = pairs.firstIndex(where: { $0.symbol == symbol }) else { return nil }
    let pair = pairs[index]
    let book = KrakenTopBook(market.instruments[index], pair, depth: depth)
    func spelled(_ levels: [KrakenBookLevel]) -> [SimulatedKrakenLevel] {
      levels.map {
        SimulatedKrakenLevel(
          price: pair.price($0.ticks).description,
          quantity: FixedDecimal(units: $0.units, scale: pair.quantityPrecision).description)
      }
    }
    return (spelled(book.bids), spelled(book.asks))
  }

  mutating func handle(_ bytes: [UInt8], of client: ClientID, at now: Timestamp) -> [VenueEffect] {
    clients.hear(client, at: now)
    let request: KrakenRequest
    do {
      request = try KrakenRequest(bytes)
    } catch {
      return [
        tell(
          client,
          KrakenText.refusal("Malformed request", method: "", symbol: nil, nil, at: now))
      ]
    }
    switch request.method {
    case "ping": return [tell(client, KrakenText.pong(request.identifier, at: now))]
    case "subscribe", "unsubscribe": return carryOut(request, of: client, at: now)
    default: return [refuse(request, "Event(s) not found", nil, client, at: now)]
    }
  }

  private mutating func carryOut(
    _ request: KrakenRequest, of client: ClientID, at now: Timestamp
  ) -> [VenueEffect] {
    switch request.channel {
    case "instrument":
      let topic = KrakenTopic.instrument(tokens: request.wantsTokens)
      return carryOut(request, topic, nil, of: client, at: now)
    case "book", "trade", "ticker": break
    default: return [refuse(request, "Subscription name invalid", nil, client, at: now)]
    }
    guard !request.symbols.isEmpty else {
      return [refuse(request, "Pair(s) not found", nil, client, at: now)]
    }
    return request.symbols.flatMap { symbol -> [VenueEffect] in
      guard let place = directory.symbols[symbol] else {
        let error = "Currency pair not supported \(symbol)"
        return [refuse(request, error, symbol, client, at: now)]
      }
      let pair = index(at: place)
      if request.channel == "trade" {
        return carryOut(request, .trade(pair: pair), symbol, of: client, at: now)
      }
      if request.channel == "ticker" {
        guard let trigger = KrakenTrigger(rawValue: request.trigger) else {
          return [refuse(request, "Event trigger not supported", symbol, client, at: now)]
        }
        return carryOut(request, .ticker(pair: pair, trigger), symbol, of: client, at: now)
      }
      guard let depth = SimulatedKraken.depths.first(where: { Int64($0) == request.depth }) else {
        return [refuse(request, "Subscription depth not supported", symbol, client, at: now)]
      }
      return carryOut(request, .book(pair: pair, depth: depth), symbol, of: client, at: now)
    }
  }

  private mutating func carryOut(
    _ request: KrakenRequest, _ topic: KrakenTopic, _ symbol: String?, of client: ClientID,
    at now: Timestamp
  ) -> [VenueEffect] {
    let acknowledged = tell(client, KrakenText.acknowledgement(request, symbol, at: now))
    if request.method == "unsubscribe" {
      guard clients.unsubscribe(client, topic) else {
        return [refuse(request, "Subscription Not Found", symbol, client, at: now)]
      }
      return [acknowledged]
    }
    if clients.isTaken(topic, by: client) {
      return [refuse(request, "Already subscribed", symbol, client, at: now)]
    }
    guard clients.hasRoom(client) else {
      return [refuse(request, "Exceeded msg rate", symbol, client, at: now)]
    }
    if let pair = topic.pair { open(pair, at: now) }
    if case .book(let pair, let depth) = topic, clients.listeners(topic).isEmpty {
      published[topic] = KrakenTopBook(market.instruments[pair], pairs[pair], depth: depth)
    }
    clients.subscribe(client, topic)
    return request.wantsSnapshot
      ? [acknowledged, tell(client, snapshot(topic, at: now))] : [acknowledged]
  }

  private mutating func snapshot(_ topic: KrakenTopic, at now: Timestamp) -> [UInt8] {
    switch topic {
    case .instrument(let tokens):
      return tokens ? directory.snapshots.all : directory.snapshots.currencies
    case .trade(let pair):
      let trades = tapes[pair].latest(SimulatedKraken.snapshotTrades)
      return KrakenText.trades("snapshot", pairs[pair], trades)
    case .ticker(let pair, let trigger):
      publishedTouches[pair] = KrakenTouch(market.instruments[pair].top, at: now)
      return ticker("snapshot", pair, trigger, at: market.settled(now))
    case .book(let pair, let depth):
      let book =
        published[topic] ?? KrakenTopBook(market.instruments[pair], pairs[pair], depth: depth)
      return KrakenText.book(
        "snapshot", pairs[pair], bids: book.bids, asks: book.asks,
        checksum: proof.value(book, pairs[pair]), at: now)
    }
  }

  private func refuse(
    _ request: KrakenRequest, _ error: String, _ symbol: String?, _ client: ClientID,
    at now: Timestamp
  ) -> VenueEffect {
    tell(
      client,
      KrakenText.refusal(
        error, method: request.method, symbol: symbol, request.identifier, at: now))
  }
}

/// A level of the simulated Kraken, for comparison with the book of a client.
public struct SimulatedKrakenLevel: Sendable, Equatable {
  /// The price exactly as in messages.
  public let price: String
  /// Base units, exactly as in messages.
  public let quantity: String
}
