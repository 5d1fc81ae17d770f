// Applies decoded rows, in the same way for all venues.

import MarketModel

extension BookMarket {
  @inline(__always)
  mutating func confirmQuote(_ number: Int, _ now: ClockReading) {
    guard instruments[number].wanted.contains(.quote) else { return }
    instruments[number].quote.confirm(at: now)
    note(number, .quote)
  }

  /// Sets the quote's price to the newest trade's.
  mutating func applyTradePrice(_ number: Int, _ now: ClockReading) {
    guard let newest = instruments[number].tape.trades.first else { return }
    instruments[number].quote.takeTrade(price: newest.price.units)
    confirmQuote(number, now)
  }

  /// Applies an instrument's numbered trades, oldest first, up to a gap.
  ///
  /// A recording can't request what is missing: with `restartsRecordings`, its tape restarts behind
  /// a gap.
  mutating func applyTrades(
    _ rows: ArraySlice<TapeRow>, of number: Int, isSnapshot: Bool,
    restartsRecordings: Bool = false, _ now: ClockReading
  ) {
    var isNews = true
    if isSnapshot {
      isNews = instruments[number].tape.beginSnapshot(rows)
      note(number, .trades)
    }
    guard !instruments[number].tape.awaitsSnapshot else { return }
    for row in rows {
      let isPossible = takesEverything || !now.isImpossible(row.time)
      var arrival =
        isSnapshot
        ? instruments[number].tape.takeFromSnapshot(row, isPossible: isPossible, at: now)
        : instruments[number].tape.take(row, isPossible: isPossible, at: now)
      if arrival == .gap, takesEverything, restartsRecordings {
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
    applyTradePrice(number, now)
  }

  /// Ends the wait for an instrument's trades, of which the venue has none.
  mutating func applyEmptyTrades(_ number: Int, _ now: ClockReading) {
    instruments[number].tape.beginEmptySnapshot()
    note(number, .trades)
    confirmQuote(number, now)
  }

  /// Applies an instrument's figures of the day; only with `hasBest` are its best prices of the
  /// same moment as the book's, so that they can be compared.
  mutating func applyFigures(
    _ row: DayFiguresRow, isSnapshot: Bool, hasBest: Bool, _ now: ClockReading
  ) {
    let number = row.number
    guard instruments[number].wanted.contains(.figures) else { return }
    var row = row
    // The figures are valid; only their stated time is impossible.
    if let time = row.time, !takesEverything, now.isImpossible(time) { row.time = nil }
    guard instruments[number].figures.take(row, isSnapshot: isSnapshot, at: now) else { return }
    if !takesEverything {
      let (bid, ask) = hasBest ? (row.bid, row.ask) : (nil, nil)
      hearTicker(of: number, bid: bid, ask: ask, last: row.last, at: now)
    }
    note(number, .figures)
  }

  /// Notes a change that affects all channels of an instrument.
  mutating func noteAll(_ number: Int) {
    for channel in [Channel.book, .trades, .quote, .figures] { note(number, channel) }
  }
}
