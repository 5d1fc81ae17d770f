// What a session does after a message: report changes, refetch doubtful books, check deadlines.

import MarketModel

extension BookSession {
  mutating func afterRows(at now: ClockReading) -> [SessionEffect] {
    if market.changes.count == 1, market.changes[0].channel == .book,
      market.books.doubtful.isEmpty, market.changes[0].number < changedBook.count
    {
      return changedBook[market.changes[0].number]
    }
    return newTrades() + changed() + impossibleTrades(at: now)
      + resync(market.books.doubtful, at: now) + refill(at: now) + audit(at: now)
  }

  /// Compares books with their audits after the latest message.
  ///
  /// Either may have lost a change, so both are refetched.
  private mutating func audit(at now: ClockReading) -> [SessionEffect] {
    if market.audits.changed.isEmpty { return [] }
    let lost = market.audit(at: now)
    let changes = lost.flatMap { changedBook($0) }
    return changes + resync(lost, at: now) + askAudits(lost + market.audits.doubtful, at: now)
  }

  /// Requests new best levels; postpones those that were requested a moment ago.
  private mutating func askAudits(_ numbers: [Int], at now: ClockReading) -> [SessionEffect] {
    var topics: [BookTopic] = []
    for number in numbers {
      let topic = BookTopic(.audit, market.instruments[number].symbol)
      guard asked.contains(topic), !topics.contains(topic) else { continue }
      if let last = lastAudits[number],
        now.monotonic.milliseconds(since: last) < Self.auditPauseMilliseconds
      {
        market.audits.states[number].trust.awaitSnapshot(at: now.monotonic)
        auditsDue[number] = last.adding(milliseconds: Self.auditPauseMilliseconds)
        continue
      }
      topics.append(topic)
    }
    return askAgain(topics, at: now)
  }

  func changed() -> [SessionEffect] {
    market.changes.flatMap { change in
      change.channel == .book && change.number < changedBook.count
        ? changedBook[change.number]
        : [.changed(Subscription(change.channel, market.instruments[change.number].symbol))]
    }
  }

  private func newTrades() -> [SessionEffect] {
    market.newTrades.compactMap { new in
      let subscription = Subscription(.trades, market.instruments[new.number].symbol)
      guard wanted.contains(subscription) else { return nil }
      let scales = Venue.scales(new.number, in: market)
      return .happened(
        subscription,
        .trade(new.trade, priceScale: scales.price, quantityScale: scales.quantity))
    }
  }

  private func impossibleTrades(at now: ClockReading) -> [SessionEffect] {
    market.impossibleTrades.map { row in
      .rejected(
        Venue.profile.impossibleTrade(
          of: market.instruments[row.number].symbol, at: row.time, now: now.wall))
    }
  }

  /// Handles an unreadable message: everything that it could have changed is doubtful.
  mutating func reject(
    _ error: BookDecodeError<Venue.Decoder.Wire>, at now: ClockReading
  ) -> [SessionEffect] {
    var effects: [SessionEffect] = [.rejected(Venue.profile.malformed(error.description))]
    let doubtful = Venue.loseMessage(of: error.channel, in: &market)
    if let problem = Venue.connectionProblem(afterUnreadable: error.channel, in: market) {
      let resyncs = doubtful.map { number in
        SessionEffect.resynced(Subscription(.book, market.instruments[number].symbol))
      }
      return effects + resyncs + loseConnection(problem)
    }
    for number in doubtful { effects += changedBook(number) }
    var lost: [BookTopic] = []
    for topic in asked.sorted() where topic.part != .book && error.mayBe(topic.part) {
      guard isFilled(topic) else { continue }
      lost.append(topic)
      let streams = topic.symbol == nil ? wanted.filter { $0 == .listing } : Set(streams(of: topic))
      effects += streams.sorted().map(SessionEffect.changed)
    }
    return effects + resync(doubtful, at: now) + askAgain(lost, at: now)
  }

  /// Whether a topic has received its snapshot, so that a lost message leaves a gap.
  private func isFilled(_ topic: BookTopic) -> Bool {
    guard let symbol = topic.symbol else { return detailsAskedAt == nil }
    guard let number = market.known(symbol) else { return false }
    switch topic.part {
    case .audit: return market.audits.states[number].trust.takesChanges
    case .trades: return !market.instruments[number].tape.awaitsSnapshot
    case .quote: return !market.instruments[number].quote.awaitsSnapshot
    case .figures: return !market.instruments[number].figures.awaitsSnapshot
    case .book, .details: return false
    }
  }

  private func changedBook(_ number: Int) -> [SessionEffect] {
    streams(of: BookTopic(.book, market.instruments[number].symbol)).map(SessionEffect.changed)
  }

  /// Requests new snapshots of books; reconnects if repeated requests do not help.
  mutating func resync(_ numbers: [Int], at now: ClockReading) -> [SessionEffect] {
    if numbers.isEmpty { return [] }
    if let effects = Venue.repair(numbers, in: &self, at: now) { return effects }
    var effects: [SessionEffect] = []
    var topics: [BookTopic] = []
    for number in numbers {
      let symbol = market.instruments[number].symbol
      let topic = BookTopic(.book, symbol)
      guard asked.contains(topic) else { continue }
      effects.append(.resynced(Subscription(.book, symbol)))
      switch resyncs.advice(number, at: now.monotonic) {
      case .now: topics.append(topic)
      case .later(let time): market.books.states[number].trust.awaitSnapshot(at: time)
      case .never:
        market.books.states[number].trust.awaitSnapshot(at: now.monotonic)
        return effects + [.reconnect(Venue.profile.bookBeyondRepair(symbol))]
      }
    }
    return effects + askAgain(topics, at: now)
  }

  /// Ends a connection on which data may be missing: nothing of it is valid until the next one.
  mutating func loseConnection(_ problem: VenueProblem) -> [SessionEffect] {
    market.loseConnection()
    return wanted.sorted().map(SessionEffect.changed) + [.reconnect(problem)]
  }

  /// Refetches the trades of tapes that have a gap.
  ///
  /// A tape that was refetched a moment ago waits until its patience ends, so that a venue whose
  /// numbers never fit is not sent requests without pause.
  private mutating func refill(at now: ClockReading) -> [SessionEffect] {
    var topics: [BookTopic] = []
    for number in market.incomplete {
      let topic = BookTopic(.trades, market.instruments[number].symbol)
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
    return askAgain(topics, at: now)
  }

  /// States in a symbol's book why its snapshot has to wait; a valid book needs none.
  mutating func waitForBook(of symbol: Symbol, _ cause: BookDoubt) -> [SessionEffect] {
    guard let number = market.known(symbol),
      market.books.states[number].trust.status != .synced
    else { return [] }
    market.books.states[number].trust.wait(for: cause)
    return table.streams(of: symbol).sorted().map(SessionEffect.changed)
  }

  /// Handles the venue's refusal of these topics: nothing more is expected of them.
  mutating func refuse(_ topics: Set<BookTopic>, for problem: VenueProblem) -> [SessionEffect] {
    asked.subtract(topics)
    refused.formUnion(topics)
    stopExpecting(topics)
    let symbols = Set(topics.compactMap(\.symbol))
    let streams = symbols.flatMap { table.streams(of: $0) }.filter { stream in
      Venue.topics(for: stream).contains(where: topics.contains) && isRefused(stream)
    }
    return [.rejected(problem)] + streams.sorted().map(SessionEffect.changed)
  }
}

// MARK: Time

extension BookSession {
  /// Handles an overdue greeting or snapshot and books that stay doubtful, and sends keep-alives.
  mutating func checkTimes(at now: ClockReading) -> [SessionEffect] {
    if case .greeting(let since) = link {
      let waited = now.monotonic.milliseconds(since: since)
      guard waited >= Self.patienceMilliseconds else { return [] }
      link = .down
      return [.reconnect(Venue.profile.noGreeting(afterSeconds: waited / 1000))]
    }
    guard link == .ready else { return [] }
    var effects: [SessionEffect] = []
    var doubtful: [Int] = []
    var late: [BookTopic] = []
    if isOverdue(detailsAskedAt, now.monotonic)
      || detailsAskedAt == nil && Venue.doubtsDetails(in: &self, at: now.monotonic)
    {
      late.append(BookTopic(.details, nil))
    }
    for number in market.instruments.indices {
      if needsSnapshot(number, at: now.monotonic) {
        doubtful.append(number)
        effects += changedBook(number)
      }
      if let topic = overdueAudit(number, at: now.monotonic) { late.append(topic) }
      if let topic = overdueTrades(number, at: now.monotonic) { late.append(topic) }
      if let topic = overdueFigures(number, at: now.monotonic) { late.append(topic) }
    }
    effects += resync(doubtful, at: now) + askForPostponed(at: now)
    effects += Venue.repeatLate(late, in: &self, at: now)
    if areTopicsWaiting { effects += askForDifference(at: now) }
    return effects + testimony(at: now) + keepAlive(at: now) + Venue.due(in: &self, at: now)
  }

  /// Requests the books whose pause is over, unless a snapshot has come meanwhile.
  private mutating func askForPostponed(at now: ClockReading) -> [SessionEffect] {
    let topics = resyncs.due(at: now.monotonic)
      .filter { market.books.states[$0].trust.askedAt != nil }
      .map { BookTopic(.book, market.instruments[$0].symbol) }.filter(asked.contains)
    return askAgain(topics, at: now)
  }

  private mutating func needsSnapshot(_ number: Int, at now: MonotonicTime) -> Bool {
    guard market.books.states[number].trust.askedAt != nil else {
      return market.books.states[number].losesPatience(at: now)
    }
    guard isOverdue(market.books.states[number].trust.askedAt, now) else { return false }
    market.books.states[number].trust.countLateSnapshot()
    return true
  }

  /// The trades of a symbol if they must be requested again.
  ///
  /// Where rows are whole, trades and quotes are accepted without a snapshot instead.
  private mutating func overdueTrades(_ number: Int, at now: MonotonicTime) -> BookTopic? {
    let tapeIsLate = isOverdue(market.instruments[number].tape.askedAt, now)
    guard Venue.profile.rowsAreWhole else {
      let topic = BookTopic(.trades, market.instruments[number].symbol)
      return tapeIsLate && asked.contains(topic) ? topic : nil
    }
    if tapeIsLate { market.instruments[number].tape.stopWaiting() }
    if isOverdue(market.instruments[number].quote.askedAt, now) {
      market.instruments[number].quote.endWaiting()
    }
    return nil
  }

  private mutating func overdueAudit(_ number: Int, at now: MonotonicTime) -> BookTopic? {
    let topic = BookTopic(.audit, market.instruments[number].symbol)
    guard let askedAt = market.audits.states[number].trust.askedAt, asked.contains(topic),
      now >= auditsDue[number] ?? askedAt.adding(milliseconds: Self.auditPatienceMilliseconds)
    else { return nil }
    auditsDue[number] = nil
    return topic
  }

  private mutating func testimony(at now: ClockReading) -> [SessionEffect] {
    var effects: [SessionEffect] = []
    for number in market.instruments.indices where market.books.accepts(number) {
      let report = market.witnessReport(number, at: now)
      guard report != reports[number] else { continue }
      let symbol = market.instruments[number].symbol
      let dissents = report?.dissents ?? []
      if dissents != reports[number]?.dissents ?? [] {
        effects.append(.dissented(symbol, dissents))
      }
      reports[number] = report
      effects += changedBook(number)
    }
    return effects
  }

  private func overdueFigures(_ number: Int, at now: MonotonicTime) -> BookTopic? {
    let topic = BookTopic(.figures, market.instruments[number].symbol)
    let isLate = isOverdue(market.instruments[number].figures.askedAt, now)
    return isLate && asked.contains(topic) ? topic : nil
  }

  private func isOverdue(_ asked: MonotonicTime?, _ now: MonotonicTime) -> Bool {
    guard let asked, !market.isInMaintenance else { return false }
    return now.milliseconds(since: asked) >= Self.patienceMilliseconds
  }

  private mutating func keepAlive(at now: ClockReading) -> [SessionEffect] {
    guard let keepAlive = Venue.profile.keepAlive,
      now.monotonic.milliseconds(since: lastSent) >= keepAlive.afterMilliseconds
    else { return [] }
    lastSent = now.monotonic
    return [.send(OutboundMessage(text: keepAlive.text))]
  }
}
