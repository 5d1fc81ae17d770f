// What the feed brings: trades, and times without them.

public import MarketModel

extension AlertBook {
  /// Takes a trade of an instrument.
  ///
  /// A trade at or before the last one taken never counts again, so that what a venue repeats after
  /// a reconnect fires nothing twice; one of an instrument without alerts means nothing.
  ///
  /// - Returns: what it fired, in the order in which the alerts were made.
  public mutating func receive(
    _ trade: AlertTrade, of instrument: InstrumentKey, at now: Timestamp
  ) -> [AlertFiring] {
    guard var watch = watches[instrument], watch.isNew(trade) else { return [] }
    if let since = watch.openSince { note(instrument, since, now) }
    let blindSince = watch.unseenSince
    (watch.openSince, watch.unseenSince) = (nil, nil)
    watch.mark = AlertWatch.Mark(
      price: trade.price, time: trade.time, identifier: trade.identifier, arrival: trade.arrival)
    watches[instrument] = watch
    var fired: [AlertFiring] = []
    for index in alerts.indices where alerts[index].instrument == instrument {
      guard alerts[index].isFollowed, let from = alerts[index].receive(trade.price) else {
        continue
      }
      alerts[index].firedAt = now
      fired.append(
        AlertFiring(
          number: nextFiring, alert: alerts[index].id, instrument: instrument,
          level: alerts[index].level, from: from, price: trade.price, time: trade.time,
          identifier: trade.identifier, at: now, blindSince: blindSince))
      nextFiring += 1
    }
    firings += fired
    if firings.count > AlertBook.maximumFirings {
      firings.removeFirst(firings.count - AlertBook.maximumFirings)
    }
    if !fired.isEmpty { forgetUnfollowed(instrument) }
    return fired
  }

  /// Takes the latest trades as the venue's tape has them, newest first.
  ///
  /// After a restart those count that came while nobody listened; for an instrument that is new
  /// here, the newest alone, which tells on which side its alerts begin.
  public mutating func receive(
    _ tape: TapeView, of instrument: InstrumentKey, at now: Timestamp
  ) -> [AlertFiring] {
    guard let watch = watches[instrument] else { return [] }
    let trades = watch.mark == nil ? tape.trades.prefix(1) : tape.trades[...]
    return trades.reversed().flatMap {
      receive(AlertTrade($0, scale: tape.priceScale), of: instrument, at: now)
    }
  }

  /// Trades of an instrument can't be seen from `since` on; ignored when that is known.
  public mutating func lose(_ instrument: InstrumentKey, since: Timestamp) {
    guard let watch = watches[instrument], watch.openSince == nil else { return }
    watches[instrument]?.openSince = since
    watches[instrument]?.mark?.arrival = nil
    watches[instrument]?.unseenSince = watch.unseenSince ?? since
  }

  /// Trades of an instrument are seen again; those before may have been missed.
  public mutating func see(_ instrument: InstrumentKey, at now: Timestamp) {
    guard let since = watches[instrument]?.openSince else { return }
    watches[instrument]?.openSince = nil
    note(instrument, since, now)
  }

  /// Everything until `now` is in here.
  public mutating func mark(at now: Timestamp) { seenUntil = now }

  /// A process begins with what another has kept: since then nothing was seen.
  public mutating func resume(at now: Timestamp) {
    let since = min(seenUntil ?? now, now)
    for instrument in watches.keys {
      lose(instrument, since: since)
      watches[instrument]?.mark?.arrival = nil
    }
  }

  private mutating func forgetUnfollowed(_ instrument: InstrumentKey) {
    let isFollowed = alerts.contains { $0.instrument == instrument && $0.isFollowed }
    if !isFollowed { watches[instrument] = nil }
  }
}
