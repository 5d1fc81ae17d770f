// Keeping the venue's set of topics equal to the wanted one.

import MarketModel

extension BookSession {
  /// Takes a new set of wanted streams.
  mutating func want(_ new: Set<Subscription>, at now: ClockReading) -> [SessionEffect] {
    let gone = wanted.subtracting(new)
    let added = new.subtracting(wanted)
    wanted = new
    let needed = needed
    refused.formIntersection(needed)
    for subscription in gone { release(subscription, needed) }
    for subscription in added { accept(subscription) }
    return link == .ready ? askForDifference(at: now) : []
  }

  /// All topics of the wanted streams.
  var needed: Set<BookTopic> { Set(wanted.flatMap { Venue.topics(for: $0) }) }

  /// Unsubscribes what is not needed any more, subscribes what is missing and can be asked for.
  mutating func askForDifference(at now: ClockReading) -> [SessionEffect] {
    if market.isInMaintenance { return [] }
    let effects = Venue.refuseInAdvance(in: &self, at: now)
    let needed = needed
    let surplus = asked.subtracting(needed).sorted()
    let missing = needed.subtracting(asked).subtracting(refused)
      .filter { Venue.canAsk($0, in: market) }.sorted()
    asked.subtract(surplus)
    asked.formUnion(missing)
    for topic in missing { expectSnapshot(of: topic, at: now) }
    return effects + send("unsubscribe", surplus, at: now) + send("subscribe", missing, at: now)
  }

  /// Unsubscribes from topics and subscribes to them again, so that a new snapshot comes.
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
  }

  /// Whether the venue has refused a topic that the stream cannot do without.
  func isRefused(_ subscription: Subscription) -> Bool {
    if refused.isEmpty { return false }
    return Venue.requiredTopics(for: subscription).contains(where: refused.contains)
  }

  /// The wanted streams that use a topic.
  func streams(of topic: BookTopic) -> [Subscription] {
    wanted.filter { Venue.topics(for: $0).contains(topic) }.sorted()
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

  private mutating func release(_ subscription: Subscription, _ needed: Set<BookTopic>) {
    guard let number = market.known(subscription.symbol) else { return }
    noteBooks(number)
    // The same book may still be wanted at another grouping.
    let isWanted = wanted.contains {
      $0.channel == subscription.channel && $0.symbol == subscription.symbol
    }
    if isWanted { return }
    market.instruments[number].wanted.remove(ChannelSet(subscription.channel))
    if !needed.contains(BookTopic(.book, subscription.symbol)) {
      market.books.setAccepted(number, false)
      market.forgetWitness(.book, of: number)
      reports[number] = nil
      resyncs.forget(number)
    }
    if !needed.contains(BookTopic(.audit, subscription.symbol)) {
      market.audits.setAccepted(number, false)
    }
    if !needed.contains(BookTopic(.trades, subscription.symbol)) {
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

  /// Makes the effects of a change of a symbol's book.
  private mutating func noteBooks(_ number: Int) {
    while changedBook.count < market.instruments.count { changedBook.append([]) }
    let symbol = market.instruments[number].symbol
    changedBook[number] = wanted.filter { $0.channel == .book && $0.symbol == symbol }.sorted()
      .map(SessionEffect.changed)
  }
}
