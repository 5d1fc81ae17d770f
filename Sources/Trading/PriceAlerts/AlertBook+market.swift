public import MarketModel

// MARK: - Trades, and times without them

extension AlertBook {
  /// Applies a trade of an instrument.
  ///
  /// A trade at or before the last applied one is ignored, so trades repeated after a reconnect
  /// fire nothing twice. A trade of an instrument without alerts is ignored.
  ///
  /// - Returns: the firings, in the order in which the alerts were created.
  public mutating func receive(
    _ trade: AlertTrade, of instrument: InstrumentKey, at now: Timestamp
  ) -> [AlertFiring] {
    guard var watch = watches[instrument], watch.isNew(trade) else { return [] }
    if let since = watch.openSince { note(instrument, since, now) }
    let (last, blindSince) = (watch.mark?.price, watch.unseenSince)
    (watch.openSince, watch.unseenSince) = (nil, nil)
    watch.mark = AlertWatch.Mark(
      price: trade.price, time: trade.time, identifier: trade.identifier, arrival: trade.arrival)
    watches[instrument] = watch
    return fire(instrument, trade, at: now) {
      $0.receive(trade, after: last, unseenSince: blindSince, at: now)
    }
  }

  /// Applies the current state of an instrument's book or best prices.
  public mutating func receive(
    _ book: AlertBookState, of instrument: InstrumentKey, at now: Timestamp
  ) -> [AlertFiring] {
    guard let watch = watches[instrument] else { return [] }
    watches[instrument]?.receive(book, at: now)
    return fire(instrument, at: now) { alert in
      switch alert.condition {
      case .spread: alert.measure(book.spread, blindSince: watch.bookUnseenSince, at: now)
      case .invalidBook where book != .invalid:
        alert.measure(FixedDecimal(units: 0, scale: .whole), at: now)
      case .invalidBook, .price, .change, .volume: nil
      }
    }
  }

  /// Applies the time: how long books are invalid, and windows that move on without trades.
  ///
  /// For about once a second.
  public mutating func advance(to now: Timestamp) -> [AlertFiring] {
    watches.keys.sorted { $0.text < $1.text }.flatMap { instrument -> [AlertFiring] in
      let seconds = watches[instrument]?.invalidSeconds(at: now)
      let watch = watches[instrument]
      return fire(instrument, at: now) { alert in
        switch alert.condition {
        case .spread:
          return alert.measure(watch?.book?.spread, blindSince: watch?.bookUnseenSince, at: now)
        case .invalidBook: return alert.measure(seconds, at: now)
        case .price, .change, .volume:
          alert.settle(at: now)
          return nil
        }
      }
    }
  }

  /// Fires the instrument's alerts for which `receive` returns a value.
  private mutating func fire(
    _ instrument: InstrumentKey, _ trade: AlertTrade? = nil, at now: Timestamp,
    _ receive: (inout PriceAlert) -> PriceAlert.Hit?
  ) -> [AlertFiring] {
    var fired: [AlertFiring] = []
    for index in alerts.indices where alerts[index].instrument == instrument {
      guard alerts[index].isFollowed, let hit = receive(&alerts[index]) else { continue }
      alerts[index].firedAt = now
      fired.append(
        AlertFiring(
          number: nextFiring, alert: alerts[index].id, instrument: instrument,
          condition: alerts[index].condition, from: hit.from, value: hit.value,
          time: trade?.time ?? now, identifier: trade?.identifier ?? 0, at: now,
          blindSince: hit.blindSince))
      nextFiring += 1
    }
    guard !fired.isEmpty else { return [] }
    firings += fired
    if firings.count > AlertBook.maximumFirings {
      firings.removeFirst(firings.count - AlertBook.maximumFirings)
    }
    settleWatches()
    return fired
  }

  /// Applies the latest trades of the venue's tape, newest first.
  ///
  /// After a restart, the trades missed meanwhile count. For a new instrument only the newest
  /// counts, which determines the initial side of its alerts.
  public mutating func receive(
    _ tape: TapeView, of instrument: InstrumentKey, at now: Timestamp
  ) -> [AlertFiring] {
    guard let watch = watches[instrument] else { return [] }
    let trades = watch.mark == nil ? tape.trades.prefix(1) : tape.trades[...]
    return trades.reversed().flatMap {
      receive(
        AlertTrade($0, scale: tape.priceScale, sizes: tape.quantityScale), of: instrument, at: now)
    }
  }

  /// Marks trades of an instrument as unavailable from `since` on; ignored if they already are.
  public mutating func lose(_ instrument: InstrumentKey, since: Timestamp) {
    guard let watch = watches[instrument], watch.openSince == nil else { return }
    watches[instrument]?.openSince = since
    watches[instrument]?.mark?.arrival = nil
    watches[instrument]?.unseenSince = watch.unseenSince ?? since
  }

  /// Marks trades of an instrument as available again; earlier ones may have been missed.
  public mutating func see(_ instrument: InstrumentKey, at now: Timestamp) {
    guard let since = watches[instrument]?.openSince else { return }
    watches[instrument]?.openSince = nil
    note(instrument, since, now)
  }

  /// Marks the state as complete until `now`.
  public mutating func mark(at now: Timestamp) { seenUntil = now }

  /// Resumes a stored state: trades since it was stored were not received.
  public mutating func resume(at now: Timestamp) {
    let since = min(seenUntil ?? now, now)
    for instrument in watches.keys {
      lose(instrument, since: since)
      watches[instrument]?.mark?.arrival = nil
      watches[instrument]?.bookUnseenSince = since
    }
  }
}
