public import MarketModel

/// A position and what it would bring if it were closed through the visible book.
///
/// Quantity beyond the book is valued at its last level, and ``note`` reports that.
public struct PositionReport: Hashable, Sendable {
  /// Price and quantity scales and steps.
  public let rules: TradingRules
  /// The position.
  public let account: PositionAccount
  /// What closing the position would meet in the last known book.
  ///
  /// nil without a position or without an opposite level.
  public let exit: PositionExit?
  /// Whether a market was received since the start.
  public let hasMarket: Bool
  /// The equity at the exit price per minute since the start.
  public let minutes: EquityLine
  /// What the position may be if more was filled than is certain; nil if nothing may.
  public let range: PositionRange?
  /// Why the position may be incomplete, as a sentence; nil if it is complete.
  public let doubt: Sentence?

  /// The value of the position if it were closed; nil while there is no exit.
  public var value: WideInteger? { account.quantity == .zero ? .zero : exit?.value }

  /// Cash plus ``value``; nil while there is no exit.
  public var equity: WideInteger? { value.map { account.cash + $0 } }

  /// What is unknown about the position or its value, as a sentence; nil if nothing is.
  public var note: Sentence? {
    if let doubt { return doubt }
    guard account.quantity != .zero, exit?.uncovered != .zero else { return nil }
    guard hasMarket else { return "No price yet: value unknown." }
    let isLong = account.quantity > .zero
    guard let exit else {
      return isLong ? "No bids: value unknown." : "No asks: value unknown."
    }
    let size = rules.text(Quantity(units: Int64(clamping: account.quantity.units.magnitude)))
    let (part, price) = (rules.text(exit.covered), rules.text(exit.worst))
    return isLong
      ? "Only \(part) of \(size) can be sold in the visible book; the rest is valued at \(price)."
      : "Only \(part) of \(size) can be bought in the visible book; the rest is valued at \(price)."
  }
}

extension PaperTrader {
  /// The current position and its value.
  ///
  /// O(levels).
  public func position(
    of symbol: Symbol? = nil, minutes: EquityLine, doubt: Sentence? = nil
  ) -> PositionReport {
    let symbol = symbol ?? rules.symbol
    let rules = rules(of: symbol) ?? rules
    let account = history.account(of: symbol)
    let market = market(of: symbol)
    return PositionReport(
      rules: rules, account: account, exit: market?.exit(from: account.quantity),
      hasMarket: market?.latest != nil, minutes: minutes, range: range(of: account, in: symbol),
      doubt: doubt)
  }
}
