// Applies the rows of Kraken's channels to books, tapes and quotes.

import MarketModel
import VenueCatalogue
import OrderBook

struct KrakenMarketState: BookMarketState {
  var listed: [Symbol: KrakenPairInfo] = [:]
  /// The same pairs for display, sorted by symbol.
  private(set) var listing: [ListedInstrument] = []
  /// Whether the latest message changed or confirmed ``listing``.
  var isListingNews = false
  var isListed = false
  private(set) var skipped = SkippedListings()
  /// Pairs that were refused because the venue had not listed them.
  var refusedInAdvance: Set<Symbol> = []
  var doubt = ListingDoubt()
  /// Pairs whose precision the latest message changed.
  var rescaled: [Int] = []
  var checksum = KrakenChecksum()
  var emptySnapshots = EmptySnapshots()

  init() {}

  mutating func interrupt() {
    isListed = false
    emptySnapshots = EmptySnapshots()
    doubt.end()
  }

  /// Applies pairs, and the names of those that can't be listed; a snapshot replaces all.
  ///
  /// Pairs beyond the maximum of the symbol table are left out.
  mutating func take(
    _ pairs: [(symbol: Symbol, info: KrakenPairInfo)], skipped names: [String?], isSnapshot: Bool
  ) {
    skipped.begin(isSnapshot: isSnapshot)
    for name in names { skipped.insert(name) }
    isListingNews = isSnapshot
    var isChanged = isSnapshot
    if isSnapshot {
      listed.removeAll(keepingCapacity: true)
      isListed = true
    }
    for (symbol, info) in pairs {
      guard listed.count < SymbolTable.maximumCount || listed[symbol] != nil else {
        skipped.insert(symbol.text)
        continue
      }
      skipped.remove(symbol.text)
      if listed.updateValue(info, forKey: symbol)?.isOpen != info.isOpen { isChanged = true }
    }
    guard isChanged else { return }
    isListingNews = true
    let present = listed.sorted { $0.key < $1.key }.map { symbol, info in
      ListedInstrument(pair: symbol, isOpen: info.isOpen)
    }
    // Keeps the same array if nothing changed, so that later comparisons are cheap.
    if present != listing { listing = present }
  }
}

extension ListedInstrument {
  /// A Kraken pair: "BTC/USD", or "AAPLx/USD", where the lower-case x marks a token.
  fileprivate init(pair symbol: Symbol, isOpen: Bool) {
    let sides = symbol.text.split(separator: "/", maxSplits: 1).map(String.init)
    let base = sides.first ?? symbol.text
    self.init(
      symbol: symbol, base: base, quote: sides.count == 2 ? sides[1] : "",
      kind: BookInstrument.isToken(base) ? .token : .spot, isOpen: isOpen)
  }
}

extension KrakenRules {
  static func apply(
    _ message: KrakenMessage, to market: inout BookMarket<Self>, at now: ClockReading
  ) {
    switch message {
    case .books(let action): market.applyBooks(action, now)
    case .trades(let action): market.applyTrades(action, now)
    case .tickers(let action):
      for row in market.decoder.tickers {
        market.applyFigures(row, isSnapshot: action == .snapshot, hasBest: true, now)
      }
    case .instruments(let action): market.applyInstruments(action)
    case .acknowledged(let answer): market.grant(answer)
    default: break
    }
  }

  static func accept(_ number: Int, in market: inout BookMarket<Self>) {
    guard let info = market.own.listed[market.instruments[number].symbol] else { return }
    market.describe(number, info)
  }
}

extension BookMarket<KrakenRules> {
  /// The depth that the venue granted counts, not the requested one.
  fileprivate mutating func grant(_ answer: KrakenMethodResponse) {
    guard answer.method == "subscribe", answer.channel == .book, let depth = answer.depth,
      (1...KrakenBookSync.maximumDepth).contains(depth), let symbol = answer.symbol,
      let pair = takesEverything ? number(of: symbol) : known(symbol)
    else { return }
    books.states[pair].grant(depth: depth)
  }

  @inline(__always)
  fileprivate mutating func applyBooks(_ action: KrakenAction, _ now: ClockReading) {
    for part in decoder.books where books.accepts(part.pair) {
      if action == .snapshot, takesEverything {
        let bids = decoder.levels[part.levels].count { $0.isBid }
        books.states[part.pair].inferDepth(from: max(bids, part.levels.count - bids))
      }
      let outcome = books.states[part.pair].apply(
        decoder.levels, part, action, &own.checksum, at: now)
      books.note(part.pair, outcome)
      if outcome == .dropped { continue }
      note(part.pair, .book)
      confirmQuote(part.pair, now)
    }
  }

  fileprivate mutating func applyTrades(_ action: KrakenAction, _ now: ClockReading) {
    var start = 0
    while start < decoder.trades.count {
      let pair = decoder.trades[start].number
      var end = start + 1
      while end < decoder.trades.count, decoder.trades[end].number == pair { end += 1 }
      if instruments[pair].needsTrades {
        applyTrades(decoder.trades[start..<end], of: pair, isSnapshot: action == .snapshot, now)
      }
      start = end
    }
    if action == .snapshot, !takesEverything { applyEmptySnapshots(now) }
  }

  /// A snapshot without rows contains no pair: it belongs to one that waits for its trades.
  private mutating func applyEmptySnapshots(_ now: ClockReading) {
    for pair in own.emptySnapshots.receive(isEmpty: decoder.hasNoTrades, instruments) {
      applyEmptyTrades(pair, now)
    }
  }

  fileprivate mutating func applyInstruments(_ action: KrakenAction) {
    own.rescaled.empty()
    own.take(decoder.instruments, skipped: decoder.skipped, isSnapshot: action == .snapshot)
    for (symbol, info) in decoder.instruments {
      if let pair = known(symbol) { describe(pair, info) }
    }
  }

  /// Applies the venue's data of a pair that is kept; a new precision voids all earlier units.
  fileprivate mutating func describe(_ pair: Int, _ info: KrakenPairInfo) {
    let former = decoder.scales(of: pair)
    let wasOpen = instruments[pair].details.info?.isOpen ?? true
    instruments[pair].details.info = info
    if former != info.scales {
      decoder.setScales(info.scales, of: pair)
      if former != nil {
        books.states[pair].forget()
        instruments[pair].tape.forget()
        instruments[pair].quote.forget()
        own.rescaled.append(pair)
      }
    }
    if former != info.scales || wasOpen != info.isOpen {
      noteAll(pair)
    }
  }
}
