// The current tick and what is left of it. Nothing here is stored: after a restart the market is
// whatever the feed says next.

import MarketModel

/// The latest snapshot, what earlier orders left of its offers, and whether it can be believed.
struct OfferPool: Hashable, Sendable {
  /// What the feed is worth now; only ``FreshnessState/live`` can be traded on.
  var freshness: FreshnessState = .waiting
  private(set) var latest: TopOfBook?
  /// A later tick could not be used: the latest snapshot is not the market any more.
  private(set) var isOutdated = false
  /// A later snapshot, whose price is out of all proportion: the market once another agrees.
  private(set) var suspect: TopOfBook?
  /// When the latest snapshot is late unless it is confirmed; nil when never.
  var lateAt: MonotonicTime?
  private var bidLeft: Quantity = .zero
  private var askLeft: Quantity = .zero

  /// The latest snapshot while it can be traded on; nil otherwise.
  var live: TopOfBook? { freshness == .live && !isOutdated ? latest : nil }

  /// The state to name when nothing can be traded on.
  var reason: FreshnessState {
    guard freshness == .live else { return freshness }
    return latest == nil ? .waiting : isOutdated ? .stale : .live
  }

  /// The latest snapshot is the market no more: a later tick names another, which can't be used.
  mutating func outdate() { isOutdated = true }

  /// A later tick names a price out of all proportion: no market until another tick agrees with it,
  /// or with the one before.
  mutating func distrust(_ snapshot: TopOfBook) { (suspect, isOutdated) = (snapshot, true) }

  /// Judges the snapshot's age at the moment of a decision, whatever was last said of the feed.
  mutating func age(to now: MonotonicTime) {
    if freshness == .live, let lateAt, now > lateAt { freshness = .late }
  }

  /// The latest snapshot came again.
  mutating func confirm(lateAt: MonotonicTime?) {
    (freshness, isOutdated, self.lateAt) = (.live, false, lateAt)
  }

  /// Takes a new tick with all that it offers, less what was already used of it before a restart.
  mutating func replace(
    with snapshot: TopOfBook, lateAt: MonotonicTime?, used: (Side, PriceLevel) -> Quantity
  ) {
    let isFirst = latest == nil
    confirm(lateAt: lateAt)
    (latest, suspect) = (snapshot, nil)
    func left(_ side: Side) -> Quantity {
      guard let offer = snapshot.opposite(of: side) else { return .zero }
      guard isFirst else { return offer.quantity }
      let used = max(.zero, used(side, offer))
      return Quantity(units: max(0, offer.quantity.units - used.units))
    }
    askLeft = left(.buy)
    bidLeft = left(.sell)
  }

  /// Forgets the market: a new run of the feed counts its ticks anew.
  mutating func clear() { self = OfferPool() }

  /// Lets nothing more be taken from the current tick.
  mutating func drain() { (bidLeft, askLeft) = (.zero, .zero) }

  /// What an order on `side` could take now.
  func available(for side: Side) -> Quantity {
    guard live != nil else { return .zero }
    return side == .buy ? askLeft : bidLeft
  }

  /// Takes up to `wanted` from the best opposite offer, if the request accepts its price.
  mutating func take(_ wanted: Quantity, for request: OrderRequest) -> Fill? {
    guard let live, let offer = live.opposite(of: request.side), request.accepts(offer.price) else {
      return nil
    }
    let quantity = min(wanted, available(for: request.side))
    guard quantity > .zero else { return nil }
    switch request.side {
    case .buy: askLeft.units -= quantity.units
    case .sell: bidLeft.units -= quantity.units
    }
    return Fill(
      quantity: quantity, price: offer.price, offered: offer.quantity, tickNumber: live.number,
      venueTime: live.venueTime)
  }
}
