// What a venue of books has to say for itself. Everything else — books, tapes, quotes, views,
// subscriptions, resyncs, recordings — is the same for all of them and written in this folder.

import MarketModel

/// A venue that sends books: its decoder, its rule when a book may be believed, its requests.
///
/// A venue is a type without values; its states are kept in ``BookMarket`` and ``BookSession``.
protocol BookVenue: Sendable {
  associatedtype Decoder: BookDecoder
  associatedtype Sync: BookSync
  /// What is known of one instrument beside its book, tape and quote.
  associatedtype Details: BookDetails
  /// What a connection or recording holds beside its instruments.
  associatedtype MarketState: BookMarketState
  /// What a session holds beside its topics.
  associatedtype SessionState: BookSessionState

  static var profile: BookVenueProfile { get }

  /// All topics that a stream needs.
  static func topics(for subscription: Subscription) -> [BookTopic]
  /// Those that the stream cannot do without.
  static func requiredTopics(for subscription: Subscription) -> [BookTopic]
  /// As many requests as are needed; `method` is "subscribe" or "unsubscribe".
  static func requests(
    _ method: StaticString, _ topics: [BookTopic], _ state: inout SessionState
  ) -> [OutboundMessage]

  /// Applies the rows of a message.
  static func apply(
    _ message: Decoder.Message, to market: inout BookMarket<Self>, at now: ClockReading)
  /// Decides what a message means for the session, after its rows have been applied.
  static func react(
    to message: Decoder.Message, in session: inout BookSession<Self>, at now: ClockReading
  ) -> [SessionEffect]
  /// Whether a message shows that the venue sends what happens, so that silence means that nothing
  /// did.
  static func confirms(_ message: Decoder.Message) -> Bool
  /// Takes a message of a recording that starts a new connection, or says how the venue is.
  static func begin(_ message: Decoder.Message, in market: inout BookMarket<Self>)

  /// The scales of an instrument's prices and sizes.
  static func scales(_ number: Int, in market: BookMarket<Self>) -> BookScales
  /// Decimals to show of an instrument's prices.
  static func priceDecimals(_ number: Int, in market: BookMarket<Self>) -> Scale
  /// One tick of an instrument in units of its price scale; positive.
  static func tick(_ number: Int, in market: BookMarket<Self>) -> Price
  /// The quote of an instrument.
  static func quoteView(
    _ number: Int, in market: BookMarket<Self>, at now: ClockReading
  ) -> QuoteView

  /// What a connection starts with, spelled as the venue would: ``BookSession/checkpoint(_:)``.
  static func greeting(of session: BookSession<Self>) -> [[UInt8]]
  /// A topic's snapshot, spelled as the venue would; empty where it needs none.
  static func snapshot(
    of part: BookTopic.Part, _ number: Int, in market: BookMarket<Self>
  ) -> [[UInt8]]

  /// The refusal of a topic for its rate, spelled as the venue would.
  static func refusal(of topic: BookTopic) -> [UInt8]

  // What follows has an answer that most venues share.

  /// The book that is shown of an instrument.
  static func shownBook(_ number: Int, in market: BookMarket<Self>) -> Sync
  /// Whether the instrument's market is closed, so that silence is right.
  static func isClosed(_ number: Int, in market: BookMarket<Self>) -> Bool
  /// A message was lost: no book that it may have changed can be believed; those that need a new
  /// snapshot are returned.
  static func loseMessage(of wire: Decoder.Wire?, in market: inout BookMarket<Self>) -> [Int]
  /// Whether a topic can be asked for yet.
  static func canAsk(_ topic: BookTopic, in market: BookMarket<Self>) -> Bool
  /// What is to be said before the wanted topics are compared with those asked for.
  static func refuseInAdvance(
    in session: inout BookSession<Self>, at now: ClockReading
  ) -> [SessionEffect]
  /// Whether the details of all instruments have come, but are to be fetched anew: they lack one
  /// that is wanted.
  static func doubtsDetails(in session: inout BookSession<Self>, at now: MonotonicTime) -> Bool
  /// An instrument is wanted.
  static func accept(_ number: Int, in market: inout BookMarket<Self>)
  /// The venue's instruments; nil where it lists none.
  static func listing(in session: BookSession<Self>, at now: ClockReading) -> VenueListing?
  /// Whether the venue has told of an instrument, so that silence and empty lists are its word.
  static func isNamed(_ number: Int, in market: BookMarket<Self>) -> Bool
}

extension BookVenue {
  static func shownBook(_ number: Int, in market: BookMarket<Self>) -> Sync {
    market.books.states[number]
  }

  /// The last of the decimals that are shown, where the venue says nothing better.
  static func tick(_ number: Int, in market: BookMarket<Self>) -> Price {
    let price = scales(number, in: market).price
    let shown = min(price, priceDecimals(number, in: market))
    return Price(units: powerOfTen(Int(price.digits - shown.digits)))
  }

  static func isClosed(_ number: Int, in market: BookMarket<Self>) -> Bool { false }

  static func loseMessage(of wire: Decoder.Wire?, in market: inout BookMarket<Self>) -> [Int] {
    wire == nil || wire?.part == .book ? market.books.loseMessage() : []
  }

  static func confirms(_ message: Decoder.Message) -> Bool { true }

  static func canAsk(_ topic: BookTopic, in market: BookMarket<Self>) -> Bool { true }

  static func refuseInAdvance(
    in session: inout BookSession<Self>, at now: ClockReading
  ) -> [SessionEffect] { [] }

  static func doubtsDetails(
    in session: inout BookSession<Self>, at now: MonotonicTime
  ) -> Bool { false }

  static func accept(_ number: Int, in market: inout BookMarket<Self>) {}

  static func listing(in session: BookSession<Self>, at now: ClockReading) -> VenueListing? { nil }

  static func isNamed(_ number: Int, in market: BookMarket<Self>) -> Bool { true }
}

/// What one unit of an instrument's prices and quantities is.
struct BookScales: Equatable {
  var price: Scale
  var quantity: Scale
}

/// The facts of a venue that need no code.
struct BookVenueProfile: Sendable {
  let venue: Venue
  /// As people know it.
  let name: String
  /// What a connection starts with: "a welcome".
  let greeting: String
  /// For logs, of a book that no snapshot cures: "expected …, found …".
  let unsoundBook: String
  let heartbeat: HeartbeatPolicy
  /// How many topics a connection may subscribe to.
  let subscriptions: SubscriptionBudget
  /// Silence of the whole connection that is normal, in milliseconds.
  let quietMilliseconds: Int64
  /// Silence after which something is sent, for venues that hang up on silent clients.
  var keepAlive: (afterMilliseconds: Int64, text: String)?
  /// Scales of an instrument of which nothing is known.
  var scales = BookScales(price: .whole, quantity: .whole)
  /// Whether it sends the figures of the day.
  var hasFigures = false
  /// Whether rows of trades and quotes are whole, so that they may be taken without a snapshot
  /// where none comes.
  let rowsAreWhole: Bool

  /// Silence after which the connection counts as dead.
  var deadMilliseconds: Int64 {
    heartbeat.probeAfterMilliseconds + heartbeat.deadAfterMilliseconds
  }
}

/// What a venue knows of one instrument.
protocol BookDetails: Sendable { init() }

/// What a venue's market holds of its own.
protocol BookMarketState: Sendable {
  init()
  /// The connection is gone, or a recording starts a new one.
  mutating func interrupt()
}

/// What a venue's session holds of its own.
protocol BookSessionState: Sendable {
  init()
  /// The connection is another one.
  mutating func forgetConnection()
}
