// What screens and the command line see of a market.

import MarketModel
import OrderBook

extension KrakenMarket {
  /// Silence that heartbeats rule out: three of them.
  static let quietMilliseconds: Int64 = 3500
  static let deadMilliseconds: Int64 = KrakenHeartbeat.deadMilliseconds

  /// The book of a pair.
  func bookView(_ number: Int, at now: ClockReading) -> BookView {
    let instrument = instruments[number]
    let scales = scales(number)
    return BookView(
      symbol: instrument.symbol, status: instrument.book.trust.status,
      freshness: judged(bookFreshness(number, at: now), number),
      bids: instrument.book.book.rows(.bid), asks: instrument.book.book.rows(.ask),
      bidLevels: instrument.book.book.levelCount(.bid),
      askLevels: instrument.book.book.levelCount(.ask), priceScale: scales.price,
      quantityScale: scales.quantity, priceDecimals: scales.price,
      sequence: instrument.book.trust.sequence, resyncs: instrument.book.trust.resyncs)
  }

  /// The tape of a pair.
  func tapeView(_ number: Int, at now: ClockReading) -> TapeView {
    let instrument = instruments[number]
    let scales = scales(number)
    return TapeView(
      symbol: instrument.symbol, trades: instrument.tape.trades, priceScale: scales.price,
      quantityScale: scales.quantity, priceDecimals: scales.price,
      freshness: judged(tapeFreshness(number, at: now), number))
  }

  /// What the book is worth: no better than the connection, whose heartbeats come each second.
  private func bookFreshness(_ number: Int, at now: ClockReading) -> Freshness {
    let connection = connectionFreshness(at: now)
    return instruments[number].book.freshness(at: now, connection).noBetter(than: connection)
  }

  /// What the tape is worth: no better than the book of the same pair, where it is followed.
  private func tapeFreshness(_ number: Int, at now: ClockReading) -> Freshness {
    let own = instruments[number].tape.freshness(connectionFreshness(at: now))
    let instrument = instruments[number]
    guard instrument.needsBook, instrument.book.trust.status == .synced else { return own }
    return own.noBetter(than: bookFreshness(number, at: now))
  }

  /// The quote of a pair: the latest trade's price, the proven book's best prices.
  func quoteView(_ number: Int, at now: ClockReading) -> QuoteView {
    let instrument = instruments[number]
    let scale = scales(number).price
    let isProven = instrument.book.trust.status == .synced
    let bid = isProven ? instrument.book.book.best(.bid) : nil
    let ask = isProven ? instrument.book.book.best(.ask) : nil
    let tape = tapeFreshness(number, at: now)
    return QuoteView(
      symbol: instrument.symbol, price: instrument.quote.price.map { decimal($0, scale) },
      bid: bid.map { decimal($0.price.units, scale) },
      ask: ask.map { decimal($0.price.units, scale) }, bidSize: bid?.size, askSize: ask?.size,
      direction: instrument.quote.direction, changes: instrument.quote.changes,
      freshness: judged(
        Freshness(
          state: tape.state, origin: origin, confirmedAt: instrument.quote.confirmedAt,
          lateAfterMilliseconds: tape.lateAfterMilliseconds), number))
  }

  private func decimal(_ units: Int64, _ scale: Scale) -> FixedDecimal {
    FixedDecimal(units: units, scale: scale)
  }

  private func scales(_ number: Int) -> KrakenScales {
    decoder.pairs.scales[number] ?? KrakenScales(price: .whole, quantity: .whole)
  }

  /// Views of a pair of which nothing is known.
  static func emptyValue(
    _ subscription: Subscription, _ freshness: Freshness, isKnown: Bool
  ) -> MarketValue {
    switch subscription.channel {
    case .book:
      .book(
        BookView(
          symbol: subscription.symbol, status: .waiting, freshness: freshness, bids: [], asks: [],
          bidLevels: 0, askLevels: 0, priceScale: .whole, quantityScale: .whole,
          priceDecimals: .whole, sequence: 0, resyncs: 0, isKnown: isKnown))
    case .trades:
      .trades(
        TapeView(
          symbol: subscription.symbol, trades: [], priceScale: .whole, quantityScale: .whole,
          priceDecimals: .whole, freshness: freshness, isKnown: isKnown))
    case .quote: .quote(QuoteView(symbol: subscription.symbol, price: nil, freshness: freshness))
    }
  }

  /// How fresh anything can be on this connection.
  ///
  /// Any readable message confirms it, a heartbeat too: the venue sends in order, so what it has
  /// not sent has not happened.
  func connectionFreshness(at now: ClockReading) -> Freshness {
    guard let lastMessage else { return onLink(.waiting(origin)) }
    let age = now.monotonic.milliseconds(since: lastMessage.monotonic)
    let state: FreshnessState =
      age <= KrakenMarket.quietMilliseconds
      ? .live : age <= KrakenMarket.deadMilliseconds ? .late : .stale
    return onLink(
      Freshness(
        state: state, origin: origin, confirmedAt: lastMessage,
        lateAfterMilliseconds: KrakenMarket.quietMilliseconds))
  }

  /// On a connection that is down nothing is better than disconnected; in a closed market silence
  /// is right.
  private func judged(_ freshness: Freshness, _ number: Int) -> Freshness {
    let isClosed = isInMaintenance || instruments[number].info?.isOpen == false
    let market =
      isClosed && freshness.state != .waiting ? freshness.changed(to: .closed) : freshness
    return onLink(market)
  }

  /// On a connection that is down nothing is better than disconnected.
  func onLink(_ freshness: Freshness) -> Freshness {
    link == .closed ? freshness.changed(to: .disconnected) : freshness
  }
}

/// Heartbeats come about once a second; a client that says nothing for a minute is cut off.
enum KrakenHeartbeat {
  static let probeAfterMilliseconds: Int64 = 5000
  static let deadAfterMilliseconds: Int64 = 5000
  static let deadMilliseconds = probeAfterMilliseconds + deadAfterMilliseconds
  /// Well below the minute after which the venue hangs up on a silent client.
  static let keepAliveMilliseconds: Int64 = 20_000
  /// `req_id` is left out, so that the host recognises its own probe.
  static let ping = #"{"method":"ping"}"#
}
