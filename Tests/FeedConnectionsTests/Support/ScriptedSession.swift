import MarketModel
import VenueProtocols

/// A test venue's protocol of single words.
///
/// Quotes by `q SYMBOL PRICE`, ticks by `k SYMBOL PRICE`, trades at a price of 1 by `t SYMBOL
/// ARRIVAL`, a list of instruments by `list BASE/QUOTE…`, figures of the day by `f SYMBOL PRICE
/// PERCENT`, the response to a clock's ping by `clock NUMBER`; every other message is a command to
/// the session.
struct ScriptedSession: VenueSession {
  let venue: Venue
  var origin = DataOrigin.simulated
  var heartbeat = HeartbeatPolicy(
    probe: .pingFrame, probeAfterMilliseconds: 5000, deadAfterMilliseconds: 4000)
  /// The maximum age of a live price, in milliseconds.
  var liveMilliseconds: Int64 = 1000
  /// Whether the session waits for `hello` before it is ready.
  var greets = true
  /// Whether the venue sends its time, from its own zero.
  var tellsTime = false

  private var isOpen = false
  private var isReady = false
  private var wanted: Set<Subscription> = []
  private var prices: [Symbol: FixedDecimal] = [:]
  private var confirmed: [Symbol: ClockReading] = [:]
  private var figures: [Symbol: DayFigures] = [:]
  private var listed: [ListedInstrument] = []
  private var partialLine: [UInt8] = []

  init(_ venue: Venue = .isin, greets: Bool = true, heartbeat: HeartbeatPolicy? = nil) {
    self.venue = venue
    self.greets = greets
    if let heartbeat { self.heartbeat = heartbeat }
  }

  mutating func handle(_ input: SessionInput, at now: ClockReading) -> [SessionEffect] {
    switch input {
    case .opened:
      isOpen = true
      return greets ? [] : ready()
    case .closed:
      isOpen = false
      isReady = false
      partialLine = []
      return []
    case .wanted(let subscriptions):
      let added = subscriptions.subtracting(wanted)
      let removed = wanted.subtracting(subscriptions)
      wanted = subscriptions
      for stream in removed where stream.channel == .quote { forget(stream.symbol) }
      for stream in removed where stream.channel == .figures { figures[stream.symbol] = nil }
      return isReady ? ask("subscribe", added) + ask("unsubscribe", removed) : []
    case .timer: return []
    }
  }

  /// Like real sessions, drops everything that is not subscribed.
  private mutating func forget(_ symbol: Symbol) {
    prices[symbol] = nil
    confirmed[symbol] = nil
  }

  private mutating func ready() -> [SessionEffect] {
    isReady = true
    return [.ready] + ask("subscribe", wanted)
  }

  private func ask(_ verb: String, _ subscriptions: Set<Subscription>) -> [SessionEffect] {
    guard !subscriptions.isEmpty else { return [] }
    let names = subscriptions.sorted().map(\.symbol.text).joined(separator: ",")
    return [.send(OutboundMessage(text: "\(verb) \(names)"))]
  }

  mutating func receive(
    _ bytes: Span<UInt8>, kind: MessageKind, at now: ClockReading
  ) -> [SessionEffect] {
    var effects: [SessionEffect] = []
    for index in bytes.indices {
      if kind == .stream, bytes[index] == 10 {
        effects += take(partialLine, now)
        partialLine = []
      } else {
        partialLine.append(bytes[index])
      }
    }
    guard kind != .stream else { return effects }
    defer { partialLine = [] }
    return take(partialLine, now)
  }

  private mutating func take(_ bytes: [UInt8], _ now: ClockReading) -> [SessionEffect] {
    let words = String(decoding: bytes, as: UTF8.self).split(separator: " ").map(String.init)
    switch words.first {
    case "hello": return ready()
    case "pong", "clock": return [.pong]
    case "q", "k":
      guard words.count == 3, let symbol = Symbol(words[1]), let price = FixedDecimal(words[2])
      else { return [.rejected(problem(.malformed))] }
      prices[symbol] = price
      confirmed[symbol] = now
      let stream = Subscription(.quote, symbol)
      let tick = MarketTick(
        time: 1, last: price, bid: price, bidQuantity: .zero, ask: price, askQuantity: .zero)
      return (words[0] == "k" ? [.happened(stream, .tick(tick, number: 1))] : [])
        + [.changed(stream)]
    case "t": return trade(words)
    case "list":
      listed = words.dropFirst().compactMap(instrument)
      return [.changed(.listing)]
    case "f":
      guard words.count == 4, let symbol = Symbol(words[1]) else {
        return [.rejected(problem(.malformed))]
      }
      var figures = DayFigures(
        symbol: symbol,
        freshness: Freshness(state: .live, origin: origin, confirmedAt: now))
      (figures.last, figures.changePercent) = (FixedDecimal(words[2]), FixedDecimal(words[3]))
      self.figures[symbol] = figures
      return [.changed(Subscription(.figures, symbol))]
    case "resync": return Symbol(words[1]).map { [.resynced(Subscription(.book, $0))] } ?? []
    case "reconnect": return [.reconnect(problem(.venueError))]
    case "refuse": return [.refuse(problem(.unauthorized))]
    default: return [.rejected(problem(.malformed))]
    }
  }

  private func instrument(_ text: String) -> ListedInstrument? {
    let sides = text.split(separator: "/").map(String.init)
    guard sides.count == 2, let symbol = Symbol(text) else { return nil }
    return ListedInstrument(
      symbol: symbol, base: sides[0], quote: sides[1], kind: .spot, isOpen: true)
  }

  private func trade(_ words: [String]) -> [SessionEffect] {
    guard words.count == 3, let symbol = Symbol(words[1]), let arrival = UInt64(words[2]) else {
      return [.rejected(problem(.malformed))]
    }
    let trade = Trade(
      price: Price(units: 1), size: Quantity(units: 1), side: nil,
      time: Timestamp(nanoseconds: 0), arrival: arrival)
    return [
      .happened(
        Subscription(.quote, symbol),
        .trade(trade, priceScale: .whole, quantityScale: .whole))
    ]
  }

  private func problem(_ kind: VenueProblem.Kind) -> VenueProblem {
    VenueProblem(kind, venue: venue, "scripted", userMessage: "Scripted problem.")
  }

  func clockPing(_ number: Int64) -> OutboundMessage? {
    tellsTime ? OutboundMessage(text: "time \(number)") : nil
  }

  func times(in bytes: Span<UInt8>) -> VenueTimes? {
    let text = String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    guard text.hasPrefix("clock "), let number = Int64(text.dropFirst(6)) else { return nil }
    let zero = Timestamp(milliseconds: 0)
    return .pong(number: number, got: zero, answered: zero)
  }

  func value(for subscription: Subscription, at now: ClockReading) -> MarketValue? {
    switch subscription.channel {
    case .quote: quote(subscription.symbol, at: now)
    case .figures:
      .figures(
        figures[subscription.symbol]
          ?? DayFigures(symbol: subscription.symbol, freshness: .waiting(origin)))
    case .listing:
      .listing(VenueListing(instruments: listed, freshness: .waiting(origin)))
    case .book, .trades: nil
    }
  }

  private func quote(_ symbol: Symbol, at now: ClockReading) -> MarketValue {
    let last = confirmed[symbol]
    let age = last.map { now.monotonic.milliseconds(since: $0.monotonic) }
    let state: FreshnessState =
      switch age {
      case nil: .waiting
      case _ where !isOpen: .disconnected
      case .some(let age):
        age <= liveMilliseconds ? .live : age <= 3 * liveMilliseconds ? .late : .stale
      }
    return .quote(
      QuoteView(
        symbol: symbol, price: prices[symbol],
        freshness: Freshness(state: state, origin: origin, confirmedAt: last)))
  }
}

/// A short form of an observed value: "A 12.5 live".
func brief(_ value: MarketValue) -> String {
  guard case .quote(let quote) = value else { return "no quote" }
  return "\(quote.symbol) \(quote.price.map(\.description) ?? "-") \(quote.freshness.state)"
}
