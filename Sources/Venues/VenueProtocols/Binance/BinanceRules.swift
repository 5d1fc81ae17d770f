import MarketModel
import OrderBook

enum BinanceRules: BookVenue {
  typealias Decoder = BinanceDecoder
  typealias Sync = BinanceBookSync
  typealias Details = BinanceDetails
  typealias MarketState = BinanceMarketState
  typealias SessionState = BinanceRequests

  static let list: InstrumentList? = .binance

  /// A request without effect, whose response comes in the order of the stream.
  static let probe = #"{"method":"LIST_SUBSCRIPTIONS","id":\#(BinanceRequests.probeNumber)}"#

  /// The venue sends no heartbeats but ping frames, which the transport answers.
  static let profile = BookVenueProfile(
    venue: .binance, name: "Binance", greeting: "nothing",
    unsoundBook: "expected an unbroken sequence after resyncing, found a gap again and again",
    heartbeat: HeartbeatPolicy(
      probe: .text(probe), probeAfterMilliseconds: 5000, deadAfterMilliseconds: 5000),
    subscriptions: SubscriptionBudget(topics: 1000, batch: 200, topicsPerSecond: 100),
    quietMilliseconds: 6000, hasFigures: true, rowsAreWhole: true, patienceMilliseconds: 5000,
    greets: false)

  static func topics(for subscription: Subscription) -> [BookTopic] {
    let topics = auditedTopics(for: subscription)
    return topics.isEmpty ? [] : topics + [BookTopic(.details, subscription.symbol)]
  }

  /// Sent by ``due(in:at:)``, in the venue's rhythm.
  static func requests(
    _ method: StaticString, _ topics: [BookTopic], _ state: inout BinanceRequests
  ) -> [OutboundMessage] {
    state.change(topics, isSubscription: "\(method)" == "subscribe")
    return []
  }

  static func due(in session: inout BookSession<Self>, at now: ClockReading) -> [SessionEffect] {
    guard session.link == .ready else { return [] }
    session.own.queueAdded(at: now.monotonic)
    // This state awaits the snapshots, also for longer than the patience with other topics.
    for number in session.market.books.states.indices
    where session.market.books.states[number].trust.askedAt != nil {
      session.market.books.states[number].trust.interrupt()
    }
    let messages = session.own.streamMessages(at: now.monotonic).map(SessionEffect.send)
    guard let request = session.own.nextRequest(at: now.monotonic) else {
      return messages + session.fetchListInTurn(at: now)
    }
    return messages + [
      .fetch(FetchRequest(path: request.path, maximumBytes: BinanceRequest.maximumBytes))
    ]
  }

  /// Fetches new snapshots of doubtful books; the stream goes on meanwhile.
  static func repair(
    _ numbers: [Int], in session: inout BookSession<Self>, at now: ClockReading
  ) -> [SessionEffect]? {
    var effects: [SessionEffect] = []
    for number in numbers {
      let symbol = session.market.instruments[number].symbol
      guard session.asked.contains(BookTopic(.book, symbol)) else { continue }
      session.market.books.states[number].trust.suspend()
      effects.append(.resynced(Subscription(.book, symbol)))
      if session.own.awaitsDepth(symbol) { continue }
      switch session.resyncs.advice(number, at: now.monotonic) {
      case .now: session.own.add(.depth(symbol), earliest: now.monotonic)
      case .later(let time): session.own.add(.depth(symbol), earliest: time)
      case .never: return effects + [.reconnect(profile.bookBeyondRepair(symbol))]
      }
    }
    return effects + due(in: &session, at: now)
  }

  /// The venue sends the topics' next rows without another request.
  static func repeatLate(
    _ topics: [BookTopic], in session: inout BookSession<Self>, at now: ClockReading
  ) -> [SessionEffect] { [] }

  static func priceDecimals(_ number: Int, in market: BookMarket<Self>) -> Scale {
    scales(number, in: market).price
  }

  static func tick(_ number: Int, in market: BookMarket<Self>) -> Price {
    let scale = scales(number, in: market).price
    let instrument = market.instruments[number]
    let tick = instrument.listed?.priceStep ?? instrument.details.tickSize
    return Price(units: tick?.exactly(at: scale)?.units ?? 1)
  }

  static func isClosed(_ number: Int, in market: BookMarket<Self>) -> Bool {
    !market.instruments[number].details.isTrading
  }

  static func confirms(_ message: BinanceMessage) -> Bool {
    switch message {
    case .book, .bestLevels, .trades, .tickers, .pong, .refused, .ignored: true
    case .snapshot, .details, .list, .failed, .shutdown: false
    }
  }
}

struct BinanceDetails: BookDetails {
  var tickSize: FixedDecimal?
  var stepSize: FixedDecimal?
  var isTrading = true
}

struct BinanceMarketState: BookMarketState {
  /// The outcome of the latest snapshot.
  var splice = BinanceBookSync.Splice.joined(.dropped)

}

// MARK: - Messages without data

extension BinanceRules {
  static func react(
    to message: BinanceMessage, in session: inout BookSession<Self>, at now: ClockReading
  ) -> [SessionEffect] {
    switch message {
    case .book: return session.afterUpdate(at: now)
    case .bestLevels, .trades, .tickers: return session.afterRows(at: now)
    case .snapshot: return session.afterSnapshot(at: now)
    case .details:
      let symbol = session.market.instruments[session.market.decoder.listing.number].symbol
      session.own.succeed(.details(symbol))
      return session.table.streams(of: symbol).sorted().map(SessionEffect.changed)
        + due(in: &session, at: now)
    case .failed(let failure): return session.fail(failure, at: now)
    case .list: return session.afterListInTurn(at: now)
    case .refused(let text): return [.rejected(profile.venueError(text))]
    case .pong: return [.pong]
    case .shutdown:
      return [
        .reconnect(
          profile.problem(
            .venueError, "Binance: serverShutdown",
            userMessage: "Binance closes the connection for maintenance. Reconnecting…"))
      ]
    case .ignored: return []
    }
  }
}

extension BookSession<BinanceRules> {
  /// Requests the list while no other request is due; its weight of 20 every five minutes delays
  /// none.
  fileprivate mutating func fetchListInTurn(at now: ClockReading) -> [SessionEffect] {
    own.isBlocked(at: now.monotonic) ? [] : fetchList(at: now)
  }

  /// A ban, or the venue's demand to wait, is for all requests.
  fileprivate mutating func afterListInTurn(at now: ClockReading) -> [SessionEffect] {
    if case .failure(let failure) = market.list.change, failure.status != 451 {
      own.block(milliseconds: failure.waitMilliseconds, at: now.monotonic)
    }
    return afterList(at: now)
  }

  fileprivate mutating func afterUpdate(at now: ClockReading) -> [SessionEffect] {
    let number = market.decoder.book.number
    let effects = afterRows(at: now)
    if market.books.states[number].isThin {
      market.books.states[number].renew()
      own.add(.depth(market.instruments[number].symbol), earliest: now.monotonic)
    }
    if own.isIdle { return effects }
    own.streamIsOpen(market.instruments[number].symbol, at: now.monotonic)
    return effects + BinanceRules.due(in: &self, at: now)
  }

  fileprivate mutating func afterSnapshot(at now: ClockReading) -> [SessionEffect] {
    let symbol = market.instruments[market.decoder.book.number].symbol
    guard market.own.splice != .tooOld else {
      own.finish(.depth(symbol))
      // Held updates that no snapshot reaches in a minute have other numbers.
      if own.isAtLongestPause {
        return [.reconnect(BinanceRules.profile.bookBeyondRepair(symbol))]
      }
      if asked.contains(BookTopic(.book, symbol)) {
        own.delay(.depth(symbol), atLeast: 0, at: now.monotonic)
      }
      return afterRows(at: now)
    }
    own.succeed(.depth(symbol))
    return afterRows(at: now) + BinanceRules.due(in: &self, at: now)
  }

  fileprivate mutating func fail(
    _ failure: BinanceFailure, at now: ClockReading
  ) -> [SessionEffect] {
    let profile = BinanceRules.profile
    let symbol = failure.request.symbol
    own.finish(failure.request)
    own.isLocationRefused = failure.status == 451
    let topics = asked.filter { $0.symbol == symbol }
    guard !topics.isEmpty else { return BinanceRules.due(in: &self, at: now) }
    var rejected: [SessionEffect]
    var wait: Int64 = 0
    switch (failure.status, failure.code) {
    case (400, -1121):
      return refuse(topics, for: profile.unknown(symbol, failure.description))
        + BinanceRules.due(in: &self, at: now)
    case (451, _):
      let problem = profile.problem(
        .unauthorized, failure.description,
        userMessage: "Binance rejects this location, so there is no \(symbol) order book.")
      // Trades and figures do not need a response.
      wait = 300_000
      rejected = [.rejected(problem)] + waitForBooks(.location)
    case (429, _), (418, _), (403, _):
      // Requests before the end of a ban make it longer.
      let usual: Int64 = failure.status == 429 ? 60_000 : 300_000
      wait = failure.retryAfterSeconds.map { Int64($0) * 1000 } ?? usual
      rejected = [
        .rejected(
          profile.problem(
            .rateLimited(retryAfterSeconds: Int(wait / 1000)), failure.description,
            userMessage: "Binance limits requests. The \(symbol) order book follows later."))
      ]
      rejected += waitForBooks(.limit)
    default: rejected = [.rejected(profile.venueError(failure.description))]
    }
    own.delay(failure.request, atLeast: wait, at: now.monotonic)
    return rejected
  }

  /// All requests wait after a refusal, so every book without a snapshot states the cause.
  private mutating func waitForBooks(_ cause: BookDoubt) -> [SessionEffect] {
    asked.filter { $0.part == .book }.compactMap(\.symbol).sorted().flatMap {
      waitForBook(of: $0, cause)
    }
  }
}

// Applies the rows of Binance's streams to books, tapes and quotes.

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
    case .tickers:
      for row in market.decoder.tickers {
        let isSnapshot = market.instruments[row.number].figures.awaitsSnapshot
        // Its best prices may be those of the latest trade; the second stream has numbered ones.
        market.applyFigures(row, isSnapshot: isSnapshot, hasBest: false, now)
      }
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
    own.splice = books.states[part.number].splice(decoder.levels, part, decoder.edges, at: now)
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
    applyTradePrice(number, now)
  }

  /// Only markets that can be traded are listed.
  fileprivate mutating func applyInstruments(_ outcome: ListOutcome, _ now: ClockReading) {
    applyList(outcome, now)
    guard list.change == .whole else { return }
    for number in instruments.indices {
      let isTrading = instruments[number].listed?.instrument.isOpen ?? false
      guard isTrading != instruments[number].details.isTrading else { continue }
      instruments[number].details.isTrading = isTrading
      noteAll(number)
    }
  }

  fileprivate mutating func applyDetails() {
    let listing = decoder.listing
    instruments[listing.number].details.tickSize = listing.tickSize
    instruments[listing.number].details.stepSize = listing.stepSize
    instruments[listing.number].details.isTrading = listing.isTrading
  }
}
