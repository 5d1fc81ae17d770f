// How to talk to a venue, in one value: its session, its requests over HTTP, its recordings.

public import MarketModel
public import VenueCatalogue

/// What a session is created with.
public struct SessionSetup: Sendable {
  /// Where the data comes from.
  public var origin: DataOrigin
  /// The seed of prices that are generated locally.
  public var seed: UInt64

  /// A setup for an origin.
  public init(origin: DataOrigin, seed: UInt64 = 1) { (self.origin, self.seed) = (origin, seed) }
}

/// How to talk to a venue; its facts are in ``VenueCatalogue/VenueDescriptor``.
public struct VenueAdapter: Sendable {
  /// Its requests over HTTP; nil for venues without any.
  public var requests: VenueRequests?
  /// The requests for its history; nil for venues without one.
  public var history: VenueHistory?
  /// The warnings in a response over HTTP, for logs.
  public var warnings: @Sendable (_ body: Span<UInt8>) -> [String] = { _ in [] }
  /// The request for the figures of all its markets; nil for venues without one.
  public var tickers: VenueTickers?
  /// Whether its trades are numbered without holes, though its history has none.
  public var numbersTrades = false
  /// Whether a book needs a response over HTTP, so that recordings contain them.
  public var fetchesSnapshots = false
  /// What `livetape venue check` looks for in messages.
  public var traits: [MessageTrait] = []
  /// Where messages have their numbers; nil for venues without any.
  var numbers: StreamNumberPlace?
  /// How its recordings are replayed.
  public let replay: VenueReplay
  /// Creates a session.
  public let session: @Sendable (SessionSetup) -> any VenueSession

  /// The number of a message in its stream; nil where it has none, O(bytes).
  public func streamNumber(of message: Span<UInt8>) -> StreamNumber? {
    numbers?.number(in: message)
  }
}

/// A text that some messages of a venue contain, where its documents leave open whether they do.
public struct MessageTrait: Sendable, Equatable {
  /// In a few words: "snapshot in the stream".
  public let name: String
  /// The text as on the wire.
  public let text: String
}

extension Venue {
  /// How to talk to the venue.
  public var adapter: VenueAdapter {
    switch self {
    case .bitmex: .bitmex
    case .kraken: .kraken
    case .coinbase: .coinbase
    case .okx: .okx
    case .bybit: .bybit
    case .bybitLinear: .bybitLinear
    case .binance: .binance
    case .isin: .isin
    case .bux: .bux
    case .echo: .echo
    case .exchange: .exchange
    }
  }
}

/// How the recordings of a venue are replayed.
public enum VenueReplay: Sendable {
  /// They name their instruments: all of them are replayed.
  case allInstruments(@Sendable () -> any MarketReplay)
  /// They are replayed through a session, for an instrument that the user names.
  case oneInstrument
  /// Prices are generated locally, so a recording holds nothing of the venue.
  case none
}

/// The request for the figures of all markets of a venue.
public struct VenueTickers: Sendable {
  /// The path below the address of the venue's history.
  public let path: String
  /// The most bytes of a response.
  public let maximumBytes: Int
  /// Whether they include the change of 24 hours, so that no market has to be followed for it.
  public let statesChange: Bool
  /// Reads a response: the names of ``MarketModel/HistoryResponse/names(_:)``, the status, the
  /// body, the time and the freshness of the figures.
  ///
  /// Markets without a name or a price are left out.
  public let read:
    @Sendable (
      _ names: [Symbol: String], _ status: Int, _ body: Span<UInt8>, _ now: Timestamp,
      _ freshness: Freshness
    ) -> Result<[DayFigures], HistoryFailure>
}

/// The requests to a venue over HTTP.
public struct VenueRequests: Sendable {
  /// Where the feed lies below the venue's address: "/subscriptions/me".
  public let feedPath: String
  /// The host of the feed at the venue's public address; requests go to another one.
  public let publicFeedHost: String
  /// The token sent to a venue that is not the real one if none is configured; not a secret.
  public let standInToken: AccessToken?
  /// The most bytes of a response.
  public let maximumBytes: Int
  /// The headers of every request and of the feed's upgrade.
  ///
  /// They hold the token: never log their values.
  public let headers: @Sendable (AccessToken?) -> [(name: String, value: String)]
  /// Where a product lies below the venue's address, percent-encoded.
  public let productPath: @Sendable (Symbol) -> String
  /// Reads a response: its status, its body and the requested product.
  public let readProduct:
    @Sendable (_ status: Int, _ body: Span<UInt8>, _ identifier: Symbol) -> Result<
      Product, ProductFailure
    >
}

/// The HTTP requests for a venue's history.
public struct VenueHistory: Sendable {
  /// The base address at the real venue, without "/" at the end: "https://api.kraken.com".
  ///
  /// Nil if the venue is closed or has no such address.
  public let publicAddress: String?
  /// The base path at the simulator: "/kraken".
  public let simulatedPath: String
  /// The candle intervals that it offers, finest first.
  public let intervals: [CandleInterval]
  /// Whether it offers past trades, numbered as in its stream.
  public let givesTrades: Bool
  /// Whether pages of trades run backwards by number, ``HistoryRequest/tradesBefore(_:)``, instead
  /// of forwards from a time.
  public var pagesBackwards = false
  /// The maximum bytes of a response.
  public let maximumBytes: Int
  /// The lists of its instruments' names, in request order; empty where the symbol is the name.
  public let nameLists: [NamedAssets]
  /// Whether it reports its own status, as ``HistoryRequest/condition``.
  public let statesCondition: Bool
  /// ``path(_:_:at:)``.
  let target:
    @Sendable (_ request: HistoryRequest, _ nameAtVenue: String, _ now: Timestamp) -> String?
  /// Reads the response to a request from the instrument's name, the status and the body.
  public let read:
    @Sendable (
      _ request: HistoryRequest, _ nameAtVenue: String, _ status: Int, _ body: Span<UInt8>
    ) -> Result<HistoryResponse, HistoryFailure>

  /// The path and query of a request, below the address: "/0/public/OHLC?pair=XBTUSD&interval=1".
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - nameAtVenue: The instrument's name at the venue; ignored for ``HistoryRequest/names(_:)``
  ///     and ``HistoryRequest/condition``.
  ///   - now: The present, for venues whose requests name a span of time; 1970 suffices to find
  ///     out whether the venue has such a request.
  /// - Returns: The path; nil where the venue has no such request.
  public func path(
    _ request: HistoryRequest, _ nameAtVenue: String, at now: Timestamp = Timestamp(nanoseconds: 0)
  ) -> String? {
    target(request, nameAtVenue, now)
  }
}

/// A request to a venue over HTTP; this list is closed, and the venue's descriptor has the path.
public enum VenueQuestion: Hashable, Sendable {
  /// Its history, by the instrument's name there; the name is "" where none is needed.
  case history(HistoryRequest, name: String)
  /// The figures of all its markets at once.
  case tickers
  /// One of its products.
  case product(Symbol)

  /// Whether a response to an earlier request must not be reused.
  ///
  /// "No later trade" holds only for the moment of the request; then the caller has the stream.
  public var isOfTheMoment: Bool {
    switch self {
    case .history(.trades, _), .history(.tradesBefore, _): true
    default: false
    }
  }
}

extension VenueAdapter {
  /// Path and query of a request, percent-encoded; nil where the venue doesn't support it.
  ///
  /// Relative to the address of its history, or for a product to the venue's own address. `now` is
  /// the present, for venues whose requests name a span of time; 1970 suffices to find out whether
  /// there is such a request.
  public func path(
    of question: VenueQuestion, at now: Timestamp = Timestamp(nanoseconds: 0)
  ) -> String? {
    switch question {
    case .history(let request, let name): history?.path(request, name, at: now)
    case .tickers: tickers?.path
    case .product(let symbol): requests?.productPath(symbol)
    }
  }

  /// The maximum bytes of a response.
  public func maximumBytes(of question: VenueQuestion) -> Int {
    switch question {
    case .history: history?.maximumBytes ?? 0
    case .tickers: tickers?.maximumBytes ?? 0
    case .product: requests?.maximumBytes ?? 0
    }
  }

  /// Whether a response reports a rate limit.
  public func isRefusedForPace(
    _ question: VenueQuestion, status: Int, _ body: Span<UInt8>
  ) -> Bool {
    guard status != 429 else { return true }
    // Rate-limit responses have no other content, so they are short.
    guard let history, body.count <= 4096 else { return false }
    let answer: Result<HistoryResponse, HistoryFailure>
    switch question {
    case .history(let request, let name): answer = history.read(request, name, status, body)
    case .tickers: answer = history.read(.condition, "", status, body)
    case .product: return false
    }
    return answer == .failure(.rateLimited)
  }
}
