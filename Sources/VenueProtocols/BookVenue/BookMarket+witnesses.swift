// LT2: who else says what an instrument's prices are, and whether its book is the venue's.

import MarketModel
import OrderBook

extension BookMarket {
  /// Tells the witnesses' panels what the latest message said of books and trades.
  ///
  /// Tickers and quotes are told where their rows are taken.
  mutating func hearWitnesses(at now: ClockReading) {
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

  /// The best prices that a venue sends by themselves.
  mutating func hear(_ witness: Witness, _ top: BestLevels, of number: Int, at now: ClockReading) {
    instruments[number].witnesses.hear(witness, .bid, top.bidPrice, at: now)
    instruments[number].witnesses.hear(witness, .ask, top.askPrice, at: now)
  }

  /// What the venue's summary states; what it leaves out says nothing.
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

  /// Who can be compared with a book that is believed, and who dissents.
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

  /// Compares the books whose audits the latest message changed; those that lost something are
  /// doubtful from now on.
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

  /// A part of an instrument is fetched anew: what it said before means nothing.
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
