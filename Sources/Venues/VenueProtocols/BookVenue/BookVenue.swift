import MarketModel

/// The rules of a venue that sends books: its decoder, its validity rule for books, its requests.
///
/// Books, tapes, quotes, views, subscriptions, resyncs and recordings are the same for all venues.
/// A venue is a type without values; its state is in ``BookMarket`` and ``BookSession``.
protocol BookVenue: Sendable {
  associatedtype Decoder: BookDecoder
  associatedtype Sync: BookSync
  /// The data of one instrument besides its book, tape and quote.
  associatedtype Details: BookDetails
  /// The data of a connection or recording besides its instruments.
  associatedtype MarketState: BookMarketState
  /// The data of a session besides its topics.
  associatedtype SessionState: BookSessionState

  static var profile: BookVenueProfile { get }
  /// The list of its instruments over HTTP; nil without one.
  static var list: InstrumentList? { get }

  /// All topics that a stream uses.
  static func topics(for subscription: Subscription) -> [BookTopic]
  /// As many requests as are needed; `method` is "subscribe" or "unsubscribe".
  static func requests(
    _ method: StaticString, _ topics: [BookTopic], _ state: inout SessionState
  ) -> [OutboundMessage]

  static func apply(
    _ message: Decoder.Message, to market: inout BookMarket<Self>, at now: ClockReading)
  /// Decides what a message means for the session, after its rows have been applied.
  static func react(
    to message: Decoder.Message, in session: inout BookSession<Self>, at now: ClockReading
  ) -> [SessionEffect]
  /// Whether a message proves that the venue sends updates, so that silence means no change.
  static func confirms(_ message: Decoder.Message) -> Bool
  /// Handles a message of a recording that starts a new connection or reports the venue's status;
  /// nothing where a connection begins with snapshots, which replace everything.
  static func begin(_ message: Decoder.Message, in market: inout BookMarket<Self>)

  static func scales(_ number: Int, in market: BookMarket<Self>) -> BookScales
  /// One tick of an instrument in units of its price scale; positive.
  static func tick(_ number: Int, in market: BookMarket<Self>) -> Price

  /// The start of a connection in the venue's format: ``BookSession/checkpoint(_:)``; empty where
  /// the venue does not greet.
  static func greeting(of session: BookSession<Self>) -> [[UInt8]]
  /// A topic's snapshot in the venue's format; empty where it needs none.
  static func snapshot(
    of part: BookTopic.Part, _ number: Int, in market: BookMarket<Self>
  ) -> [[UInt8]]

  /// The refusal of a topic for its rate, in the venue's format.
  static func refusal(of topic: BookTopic) -> [UInt8]

  // The rest has a default that most venues share.

  static func priceDecimals(_ number: Int, in market: BookMarket<Self>) -> Scale
  /// The topics that the stream requires.
  static func requiredTopics(for subscription: Subscription) -> [BookTopic]
  static func quoteView(
    _ number: Int, in market: BookMarket<Self>, at now: ClockReading
  ) -> QuoteView
  /// What is sent as soon as the connection is open, for venues that are silent until then.
  static func opening() -> [OutboundMessage]
  /// Requests that the session's state holds back and that are due now, after each change of its
  /// topics and with each timer.
  static func due(in session: inout BookSession<Self>, at now: ClockReading) -> [SessionEffect]
  /// Why an unreadable message ends the connection; nil where requests repair what it may have
  /// changed.
  static func connectionProblem(
    afterUnreadable wire: Decoder.Wire?, in market: BookMarket<Self>
  ) -> VenueProblem?
  /// Repairs doubtful or missing books in the venue's own way; nil where new snapshots are
  /// requested.
  static func repair(
    _ numbers: [Int], in session: inout BookSession<Self>, at now: ClockReading
  ) -> [SessionEffect]?
  /// Handles topics without a timely snapshot, other than books.
  static func repeatLate(
    _ topics: [BookTopic], in session: inout BookSession<Self>, at now: ClockReading
  ) -> [SessionEffect]
  /// The book that is shown of an instrument.
  static func shownBook(_ number: Int, in market: BookMarket<Self>) -> Sync
  /// The connection's messages since a synced book's snapshot; nil where the venue does not number
  /// them.
  static func unbroken(_ number: Int, in market: BookMarket<Self>) -> UnbrokenSequence?
  /// Whether the instrument's market is closed, so that no updates are expected.
  static func isClosed(_ number: Int, in market: BookMarket<Self>) -> Bool
  /// Doubts every book that a lost message may have changed; returns those that need a snapshot.
  static func loseMessage(of wire: Decoder.Wire?, in market: inout BookMarket<Self>) -> [Int]
  static func canAsk(_ topic: BookTopic, in market: BookMarket<Self>) -> Bool
  /// Effects that come before the requested topics are compared with the subscribed ones.
  static func refuseInAdvance(
    in session: inout BookSession<Self>, at now: ClockReading
  ) -> [SessionEffect]
  /// Whether the received instrument details lack a requested one and must be refetched.
  static func doubtsDetails(in session: inout BookSession<Self>, at now: MonotonicTime) -> Bool
  static func accept(_ number: Int, in market: inout BookMarket<Self>)
  /// The venue's instruments; nil where it lists none.
  static func listing(in session: BookSession<Self>, at now: ClockReading) -> VenueListing?
  /// Whether the venue has named an instrument, so that silence and empty lists are valid.
  static func isNamed(_ number: Int, in market: BookMarket<Self>) -> Bool
}

extension BookVenue {
  static var list: InstrumentList? { nil }

  static func priceDecimals(_ number: Int, in market: BookMarket<Self>) -> Scale {
    scales(number, in: market).price
  }

  /// A quote is the latest trade's price between the book's best prices.
  static func requiredTopics(for subscription: Subscription) -> [BookTopic] {
    let parts: [BookTopic.Part] =
      switch subscription.channel {
      case .book: [.book]
      case .trades: [.trades]
      case .quote: [.book, .trades]
      case .figures: [.figures]
      case .listing: []
      }
    return parts.map { BookTopic($0, subscription.symbol) }
  }

  /// The required topics, and the best levels of a book as a topic of their own.
  static func auditedTopics(for subscription: Subscription) -> [BookTopic] {
    let required = requiredTopics(for: subscription)
    return required + required.filter { $0.part == .book }.map { BookTopic(.audit, $0.symbol) }
  }

  static func quoteView(
    _ number: Int, in market: BookMarket<Self>, at now: ClockReading
  ) -> QuoteView {
    market.tradedQuoteView(number, at: now)
  }

  static func opening() -> [OutboundMessage] { [] }

  static func due(in session: inout BookSession<Self>, at now: ClockReading) -> [SessionEffect] {
    []
  }

  static func connectionProblem(
    afterUnreadable wire: Decoder.Wire?, in market: BookMarket<Self>
  ) -> VenueProblem? { nil }

  static func repair(
    _ numbers: [Int], in session: inout BookSession<Self>, at now: ClockReading
  ) -> [SessionEffect]? { nil }

  static func repeatLate(
    _ topics: [BookTopic], in session: inout BookSession<Self>, at now: ClockReading
  ) -> [SessionEffect] { session.askAgain(topics, at: now) }

  static func shownBook(_ number: Int, in market: BookMarket<Self>) -> Sync {
    market.books.states[number]
  }

  /// The last displayed decimal, where the venue states no tick.
  static func tick(_ number: Int, in market: BookMarket<Self>) -> Price {
    let price = scales(number, in: market).price
    let shown = min(price, priceDecimals(number, in: market))
    return Price(units: powerOfTen(Int(price.digits - shown.digits)))
  }

  static func unbroken(_ number: Int, in market: BookMarket<Self>) -> UnbrokenSequence? { nil }

  static func isClosed(_ number: Int, in market: BookMarket<Self>) -> Bool { false }

  static func loseMessage(of wire: Decoder.Wire?, in market: inout BookMarket<Self>) -> [Int] {
    wire == nil || wire?.part == .book ? market.books.loseMessage() : []
  }

  static func begin(_ message: Decoder.Message, in market: inout BookMarket<Self>) {}

  static func greeting(of session: BookSession<Self>) -> [[UInt8]] { [] }

  static func confirms(_ message: Decoder.Message) -> Bool { true }

  static func canAsk(_ topic: BookTopic, in market: BookMarket<Self>) -> Bool { true }

  static func refuseInAdvance(
    in session: inout BookSession<Self>, at now: ClockReading
  ) -> [SessionEffect] { [] }

  static func doubtsDetails(
    in session: inout BookSession<Self>, at now: MonotonicTime
  ) -> Bool { false }

  static func accept(_ number: Int, in market: inout BookMarket<Self>) {}

  static func listing(in session: BookSession<Self>, at now: ClockReading) -> VenueListing? {
    list == nil ? nil : session.market.listing(at: now)
  }

  static func isNamed(_ number: Int, in market: BookMarket<Self>) -> Bool { true }
}

struct BookScales: Equatable {
  var price: Scale
  var quantity: Scale
}

/// The facts of a venue that need no code.
struct BookVenueProfile: Sendable {
  let venue: Venue
  let name: String
  /// The first message of a connection: "a welcome".
  let greeting: String
  /// For logs, of a book that stays wrong after snapshots: "expected …, found …".
  let unsoundBook: String
  let heartbeat: HeartbeatPolicy
  let subscriptions: SubscriptionBudget
  /// Normal silence of the whole connection, in milliseconds.
  let quietMilliseconds: Int64
  /// Silence after which a message is sent, for venues that disconnect silent clients.
  var keepAlive: (afterMilliseconds: Int64, text: String)?
  /// Scales of an instrument without data.
  var scales = BookScales(price: .whole, quantity: .whole)
  var hasFigures = false
  /// Whether rows of trades and quotes are usable without a snapshot where none comes.
  let rowsAreWhole: Bool
  /// The longest wait for a greeting, the instruments or a snapshot; 2.5 s is the longest observed
  /// at Kraken and BitMEX.
  var patienceMilliseconds: Int64 = 10_000
  /// Whether the venue greets a new connection; without a greeting it is ready at once.
  var greets = true

  var deadMilliseconds: Int64 { heartbeat.probeAfterMilliseconds + heartbeat.deadAfterMilliseconds }
}

protocol BookDetails: Sendable { init() }

protocol BookMarketState: Sendable {
  init()
  /// Handles a closed connection, or a new connection in a recording.
  mutating func interrupt()
}

extension BookMarketState {
  mutating func interrupt() {}
}

protocol BookSessionState: Sendable {
  init()
  mutating func forgetConnection()
}
