// Applies the rows of Bybit's topics to books, tapes and quotes.

import MarketModel
import OrderBook

extension BybitRules {
  static func apply(
    _ message: BybitMessage, to market: inout BookMarket<Self>, at now: ClockReading
  ) {
    market.applyRaisedScales()
    switch message {
    case .book(let isSnapshot): market.applyBook(isSnapshot: isSnapshot, now)
    case .bestLevels:
      let part = market.decoder.book
      market.applyBestLevels(of: part.number, sequence: part.sequence, now)
    case .trades: market.applyTrades(now)
    case .tickers(let isSnapshot): market.applyTickers(isSnapshot: isSnapshot, now)
    case .list(let outcome): market.applyList(outcome, now)
    default: break
    }
  }
}

extension BookMarket where Venue: BybitRules {
  @inline(__always)
  fileprivate mutating func applyBook(isSnapshot: Bool, _ now: ClockReading) {
    let part = decoder.book
    guard books.accepts(part.number) else { return }
    let outcome = books.states[part.number].apply(
      decoder.levels, part, isSnapshot: isSnapshot, at: now)
    note(outcome, of: part.number, now)
  }

  /// A lost trade can't be noticed; after an outage the list restarts with the first trade.
  fileprivate mutating func applyTrades(_ now: ClockReading) {
    guard let number = decoder.trades.first?.number, instruments[number].needsTrades else { return }
    if instruments[number].tape.awaitsSnapshot { instruments[number].tape.stopWaiting() }
    for row in decoder.trades {
      guard takesEverything || !now.isImpossible(row.time) else {
        instruments[number].tape.refuse(at: now)
        impossibleTrades.append(row)
        note(number, .trades)
        continue
      }
      guard instruments[number].details.insert(row.identifier) else { continue }
      let (trade, isShown) = instruments[number].tape.insert(row, byTime: true)
      newTrades.append((number, trade))
      if isShown { note(number, .trades) }
    }
    guard let newest = instruments[number].tape.trades.first else { return }
    instruments[number].quote.takeTrade(price: newest.price.units)
    confirmQuote(number, now)
  }

  fileprivate mutating func applyTickers(isSnapshot: Bool, _ now: ClockReading) {
    for ticker in decoder.tickers where instruments[ticker.row.number].wanted.contains(.figures) {
      let number = ticker.row.number
      let isFirst = instruments[number].figures.awaitsSnapshot
      var row = ticker.row
      if !isSnapshot {
        guard !isFirst, let former = instruments[number].figures.row else { continue }
        row = ticker.completed(with: former)
      }
      if instruments[number].figures.take(row, isSnapshot: isFirst, at: now) {
        if !takesEverything {
          hearTicker(of: number, bid: nil, ask: nil, last: ticker.row.last, at: now)
        }
        note(number, .figures)
      }
    }
  }
}
