// What a venue is asked of the past, and what it answers: the vocabulary between the venues'
// readers and what joins their history with the live stream.

/// What the instruments of a venue's list of names are.
public enum NamedAssets: Hashable, Sendable {
  /// Pairs of currencies.
  case currencies
  /// Pairs of a token that stands for a share.
  case tokens
}

/// A question about the past of a venue's instrument.
public enum HistoryRequest: Hashable, Sendable {
  /// What the venue's instruments are called where the past is asked for.
  case names(NamedAssets)
  /// Whether the venue works.
  case condition
  /// The latest candles of an interval, as many as the venue gives.
  case candles(CandleInterval)
  /// The trades after a cursor, oldest first, as many as the venue gives.
  case trades(after: HistoryCursor)
}

/// A place in a venue's trades, in the venue's own words: it is passed back as it came.
public struct HistoryCursor: Hashable, Sendable {
  /// At Kraken nanoseconds since 1970, as digits.
  public let text: String

  /// Wraps the venue's words.
  public init(_ text: String) { self.text = text }
}

/// What a venue answers.
public enum HistoryResponse: Hashable, Sendable {
  /// The names to ask by, by the instruments' names in the stream.
  case names([Symbol: String])
  /// How the venue says it is.
  case condition(VenueCondition)
  /// Candles.
  case candles(VenueCandles)
  /// Trades.
  case trades(VenueTrades)
}

/// A candle as a venue gives it.
public struct VenueCandle: Hashable, Sendable {
  /// Start of its span, milliseconds since 1970.
  public let start: Int64
  /// First price.
  public let open: FixedDecimal
  /// Highest price.
  public let high: FixedDecimal
  /// Lowest price.
  public let low: FixedDecimal
  /// Last price.
  public let close: FixedDecimal
  /// Traded quantity.
  public let volume: FixedDecimal
  /// The number of trades; 0 where nobody traded: then all prices are the close before.
  public let count: Int32

  /// Puts a candle together.
  public init(
    start: Int64, open: FixedDecimal, high: FixedDecimal, low: FixedDecimal, close: FixedDecimal,
    volume: FixedDecimal, count: Int32
  ) {
    self.start = start
    (self.open, self.high, self.low, self.close) = (open, high, low, close)
    (self.volume, self.count) = (volume, count)
  }
}

/// The latest candles of an interval.
public struct VenueCandles: Hashable, Sendable {
  /// Oldest first, each start once, sound.
  public let rows: [VenueCandle]
  /// The start of the last candle that can't change any more, milliseconds since 1970; nil when
  /// there is none.
  public let lastCommitted: Int64?

  /// Puts an answer together.
  public init(rows: [VenueCandle], lastCommitted: Int64?) {
    (self.rows, self.lastCommitted) = (rows, lastCommitted)
  }
}

/// A trade as a venue tells it, live or of the past.
public struct VenueTrade: Hashable, Sendable {
  /// The venue's number of it, rising by one an instrument; 0 where there is none.
  public let identifier: Int64
  /// The venue's time.
  public let time: Timestamp
  /// The price.
  public let price: FixedDecimal
  /// The quantity.
  public let quantity: FixedDecimal

  /// Puts a trade together.
  public init(identifier: Int64, time: Timestamp, price: FixedDecimal, quantity: FixedDecimal) {
    (self.identifier, self.time) = (identifier, time)
    (self.price, self.quantity) = (price, quantity)
  }
}

/// A page of trades.
public struct VenueTrades: Hashable, Sendable {
  /// Oldest first.
  public let trades: [VenueTrade]
  /// Where the next page begins.
  public let next: HistoryCursor

  /// Puts a page together.
  public init(trades: [VenueTrade], next: HistoryCursor) {
    (self.trades, self.next) = (trades, next)
  }
}

/// Why there is no answer.
public enum HistoryFailure: Error, Hashable, Sendable {
  /// Too many questions: the next one must wait.
  case rateLimited
  /// The venue, or the way to it, is down for now; the detail is for logs.
  case unavailable(String)
  /// The process that reads the venue for this one does not answer; the detail is for logs.
  case noReader(String)
  /// The venue is down, and says so.
  case closed(VenueCondition)
  /// The venue does not know the instrument, or gives no history of it.
  case unknownInstrument
  /// The answer can't be used; the detail is for logs.
  case badAnswer(String)

  /// What people read: what is missing and what happens next.
  public var userMessage: String {
    switch self {
    case .rateLimited: "The venue asks for fewer requests; its history is asked for again shortly."
    case .closed(let condition):
      "The venue is \(condition.words ?? "busy"); its history is asked for again shortly."
    case .unavailable: "The venue's history can't be reached; it is asked for again shortly."
    case .noReader:
      "The venue's reader does not answer; the venue's history is asked for again shortly."
    case .unknownInstrument: "The venue gives no history of this instrument."
    case .badAnswer: "The venue's history could not be used; it is asked for again shortly."
    }
  }
}
