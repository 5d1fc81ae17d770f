// Keeping the venue's set of subscriptions equal to the wanted one.

import MarketModel

extension KrakenSession {
  /// Takes a new set of wanted streams.
  mutating func want(_ new: Set<Subscription>, at now: ClockReading) -> [SessionEffect] {
    let gone = wanted.subtracting(new)
    let added = new.subtracting(wanted)
    wanted = new
    for subscription in gone { release(subscription) }
    for subscription in added { accept(subscription) }
    refused.formIntersection(needed)
    return link == .ready ? askForDifference(at: now) : []
  }

  /// All topics of the wanted streams.
  var needed: Set<KrakenTopic> {
    var topics = Set(wanted.flatMap { KrakenTopic.topics(for: $0) })
    if !wanted.isEmpty { topics.insert(.instrument) }
    return topics
  }

  /// Unsubscribes what is not needed any more, subscribes what is missing and can be asked for.
  mutating func askForDifference(at now: ClockReading) -> [SessionEffect] {
    if market.isInMaintenance { return [] }
    var effects = refuseUnlisted()
    let needed = needed
    let surplus = asked.subtracting(needed).sorted()
    let missing = needed.subtracting(asked).subtracting(refused).filter(canBeAsked).sorted()
    asked.subtract(surplus)
    asked.formUnion(missing)
    for topic in missing { expectSnapshot(of: topic, at: now) }
    effects += send(requests.messages("unsubscribe", surplus), at: now)
    effects += send(requests.messages("subscribe", missing), at: now)
    return effects
  }

  /// Unsubscribes from topics and subscribes to them again, so that a new snapshot comes.
  mutating func askAgain(_ topics: [KrakenTopic], at now: ClockReading) -> [SessionEffect] {
    for topic in topics { expectSnapshot(of: topic, at: now) }
    return send(requests.messages("unsubscribe", topics), at: now)
      + send(requests.messages("subscribe", topics), at: now)
  }

  /// Whether the venue has said that it does not have the stream.
  func isRefused(_ subscription: Subscription) -> Bool {
    guard !refused.isEmpty else { return false }
    return KrakenTopic.topics(for: subscription).contains(where: refused.contains)
  }

  mutating func send(_ messages: [OutboundMessage], at now: ClockReading) -> [SessionEffect] {
    if !messages.isEmpty { lastSent = now.monotonic }
    return messages.map(SessionEffect.send)
  }

  /// Precisions come first: a book that cannot be checked is not asked for.
  private func canBeAsked(_ topic: KrakenTopic) -> Bool {
    topic == .instrument || market.isListed
  }

  /// Pairs that the venue does not list are unknown, without asking.
  private mutating func refuseUnlisted() -> [SessionEffect] {
    guard market.isListed else { return [] }
    var effects: [SessionEffect] = []
    for symbol in Set(wanted.map(\.symbol)).sorted() where market.listed[symbol] == nil {
      let topics = needed.filter { $0.symbol == symbol && !refused.contains($0) }
      if topics.isEmpty { continue }
      refused.formUnion(topics)
      effects.append(.rejected(KrakenProblem.unknown(symbol, "not among the venue's pairs")))
      effects += wanted.filter { $0.symbol == symbol }.sorted().map(SessionEffect.changed)
    }
    return effects
  }

  private mutating func expectSnapshot(of topic: KrakenTopic, at now: ClockReading) {
    guard let symbol = topic.symbol else {
      instrumentsAskedAt = now.monotonic
      return
    }
    guard let number = market.number(of: symbol) else { return }
    if topic.channel == .book {
      market.instruments[number].book.awaitSnapshot(at: now.monotonic)
    } else {
      market.instruments[number].tape.awaitSnapshot(at: now.monotonic)
    }
  }

  private mutating func accept(_ subscription: Subscription) {
    guard let number = market.number(of: subscription.symbol) else { return }
    while changedBook.count < market.instruments.count {
      let symbol = market.instruments[changedBook.count].symbol
      changedBook.append([.changed(Subscription(.book, symbol))])
    }
    if !market.instruments[number].needsTrades {
      market.instruments[number].tape.awaitSnapshot(at: nil)
    }
    market.instruments[number].wanted.insert(subscription.channel)
    if let info = market.listed[subscription.symbol] { market.describe(number, info) }
  }

  private mutating func release(_ subscription: Subscription) {
    guard let number = market.known(subscription.symbol) else { return }
    market.instruments[number].wanted.remove(subscription.channel)
    if !market.instruments[number].needsBook {
      market.instruments[number].book.forget()
      resyncs.forget(number)
    }
    if !market.instruments[number].needsTrades { market.instruments[number].tape.forget() }
    if subscription.channel == .quote { market.instruments[number].quote.forget() }
  }
}
