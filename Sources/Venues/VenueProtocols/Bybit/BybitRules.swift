import MarketModel
import OrderBook
import VenueCatalogue

/// The rules of Bybit's markets, each with its own socket and instruments.
protocol BybitRules: BookVenue
where
  Decoder == BybitDecoder, Sync == BybitBookSync, Details == BybitDetails,
  MarketState == BybitMarketState, SessionState == BybitRequests
{}

enum BybitSpot: BybitRules {
  static let list: InstrumentList? = .bybit
  static let profile: BookVenueProfile = Self.profile(of: .bybit)
}

/// Perpetuals that settle in the quote currency; their sizes are amounts of the base currency.
enum BybitLinear: BybitRules {
  static let list: InstrumentList? = .bybitLinear
  static let profile: BookVenueProfile = Self.profile(of: .bybitLinear)
}

extension BybitRules {
  /// The venue recommends a ping every 20 s, and disconnects after ten minutes without one.
  ///
  /// Without heartbeats, silence is normal until the probe, and for another second for the
  /// response.
  fileprivate static func profile(of venue: Venue) -> BookVenueProfile {
    let ping = #"{"op":"ping"}"#
    return BookVenueProfile(
      venue: venue, name: venue.displayName, greeting: "nothing",
      unsoundBook: "expected an unbroken sequence after resyncing, found a gap again and again",
      heartbeat: HeartbeatPolicy(
        probe: .text(ping), probeAfterMilliseconds: 5000, deadAfterMilliseconds: 5000),
      subscriptions: SubscriptionBudget(topics: 400, batch: 100, topicsPerSecond: 10),
      quietMilliseconds: 6000, keepAlive: (afterMilliseconds: 20_000, text: ping),
      hasFigures: true, rowsAreWhole: true, patienceMilliseconds: 5000, greets: false)
  }

  static func topics(for subscription: Subscription) -> [BookTopic] {
    let required = requiredTopics(for: subscription)
    return required
      + required.filter { $0.part == .book }.map { BookTopic(.audit, $0.symbol) }
  }

  static func requests(
    _ method: StaticString, _ topics: [BookTopic], _ state: inout BybitRequests
  ) -> [OutboundMessage] { state.messages(method, topics) }

  static func due(in session: inout BookSession<Self>, at now: ClockReading) -> [SessionEffect] {
    guard session.link == .ready else { return [] }
    return session.own.overdue(at: now.monotonic).map(SessionEffect.send)
      + session.fetchList(at: now)
  }

  static func isClosed(_ number: Int, in market: BookMarket<Self>) -> Bool {
    market.isListedClosed(number)
  }

  static func confirms(_ message: BybitMessage) -> Bool {
    if case .list = message { false } else { true }
  }
}

struct BybitDetails: BookDetails {
  /// Enough for a whole message of trades.
  private static let capacity = 1024

  /// Identifiers of recent trades: a repetition is not recognised by its number, which has holes.
  private var recent: Set<Int64> = []
  private var order: [Int64] = []
  private var next = 0

  init() {}

  /// Records a trade; false when it was recorded before.
  mutating func insert(_ identifier: Int64) -> Bool {
    guard recent.insert(identifier).inserted else { return false }
    if order.count < Self.capacity {
      order.append(identifier)
    } else {
      recent.remove(order[next])
      order[next] = identifier
      next = (next + 1) % Self.capacity
    }
    return true
  }
}

struct BybitMarketState: BookMarketState {
  init() {}

  mutating func interrupt() {}
}

// MARK: - Messages without data

extension BybitRules {
  static func react(
    to message: BybitMessage, in session: inout BookSession<Self>, at now: ClockReading
  ) -> [SessionEffect] {
    switch message {
    case .book, .bestLevels, .trades, .tickers: session.afterRows(at: now)
    case .pong: [.pong]
    case .acknowledged(let response):
      session.own.acknowledge(response).map(SessionEffect.send)
    case .refused(let response): session.fail(response, at: now)
    case .list: session.afterList(at: now)
    case .ignored: []
    }
  }

  /// A recording's new connection begins with snapshots, which replace everything.
  static func begin(_ message: BybitMessage, in market: inout BookMarket<Self>) {}
}

extension BookSession where Venue: BybitRules {
  fileprivate mutating func fail(
    _ response: BybitResponse, at now: ClockReading
  ) -> [SessionEffect] {
    let profile = Venue.profile
    let text = response.text.lowercased()
    let named = asked.sorted().first { names($0, in: response.text) }
    let request = own.reject(response, naming: named)
    let rejected: [SessionEffect] = [.rejected(profile.venueError(response.description))]
    guard let request else { return rejected }
    guard request.isSubscription else {
      // Not subscribed any more, which was requested.
      return own.end(request.topics).map(SessionEffect.send)
    }
    let topics = request.topics.filter(asked.contains)
    if text.contains("too many") || text.contains("too frequent") {
      return postpone(Set(topics), for: response.description, at: now)
    }
    let others = topics.filter { $0 != named }
    // One bad topic rejects the whole request: the others are requested alone.
    let again = own.singly(named == nil && topics.count == 1 ? [] : others)
      .map(SessionEffect.send)
    guard let named, let symbol = named.symbol else {
      guard let only = topics.first, topics.count == 1 else { return again }
      return refuse([only], for: profile.venueError(response.description)) + again
    }
    if text.contains("already subscribed") {
      // It is, but its snapshot came before.
      return again + askAgain([named], at: now)
    }
    let problem = profile.unknown(symbol, "\(symbol): \(response.text)")
    return refuse([named], for: problem) + again
  }

  private func names(_ topic: BookTopic, in text: String) -> Bool {
    let name = BybitRequests.text(of: topic)
    return text.split { $0 == "[" || $0 == "]" || $0 == ":" || $0 == "," || $0 == " " }
      .contains { $0 == name }
  }
}
