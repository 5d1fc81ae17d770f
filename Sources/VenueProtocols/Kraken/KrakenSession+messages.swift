// What a session does after a message: report changes, fetch doubtful books anew, judge answers.

import MarketModel
import OrderBook

extension KrakenSession {
  /// The effects of rows that have been applied.
  mutating func afterData(at now: ClockReading) -> [SessionEffect] {
    if market.changes.count == 1, market.changes[0].channel == .book, market.doubtful.isEmpty,
      market.changes[0].pair < changedBook.count
    {
      return changedBook[market.changes[0].pair]
    }
    return newTrades() + changed() + impossibleTrades(at: now)
      + resync(market.doubtful, at: now) + refill(at: now)
  }

  /// The pairs and their precisions are known now, or have changed.
  mutating func afterInstruments(at now: ClockReading) -> [SessionEffect] {
    if market.isListed { instrumentsAskedAt = nil }
    var effects = changed()
    // Units of before mean nothing any more: everything of these pairs is fetched anew.
    let lost = market.rescaled.map { market.instruments[$0].symbol }
    let topics = asked.filter { topic in topic.symbol.map(lost.contains) ?? false }.sorted()
    if !topics.isEmpty { effects += askAgain(topics, at: now) }
    return link == .ready ? effects + askForDifference(at: now) : effects
  }

  /// The greeting, or a change of the engine's state.
  mutating func take(_ system: KrakenSystem, at now: ClockReading) -> [SessionEffect] {
    var effects: [SessionEffect] = []
    if case .greeting = link {
      link = .ready
      effects.append(.ready)
    }
    guard link == .ready else { return [] }
    let was = market.isInMaintenance
    market.isInMaintenance = system == .maintenance
    if market.isInMaintenance {
      if was { return effects }
      effects.append(.rejected(KrakenProblem.maintenance))
      return effects + wanted.sorted().map(SessionEffect.changed)
    }
    if was {
      effects += wanted.sorted().map(SessionEffect.changed)
      effects += askAgain(asked.sorted(), at: now)
    }
    return effects + askForDifference(at: now)
  }

  /// A message could not be read.
  ///
  /// What it would have changed is unknown now.
  mutating func reject(_ error: KrakenDecodeError, at now: ClockReading) -> [SessionEffect] {
    var effects: [SessionEffect] = [.rejected(KrakenProblem.malformed(error))]
    let mayBe = { (channel: KrakenChannel) in error.channel == nil || error.channel == channel }
    let doubtful = mayBe(.book) ? market.doubtBooks() : []
    for number in doubtful { effects += changed(.book, number) }
    var lost: [KrakenTopic] = []
    for topic in asked.sorted() where mayBe(topic.channel) {
      switch topic {
      case .instrument: if instrumentsAskedAt == nil { lost.append(topic) }
      case .trade(let symbol):
        guard let number = market.known(symbol), !market.instruments[number].tape.awaitsSnapshot
        else { continue }
        lost.append(topic)
        effects += changed(.trades, number)
      case .book: continue
      }
    }
    return effects + resync(doubtful, at: now) + (lost.isEmpty ? [] : askAgain(lost, at: now))
  }

  /// Asks for new snapshots of books; gives the connection up when that does not help.
  mutating func resync(_ numbers: [Int], at now: ClockReading) -> [SessionEffect] {
    if numbers.isEmpty { return [] }
    var effects: [SessionEffect] = []
    var topics: [KrakenTopic] = []
    for number in numbers {
      let symbol = market.instruments[number].symbol
      guard asked.contains(.book(symbol)) else { continue }
      effects.append(.resynced(Subscription(.book, symbol)))
      switch resyncs.advice(number, at: now.monotonic) {
      case .now: topics.append(.book(symbol))
      case .later(let time): market.instruments[number].book.awaitSnapshot(at: time)
      case .never:
        market.instruments[number].book.awaitSnapshot(at: now.monotonic)
        return effects + [.reconnect(KrakenProblem.bookBeyondRepair(symbol))]
      }
    }
    return topics.isEmpty ? effects : effects + askAgain(topics, at: now)
  }

  /// Fetches the trades of tapes that have a hole.
  ///
  /// A tape that was fetched anew a moment ago waits until its patience ends: a venue whose numbers
  /// never fit is not asked without pause.
  private mutating func refill(at now: ClockReading) -> [SessionEffect] {
    var topics: [KrakenTopic] = []
    for number in market.incomplete {
      let topic = KrakenTopic.trade(market.instruments[number].symbol)
      guard asked.contains(topic) else { continue }
      if let last = lastRefills[number],
        now.monotonic.milliseconds(since: last) < Self.patienceMilliseconds
      {
        market.instruments[number].tape.awaitSnapshot(at: now.monotonic)
        continue
      }
      lastRefills[number] = now.monotonic
      topics.append(topic)
    }
    return topics.isEmpty ? [] : askAgain(topics, at: now)
  }

  private func newTrades() -> [SessionEffect] {
    var effects: [SessionEffect] = []
    for new in market.newTrades {
      let subscription = Subscription(.trades, market.instruments[new.pair].symbol)
      guard wanted.contains(subscription), let info = market.instruments[new.pair].info else {
        continue
      }
      effects.append(
        .happened(
          subscription,
          .trade(
            new.trade, priceScale: info.scales.price, quantityScale: info.scales.quantity)))
    }
    return effects
  }

  private func impossibleTrades(at now: ClockReading) -> [SessionEffect] {
    market.impossibleTrades.map {
      .rejected(
        KrakenProblem.impossibleTime(
          of: market.instruments[$0.pair].symbol, $0.time, now: now.wall))
    }
  }

  private func changed() -> [SessionEffect] {
    market.changes.map {
      SessionEffect.changed(Subscription($0.channel, market.instruments[$0.pair].symbol))
    }
  }

  /// A stream of a pair, and its quote, which depends on it.
  private func changed(_ channel: Channel, _ number: Int) -> [SessionEffect] {
    let symbol = market.instruments[number].symbol
    return [Subscription(channel, symbol), Subscription(.quote, symbol)]
      .filter(wanted.contains).map(SessionEffect.changed)
  }
}

// MARK: Time and errors

extension KrakenSession {
  /// Looks for a greeting or a snapshot that is overdue, and keeps the venue from hanging up.
  mutating func checkTimes(at now: ClockReading) -> [SessionEffect] {
    if case .greeting(let since) = link {
      let waited = now.monotonic.milliseconds(since: since)
      guard waited >= Self.patienceMilliseconds else { return [] }
      link = .down
      return [.reconnect(KrakenProblem.noGreeting(afterSeconds: waited / 1000))]
    }
    guard link == .ready else { return [] }
    var effects: [SessionEffect] = []
    var overdue: [Int] = []
    var late: [KrakenTopic] = []
    if isOverdue(instrumentsAskedAt, now.monotonic) { late.append(.instrument) }
    for number in market.instruments.indices {
      if isOverdue(market.instruments[number].book.trust.askedAt, now.monotonic) {
        market.instruments[number].book.countLateSnapshot()
        overdue.append(number)
      }
      let trade = KrakenTopic.trade(market.instruments[number].symbol)
      if isOverdue(market.instruments[number].tape.askedAt, now.monotonic), asked.contains(trade) {
        late.append(trade)
      }
    }
    effects += resync(overdue, at: now)
    let postponed = resyncs.due(at: now.monotonic)
      .filter { market.instruments[$0].book.trust.askedAt != nil }
      .map { KrakenTopic.book(market.instruments[$0].symbol) }.filter(asked.contains)
    if !postponed.isEmpty { effects += askAgain(postponed, at: now) }
    if !late.isEmpty { effects += askAgain(late, at: now) }
    let silence = now.monotonic.milliseconds(since: lastSent)
    if silence >= KrakenHeartbeat.keepAliveMilliseconds {
      effects += send([OutboundMessage(text: KrakenHeartbeat.ping)], at: now)
    }
    return effects
  }

  private func isOverdue(_ asked: MonotonicTime?, _ now: MonotonicTime) -> Bool {
    guard let asked, !market.isInMaintenance else { return false }
    return now.milliseconds(since: asked) >= Self.patienceMilliseconds
  }

  /// What the venue's refusal means for the connection.
  mutating func fail(_ answer: KrakenAnswer, at now: ClockReading) -> [SessionEffect] {
    let text = answer.error.lowercased()
    if text.hasPrefix("exceeded msg rate") || text.hasPrefix("rate limit") {
      return [.reconnect(KrakenProblem.rateLimited(answer))]
    }
    if text.hasPrefix("already subscribed") { return [] }
    guard answer.method == "subscribe" else {
      let isBenign = answer.method == "unsubscribe" && text.hasPrefix("subscription not found")
      return isBenign ? [] : [.rejected(KrakenProblem.venueError(answer))]
    }
    let channel = answer.channel ?? answer.requestIdentifier.flatMap(KrakenRequests.channel)
    let topics = asked.filter { topic in
      topic.symbol != nil && topic.symbol == answer.symbol
        && (channel == nil || channel == topic.channel)
    }
    guard let symbol = answer.symbol, !topics.isEmpty else {
      return [.rejected(KrakenProblem.venueError(answer))]
    }
    return refuse(symbol, topics, answer)
  }

  /// The venue does not have these topics: nothing is expected of them any more.
  private mutating func refuse(
    _ symbol: Symbol, _ topics: Set<KrakenTopic>, _ answer: KrakenAnswer
  ) -> [SessionEffect] {
    asked.subtract(topics)
    refused.formUnion(topics)
    if let number = market.known(symbol) {
      for topic in topics {
        if topic.channel == .book {
          market.instruments[number].book.interrupt()
        } else {
          market.instruments[number].tape.awaitSnapshot(at: nil)
        }
      }
    }
    let changed = wanted.filter { $0.symbol == symbol }.sorted().filter(isRefused)
    let isUnknown = answer.error.lowercased().hasPrefix("currency pair not supported")
    let problem =
      isUnknown ? KrakenProblem.unknown(symbol, answer.error) : KrakenProblem.venueError(answer)
    return [.rejected(problem)] + changed.map(SessionEffect.changed)
  }
}
