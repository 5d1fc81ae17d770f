// What a session does after a message: report changes, fetch doubtful books anew, judge errors.

import MarketModel
import OrderBook

extension BitMEXSession {
  /// The effects of rows that have been applied.
  mutating func afterTable(at now: ClockReading) -> [SessionEffect] {
    if market.changes.count == 1, market.changes[0].channel == .book,
      market.books.doubtful.isEmpty, market.changes[0].symbol < changedBook.count
    {
      return changedBook[market.changes[0].symbol]
    }
    var effects = newTrades()
    for change in market.changes {
      let symbol = market.instruments[change.symbol].symbol
      let subscription = Subscription(change.channel, symbol)
      if wanted.contains(subscription) { effects.append(.changed(subscription)) }
    }
    for row in market.impossibleTrades {
      let symbol = market.instruments[row.symbol].symbol
      effects.append(.rejected(BitMEXProblem.impossibleTime(of: symbol, row.time, now: now.wall)))
    }
    return effects + resync(market.books.doubtful, at: now)
  }

  private func newTrades() -> [SessionEffect] {
    var effects: [SessionEffect] = []
    for new in market.newTrades {
      let subscription = Subscription(.trades, market.instruments[new.symbol].symbol)
      guard wanted.contains(subscription) else { continue }
      effects.append(
        .happened(
          subscription,
          .trade(new.trade, priceScale: bitMEXPriceScale, quantityScale: .whole)))
    }
    return effects
  }

  /// A message could not be read.
  ///
  /// What it would have changed is unknown now.
  mutating func reject(_ error: BitMEXDecodeError, at now: ClockReading) -> [SessionEffect] {
    var effects: [SessionEffect] = [.rejected(BitMEXProblem.malformed(error))]
    let doubtful = market.doubtEverything(of: error.table)
    for number in doubtful {
      effects.append(.changed(Subscription(.book, market.instruments[number].symbol)))
    }
    var lost: [BitMEXTopic] = []
    for topic in asked.sorted() where topic.table == .trade || topic.table == .quote {
      guard error.table == nil || error.table == topic.table,
        let number = market.known(topic.symbol), !waits(for: topic, number)
      else { continue }
      lost.append(topic)
      effects += streams(of: topic).map(SessionEffect.changed)
    }
    return effects + resync(doubtful, at: now) + askAgain(lost, at: now)
  }

  /// Asks for new snapshots of books; gives the connection up when that does not help.
  mutating func resync(_ numbers: [Int], at now: ClockReading) -> [SessionEffect] {
    if numbers.isEmpty { return [] }
    var effects: [SessionEffect] = []
    var topics: [BitMEXTopic] = []
    for number in numbers {
      let symbol = market.instruments[number].symbol
      let topic = BitMEXTopic(.orderBookL2, symbol)
      guard asked.contains(topic) else { continue }
      effects.append(.resynced(Subscription(.book, symbol)))
      switch resyncs.advice(number, at: now.monotonic) {
      case .now: topics.append(topic)
      case .later(let time): market.books.change(number) { $0.awaitSnapshot(at: time) }
      case .never:
        market.books.change(number) { $0.awaitSnapshot(at: now.monotonic) }
        return effects + [.reconnect(BitMEXProblem.bookBeyondRepair(symbol))]
      }
    }
    return effects + askAgain(topics, at: now)
  }

  /// Looks for a welcome or a snapshot that is overdue and for books that stay doubtful.
  mutating func checkTimes(at now: ClockReading) -> [SessionEffect] {
    if case .greeting(let since) = link {
      let waited = now.monotonic.milliseconds(since: since)
      guard waited >= Self.patienceMilliseconds else { return [] }
      link = .down
      return [.reconnect(BitMEXProblem.noWelcome(afterSeconds: waited / 1000))]
    }
    guard link == .ready else { return [] }
    var doubtful: [Int] = []
    var effects: [SessionEffect] = []
    for number in market.instruments.indices {
      if market.books.accepts(number), needsSnapshot(number, at: now.monotonic) {
        doubtful.append(number)
        effects.append(.changed(Subscription(.book, market.instruments[number].symbol)))
      }
      stopWaiting(number, at: now.monotonic)
    }
    return effects + resync(doubtful, at: now) + askForPostponed(at: now)
  }

  /// Asks for the books whose pause is over, unless a snapshot has come by itself.
  private mutating func askForPostponed(at now: ClockReading) -> [SessionEffect] {
    let topics = resyncs.due(at: now.monotonic)
      .filter { market.books.states[$0].trust.askedAt != nil }
      .map { BitMEXTopic(.orderBookL2, market.instruments[$0].symbol) }.filter(asked.contains)
    return topics.isEmpty ? [] : askAgain(topics, at: now)
  }

  private mutating func needsSnapshot(_ number: Int, at now: MonotonicTime) -> Bool {
    if let askedAt = market.books.states[number].trust.askedAt {
      guard isOverdue(askedAt, now) else { return false }
      market.books.change(number) { $0.countLateSnapshot() }
      return true
    }
    return market.books.change(number) { $0.losesPatience(at: now) }
  }

  /// Rows of `trade` and `quote` are whole: after a while they are taken without a partial.
  private mutating func stopWaiting(_ number: Int, at now: MonotonicTime) {
    if let asked = market.instruments[number].tape.askedAt, isOverdue(asked, now) {
      market.instruments[number].tape.stopWaiting()
    }
    if let asked = market.instruments[number].quote.askedAt, isOverdue(asked, now) {
      market.instruments[number].quote.endWaiting()
    }
  }

  private func isOverdue(_ asked: MonotonicTime, _ now: MonotonicTime) -> Bool {
    now.milliseconds(since: asked) >= Self.patienceMilliseconds
  }

  private func waits(for topic: BitMEXTopic, _ number: Int) -> Bool {
    topic.table == .trade
      ? market.instruments[number].tape.awaitsPartial
      : market.instruments[number].quote.awaitsPartial
  }

  private func streams(of topic: BitMEXTopic) -> [Subscription] {
    wanted.filter { BitMEXTopic.topics(for: $0).contains(topic) }.sorted()
  }
}

// MARK: Errors

extension BitMEXSession {
  /// What the venue's error means for the connection.
  mutating func fail(_ failure: BitMEXFailure, at now: ClockReading) -> [SessionEffect] {
    let text = failure.text.lowercased()
    if failure.status == 429 || text.hasPrefix("rate limit exceeded") {
      return [.reconnect(BitMEXProblem.rateLimited(failure))]
    }
    if failure.status == 401 || failure.status == 403 || text.hasPrefix("invalid api key") {
      return [.refuse(BitMEXProblem.unauthorized(failure))]
    }
    let isBenign = text.hasPrefix("you are already subscribed") || text.hasPrefix("not subscribed")
    if failure.operation == "unsubscribe" {
      return isBenign ? [] : [.rejected(BitMEXProblem.venueError(failure))]
    }
    let topics = asked.filter { failure.topics.contains($0.text) }.sorted()
    if failure.operation == "subscribe", topics.count > 1 {
      // One bad topic rejects the whole request: ask for each alone to find it.
      return topics.flatMap { BitMEXRequest.messages("subscribe", [$0]) }.map(SessionEffect.send)
    }
    if isBenign { return [] }
    guard let topic = topics.first, failure.operation == "subscribe",
      failure.status.map({ (400..<500).contains($0) }) ?? true
    else { return [.rejected(BitMEXProblem.venueError(failure))] }
    return refuse(topic, failure)
  }

  /// The venue does not have a topic: nothing is expected of it any more.
  private mutating func refuse(
    _ topic: BitMEXTopic, _ failure: BitMEXFailure
  ) -> [SessionEffect] {
    asked.remove(topic)
    refused.insert(topic)
    if let number = market.known(topic.symbol) {
      switch topic.table {
      case .orderBookL2: market.books.change(number) { $0.interrupt() }
      case .trade: market.instruments[number].tape.awaitPartial(at: nil)
      case .quote: market.instruments[number].quote.awaitPartial(at: nil)
      case .instrument, .orderBookL2Top25: break
      }
    }
    let changed = streams(of: topic).filter(isRefused).map(SessionEffect.changed)
    return [.rejected(BitMEXProblem.unknown(topic, failure))] + changed
  }
}
