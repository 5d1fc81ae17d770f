import AppState
import ChartModel
import MarketModel
import MarketStreams
import PaperTrading
import VenueCatalogue

/// A page of the list of instruments.
struct ScriptListing: Hashable, Sendable {
  static let maximum = 500

  let limit: Int
  /// nil for all venues.
  let venue: Venue?
  /// The preceding instrument; nil for the first page.
  let after: InstrumentKey?

  init(limit: Int, venue: Venue?, after: InstrumentKey?) {
    (self.limit, self.venue, self.after) = (limit, venue, after)
  }

  /// Whether the preceding instrument is still listed; it may not be yet while the list waits.
  func canContinue(in list: MarketListState) -> Bool {
    list.freshness.state == .waiting
      || after.map { after in
        list.rows.contains { $0.instrument == after }
      } ?? true
  }

  /// "100/kraken/kraken/BTC/USD", with "-" for a missing value.
  var text: String { "\(limit)/\(venue?.rawValue ?? "-")/\(after?.text ?? "-")" }

  init?(text: String) {
    let parts = text.split(separator: "/", maxSplits: 2)
    guard parts.count == 3, let limit = Int(parts[0]), (1...Self.maximum).contains(limit) else {
      return nil
    }
    self.init(
      limit: limit, venue: Venue(rawValue: String(parts[1])),
      after: InstrumentKey(text: String(parts[2])))
  }
}

/// A subject for scripts: the pages' screens, encoded in the API's format.
enum ScriptSubject: Hashable, Sendable {
  case instruments(ScriptListing)
  case connections
  case orders
  case positions
  case ticker(InstrumentKey)
  case book(InstrumentKey)
  case trades(InstrumentKey)
  case candles(InstrumentKey, CandleInterval)

  /// Topics with this prefix are for scripts; pages can't open them.
  static let prefix = "api/"

  var topic: String {
    let name: String
    switch self {
    case .instruments(let listing): name = "instruments/" + listing.text
    case .connections: name = "connections"
    case .orders: name = "orders"
    case .positions: name = "positions"
    case .ticker(let key): name = "ticker/" + key.text
    case .book(let key): name = "book/" + key.text
    case .trades(let key): name = "trades/" + key.text
    case .candles(let key, let interval):
      name = "candles/\(interval.milliseconds)/" + key.text
    }
    return ScriptSubject.prefix + name
  }

  /// Parses a topic's name; nil if it is not a script's.
  init?(topic: String) {
    let parts = topic.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count >= 2, parts[0] + "/" == ScriptSubject.prefix else { return nil }
    if parts.count == 2 {
      switch parts[1] {
      case "connections": self = .connections
      case "orders": self = .orders
      case "positions": self = .positions
      default: return nil
      }
      return
    }
    if parts[1] == "instruments" {
      guard let listing = ScriptListing(text: String(parts[2])) else { return nil }
      self = .instruments(listing)
      return
    }
    if parts[1] == "candles" {
      let rest = parts[2].split(separator: "/", maxSplits: 1)
      guard rest.count == 2,
        let interval = Int64(rest[0]).flatMap(CandleInterval.init(milliseconds:)),
        let key = InstrumentKey(text: String(rest[1]))
      else { return nil }
      self = .candles(key, interval)
      return
    }
    guard let key = InstrumentKey(text: String(parts[2])) else { return nil }
    switch parts[1] {
    case "ticker": self = .ticker(key)
    case "book": self = .book(key)
    case "trades": self = .trades(key)
    default: return nil
    }
  }

  /// The screen behind it; nil if the instrument is unknown or lacks it.
  func screen(origin: DataOrigin, closed: [Venue: Sentence]) -> (any TopicScreen)? {
    switch self {
    case .instruments(let listing):
      return HostedScreen(
        MarketListScreen(closed: Set(closed.keys), origin: origin),
        encode: { ScriptObjects.instruments($0, listing).value }, freshness: { $0.freshness },
        isKnown: { listing.canContinue(in: $0) })
    case .connections:
      return ScriptConnections(closed: closed, origin: origin)
    case .orders: return ScriptOrders(origin: origin)
    case .positions: return ScriptPositions(origin: origin)
    case .ticker(let key):
      return FiguresScreen(key, origin: origin).map { screen in
        HostedScreen(
          screen, encode: { ScriptObjects.ticker($0).value },
          freshness: { ScriptObjects.freshness($0) }, isKnown: { $0.isKnown })
      }
    case .book(let key):
      guard BookCatalogue.mayHold(key) else { return nil }
      return HostedScreen(
        BookScreen(symbol: key.marketName, origin: origin),
        encode: { ScriptObjects.book($0, of: key).value }, freshness: { $0.freshness },
        isKnown: { $0.instrument != nil })
    case .trades(let key):
      guard BookCatalogue.mayHold(key) else { return nil }
      return ScriptTrades(key, origin: origin)
    case .candles(let key, let interval):
      return ChartScreen(venue: key.venue, symbol: key.symbol, origin: origin).map {
        ScriptCandles($0, interval: interval)
      }
    }
  }
}

struct ScriptTrades: TopicScreen {
  private let instrument: InstrumentKey
  private var screen: TradesScreen
  private var numbers: [UInt64: ClosedRange<Int64>] = [:]

  init(_ instrument: InstrumentKey, origin: DataOrigin) {
    self.instrument = instrument
    screen = TradesScreen(symbol: instrument.marketName, origin: origin)
  }

  var interests: Set<StreamInterest> { screen.interests }
  var freshness: Freshness? { screen.state.freshness }
  var isKnown: Bool { screen.state.instrument != nil }
  var page: PageValue {
    ScriptObjects.trades(screen.state, of: instrument, numbers: numbers).value
  }

  mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] {
    if case .value(let key, .trades(let tape)) = input, screen.wanted.contains(key) {
      numbers = Dictionary(
        tape.trades.filter { $0.identifier > 0 }.map {
          ($0.arrival, ($0.identifier - $0.covered + 1)...$0.identifier)
        },
        uniquingKeysWith: { $1 })
    }
    return screen.receive(input, at: now)
  }
}

struct ScriptConnections: TopicScreen {
  private var screen: StatusScreen
  private let origin: DataOrigin
  private var heardAt: ClockReading?

  init(closed: [Venue: Sentence], origin: DataOrigin) {
    screen = StatusScreen(closed: closed)
    self.origin = origin
  }

  /// The server's own connections are always current.
  var freshness: Freshness? {
    Freshness(state: heardAt == nil ? .waiting : .live, origin: origin, confirmedAt: heardAt)
  }
  var page: PageValue {
    ScriptObjects.connections(screen.state, freshness ?? .waiting(origin)).value
  }

  mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] {
    if case .connection = input { heardAt = now }
    if case .timer = input, heardAt != nil { heardAt = now }
    return screen.receive(input, at: now)
  }
}

struct ScriptOrders: TopicScreen {
  private var screen = OrdersScreen()
  private var origin: DataOrigin
  private var heardAt: ClockReading?

  init(origin: DataOrigin) { self.origin = origin }

  let interests: Set<StreamInterest> = [.orders]
  /// The last state of the order service holds until it sends another; without its disk it may be
  /// outdated.
  var freshness: Freshness? {
    let state: FreshnessState =
      screen.state.failure != nil ? .stale : screen.state.isLoaded ? .live : .waiting
    return Freshness(state: state, origin: origin, confirmedAt: heardAt)
  }
  var page: PageValue { ScriptObjects.orders(screen.state, freshness ?? .waiting(origin)).value }

  mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] {
    if case .connection(let status) = input, status.venue == .exchange { origin = status.origin }
    if case .orders(let overview) = input, overview.failure == nil { heardAt = now }
    if case .timer = input, screen.state.isLoaded, screen.state.failure == nil { heardAt = now }
    return screen.receive(input, at: now)
  }
}

/// The state behind an interval's candles, at most once a second; the candles themselves are
/// requested separately.
struct ScriptCandles: TopicScreen {
  static let patienceMilliseconds: Int64 = 1000

  private var screen: ChartScreen
  private let interval: CandleInterval
  private var shown: CandleStreamState
  private var shownAt: MonotonicTime?

  init(_ screen: ChartScreen, interval: CandleInterval) {
    self.screen = screen
    self.interval = interval
    shown = screen.state.candles
  }

  var interests: Set<StreamInterest> { screen.interests }
  var freshness: Freshness? { shown.freshness }
  var page: PageValue {
    var object = PageObject()
    object.begin("candles", of: screen.state.instrument, shown.freshness)
    object.set("revision", integer: shown.revision)
    object.set("latest", integer: shown.ticks.last?.arrival ?? 0)
    return object.value
  }

  mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] {
    let effects = screen.receive(input, at: now)
    let isDue =
      shownAt.map {
        now.monotonic.milliseconds(since: $0) >= ScriptCandles.patienceMilliseconds
      } ?? true
    let state = screen.state.candles
    if isDue || state.freshness.state != shown.freshness.state {
      if state != shown { shownAt = now.monotonic }
      shown = state
    }
    return effects
  }
}
