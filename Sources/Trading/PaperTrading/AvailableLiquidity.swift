import MarketModel

/// The latest book, what our orders have taken of it, and whether it can be traded on.
///
/// Nothing is stored: after a restart the market comes from the feed.
struct AvailableLiquidity: Hashable, Sendable {
  /// The feed's freshness; only ``FreshnessState/live`` can be traded on.
  var freshness: FreshnessState = .waiting
  private(set) var latest: MarketBook?
  /// Why a later tick was unusable, which invalidates ``latest``.
  private(set) var doubt: NotLiveReason?
  /// A later tick with an implausible price; becomes the market once another tick confirms it.
  private(set) var suspect: MarketBook?
  /// Whether the feed was lost or invalid since ``latest``, so that changes may be missing.
  private(set) var hasMissedChanges = false
  /// When the latest tick becomes late unless confirmed; nil for never.
  var lateAt: MonotonicTime?
  /// What our orders have taken from levels that still exist.
  private var usedAsks: [Price: Quantity] = [:]
  private var usedBids: [Price: Quantity] = [:]
  /// Whether nothing can be taken of the latest book.
  private var isDrained = false

  /// The latest book if it can be traded on.
  var live: MarketBook? { freshness == .live && doubt == nil ? latest : nil }

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
    if [.resyncing, .disconnected, .closed].contains(state) { hasMissedChanges = true }
    if state == .live, doubt == .unreadable { doubt = nil }
  }

  /// Sets aside a tick with an implausible price: no market until another tick confirms it or the
  /// previous one.
  mutating func distrust(_ book: MarketBook) { (suspect, doubt) = (book, .unconfirmed) }

  /// Applies the tick's age at the moment of a decision, regardless of the feed's last report.
  mutating func age(to now: MonotonicTime) {
    if freshness == .live, let lateAt, now > lateAt { freshness = .late }
  }

  mutating func confirm(lateAt: MonotonicTime?) {
    (freshness, doubt, self.lateAt) = (.live, nil, lateAt)
  }

  /// Applies a new book.
  ///
  /// - Parameters:
  ///   - book: the book.
  ///   - lateAt: when it becomes late unless confirmed.
  ///   - keepsLevels: whether a level at the same price is the same one, of which only what is new
  ///     can be taken; otherwise each book has its full sizes.
  ///   - used: what was used of a best level before a restart.
  mutating func replace(
    with book: MarketBook, lateAt: MonotonicTime?, keepsLevels: Bool,
    used: (Side, PriceLevel) -> Quantity
  ) {
    let isFirst = latest == nil
    confirm(lateAt: lateAt)
    (latest, suspect, isDrained, hasMissedChanges) = (book, nil, false, false)
    func carry(_ side: Side, _ before: [Price: Quantity]) -> [Price: Quantity] {
      let levels = book.opposite(of: side)
      guard !isFirst else {
        return levels.first.map { [$0.price: max(.zero, used(side, $0))] } ?? [:]
      }
      guard keepsLevels, !before.isEmpty else { return [:] }
      return levels.reduce(into: [:]) { result, level in
        if let taken = before[level.price] { result[level.price] = min(taken, level.quantity) }
      }
    }
    (usedAsks, usedBids) = (carry(.buy, usedAsks), carry(.sell, usedBids))
  }

  /// Resets the market: a new run of the feed restarts its tick numbers.
  mutating func clear() {
    self = AvailableLiquidity()
    hasMissedChanges = true
  }

  mutating func drain() { isDrained = true }

  /// What is left of a level on the opposite side of `side`.
  private func rest(of level: PriceLevel, for side: Side) -> Quantity {
    let used = (side == .buy ? usedAsks : usedBids)[level.price] ?? .zero
    return isDrained ? .zero : Quantity(units: max(0, level.quantity.units - used.units))
  }

  /// What is left of the best level for an order on `side`.
  func available(for side: Side) -> Quantity {
    live?.opposite(of: side).first.map { rest(of: $0, for: side) } ?? .zero
  }

  /// What the visible book offers within a request's bound: all acceptable levels together at the
  /// best price, and what is left of them; the best level and nothing if it is not acceptable.
  func offer(to request: OrderRequest) -> (level: PriceLevel?, available: Quantity) {
    guard let levels = live?.opposite(of: request.side), let best = levels.first else {
      return (nil, .zero)
    }
    guard request.accepts(best.price) else { return (best, available(for: request.side)) }
    var (offered, left): (Int64, Int64) = (0, 0)
    for level in levels.prefix(while: { request.accepts($0.price) }) {
      offered = saturatingSum(offered, level.quantity.units)
      left = saturatingSum(left, rest(of: level, for: request.side).units)
    }
    return (
      PriceLevel(price: best.price, quantity: Quantity(units: offered)), Quantity(units: left)
    )
  }

  /// Takes up to `wanted` from the acceptable levels, best first, at their prices or at `price`.
  mutating func take(
    _ wanted: Quantity, for request: OrderRequest, at price: Price? = nil
  ) -> [OrderFill] {
    guard let live else { return [] }
    var (fills, left): ([OrderFill], Int64) = ([], wanted.units)
    for level in live.opposite(of: request.side) {
      guard left > 0, request.accepts(level.price) else { break }
      let quantity = min(left, rest(of: level, for: request.side).units)
      guard quantity > 0 else { continue }
      switch request.side {
      case .buy: usedAsks[level.price, default: .zero].units += quantity
      case .sell: usedBids[level.price, default: .zero].units += quantity
      }
      left -= quantity
      fills.append(
        OrderFill(
          quantity: Quantity(units: quantity), price: price ?? level.price,
          offered: level.quantity, tickNumber: live.number, venueTime: live.venueTime))
    }
    return fills
  }
}
