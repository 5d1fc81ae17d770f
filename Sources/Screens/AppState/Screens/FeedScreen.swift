public import MarketModel
import MarketStreams
import VenueCatalogue

/// The price tracker's list of 25 stocks (PT1–PT3).
public struct FeedScreen: Screen {
  /// An action of the top bar.
  public enum Action: Hashable, Sendable {
    /// Start the feed; does nothing while it runs.
    case start
    /// Stop the feed; does nothing while it is stopped.
    case stop
  }

  /// The minimum time between re-sorts, so rows do not move under a finger.
  ///
  /// A first price is sorted at once, so a newly opened list is in order.
  public static let resortMilliseconds: Int64 = 1000

  /// How long a user's request overrides statuses that do not reflect it yet.
  static let requestMilliseconds: Int64 = 2000

  /// The current feed.
  public private(set) var state: FeedState
  /// The quotes of all stocks; they stay wanted while the feed is stopped.
  public let wanted: Set<MarketKey>

  private var link = VenueLink(.echo)
  private var streams: [MarketKey: QuoteStream]
  private let origin: DataOrigin
  private var lastSort: MonotonicTime?
  private var needsSort = false
  private var wishedAt: MonotonicTime?

  /// Creates the feed without prices.
  ///
  /// `isRunning`: whether the venue starts automatically; the first connection status overrides it.
  public init(isRunning: Bool = true, origin: DataOrigin = .venue) {
    let stocks = StockCatalogue.stocks
    self.origin = origin
    let keys = stocks.map { MarketKey(.echo, .quote, $0.symbol) }
    wanted = Set(keys)
    streams = Dictionary(
      keys.map { ($0, QuoteStream($0, origin: origin)) }, uniquingKeysWith: { first, _ in first })
    state = FeedState(
      running: isRunning, connection: .disconnected, currency: StockCatalogue.currency,
      decimals: StockCatalogue.decimals, freshness: .waiting(origin),
      order: stocks.map(\.symbol),
      rows: Dictionary(
        stocks.map { ($0.symbol, FeedRow(name: $0.name, direction: .unchanged, changes: 0)) },
        uniquingKeysWith: { first, _ in first }))
  }

  /// Applies quotes of the 25 stocks, statuses of the echo venue, and timers for sorting.
  public mutating func receive(_ input: ScreenInput, at now: ClockReading) -> [ScreenEffect] {
    switch input {
    case .value(let key, let value): show(value, of: key)
    case .connection(let status): follow(status, at: now)
    case .candles, .product, .orders, .position, .survey, .timer: break
    }
    sortIfDue(at: now)
    return []
  }

  /// Starts or stops the feed; the top bar changes at once, the connection when it reports.
  public mutating func perform(_ action: Action, at now: ClockReading) -> [ScreenEffect] {
    switch action {
    case .start where !state.running:
      state.running = true
      wishedAt = now.monotonic
      return [.startVenue(.echo)]
    case .stop where state.running:
      state.running = false
      wishedAt = now.monotonic
      return [.stopVenue(.echo)]
    default: return []
    }
  }

  private mutating func show(_ value: MarketValue, of key: MarketKey) {
    guard streams[key]?.receive(.value(key, value)) == true, let quote = streams[key]?.value,
      var row = state.rows[quote.symbol]
    else { return }
    if row.price != quote.price { needsSort = true }
    if row.price == nil, quote.price != nil { lastSort = nil }
    row.price = quote.price
    row.direction = quote.direction
    row.changes = quote.changes
    state.rows[quote.symbol] = row
    judge()
  }

  private mutating func follow(_ status: ConnectionStatus, at now: ClockReading) {
    guard status.venue == link.venue else { return }
    _ = link.update(status)
    for key in wanted { _ = streams[key]?.receive(.connection(status)) }
    let isRunning = status.phase != .idle && status.phase != .stopped
    let isWishPending = wishedAt.map {
      now.monotonic.milliseconds(since: $0) < FeedScreen.requestMilliseconds
    }
    if isRunning == state.running || isWishPending != true {
      state.running = isRunning
      wishedAt = nil
    }
    state.connection = link.word
    judge()
  }

  /// The list's freshness is that of its least reliable price.
  ///
  /// O(rows).
  private mutating func judge() {
    var worst: Freshness?
    for stream in streams.values where stream.value?.price != nil {
      let judged = stream.freshness
      guard let known = worst else {
        worst = judged
        continue
      }
      if isWorse(judged, than: known) { worst = judged }
    }
    state.freshness = worst ?? .waiting(streams.values.first?.freshness.origin ?? origin)
  }

  private func isWorse(_ left: Freshness, than right: Freshness) -> Bool {
    guard left.state == right.state else { return left.state.severity > right.state.severity }
    guard let rightTime = right.confirmedAt?.monotonic else { return false }
    guard let leftTime = left.confirmedAt?.monotonic else { return true }
    return leftTime < rightTime
  }

  private mutating func sortIfDue(at now: ClockReading) {
    guard needsSort else { return }
    if let lastSort, now.monotonic.milliseconds(since: lastSort) < FeedScreen.resortMilliseconds {
      return
    }
    needsSort = false
    lastSort = now.monotonic
    state.order = sorted()
  }

  /// Highest price first; equal prices keep their order; symbols without a price last,
  /// alphabetically.
  private func sorted() -> [Symbol] {
    let places = state.order.enumerated().map { ($0.offset, $0.element) }
    return places.sorted { left, right in
      switch (state.rows[left.1]?.price, state.rows[right.1]?.price) {
      case (let a?, let b?): a != b ? a > b : left.0 < right.0
      case (_?, nil): true
      case (nil, _?): false
      case (nil, nil): left.1 < right.1
      }
    }.map(\.1)
  }
}
