// The market data of one Kraken connection or recording: decodes a message and applies it to books
// and tapes. What to ask of the venue is the session's business.

import MarketModel
import OrderBook

/// Books, tapes and quotes by pair number.
struct KrakenMarket {
  /// Whether the data can be confirmed now.
  enum Link: Equatable {
    /// Never open so far.
    case never
    case open
    case closed
  }

  /// A stream that a message changed.
  struct Change: Equatable {
    let pair: Int
    let channel: Channel
  }

  /// A trade that was not known before, and is news.
  struct NewTrade: Equatable {
    let pair: Int
    let trade: Trade
  }

  let origin: DataOrigin
  var link = Link.never
  /// Whether the engine is in maintenance.
  var isInMaintenance = false
  private(set) var decoder: KrakenDecoder
  var instruments: [KrakenInstrument] = []
  /// All pairs that the venue has named on this connection.
  private(set) var listed: [Symbol: KrakenPairInfo] = [:]
  /// Whether the venue has listed its pairs on this connection.
  private(set) var isListed = false
  /// Streams that the latest message changed, each once.
  private(set) var changes: [Change] = []
  /// Trades that the latest message brought as news, in its order.
  private(set) var newTrades: [NewTrade] = []
  /// Trades of the latest message that were left out for their time.
  private(set) var impossibleTrades: [KrakenTradeRow] = []
  /// Books that the latest message showed to be wrong.
  private(set) var doubtful: [Int] = []
  /// Tapes that the latest message showed to have a hole.
  private(set) var incomplete: [Int] = []
  /// Pairs whose precision the latest message changed.
  private(set) var rescaled: [Int] = []
  /// When the latest readable message came.
  private(set) var lastMessage: ClockReading?
  private var checksum = KrakenChecksum()

  init(origin: DataOrigin, takesEverything: Bool) {
    self.origin = origin
    decoder = KrakenDecoder(takesEverything: takesEverything)
  }

  /// Decodes and applies one message.
  ///
  /// When it throws, nothing has changed.
  mutating func receive(
    _ bytes: Span<UInt8>, at now: ClockReading
  ) throws(KrakenDecodeError) -> KrakenMessage {
    changes.empty()
    newTrades.empty()
    impossibleTrades.empty()
    doubtful.empty()
    incomplete.empty()
    rescaled.empty()
    let message = try decoder.decode(bytes)
    lastMessage = now
    if decoder.takesEverything { growToPairs() }
    switch message {
    case .books(let action): applyBooks(action, now)
    case .trades(let action): applyTrades(action, now)
    case .instruments(let action): applyInstruments(action)
    case .acknowledged(let answer): grant(answer)
    default: break
    }
    return message
  }

  /// The number of a pair that a session wants; nil when there are too many.
  mutating func number(of symbol: Symbol) -> Int? {
    guard let number = decoder.pairs.number(of: symbol) else { return nil }
    growToPairs()
    return number
  }

  /// The number of a pair that has occurred or is wanted.
  func known(_ symbol: Symbol) -> Int? {
    // A rejected message may have numbered a pair that is not kept yet.
    decoder.pairs.known(symbol).flatMap { $0 < instruments.count ? $0 : nil }
  }

  /// A message that may have changed any book was lost: none can be believed.
  ///
  /// Returns the books that need a new snapshot.
  @discardableResult
  mutating func doubtBooks() -> [Int] {
    instruments.indices.filter { instruments[$0].book.losesMessage() }
  }

  /// The connection is gone, or a recording starts a new one.
  mutating func interrupt() {
    for index in instruments.indices {
      instruments[index].book.interrupt()
      instruments[index].tape.awaitSnapshot(at: nil)
    }
    isListed = false
    isInMaintenance = false
  }

  private mutating func growToPairs() {
    while instruments.count < decoder.pairs.symbols.count {
      instruments.append(
        KrakenInstrument(
          symbol: decoder.pairs.symbols[instruments.count],
          wanted: decoder.takesEverything ? [.book, .trades, .quote] : []))
    }
  }
}

// MARK: Applying

extension KrakenMarket {
  /// The depth that the venue granted counts, not the one that was asked for.
  private mutating func grant(_ answer: KrakenAnswer) {
    guard answer.method == "subscribe", answer.channel == .book, let depth = answer.depth,
      (1...KrakenBookSync.maximumDepth).contains(depth), let symbol = answer.symbol,
      let pair = decoder.takesEverything ? number(of: symbol) : known(symbol)
    else { return }
    instruments[pair].book.grant(depth: depth)
  }

  private mutating func applyBooks(_ action: KrakenAction, _ now: ClockReading) {
    for part in decoder.books where instruments[part.pair].needsBook {
      if action == .snapshot, decoder.takesEverything {
        let bids = decoder.levels[part.levels].count { $0.isBid }
        instruments[part.pair].book.inferDepth(from: max(bids, part.levels.count - bids))
      }
      let outcome = instruments[part.pair].book.apply(
        decoder.levels, part, action, &checksum, at: now)
      if outcome == .dropped { continue }
      note(part.pair, .book)
      if instruments[part.pair].wanted.contains(.quote) {
        instruments[part.pair].quote.confirm(at: now)
        note(part.pair, .quote)
      }
      if outcome == .needsSnapshot { doubtful.append(part.pair) }
    }
  }

  private mutating func applyTrades(_ action: KrakenAction, _ now: ClockReading) {
    var start = 0
    while start < decoder.trades.count {
      let pair = decoder.trades[start].pair
      var end = start + 1
      while end < decoder.trades.count, decoder.trades[end].pair == pair { end += 1 }
      if instruments[pair].needsTrades { applyTrades(start..<end, of: pair, action, now) }
      start = end
    }
  }

  /// Trades of one pair, oldest first.
  private mutating func applyTrades(
    _ range: Range<Int>, of pair: Int, _ action: KrakenAction, _ now: ClockReading
  ) {
    var isNews = true
    if action == .snapshot {
      isNews = instruments[pair].tape.beginSnapshot(decoder.trades[range])
      note(pair, .trades)
    }
    guard !instruments[pair].tape.awaitsSnapshot else { return }
    for index in range {
      let row = decoder.trades[index]
      let isPossible = decoder.takesEverything || !now.isImpossible(row.time)
      let arrival =
        action == .snapshot
        ? instruments[pair].tape.takeFromSnapshot(row, isPossible: isPossible)
        : instruments[pair].tape.take(row, isPossible: isPossible)
      switch arrival {
      case .known: continue
      case .new(let trade, let isShown):
        if isNews { newTrades.append(NewTrade(pair: pair, trade: trade)) }
        if isShown { note(pair, .trades) }
      case .impossible:
        impossibleTrades.append(row)
        note(pair, .trades)
      case .gap:
        incomplete.append(pair)
        note(pair, .trades)
        return
      }
    }
    guard let newest = instruments[pair].tape.trades.first else { return }
    instruments[pair].quote.take(price: newest.price.units)
    if instruments[pair].wanted.contains(.quote) {
      instruments[pair].quote.confirm(at: now)
      note(pair, .quote)
    }
  }

  private mutating func applyInstruments(_ action: KrakenAction) {
    if action == .snapshot {
      listed.removeAll(keepingCapacity: true)
      isListed = true
    }
    for (symbol, info) in decoder.instruments {
      listed[symbol] = info
      if let pair = known(symbol) { describe(pair, info) }
    }
  }

  /// Takes what the venue says about a pair that is kept; a new precision makes all units of
  /// before meaningless.
  mutating func describe(_ pair: Int, _ info: KrakenPairInfo) {
    let former = decoder.pairs.scales[pair]
    let wasOpen = instruments[pair].info?.isOpen ?? true
    instruments[pair].info = info
    if former != info.scales {
      decoder.pairs.setScales(info.scales, of: pair)
      if former != nil {
        instruments[pair].book.forget()
        instruments[pair].tape.forget()
        instruments[pair].quote.forget()
        rescaled.append(pair)
      }
    }
    if former != info.scales || wasOpen != info.isOpen {
      for channel in instruments[pair].wanted.sorted(by: { $0.rawValue < $1.rawValue }) {
        note(pair, channel)
      }
    }
  }

  /// Notes a change once.
  ///
  /// Messages name few pairs, so a plain search is quick.
  private mutating func note(_ pair: Int, _ channel: Channel) {
    guard instruments[pair].wanted.contains(channel) else { return }
    let change = Change(pair: pair, channel: channel)
    if !changes.contains(change) { changes.append(change) }
  }
}
