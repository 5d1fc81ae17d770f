public import MarketModel

/// A position and its current value at the exit price, as far as top of book goes.
///
/// The value of quantity beyond top of book is unknown, and ``note`` reports that.
public struct PositionReport: Hashable, Sendable {
  /// Price and quantity scales and steps.
  public let rules: TradingRules
  /// The position.
  public let account: PositionAccount
  /// The last known best opposite level, at which the position could be closed.
  ///
  /// nil without a position or without such a level.
  public let out: PriceLevel?
  /// Whether a market was received since the start.
  public let hasMarket: Bool
  /// The equity at the exit price per minute since the start.
  public let minutes: EquityLine
  /// What the position may be if more was filled than is certain; nil if nothing may.
  public let range: PositionRange?
  /// Why the position may be incomplete, as a sentence; nil if it is complete.
  public let doubt: Sentence?

  /// Whether ``out`` covers the whole position.
  public var isCovered: Bool {
    guard let out else { return account.quantity == .zero }
    return account.quantity.units.magnitude <= out.quantity.units.magnitude
  }

  /// Cash plus the position at the exit price; nil while there is no exit price.
  public var equity: WideInteger? {
    if account.quantity == .zero { return account.cash }
    return out.map { account.equity(at: $0.price) }
  }

  /// What is unknown about the position or its value, as a sentence; nil if nothing is.
  public var note: Sentence? {
    if let doubt { return doubt }
    guard account.quantity != .zero, !isCovered else { return nil }
    guard hasMarket else { return "No price yet: value unknown." }
    let isLong = account.quantity > .zero
    guard let out else {
      return isLong ? "No bids: value unknown." : "No asks: value unknown."
    }
    let size = rules.text(Quantity(units: Int64(clamping: account.quantity.units.magnitude)))
    let (part, price) = (rules.text(out.quantity), rules.text(out.price))
    return isLong
      ? "Only \(part) of \(size) can be sold at \(price); the rest isn't priced."
      : "Only \(part) of \(size) can be covered at \(price); the rest isn't priced."
  }
}

extension PaperTrader {
  /// The current position and its value.
  ///
  /// O(1).
  public func position(
    of symbol: Symbol? = nil, minutes: EquityLine, doubt: Sentence? = nil
  ) -> PositionReport {
    let symbol = symbol ?? rules.symbol
    let rules = rules(of: symbol) ?? rules
    let account = history.account(of: symbol)
    let lastMarket = market(of: symbol)?.latest
    let level = lastMarket?.opposite(of: account.quantity > .zero ? .sell : .buy)
    let out = level.flatMap { $0.quantity > .zero ? $0 : nil }
    return PositionReport(
      rules: rules, account: account, out: account.quantity == .zero ? nil : out,
      hasMarket: lastMarket != nil, minutes: minutes, range: range(of: account, in: symbol),
      doubt: doubt)
  }
}
