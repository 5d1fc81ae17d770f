// What one instrument's venue is asked, and when: the order of questions, what is under way, and
// how long to wait after a failure.

import MarketModel

/// The questions of one instrument.
struct HistoryPlan: Sendable {
  /// How often the minutes are asked for while somebody looks, in milliseconds.
  static let pollMilliseconds: Int64 = 60_000
  /// The first wait after a failure, in milliseconds; each further one is twice as long.
  static let shortestWait: Int64 = 5000
  /// The longest wait after a failure.
  static let longestWait: Int64 = 60_000
  /// The wait when the venue does not know the instrument.
  static let unknownWait: Int64 = 600_000
  /// A request without a response for so long is asked again.
  static let lostMilliseconds: Int64 = 150_000
  /// Pages of trades for one hole.
  static let maximumPages = 10

  /// Pages of trades that are being fetched.
  struct Fill: Hashable, Sendable {
    /// Where the next page begins.
    var cursor: HistoryCursor
    /// The time after which the first page begins, milliseconds since 1970.
    let from: Int64
    /// Since when the stream had been sound when it began.
    let presentSince: Int64?
    /// Pages that came.
    var pages = 0
  }

  /// The intervals that the venue is asked for; none while nobody looks.
  var needed: Set<CandleInterval> = []
  /// The pages under way.
  var fill: Fill?
  /// The start of the forming minute for which trades were last fetched.
  var filledMinute: Int64?
  /// The hole that was last tried to be filled.
  var triedHole: TradeHole?
  /// No fill begins before this: a stream that is back tells first itself what was missed.
  var fillsFrom: MonotonicTime?

  private var pending: [HistoryRequest: MonotonicTime] = [:]
  private var loadedAt: [CandleInterval: MonotonicTime] = [:]
  /// The start of the latest candle of the venue that can't change.
  private(set) var committed: [CandleInterval: Int64] = [:]
  private var failed: HistoryRequest?
  private var wait: Int64 = 0
  private var retryAt: MonotonicTime?

  /// Whether candles of an interval ever came.
  func hasLoaded(_ interval: CandleInterval) -> Bool { loadedAt[interval] != nil }

  /// Whether anything may be asked.
  func mayAsk(at now: MonotonicTime) -> Bool {
    !needed.isEmpty && (retryAt.map { now >= $0 } ?? true)
  }

  /// Whether candles of an interval came so long ago that they may be asked for again.
  func isDue(_ interval: CandleInterval, at now: MonotonicTime) -> Bool {
    guard let loaded = loadedAt[interval] else { return true }
    return now.milliseconds(since: loaded) >= HistoryPlan.pollMilliseconds
  }

  /// Forgets requests that must have got lost.
  mutating func forgetLost(at now: MonotonicTime) {
    pending = pending.filter { now.milliseconds(since: $0.value) < HistoryPlan.lostMilliseconds }
  }

  /// Notes a request as asked; false when it is under way already.
  mutating func ask(_ request: HistoryRequest, at now: MonotonicTime) -> Bool {
    guard pending[request] == nil else { return false }
    pending[request] = now
    return true
  }

  /// Notes that a response came; false when nobody waits for it.
  mutating func take(_ request: HistoryRequest) -> Bool {
    pending.removeValue(forKey: request) != nil
  }

  /// Notes candles that came.
  mutating func load(_ interval: CandleInterval, committed: Int64?, at now: MonotonicTime) {
    loadedAt[interval] = now
    if let committed { self.committed[interval] = committed }
  }

  /// Notes a good response; true when it ends the failure that was last reported.
  mutating func succeed(_ request: HistoryRequest) -> Bool {
    guard let failed else { return false }
    guard HistoryPlan.isSameKind(failed, request) else { return false }
    self.failed = nil
    (wait, retryAt) = (0, nil)
    return true
  }

  /// Notes a failure: nothing is asked for a while.
  mutating func fail(_ request: HistoryRequest, _ failure: HistoryFailure, at now: MonotonicTime) {
    failed = request
    wait =
      wait == 0 ? HistoryPlan.shortestWait : min(wait * 2, HistoryPlan.longestWait)
    let length = failure == .unknownInstrument ? HistoryPlan.unknownWait : wait
    retryAt = now.adding(milliseconds: length)
  }

  /// Trades are pages of one thing; candles of each interval are another.
  private static func isSameKind(_ one: HistoryRequest, _ other: HistoryRequest) -> Bool {
    if case .trades = one, case .trades = other { return true }
    return one == other
  }
}
