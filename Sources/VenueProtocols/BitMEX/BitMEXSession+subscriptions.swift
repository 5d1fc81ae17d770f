// Keeping the venue's set of topics equal to the wanted one.

import MarketModel

extension BitMEXSession {
  /// Takes a new set of wanted streams.
  mutating func want(_ new: Set<Subscription>, at now: ClockReading) -> [SessionEffect] {
    let gone = wanted.subtracting(new)
    let added = new.subtracting(wanted)
    wanted = new
    let neededTopics = needed
    refused.formIntersection(neededTopics)
    for subscription in gone { release(subscription, neededTopics) }
    for subscription in added { accept(subscription) }
    return link == .ready ? askForDifference(at: now) : []
  }

  /// All topics of the wanted streams.
  var needed: Set<BitMEXTopic> {
    Set(wanted.flatMap { BitMEXTopic.topics(for: $0) })
  }

  /// Unsubscribes what is not needed any more, subscribes what is missing.
  mutating func askForDifference(at now: ClockReading) -> [SessionEffect] {
    let needed = needed
    let surplus = asked.subtracting(needed).sorted()
    let missing = needed.subtracting(asked).subtracting(refused).sorted()
    asked.subtract(surplus)
    asked.formUnion(missing)
    for topic in missing { expectPartial(of: topic, at: now) }
    return
      (BitMEXRequest.messages("unsubscribe", surplus)
      + BitMEXRequest.messages("subscribe", missing)).map(SessionEffect.send)
  }

  /// Whether the venue has refused a topic that the stream cannot do without.
  func isRefused(_ subscription: Subscription) -> Bool {
    guard !refused.isEmpty else { return false }
    switch subscription.channel {
    case .book: return refused.contains(BitMEXTopic(.orderBookL2, subscription.symbol))
    case .trades: return refused.contains(BitMEXTopic(.trade, subscription.symbol))
    case .quote: return refused.contains(BitMEXTopic(.quote, subscription.symbol))
    }
  }

  /// Unsubscribes from topics and subscribes to them again, so that a new partial comes.
  mutating func askAgain(_ topics: [BitMEXTopic], at now: ClockReading) -> [SessionEffect] {
    for topic in topics { expectPartial(of: topic, at: now) }
    return
      (BitMEXRequest.messages("unsubscribe", topics)
      + BitMEXRequest.messages("subscribe", topics)).map(SessionEffect.send)
  }

  private mutating func expectPartial(of topic: BitMEXTopic, at now: ClockReading) {
    guard let number = market.number(of: topic.symbol) else { return }
    switch topic.table {
    case .orderBookL2: market.books.change(number) { $0.awaitSnapshot(at: now.monotonic) }
    case .trade: market.instruments[number].tape.awaitPartial(at: now.monotonic)
    case .quote: market.instruments[number].quote.awaitPartial(at: now.monotonic)
    case .instrument, .orderBookL2Top25: break
    }
  }

  private mutating func accept(_ subscription: Subscription) {
    guard let number = market.number(of: subscription.symbol) else { return }
    while changedBook.count < market.instruments.count {
      let symbol = market.instruments[changedBook.count].symbol
      changedBook.append([.changed(Subscription(.book, symbol))])
    }
    let usesTapeAlready = !market.instruments[number].accepts.isDisjoint(with: [.trades, .quote])
    market.instruments[number].accepts.insert(.init(subscription.channel))
    switch subscription.channel {
    case .book: market.books.setAccepted(number, true)
    case .trades: if !usesTapeAlready { market.instruments[number].tape.awaitPartial(at: nil) }
    case .quote:
      market.instruments[number].quote.awaitPartial(at: nil)
      if !usesTapeAlready { market.instruments[number].tape.awaitPartial(at: nil) }
    }
  }

  private mutating func release(_ subscription: Subscription, _ needed: Set<BitMEXTopic>) {
    guard let number = market.known(subscription.symbol) else { return }
    market.instruments[number].accepts.remove(.init(subscription.channel))
    switch subscription.channel {
    case .book:
      market.books.setAccepted(number, false)
      resyncs.forget(number)
    case .trades: break
    case .quote: market.instruments[number].quote.forget()
    }
    if !needed.contains(BitMEXTopic(.trade, subscription.symbol)) {
      market.instruments[number].tape.forget()
    }
  }
}
