public import MarketModel

/// What an order would do if it were placed now.
public enum TicketPreview: Hashable, Sendable {
  case shown(Figures)
  case refused(RejectionReason)
  /// No figures, because the market is not live; a GTC limit order would rest until it is.
  case notLive(NotLiveReason)

  /// What would be filled and what would not.
  public struct Figures: Hashable, Sendable {
    /// The fill at the best opposite price; nil if nothing would fill.
    ///
    /// The feed has top of book only, so an order fills at one price at most.
    public let fill: LevelTaken?
    /// The quantity that would not fill.
    public let leavesQuantity: Quantity
    /// Whether the remainder would rest instead of being cancelled (market, IOC, FOK).
    public let remainderRests: Bool
    /// The number of the tick used.
    public let tickNumber: UInt64

    /// Creates figures received from another process.
    package init(
      fill: LevelTaken?, leavesQuantity: Quantity, remainderRests: Bool, tickNumber: UInt64
    ) {
      (self.fill, self.leavesQuantity) = (fill, leavesQuantity)
      (self.remainderRests, self.tickNumber) = (remainderRests, tickNumber)
    }
  }
}

extension PaperTrader {
  /// Previews a request by the rules of matching, without changing anything.
  public func preview(_ request: OrderRequest) -> TicketPreview {
    if let broken = rules.brokenLimit(of: request, market: liveMarket) { return .refused(broken) }
    guard let market = liveMarket else { return .notLive(notLiveReason) }
    guard history.openCount < TradingRules.maximumOpenOrders else {
      return .refused(.tooManyOpenOrders(maximum: Int64(TradingRules.maximumOpenOrders)))
    }
    let best = market.opposite(of: request.side).flatMap { request.accepts($0.price) ? $0 : nil }
    let available = best == nil ? .zero : available(for: request.side)
    let isMissed = request.kind.timeInForce == .fillOrKill && available < request.quantity
    let taken = isMissed ? .zero : min(request.quantity, available)
    return .shown(
      TicketPreview.Figures(
        fill: best.flatMap {
          taken > .zero ? LevelTaken(price: $0.price, quantity: taken) : nil
        },
        leavesQuantity: Quantity(units: request.quantity.units - taken.units),
        remainderRests: request.kind.mayRest, tickNumber: market.number))
  }
}
