import MarketModel
import OrderBook

enum OKXRules: BookVenue {
  typealias Decoder = OKXDecoder
  typealias Sync = OKXBookSync
  typealias Details = OKXDetails
  typealias MarketState = OKXMarketState
  typealias SessionState = OKXRequests

  /// The raw text, which the venue answers by `pong`.
  static let ping = "ping"

  /// The venue closes a connection after 30 s without a message.
  ///
  /// Without heartbeats, silence is
  /// normal until the probe, and for another second for the response.
  static let profile = BookVenueProfile(
    venue: .okx, name: "OKX", greeting: "nothing",
    unsoundBook: "expected an unbroken sequence after resyncing, found a gap again and again",
    heartbeat: HeartbeatPolicy(
      probe: .text(ping), probeAfterMilliseconds: 5000, deadAfterMilliseconds: 5000),
    subscriptions: SubscriptionBudget(topics: 240, batch: 100, topicsPerSecond: 4),
    quietMilliseconds: 6000, keepAlive: (afterMilliseconds: 20_000, text: ping),
    hasFigures: true, rowsAreWhole: true, patienceMilliseconds: 5000, greets: false)

  static let list: InstrumentList? = .okx

  /// Every stream also needs the venue's own status.
  static func topics(for subscription: Subscription) -> [BookTopic] {
    auditedTopics(for: subscription) + [BookTopic(.details, nil)]
  }

  static func requests(
    _ method: StaticString, _ topics: [BookTopic], _ state: inout OKXRequests
  ) -> [OutboundMessage] { state.messages(method, topics) }

  /// Requests ends that were not acknowledged again, and books over HTTP that begin without a
  /// snapshot.
  static func due(in session: inout BookSession<Self>, at now: ClockReading) -> [SessionEffect] {
    guard session.link == .ready else { return [] }
    if session.own.sendsNoSnapshots { session.fetchBooks(at: now) { _ in true } }
    let asked = session.asked
    let next = session.own.books.next(
      at: now.monotonic, cost: { _ in OKXBookRequest.spacingMilliseconds },
      wanted: { asked.contains(BookTopic(.book, $0)) })
    var effects = session.own.overdue(at: now.monotonic).map(SessionEffect.send)
    if let next {
      effects.append(
        .fetch(
          FetchRequest(
            path: OKXBookRequest.path(next), maximumBytes: OKXBookRequest.maximumBytes)))
    }
    return effects + session.fetchList(at: now)
  }

  /// A late snapshot of a book with updates is fetched over HTTP; any other is subscribed again.
  static func repair(
    _ numbers: [Int], in session: inout BookSession<Self>, at now: ClockReading
  ) -> [SessionEffect]? {
    let fetched = session.fetchBooks(at: now, where: numbers.contains)
    if fetched.isEmpty { return nil }
    return session.resync(numbers.filter { !fetched.contains($0) }, at: now)
      + due(in: &session, at: now)
  }

  static func confirms(_ message: OKXMessage) -> Bool {
    switch message {
    case .fetchedBook, .fetchFailed, .list: false
    default: true
    }
  }

  static func isClosed(_ number: Int, in market: BookMarket<Self>) -> Bool {
    market.isInMaintenance || market.isListedClosed(number)
  }
}

struct OKXDetails: BookDetails {}

struct OKXMarketState: BookMarketState {
  var checksum = OKXChecksum()
  /// The outcome of the latest book over HTTP.
  var splice = OKXBookSync.Splice.joined(.dropped)

}

// MARK: - Messages without data

extension OKXRules {
  static func react(
    to message: OKXMessage, in session: inout BookSession<Self>, at now: ClockReading
  ) -> [SessionEffect] {
    // The status is requested first, and the stream's responses come in order.
    if session.detailsAskedAt != nil, message != .pong, confirms(message) {
      session.detailsAskedAt = nil
    }
    switch message {
    case .book(let action):
      if action == .snapshot { session.own.sendsNoSnapshots = false }
      return session.afterRows(at: now)
    case .bestLevels, .trades, .tickers: return session.afterRows(at: now)
    case .fetchedBook: return session.afterFetchedBook(at: now)
    case .fetchFailed(let failure): return session.fail(failure, at: now)
    case .list: return session.afterList(at: now)
    case .maintenance(let isOngoing): return session.take(isOngoing: isOngoing, at: now)
    case .pong: return [.pong]
    case .subscribed: return []
    case .unsubscribed(let event):
      guard let topic = topic(of: event) else { return [] }
      return session.own.end(topic).map(SessionEffect.send)
    case .refused(let event): return session.fail(event, at: now)
    case .notice(let event):
      guard event.code == "64008" else { return [.warned(event.description)] }
      let problem = profile.problem(
        .venueError, event.description,
        userMessage: "OKX closes the connection for an upgrade. Reconnecting…")
      return [.reconnect(problem)]
    case .ignored: return []
    }
  }

  /// A recording's new connection begins with snapshots, which replace everything.
  static func begin(_ message: OKXMessage, in market: inout BookMarket<Self>) {
    if case .maintenance(let isOngoing) = message { market.isInMaintenance = isOngoing }
  }

  fileprivate static func topic(of event: OKXEvent) -> BookTopic? {
    guard let channel = event.channel, let part = channel.part else { return nil }
    if part == .details { return BookTopic(.details, nil) }
    return event.symbol.map { BookTopic(part, $0) }
  }
}

extension BookSession<OKXRules> {
  /// Queues requests for the books that await a snapshot while their updates are held; returns
  /// their numbers.
  @discardableResult
  fileprivate mutating func fetchBooks(
    at now: ClockReading, where isIncluded: (Int) -> Bool
  ) -> [Int] {
    market.books.states.indices.filter { number in
      let symbol = market.instruments[number].symbol
      guard isIncluded(number), market.books.states[number].trust.askedAt != nil,
        market.books.states[number].holdsUpdates, asked.contains(BookTopic(.book, symbol))
      else { return false }
      // The queue awaits the book from now on, also for longer than the patience with a stream.
      market.books.states[number].trust.interrupt()
      if !own.books.awaits(symbol) { own.books.add(symbol, earliest: now.monotonic) }
      return true
    }
  }

  fileprivate mutating func afterFetchedBook(at now: ClockReading) -> [SessionEffect] {
    let symbol = market.instruments[market.decoder.book.number].symbol
    guard market.own.splice != .tooOld else {
      own.books.finish(symbol)
      // Held updates that no snapshot reaches in a minute have other numbers.
      if own.books.isAtLongestPause {
        return [.reconnect(OKXRules.profile.bookBeyondRepair(symbol))]
      }
      delayBook(symbol, atLeast: 0, at: now)
      return afterRows(at: now)
    }
    own.books.succeed(symbol)
    own.sendsNoSnapshots = true
    return afterRows(at: now) + OKXRules.due(in: &self, at: now)
  }

  private mutating func delayBook(
    _ symbol: Symbol, atLeast milliseconds: Int64, at now: ClockReading
  ) {
    own.books.delay(
      symbol, atLeast: milliseconds, isWanted: asked.contains(BookTopic(.book, symbol)),
      at: now.monotonic)
  }

  fileprivate mutating func fail(
    _ failure: OKXFetchFailure, at now: ClockReading
  ) -> [SessionEffect] {
    let profile = OKXRules.profile
    own.books.finish(failure.symbol)
    let topic = BookTopic(.book, failure.symbol)
    guard asked.contains(topic) else { return OKXRules.due(in: &self, at: now) }
    if failure.code == "51001" {
      let problem = profile.unknown(failure.symbol, failure.description)
      return refuse([topic], for: problem) + OKXRules.due(in: &self, at: now)
    }
    var wait: Int64 = 0
    var problem = profile.venueError(failure.description)
    var changes: [SessionEffect] = []
    switch (failure.status, failure.code) {
    case (429, _), (403, _), (451, _), (_, "50011"):
      let usual: Int64 = failure.status == 403 || failure.status == 451 ? 300_000 : 2000
      wait = failure.retryAfterSeconds.map { Int64($0) * 1000 } ?? usual
      problem = profile.problem(
        .rateLimited(retryAfterSeconds: Int(wait / 1000)), failure.description,
        userMessage: "OKX limits requests. The \(failure.symbol) order book follows later.")
      changes = waitForBook(of: failure.symbol, failure.status == 451 ? .location : .limit)
    default: break
    }
    delayBook(failure.symbol, atLeast: wait, at: now)
    return [.rejected(problem)] + changes
  }

  fileprivate mutating func take(isOngoing: Bool, at now: ClockReading) -> [SessionEffect] {
    let was = market.isInMaintenance
    market.isInMaintenance = isOngoing
    guard isOngoing != was else { return [] }
    let changes = wanted.sorted().map(SessionEffect.changed)
    guard !isOngoing else {
      let problem = OKXRules.profile.problem(
        .venueError, "OKX status: maintenance",
        userMessage: "OKX is in maintenance. Prices resume by themselves.")
      return [.rejected(problem)] + changes
    }
    return changes + askAgain(asked.filter { $0.symbol != nil }.sorted(), at: now)
      + askForDifference(at: now)
  }

  fileprivate mutating func fail(_ event: OKXEvent, at now: ClockReading) -> [SessionEffect] {
    let profile = OKXRules.profile
    let topic = OKXRules.topic(of: event)
    let ended = topic.map { own.end($0) } ?? []
    switch event.code {
    case "60014", "50011":
      let topics = topic.map { [$0] } ?? asked.filter { $0.symbol != nil }
      return postpone(Set(topics), for: event.description, at: now)
    case "60018":
      guard let topic, let symbol = topic.symbol, asked.contains(topic) else { break }
      return refuse([topic], for: profile.unknown(symbol, "\(symbol): \(event.description)"))
    default: break
    }
    return [.rejected(profile.venueError(event.description))] + ended.map(SessionEffect.send)
  }
}

// Applies the rows of OKX's channels to books, tapes and quotes.

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
    case .tickers:
      for row in market.decoder.tickers {
        let isSnapshot = market.instruments[row.number].figures.awaitsSnapshot
        market.applyFigures(row, isSnapshot: isSnapshot, hasBest: true, now)
      }
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
    applyTrades(
      decoder.trades[...], of: number, isSnapshot: instruments[number].tape.awaitsSnapshot,
      restartsRecordings: true, now)
  }
}
