// Applies the rows of BitMEX's tables to books, tapes and quotes.

import MarketModel
import OrderBook

struct BitMEXMarketState: BookMarketState {
  var spread = BitMEXRowSpread()
  /// Symbols whose trades the current message changed.
  var traded: [Int] = []
  /// Symbols whose tape the current partial proves complete.
  var keptByPartial: Set<Int> = []
}

extension BitMEXRules {
  static func apply(
    _ message: BitMEXMessage, to market: inout BookMarket<Self>, at now: ClockReading
  ) {
    guard message == .table, let table = market.decoder.table, let action = market.decoder.action
    else { return }
    switch table {
    case .orderBookL2: market.applyBook(action, now)
    case .orderBookL2Top25: market.applyTopBook(action, now)
    case .trade: market.applyTrades(action, now)
    case .quote: market.applyQuotes(action, now)
    case .instrument: market.applyInstruments(now)
    }
  }

  /// Adds the books of `orderBookL2_25` to those that a lost message makes doubtful.
  static func loseMessage(of wire: BitMEXTable?, in market: inout BookMarket<Self>) -> [Int] {
    if wire == nil || wire == .orderBookL2Top25 { _ = market.audits.loseMessage() }
    return wire == nil || wire == .orderBookL2 ? market.books.loseMessage() : []
  }
}

extension BookMarket<BitMEXRules> {
  @inline(__always)
  fileprivate mutating func applyBook(_ action: BitMEXAction, _ now: ClockReading) {
    own.spread.apply(
      decoder.bookRows, of: decoder.bookSymbol, action, to: &books, filter: decoder.filterSymbol,
      takesEverything, now)
    for number in books.changed { note(number, .book) }
    noteBookPrices()
  }

  fileprivate mutating func applyTopBook(_ action: BitMEXAction, _ now: ClockReading) {
    own.spread.apply(
      decoder.bookRows, of: decoder.bookSymbol, action, to: &audits, filter: decoder.filterSymbol,
      takesEverything, now)
    guard takesEverything else { return }
    for number in audits.changed { note(number, .book) }
    noteBookPrices()
  }

  @inline(__always)
  private mutating func noteBookPrices() {
    // Updates rarely bring a new price, and the check costs less than a change.
    for row in decoder.bookRows {
      if let price = row.price, instruments[row.symbol].details.hasTooFewDecimals(for: price) {
        instruments[row.symbol].details.notePrice(price)
      }
    }
  }

  fileprivate mutating func applyTrades(_ action: BitMEXAction, _ now: ClockReading) {
    guard action == .partial || action == .insert else { return }
    own.traded.empty()
    if action == .partial { beginTradePartial() }
    for row in decoder.tradeRows {
      let number = row.number
      guard instruments[number].needsTrades, !instruments[number].tape.awaitsSnapshot,
        !own.keptByPartial.contains(number)
      else { continue }
      if !takesEverything, now.isImpossible(row.time) {
        instruments[number].tape.refuse(at: now)
        impossibleTrades.append(row)
        noteTrades(number)
        continue
      }
      instruments[number].details.notePrice(row.price)
      let (trade, isShown) = instruments[number].tape.insert(row, byTime: true)
      newTrades.append((number, trade))
      if isShown { noteTrades(number) }
    }
    for number in own.traded { takeTradePrice(number, now) }
    if !own.keptByPartial.isEmpty { own.keptByPartial.removeAll() }
  }

  private mutating func noteTrades(_ number: Int) {
    note(number, .trades)
    if !own.traded.contains(number) { own.traded.append(number) }
  }

  private mutating func beginTradePartial() {
    var newest: [Int: TapeRow] = [:]
    for row in decoder.tradeRows {
      if let known = newest[row.number], known.time > row.time { continue }
      newest[row.number] = row
    }
    var symbols = Set(newest.keys)
    if let filter = decoder.filterSymbol { symbols.insert(filter) }
    for number in symbols where instruments[number].needsTrades {
      let takesRows = instruments[number].tape.beginPartial(newest: newest[number])
      if !takesRows { own.keptByPartial.insert(number) }
      noteTrades(number)
    }
  }

  private mutating func takeTradePrice(_ number: Int, _ now: ClockReading) {
    guard let newest = instruments[number].tape.trades.first else { return }
    instruments[number].quote.takeTrade(price: newest.price.units)
    hearQuote(number, now)
  }

  fileprivate mutating func applyQuotes(_ action: BitMEXAction, _ now: ClockReading) {
    guard action == .partial || action == .insert else { return }
    if action == .partial, let filter = decoder.filterSymbol {
      instruments[filter].quote.endWaiting()
    }
    for row in decoder.quoteRows where instruments[row.symbol].wanted.contains(.quote) {
      if action == .partial { instruments[row.symbol].quote.endWaiting() }
      if instruments[row.symbol].quote.awaitsSnapshot { continue }
      if let price = row.top.bidPrice { instruments[row.symbol].details.notePrice(price) }
      if let price = row.top.askPrice { instruments[row.symbol].details.notePrice(price) }
      instruments[row.symbol].quote.top = row.top
      if !takesEverything { hear(.quote, row.top, of: row.symbol, at: now) }
      note(row.symbol, .quote)
    }
    for change in changes { hearQuote(change.number, now) }
  }

  fileprivate mutating func applyInstruments(_ now: ClockReading) {
    for row in decoder.instrumentRows where !instruments[row.symbol].wanted.isEmpty {
      let number = row.symbol
      instruments[number].details.isNamed = true
      if let tick = row.tickSize, tick.units > 0 {
        let before = instruments[number].details.priceDecimals
        instruments[number].details.tickDecimals = min(8, tick.trimmed.scale.digits)
        instruments[number].details.tick = tick.trimmed.exactly(at: bitMEXPriceScale)?.units
        if instruments[number].details.priceDecimals != before {
          for channel in [Channel.book, .trades, .quote] { note(number, channel) }
        }
      }
      if let price = row.lastPrice?.exactly(at: bitMEXPriceScale)?.units {
        instruments[number].details.notePrice(price)
        if instruments[number].quote.takeLastPrice(price) { hearQuote(number, now) }
      }
      guard !takesEverything else { continue }
      hearTicker(of: number, bid: row.bidPrice, ask: row.askPrice, last: row.lastPrice, at: now)
    }
  }

  /// Records a message of the quote's streams.
  private mutating func hearQuote(_ number: Int, _ now: ClockReading) {
    guard instruments[number].wanted.contains(.quote) else { return }
    instruments[number].quote.beat(at: now)
    instruments[number].quote.confirm(at: now)
    note(number, .quote)
  }
}

extension TradeTape {
  /// Prepares the tape for a partial, whose latest row is `newest`; nil when it is empty.
  ///
  /// Returns whether to insert its rows. A partial holds only the latest trade: if that is already
  /// the newest trade here, nothing was missed and the tape stays. Otherwise trades may be missing,
  /// and the tape restarts from the partial. Rows are not identified by `trdMatchID`: it is not
  /// unique.
  fileprivate mutating func beginPartial(newest: TapeRow?) -> Bool {
    beginSnapshot()
    if let first = trades.first, let newest, first.time == newest.time,
      first.price.units == newest.price, first.size.units == newest.size,
      first.side == newest.side
    {
      return false
    }
    removeTrades()
    if newest == nil { beginEmptySnapshot() }
    return true
  }
}
