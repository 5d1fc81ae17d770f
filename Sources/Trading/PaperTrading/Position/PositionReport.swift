// What is owned and what it is worth now: at the price at which one could get out, as far as top of
// book goes. What lies behind it nobody knows, and the words say so.

import MarketModel

/// A position at a moment.
public struct PositionReport: Hashable, Sendable {
  /// Steps and scales.
  public let rules: TradingRules
  /// What is owned.
  public let account: PositionAccount
  /// The best offer to get out at, with its quantity, as it was last seen; nil without a position
  /// and where nobody offers.
  public let out: PriceLevel?
  /// Whether a market was seen since the start.
  public let hasMarket: Bool
  /// What all was worth at the price to get out at, minute by minute since the start.
  public let minutes: EquityLine
  /// Why this may not be all that is owned, as a sentence; nil where it is.
  public let doubt: String?

  /// Whether ``out`` holds all of the position.
  public var isCovered: Bool {
    guard let out else { return account.quantity == .zero }
    return account.quantity.units.magnitude <= out.quantity.units.magnitude
  }

  /// What all is worth: cash, and the position at the price to get out at; nil while there is none.
  public var equity: WideInteger? {
    if account.quantity == .zero { return account.cash }
    return out.map { account.equity(at: $0.price) }
  }

  /// What is not known of the position or the way out, as a sentence; nil when all of it is.
  public var note: String? {
    if let doubt { return doubt }
    guard account.quantity != .zero, !isCovered else { return nil }
    guard hasMarket else { return "No price has come yet, so what it is worth is not known." }
    let isLong = account.quantity > .zero
    guard let out else {
      return "Nobody \(isLong ? "wants" : "offers") any now, so what it is worth is not known."
    }
    let size = rules.text(Quantity(units: Int64(clamping: account.quantity.units.magnitude)))
    return "Only \(rules.text(out.quantity)) of \(size) are \(isLong ? "wanted" : "offered") at "
      + "\(rules.text(out.price)); what the rest would \(isLong ? "bring" : "cost") is not known."
  }

  /// Digits behind the point of an amount.
  public var amountDigits: Int {
    Int(rules.priceScale.digits) + Int(rules.quantityScale.digits)
  }
}

extension PaperTrader {
  /// What is owned and what it is worth now.
  ///
  /// O(1).
  public func position(minutes: EquityLine, doubt: String? = nil) -> PositionReport {
    let account = history.account(of: rules.symbol)
    let level = lastMarket?.opposite(of: account.quantity > .zero ? .sell : .buy)
    let out = level.flatMap { $0.quantity > .zero ? $0 : nil }
    return PositionReport(
      rules: rules, account: account, out: account.quantity == .zero ? nil : out,
      hasMarket: lastMarket != nil, minutes: minutes, doubt: doubt)
  }
}
