import MarketModel

/// Schedules one instrument's history requests: due times, pending ones and waits after failures.
struct HistoryPlan: Sendable {
  /// The interval of requests for minutes, in milliseconds.
  static let pollMilliseconds: Int64 = 60_000
  /// The first wait after a failure, in milliseconds; doubles each time.
  static let shortestWait: Int64 = 5000
  static let longestWait: Int64 = 60_000
  /// The wait if the venue does not have the instrument.
  static let unknownWait: Int64 = 600_000
  /// A request without a response for this long is sent again.
  static let lostMilliseconds: Int64 = 150_000
  static let maximumPages = 10
  /// Of pages that run backwards, which have a tenth of the trades.
  static let maximumBackwardPages = 30

  struct Fill: Hashable, Sendable {
    var request: HistoryRequest
    /// The time from which trades are fetched, milliseconds since 1970.
    let from: Int64
    /// Since when the stream had been live at the start of the fetch.
    let presentSince: Int64?
    var pages = 0
  }

  /// The requested intervals; empty without observers.
  var needed: Set<CandleInterval> = []
  var fill: Fill?
  /// The start of the open minute whose trades were fetched last.
  var filledMinute: Int64?
  var triedHole: TradeHole?
  /// No fetch before this: a reconnected stream first sends what was missed itself.
  var fillsFrom: MonotonicTime?

  private var pending: [HistoryRequest: MonotonicTime] = [:]
  private var loadedAt: [CandleInterval: MonotonicTime] = [:]
  /// The start of the venue's latest final candle.
  private(set) var committed: [CandleInterval: Int64] = [:]
  private var failed: HistoryRequest?
  private var wait: Int64 = 0
  private var retryAt: MonotonicTime?

  func hasLoaded(_ interval: CandleInterval) -> Bool { loadedAt[interval] != nil }

  func mayAsk(at now: MonotonicTime) -> Bool {
    !needed.isEmpty && (retryAt.map { now >= $0 } ?? true)
  }

  /// Whether an interval's candles are old enough to be requested again.
  func isDue(_ interval: CandleInterval, at now: MonotonicTime) -> Bool {
    guard let loaded = loadedAt[interval] else { return true }
    return now.milliseconds(since: loaded) >= HistoryPlan.pollMilliseconds
  }

  /// Drops requests that must have been lost.
  mutating func forgetLost(at now: MonotonicTime) {
    pending = pending.filter { now.milliseconds(since: $0.value) < HistoryPlan.lostMilliseconds }
  }

  /// Records a request; false if it is already pending.
  mutating func ask(_ request: HistoryRequest, at now: MonotonicTime) -> Bool {
    guard pending[request] == nil else { return false }
    pending[request] = now
    return true
  }

  /// Removes a pending request; false if it was not pending.
  mutating func take(_ request: HistoryRequest) -> Bool {
    pending.removeValue(forKey: request) != nil
  }

  mutating func load(_ interval: CandleInterval, committed: Int64?, at now: MonotonicTime) {
    loadedAt[interval] = now
    if let committed { self.committed[interval] = committed }
  }

  /// Records a success; true if it ends the reported failure.
  mutating func succeed(_ request: HistoryRequest) -> Bool {
    guard let failed else { return false }
    guard HistoryPlan.isSameKind(failed, request) else { return false }
    self.failed = nil
    (wait, retryAt) = (0, nil)
    return true
  }

  /// Records a failure, which pauses requests.
  mutating func fail(_ request: HistoryRequest, _ failure: HistoryFailure, at now: MonotonicTime) {
    failed = request
    wait =
      wait == 0 ? HistoryPlan.shortestWait : min(wait * 2, HistoryPlan.longestWait)
    let length = failure == .unknownInstrument ? HistoryPlan.unknownWait : wait
    retryAt = now.adding(milliseconds: length)
  }

  /// All pages of trades are one kind; each interval of candles is another.
  private static func isSameKind(_ one: HistoryRequest, _ other: HistoryRequest) -> Bool {
    one == other || (one.isOfTrades && other.isOfTrades)
  }
}

extension HistoryRequest {
  /// Whether it is for a page of trades.
  var isOfTrades: Bool {
    switch self {
    case .trades, .tradesBefore: true
    case .names, .condition, .candles: false
    }
  }
}
