/// The asset class of a venue's list of names.
public enum NamedAssets: Hashable, Sendable {
  case currencies
  /// Pairs of a token that represents a share.
  case tokens
}

/// A request for a venue's history.
public enum HistoryRequest: Hashable, Sendable {
  /// The names that history requests use for the venue's instruments.
  case names(NamedAssets)
  case condition
  /// The latest candles of an interval, as many as the venue returns.
  case candles(CandleInterval)
  /// The trades after a cursor, oldest first, as many as the venue returns.
  case trades(after: HistoryCursor)
  /// The latest trades before a number, or the newest of all, as many as the venue returns.
  case tradesBefore(Int64?)
}

/// An opaque position in a venue's trades, passed back as received.
public struct HistoryCursor: Hashable, Sendable {
  /// At Kraken, nanoseconds since 1970 as digits.
  public let text: String

  /// Wraps the venue's cursor.
  public init(_ text: String) { self.text = text }
}

/// A venue's response to a history request.
public enum HistoryResponse: Hashable, Sendable {
  /// The names for requests, by the instruments' stream symbols.
  case names([Symbol: String])
  /// The venue's operating state.
  case condition(VenueCondition)
  case candles(VenueCandles)
  case trades(VenueTrades)
}

/// A candle from the venue.
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
  /// The number of trades; if 0, all prices are the previous close.
  ///
  /// Nil where the venue does not count them.
  public let count: Int32?

  /// Whether there were trades; without a count, whether anything was traded.
  public var hasTrades: Bool { count.map { $0 > 0 } ?? (volume.units > 0) }
  /// The number of trades at least: 1 where the venue does not count them and there were some.
  public var leastCount: Int32 { count ?? (hasTrades ? 1 : 0) }

  /// Creates a candle.
  public init(
    start: Int64, open: FixedDecimal, high: FixedDecimal, low: FixedDecimal, close: FixedDecimal,
    volume: FixedDecimal, count: Int32?
  ) {
    self.start = start
    (self.open, self.high, self.low, self.close) = (open, high, low, close)
    (self.volume, self.count) = (volume, count)
  }
}

/// The latest candles of an interval.
public struct VenueCandles: Hashable, Sendable {
  /// Validated, oldest first, with unique starts.
  public let rows: [VenueCandle]
  /// The start of the last final candle, milliseconds since 1970; nil without one.
  public let lastCommitted: Int64?

  /// Creates a response.
  public init(rows: [VenueCandle], lastCommitted: Int64?) {
    (self.rows, self.lastCommitted) = (rows, lastCommitted)
  }
}

/// A trade from the venue, live or historical.
public struct VenueTrade: Hashable, Sendable {
  /// The venue's trade ID, consecutive per instrument; 0 without one.
  public let identifier: Int64
  /// How many consecutive IDs it covers, up to ``identifier``.
  public let covered: Int64
  /// The venue's time.
  public let time: Timestamp
  /// The price.
  public let price: FixedDecimal
  /// The quantity.
  public let quantity: FixedDecimal

  /// Creates a trade.
  public init(
    identifier: Int64, covered: Int64 = 1, time: Timestamp, price: FixedDecimal,
    quantity: FixedDecimal
  ) {
    (self.identifier, self.covered, self.time) = (identifier, covered, time)
    (self.price, self.quantity) = (price, quantity)
  }
}

/// A page of trades.
public struct VenueTrades: Hashable, Sendable {
  /// Oldest first.
  public let trades: [VenueTrade]
  /// Where the next page begins; unused where pages run backwards by number.
  public let next: HistoryCursor

  /// Creates a page.
  public init(trades: [VenueTrade], next: HistoryCursor = HistoryCursor("")) {
    (self.trades, self.next) = (trades, next)
  }
}

/// Why a history request failed.
public enum HistoryFailure: Error, Hashable, Sendable {
  /// Too many requests; the next one must wait.
  case rateLimited
  /// The venue or the connection to it is down; the detail is for logs.
  case unavailable(String)
  /// The reader process for the venue does not respond; the detail is for logs.
  case noReader(String)
  /// The venue reports that it is down.
  case closed(VenueCondition)
  /// The venue does not have the instrument or its history.
  case unknownInstrument
  /// The response is invalid; the detail is for logs.
  case badAnswer(String)

  /// Text for the user: what is missing and what happens next.
  public var userMessage: Sentence {
    switch self {
    case .rateLimited: "The venue limits requests. Its history will be requested again shortly."
    case .closed(let condition):
      condition.words.map { "The venue is \($0); its history will be requested again shortly." }
        ?? "The venue is busy; its history will be requested again shortly."
    case .unavailable: "The venue's history can't be reached. Retrying shortly."
    case .noReader:
      "The venue's reader does not respond. Retrying shortly."
    case .unknownInstrument: "The venue has no history of this instrument."
    case .badAnswer: "The venue's history could not be used. Retrying shortly."
    }
  }
}
