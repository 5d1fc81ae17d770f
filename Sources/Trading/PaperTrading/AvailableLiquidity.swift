// Top of book less what our own orders have already taken. Nothing here is stored: after a restart
// the market is whatever the feed says next.

import MarketModel

/// The latest tick, the quantity still available on each side, and whether it can be traded on.
struct AvailableLiquidity: Hashable, Sendable {
  /// What the feed is worth now; only ``FreshnessState/live`` can be traded on.
  var freshness: FreshnessState = .waiting
  private(set) var latest: TopOfBook?
  /// Why a later tick could not be used: the latest good one is no longer the market.
  private(set) var doubt: NotLiveReason?
  /// A later tick whose price is out of proportion: the market once another agrees with it.
  private(set) var suspect: TopOfBook?
  /// When the latest tick is late unless confirmed; nil when never.
  var lateAt: MonotonicTime?
  private var bidLeaves: Quantity = .zero
  private var askLeaves: Quantity = .zero

  /// The latest tick while it can be traded on; nil otherwise.
  var live: TopOfBook? { freshness == .live && doubt == nil ? latest : nil }

  /// What the market is worth: a superseded tick is stale.
  var state: FreshnessState {
    guard freshness == .live else { return freshness }
    return latest == nil ? .waiting : doubt == nil ? .live : .stale
  }

  /// Why nothing can be traded on.
  ///
  /// A feed that is late after a tick that could not be read is late because of it.
  var reason: NotLiveReason {
    if latest != nil, let doubt, freshness == .live || freshness == .late { return doubt }
    return NotLiveReason(state)
  }

  /// Marks the latest tick as superseded by one that cannot be read or used.
  mutating func outdate(_ reason: NotLiveReason) { doubt = reason }

  /// The feed's freshness changed.
  ///
  /// A live feed vouches for its latest tick again after one that could not be read, which it may
  /// have repeated since; only another tick replaces one that could not be used.
  mutating func take(_ state: FreshnessState) {
    freshness = state
    if state == .live, doubt == .unreadable { doubt = nil }
  }

  /// Sets aside a tick whose price is out of proportion: no market until another tick agrees with
  /// it, or with the one before.
  mutating func distrust(_ snapshot: TopOfBook) {
    (suspect, doubt) = (snapshot, .unconfirmed)
  }

  /// Judges the tick's age at the moment of a decision, whatever the feed last reported.
  mutating func age(to now: MonotonicTime) {
    if freshness == .live, let lateAt, now > lateAt { freshness = .late }
  }

  /// The latest tick came again.
  mutating func confirm(lateAt: MonotonicTime?) {
    (freshness, doubt, self.lateAt) = (.live, nil, lateAt)
  }

  /// Takes a new tick with its full sizes, less what was used of it before a restart.
  mutating func replace(
    with snapshot: TopOfBook, lateAt: MonotonicTime?, used: (Side, PriceLevel) -> Quantity
  ) {
    let isFirst = latest == nil
    confirm(lateAt: lateAt)
    (latest, suspect) = (snapshot, nil)
    func leaves(_ side: Side) -> Quantity {
      guard let level = snapshot.opposite(of: side) else { return .zero }
      guard isFirst else { return level.quantity }
      let used = max(.zero, used(side, level))
      return Quantity(units: max(0, level.quantity.units - used.units))
    }
    askLeaves = leaves(.buy)
    bidLeaves = leaves(.sell)
  }

  /// Forgets the market: a new run of the feed counts its ticks anew.
  mutating func clear() { self = AvailableLiquidity() }

  /// Leaves nothing to take from the current tick.
  mutating func drain() { (bidLeaves, askLeaves) = (.zero, .zero) }

  /// What an order on `side` could take now.
  func available(for side: Side) -> Quantity {
    guard live != nil else { return .zero }
    return side == .buy ? askLeaves : bidLeaves
  }

  /// Takes up to `wanted` from the opposite side, if the request accepts its price.
  mutating func take(_ wanted: Quantity, for request: OrderRequest) -> OrderFill? {
    guard let live, let level = live.opposite(of: request.side), request.accepts(level.price) else {
      return nil
    }
    let quantity = min(wanted, available(for: request.side))
    guard quantity > .zero else { return nil }
    switch request.side {
    case .buy: askLeaves.units -= quantity.units
    case .sell: bidLeaves.units -= quantity.units
    }
    return OrderFill(
      quantity: quantity, price: level.price, offered: level.quantity, tickNumber: live.number,
      venueTime: live.venueTime)
  }
}
