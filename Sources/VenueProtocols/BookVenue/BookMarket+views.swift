// What screens and the command line see of a market.

import MarketModel
import OrderBook

extension BookMarket {
  /// The book of a symbol, its rows grouped; how far it is believed has nothing to do with that.
  func bookView(
    _ number: Int, _ grouping: PriceGrouping = .none, at now: ClockReading
  ) -> BookView {
    let sync = Venue.shownBook(number, in: self)
    let scales = Venue.scales(number, in: self)
    let tick = Venue.tick(number, in: self)
    let rows = { (side: BookSide) in
      grouping.isNone
        ? sync.book.rows(side)
        : sync.book.groupedRows(side, step: grouping.step(tick: tick), depth: sync.fixedDepth)
    }
    return BookView(
      symbol: instruments[number].symbol, status: sync.trust.status,
      freshness: judged(sync.freshness(at: now, connectionFreshness(at: now)), number),
      bids: rows(.bid), asks: rows(.ask),
      bidLevels: sync.book.levelCount(.bid), askLevels: sync.book.levelCount(.ask),
      priceScale: scales.price, quantityScale: scales.quantity,
      priceDecimals: Venue.priceDecimals(number, in: self), sequence: sync.trust.sequence,
      resyncs: sync.trust.resyncs, grouping: grouping, tick: tick,
      top: BookTop(bid: sync.book.best(.bid)?.price, ask: sync.book.best(.ask)?.price),
      proof: grouping.isNone ? sync.trust.proof : nil, doubt: sync.trust.doubt,
      witnesses: witnessReport(number, at: now))
  }

  /// The tape of a symbol.
  func tapeView(_ number: Int, at now: ClockReading) -> TapeView {
    let scales = Venue.scales(number, in: self)
    return TapeView(
      symbol: instruments[number].symbol, trades: instruments[number].tape.trades,
      priceScale: scales.price, quantityScale: scales.quantity,
      priceDecimals: Venue.priceDecimals(number, in: self),
      freshness: judged(tapeFreshness(number, at: now), number))
  }

  /// What the tape is worth: no better than the book of the same symbol, where it is followed.
  func tapeFreshness(_ number: Int, at now: ClockReading) -> Freshness {
    let connection = connectionFreshness(at: now)
    let own = instruments[number].tape.freshness(connection)
    let sync = Venue.shownBook(number, in: self)
    guard books.accepts(number), sync.trust.status == .synced else { return own }
    return own.noBetter(than: sync.freshness(at: now, connection))
  }

  /// The quote of a symbol.
  func quoteView(_ number: Int, at now: ClockReading) -> QuoteView {
    Venue.quoteView(number, in: self, at: now)
  }

  /// The figures of a symbol's day.
  func figuresView(_ number: Int, at now: ClockReading) -> DayFigures {
    let figures = instruments[number].figures
    return figures.view(
      of: instruments[number].symbol,
      judged(figures.freshness(connectionFreshness(at: now)), number))
  }

  /// Views of a symbol of which nothing is known.
  static func emptyValue(
    _ subscription: Subscription, _ freshness: Freshness, isKnown: Bool
  ) -> MarketValue {
    let scales = Venue.profile.scales
    switch subscription.channel {
    case .book:
      return .book(
        BookView(
          symbol: subscription.symbol, status: .waiting, freshness: freshness, bids: [], asks: [],
          bidLevels: 0, askLevels: 0, priceScale: scales.price, quantityScale: scales.quantity,
          priceDecimals: .whole, sequence: 0, resyncs: 0, isKnown: isKnown))
    case .trades:
      return .trades(
        TapeView(
          symbol: subscription.symbol, trades: [], priceScale: scales.price,
          quantityScale: scales.quantity, priceDecimals: .whole, freshness: freshness,
          isKnown: isKnown))
    case .quote:
      return .quote(QuoteView(symbol: subscription.symbol, price: nil, freshness: freshness))
    case .figures:
      return .figures(
        DayFigures(symbol: subscription.symbol, freshness: freshness, isKnown: isKnown))
    case .listing: return .listing(VenueListing(instruments: [], freshness: freshness))
    }
  }

  /// How fresh anything can be on this connection.
  ///
  /// A readable message confirms it: the venue sends in order, so what it has not sent has not
  /// happened. An answer to a ping does only where there are no heartbeats.
  func connectionFreshness(at now: ClockReading) -> Freshness {
    guard let lastMessage else { return onLink(.waiting(origin)) }
    let profile = Venue.profile
    let age = now.monotonic.milliseconds(since: lastMessage.monotonic)
    let state: FreshnessState =
      age <= profile.quietMilliseconds ? .live : age <= profile.deadMilliseconds ? .late : .stale
    return onLink(
      Freshness(
        state: state, origin: origin, confirmedAt: lastMessage,
        lateAfterMilliseconds: profile.quietMilliseconds))
  }

  /// On a connection that is down nothing is better than disconnected; in a closed market silence
  /// is right; of an instrument that the venue has not told of nothing is known.
  func judged(_ freshness: Freshness, _ number: Int) -> Freshness {
    guard Venue.isNamed(number, in: self) else { return onLink(freshness.changed(to: .waiting)) }
    let isClosed = Venue.isClosed(number, in: self) && freshness.state != .waiting
    return onLink(isClosed ? freshness.changed(to: .closed) : freshness)
  }

  /// On a connection that is down nothing is better than disconnected.
  func onLink(_ freshness: Freshness) -> Freshness {
    link == .closed ? freshness.changed(to: .disconnected) : freshness
  }
}
