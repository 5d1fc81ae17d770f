import MarketModel
import OrderBook
import WireJSON

enum BitMEXRules: BookVenue {
  typealias Decoder = BitMEXDecoder
  typealias Sync = BitMEXBookSync
  typealias Details = BitMEXDetails
  typealias MarketState = BitMEXMarketState

  struct SessionState: BookSessionState {
    mutating func forgetConnection() {}
  }

  /// Topics in one request, as other clients send them.
  private static let topicsPerRequest = 10

  /// A `ping` is sent after 5 s of silence, and the connection counts as dead 5 s later.
  ///
  /// Silence is normal until the probe, and for another second for the response.
  static let profile = BookVenueProfile(
    venue: .bitmex, name: "BitMEX", greeting: "a welcome",
    unsoundBook: "expected a sound book after resyncing, found it doubtful again and again",
    heartbeat: HeartbeatPolicy(
      probe: .text("ping"), probeAfterMilliseconds: 5000, deadAfterMilliseconds: 5000),
    subscriptions: SubscriptionBudget(topics: 180, batch: 60, topicsPerSecond: 2),
    quietMilliseconds: 6000, scales: BookScales(price: bitMEXPriceScale, quantity: .whole),
    rowsAreWhole: true)

  /// All topics of a stream: always the instrument, for its tick size.
  ///
  /// A book has its best levels as a separate topic, to detect lost changes. A quote includes the
  /// trades, because its price is the last trade's.
  static func topics(for subscription: Subscription) -> [BookTopic] {
    let parts: [BookTopic.Part] =
      switch subscription.channel {
      case .book: [.book, .audit, .details]
      case .trades: [.trades, .details]
      case .quote: [.quote, .trades, .details]
      case .figures, .listing: []
      }
    return parts.map { BookTopic($0, subscription.symbol) }
  }

  static func requiredTopics(for subscription: Subscription) -> [BookTopic] {
    switch subscription.channel {
    case .book: [BookTopic(.book, subscription.symbol)]
    case .trades: [BookTopic(.trades, subscription.symbol)]
    case .quote: [BookTopic(.quote, subscription.symbol)]
    case .figures, .listing: []
    }
  }

  /// `{"op":"subscribe","args":["…","…"]}`, as many as are needed.
  static func requests(
    _ method: StaticString, _ topics: [BookTopic], _ state: inout SessionState
  ) -> [OutboundMessage] {
    stride(from: 0, to: topics.count, by: topicsPerRequest).map { start in
      var writer = JSONWriter()
      writer.object { writer in
        writer.member("op", "\(method)")
        writer.member("args", array: topics[start..<min(start + topicsPerRequest, topics.count)]) {
          writer, topic in
          writer.string(text(of: topic))
        }
      }
      return OutboundMessage(.text, writer.bytes)
    }
  }

  /// As on the wire: "orderBookL2:XBTUSD".
  static func text(of topic: BookTopic) -> String {
    let table: BitMEXTable =
      switch topic.part {
      case .book: .orderBookL2
      case .audit: .orderBookL2Top25
      case .trades: .trade
      case .quote: .quote
      case .details, .figures: .instrument
      }
    return "\(table.name):\(topic.symbol?.text ?? "")"
  }
}

// MARK: Views

extension BitMEXRules {
  static func scales(_ number: Int, in market: BookMarket<Self>) -> BookScales { profile.scales }

  static func priceDecimals(_ number: Int, in market: BookMarket<Self>) -> Scale {
    market.instruments[number].details.priceDecimals
  }

  static func tick(_ number: Int, in market: BookMarket<Self>) -> Price {
    let details = market.instruments[number].details
    let shown = Int(bitMEXPriceScale.digits) - Int(details.priceDecimals.digits)
    return Price(units: details.tick ?? powerOfTen(max(0, shown)))
  }

  static func quoteView(
    _ number: Int, in market: BookMarket<Self>, at now: ClockReading
  ) -> QuoteView {
    let instrument = market.instruments[number]
    let quote = instrument.quote
    var freshness = quote.freshness(at: now, origin: market.origin)
    // The price is the newest trade's: while trades are refused, quotes don't make it newer.
    if let since = instrument.tape.behindSince, !instrument.tape.trades.isEmpty {
      freshness = Freshness(
        state: .stale, origin: market.origin, confirmedAt: since,
        lateAfterMilliseconds: freshness.lateAfterMilliseconds)
    }
    // After a message that may have been a trade, the price may no longer be the newest trade's.
    if instrument.tape.awaitsSnapshot, !instrument.tape.trades.isEmpty,
      freshness.state == .live || freshness.state == .late
    {
      freshness = freshness.changed(to: .resyncing)
    }
    func decimal(_ units: Int64?) -> FixedDecimal? {
      guard let units else { return nil }
      let exact = FixedDecimal(units: units, scale: bitMEXPriceScale)
      return exact.exactly(at: instrument.details.priceDecimals) ?? exact.trimmed
    }
    return QuoteView(
      symbol: instrument.symbol, price: decimal(quote.price), bid: decimal(quote.top.bidPrice),
      ask: decimal(quote.top.askPrice), bidSize: quote.top.bidSize.map(Quantity.init(units:)),
      askSize: quote.top.askSize.map(Quantity.init(units:)), direction: quote.direction,
      changes: quote.changes,
      freshness: market.onLink(freshness))
  }

  /// The state of `orderBookL2`, or of `orderBookL2_25` in a recording without the former.
  static func shownBook(_ number: Int, in market: BookMarket<Self>) -> BitMEXBookSync {
    market.showsTop25(number) ? market.audits.states[number] : market.books.states[number]
  }

  /// A recording may lack the table that names instruments.
  static func isNamed(_ number: Int, in market: BookMarket<Self>) -> Bool {
    let instrument = market.instruments[number]
    return market.takesEverything || instrument.details.isNamed || !instrument.tape.trades.isEmpty
      || !market.books.states[number].book.isEmpty
  }
}

extension BookMarket<BitMEXRules> {
  @inline(__always)
  func showsTop25(_ number: Int) -> Bool {
    takesEverything && books.states[number].trust.sequence == 0
      && audits.states[number].trust.sequence > 0
  }
}

struct BitMEXDetails: BookDetails {
  var isNamed = false
  /// Decimals of the tick size; nil while unknown.
  var tickDecimals: UInt8?
  /// The tick size in units of 10^-8; nil while unknown, and when it is smaller than one unit.
  var tick: Int64?
  private var seenDecimals: UInt8 = 0
  /// One unit at ``seenDecimals``, in units of 10^-8.
  private var seenUnit: Int64 = 100_000_000

  init() {}

  /// Displayed decimals: those of the tick size, or more where a price has more.
  var priceDecimals: Scale { Scale(clamping: max(tickDecimals ?? 0, seenDecimals)) }

  /// Whether a price needs more decimals than any before it.
  @inline(__always)
  func hasTooFewDecimals(for units: Int64) -> Bool { units % seenUnit != 0 }

  mutating func notePrice(_ units: Int64) {
    while hasTooFewDecimals(for: units) {
      seenUnit /= 10
      seenDecimals += 1
    }
  }
}

// MARK: - Messages without data

extension BitMEXRules {
  static func react(
    to message: BitMEXMessage, in session: inout BookSession<Self>, at now: ClockReading
  ) -> [SessionEffect] {
    switch message {
    case .table: session.afterRows(at: now) + refuseUnnamed(&session, at: now)
    case .pong: [.pong]
    case .welcome: session.begin(at: now)
    case .failure(let failure): fail(failure, &session, at: now)
    case .acknowledged, .ignored: []
    }
  }

  static func begin(_ message: BitMEXMessage, in market: inout BookMarket<Self>) {
    if message == .welcome { market.interrupt() }
  }

  /// Refuses an instrument that the venue does not have.
  ///
  /// The venue accepts any name, and marks an unlisted one by a partial without rows.
  private static func refuseUnnamed(
    _ session: inout BookSession<Self>, at now: ClockReading
  ) -> [SessionEffect] {
    let decoder = session.market.decoder
    guard decoder.table == .instrument, decoder.action == .partial,
      let number = decoder.filterSymbol,
      !decoder.instrumentRows.contains(where: { $0.symbol == number })
    else { return [] }
    return refuse(session.market.instruments[number].symbol, &session, at: now)
  }

  /// Refuses new topics of an unlisted instrument, whose details are refused, without a request.
  static func refuseInAdvance(
    in session: inout BookSession<Self>, at now: ClockReading
  ) -> [SessionEffect] {
    let unnamed = session.refused.filter { $0.part == .details }.compactMap(\.symbol).sorted()
    return unnamed.flatMap { refuse($0, &session, at: now) }
  }

  /// Refuses every topic of an instrument, including those not requested yet.
  private static func refuse(
    _ symbol: Symbol, _ session: inout BookSession<Self>, at now: ClockReading
  ) -> [SessionEffect] {
    let topics = session.table.topics(of: symbol).subtracting(session.refused)
    if topics.isEmpty { return [] }
    // So that the same topics can be requested again on this connection.
    let surplus = session.asked.intersection(topics).sorted()
    let problem = profile.unknown(symbol, "\(symbol): not among the venue's instruments")
    return session.refuse(topics, for: problem)
      + session.send("unsubscribe", surplus, at: now)
  }

  private static func fail(
    _ failure: BitMEXFailure, _ session: inout BookSession<Self>, at now: ClockReading
  ) -> [SessionEffect] {
    let text = failure.text.lowercased()
    if failure.status == 429 || text.hasPrefix("rate limit exceeded") {
      let seconds = failure.retryAfterSeconds ?? secondsNamed(in: failure.text)
      if session.link == .ready, let operation = failure.operation {
        let topics = session.asked.filter { failure.topics.contains(self.text(of: $0)) }
        return session.postpone(
          operation == "subscribe" ? topics : [], for: failure.description,
          retryAfterSeconds: seconds, at: now)
      }
      _ = session.pacer.refuse(retryAfterSeconds: seconds, at: now.monotonic)
      return [.reconnect(profile.rateLimited(failure.description, retryAfterSeconds: seconds))]
    }
    if failure.status == 401 || failure.status == 403 || text.hasPrefix("invalid api key") {
      let problem = profile.problem(
        .unauthorized, failure.description,
        userMessage: "BitMEX refuses the connection. Check the access settings.")
      return [.refuse(problem)]
    }
    let isBenign = text.hasPrefix("you are already subscribed") || text.hasPrefix("not subscribed")
    let isError: [SessionEffect] = [.rejected(profile.venueError(failure.description))]
    if failure.operation == "unsubscribe" { return isBenign ? [] : isError }
    let topics = session.asked.filter { failure.topics.contains(self.text(of: $0)) }.sorted()
    if failure.operation == "subscribe", topics.count > 1 {
      // One bad topic rejects the whole request: request each alone to find it.
      return topics.flatMap { requests("subscribe", [$0], &session.own) }.map(SessionEffect.send)
    }
    if isBenign { return [] }
    guard let topic = topics.first, let symbol = topic.symbol, failure.operation == "subscribe",
      failure.status.map({ (400..<500).contains($0) }) ?? true
    else { return isError }
    return session.refuse(
      [topic], for: profile.unknown(symbol, "\(self.text(of: topic)): \(failure.description)"))
  }

  /// The first number of a text like "retry in 29 seconds"; nil when it is over a day.
  private static func secondsNamed(in text: String) -> Int? {
    var seconds: Int?
    for byte in text.utf8 {
      let digit = byte &- UInt8(ascii: "0")
      if digit <= 9 {
        let value = (seconds ?? 0) * 10 + Int(digit)
        if value > 86_400 { return nil }
        seconds = value
      } else if seconds != nil {
        return seconds
      }
    }
    return seconds
  }
}
