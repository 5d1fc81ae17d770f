// What an order would do if it were placed now: shown in the ticket before anything is sent.

public import MarketModel

/// The answer to "what would happen?".
public enum TicketPreview: Hashable, Sendable {
  /// The order would do this, as long as the market stays what it is.
  case shown(Figures)
  /// The order would be rejected.
  case refused(RejectionReason)
  /// The market is not live, so there are no figures. A limit order would rest until it is.
  case notLive(NotLiveReason)

  /// What would be filled, and what not.
  public struct Figures: Hashable, Sendable {
    /// The fill at the best opposite price; nil when nothing would be taken.
    ///
    /// The feed shows top of book only, so one order fills at one price at most.
    public let fill: LevelTaken?
    /// The unfilled remainder.
    public let leavesQuantity: Quantity
    /// Whether the remainder would rest, or be cancelled (market, IOC, FOK).
    public let remainderRests: Bool
    /// The number of the tick that the figures hold for.
    public let tickNumber: UInt64

    /// Puts together what another process has said.
    package init(
      fill: LevelTaken?, leavesQuantity: Quantity, remainderRests: Bool, tickNumber: UInt64
    ) {
      (self.fill, self.leavesQuantity) = (fill, leavesQuantity)
      (self.remainderRests, self.tickNumber) = (remainderRests, tickNumber)
    }
  }
}

extension PaperTrader {
  /// What the request would do now, by the same rules that matching follows.
  ///
  /// Changes nothing.
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
