import ChartModel
import MarketModel

extension HistoryJoin {
  private static let finestQuantity = Scale(clamping: 12)
  /// Trades and candles this far ahead of the clock are invalid, in milliseconds.
  static let impossibleLead: Int64 = 60_000

  /// Converts a trade to the chart's units; nil if impossible, or without a time.
  mutating func place(_ trade: VenueTrade) -> PlacedTrade? {
    let time = trade.time.milliseconds
    guard time > 0, time <= CandleSeries.maximumTime, let price = price(trade.price),
      let quantity = quantity(trade.quantity), quantity >= .zero
    else { return nil }
    return PlacedTrade(
      identifier: trade.identifier, covered: trade.covered, nanoseconds: trade.time.nanoseconds,
      price: price, quantity: quantity)
  }

  func price(_ value: FixedDecimal) -> Price? {
    value.exactly(at: priceScale).map { Price(units: $0.units) }
  }

  /// A quantity in units of ``quantityScale``, which is refined if needed.
  mutating func quantity(_ value: FixedDecimal) -> Quantity? {
    if value.scale > quantityScale {
      let finer = min(value.scale, HistoryJoin.finestQuantity)
      if finer > quantityScale { makeQuantitiesFiner(finer) }
    }
    return value.exactly(at: quantityScale).map { Quantity(units: $0.units) }
  }

  mutating func makeQuantitiesFiner(_ scale: Scale) {
    let factor = powerOfTen(Int(scale.digits - quantityScale.digits))
    quantityScale = scale
    trades.scaleVolumes(by: factor)
    for level in tables.indices { tables[level].scaleVolumes(by: factor) }
    mismatches = mismatches.map { mismatch in
      var (ours, venues) = (mismatch.ours, mismatch.venues)
      ours.volume = ours.volume.scaled(factor)
      venues.volume = venues.volume.scaled(factor)
      return CandleMismatch(interval: mismatch.interval, ours: ours, venues: venues)
    }
  }

  mutating func takeNumbered(_ trade: PlacedTrade) {
    // A venue with trade IDs numbers all trades; without one, this trade can't be identified.
    guard trade.identifier > 0 else {
      unreadable &+= 1
      return
    }
    let time = trade.milliseconds
    if runs.isRestart(trade.identifier, at: time) {
      runs.restart(at: max(clock ?? time, time))
      // Numbers of before lead to other trades.
      if pagesBackwards { plan.fill = nil }
    }
    // One that is known in part is left to the history, so that no fill counts twice.
    guard !runs.containsAny(of: trade.first, trade.identifier) else { return }
    let affected = runs.insert(trade.identifier, from: trade.first, at: time, isLive: true)
    _ = trades.insert(trade)
    note(tradeAt: time)
    markDirty(from: min(affected ?? time, time))
  }

  mutating func take(
    _ page: VenueTrades, to request: HistoryRequest, at now: ClockReading
  ) -> HistoryFailure? {
    guard var fill = plan.fill, fill.request == request, let clock else { return nil }
    var placed: [PlacedTrade] = []
    for trade in page.trades {
      guard trade.identifier > 0, let trade = place(trade) else {
        return .badAnswer("trade \(trade.identifier) can't be")
      }
      guard trade.milliseconds <= clock + HistoryJoin.impossibleLead else {
        return .badAnswer("trade \(trade.identifier) is of the future")
      }
      placed.append(trade)
    }
    guard agrees(placed) else {
      // The history's IDs differ from the stream's: the gap stays and is marked.
      (givesTrades, plan.fill) = (false, nil)
      return nil
    }
    let target = runs.runs.last
    var affected = fill.from
    // Backwards from a known trade, each one leads the one after it.
    for trade in pagesBackwards ? placed.reversed() : placed
    where !runs.contains(trade.identifier) {
      let time = trade.milliseconds
      if let changed = runs.insert(trade.identifier, at: time, isLive: false) {
        affected = min(affected, changed)
      }
      _ = trades.insert(trade)
      affected = min(affected, time)
      note(tradeAt: time)
    }
    isNumbered = isNumbered ?? (placed.isEmpty ? nil : true)
    fill.pages += 1
    if pagesBackwards {
      finishBackwardPage(placed, fill)
    } else {
      if fill.pages == 1, let first = placed.first {
        runs.vouch(for: first.identifier, from: fill.from)
      } else if fill.pages == 1 {
        runs.vouch(fill.from, clock)
      }
      finishPage(placed, page.next, fill, reaching: target)
    }
    markDirty(from: affected)
    closeMinutes()
    return nil
  }

  private mutating func finishPage(
    _ placed: [PlacedTrade], _ next: HistoryCursor, _ fill: HistoryPlan.Fill,
    reaching target: TradeRun?
  ) {
    var fill = fill
    var isDone = placed.isEmpty || .trades(after: next) == fill.request
    if let newest = placed.last?.identifier, let target {
      isDone = isDone || (newest >= target.first && newest <= target.last)
    }
    if isDone {
      confirmLatest(placed.last, fill)
      plan.fill = nil
    } else if fill.pages >= HistoryPlan.maximumPages {
      plan.fill = nil
      // The pages may have moved the start of the hole, but it is the same one.
      plan.triedHole = runs.latestHole?.hole
    } else {
      fill.request = .trades(after: next)
      plan.fill = fill
    }
  }

  /// Applies that the venue has no trade after the newest one of a page, or none at all.
  private mutating func confirmLatest(_ newest: PlacedTrade?, _ fill: HistoryPlan.Fill) {
    let isLatest = newest.map { $0.identifier == runs.runs.last?.last } ?? true
    if isLatest, fill.presentSince != nil, fill.presentSince == runs.presentSince {
      runs.confirmLatest()
    }
  }

  /// Requests the page before this one until its trades reach the fill's time without a hole.
  ///
  /// An empty page proves nothing: a venue may keep trades for a while only.
  private mutating func finishBackwardPage(_ placed: [PlacedTrade], _ fill: HistoryPlan.Fill) {
    var fill = fill
    plan.fill = nil
    if fill.request == .tradesBefore(nil), !placed.isEmpty { confirmLatest(placed.last, fill) }
    let run = placed.first.flatMap { runs.run(of: $0.identifier) }
    if let run, run.from > fill.from, fill.pages < HistoryPlan.maximumBackwardPages {
      fill.request = .tradesBefore(run.first)
      plan.fill = fill
    } else if let (hole, after) = runs.latestHole, after.lastTime == fill.from {
      // The pages have moved the end of the hole, but it is the same one.
      plan.triedHole = hole
    }
  }

  /// Whether a page numbers its trades like the stream: trades in both must be equal.
  private func agrees(_ page: [PlacedTrade]) -> Bool {
    var (same, different) = (0, 0)
    for trade in page {
      if runs.contains(trade.identifier) {
        guard let known = trades.trade(trade.identifier, at: trade.milliseconds) else { continue }
        let isSame =
          known.price == trade.price
          && (known.covered > 1
            ? trade.quantity <= known.quantity : trade.quantity == known.quantity)
        if isSame { same += 1 } else { different += 1 }
      } else if runs.runs.contains(where: { run in
        run.from < trade.milliseconds && trade.milliseconds < run.lastTime
          && (trade.identifier < run.first || trade.identifier > run.last)
      }) {
        different += 1
      }
    }
    return different == 0 || different < same
  }

  mutating func note(tradeAt time: Int64) {
    newestTrade = max(newestTrade ?? time, time)
    if let clock, time > clock { self.clock = time }
  }
}
