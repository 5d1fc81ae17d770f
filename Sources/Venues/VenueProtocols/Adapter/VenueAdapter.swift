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
  public init(origin: DataOrigin, seed: UInt64 = 1) {
    (self.origin, self.seed) = (origin, seed)
  }
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
