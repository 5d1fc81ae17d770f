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
