// What an order would do if it were placed now: shown in the ticket before anything is sent.

public import MarketModel

/// The answer to "what would happen?".
public enum TicketPreview: Hashable, Sendable {
  /// The order would do this, as long as the market stays what it is.
  case shown(Figures)
  /// The order would be rejected.
  case refused(RejectionReason)
  /// The market is not live: no figure could be believed. A limit order would wait for it.
  case notLive(FreshnessState)

  /// What would be taken, and what left.
  public struct Figures: Hashable, Sendable {
    /// The offers that would be taken, best first; the feed shows one level, so at most one.
    public let levels: [LevelTaken]
    /// The average price; nil when nothing would be taken.
    public let average: AveragePrice?
    /// The worst price; nil when nothing would be taken.
    public let worst: Price?
    /// What would not be filled now.
    public let left: Quantity
    /// Whether ``left`` would wait (limit) or be cancelled (market).
    public let leftWaits: Bool
    /// The number of the tick that the figures hold for.
    public let tickNumber: UInt64
  }
}

extension PaperTrader {
  /// What the request would do now, by the same rules that matching follows.
  ///
  /// Changes nothing.
  public func preview(_ request: OrderRequest) -> TicketPreview {
    if let broken = rules.brokenLimit(of: request, market: liveMarket) { return .refused(broken) }
    guard let market = liveMarket else { return .notLive(freshness) }
    guard history.openCount < TradingRules.maximumOpenOrders else {
      return .refused(.tooManyOpenOrders(maximum: Int64(TradingRules.maximumOpenOrders)))
    }
    let offer = market.opposite(of: request.side).flatMap { request.accepts($0.price) ? $0 : nil }
    let taken = offer == nil ? .zero : min(request.quantity, available(for: request.side))
    let levels = [offer].compactMap { $0 }.filter { _ in taken > .zero }
      .map { LevelTaken(price: $0.price, quantity: taken) }
    let notional = levels.first.map { $0.price.units * taken.units } ?? 0
    return .shown(
      TicketPreview.Figures(
        levels: levels, average: AveragePrice(notional: notional, quantity: taken),
        worst: levels.first?.price,
        left: Quantity(units: request.quantity.units - taken.units),
        leftWaits: request.kind != .market, tickNumber: market.number))
  }
}
