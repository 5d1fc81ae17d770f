// One instrument's past joined with its live trades, without a seam and without counting twice.
// The rules and their reasons: docs/decisions/0018-history-joins-the-stream-by-trade-number.md.

public import ChartModel
public import MarketModel

/// Joins one instrument's historical candles of a minute and longer with its live trades.
///
/// Without gaps or double counting. Candles come from the venue, else from its trades. Trade IDs
/// decide which trades are included; without IDs, the times when the stream was live do. Pure: time
/// and responses are passed in, requests are returned.
public struct HistoryJoin: Sendable {
  /// The most minutes: a fortnight.
  public static let maximumMinutes = 20_000
  /// The most candles of a coarser interval.
  public static let maximumCandles = 2000
  /// The most mismatches; the oldest are dropped first.
  public static let maximumMismatches = 100
  /// The stored intervals, finest first.
  public static let keptIntervals: [CandleInterval] = [
    .minute, .fiveMinutes, .fifteenMinutes, .hour, .fourHours, .day, .week,
  ]

  /// The instrument.
  public let instrument: InstrumentKey
  /// What one price unit is.
  public let priceScale: Scale
  /// The venue's candle intervals; empty without history.
  public let venueIntervals: Set<CandleInterval>
  /// The state of the venue's history.
  public internal(set) var status: HistoryStatus
  /// Counts changes of the history: loads, proofs, filled gaps, minutes without trades; not ticks.
  public internal(set) var revision: UInt64 = 0
  /// Minutes that differ from the venue's, newest last.
  public internal(set) var mismatches: [CandleMismatch] = []
  /// The scale of quantities; whole until the first data.
  public internal(set) var quantityScale = Scale.whole
  /// Trades and candles dropped because the chart's units can't represent them.
  public internal(set) var unreadable: UInt64 = 0

  var givesTrades: Bool
  /// Whether its pages of trades run backwards by number.
  let pagesBackwards: Bool
  /// Whether the venue's candles contain the number of trades, which is compared then.
  var countsTrades = true
  /// Whether the venue numbers its trades; nil before the first.
  var isNumbered: Bool?
  var steady = SteadyTime()
  /// The current time of the series, milliseconds since 1970; nil before the first call.
  var clock: Int64?
  var newestTrade: Int64?
  /// The start of the first open minute.
  var closedThrough: Int64?
  var runs = TradeRuns()
  var trades = MinuteTrades()
  var tables: [CandleTable]
  var plan = HistoryPlan()
  var hasChanged = false
  /// From where closed minutes must be rebuilt; nil if none must.
  var dirtyFrom: Int64?
  /// Candles not yet returned for the store.
  var unsaved: Set<CandlePlace> = []
  /// Stored minutes that are no longer valid.
  var withdrawn: [Int64: Candle] = [:]

  /// Creates an empty history.
  ///
  /// `venueIntervals` are those of the venue's historical candles, if it has any; `givesTrades` is
  /// whether it also has historical trades, with the stream's IDs; `pagesBackwards`, whether their
  /// pages are requested by number, the latest first.
  public init(
    _ instrument: InstrumentKey, hasVenueHistory: Bool,
    venueIntervals: [CandleInterval] = keptIntervals.dropLast(), givesTrades: Bool = true,
    pagesBackwards: Bool = false, priceScale: Scale = Scale(clamping: 8)
  ) {
    self.instrument = instrument
    self.priceScale = priceScale
    self.venueIntervals = hasVenueHistory ? Set(venueIntervals) : []
    self.givesTrades = hasVenueHistory && givesTrades
    self.pagesBackwards = pagesBackwards
    status = hasVenueHistory ? .loading : .none
    tables = HistoryJoin.keptIntervals.map {
      CandleTable(limit: $0 == .minute ? HistoryJoin.maximumMinutes : HistoryJoin.maximumCandles)
    }
  }

  /// Starts again in other price units with the same intervals requested; drops all candles.
  public mutating func restart(priceScale: Scale) {
    var next = HistoryJoin(
      instrument, hasVenueHistory: status != .none, venueIntervals: Array(venueIntervals),
      givesTrades: givesTrades, pagesBackwards: pagesBackwards, priceScale: priceScale)
    next.plan.needed = plan.needed
    next.revision = revision &+ 1
    self = next
  }

  /// Starts requesting an interval and returns the requests needed; none below a minute.
  public mutating func want(_ interval: CandleInterval, at now: ClockReading) -> [HistoryRequest] {
    advance(to: now)
    if interval.rawValue >= CandleInterval.minute.rawValue {
      plan.needed.formUnion(needed(for: interval))
    }
    refreshDirty()
    countRevision()
    return requests(at: now)
  }

  /// Whether the venue's candles of an interval are being loaded for the first time.
  public func isAwaited(_ interval: CandleInterval) -> Bool {
    guard venueIntervals.contains(interval), !plan.hasLoaded(interval) else { return false }
    if case .failed = status { return false }
    return true
  }

  /// Stops requests until the next ``want(_:at:)``.
  public mutating func wantNoMore() { plan.needed = [] }

  /// Applies a trade from the stream or a snapshot, unless its ID was already applied.
  ///
  /// Its effect on a closed minute shows with the next call of another kind.
  public mutating func receive(_ trade: VenueTrade, at now: ClockReading) {
    advance(to: now)
    if isNumbered == nil { isNumbered = trade.identifier > 0 }
    guard let placed = place(trade) else {
      unreadable &+= 1
      return
    }
    if isNumbered == true {
      takeNumbered(placed)
    } else {
      _ = trades.insert(placed)
      note(tradeAt: placed.milliseconds)
      markDirty(from: placed.milliseconds)
    }
    closeMinutes()
    countRevision()
  }

  /// Applies the stream's freshness; returns the requests needed.
  ///
  /// Late and closed streams are complete. Call it before ``timer(at:)`` if both are due.
  public mutating func judge(_ freshness: Freshness, at now: ClockReading) -> [HistoryRequest] {
    switch freshness.state {
    case .stale, .resyncing, .disconnected:
      let silence = freshness.confirmedAt.map { now.monotonic.milliseconds(since: $0.monotonic) }
      let time = steadyTime(at: now)
      interrupt(at: time - max(0, silence ?? 0))
      advance(to: now)
    case .live, .late, .closed:
      advance(to: now)
      if runs.presentSince == nil, let clock {
        runs.appear(at: clock)
        plan.fillsFrom = now.monotonic.adding(milliseconds: 1000)
      }
    case .waiting, .queued: advance(to: now)
    }
    refreshDirty()
    countRevision()
    return requests(at: now)
  }

  /// Handles the timer, about once a second; a pause over 15 s is an interruption.
  public mutating func timer(at now: ClockReading) -> [HistoryRequest] {
    advance(to: now)
    refreshDirty()
    countRevision()
    return requests(at: now)
  }

  /// The candles of an interval, oldest first, including the open one; empty below a minute.
  public func candles(of interval: CandleInterval) -> [Candle] {
    guard let level = HistoryJoin.level(interval) else { return [] }
    var candles = tables[level].candles
    guard let clock, let closedThrough else { return candles }
    var start = interval.start(of: closedThrough)
    if let last = candles.last, last.start >= start {
      start = last.start + interval.milliseconds
    }
    while start <= clock {
      if let candle = fold(interval, start, until: clock) { candles.append(candle) }
      start += interval.milliseconds
    }
    return candles
  }

  /// The times without data for minutes, in order.
  public var gaps: [SeriesGap] { gaps(of: .minute) }

  /// The times without data for an interval's candles, in order; at most the latest 256.
  public func gaps(of interval: CandleInterval) -> [SeriesGap] {
    guard let clock, let level = HistoryJoin.level(interval) else { return [] }
    var spans = runs.spans(until: clock)
    for level in Set([0, level]) {
      let length = HistoryJoin.keptIntervals[level].milliseconds
      for candle in tables[level].candles where candle.missing == 0 {
        spans.insert(candle.start, candle.start + length)
      }
    }
    let oldest = [tables[0].candles.first?.start, tables[level].candles.first?.start]
    let start = oldest.compactMap { $0 }.min() ?? spans.spans.first?.lowerBound ?? clock
    return Array(spans.holes(start, clock).suffix(CandleSeries.maximumGaps))
  }

  /// The candles that closed or changed since the last call, in time order, for the store.
  ///
  /// A candle without trades whose whole span is missing revokes a stored one.
  public mutating func takeClosed() -> [(interval: CandleInterval, candle: Candle)] {
    refreshDirty()
    countRevision()
    var closed: [(interval: CandleInterval, candle: Candle)] = []
    for place in unsaved.sorted(by: { ($0.level, $0.start) < ($1.level, $1.start) }) {
      guard let candle = tables[place.level][place.start] else { continue }
      closed.append((HistoryJoin.keptIntervals[place.level], candle))
    }
    for candle in withdrawn.values.sorted(by: { $0.start < $1.start }) {
      closed.append((.minute, candle))
    }
    (unsaved, withdrawn) = ([], [:])
    return closed
  }

  /// The table index of an interval; nil below a minute.
  static func level(_ interval: CandleInterval) -> Int? {
    let level = Int(interval.rawValue) - Int(CandleInterval.minute.rawValue)
    return level >= 0 ? level : nil
  }
}

struct CandlePlace: Hashable, Sendable {
  let level: Int
  let start: Int64
}

// MARK: - Five minutes and longer

// The venue's candles; until they arrive, those of the next finer interval merged.

extension HistoryJoin {
  /// Rebuilds the closed coarse candles from a time on.
  mutating func refreshCoarse(from time: Int64) {
    guard let closedThrough, time < closedThrough else { return }
    for level in tables.indices.dropFirst() {
      let interval = HistoryJoin.keptIntervals[level]
      let oldest = closedThrough - Int64(HistoryJoin.maximumCandles) * interval.milliseconds
      var start = interval.start(of: max(time, oldest))
      while start + interval.milliseconds <= closedThrough {
        let former = tables[level][start]
        let isFinal = former.map { $0.source == .venue && $0.missing == 0 } ?? false
        if !isFinal, let candle = finerFold(level, start, until: closedThrough),
          candle.missing <= former?.missing ?? .max || knowsMinutes(since: start)
        {
          _ = put(candle, level: level)
        }
        start += interval.milliseconds
      }
    }
  }

  private func knowsMinutes(since start: Int64) -> Bool {
    tables[0].candles.first.map { $0.start <= start } ?? false
  }

  /// The candle of a span that may still be open, up to a time.
  func fold(_ interval: CandleInterval, _ start: Int64, until clock: Int64) -> Candle? {
    guard let level = HistoryJoin.level(interval) else { return nil }
    guard let closedThrough, level > 0 || start >= closedThrough else {
      return tables[level][start]
    }
    if level == 0 {
      let end = min(start + interval.milliseconds, max(clock, start + 1))
      return forming(start, until: end)
    }
    if let kept = tables[level][start], kept.missing == 0 { return kept }
    let folded = finerFold(level, start, until: clock)
    guard let kept = tables[level][start] else { return folded }
    guard let folded, folded.missing < kept.missing else { return kept }
    return folded
  }

  /// A candle merged from the next finer ones.
  private func finerFold(_ level: Int, _ start: Int64, until clock: Int64) -> Candle? {
    let end = min(start + HistoryJoin.keptIntervals[level].milliseconds, clock)
    guard hasAny(below: level, start, end) else { return nil }
    let finer = HistoryJoin.keptIntervals[level - 1]
    var sum = CandleFold(start: start)
    var time = start
    while time < end {
      let part = time + finer.milliseconds
      if let candle = fold(finer, time, until: clock) {
        sum.add(candle)
      } else {
        let elapsed = min(part, end) - time
        let isSilent = finer == .minute && runs.spans(until: clock).contains(time, time + elapsed)
        if !isSilent { sum.skip(elapsed) }
      }
      time = part
    }
    return sum.result
  }

  private func hasAny(below level: Int, _ from: Int64, _ until: Int64) -> Bool {
    if let closedThrough, until > closedThrough { return true }
    return tables[..<level].contains { $0.hasAny(from, until) }
  }

  func forming(_ start: Int64, until end: Int64) -> Candle? {
    guard let clock else { return nil }
    let spans = runs.spans(until: clock)
    // A first trade at the very start of a minute includes that millisecond.
    let isAtStart = clock == start && trades.candle(start) != nil
    let heard = isAtStart ? runs.spans(until: clock + 1) : spans
    if let candle = built(start, until: end, heard) { return candle }
    // The previous minute may still be open itself.
    guard let closedThrough, start > closedThrough,
      let before = forming(start - 60_000, until: start), before.missing == 0,
      spans.contains(start, end), end > start
    else { return nil }
    return Candle(
      start: start, open: before.close, high: before.close, low: before.close,
      close: before.close, volume: .zero, count: 0, source: before.source)
  }
}
