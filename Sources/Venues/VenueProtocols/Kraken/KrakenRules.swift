import MarketModel
import OrderBook

enum KrakenRules: BookVenue {
  typealias Decoder = KrakenDecoder
  typealias Sync = KrakenBookSync
  typealias Details = KrakenDetails
  typealias MarketState = KrakenMarketState
  typealias SessionState = KrakenRequests

  /// Without `req_id`, so that the host recognises its own probe.
  static let ping = #"{"method":"ping"}"#

  /// Heartbeats come about once a second, so three missing ones count as silence; the venue
  /// disconnects clients that are silent for a minute.
  static let profile = BookVenueProfile(
    venue: .kraken, name: "Kraken", greeting: "a status",
    unsoundBook: "expected the venue's checksum after resyncing, found another one again",
    heartbeat: HeartbeatPolicy(
      probe: .text(ping), probeAfterMilliseconds: 5000, deadAfterMilliseconds: 5000),
    subscriptions: SubscriptionBudget(topics: 400, batch: 200, topicsPerSecond: 50),
    quietMilliseconds: 3500, keepAlive: (afterMilliseconds: 20_000, text: ping),
    hasFigures: true, rowsAreWhole: false)

  /// Every stream also needs the instrument channel, which lists all pairs.
  static func topics(for subscription: Subscription) -> [BookTopic] {
    requiredTopics(for: subscription) + [BookTopic(.details, nil)]
  }

  static func requests(
    _ method: StaticString, _ topics: [BookTopic], _ state: inout KrakenRequests
  ) -> [OutboundMessage] { state.messages(method, topics) }

  static func scales(_ number: Int, in market: BookMarket<Self>) -> BookScales {
    market.decoder.scales(of: number) ?? profile.scales
  }

  static func isClosed(_ number: Int, in market: BookMarket<Self>) -> Bool {
    market.isInMaintenance || market.instruments[number].details.info?.isOpen == false
  }

  /// The pairs; as fresh as the connection, because the venue sends every change of them.
  static func listing(in session: BookSession<Self>, at now: ClockReading) -> VenueListing? {
    let market = session.market
    var freshness = market.connectionFreshness(at: now)
    if market.own.listing.isEmpty {
      freshness = market.onLink(.waiting(market.origin))
    } else if !market.own.isListed || session.detailsAskedAt != nil {
      freshness = market.onLink(freshness.changed(to: .resyncing))
    } else if market.isInMaintenance {
      freshness = market.onLink(freshness.changed(to: .closed))
    }
    return VenueListing(instruments: market.own.listing, freshness: freshness)
  }
}

struct KrakenDetails: BookDetails {
  /// Nil before the channel has listed the pair.
  var info: KrakenPairInfo?
}

// MARK: - Messages without data

extension KrakenRules {
  static func react(
    to message: KrakenMessage, in session: inout BookSession<Self>, at now: ClockReading
  ) -> [SessionEffect] {
    switch message {
    case .books, .trades, .tickers: session.afterRows(at: now)
    case .instruments: session.afterInstruments(at: now)
    case .status(let system): session.take(system, at: now)
    case .pong: [.pong]
    case .refused(let answer): session.fail(answer, at: now)
    case .acknowledged(let answer): answer.warnings.map { .warned(answer.described($0)) }
    case .heartbeat, .ignored: []
    }
  }

  /// Heartbeats come each second, so a venue that only sends pongs no longer sends data.
  static func confirms(_ message: KrakenMessage) -> Bool {
    if case .pong = message { false } else { true }
  }

  static func begin(_ message: KrakenMessage, in market: inout BookMarket<Self>) {
    guard case .status(let system) = message else { return }
    if system == .running { market.interrupt() }
    market.isInMaintenance = system == .maintenance
  }

  /// Precisions come first: a book that can't be checked is not requested.
  static func canAsk(_ topic: BookTopic, in market: BookMarket<Self>) -> Bool {
    topic.part == .details || market.own.isListed
  }

  /// Refuses pairs that the venue does not list, without a request.
  static func refuseInAdvance(
    in session: inout BookSession<Self>, at now: ClockReading
  ) -> [SessionEffect] {
    guard session.market.own.isListed else { return [] }
    let unlisted = session.table.symbols.filter {
      session.market.own.listed[$0] == nil && $0 != Subscription.listing.symbol
    }
    if unlisted.isEmpty { return [] }
    session.market.own.doubt.begin(at: now.monotonic)
    var effects: [SessionEffect] = []
    let refused = session.refused
    for symbol in unlisted.filter({ !session.table.topics(of: $0).isSubset(of: refused) }).sorted()
    {
      let topics = session.table.topics(of: symbol).subtracting(refused)
      session.market.own.refusedInAdvance.insert(symbol)
      // Ignores data that the venue still sends for it.
      effects += session.send("unsubscribe", session.asked.intersection(topics).sorted(), at: now)
      let description = "\(symbol): not among the venue's pairs"
      effects += session.refuse(topics, for: profile.unknown(symbol, description))
    }
    return effects
  }

  static func doubtsDetails(in session: inout BookSession<Self>, at now: MonotonicTime) -> Bool {
    let missing = session.market.own.refusedInAdvance
    guard session.wanted.contains(where: { missing.contains($0.symbol) }) else { return false }
    return session.market.own.doubt.isDue(at: now)
  }
}

extension BookSession<KrakenRules> {
  /// Handles pairs and precisions that are new or changed.
  fileprivate mutating func afterInstruments(at now: ClockReading) -> [SessionEffect] {
    if market.own.isListed { detailsAskedAt = nil }
    // Refusals by the venue itself remain.
    let named = market.own.refusedInAdvance.filter { market.own.listed[$0] != nil }
    var again: [Subscription] = []
    if !named.isEmpty {
      market.own.refusedInAdvance.subtract(named)
      market.own.doubt.end()
      refused = refused.filter { topic in topic.symbol.map(named.contains) != true }
      again = wanted.filter { named.contains($0.symbol) }.sorted()
    }
    var effects = changed() + again.map(SessionEffect.changed)
    if market.own.isListingNews, wanted.contains(.listing) { effects.append(.changed(.listing)) }
    if market.own.skipped.isNews { effects.append(.skipped(market.own.skipped.count)) }
    // The old units no longer apply: everything of these pairs is refetched.
    let lost = market.own.rescaled.map { market.instruments[$0].symbol }
    effects += askAgain(
      asked.filter { topic in topic.symbol.map(lost.contains) ?? false }.sorted(), at: now)
    return link == .ready ? effects + askForDifference(at: now) : effects
  }

  fileprivate mutating func take(_ system: KrakenSystem, at now: ClockReading) -> [SessionEffect] {
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
      let problem = KrakenRules.profile.problem(
        .venueError, "Kraken status: maintenance",
        userMessage: "Kraken is in maintenance. Prices resume by themselves.")
      effects.append(.rejected(problem))
      return effects + wanted.sorted().map(SessionEffect.changed)
    }
    if was {
      effects += wanted.sorted().map(SessionEffect.changed)
      effects += askAgain(asked.sorted(), at: now)
    }
    return effects + askForDifference(at: now)
  }

  fileprivate mutating func fail(
    _ answer: KrakenMethodResponse, at now: ClockReading
  ) -> [SessionEffect] {
    let text = answer.error.lowercased()
    let profile = KrakenRules.profile
    if text.hasPrefix("exceeded msg rate") || text.hasPrefix("rate limit") {
      // Before the greeting, the refusal applies to the connection itself.
      guard link == .ready else { return [.reconnect(profile.rateLimited(answer.description))] }
      guard answer.method != "unsubscribe" else {
        // It is still subscribed, and unsubscribed after the pause.
        asked.formUnion(topics(of: answer))
        return postpone([], for: answer.description, at: now)
      }
      return postpone(topics(of: answer).intersection(asked), for: answer.description, at: now)
    }
    if text.hasPrefix("already subscribed") { return [] }
    let rejected: [SessionEffect] = [.rejected(profile.venueError(answer.description))]
    guard answer.method == "subscribe" else {
      let isBenign = answer.method == "unsubscribe" && text.hasPrefix("subscription not found")
      return isBenign ? [] : rejected
    }
    let topics = topics(of: answer).intersection(asked)
    guard let symbol = answer.symbol, !topics.isEmpty else { return rejected }
    let isUnknown = text.hasPrefix("currency pair not supported")
    return refuse(
      topics,
      for: isUnknown
        ? profile.unknown(symbol, "\(symbol): \(answer.error)")
        : profile.venueError(answer.description))
  }

  private func topics(of answer: KrakenMethodResponse) -> Set<BookTopic> {
    guard let symbol = answer.symbol else { return [] }
    let channel = answer.channel ?? answer.requestIdentifier.flatMap(KrakenRequests.channel)
    let parts: [BookTopic.Part] = [.book, .trades, .figures]
    return Set(parts.filter { channel == nil || channel?.part == $0 }.map { BookTopic($0, symbol) })
  }
}
