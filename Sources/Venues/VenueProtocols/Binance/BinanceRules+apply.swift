// Applies the rows of Binance's streams to books, tapes and quotes.

import MarketModel
import OrderBook

extension BinanceRules {
  static func apply(
    _ message: BinanceMessage, to market: inout BookMarket<Self>, at now: ClockReading
  ) {
    market.applyRaisedScales()
    switch message {
    case .book: market.applyUpdate(now)
    case .snapshot: market.applySnapshot(now)
    case .bestLevels:
      let part = market.decoder.book
      market.applyBestLevels(of: part.number, sequence: part.last, now)
    case .trades: market.applyTrades(now)
    case .tickers: market.applyTickers(now)
    case .details: market.applyDetails()
    case .list(let outcome): market.applyInstruments(outcome, now)
    default: break
    }
  }
}

extension BookMarket<BinanceRules> {
  @inline(__always)
  fileprivate mutating func applyUpdate(_ now: ClockReading) {
    let part = decoder.book
    guard books.accepts(part.number) else { return }
    note(books.states[part.number].apply(decoder.levels, part, at: now), of: part.number, now)
  }

  fileprivate mutating func applySnapshot(_ now: ClockReading) {
    let part = decoder.book
    own.splice = .joined(.dropped)
    guard books.accepts(part.number) else { return }
    own.splice = books.states[part.number].splice(
      decoder.levels, part, decoder.edges, at: now)
    if case .joined(let outcome) = own.splice { note(outcome, of: part.number, now) }
  }

  /// Trades are numbered without holes, but the venue sends none again: after a lost one, or an
  /// outage, the list restarts with the next.
  fileprivate mutating func applyTrades(_ now: ClockReading) {
    guard let row = decoder.trades.first, instruments[row.number].needsTrades else { return }
    let number = row.number
    let isPossible = takesEverything || !now.isImpossible(row.time)
    if instruments[number].tape.awaitsSnapshot {
      _ = instruments[number].tape.beginSnapshot([row])
    }
    var arrival = instruments[number].tape.take(row, isPossible: isPossible, at: now)
    if arrival == .gap {
      _ = instruments[number].tape.beginSnapshot([row])
      instruments[number].tape.removeTrades()
      arrival = instruments[number].tape.takeFromSnapshot(row, isPossible: isPossible, at: now)
    }
    switch arrival {
    case .known, .gap: return
    case .new(let trade, let isShown):
      newTrades.append((number, trade))
      if isShown { note(number, .trades) }
    case .impossible:
      impossibleTrades.append(row)
      note(number, .trades)
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
          // Its best prices may be those of the latest trade; the second stream has numbered ones.
          hearTicker(of: row.number, bid: nil, ask: nil, last: row.last, at: now)
        }
        note(row.number, .figures)
      }
    }
  }

  /// Only markets that can be traded are listed.
  fileprivate mutating func applyInstruments(_ outcome: ListOutcome, _ now: ClockReading) {
    applyList(outcome, now)
    guard list.change == .whole else { return }
    for number in instruments.indices {
      let isTrading = instruments[number].listed?.instrument.isOpen ?? false
      guard isTrading != instruments[number].details.isTrading else { continue }
      instruments[number].details.isTrading = isTrading
      for channel in [Channel.book, .trades, .quote, .figures] { note(number, channel) }
    }
  }

  fileprivate mutating func applyDetails() {
    let listing = decoder.listing
    instruments[listing.number].details.tickSize = listing.tickSize
    instruments[listing.number].details.stepSize = listing.stepSize
    instruments[listing.number].details.isTrading = listing.isTrading
  }
}
