/// A kind of stream.
public enum Channel: String, Hashable, Sendable {
  /// The order book, as ``BookView``.
  case book
  /// The latest trades, as ``TapeView``.
  case trades
  /// The latest price, as ``QuoteView``.
  case quote
  /// The figures of the day, as ``DayFigures``.
  case figures
  /// The instruments of the venue, as ``VenueListing``; one stream for the whole venue.
  case listing
}

/// One stream of one instrument.
public struct Subscription: Hashable, Sendable, Comparable {
  /// The kind of stream.
  public let channel: Channel
  /// The instrument.
  public let symbol: Symbol
  /// How a book's prices are grouped into rows; other channels ignore it.
  public let grouping: PriceGrouping

  /// Creates a subscription.
  public init(_ channel: Channel, _ symbol: Symbol, grouping: PriceGrouping = .none) {
    self.channel = channel
    self.symbol = symbol
    self.grouping = grouping
  }

  /// The stream of the venue's instruments; its symbol is a placeholder.
  public static let listing = Subscription(.listing, Symbol(known: "*"))

  /// Orders by symbol, then channel name and grouping: a stable order for requests.
  public static func < (left: Subscription, right: Subscription) -> Bool {
    (left.symbol, left.channel.rawValue, left.grouping)
      < (right.symbol, right.channel.rawValue, right.grouping)
  }
}

/// One stream of one instrument at one venue.
public struct MarketKey: Hashable, Sendable {
  /// The venue.
  public let venue: Venue
  /// The stream.
  public let subscription: Subscription

  /// Creates a key.
  public init(_ venue: Venue, _ channel: Channel, _ symbol: Symbol) {
    self.venue = venue
    subscription = Subscription(channel, symbol)
  }

  /// Creates a key.
  public init(_ venue: Venue, _ subscription: Subscription) {
    self.venue = venue
    self.subscription = subscription
  }

  /// The stream of a venue's instruments.
  public static func listing(of venue: Venue) -> MarketKey { MarketKey(venue, .listing) }
}

/// The current value of a stream.
public enum MarketValue: Equatable, Sendable {
  case book(BookView)
  case trades(TapeView)
  case quote(QuoteView)
  case figures(DayFigures)
  case listing(VenueListing)

  /// The value's freshness.
  public var freshness: Freshness {
    switch self {
    case .book(let book): book.freshness
    case .trades(let tape): tape.freshness
    case .quote(let quote): quote.freshness
    case .figures(let figures): figures.freshness
    case .listing(let listing): listing.freshness
    }
  }

  /// The same value in another state.
  public func changed(to state: FreshnessState) -> MarketValue {
    switch self {
    case .book(var book):
      book.freshness = book.freshness.changed(to: state)
      return .book(book)
    case .trades(var tape):
      tape.freshness = tape.freshness.changed(to: state)
      return .trades(tape)
    case .quote(var quote):
      quote.freshness = quote.freshness.changed(to: state)
      return .quote(quote)
    case .figures(var figures):
      figures.freshness = figures.freshness.changed(to: state)
      return .figures(figures)
    case .listing(var listing):
      listing.freshness = listing.freshness.changed(to: state)
      return .listing(listing)
    }
  }

  /// False once the venue has reported that it has no such instrument; never for quotes and lists.
  public var isKnown: Bool {
    switch self {
    case .book(let book): book.isKnown
    case .trades(let tape): tape.isKnown
    case .figures(let figures): figures.isKnown
    case .quote, .listing: true
    }
  }
}
