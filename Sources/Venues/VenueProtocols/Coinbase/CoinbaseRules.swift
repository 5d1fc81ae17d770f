import MarketModel
import OrderBook
import VenueCatalogue
import WireJSON

enum CoinbaseRules: BookVenue {
  typealias Decoder = CoinbaseDecoder
  typealias Sync = CoinbaseBookSync
  typealias Details = CoinbaseDetails
  typealias MarketState = CoinbaseMarketState
  typealias SessionState = CoinbaseRequests

  /// Heartbeats come each second, so three missing ones count as silence.
  ///
  /// The venue allows eight requests a second, the first of which is for the heartbeats, and was
  /// seen to refuse more than 30 books of a connection; a product needs four topics at most.
  static let profile = BookVenueProfile(
    venue: .coinbase, name: "Coinbase", greeting: "a numbered message",
    unsoundBook: "expected a book that is not crossed, found a crossed one again",
    heartbeat: HeartbeatPolicy(
      probe: .pingFrame, probeAfterMilliseconds: 5000, deadAfterMilliseconds: 5000),
    subscriptions: SubscriptionBudget(topics: 120, batch: 7, topicsPerSecond: 8),
    quietMilliseconds: 3500, scales: CoinbaseDecoder.usualScales, hasFigures: true,
    rowsAreWhole: false, patienceMilliseconds: 15_000)

  static let list: InstrumentList? = .coinbase

  /// Products that are requested without waiting for the venue's list, nor refused by it.
  private static let catalogue = Set(Venue.coinbase.descriptor.books.map(\.symbol))

  static func topics(for subscription: Subscription) -> [BookTopic] {
    let required = requiredTopics(for: subscription)
    return required.isEmpty ? [] : required + [BookTopic(.details, subscription.symbol)]
  }

  /// The list of products, while any stream is wanted: it states which may be requested, and which
  /// can be traded.
  static func due(in session: inout BookSession<Self>, at now: ClockReading) -> [SessionEffect] {
    session.fetchList(at: now)
  }

  /// An unknown product may end the connection, so others wait for the list.
  static func canAsk(_ topic: BookTopic, in market: BookMarket<Self>) -> Bool {
    topic.symbol.map { catalogue.contains($0) || market.list.rows[$0] != nil } ?? true
  }

  static func requests(
    _ method: StaticString, _ topics: [BookTopic], _ state: inout CoinbaseRequests
  ) -> [OutboundMessage] { CoinbaseRequests.messages(method, topics) }

  /// The venue sends nothing before the first request, and closes after 5 s without one.
  static func opening() -> [OutboundMessage] {
    [CoinbaseRequests.message("subscribe", .heartbeats)]
  }

  static func scales(_ number: Int, in market: BookMarket<Self>) -> BookScales {
    market.decoder.scales(of: number) ?? profile.scales
  }

  static func priceDecimals(_ number: Int, in market: BookMarket<Self>) -> Scale {
    market.instruments[number].details.priceDecimals(at: scales(number, in: market).price)
  }

  static func tick(_ number: Int, in market: BookMarket<Self>) -> Price {
    let scale = scales(number, in: market).price
    let step = market.instruments[number].details.info?.priceStep.exactly(at: scale)?.units
    let shown = Int(scale.digits) - Int(priceDecimals(number, in: market).digits)
    return Price(units: step ?? powerOfTen(max(0, shown)))
  }

  static func unbroken(_ number: Int, in market: BookMarket<Self>) -> UnbrokenSequence? {
    guard let first = market.instruments[number].details.snapshot,
      let next = market.decoder.counter.expected, next > first,
      let at = market.books.states[number].trust.confirmedAt
    else { return nil }
    return UnbrokenSequence(messages: next - first, at: at)
  }

  static func isClosed(_ number: Int, in market: BookMarket<Self>) -> Bool {
    market.instruments[number].details.info?.isOpen == false || market.isListedClosed(number)
  }
}

struct CoinbaseDetails: BookDetails {
  /// Nil before the venue has sent it.
  var info: CoinbaseProductInfo?
  /// The number of the message with the book's latest snapshot.
  var snapshot: Int64?
  /// Decimals of the prices seen so far, where the step is unknown.
  private var seenDecimals: UInt8 = 0

  init() {}

  func priceDecimals(at scale: Scale) -> Scale {
    min(scale, info?.priceStep.trimmed.scale ?? Scale(clamping: seenDecimals))
  }

  mutating func note(price units: Int64, at scale: Scale) {
    while seenDecimals < scale.digits,
      units % powerOfTen(Int(scale.digits - seenDecimals)) != 0
    {
      seenDecimals += 1
    }
  }
}

// MARK: - Messages without data

extension CoinbaseRules {
  static func react(
    to message: CoinbaseMessage, in session: inout BookSession<Self>, at now: ClockReading
  ) -> [SessionEffect] {
    switch message {
    case .data(let channel):
      // Any numbered message proves that the venue has carried out the first request.
      let begun = session.begin(at: now)
      guard channel.part != nil else { return begun }
      if channel == .book, !session.market.books.doubtful.isEmpty {
        let problem = profile.problem(
          .inconsistent, "Coinbase book: expected the best bid below the best ask, found it above",
          userMessage: "A Coinbase order book contradicts itself. Reconnecting…")
        return begun + session.resynced() + session.loseConnection(problem)
      }
      return begun + session.afterRows(at: now)
    case .gap(_, let expected, let found):
      return session.resynced() + session.loseConnection(missing(expected, found))
    case .late: return []
    case .list: return session.afterProducts(at: now)
    case .refused(let text): return [.rejected(profile.venueError("Coinbase: \(text)"))]
    }
  }

  private static func missing(_ expected: Int64, _ found: Int64) -> VenueProblem {
    profile.problem(
      .inconsistent, "Coinbase connection: expected message \(expected), found \(found)",
      userMessage: "Messages of Coinbase are missing. Reconnecting…")
  }

  static func confirms(_ message: CoinbaseMessage) -> Bool {
    switch message {
    case .data, .gap: true
    case .late, .list, .refused: false
    }
  }

  /// After an unreadable message that may have been a book's, only a new connection has valid
  /// books: the message's product and changes are unknown.
  static func connectionProblem(
    afterUnreadable wire: CoinbaseChannel?, in market: BookMarket<Self>
  ) -> VenueProblem? {
    guard wire == nil || wire == .book || market.decoder.counter.isBroken else { return nil }
    return profile.problem(
      .inconsistent, "Coinbase connection: expected readable messages, found another",
      userMessage: "A message of Coinbase could not be read. Reconnecting…")
  }

  static func loseMessage(of wire: CoinbaseChannel?, in market: inout BookMarket<Self>) -> [Int] {
    if market.decoder.beginsConnection { market.beginRecordedConnection() }
    let isAny = wire == nil || wire == .book || market.decoder.counter.isBroken
    return isAny ? market.books.loseMessage() : []
  }

  /// Refuses names that public channels send under another one, and products that the list lacks.
  static func refuseInAdvance(
    in session: inout BookSession<Self>, at now: ClockReading
  ) -> [SessionEffect] {
    let (listed, refused) = (session.market.list.rows, session.refused)
    var effects: [SessionEffect] = []
    for symbol in session.table.symbols.sorted() where listed[symbol] == nil {
      let topics = session.table.topics(of: symbol).subtracting(refused)
      let isAlias = CoinbaseProduct.isAlias(symbol)
      guard !topics.isEmpty, isAlias || !listed.isEmpty && !catalogue.contains(symbol) else {
        continue
      }
      session.market.own.refusedInAdvance.insert(symbol)
      effects += session.send("unsubscribe", session.asked.intersection(topics).sorted(), at: now)
      let reason = isAlias ? "sent as the product in dollars" : "not among the venue's products"
      effects += session.refuse(topics, for: profile.unknown(symbol, "\(symbol): \(reason)"))
    }
    return effects
  }

  /// Refuses products of which nothing has come: the venue does not respond to unknown ones.
  ///
  /// A known one without its book needs a new connection.
  static func repair(
    _ numbers: [Int], in session: inout BookSession<Self>, at now: ClockReading
  ) -> [SessionEffect]? {
    let requested = numbers.filter {
      session.asked.contains(BookTopic(.book, session.market.instruments[$0].symbol))
    }
    let unknown = requested.filter { !session.market.own.named.contains($0) }
    let effects = refuse(unknown.map { session.market.instruments[$0].symbol }, in: &session)
    if unknown.count == requested.count { return effects }
    let problem = profile.problem(
      .inconsistent, "Coinbase book: expected a snapshot, found none",
      userMessage: "Coinbase sends no order book. Reconnecting…")
    return effects + session.loseConnection(problem)
  }

  static func repeatLate(
    _ topics: [BookTopic], in session: inout BookSession<Self>, at now: ClockReading
  ) -> [SessionEffect] {
    let named = session.market.own.named
    let unknown = topics.filter { topic in
      topic.symbol.flatMap { session.market.known($0) }.map { !named.contains($0) } ?? false
    }
    let effects = refuse(Set(unknown.compactMap(\.symbol)).sorted(), in: &session)
    return effects + session.askAgain(topics.filter { !unknown.contains($0) }, at: now)
  }

  private static func refuse(
    _ symbols: [Symbol], in session: inout BookSession<Self>
  ) -> [SessionEffect] {
    symbols.flatMap { symbol -> [SessionEffect] in
      let topics = session.table.topics(of: symbol).subtracting(session.refused)
      if topics.isEmpty { return [] }
      return session.refuse(topics, for: profile.unknown(symbol, "\(symbol): no message of it"))
    }
  }
}

extension BookSession<CoinbaseRules> {
  /// Requests the products that waited for the list, or that an earlier one lacked.
  fileprivate mutating func afterProducts(at now: ClockReading) -> [SessionEffect] {
    guard market.list.change == .whole else { return afterList(at: now) }
    let named = market.own.refusedInAdvance.filter { market.list.rows[$0] != nil }
    market.own.refusedInAdvance.subtract(named)
    refused = refused.filter { topic in topic.symbol.map(named.contains) != true }
    return afterList(at: now)
      + wanted.filter { named.contains($0.symbol) }.sorted().map(SessionEffect.changed)
  }

  /// Reports the books that the latest message made doubtful.
  fileprivate func resynced() -> [SessionEffect] {
    market.books.states.indices.filter {
      market.books.accepts($0) && market.books.states[$0].trust.takesChanges
        && market.books.states[$0].trust.isDoubtful
    }.map { .resynced(Subscription(.book, market.instruments[$0].symbol)) }
  }
}

/// Names of products.
enum CoinbaseProduct {
  /// Whether a product is another name of the one in dollars: public channels send BTC-USDC as
  /// BTC-USD.
  static func isAlias(_ symbol: Symbol) -> Bool {
    symbol.text.hasSuffix("-USDC") && symbol.text != "USDT-USDC" && symbol.text != "EURC-USDC"
  }
}

/// Requests in the venue's format.
struct CoinbaseRequests: BookSessionState {
  static let productsPerRequest = 10

  init() {}

  mutating func forgetConnection() {}

  /// As many requests as are needed, one channel each; the products' steps first.
  static func messages(_ method: StaticString, _ topics: [BookTopic]) -> [OutboundMessage] {
    var messages: [OutboundMessage] = []
    for channel in [CoinbaseChannel.status, .book, .trades, .ticker] {
      let symbols = topics.filter { $0.part == channel.part }.compactMap(\.symbol).sorted()
      var start = 0
      while start < symbols.count {
        let end = min(start + productsPerRequest, symbols.count)
        messages.append(message(method, channel, symbols[start..<end]))
        start = end
      }
    }
    return messages
  }

  static func message(
    _ method: StaticString, _ channel: CoinbaseChannel, _ symbols: ArraySlice<Symbol> = []
  ) -> OutboundMessage {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("type", "\(method)")
      if !symbols.isEmpty { writer.member("product_ids", array: symbols) { $0.string($1.text) } }
      writer.member("channel", channel.name)
    }
    return OutboundMessage(.text, writer.bytes)
  }
}
