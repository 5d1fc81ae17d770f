// Applies the rows of Coinbase's channels to books, tapes and quotes.

import MarketModel
import OrderBook

struct CoinbaseMarketState: BookMarketState {
  /// Products of which a message has come on this connection.
  var named: Set<Int> = []
  var emptySnapshots = EmptySnapshots()
  /// Products that were refused because the list lacks them.
  var refusedInAdvance: Set<Symbol> = []
  /// One product's trades of a message, oldest first.
  fileprivate var rows: [TapeRow] = []

  init() {}

  mutating func interrupt() {
    named = []
    emptySnapshots = EmptySnapshots()
    refusedInAdvance = []
  }
}

extension CoinbaseRules {
  static func apply(
    _ message: CoinbaseMessage, to market: inout BookMarket<Self>, at now: ClockReading
  ) {
    switch message {
    case .data(let channel):
      if market.decoder.beginsConnection { market.beginRecordedConnection() }
      market.apply(channel, now)
    case .gap(let channel, _, _):
      market.loseMessages()
      if market.takesEverything { market.apply(channel, now) }
    case .list(let outcome): market.applyList(outcome, now)
    case .late, .refused: break
    }
  }
}

extension BookMarket<CoinbaseRules> {
  /// A recording's new connection: nothing of the former one is valid.
  mutating func beginRecordedConnection() {
    interrupt()
    decoder.continueConnection()
  }

  /// Doubts all books, because any message may be missing.
  fileprivate mutating func loseMessages() {
    for number in books.states.indices where books.states[number].trust.takesChanges {
      _ = books.states[number].trust.doubt(.gap)
      note(number, .book)
    }
  }

  fileprivate mutating func apply(_ channel: CoinbaseChannel, _ now: ClockReading) {
    switch channel {
    case .book: applyBooks(now)
    case .trades: applyTrades(now)
    case .ticker: applyTickers(now)
    case .status: applyProducts()
    case .heartbeats, .subscriptions, .fetched: break
    }
  }

  private mutating func applyBooks(_ now: ClockReading) {
    for part in decoder.books where books.accepts(part.product) {
      own.named.insert(part.product)
      let outcome = books.states[part.product].apply(decoder.levels, part, at: now)
      books.note(part.product, outcome)
      if part.isSnapshot {
        instruments[part.product].details.snapshot = decoder.counter.expected.map { $0 - 1 }
      }
      if outcome == .dropped { continue }
      if instruments[part.product].details.info == nil { notePrices(of: part) }
      note(part.product, .book)
      confirmQuote(part.product, now)
    }
  }

  private mutating func notePrices(of part: CoinbaseBookPart) {
    guard let scale = decoder.scales(of: part.product)?.price else { return }
    for index in part.levels {
      instruments[part.product].details.note(price: decoder.levels[index].price, at: scale)
    }
  }

  private mutating func applyTrades(_ now: ClockReading) {
    for part in decoder.parts {
      var left = part.rows
      while let product = left.first.map({ decoder.trades[$0].number }) {
        collect(product, part.rows)
        if instruments[product].needsTrades { applyTrades(of: product, part.isSnapshot, now) }
        // Rows of one product are mostly together, and a part has few products.
        left = left.dropFirst()
        while let next = left.first,
          decoder.trades[part.rows.lowerBound..<next].contains(
            where: { $0.number == decoder.trades[next].number })
        {
          left = left.dropFirst()
        }
      }
      if part.isSnapshot, !takesEverything { applyEmptySnapshots(part.rows.isEmpty, now) }
    }
  }

  /// Collects a product's rows, which the venue sends newest first.
  private mutating func collect(_ product: Int, _ range: Range<Int>) {
    own.rows.empty()
    for index in range.reversed() where decoder.trades[index].number == product {
      own.rows.append(decoder.trades[index])
    }
    for index in own.rows.indices.dropFirst()
    where own.rows[index].identifier < own.rows[index - 1].identifier {
      own.rows.sort { $0.identifier < $1.identifier }
      return
    }
  }

  /// A snapshot without rows contains no product: it belongs to one that waits for its trades.
  private mutating func applyEmptySnapshots(_ isEmpty: Bool, _ now: ClockReading) {
    for product in own.emptySnapshots.receive(isEmpty: isEmpty, instruments) {
      own.named.insert(product)
      applyEmptyTrades(product, now)
    }
  }

  private mutating func applyTrades(of product: Int, _ isSnapshot: Bool, _ now: ClockReading) {
    own.named.insert(product)
    if instruments[product].details.info == nil, let scale = decoder.scales(of: product)?.price,
      isSnapshot || !instruments[product].tape.awaitsSnapshot
    {
      for row in own.rows { instruments[product].details.note(price: row.price, at: scale) }
    }
    applyTrades(own.rows[...], of: product, isSnapshot: isSnapshot, now)
  }

  private mutating func applyTickers(_ now: ClockReading) {
    for part in decoder.parts {
      for index in part.rows {
        var row = decoder.tickers[index]
        own.named.insert(row.number)
        guard instruments[row.number].wanted.contains(.figures) else { continue }
        row.time = decoder.time
        let decimals = CoinbaseRules.priceDecimals(row.number, in: self)
        row.last = row.last?.shown(at: decimals)
        (row.high, row.low) = (row.high?.shown(at: decimals), row.low?.shown(at: decimals))
        (row.bid, row.ask) = (row.bid?.shown(at: decimals), row.ask?.shown(at: decimals))
        // Its best prices are those of the latest trade, so only the price can be compared.
        applyFigures(row, isSnapshot: part.isSnapshot, hasBest: false, now)
      }
    }
  }

  private mutating func applyProducts() {
    for (number, info) in decoder.products {
      own.named.insert(number)
      let former = instruments[number].details.info
      instruments[number].details.info = info
      rescale(number, to: info.scales)
      guard former != info else { continue }
      noteAll(number)
    }
  }

  /// Applies a product's scales while nothing of this connection is in other ones.
  private mutating func rescale(_ number: Int, to scales: BookScales) {
    guard let former = decoder.scales(of: number) else {
      decoder.setScales(scales, of: number)
      return
    }
    guard former != scales, !books.states[number].trust.takesChanges,
      instruments[number].tape.awaitsSnapshot
    else { return }
    decoder.setScales(scales, of: number)
    books.states[number].forget()
    let askedAt = instruments[number].tape.askedAt
    instruments[number].tape.forget()
    instruments[number].tape.awaitSnapshot(at: askedAt)
    instruments[number].quote.forget()
  }
}
