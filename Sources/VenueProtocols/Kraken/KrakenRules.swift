// What Kraken is to the kernel of book venues: its facts, its topics, its pairs.

import MarketModel
import OrderBook

/// Kraken among the venues of books.
enum KrakenRules: BookVenue {
  typealias Decoder = KrakenDecoder
  typealias Sync = KrakenBookSync
  typealias Details = KrakenDetails
  typealias MarketState = KrakenMarketState
  typealias SessionState = KrakenRequests

  /// `req_id` is left out, so that the host recognises its own probe.
  static let ping = #"{"method":"ping"}"#

  /// Heartbeats come about once a second, so that three of them rule silence out; a client that
  /// says nothing for a minute is cut off.
  static let profile = BookVenueProfile(
    venue: .kraken, name: "Kraken", greeting: "a status",
    unsoundBook: "expected the venue's checksum after resyncing, found another one again",
    heartbeat: HeartbeatPolicy(
      probe: .text(ping), probeAfterMilliseconds: 5000, deadAfterMilliseconds: 5000),
    subscriptions: SubscriptionBudget(topics: 400, batch: 200, topicsPerSecond: 50),
    quietMilliseconds: 3500, keepAlive: (afterMilliseconds: 20_000, text: ping),
    hasFigures: true, rowsAreWhole: false)

  /// The instrument channel, which tells of all pairs, is what every stream needs.
  static func topics(for subscription: Subscription) -> [BookTopic] {
    requiredTopics(for: subscription) + [BookTopic(.details, nil)]
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

  static func requests(
    _ method: StaticString, _ topics: [BookTopic], _ state: inout KrakenRequests
  ) -> [OutboundMessage] { state.messages(method, topics) }

  static func scales(_ number: Int, in market: BookMarket<Self>) -> BookScales {
    market.decoder.scales(of: number) ?? profile.scales
  }

  static func priceDecimals(_ number: Int, in market: BookMarket<Self>) -> Scale {
    scales(number, in: market).price
  }

  static func isClosed(_ number: Int, in market: BookMarket<Self>) -> Bool {
    market.isInMaintenance || market.instruments[number].details.info?.isOpen == false
  }

  /// The pairs; as fresh as the connection, since the venue sends every change of them.
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

  /// The latest trade's price, the proven book's best prices.
  static func quoteView(
    _ number: Int, in market: BookMarket<Self>, at now: ClockReading
  ) -> QuoteView {
    let quote = market.instruments[number].quote
    let scale = scales(number, in: market).price
    let sync = market.books.states[number]
    let isProven = sync.trust.status == .synced
    let bid = isProven ? sync.book.best(.bid) : nil
    let ask = isProven ? sync.book.best(.ask) : nil
    let tape = market.tapeFreshness(number, at: now)
    // While trades are refused the book goes on, but the price does not.
    let isBehind = market.instruments[number].tape.behindSince != nil
    return QuoteView(
      symbol: market.instruments[number].symbol,
      price: quote.price.map { FixedDecimal(units: $0, scale: scale) },
      bid: bid.map { FixedDecimal($0.price, scale: scale) },
      ask: ask.map { FixedDecimal($0.price, scale: scale) }, bidSize: bid?.size,
      askSize: ask?.size, direction: quote.direction, changes: quote.changes,
      freshness: market.judged(
        Freshness(
          state: tape.state, origin: market.origin,
          confirmedAt: isBehind ? tape.confirmedAt : quote.confirmedAt,
          lateAfterMilliseconds: tape.lateAfterMilliseconds), number))
  }
}

/// What the instrument channel says of one pair that is kept.
struct KrakenDetails: BookDetails {
  /// Nil before the channel has named the pair.
  var info: KrakenPairInfo?

  init() {}
}
