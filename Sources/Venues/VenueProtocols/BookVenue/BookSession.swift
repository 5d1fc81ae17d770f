public import MarketModel
import OrderBook

/// A venue's realtime protocol of books, without the socket: manages topics and resyncs.
///
/// | link | opened | greeting of the venue | closed | wanted |
/// |---|---|---|---|---|
/// | down | greeting | – | down | stored |
/// | greeting | greeting | ready; subscribes | down | stored |
/// | ready | greeting | the venue's rule | down | subscribes the difference |
///
/// Data that comes before the greeting is used. Without a greeting the session reconnects after the
/// venue's patience. Every reconnect subscribes exactly the requested topics, each once.
struct BookSession<Venue: BookVenue>: Sendable {
  enum Link: Equatable {
    case down
    case greeting(since: MonotonicTime)
    case ready
  }

  /// The longest wait for a greeting, the instruments or a snapshot.
  static var patienceMilliseconds: Int64 { Venue.profile.patienceMilliseconds }

  /// The longest wait for a book's best levels; until then it is valid, but not compared.
  static var auditPatienceMilliseconds: Int64 { 30_000 }
  /// The shortest time between two requests for a book's best levels, in milliseconds.
  static var auditPauseMilliseconds: Int64 { 5000 }

  var market: BookMarket<Venue>
  var link = Link.down
  var table = SubscriptionTable<Venue>()
  var pacer = SubscriptionPacer(Venue.profile.subscriptions)
  /// Streams that wait for a place among the subscribed topics.
  var queued: Set<Subscription> = []
  var areTopicsWaiting = false
  /// Topics requested on this connection.
  var asked: Set<BookTopic> = []
  /// Topics that the venue does not have; not requested again on this connection.
  var refused: Set<BookTopic> = []
  /// When the details of all instruments were requested; nil once they have come.
  var detailsAskedAt: MonotonicTime?
  var resyncs = ResyncCounter()
  /// When the trades of a symbol were last refetched for a gap, by symbol number.
  var lastRefills: [Int: MonotonicTime] = [:]
  /// When the best levels of a symbol were last requested, by symbol number.
  var lastAudits: [Int: MonotonicTime] = [:]
  /// When to request best levels that were requested too recently, by symbol number.
  var auditsDue: [Int: MonotonicTime] = [:]
  /// The latest cross-check reported, by symbol number.
  var reports: [Int: WitnessReport] = [:]
  var lastSent = MonotonicTime(nanoseconds: 0)
  var lists = ListSchedule()
  var own = Venue.SessionState()
  /// Prepared effects of the most frequent message, by symbol number: one for each grouping.
  var changedBook: [[SessionEffect]] = []

  var wanted: Set<Subscription> { table.streams }

  init(origin: DataOrigin) { market = BookMarket(origin: origin, takesEverything: false) }

  mutating func handle(_ input: SessionInput, at now: ClockReading) -> [SessionEffect] {
    switch input {
    case .opened:
      // An `opened` without a `closed` before it is also a new connection.
      forgetConnection()
      market.link = .open
      link = .greeting(since: now.monotonic)
      lastSent = now.monotonic
      return Venue.opening().map(SessionEffect.send)
        + (Venue.profile.greets ? [] : begin(at: now))
    case .closed:
      let wasDown = link == .down && market.link == .closed
      link = .down
      market.link = .closed
      forgetConnection()
      return wasDown ? [] : wanted.sorted().map(SessionEffect.changed)
    case .wanted(let new): return want(new, at: now)
    case .timer: return checkTimes(at: now)
    }
  }

  mutating func receive(_ bytes: Span<UInt8>, at now: ClockReading) -> [SessionEffect] {
    if link == .down { return [] }
    let message: Venue.Decoder.Message
    do {
      message = try market.receive(bytes, at: now)
    } catch {
      return reject(error, at: now)
    }
    return Venue.react(to: message, in: &self, at: now)
  }

  func value(for subscription: Subscription, at now: ClockReading) -> MarketValue? {
    if subscription.channel == .figures, !Venue.profile.hasFigures { return nil }
    if subscription.channel == .listing {
      return Venue.listing(in: self, at: now).map(MarketValue.listing)
    }
    if queued.contains(subscription), market.link == .open {
      return knownValue(for: subscription, at: now)?.changed(to: .queued)
    }
    return knownValue(for: subscription, at: now)
  }

  private func knownValue(for subscription: Subscription, at now: ClockReading) -> MarketValue? {
    if isRefused(subscription) {
      return BookMarket<Venue>.emptyValue(
        subscription, market.onLink(.waiting(market.origin)), isKnown: false)
    }
    guard let number = market.known(subscription.symbol), wanted.contains(subscription) else {
      return BookMarket<Venue>.emptyValue(
        subscription, market.onLink(.waiting(market.origin)), isKnown: true)
    }
    switch subscription.channel {
    case .book: return .book(market.bookView(number, subscription.grouping, at: now))
    case .trades: return .trades(market.tapeView(number, at: now))
    case .quote: return .quote(market.quoteView(number, at: now))
    case .figures: return .figures(market.figuresView(number, at: now))
    case .listing: return nil
    }
  }

  /// Handles the venue's greeting: subscribes all requested topics.
  mutating func begin(at now: ClockReading) -> [SessionEffect] {
    guard case .greeting = link else { return [] }
    link = .ready
    return [.ready] + askForDifference(at: now)
  }

  private mutating func forgetConnection() {
    market.interrupt()
    asked = []
    refused = []
    queued = []
    areTopicsWaiting = false
    pacer.restart()
    detailsAskedAt = nil
    lastRefills = [:]
    lastAudits = [:]
    auditsDue = [:]
    reports = [:]
    resyncs.forgetPostponed()
    lists.forgetConnection()
    own.forgetConnection()
  }
}

/// A session of a venue of books, for the rest of the program.
protocol BookVenueSession: VenueSession {
  associatedtype Rules: BookVenue
  var session: BookSession<Rules> { get set }
}

extension BookVenueSession {
  /// The venue.
  public var venue: Venue { Rules.profile.venue }
  /// Where the data comes from.
  public var origin: DataOrigin {
    get { session.market.origin }
    set { session.market.origin = newValue }
  }
  /// The venue's own rule for silence.
  public var heartbeat: HeartbeatPolicy { Rules.profile.heartbeat }

  /// Handles an event and returns the actions to take.
  public mutating func handle(_ input: SessionInput, at now: ClockReading) -> [SessionEffect] {
    session.handle(input, at: now)
  }

  /// Handles a received message and returns the actions to take.
  public mutating func receive(
    _ bytes: Span<UInt8>, kind: MessageKind, at now: ClockReading
  ) -> [SessionEffect] {
    session.receive(bytes, at: now)
  }

  /// The current value of a stream.
  public func value(for subscription: Subscription, at now: ClockReading) -> MarketValue? {
    session.value(for: subscription, at: now)
  }

  /// The session's state as the venue's messages.
  public func checkpoint(_ request: CheckpointRequest) -> [OutboundMessage]? {
    session.checkpoint(request)
  }
}

// MARK: - Checkpoint

// The session's state in the venue's format, from which a follower of the stream can start.

/// The contents of a checkpoint.
public struct CheckpointRequest: Sendable, Equatable {
  /// The streams whose snapshots are requested.
  public let streams: Set<Subscription>
  /// Whether it starts a session, with the venue's greeting and its instruments.
  public let isWhole: Bool

  /// Creates a request.
  public init(streams: Set<Subscription>, isWhole: Bool) {
    self.streams = streams
    self.isWhole = isWhole
  }
}

extension BookSession {
  /// The messages that bring another session, open and with the same streams, to the state of this
  /// one: a greeting, then a snapshot of each topic that is complete here.
  ///
  /// Topics that wait for a snapshot are left out, because both sessions receive it. Topics that
  /// wait for a place are refused, so that they wait in the other session as well.
  func checkpoint(_ request: CheckpointRequest) -> [OutboundMessage] {
    guard link == .ready else { return [] }
    var messages = request.isWhole ? Venue.greeting(of: self) + market.list.messages : []
    let topics = Set(request.streams.flatMap { Venue.topics(for: $0) }).sorted()
    for topic in topics {
      if areTopicsWaiting, topic.symbol != nil, isMissing(topic) {
        messages.append(Venue.refusal(of: topic))
      }
      guard asked.contains(topic), let symbol = topic.symbol, let number = market.known(symbol),
        holds(topic.part, number)
      else { continue }
      messages += Venue.snapshot(of: topic.part, number, in: market)
    }
    return messages.map { OutboundMessage(.text, $0) }
  }

  /// Whether a topic has received its snapshot and missed nothing since.
  private func holds(_ part: BookTopic.Part, _ number: Int) -> Bool {
    let instrument = market.instruments[number]
    switch part {
    case .book: return market.books.states[number].trust.status == .synced
    case .audit: return market.audits.states[number].trust.status == .synced
    case .trades:
      let tape = instrument.tape
      return !tape.awaitsSnapshot && (!tape.trades.isEmpty || tape.isKnownEmpty)
    case .quote: return !instrument.quote.awaitsSnapshot
    case .figures: return !instrument.figures.awaitsSnapshot && instrument.figures.row != nil
    case .details: return true
    }
  }
}

extension Timestamp {
  /// The venue's spelling without loss of precision: "2021-04-20T10:00:00.000000000Z".
  var nanosecondText: String {
    let rest = String(max(0, nanoseconds % 1_000_000))
    let padding = String(repeating: "0", count: 6 - rest.utf8.count)
    return description.dropLast() + padding + rest + "Z"
  }
}
