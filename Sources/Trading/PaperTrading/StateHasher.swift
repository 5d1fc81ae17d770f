import MarketModel

/// Hashes integers and text in a fixed order with FNV-1a, equal on every platform and in every run.
struct StateHasher {
  private var hash = FNV1a()

  var value: UInt64 { hash.value }

  mutating func add(_ number: UInt64) { hash.combine(number) }

  mutating func add(_ number: Int64) { hash.combine(number) }

  mutating func add(_ text: String) {
    add(UInt64(text.utf8.count))
    for byte in text.utf8 { hash.combine(byte: byte) }
  }

  mutating func add(_ level: PriceLevel?) {
    add(level == nil ? 0 : 1 as UInt64)
    guard let level else { return }
    add(level.price.units)
    add(level.quantity.units)
  }

  mutating func add(_ snapshot: TopOfBook?) {
    add(snapshot == nil ? 0 : 1 as UInt64)
    guard let snapshot else { return }
    add(snapshot.number)
    add(snapshot.venueTime)
    add(snapshot.bid)
    add(snapshot.ask)
  }

  mutating func add(_ order: Order) {
    add(order.identifier.number)
    add(order.request.clientIdentifier.text)
    add(order.request.symbol.text)
    add(order.request.side == .buy ? UInt64(0) : 1)
    add(order.request.kind)
    add(order.request.quantity.units)
    add(order.arrival)
    add(order.placedAt.nanoseconds)
    add(order.changedAt.nanoseconds)
    add(order.life)
    if order.latencyMilliseconds > 0 {
      add(order.latencyMilliseconds)
      add(order.arrivedAt?.nanoseconds ?? 0)
      add(order.arrivedMarket)
    }
    for change in order.pending {
      add(change.sentAt.nanoseconds)
      add(change.arrival.nanoseconds)
      add(change.amendment?.clientIdentifier.text ?? "")
      add(change.amendment?.quantity?.units ?? 0)
      add(change.amendment?.price?.units ?? 0)
      add(change.amendment?.trigger?.price.units ?? 0)
    }
    if order.amendments > 0 { add(UInt64(order.amendments)) }
    if let exits = order.original.exits {
      add(exits.kind.rawValue)
      for trigger in exits.triggers { add(trigger.price.units) }
    }
    if let link = order.request.link { add(link.primary.number) }
    let terms = order.request.terms
    if terms != OrderTerms() {
      add(UInt64(terms.isPostOnly ? 1 : 0) + UInt64(terms.isReduceOnly ? 2 : 0))
      add(terms.expiry?.nanoseconds ?? 0)
    }
    if let trigger = order.request.trigger {
      add(trigger.kind.rawValue)
      add(trigger.price.units)
      switch trigger.trail {
      case .distance(let price): add(price.units)
      case .basisPoints(let points): add(-points)
      case nil: break
      }
      add(order.activatedAt?.nanoseconds ?? 0)
      add(order.activation?.proof.number ?? -1)
      add(order.missed?.to.nanoseconds ?? 0)
    }
    if order.possibleQuantity > order.filledQuantity { add(order.possibleQuantity.units) }
  }

  private mutating func add(_ kind: OrderType) {
    add(kind.limit == nil ? 0 : 1 as UInt64)
    add(kind.limit?.units ?? 0)
    switch kind {
    case .market, .limit: break
    case .protectedMarket(let price): add(price.units)
    case .immediateOrCancel, .fillOrKill: add(kind.timeInForce.rawValue)
    }
  }

  private mutating func add(_ life: OrderLife) {
    add(life.status.rawValue)
    add(UInt64(life.fills?.fills.count ?? 0))
    for entry in life.fills?.fills ?? [] {
      add(entry.time.nanoseconds)
      add(entry.fill.quantity.units)
      add(entry.fill.price.units)
      add(entry.fill.offered.units)
      add(entry.fill.tickNumber)
      add(entry.fill.venueTime)
      if let fee = entry.fill.fee { add(fee.amount) }
      guard let proof = entry.fill.proof else { continue }
      add(proof.number)
      add(proof.price.units)
      add(proof.quantity.units)
      add(proof.ahead?.units ?? -1)
    }
    switch life {
    case .cancelled(_, let cancellation):
      add(cancellation.reason.rawValue)
      add(cancellation.level)
      add(cancellation.available.units)
    case .rejected(let reason):
      let (code, values) = reason.stored
      add(code)
      for value in values { add(value) }
    case .pending, .partiallyFilled, .filled: break
    }
  }
}
