// Applies the rows of OKX's channels to books, tapes and quotes.

import MarketModel
import OrderBook

extension OKXRules {
  static func apply(
    _ message: OKXMessage, to market: inout BookMarket<Self>, at now: ClockReading
  ) {
    market.applyRaisedScales()
    switch message {
    case .book(let action): market.applyBook(action, now)
    case .fetchedBook: market.applyFetchedBook(now)
    case .bestLevels:
      let part = market.decoder.book
      market.applyBestLevels(of: part.number, sequence: part.sequence, now)
    case .trades: market.applyTrades(now)
    case .tickers: market.applyTickers(now)
    case .list(let outcome): market.applyList(outcome, now)
    default: break
    }
  }
}

extension BookMarket<OKXRules> {
  @inline(__always)
  fileprivate mutating func applyBook(_ action: OKXAction, _ now: ClockReading) {
    let part = decoder.book
    guard books.accepts(part.number) else { return }
    let outcome = books.states[part.number].apply(
      decoder.levels, part, action, decoder.spelled[part.number], &own.checksum, at: now)
    note(outcome, of: part.number, now)
  }

  fileprivate mutating func applyFetchedBook(_ now: ClockReading) {
    let part = decoder.book
    own.splice = .joined(.dropped)
    guard books.accepts(part.number) else { return }
    own.splice = books.states[part.number].splice(
      decoder.levels, part, decoder.spelled[part.number], &own.checksum, at: now)
    if case .joined(let outcome) = own.splice { note(outcome, of: part.number, now) }
  }

  /// Trades of one instrument, oldest first; the first message of a subscription has the latest
  /// trade, which may be old.
  fileprivate mutating func applyTrades(_ now: ClockReading) {
    guard let number = decoder.trades.first?.number, instruments[number].needsTrades else { return }
    let isSnapshot = instruments[number].tape.awaitsSnapshot
    var isNews = true
    if isSnapshot {
      isNews = instruments[number].tape.beginSnapshot(decoder.trades[...])
      note(number, .trades)
    }
    for row in decoder.trades {
      let isPossible = takesEverything || !now.isImpossible(row.time)
      var arrival =
        isSnapshot
        ? instruments[number].tape.takeFromSnapshot(row, isPossible: isPossible, at: now)
        : instruments[number].tape.take(row, isPossible: isPossible, at: now)
      if arrival == .gap, takesEverything {
        // A recording can't request what is missing: the tape restarts from here.
        _ = instruments[number].tape.beginSnapshot([row])
        arrival = instruments[number].tape.takeFromSnapshot(row, at: now)
      }
      switch arrival {
      case .known: continue
      case .new(let trade, let isShown):
        if isNews { newTrades.append((number, trade)) }
        if isShown { note(number, .trades) }
      case .impossible:
        impossibleTrades.append(row)
        note(number, .trades)
      case .gap:
        incomplete.append(number)
        note(number, .trades)
        return
      }
    }
    guard let newest = instruments[number].tape.trades.first else { return }
    instruments[number].quote.takeTrade(price: newest.price.units)
    confirmQuote(number, now)
  }

  fileprivate mutating func applyTickers(_ now: ClockReading) {
    for row in decoder.tickers where instruments[row.number].wanted.contains(.figures) {
      var row = row
      // The figures are valid; only their stated time is impossible.
      if let time = row.time, !takesEverything, now.isImpossible(time) { row.time = nil }
      let isSnapshot = instruments[row.number].figures.awaitsSnapshot
      if instruments[row.number].figures.take(row, isSnapshot: isSnapshot, at: now) {
        if !takesEverything {
          hearTicker(of: row.number, bid: row.bid, ask: row.ask, last: row.last, at: now)
        }
        note(row.number, .figures)
      }
    }
  }
}
