import MarketModel
import OrderBook
import VenueCatalogue
import WireJSON

/// The rules of Bybit's markets, each with its own socket and instruments.
protocol BybitRules: BookVenue
where
  Decoder == BybitDecoder, Sync == BybitBookSync, Details == BybitDetails,
  MarketState == BybitMarketState, SessionState == BybitRequests
{}

enum BybitSpot: BybitRules {
  static let list: InstrumentList? = .bybit
  static let profile: BookVenueProfile = Self.profile(of: .bybit)
}

/// Perpetuals that settle in the quote currency; their sizes are amounts of the base currency.
enum BybitLinear: BybitRules {
  static let list: InstrumentList? = .bybitLinear
  static let profile: BookVenueProfile = Self.profile(of: .bybitLinear)
}

extension BybitRules {
  /// The venue recommends a ping every 20 s, and disconnects after ten minutes without one.
  ///
  /// Without heartbeats, silence is normal until the probe, and for another second for the
  /// response.
  fileprivate static func profile(of venue: Venue) -> BookVenueProfile {
    let ping = #"{"op":"ping"}"#
    return BookVenueProfile(
      venue: venue, name: venue.displayName, greeting: "nothing",
      unsoundBook: "expected an unbroken sequence after resyncing, found a gap again and again",
      heartbeat: HeartbeatPolicy(
        probe: .text(ping), probeAfterMilliseconds: 5000, deadAfterMilliseconds: 5000),
      subscriptions: SubscriptionBudget(topics: 400, batch: 100, topicsPerSecond: 10),
      quietMilliseconds: 6000, keepAlive: (afterMilliseconds: 20_000, text: ping),
      hasFigures: true, rowsAreWhole: true, patienceMilliseconds: 5000, greets: false)
  }

  static func topics(for subscription: Subscription) -> [BookTopic] {
    auditedTopics(for: subscription)
  }

  static func requests(
    _ method: StaticString, _ topics: [BookTopic], _ state: inout BybitRequests
  ) -> [OutboundMessage] { state.messages(method, topics) }

  static func due(in session: inout BookSession<Self>, at now: ClockReading) -> [SessionEffect] {
    guard session.link == .ready else { return [] }
    return session.own.overdue(at: now.monotonic).map(SessionEffect.send)
      + session.fetchList(at: now)
  }

  static func isClosed(_ number: Int, in market: BookMarket<Self>) -> Bool {
    market.isListedClosed(number)
  }

  static func confirms(_ message: BybitMessage) -> Bool {
    if case .list = message { false } else { true }
  }
}

struct BybitDetails: BookDetails {
  /// Enough for a whole message of trades.
  private static let capacity = 1024

  /// Identifiers of recent trades: a repetition is not recognised by its number, which has holes.
  private var recent: Set<Int64> = []
  private var order: [Int64] = []
  private var next = 0

  init() {}

  /// Records a trade; false when it was recorded before.
  mutating func insert(_ identifier: Int64) -> Bool {
    guard recent.insert(identifier).inserted else { return false }
    if order.count < Self.capacity {
      order.append(identifier)
    } else {
      recent.remove(order[next])
      order[next] = identifier
      next = (next + 1) % Self.capacity
    }
    return true
  }
}

struct BybitMarketState: BookMarketState {}

// MARK: - Messages without data

extension BybitRules {
  static func react(
    to message: BybitMessage, in session: inout BookSession<Self>, at now: ClockReading
  ) -> [SessionEffect] {
    switch message {
    case .book, .bestLevels, .trades, .tickers: session.afterRows(at: now)
    case .pong: [.pong]
    case .acknowledged(let response): session.own.acknowledge(response).map(SessionEffect.send)
    case .refused(let response): session.fail(response, at: now)
    case .list: session.afterList(at: now)
    case .ignored: []
    }
  }
}

extension BookSession where Venue: BybitRules {
  fileprivate mutating func fail(
    _ response: BybitResponse, at now: ClockReading
  ) -> [SessionEffect] {
    let profile = Venue.profile
    let text = response.text.lowercased()
    let named = asked.sorted().first { names($0, in: response.text) }
    let request = own.reject(response, naming: named)
    let rejected: [SessionEffect] = [.rejected(profile.venueError(response.description))]
    guard let request else { return rejected }
    guard request.isSubscription else {
      // Not subscribed any more, which was requested.
      return own.end(request.topics).map(SessionEffect.send)
    }
    let topics = request.topics.filter(asked.contains)
    if text.contains("too many") || text.contains("too frequent") {
      return postpone(Set(topics), for: response.description, at: now)
    }
    let others = topics.filter { $0 != named }
    // One bad topic rejects the whole request: the others are requested alone.
    let again = own.singly(named == nil && topics.count == 1 ? [] : others)
      .map(SessionEffect.send)
    guard let named, let symbol = named.symbol else {
      guard let only = topics.first, topics.count == 1 else { return again }
      return refuse([only], for: profile.venueError(response.description)) + again
    }
    if text.contains("already subscribed") {
      // It is, but its snapshot came before.
      return again + askAgain([named], at: now)
    }
    let problem = profile.unknown(symbol, "\(symbol): \(response.text)")
    return refuse([named], for: problem) + again
  }

  private func names(_ topic: BookTopic, in text: String) -> Bool {
    let name = BybitRequests.text(of: topic)
    return text.split { $0 == "[" || $0 == "]" || $0 == ":" || $0 == "," || $0 == " " }
      .contains { $0 == name }
  }
}

// Applies the rows of Bybit's topics to books, tapes and quotes.

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
    applyTradePrice(number, now)
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

// Writes Bybit's messages from a session's state.

extension BybitRules {
  static func snapshot(
    of part: BookTopic.Part, _ number: Int, in market: BookMarket<Self>
  ) -> [[UInt8]] {
    let instrument = market.instruments[number]
    let scales = market.decoder.spelled[number]
    switch part {
    case .book: return [book(market.books.states[number], instrument.symbol, scales)]
    case .trades:
      return instrument.tape.trades.isEmpty
        ? [] : [trades(instrument.tape.trades, instrument.symbol, scales)]
    case .figures: return instrument.figures.row.map { [figures($0, instrument.symbol)] } ?? []
    case .audit, .quote, .details: return []
    }
  }

  static func refusal(of topic: BookTopic) -> [UInt8] {
    JSONWriter.object { writer in
      writer.member("success", false)
      writer.member("ret_msg", "too many requests:[\(BybitRequests.text(of: topic))]")
      writer.member("op", "subscribe")
    }
  }

  private static func message(
    _ channel: BybitChannel, _ symbol: Symbol, _ data: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    JSONWriter.object(capacity: 4096) { writer in
      writer.member("topic", "\(channel.name).\(symbol)")
      writer.member("type", "snapshot")
      writer.key("data")
      data(&writer)
    }
  }

  private static func book(
    _ sync: BybitBookSync, _ symbol: Symbol, _ scales: BookScales
  ) -> [UInt8] {
    message(.book, symbol) { writer in
      writer.object { writer in
        writer.member("b", levels: sync.book.levels(.bid), scales)
        writer.member("a", levels: sync.book.levels(.ask), scales)
        writer.member("u", sync.update)
        if let sequence = sync.sequence { writer.member("seq", sequence) }
      }
    }
  }

  /// Oldest first; the identifiers are those of this list.
  private static func trades(_ trades: [Trade], _ symbol: Symbol, _ scales: BookScales) -> [UInt8] {
    message(.trades, symbol) { writer in
      writer.beginArray()
      for trade in trades.reversed() {
        writer.object { writer in
          writer.member("i", "checkpoint \(trade.arrival)")
          writer.member("T", trade.time.milliseconds)
          writer.member("p", decimal: FixedDecimal(trade.price, scale: scales.price))
          writer.member("v", decimal: FixedDecimal(trade.size, scale: scales.quantity))
          writer.member("S", trade.side == .sell ? "Sell" : "Buy")
        }
      }
      writer.endArray()
    }
  }

  private static func figures(_ row: DayFiguresRow, _ symbol: Symbol) -> [UInt8] {
    return message(.tickers, symbol) { writer in
      writer.object { writer in
        writer.members([
          ("lastPrice", row.last), ("prevPrice24h", row.open), ("highPrice24h", row.high),
          ("lowPrice24h", row.low), ("volume24h", row.volume),
        ])
      }
    }
  }
}
