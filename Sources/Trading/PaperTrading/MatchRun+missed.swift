import MarketModel

// What may have happened to orders unobserved.

extension MatchRun {
  /// Any resting order may have been filled by trades that were missed.
  mutating func missTrades() {
    doubtTriggers()
    doubtResting { _ in true }
  }

  /// After changes of the book were missed, an order in its visible levels, before or after, may
  /// have been met by an offer that has left no trace; one that acts on the first book, too.
  mutating func doubtVisible(before: MarketBook?, now: MarketBook) {
    let books = [before, now].compactMap { $0 }
    doubtResting { request in !request.kind.mayRest || books.contains { $0.shows(request) } }
  }

  private mutating func doubtResting(_ isIncluded: (OrderRequest) -> Bool) {
    guard rules.hasBook else { return }
    let resting = history.resting(for: rules.symbol)
    for identifier in (resting.buys + resting.sells).map(\.identifier) + resting.due {
      guard let order = history.order(identifier),
        order.possibleQuantity < order.request.quantity, isIncluded(order.request)
      else { continue }
      record(
        .possible(
          identifier, PossibleFill(upTo: order.request.quantity, proof: nil)))
    }
  }

  /// Any waiting order may have been triggered by trades that were missed.
  mutating func doubtTriggers() {
    for identifier in history.resting(for: rules.symbol).waiting {
      guard let order = history.order(identifier),
        history.triggeredQuantity(of: order) > .zero
      else { continue }
      let from = max(order.placedAt, market?.latestTrade ?? order.changedAt)
      let rise = PossibleFill(
        upTo: order.request.quantity, proof: nil,
        missed: MissedSpan(from: min(from, time), to: time))
      record(.possible(identifier, rise))
    }
  }

  /// Notes before an order of a venue's market ends unobserved that it may have been filled, unless
  /// it has not reached the venue.
  mutating func doubtEnd(of order: Order) {
    let listing = history.listings[order.request.symbol]
    guard !order.isTravelling, listing?.hasBook == true || order.isWaiting else { return }
    let whole = order.request.quantity
    guard order.isWaiting else {
      guard order.possibleQuantity < whole else { return }
      return record(.possible(order.identifier, PossibleFill(upTo: whole, proof: nil)))
    }
    guard history.triggeredQuantity(of: order) > .zero else { return }
    let missed = MissedSpan(from: min(order.changedAt, time), to: time)
    record(
      .possible(order.identifier, PossibleFill(upTo: whole, proof: nil, missed: missed)))
  }
}

extension MarketBook {
  /// Whether a limit order's price is among its levels or better.
  func shows(_ request: OrderRequest) -> Bool {
    guard let limit = request.kind.limit else { return false }
    let levels = request.side == .buy ? bids : asks
    return levels.last.map { request.side == .buy ? limit >= $0.price : limit <= $0.price } ?? true
  }
}
