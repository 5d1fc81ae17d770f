public import MarketModel

/// What an order would do if it were placed now.
public enum TicketPreview: Hashable, Sendable {
  case shown(Figures)
  case refused(RejectionReason)
  /// No figures, because the market is not live; a GTC limit order would rest until it is.
  case notLive(NotLiveReason)

  /// What else to know before an order is sent.
  public struct Risk: Hashable, Sendable {
    /// How much worse than the middle of bid and ask the fill's average is, in basis points,
    /// rounded up; nil without a fill or without both prices.
    public let slippage: Int64?
    /// The position after the fill, which is certain; negative if short, nil if too large.
    public let position: Quantity?
    /// See ``PaperTrader/usualQuantity(exceededBy:)``.
    public let usual: Quantity?
    /// What a bracket loses if it is filled whole and leaves at its stop, before fees, in price
    /// units × quantity units; nil without a stop or a price.
    public let loss: Int64?

    package init(
      slippage: Int64? = nil, position: Quantity? = nil, usual: Quantity? = nil,
      loss: Int64? = nil
    ) {
      (self.slippage, self.position, self.usual, self.loss) = (slippage, position, usual, loss)
    }
  }

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
    /// What else to know before the order is sent.
    public let risk: Risk
    /// How long the order is on its way to the venue, in milliseconds, while prices may move.
    public let latencyMilliseconds: Int64
    /// The number of the tick used.
    public let tickNumber: UInt64
    /// The steps and bounds of the instrument.
    public let rules: TradingRules

    /// Creates figures received from another process.
    package init(
      fill: Execution?, fee: WideInteger? = nil, leavesQuantity: Quantity, remainderRests: Bool,
      risk: Risk = Risk(), latencyMilliseconds: Int64 = 0, tickNumber: UInt64, rules: TradingRules
    ) {
      (self.rules, self.fee, self.risk) = (rules, fee, risk)
      self.latencyMilliseconds = latencyMilliseconds
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
    let reason = market?.notLiveReason ?? .waiting
    if market?.live == nil,
      let refusal = RejectionReason.notLive(reason, request, under: rules)
    {
      return .refused(refusal)
    }
    if let broken = brokenTerms(of: request, live: market?.live, at: nil) {
      return .refused(broken)
    }
    let isFull = history.openCount >= TradingRules.maximumOpenOrders
    if request.trigger != nil, !isFull {
      return .shown(
        TicketPreview.Figures(
          fill: nil, leavesQuantity: request.quantity, remainderRests: true,
          risk: TicketPreview.Risk(
            usual: usualQuantity(exceededBy: request), loss: request.loss(after: nil)),
          latencyMilliseconds: market?.latencyMilliseconds ?? 0,
          tickNumber: market?.latest?.number ?? 0, rules: rules))
    }
    guard let liquidity = market?.liquidity, let live = liquidity.live else {
      return .notLive(reason)
    }
    guard !isFull else {
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
        remainderRests: request.kind.mayRest,
        risk: TicketPreview.Risk(
          slippage: fill?.slippage(from: live.top, side: request.side),
          position: history.position(in: request.symbol, after: fill, on: request.side),
          usual: usualQuantity(exceededBy: request), loss: request.loss(after: fill)),
        latencyMilliseconds: market?.latencyMilliseconds ?? 0,
        tickNumber: live.number, rules: rules))
  }

  /// The usual quantity in a request's market if the request is for ten times as much or more, so
  /// that it should be confirmed; nil otherwise.
  public func usualQuantity(exceededBy request: OrderRequest) -> Quantity? {
    guard let usual = usualQuantity(of: request.symbol),
      usual.units <= request.quantity.units / 10
    else { return nil }
    return usual
  }

  /// The median quantity of the last ten orders accepted in an instrument, as placed; of two in
  /// the middle the smaller.
  ///
  /// nil with fewer than three.
  func usualQuantity(of symbol: Symbol) -> Quantity? {
    let quantities = history.latestQuantities[symbol] ?? []
    return quantities.count < 3 ? nil : quantities.sorted()[(quantities.count - 1) / 2]
  }
}

extension OrderRequest {
  /// What all of it loses at a bracket's stop: what is filled at its average, the rest at the limit
  /// or trigger.
  func loss(after fill: Execution?) -> Int64? {
    guard let exits, exits.kind == .bracket, let stop = exits.stop else { return nil }
    let filled = fill?.quantity.units ?? 0
    let rest = kind.mayRest || trigger != nil ? quantity.units - filled : 0
    let price = kind.limit ?? trigger?.price
    guard filled > 0 || rest > 0, rest == 0 || price != nil else { return nil }
    // Within 63 bits, as the rules of quantity and price keep them.
    let paid = (fill?.average.notional ?? 0) &+ (price?.units ?? 0) &* rest
    let got = stop.units &* (filled + rest)
    return side == .buy ? paid &- got : got &- paid
  }
}

extension OrderHistory {
  /// The position after one more fill; nil if it would not fit 63 bits.
  fileprivate func position(in symbol: Symbol, after fill: Execution?, on side: Side) -> Quantity? {
    let units = fill?.quantity.units ?? 0
    let (sum, overflow) = account(of: symbol).quantity.units.addingReportingOverflow(
      side == .buy ? units : -units)
    return overflow || sum == .min ? nil : Quantity(units: sum)
  }
}

extension Execution {
  /// How much worse than the middle of bid and ask the average is, in basis points, rounded up.
  ///
  /// nil without both prices, or if it does not fit 63 bits.
  func slippage(from top: TopOfBook, side: Side) -> Int64? {
    guard let bid = top.bid, let ask = top.ask else { return nil }
    let (double, first) = bid.price.units.addingReportingOverflow(ask.price.units)
    // Twice what the quantity is worth in the middle.
    let (worth, second) = double.multipliedReportingOverflow(by: quantity.units)
    guard !first, !second else { return nil }
    let cost =
      WideInteger(average.notional, times: 20_000) - WideInteger(worth, times: 10_000)
    return (side == .buy ? cost : -cost).roundedUp(by: worth)
  }
}
