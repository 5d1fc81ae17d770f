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

  /// Every stream also needs the venue's own status.
  static func topics(for subscription: Subscription) -> [BookTopic] {
    let required = requiredTopics(for: subscription)
    let audits = required.filter { $0.part == .book }.map { BookTopic(.audit, $0.symbol) }
    return required + audits + [BookTopic(.details, nil)]
  }

  static func requests(
    _ method: StaticString, _ topics: [BookTopic], _ state: inout OKXRequests
  ) -> [OutboundMessage] { state.messages(method, topics) }

  static func scales(_ number: Int, in market: BookMarket<Self>) -> BookScales {
    market.decoder.spelled[number]
  }

  static func isClosed(_ number: Int, in market: BookMarket<Self>) -> Bool {
    market.isInMaintenance
  }
}

struct OKXDetails: BookDetails { init() {} }

struct OKXMarketState: BookMarketState {
  var checksum = OKXChecksum()

  init() {}

  mutating func interrupt() {}
}

// MARK: - Messages without data

extension OKXRules {
  static func react(
    to message: OKXMessage, in session: inout BookSession<Self>, at now: ClockReading
  ) -> [SessionEffect] {
    // The status is requested first, and responses come in order.
    if session.detailsAskedAt != nil, message != .pong { session.detailsAskedAt = nil }
    switch message {
    case .book, .bestLevels, .trades, .tickers: return session.afterRows(at: now)
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
