// The market data of one connection or recording: decodes a message and has the venue apply it to
// books, tapes and quotes. What to ask of the venue is the session's business.

import MarketModel
import OrderBook

/// What is known of one instrument besides its book.
struct InstrumentData<Details: BookDetails>: Sendable {
  let symbol: Symbol
  var tape: TradeTape
  var quote = BookQuote()
  /// The streams that are taken.
  var wanted: ChannelSet
  var details = Details()
  /// What else is said of its prices.
  var witnesses = WitnessPanel()
  /// How its book compares with the venue's best levels.
  var audit = BookAudit()
  /// Last, since it is large and the rest is looked at with every message.
  var figures = BookFigures()

  /// A quote shows the latest trade's price.
  @inline(__always)
  var needsTrades: Bool { !wanted.isDisjoint(with: [.trades, .quote]) }
}

/// Books, tapes and quotes by symbol number.
struct BookMarket<Venue: BookVenue>: Sendable {
  /// Whether the data can be confirmed now.
  enum Link {
    /// Never open so far.
    case never
    case open
    case closed
  }

  /// A stream that a message changed.
  struct Change: Equatable {
    let number: Int
    let channel: Channel
  }

  var origin: DataOrigin
  /// A recording takes every symbol that occurs; a session only those that it asked for.
  let takesEverything: Bool
  var link = Link.never
  /// Whether the venue itself rests: then silence is right.
  var isInMaintenance = false
  var decoder: Venue.Decoder
  var instruments: [InstrumentData<Venue.Details>] = []
  var books = BookSet<Venue.Sync>()
  /// The best levels that a venue sends apart from its books, where it does.
  var audits = BookSet<Venue.Sync>()
  var own = Venue.MarketState()
  /// Streams that the latest message changed, each once.
  private(set) var changes: [Change] = []
  /// Trades that the latest message brought as news, in its order.
  var newTrades: [(number: Int, trade: Trade)] = []
  /// Trades of the latest message that were left out for their time.
  var impossibleTrades: [TapeRow] = []
  /// Tapes that the latest message showed to have a hole.
  var incomplete: [Int] = []
  /// When the latest message came that shows that the venue sends what happens.
  private(set) var lastMessage: ClockReading?

  init(origin: DataOrigin, takesEverything: Bool) {
    self.origin = origin
    self.takesEverything = takesEverything
    decoder = Venue.Decoder(takesEverything: takesEverything)
  }

  /// Decodes and applies one message.
  ///
  /// When it throws, nothing has changed.
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

  /// The number of a symbol that a session wants; nil when there are too many.
  mutating func number(of symbol: Symbol) -> Int? {
    guard let number = decoder.symbols.number(of: symbol) else { return nil }
    growToSymbols()
    return number
  }

  /// The number of a symbol that has occurred or is wanted.
  @inline(__always)
  func known(_ symbol: Symbol) -> Int? {
    // A rejected message may have numbered a symbol that is not kept yet.
    decoder.symbols.known(symbol).flatMap { $0 < instruments.count ? $0 : nil }
  }

  /// The connection is gone, or a recording starts a new one.
  mutating func interrupt() {
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
    own.interrupt()
  }

  /// Notes a change of a stream that is wanted, once.
  ///
  /// Messages name few symbols, so a plain search is quick.
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
          wanted: takesEverything ? .all : []))
      books.append(accepted: takesEverything)
      audits.append(accepted: takesEverything)
    }
  }
}
