import MarketModel
import OrderBook

/// The data of one instrument besides its book.
struct InstrumentData<Details: BookDetails>: Sendable {
  let symbol: Symbol
  var tape: TradeTape
  var quote = BookQuote()
  /// The streams whose rows are applied.
  var wanted: ChannelSet
  var details = Details()
  /// Prices of other streams, for comparison.
  var witnesses = WitnessPanel()
  var audit = BookAudit()
  /// The instrument in the venue's list over HTTP; nil where that lacks it.
  var listed: ListedRow?
  /// Last, because it is large and every message reads the rest.
  var figures = BookFigures()

  /// A quote shows the latest trade's price.
  @inline(__always)
  var needsTrades: Bool { !wanted.isDisjoint(with: [.trades, .quote]) }
}

/// Books, tapes and quotes by symbol number, of one connection or recording.
///
/// It decodes messages and lets the venue apply them; requests are the session's task.
struct BookMarket<Venue: BookVenue>: Sendable {
  /// Whether data can be confirmed now.
  enum Link {
    /// Never open so far.
    case never
    case open
    case closed
  }

  struct Change: Equatable {
    let number: Int
    let channel: Channel
  }

  var origin: DataOrigin
  /// True for a recording, which keeps all symbols; false for a session, which keeps requested
  /// ones.
  let takesEverything: Bool
  var link = Link.never
  /// Whether the venue is in maintenance: then no updates are expected.
  var isInMaintenance = false
  var decoder: Venue.Decoder
  var instruments: [InstrumentData<Venue.Details>] = []
  var books = BookSet<Venue.Sync>()
  /// The best levels of venues that send them apart from their books.
  var audits = BookSet<Venue.Sync>()
  var list = ListedMarkets()
  var own = Venue.MarketState()
  /// Streams that the latest message changed, each once.
  private(set) var changes: [Change] = []
  /// New trades of the latest message, in its order.
  var newTrades: [(number: Int, trade: Trade)] = []
  /// Trades of the latest message that were dropped for their time.
  var impossibleTrades: [TapeRow] = []
  /// Tapes in which the latest message revealed a gap.
  var incomplete: [Int] = []
  /// When the latest message arrived that proves that the venue sends updates.
  private(set) var lastMessage: ClockReading?

  init(origin: DataOrigin, takesEverything: Bool) {
    self.origin = origin
    self.takesEverything = takesEverything
    decoder = Venue.Decoder(takesEverything: takesEverything)
  }

  /// Decodes and applies one message; changes nothing when it throws.
  mutating func receive(
    _ bytes: Span<UInt8>, at now: ClockReading
  ) throws(BookDecodeError<Venue.Decoder.Wire>) -> Venue.Decoder.Message {
    changes.empty()
    newTrades.empty()
    impossibleTrades.empty()
    incomplete.empty()
    books.beginMessage()
    audits.beginMessage()
    let message = try decoder.decode(bytes)
    if Venue.confirms(message) { lastMessage = now }
    growToSymbols()
    Venue.apply(message, to: &self, at: now)
    if !takesEverything { hearWitnesses(at: now) }
    return message
  }

  /// The number of a symbol that a session requests; nil when there are too many.
  mutating func number(of symbol: Symbol) -> Int? {
    guard let number = decoder.symbols.number(of: symbol) else { return nil }
    growToSymbols()
    return number
  }

  /// The number of a symbol that has occurred or is requested.
  @inline(__always)
  func known(_ symbol: Symbol) -> Int? {
    // A rejected message may have numbered a symbol that is not kept yet.
    decoder.symbols.known(symbol).flatMap { $0 < instruments.count ? $0 : nil }
  }

  /// Handles the loss of the connection, or a new connection in a recording.
  mutating func interrupt() {
    decoder.interrupt()
    books.interrupt()
    audits.interrupt()
    for index in instruments.indices {
      instruments[index].witnesses.forgetAll()
      instruments[index].audit.restart()
      instruments[index].tape.awaitSnapshot(at: nil)
      instruments[index].quote.awaitSnapshot(at: nil)
      instruments[index].figures.awaitSnapshot(at: nil)
    }
    isInMaintenance = false
    list.interrupt()
    own.interrupt()
  }

  /// Ends the use of a connection that is still open: books, tapes and figures wait for the next.
  mutating func loseConnection() {
    decoder.endConnection()
    for index in instruments.indices {
      instruments[index].tape.awaitSnapshot(at: nil)
      instruments[index].quote.awaitSnapshot(at: nil)
      instruments[index].figures.awaitSnapshot(at: nil)
    }
    for index in books.states.indices where books.states[index].trust.takesChanges {
      books.states[index].trust.suspend()
    }
  }

  /// Records a change of a requested stream, once.
  ///
  /// Messages contain few symbols, so a linear search is fast.
  @inline(__always)
  mutating func note(_ number: Int, _ channel: Channel) {
    guard instruments[number].wanted.contains(ChannelSet(channel)) else { return }
    let change = Change(number: number, channel: channel)
    if !changes.contains(change) { changes.append(change) }
  }

  private mutating func growToSymbols() {
    while instruments.count < decoder.symbols.symbols.count {
      instruments.append(
        InstrumentData(
          symbol: decoder.symbols.symbols[instruments.count],
          tape: TradeTape(awaitsSnapshot: !Venue.profile.rowsAreWhole),
          wanted: takesEverything ? .all : [],
          listed: list.rows[decoder.symbols.symbols[instruments.count]]))
      books.append(accepted: takesEverything)
      audits.append(accepted: takesEverything)
    }
  }
}

// MARK: - Views

extension BookMarket {
  /// The book of a symbol with grouped rows; grouping does not affect its status and freshness.
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
      proof: grouping.isNone ? sync.trust.proof : nil,
      unbroken: sync.trust.status == .synced ? Venue.unbroken(number, in: self) : nil,
      doubt: sync.trust.obstacle ?? sync.trust.doubt,
      witnesses: witnessReport(number, at: now),
      listed: instruments[number].listed?.instrument)
  }

  func tapeView(_ number: Int, at now: ClockReading) -> TapeView {
    let scales = Venue.scales(number, in: self)
    return TapeView(
      symbol: instruments[number].symbol, trades: instruments[number].tape.trades,
      priceScale: scales.price, quantityScale: scales.quantity,
      priceDecimals: Venue.priceDecimals(number, in: self),
      freshness: judged(tapeFreshness(number, at: now), number),
      listed: instruments[number].listed?.instrument)
  }

  /// The tape's freshness: no better than that of the same symbol's book, if that is subscribed.
  func tapeFreshness(_ number: Int, at now: ClockReading) -> Freshness {
    let connection = connectionFreshness(at: now)
    let own = instruments[number].tape.freshness(connection)
    let sync = Venue.shownBook(number, in: self)
    guard books.accepts(number), sync.trust.status == .synced else { return own }
    return own.noBetter(than: sync.freshness(at: now, connection))
  }

  func quoteView(_ number: Int, at now: ClockReading) -> QuoteView {
    Venue.quoteView(number, in: self, at: now)
  }

  /// The latest trade's price with the best prices of the valid book, for venues without quotes.
  func tradedQuoteView(_ number: Int, at now: ClockReading) -> QuoteView {
    let quote = instruments[number].quote
    let scale = Venue.scales(number, in: self).price
    let sync = books.states[number]
    let isValid = sync.trust.status == .synced
    let bid = isValid ? sync.book.best(.bid) : nil
    let ask = isValid ? sync.book.best(.ask) : nil
    let tape = tapeFreshness(number, at: now)
    // While trades are refused the book continues, but the price does not.
    let isBehind = instruments[number].tape.behindSince != nil
    let decimals = Venue.priceDecimals(number, in: self)
    func shown(_ units: Int64?) -> FixedDecimal? {
      units.map { FixedDecimal(units: $0, scale: scale) }
        .map { $0.exactly(at: decimals) ?? $0.trimmed }
    }
    return QuoteView(
      symbol: instruments[number].symbol, price: shown(quote.price),
      bid: shown(bid?.price.units), ask: shown(ask?.price.units), bidSize: bid?.size,
      askSize: ask?.size, direction: quote.direction, changes: quote.changes,
      freshness: judged(
        Freshness(
          state: tape.state, origin: origin,
          confirmedAt: isBehind ? tape.confirmedAt : quote.confirmedAt,
          lateAfterMilliseconds: tape.lateAfterMilliseconds), number))
  }

  func figuresView(_ number: Int, at now: ClockReading) -> DayFigures {
    let figures = instruments[number].figures
    return figures.view(
      of: instruments[number].symbol, decimals: Venue.priceDecimals(number, in: self),
      judged(figures.freshness(connectionFreshness(at: now)), number))
  }

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

  /// The best freshness that data on this connection can have.
  ///
  /// A readable message confirms it: the venue sends in order, so what it has not sent has not
  /// happened. A response to a ping confirms it only where there are no heartbeats.
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

  /// Limits a freshness by the connection and the instrument.
  ///
  /// Data on a closed connection is at best disconnected. In a closed market no updates are
  /// expected. An instrument that the venue has not named is waiting.
  func judged(_ freshness: Freshness, _ number: Int) -> Freshness {
    guard Venue.isNamed(number, in: self) else { return onLink(freshness.changed(to: .waiting)) }
    let isClosed = Venue.isClosed(number, in: self) && freshness.state != .waiting
    return onLink(isClosed ? freshness.changed(to: .closed) : freshness)
  }

  func onLink(_ freshness: Freshness) -> Freshness {
    link == .closed ? freshness.changed(to: .disconnected) : freshness
  }
}

// MARK: - Cross-checks (LT2)

// Other messages of the venue that state the same prices.

extension BookMarket {
  /// Records the book and trade prices of the latest message for comparison.
  ///
  /// Tickers and quotes are recorded where their rows are applied.
  private mutating func hearWitnesses(at now: ClockReading) {
    for (number, trade) in newTrades {
      instruments[number].witnesses.hear(.trades, .last, trade.price.units, at: now)
    }
    for change in changes {
      switch change.channel {
      case .book: hearBook(change.number, at: now)
      case .trades: hearTape(change.number, at: now)
      case .quote, .figures, .listing: break
      }
    }
  }

  private mutating func hearBook(_ number: Int, at now: ClockReading) {
    let sync = Venue.shownBook(number, in: self)
    guard sync.trust.status == .synced else { return }
    let (bid, ask) = (sync.book.best(.bid)?.price.units, sync.book.best(.ask)?.price.units)
    instruments[number].witnesses.hear(.book, .bid, bid, at: now)
    instruments[number].witnesses.hear(.book, .ask, ask, at: now)
  }

  private mutating func hearTape(_ number: Int, at now: ClockReading) {
    let tape = instruments[number].tape
    guard !tape.awaitsSnapshot, let newest = tape.trades.first else { return }
    instruments[number].witnesses.hear(.trades, .last, newest.price.units, at: now)
  }

  /// Records the best prices of a venue that sends them separately.
  mutating func hear(_ witness: Witness, _ top: BestLevels, of number: Int, at now: ClockReading) {
    instruments[number].witnesses.hear(witness, .bid, top.bidPrice, at: now)
    instruments[number].witnesses.hear(witness, .ask, top.askPrice, at: now)
  }

  /// Records the prices of the venue's summary; absent ones are ignored.
  mutating func hearTicker(
    of number: Int, bid: FixedDecimal?, ask: FixedDecimal?, last: FixedDecimal?,
    at now: ClockReading
  ) {
    let scale = Venue.scales(number, in: self).price
    let stated: [(WitnessedPrice, FixedDecimal?)] = [(.bid, bid), (.ask, ask), (.last, last)]
    for (price, value) in stated {
      guard let units = value?.exactly(at: scale)?.units else { continue }
      instruments[number].witnesses.hear(.ticker, price, units, at: now)
    }
  }

  /// The streams that can be compared with a synced book, and those that differ.
  func witnessReport(_ number: Int, at now: ClockReading) -> WitnessReport? {
    guard link == .open, Venue.shownBook(number, in: self).trust.status == .synced else {
      return nil
    }
    let scale = Venue.scales(number, in: self).price
    let decimals = Venue.priceDecimals(number, in: self)
    return instruments[number].witnesses.report(
      audited: instruments[number].audit.agrees ? true : nil, at: now.monotonic
    ) { units in
      let exact = FixedDecimal(units: units, scale: scale)
      return exact.exactly(at: decimals) ?? exact.trimmed
    }
  }

  /// Compares the books whose audits the latest message changed and returns those that lost a
  /// change; they are doubtful from now on.
  ///
  /// O(levels of the audits).
  mutating func audit(at now: ClockReading) -> [Int] {
    audits.changed.filter { number in
      guard books.states[number].trust.status == .synced,
        audits.states[number].trust.status == .synced
      else {
        instruments[number].audit.restart()
        return false
      }
      let lost = instruments[number].audit.look(
        books.states[number].book, audits.states[number].book, at: now)
      return lost != nil && books.states[number].trust.doubt(.audit) == .needsSnapshot
    }
  }

  /// Discards the prices of a part that is refetched.
  mutating func forgetWitness(_ part: BookTopic.Part, of number: Int) {
    switch part {
    case .book:
      instruments[number].witnesses.forget(.book)
      instruments[number].audit.restart()
    case .audit: instruments[number].audit.restart()
    case .trades: instruments[number].witnesses.forget(.trades)
    case .quote: instruments[number].witnesses.forget(.quote)
    case .figures: instruments[number].witnesses.forget(.ticker)
    case .details: break
    }
  }
}
