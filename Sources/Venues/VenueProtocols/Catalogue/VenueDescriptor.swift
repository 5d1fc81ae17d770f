// What the program knows of a venue before it is connected, in one value: the server, the apps, the
// command line and the simulator read it here. Each venue's own stands in its folder.

public import MarketModel

/// How a venue is spoken to, by which its addresses are checked.
public enum VenueTransport: Sendable, Hashable, CaseIterable {
  /// A WebSocket at the address itself.
  case webSocket
  /// Requests below the address, and a WebSocket for the feed.
  case requestsAndFeed
  /// Plain TCP.
  case tcp

  /// The schemes that a person may give, the simulator's first.
  public var schemes: [String] {
    switch self {
    case .webSocket: ["ws", "wss"]
    case .requestsAndFeed: ["http", "https"]
    case .tcp: ["tcp"]
    }
  }
}

/// What a session is made for.
public struct SessionSetup: Sendable {
  /// Where the data comes from.
  public var origin: DataOrigin
  /// The seed of prices that are made on this side.
  public var seed: UInt64

  /// Puts a setup together.
  public init(origin: DataOrigin, seed: UInt64 = 1) {
    (self.origin, self.seed) = (origin, seed)
  }
}

extension VenueDescriptor {
  /// Why nothing can be had under a symbol, in words; nil where only the venue itself knows.
  public func refusal(of symbol: Symbol) -> String? {
    guard hasOnlyOthers, !others.contains(where: { $0.symbol == symbol }) else { return nil }
    let names = others.map(\.symbol.text)
    if names.count == 1 { return "\(displayName) has no \(symbol), but \(names[0]) alone" }
    return "\(displayName) has no \(symbol), only \(names.joined(separator: ", "))"
  }
}

/// A venue.
public struct VenueDescriptor: Sendable {
  /// Its name for people, fit for any place in a sentence.
  public let displayName: String
  /// Why there is no live venue any more, for people; nil for venues that are open.
  ///
  /// Such a venue is still simulated and replayed, and can be read at an address of one's own.
  public var closure: String?
  /// Its public address; nil where there is none, or none any more.
  public var publicAddress: String?
  /// How it is spoken to.
  public let transport: VenueTransport
  /// What lies at its address, in a few words for help texts: "its realtime API".
  public let addressHelp: String
  /// Where the simulated venue lies below ``MarketModel/Venue/simulatedPrefix``: "/realtime".
  public var simulatedPath = ""
  /// Where public clients look for it at the root of the simulator: "/v2"; with "/" at the end also
  /// everything below.
  public var clientPaths: [String] = []
  /// How many connections it allows.
  public var budget = ConnectionBudget.ordinary
  /// The instruments with a book that are offered.
  public var books: [BookInstrument] = []
  /// The instruments without a book that are offered, in the order of their screens.
  public var others: [OfferedInstrument] = []
  /// Decimals of the prices of ``others``; nil where they differ and the venue's spelling counts.
  public var priceDecimals: Scale?
  /// Whether ``others`` are all that there is: no other name is ever asked for.
  public var hasOnlyOthers = false
  /// Whether an instrument of the venue has a last price and nothing else: no trades, no day.
  public var hasOnlyLastPrice: @Sendable (Symbol) -> Bool = { _ in false }
  /// Whether it may have any pair of currencies beside ``books``.
  public var acceptsPairs = false
  /// Whether it may have an instrument of any other name beside ``books``.
  public var acceptsNames = false
  /// Whether a price may be 0 or less: that of a spread between two contracts.
  public var pricesMayBeNegative = false
  /// Whether every message of a book has a checksum of its rows.
  public var provesBooks = false
  /// Whether it states the figures of an instrument's day, as ``MarketModel/Channel/figures``.
  public var statesFigures = false
  /// Whether it lists its instruments, as ``MarketModel/Channel/listing``.
  public var listsInstruments = false
  /// Whether what it sends is for one client alone, so that each process needs its own connection.
  public var isOfOneClient = false
  /// How it is asked over HTTP; nil where it is not.
  public var requests: VenueRequests?
  /// How its past is asked for; nil where it has none.
  public var history: VenueHistory?
  /// What an answer over HTTP warns of beside its result, for logs; empty where the venue's answers
  /// have no warnings.
  public var warnings: @Sendable (_ body: Span<UInt8>) -> [String] = { _ in [] }
  /// How it is asked for all figures at once; nil where it is not.
  public var tickers: VenueTickers?
  /// How its recordings are played.
  public let replay: VenueReplay
  /// Makes its session, fresh.
  public let session: @Sendable (SessionSetup) -> any VenueSession
}

/// How the recordings of a venue are played.
public enum VenueReplay: Sendable {
  /// They name their instruments: all of them are played.
  case allInstruments(@Sendable () -> any MarketReplay)
  /// They are played through the venue's session, which must be told the instrument.
  case oneInstrument
  /// Prices are made on this side of the connection, so a recording would hold nothing of a venue.
  case none
}

extension Venue {
  /// What the program knows of the venue.
  public var descriptor: VenueDescriptor {
    switch self {
    case .bitmex: .bitmex
    case .kraken: .kraken
    case .isin: .isin
    case .bux: .bux
    case .echo: .echo
    case .exchange: .exchange
    }
  }

  /// The venue's name for people, fit for any place in a sentence.
  public var displayName: String { descriptor.displayName }

  /// Why there is no live venue any more, for people; nil for venues that are open.
  public var closure: String? { descriptor.closure }

  /// The prefix of the simulated venue's paths: "/kraken".
  public var simulatedPrefix: String { "/" + rawValue }
}

/// How all figures of a venue are requested at once.
public struct VenueTickers: Sendable {
  /// The path below the address of the venue's history.
  public let path: String
  /// The most bytes of a response.
  public let maximumBytes: Int
  /// Reads a response: the names that ``MarketModel/HistoryResponse/names(_:)`` gave, the status,
  /// the body, the moment to say that the figures are of, and their freshness.
  ///
  /// Markets without a name or a price are left out.
  public let read:
    @Sendable (
      _ names: [Symbol: String], _ status: Int, _ body: Span<UInt8>, _ now: Timestamp,
      _ freshness: Freshness
    ) -> Result<[DayFigures], HistoryFailure>
}

/// How a venue is asked over HTTP.
public struct VenueRequests: Sendable {
  /// Where the feed lies below the venue's address: "/subscriptions/me".
  public let feedPath: String
  /// The host of the feed at the venue's public address, which is another one than that of the
  /// requests.
  public let publicFeedHost: String
  /// The token sent to a venue that is not the real one if none is configured; not a secret.
  public let standInToken: AccessToken?
  /// The most bytes of an answer.
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

/// How many connection attempts a venue allows.
public struct ConnectionBudget: Sendable, Equatable {
  /// The most attempts in any window.
  public let attempts: Int
  /// The length of the window, in milliseconds.
  public let windowMilliseconds: Int64

  /// Makes a budget; both numbers are at least 1.
  public init(attempts: Int, windowMilliseconds: Int64 = 3_600_000) {
    self.attempts = max(1, attempts)
    self.windowMilliseconds = max(1, windowMilliseconds)
  }

  /// 720 an hour, for venues that name no limit: an attempt each 10 s takes half of them.
  public static let ordinary = ConnectionBudget(attempts: 720)
}
