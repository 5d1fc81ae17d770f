// What screens and the command line see of a market.

import MarketModel
import OrderBook

extension BitMEXMarket {
  /// The book of a symbol, from `orderBookL2` or else from `orderBookL2_25`.
  func bookView(_ number: Int, at now: ClockReading) -> BookView {
    let state = fullestBook(number)
    return BookView(
      symbol: instruments[number].symbol, status: state.trust.status,
      freshness: onLink(state.freshness(at: now, origin: origin)),
      bids: state.book.rows(.bid), asks: state.book.rows(.ask),
      bidLevels: state.book.levelCount(.bid), askLevels: state.book.levelCount(.ask),
      priceScale: bitMEXPriceScale, quantityScale: .whole,
      priceDecimals: instruments[number].priceDecimals, sequence: state.trust.sequence,
      resyncs: state.trust.resyncs)
  }

  /// The state of `orderBookL2`, or of `orderBookL2_25` where there has been nothing else.
  func fullestBook(_ number: Int) -> BitMEXBookSync {
    usesTop25(number) ? topBooks.states[number] : books.states[number]
  }

  @inline(always)
  func usesTop25(_ number: Int) -> Bool {
    books.states[number].trust.sequence == 0 && topBooks.states[number].trust.sequence > 0
  }

  /// The tape of a symbol.
  func tapeView(_ number: Int, at now: ClockReading) -> TapeView {
    let instrument = instruments[number]
    return TapeView(
      symbol: instrument.symbol, trades: instrument.tape.trades, priceScale: bitMEXPriceScale,
      quantityScale: .whole, priceDecimals: instrument.priceDecimals,
      freshness: onLink(tapeFreshness(number, at: now)))
  }

  /// What the tape is worth: no better than the book of the same symbol, where there is one.
  private func tapeFreshness(_ number: Int, at now: ClockReading) -> Freshness {
    let own = instruments[number].tape.freshness(connectionFreshness(at: now))
    let book = fullestBook(number)
    guard book.trust.status == .synced, books.accepts(number) else { return own }
    return own.noBetter(than: book.freshness(at: now, origin: origin))
  }

  /// The quote of a symbol.
  func quoteView(_ number: Int, at now: ClockReading) -> QuoteView {
    let instrument = instruments[number]
    let quote = instrument.quote
    func decimal(_ units: Int64?) -> FixedDecimal? {
      guard let units else { return nil }
      let exact = FixedDecimal(units: units, scale: bitMEXPriceScale)
      return exact.exactly(at: instrument.priceDecimals) ?? exact.trimmed
    }
    return QuoteView(
      symbol: instrument.symbol, price: decimal(quote.price),
      bid: decimal(quote.latest.bidPrice), ask: decimal(quote.latest.askPrice),
      bidSize: quote.latest.bidSize.map(Quantity.init(units:)),
      askSize: quote.latest.askSize.map(Quantity.init(units:)), direction: quote.direction,
      changes: quote.changes, freshness: onLink(quote.freshness(at: now, origin: origin)))
  }

  /// Views of a symbol of which nothing is known.
  static func emptyValue(
    _ subscription: Subscription, _ freshness: Freshness
  ) -> MarketValue {
    switch subscription.channel {
    case .book:
      .book(
        BookView(
          symbol: subscription.symbol, status: .waiting, freshness: freshness, bids: [], asks: [],
          bidLevels: 0, askLevels: 0, priceScale: bitMEXPriceScale, quantityScale: .whole,
          priceDecimals: .whole, sequence: 0, resyncs: 0))
    case .trades:
      .trades(
        TapeView(
          symbol: subscription.symbol, trades: [], priceScale: bitMEXPriceScale,
          quantityScale: .whole, priceDecimals: .whole, freshness: freshness))
    case .quote: .quote(QuoteView(symbol: subscription.symbol, price: nil, freshness: freshness))
    }
  }

  /// How fresh anything can be on this connection.
  ///
  /// Any readable message confirms it, a `pong` too: the venue sends in order, so what it has not
  /// sent has not happened. Silence is probed after 5 s and ends the connection after 10 s.
  func connectionFreshness(at now: ClockReading) -> Freshness {
    guard let lastMessage else { return onLink(.waiting(origin)) }
    let age = now.monotonic.milliseconds(since: lastMessage.monotonic)
    let state: FreshnessState =
      age <= BitMEXHeartbeat.quietMilliseconds
      ? .live : age <= BitMEXHeartbeat.deadMilliseconds ? .late : .stale
    return onLink(
      Freshness(
        state: state, origin: origin, confirmedAt: lastMessage,
        lateAfterMilliseconds: BitMEXHeartbeat.quietMilliseconds))
  }

  /// On a connection that is down nothing is better than disconnected.
  func onLink(_ freshness: Freshness) -> Freshness {
    link == .closed ? freshness.changed(to: .disconnected) : freshness
  }
}

/// The venue's rule: after 5 s of silence ask with `ping`, 5 s later the connection is dead.
enum BitMEXHeartbeat {
  static let probeAfterMilliseconds: Int64 = 5000
  static let deadAfterMilliseconds: Int64 = 5000
  /// Silence that is normal: until the probe, and a second for its answer.
  static let quietMilliseconds = probeAfterMilliseconds + 1000
  static let deadMilliseconds = probeAfterMilliseconds + deadAfterMilliseconds
}
