import MarketModel

/// The latest tick, the quantity still available on each side, and whether it can be traded on.
///
/// Quantities already taken by our own orders are deducted. Nothing is stored: after a restart the
/// market comes from the feed.
struct AvailableLiquidity: Hashable, Sendable {
  /// The feed's freshness; only ``FreshnessState/live`` can be traded on.
  var freshness: FreshnessState = .waiting
  private(set) var latest: TopOfBook?
  /// Why a later tick was unusable, which invalidates ``latest``.
  private(set) var doubt: NotLiveReason?
  /// A later tick with an implausible price; becomes the market once another tick confirms it.
  private(set) var suspect: TopOfBook?
  /// When the latest tick becomes late unless confirmed; nil for never.
  var lateAt: MonotonicTime?
  private var bidLeaves: Quantity = .zero
  private var askLeaves: Quantity = .zero

  /// The latest tick if it can be traded on.
  var live: TopOfBook? { freshness == .live && doubt == nil ? latest : nil }

  /// The market's freshness; a superseded tick is stale.
  var state: FreshnessState {
    guard freshness == .live else { return freshness }
    return latest == nil ? .waiting : doubt == nil ? .live : .stale
  }

  /// Why the market can't be traded on.
  ///
  /// A feed that became late after an unreadable tick reports that tick as the reason.
  var reason: NotLiveReason {
    if latest != nil, let doubt, freshness == .live || freshness == .late { return doubt }
    return NotLiveReason(state)
  }

  mutating func outdate(_ reason: NotLiveReason) { doubt = reason }

  /// Applies a freshness change of the feed.
  ///
  /// A live feed revalidates its latest tick after an unreadable one, which may have repeated it.
  /// After an unusable tick, only another tick does.
  mutating func take(_ state: FreshnessState) {
    freshness = state
    if state == .live, doubt == .unreadable { doubt = nil }
  }

  /// Sets aside a tick with an implausible price: no market until another tick confirms it or the
  /// previous one.
  mutating func distrust(_ snapshot: TopOfBook) {
    (suspect, doubt) = (snapshot, .unconfirmed)
  }

  /// Applies the tick's age at the moment of a decision, regardless of the feed's last report.
  mutating func age(to now: MonotonicTime) {
    if freshness == .live, let lateAt, now > lateAt { freshness = .late }
  }

  mutating func confirm(lateAt: MonotonicTime?) {
    (freshness, doubt, self.lateAt) = (.live, nil, lateAt)
  }

  /// Applies a new tick with its full sizes, less what was used of it before a restart.
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

  /// Resets the market: a new run of the feed restarts its tick numbers.
  mutating func clear() { self = AvailableLiquidity() }

  mutating func drain() { (bidLeaves, askLeaves) = (.zero, .zero) }

  func available(for side: Side) -> Quantity {
    guard live != nil else { return .zero }
    return side == .buy ? askLeaves : bidLeaves
  }

  /// Takes up to `wanted` from the opposite side if the request accepts its price.
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
