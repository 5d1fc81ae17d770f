public import MarketModel

/// What an order would do if it were placed now.
public enum TicketPreview: Hashable, Sendable {
  case shown(Figures)
  case refused(RejectionReason)
  /// No figures, because the market is not live; a GTC limit order would rest until it is.
  case notLive(NotLiveReason)

  /// What would be filled and what would not.
  public struct Figures: Hashable, Sendable {
    /// What would fill at once; nil if nothing would.
    public let fill: Execution?
    /// The fee of ``fill``, in price units × quantity units; nil if unknown.
    public let fee: WideInteger?
    /// The quantity that would not fill.
    public let leavesQuantity: Quantity
    /// Whether the remainder would rest instead of being cancelled (market, IOC, FOK).
    public let remainderRests: Bool
    /// The number of the tick used.
    public let tickNumber: UInt64
    /// The steps and bounds of the instrument.
    public let rules: TradingRules

    /// Creates figures received from another process.
    package init(
      fill: Execution?, fee: WideInteger? = nil, leavesQuantity: Quantity, remainderRests: Bool,
      tickNumber: UInt64, rules: TradingRules
    ) {
      (self.rules, self.fee) = (rules, fee)
      (self.fill, self.leavesQuantity) = (fill, leavesQuantity)
      (self.remainderRests, self.tickNumber) = (remainderRests, tickNumber)
    }
  }
}

extension PaperTrader {
  /// Previews a request by the rules of matching, without changing anything.
  public func preview(_ request: OrderRequest) -> TicketPreview {
    var market = market(of: request.symbol)
    let rules = rules(of: request.symbol) ?? rules
    if let broken = rules.brokenLimit(of: request, market: market?.reference) {
      return .refused(broken)
    }
    guard let liquidity = market?.liquidity, let live = liquidity.live else {
      return .notLive(market?.notLiveReason ?? .waiting)
    }
    guard history.openCount < TradingRules.maximumOpenOrders else {
      return .refused(.tooManyOpenOrders(maximum: Int64(TradingRules.maximumOpenOrders)))
    }
    let isMissed =
      request.kind.timeInForce == .fillOrKill
      && liquidity.offer(to: request).available < request.quantity
    let fills = isMissed ? [] : market?.take(request.quantity, for: request) ?? []
    let fill = Execution(fills)
    return .shown(
      TicketPreview.Figures(
        fill: fill, fee: fills.fees,
        leavesQuantity: Quantity(units: request.quantity.units - (fill?.quantity.units ?? 0)),
        remainderRests: request.kind.mayRest, tickNumber: live.number, rules: rules))
  }
}
