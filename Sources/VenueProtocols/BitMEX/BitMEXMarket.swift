// The market data of one BitMEX connection or recording: decodes a message and applies it to books,
// tapes and quotes. What to ask of the venue is the session's business.

import MarketModel
import OrderBook

/// Books, tapes and quotes by symbol number.
struct BitMEXMarket {
  /// Whether the data can be confirmed now.
  enum Link: Equatable {
    /// Never open so far.
    case never
    case open
    case closed
  }

  /// A stream that a message changed.
  struct Change: Equatable {
    let symbol: Int
    let channel: Channel
  }

  /// A trade that was not known before.
  struct NewTrade: Equatable {
    let symbol: Int
    let trade: Trade
  }

  let origin: DataOrigin
  /// A replay takes every symbol that occurs; a session only those that it asked for.
  let takesEverything: Bool
  var link = Link.never
  private(set) var decoder = BitMEXDecoder()
  var instruments: [BitMEXInstrument] = []
  /// Of `orderBookL2`.
  var books = BitMEXBookSet()
  /// Of `orderBookL2_25`; only recordings hold it.
  var topBooks = BitMEXBookSet()
  /// Streams that the latest message changed, each once.
  private(set) var changes: [Change] = []
  /// Trades that the latest message brought, in its order.
  private(set) var newTrades: [NewTrade] = []
  /// Trades of the latest message that were left out for their time.
  private(set) var impossibleTrades: [BitMEXTradeRow] = []
  /// Symbols whose tape was found complete by the partial being applied.
  private var keptByPartial: Set<Int> = []
  /// When the latest readable message came.
  private(set) var lastMessage: ClockReading?

  init(origin: DataOrigin, takesEverything: Bool) {
    self.origin = origin
    self.takesEverything = takesEverything
  }

  /// The table of the latest message, also of one that was rejected; nil when unknown.
  var table: BitMEXTable? { decoder.table }

  /// Decodes and applies one message.
  ///
  /// When it throws, nothing has changed.
  mutating func receive(
    _ bytes: Span<UInt8>, at now: ClockReading
  ) throws(BitMEXDecodeError) -> BitMEXMessage {
    changes.empty()
    newTrades.empty()
    impossibleTrades.empty()
    books.beginMessage()
    topBooks.beginMessage()
    let message = try decoder.decode(bytes)
    lastMessage = now
    guard message == .table, let table = decoder.table, let action = decoder.action else {
      return message
    }
    growToSymbols()
    switch table {
    case .orderBookL2:
      books.apply(decoder.bookRows, action, filter: decoder.filterSymbol, takesEverything, now)
      noteBookChanges(books.changed)
    case .orderBookL2Top25:
      topBooks.apply(decoder.bookRows, action, filter: decoder.filterSymbol, takesEverything, now)
      noteBookChanges(topBooks.changed)
    case .trade: applyTrades(action, now)
    case .quote: applyQuotes(action, now)
    case .instrument: applyInstruments(now)
    }
    return message
  }

  /// The number of a symbol that a session wants; nil when there are too many.
  mutating func number(of symbol: Symbol) -> Int? {
    guard let number = decoder.symbols.number(of: symbol) else { return nil }
    growToSymbols()
    return number
  }

  /// The number of a symbol that has occurred or is wanted.
  @inline(always)
  func known(_ symbol: Symbol) -> Int? {
    decoder.symbols.known(symbol).flatMap { $0 < instruments.count ? $0 : nil }
  }

  /// A message of this table, or of an unknown one, was lost: no book that it may have changed can
  /// be believed.
  ///
  /// Returns the books of `orderBookL2` that need a new snapshot.
  @discardableResult
  mutating func doubtEverything(of table: BitMEXTable?) -> [Int] {
    var doubtful: [Int] = []
    for number in instruments.indices {
      if table == nil || table == .orderBookL2 {
        if books.change(number, { $0.losesMessage() }) { doubtful.append(number) }
      }
      if table == nil || table == .orderBookL2Top25 {
        _ = topBooks.change(number) { $0.losesMessage() }
      }
    }
    return doubtful
  }

  /// The connection is gone, or a recording starts a new one.
  mutating func interrupt() {
    books.interrupt()
    topBooks.interrupt()
    for index in instruments.indices {
      instruments[index].tape.awaitPartial(at: nil)
      instruments[index].quote.awaitPartial(at: nil)
    }
  }

  private mutating func growToSymbols() {
    while instruments.count < decoder.symbols.symbols.count {
      instruments.append(
        BitMEXInstrument(
          symbol: decoder.symbols.symbols[instruments.count],
          accepts: takesEverything ? .all : []))
      books.append(accepted: takesEverything)
      topBooks.append(accepted: takesEverything)
    }
  }
}

// MARK: Applying

extension BitMEXMarket {
  private mutating func noteBookChanges(_ changed: [Int]) {
    for number in changed { changes.append(Change(symbol: number, channel: .book)) }
    // Updates of known levels bring no new price as a rule, and cost nothing here.
    for row in decoder.bookRows {
      if let price = row.price, instruments[row.symbol].hasTooFewDecimals(for: price) {
        instruments[row.symbol].notePrice(price)
      }
    }
  }

  private mutating func applyTrades(_ action: BitMEXAction, _ now: ClockReading) {
    guard action == .partial || action == .insert else { return }
    let rows = decoder.tradeRows
    if action == .partial { beginTradePartial(rows) }
    for row in rows {
      let accepts = instruments[row.symbol].accepts
      guard !accepts.isDisjoint(with: [.trades, .quote]),
        !instruments[row.symbol].tape.awaitsPartial
      else { continue }
      if keptByPartial.contains(row.symbol) { continue }
      if !takesEverything, now.isImpossible(row.time) {
        instruments[row.symbol].tape.refuse()
        impossibleTrades.append(row)
        note(row.symbol, .trades)
        continue
      }
      instruments[row.symbol].notePrice(row.price)
      let (trade, isShown) = instruments[row.symbol].tape.insert(row)
      newTrades.append(NewTrade(symbol: row.symbol, trade: trade))
      if isShown { note(row.symbol, .trades) }
    }
    for change in changes { takeTradePrice(change.symbol, now) }
    if !keptByPartial.isEmpty { keptByPartial.removeAll() }
  }

  /// Clears the tapes that a partial fills anew.
  private mutating func beginTradePartial(_ rows: [BitMEXTradeRow]) {
    var newest: [Int: BitMEXTradeRow] = [:]
    for row in rows {
      if let known = newest[row.symbol], known.time > row.time { continue }
      newest[row.symbol] = row
    }
    var symbols = Set(newest.keys)
    if let filter = decoder.filterSymbol { symbols.insert(filter) }
    for number in symbols where !instruments[number].accepts.isDisjoint(with: [.trades, .quote]) {
      let takesRows = instruments[number].tape.beginPartial(newest: newest[number])
      if !takesRows { keptByPartial.insert(number) }
      note(number, .trades)
    }
  }

  private mutating func takeTradePrice(_ number: Int, _ now: ClockReading) {
    guard let newest = instruments[number].tape.trades.first else { return }
    instruments[number].quote.takeTrade(price: newest.price.units)
    if instruments[number].accepts.contains(.quote) {
      instruments[number].quote.confirm(at: now)
      note(number, .quote)
    }
  }

  private mutating func applyQuotes(_ action: BitMEXAction, _ now: ClockReading) {
    guard action == .partial || action == .insert else { return }
    if action == .partial, let filter = decoder.filterSymbol {
      instruments[filter].quote.endWaiting()
    }
    for row in decoder.quoteRows where instruments[row.symbol].accepts.contains(.quote) {
      if action == .partial { instruments[row.symbol].quote.endWaiting() }
      if instruments[row.symbol].quote.awaitsPartial { continue }
      if let price = row.bidPrice { instruments[row.symbol].notePrice(price) }
      if let price = row.askPrice { instruments[row.symbol].notePrice(price) }
      instruments[row.symbol].quote.take(row)
      note(row.symbol, .quote)
    }
    for change in changes { instruments[change.symbol].quote.confirm(at: now) }
  }

  private mutating func applyInstruments(_ now: ClockReading) {
    for row in decoder.instrumentRows where !instruments[row.symbol].accepts.isEmpty {
      let number = row.symbol
      if let tick = row.tickSize, tick.units > 0 {
        let before = instruments[number].priceDecimals
        instruments[number].tickDecimals = min(8, tick.trimmed.scale.digits)
        if instruments[number].priceDecimals != before { noteAll(number) }
      }
      if let price = row.lastPrice?.exactly(at: bitMEXPriceScale)?.units {
        instruments[number].notePrice(price)
        let counts = instruments[number].quote.takeLastPrice(price)
        if counts, instruments[number].accepts.contains(.quote) {
          instruments[number].quote.confirm(at: now)
          note(number, .quote)
        }
      }
    }
  }

  private mutating func noteAll(_ number: Int) {
    for channel in [Channel.book, .trades, .quote]
    where instruments[number].accepts.contains(.init(channel)) { note(number, channel) }
  }

  /// Notes a change once.
  ///
  /// Messages name few symbols, so a plain search is quick.
  private mutating func note(_ number: Int, _ channel: Channel) {
    let change = Change(symbol: number, channel: channel)
    if !changes.contains(change) { changes.append(change) }
  }
}
