// What is known of a venue before it is connected, as data: the server, the apps, the command line
// and the simulator read it here. How a venue is talked to is its `VenueAdapter` in VenueProtocols.

public import MarketModel

/// The transport of a venue, which decides which addresses are valid.
public enum VenueTransport: Sendable, Hashable, CaseIterable {
  /// A WebSocket at the address itself.
  case webSocket
  /// HTTP requests below the address, and a WebSocket for the feed.
  case requestsAndFeed
  /// Plain TCP.
  case tcp

  /// The accepted schemes, the simulator's first.
  public var schemes: [String] {
    switch self {
    case .webSocket: ["ws", "wss"]
    case .requestsAndFeed: ["http", "https"]
    case .tcp: ["tcp"]
    }
  }
}

/// What the correctness of a venue's books rests on.
public enum BookAssurance: String, Sendable, Hashable, CaseIterable {
  /// Every book message has a checksum of its rows.
  case checksum
  /// The venue numbers its messages, so that a missing one is found; nothing states the book.
  case sequence
  /// Neither: only other streams of the venue that state the same prices.
  case comparison
}

extension VenueDescriptor {
  /// Whether a candle's number of trades is exact: not of the venue's own candles without one, nor
  /// of those of more than a minute, which may contain them.
  public func countsTrades(ofVenue: Bool, _ interval: CandleInterval) -> Bool {
    candlesCountTrades || (!ofVenue && interval.milliseconds <= CandleInterval.minute.milliseconds)
  }

  /// Why a symbol is not available, as a sentence; nil where only the venue can decide.
  public func refusal(of symbol: Symbol) -> String? {
    guard hasOnlyOthers, !others.contains(where: { $0.symbol == symbol }) else { return nil }
    let names = others.map(\.symbol.text)
    if names.count == 1 { return "\(displayName) has no \(symbol), but \(names[0]) alone" }
    return "\(displayName) has no \(symbol), only \(names.joined(separator: ", "))"
  }
}

/// The facts of a venue: what it is called, where it is, and what it lists.
public struct VenueDescriptor: Sendable {
  /// Its display name, usable anywhere in a sentence.
  public let displayName: String
  /// Why the live venue is closed, for users; nil for open venues.
  ///
  /// A closed venue is still simulated and replayed, and can be read at a custom address.
  public var closure: Sentence?
  /// Its public address; nil where it has none or it is closed.
  public var publicAddress: String?
  /// Its transport.
  public let transport: VenueTransport
  /// What is at its address, in a few words for help texts: "its realtime API".
  public let addressHelp: String
  /// The path of the simulated venue below ``MarketModel/Venue/simulatedPrefix``: "/realtime".
  public var simulatedPath = ""
  /// The simulator's root paths for public clients, such as "/v2"; a trailing "/" is a prefix.
  public var clientPaths: [String] = []
  /// The connection attempts that it allows.
  public var budget = ConnectionBudget.ordinary
  /// The offered instruments with a book.
  public var books: [BookInstrument] = []
  /// The offered instruments without a book, in the order of their screens.
  public var others: [OfferedInstrument] = []
  /// Decimals of the prices of ``others``; nil where they differ and the venue's spelling counts.
  public var priceDecimals: Scale?
  /// Whether ``others`` is complete, so that no other name is ever requested.
  public var hasOnlyOthers = false
  /// Whether an instrument has a last price and nothing else: no trades, no figures of the day.
  public var hasOnlyLastPrice: @Sendable (Symbol) -> Bool = { _ in false }
  /// The text between the currencies of a pair, "/" in "BTC/USD", where any pair besides ``books``
  /// can be requested; else nil.
  ///
  /// Where it is empty, only the venue's list states which currencies a symbol has.
  public var pairSeparator: String?
  /// What any such pair is.
  public var pairContract = ContractKind.base
  /// Whether it may have instruments of any other name besides ``books``.
  public var acceptsNames = false
  /// Whether a price may be 0 or less, as for a spread between two contracts.
  public var pricesMayBeNegative = false
  /// What it charges in its lowest tier, with the sources in docs/operations.md; nil if unknown.
  public var fees: FeeRates?
  /// What the correctness of its books rests on.
  public var bookAssurance = BookAssurance.comparison
  /// Whether the candles of its history contain the number of trades.
  public var candlesCountTrades = true
  /// Whether it sends the figures of an instrument's day, as ``MarketModel/Channel/figures``.
  public var statesFigures = false
  /// Whether it lists its instruments, as ``MarketModel/Channel/listing``.
  public var listsInstruments = false
  /// Whether its messages contain times.
  public var sendsTimes = true
  /// Whether its messages are for one client only, so that each process needs its own connection.
  public var isOfOneClient = false
}

extension Venue {
  /// The venue's facts.
  public var descriptor: VenueDescriptor {
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

  /// The venue's display name, usable anywhere in a sentence.
  public var displayName: String { descriptor.displayName }

  /// Why the live venue is closed, for users; nil for open venues.
  public var closure: Sentence? { descriptor.closure }

  /// The prefix of the simulated venue's paths: "/kraken".
  public var simulatedPrefix: String { "/" + rawValue }
}

/// How many connection attempts a venue allows.
public struct ConnectionBudget: Sendable, Equatable {
  /// The maximum attempts in any window.
  public let attempts: Int
  /// The length of the window, in milliseconds.
  public let windowMilliseconds: Int64

  /// Creates a budget; both numbers are raised to at least 1.
  public init(attempts: Int, windowMilliseconds: Int64 = 3_600_000) {
    self.attempts = max(1, attempts)
    self.windowMilliseconds = max(1, windowMilliseconds)
  }

  /// 720 an hour, for venues that publish no limit: an attempt each 10 s uses half of them.
  public static let ordinary = ConnectionBudget(attempts: 720)
}
