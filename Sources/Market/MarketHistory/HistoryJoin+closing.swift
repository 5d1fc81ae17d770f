import ChartModel
import MarketModel

extension HistoryJoin {
  /// How long a minute waits for late trades, in milliseconds.
  static let grace: Int64 = 2000
  /// A longer pause between calls counts as an interruption of the stream.
  static let pauseMilliseconds: Int64 = 15_000

  mutating func steadyTime(at now: ClockReading) -> Int64 {
    min(max(0, steady.milliseconds(at: now)), CandleSeries.maximumTime)
  }

  mutating func advance(to now: ClockReading) {
    let time = steadyTime(at: now)
    guard let former = clock else {
      clock = time
      closedThrough = CandleInterval.minute.start(of: time)
      return
    }
    if time > former + HistoryJoin.pauseMilliseconds, runs.presentSince != nil {
      interrupt(at: former)
      clock = time
      runs.appear(at: time)
      plan.fillsFrom = now.monotonic.adding(milliseconds: 1000)
    }
    clock = max(former, time)
    closeMinutes()
    noteSilence(since: former)
  }

  /// A minute that ended without trades shows at once, though late trades keep it from closing.
  private mutating func noteSilence(since former: Int64) {
    guard let clock, let closedThrough else { return }
    let minute = CandleInterval.minute.milliseconds
    let ended = CandleInterval.minute.start(of: clock) - minute
    guard ended >= closedThrough, ended + minute > former,
      let candle = forming(ended, until: ended + minute), !candle.hasTrades
    else { return }
    hasChanged = true
  }

  /// Ends the stream's presence at a time; data then in transit is lost.
  mutating func interrupt(at time: Int64) {
    guard let since = runs.presentSince else { return }
    let last = max(time - HistoryJoin.grace, since)
    runs.disappear(at: last)
    markDirty(from: last)
  }

  mutating func closeMinutes() {
    guard let clock, let first = closedThrough else { return }
    let minute = CandleInterval.minute.milliseconds
    let byClock = CandleInterval.minute.start(of: clock - HistoryJoin.grace)
    let byTrade = newestTrade.map { CandleInterval.minute.start(of: $0) } ?? 0
    let end = max(byClock, byTrade)
    guard end > first else { return }
    closedThrough = end
    let oldest = end - Int64(HistoryJoin.maximumMinutes) * minute
    refreshDirty(before: first)
    refresh(from: max(first, oldest), isClosing: true)
  }

  /// Marks closed minutes from a time on for rebuilding.
  mutating func markDirty(from time: Int64) {
    guard let closedThrough, time < closedThrough else { return }
    dirtyFrom = min(dirtyFrom ?? time, time)
  }

  mutating func refreshDirty(before end: Int64? = nil) {
    guard let time = dirtyFrom else { return }
    dirtyFrom = nil
    refresh(from: time, before: end)
  }

  /// Rebuilds the closed minutes from a time on, and the coarse candles that contain them.
  private mutating func refresh(
    from time: Int64, before limit: Int64? = nil, isClosing: Bool = false
  ) {
    guard let clock, let closedThrough, time < closedThrough else { return }
    let end = limit ?? closedThrough
    let minute = CandleInterval.minute.milliseconds
    let oldest = closedThrough - Int64(HistoryJoin.maximumMinutes) * minute
    let spans = runs.spans(until: clock)
    var start = CandleInterval.minute.start(of: max(time, oldest))
    var changedFrom: Int64?
    while start < end {
      let candle = settled(start, spans)
      let changed = candle.map { put($0, level: 0) } ?? drop(start)
      if changed {
        changedFrom = changedFrom ?? start
        if !isClosing || candle?.count == 0 { hasChanged = true }
      }
      start += minute
    }
    refreshCoarse(from: isClosing ? time : changedFrom ?? closedThrough)
  }

  /// The candle of a closed minute by all current data.
  private mutating func settled(_ start: Int64, _ spans: TimeSpans) -> Candle? {
    let former = tables[0][start]
    let end = start + CandleInterval.minute.milliseconds
    guard start > trades.floor else {
      // Its trades were dropped, but a new hole may affect it.
      guard var candle = former, candle.source == .trades, candle.proof == .none else {
        return former
      }
      let missing = CandleInterval.minute.milliseconds - spans.covered(start, end)
      guard missing > 0, isRemembered(start) else { return former }
      candle.missing = Int32(clamping: missing)
      candle.source = .seen
      return candle.count == 0 ? nil : candle
    }
    var ours = built(start, until: end, spans)
    let venues = venueRow(start, former)
    if venues == nil, let former, former.proof == .contradicted, let same = ours,
      same.missing == 0, same.hasSameFigures(as: former, counting: countsTrades)
    {
      ours?.proof = .contradicted
    }
    return judged(ours, against: venues)
  }

  /// Whether the trade IDs reach back to a minute.
  private func isRemembered(_ start: Int64) -> Bool {
    runs.runs.first.map { $0.from <= start } ?? false
  }

  /// The candle of a minute's trades up to a time.
  func built(_ start: Int64, until end: Int64, _ spans: TimeSpans) -> Candle? {
    let missing = max(0, end - start - spans.covered(start, end))
    if var candle = trades.candle(start) {
      candle.missing = Int32(clamping: missing)
      candle.source = isNumbered == true && missing == 0 ? .trades : .seen
      return candle
    }
    // A minute without trades is a candle only if that is certain and has a previous price.
    guard missing == 0, end > start, let before = tables[0][start - 60_000],
      before.missing == 0 || spans.contains(start - 1, start)
    else { return nil }
    return Candle(
      start: start, open: before.close, high: before.close, low: before.close,
      close: before.close, volume: .zero, count: 0, missing: 0,
      source: isNumbered == true ? .trades : .seen)
  }

  private func venueRow(_ start: Int64, _ former: Candle?) -> Candle? {
    if let mismatch = mismatches.last(where: { $0.ours.start == start }) { return mismatch.venues }
    guard var candle = former, candle.source == .venue || candle.proof == .proven else {
      return nil
    }
    (candle.source, candle.proof) = (.venue, .none)
    return candle
  }

  /// Equal candles are proven, complete ones of ours are kept, others give way to the venue's.
  mutating func judged(_ ours: Candle?, against venues: Candle?) -> Candle? {
    guard let venues else { return ours }
    mismatches.removeAll { $0.ours.start == venues.start }
    guard var ours, ours.source == .trades, ours.missing == 0 else { return venues }
    if ours.hasSameFigures(as: venues, counting: countsTrades) {
      ours.proof = .proven
      return ours
    }
    ours.proof = .contradicted
    mismatches.append(CandleMismatch(interval: .minute, ours: ours, venues: venues))
    mismatches.sort { $0.ours.start < $1.ours.start }
    if mismatches.count > HistoryJoin.maximumMismatches { mismatches.removeFirst() }
    return ours
  }

  mutating func put(_ candle: Candle, level: Int) -> Bool {
    guard tables[level].put(candle) else { return false }
    unsaved.insert(CandlePlace(level: level, start: candle.start))
    if level == 0 { withdrawn[candle.start] = nil }
    return true
  }

  /// Removes a minute that turned out not to be seen; false if missing.
  private mutating func drop(_ start: Int64) -> Bool {
    guard let former = tables[0][start], tables[0].remove(start) else { return false }
    let wasSaved = unsaved.remove(CandlePlace(level: 0, start: start)) == nil
    if wasSaved, withdrawn.count < HistoryJoin.maximumMinutes {
      withdrawn[start] = Candle(
        start: start, open: former.close, high: former.close, low: former.close,
        close: former.close, volume: .zero, count: 0,
        missing: Int32(clamping: CandleInterval.minute.milliseconds))
    }
    return true
  }

  mutating func countRevision() {
    if hasChanged { revision &+= 1 }
    hasChanged = false
  }
}
