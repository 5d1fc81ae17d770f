// Keeps the venue's set of topics equal to the requested one.

import MarketModel

extension BookSession {
  mutating func want(_ new: Set<Subscription>, at now: ClockReading) -> [SessionEffect] {
    let gone = wanted.subtracting(new).sorted()
    let added = new.subtracting(wanted).sorted()
    for subscription in gone { table.remove(subscription) }
    for subscription in added { table.insert(subscription) }
    refused = refused.filter(table.needs)
    queued.formIntersection(new)
    for subscription in gone { release(subscription) }
    for subscription in added { accept(subscription) }
    return link == .ready ? askForDifference(at: now) : []
  }

  /// Unsubscribes topics that are no longer needed and subscribes missing ones, as far as the
  /// venue's budget and the pace allow; the topics needed for longest come first.
  mutating func askForDifference(at now: ClockReading) -> [SessionEffect] {
    if market.isInMaintenance { return [] }
    var effects = Venue.refuseInAdvance(in: &self, at: now)
    let isPaused = pacer.isPaused(at: now.monotonic)
    if !isPaused {
      let surplus = asked.filter { !table.needs($0) }.sorted()
      asked.subtract(surplus)
      effects += send("unsubscribe", surplus, at: now)
    }
    let missing = table.topics.filter {
      !asked.contains($0) && !refused.contains($0) && Venue.canAsk($0, in: market)
    }
    let room = max(0, Venue.profile.subscriptions.topics - asked.count)
    let count = min(missing.count, room, pacer.available(at: now.monotonic))
    let chosen = table.oldest(count, of: missing).sorted()
    pacer.spend(chosen.count)
    asked.formUnion(chosen)
    for topic in chosen { expectSnapshot(of: topic, at: now) }
    effects += send("subscribe", chosen, at: now)
    areTopicsWaiting = isPaused || count < missing.count
    // Topics that wait only for the pace are subscribed in a moment.
    return effects + noteQueued(isPaused || missing.count > room ? missing : [])
  }

  /// Handles subscriptions refused for their rate: they are repeated later, in smaller batches.
  mutating func postpone(
    _ topics: Set<BookTopic>, for description: String, retryAfterSeconds: Int? = nil,
    at now: ClockReading
  ) -> [SessionEffect] {
    let isNew = pacer.refuse(retryAfterSeconds: retryAfterSeconds, at: now.monotonic)
    let postponed = topics.filter { $0.symbol != nil }
    asked.subtract(postponed)
    stopExpecting(postponed)
    let effects: [SessionEffect] =
      isNew ? [.rejected(Venue.profile.tooManySubscriptions(description))] : []
    return effects + askForDifference(at: now)
  }

  /// Records which streams wait for a place among the subscribed topics, and reports the changes.
  private mutating func noteQueued(_ missing: [BookTopic]) -> [SessionEffect] {
    if missing.isEmpty && queued.isEmpty { return [] }
    var waiting: Set<Subscription> = []
    for symbol in Set(missing.compactMap(\.symbol)) {
      for stream in table.streams(of: symbol)
      where Venue.requiredTopics(for: stream).contains(where: isMissing) { waiting.insert(stream) }
    }
    defer { queued = waiting }
    return waiting.symmetricDifference(queued).sorted().map(SessionEffect.changed)
  }

  func isMissing(_ topic: BookTopic) -> Bool { !asked.contains(topic) && !refused.contains(topic) }

  /// Resubscribes topics, so that a new snapshot comes.
  mutating func askAgain(_ topics: [BookTopic], at now: ClockReading) -> [SessionEffect] {
    if topics.isEmpty { return [] }
    for topic in topics { expectSnapshot(of: topic, at: now) }
    return send("unsubscribe", topics, at: now) + send("subscribe", topics, at: now)
  }

  mutating func send(
    _ method: StaticString, _ topics: [BookTopic], at now: ClockReading
  ) -> [SessionEffect] {
    if topics.isEmpty { return [] }
    lastSent = now.monotonic
    return Venue.requests(method, topics, &own).map(SessionEffect.send)
      + Venue.due(in: &self, at: now)
  }

  /// Whether the venue has refused a topic that the stream requires.
  func isRefused(_ subscription: Subscription) -> Bool {
    if refused.isEmpty { return false }
    return Venue.requiredTopics(for: subscription).contains(where: refused.contains)
  }

  func streams(of topic: BookTopic) -> [Subscription] {
    let streams = topic.symbol.map(table.streams(of:)) ?? wanted
    return streams.filter { Venue.topics(for: $0).contains(topic) }.sorted()
  }

  mutating func stopExpecting(_ topics: Set<BookTopic>) {
    for topic in topics {
      guard let symbol = topic.symbol, let number = market.known(symbol) else { continue }
      switch topic.part {
      case .book: market.books.states[number].trust.interrupt()
      case .audit: market.audits.states[number].trust.interrupt()
      case .trades: market.instruments[number].tape.awaitSnapshot(at: nil)
      case .quote: market.instruments[number].quote.awaitSnapshot(at: nil)
      case .figures: market.instruments[number].figures.awaitSnapshot(at: nil)
      case .details: break
      }
    }
  }

  private mutating func expectSnapshot(of topic: BookTopic, at now: ClockReading) {
    guard let symbol = topic.symbol else {
      detailsAskedAt = now.monotonic
      return
    }
    guard let number = market.number(of: symbol) else { return }
    market.forgetWitness(topic.part, of: number)
    switch topic.part {
    case .book: market.books.states[number].trust.awaitSnapshot(at: now.monotonic)
    case .audit:
      market.audits.states[number].trust.awaitSnapshot(at: now.monotonic)
      lastAudits[number] = now.monotonic
    case .trades: market.instruments[number].tape.awaitSnapshot(at: now.monotonic)
    case .quote: market.instruments[number].quote.awaitSnapshot(at: now.monotonic)
    case .figures: market.instruments[number].figures.awaitSnapshot(at: now.monotonic)
    case .details: break
    }
  }

  private mutating func accept(_ subscription: Subscription) {
    guard subscription.channel != .listing,
      let number = market.number(of: subscription.symbol)
    else { return }
    noteBooks(number)
    let hadTrades = market.instruments[number].needsTrades
    market.instruments[number].wanted.insert(ChannelSet(subscription.channel))
    for topic in Venue.topics(for: subscription) {
      switch topic.part {
      case .book: market.books.setAccepted(number, true)
      case .audit: market.audits.setAccepted(number, true)
      case .trades: if !hadTrades { market.instruments[number].tape.awaitSnapshot(at: nil) }
      case .quote: market.instruments[number].quote.awaitSnapshot(at: nil)
      case .figures: market.instruments[number].figures.awaitSnapshot(at: nil)
      case .details: break
      }
    }
    Venue.accept(number, in: &market)
  }

  private mutating func release(_ subscription: Subscription) {
    guard let number = market.known(subscription.symbol) else { return }
    noteBooks(number)
    // The same book may still be requested at another grouping.
    let isWanted = table.streams(of: subscription.symbol).contains {
      $0.channel == subscription.channel
    }
    if isWanted { return }
    market.instruments[number].wanted.remove(ChannelSet(subscription.channel))
    if !table.needs(BookTopic(.book, subscription.symbol)) {
      market.books.setAccepted(number, false)
      market.forgetWitness(.book, of: number)
      reports[number] = nil
      resyncs.forget(number)
    }
    if !table.needs(BookTopic(.audit, subscription.symbol)) {
      market.audits.setAccepted(number, false)
    }
    if !table.needs(BookTopic(.trades, subscription.symbol)) {
      market.forgetWitness(.trades, of: number)
      market.instruments[number].tape.forget()
    }
    if subscription.channel == .quote {
      market.instruments[number].quote.forget()
      market.forgetWitness(.quote, of: number)
    }
    if subscription.channel == .figures {
      market.instruments[number].figures.forget()
      market.forgetWitness(.figures, of: number)
    }
  }

  private mutating func noteBooks(_ number: Int) {
    while changedBook.count < market.instruments.count { changedBook.append([]) }
    let symbol = market.instruments[number].symbol
    changedBook[number] = table.streams(of: symbol).filter { $0.channel == .book }.sorted()
      .map(SessionEffect.changed)
  }
}
