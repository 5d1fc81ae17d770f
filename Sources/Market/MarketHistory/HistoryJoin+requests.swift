public import ChartModel
public import MarketModel

extension HistoryJoin {
  /// Older holes are left to the venue's candles, which reach as far, in milliseconds.
  private static let oldestHole: Int64 = 43_200_000

  /// Applies the venue's response, unless unmatched, and returns the next requests.
  public mutating func receive(
    _ response: Result<HistoryResponse, HistoryFailure>, to request: HistoryRequest,
    at now: ClockReading
  ) -> [HistoryRequest] {
    advance(to: now)
    refreshDirty()
    guard plan.take(request) else { return [] }
    if let failure = take(response, to: request, at: now) {
      fail(request, failure, at: now)
    } else {
      if plan.succeed(request) { status = plan.hasLoaded(.minute) ? .ready : .loading }
      if request == .candles(.minute) { status = .ready }
    }
    refreshDirty()
    countRevision()
    return requests(at: now)
  }

  /// Restores stored, valid candles with their quantity scale; keeps more complete existing ones.
  public mutating func restore(
    _ candles: [Candle], of interval: CandleInterval, quantityScale scale: Scale? = nil
  ) {
    guard let level = HistoryJoin.level(interval) else { return }
    if let scale, scale > quantityScale { makeQuantitiesFiner(scale) }
    let factor = scale.map { powerOfTen(Int(quantityScale.digits - min($0, quantityScale).digits)) }
    var rows: [Candle] = []
    for var candle in candles {
      guard interval.start(of: candle.start) == candle.start, candle.start >= 0,
        candle.start > rows.last?.start ?? -1, closedThrough.map({ candle.start < $0 }) ?? true,
        candle.low <= candle.open, candle.open <= candle.high, candle.low <= candle.close,
        candle.close <= candle.high, candle.volume >= .zero, candle.count >= 0,
        candle.missing < interval.milliseconds
      else { continue }
      if let factor { candle.volume = candle.volume.scaled(factor) }
      if let known = tables[level][candle.start], known.missing <= candle.missing { continue }
      rows.append(candle)
    }
    if !tables[level].merge(rows).isEmpty { revision &+= 1 }
    // The trades of these minutes are gone with the process that received them.
    if level == 0, let newest = rows.last?.start { trades.letGo(through: newest) }
  }

  private mutating func take(
    _ response: Result<HistoryResponse, HistoryFailure>, to request: HistoryRequest,
    at now: ClockReading
  ) -> HistoryFailure? {
    switch (response, request) {
    case (.failure(let failure), _): return failure
    case (.success(.candles(let candles)), .candles(let interval)):
      return take(candles, of: interval, at: now)
    case (.success(.trades(let page)), _) where request.isOfTrades:
      return take(page, to: request, at: now)
    case (.success(.names), .names): return nil
    default: return .badAnswer("an answer to another question")
    }
  }

  private mutating func fail(
    _ request: HistoryRequest, _ failure: HistoryFailure, at now: ClockReading
  ) {
    if request.isOfTrades, failure == .unknownInstrument {
      (givesTrades, plan.fill) = (false, nil)
      return
    }
    plan.fail(request, failure, at: now.monotonic)
    status = .failed(failure)
  }

  private mutating func take(
    _ answer: VenueCandles, of interval: CandleInterval, at now: ClockReading
  ) -> HistoryFailure? {
    guard let level = HistoryJoin.level(interval), let clock else { return nil }
    var rows: [Candle] = []
    for row in answer.rows where row.start <= answer.lastCommitted ?? .min {
      guard let candle = candle(row), row.start > rows.last?.start ?? -1,
        interval.start(of: row.start) == row.start
      else { return .badAnswer("the candle at \(row.start) can't be") }
      guard row.start + interval.milliseconds <= clock + HistoryJoin.impossibleLead else {
        return .badAnswer("the candle at \(row.start) is of the future")
      }
      rows.append(candle)
    }
    plan.load(interval, committed: answer.lastCommitted, at: now.monotonic)
    guard let last = rows.last else { return nil }
    let judgedRows = rows.map { row in level == 0 ? judgedMinute(row) : judgedCoarse(row, level) }
    let changed = tables[level].merge(judgedRows)
    for start in changed {
      unsaved.insert(CandlePlace(level: level, start: start))
      if level == 0 { withdrawn[start] = nil }
    }
    if !changed.isEmpty { hasChanged = true }
    guard level == 0 else { return nil }
    if let closedThrough, last.start >= closedThrough {
      self.closedThrough = last.start + interval.milliseconds
    }
    refreshCoarse(from: changed.first ?? last.start)
    // Minutes without trades follow from the previous close.
    markDirty(from: last.start + interval.milliseconds)
    return nil
  }

  private mutating func candle(_ row: VenueCandle) -> Candle? {
    guard let open = price(row.open), let high = price(row.high), let low = price(row.low),
      let close = price(row.close), let volume = quantity(row.volume)
    else { return nil }
    if row.count == nil { countsTrades = false }
    return Candle(
      start: row.start, open: open, high: high, low: low, close: close, volume: volume,
      count: row.leastCount, source: .venue)
  }

  private mutating func judgedMinute(_ row: Candle) -> Candle {
    let former = tables[0][row.start]
    let ours = former.flatMap { $0.source == .trades ? $0 : nil }
    return judged(ours, against: row) ?? row
  }

  /// Different coarse candles of ours give way: they may contain the venue's own minutes.
  private func judgedCoarse(_ row: Candle, _ level: Int) -> Candle {
    guard var ours = tables[level][row.start], ours.source == .trades, ours.missing == 0,
      ours.hasSameFigures(as: row, counting: countsTrades)
    else { return row }
    ours.proof = .proven
    return ours
  }

  mutating func requests(at now: ClockReading) -> [HistoryRequest] {
    guard !venueIntervals.isEmpty else { return [] }
    plan.forgetLost(at: now.monotonic)
    guard plan.mayAsk(at: now.monotonic) else { return [] }
    var requests: [HistoryRequest] = []
    for interval in HistoryJoin.keptIntervals where isDue(interval, at: now.monotonic) {
      let request = HistoryRequest.candles(interval)
      if plan.ask(request, at: now.monotonic) { requests.append(request) }
    }
    if plan.fill == nil { plan.fill = nextFill(at: now.monotonic) }
    if let fill = plan.fill, plan.ask(fill.request, at: now.monotonic) {
      requests.append(fill.request)
    }
    return requests
  }

  /// Minutes are due once a minute, others after an incomplete one closed.
  private func isDue(_ interval: CandleInterval, at now: MonotonicTime) -> Bool {
    guard plan.needed.contains(interval), plan.isDue(interval, at: now) else { return false }
    guard interval != .minute, plan.hasLoaded(interval), let level = HistoryJoin.level(interval),
      let closedThrough
    else { return true }
    let newest = interval.start(of: closedThrough) - interval.milliseconds
    return (0..<8).contains { back in
      let start = newest - Int64(back) * interval.milliseconds
      guard start > plan.committed[interval] ?? 0 else { return false }
      return (tables[level][start]?.missing ?? 1) > 0
    }
  }

  /// The intervals to request for a viewed one: if the venue lacks it, the next finer one.
  ///
  /// The open candle of a day needs more than 12 hours of minutes.
  func needed(for wanted: CandleInterval) -> [CandleInterval] {
    var needed: [CandleInterval] = [.minute]
    if wanted.rawValue >= CandleInterval.day.rawValue { needed.append(.fiveMinutes) }
    let nearest = HistoryJoin.keptIntervals.last {
      $0.rawValue <= wanted.rawValue && venueIntervals.contains($0)
    }
    if let nearest { needed.append(nearest) }
    return needed.filter { venueIntervals.contains($0) }
  }

  /// The trades to fetch: of the latest hole, else of the open minute from its start.
  private mutating func nextFill(at now: MonotonicTime) -> HistoryPlan.Fill? {
    guard givesTrades, isNumbered != false, plan.hasLoaded(.minute), runs.presentSince != nil,
      let clock, let closedThrough, plan.fillsFrom.map({ now >= $0 }) ?? true
    else { return nil }
    if let (hole, run) = runs.latestHole, plan.triedHole != hole,
      clock - run.lastTime < HistoryJoin.oldestHole
    {
      plan.triedHole = hole
      if case .before(let identifier) = hole {
        return fill(after: run.lastTime, before: identifier)
      }
      return fill(after: run.lastTime)
    }
    let committed = plan.committed[.minute].map { $0 + 60_000 } ?? closedThrough
    let start = max(min(closedThrough, committed), closedThrough - 600_000)
    guard plan.filledMinute != start, !runs.spans(until: clock).contains(start, clock) else {
      return nil
    }
    plan.filledMinute = start
    return fill(after: start, before: runs.runs.last?.first)
  }

  /// The trades from a time on; where pages run backwards, those before a number, nil for all.
  private func fill(after time: Int64, before identifier: Int64? = nil) -> HistoryPlan.Fill {
    // The cursor is exclusive, but a trade at that very time counts.
    let cursor = HistoryCursor(String(time * 1_000_000 - 1))
    return HistoryPlan.Fill(
      request: pagesBackwards ? .tradesBefore(identifier) : .trades(after: cursor), from: time,
      presentSince: runs.presentSince)
  }
}
