import MarketModel

/// The difference between preview and fill, as text.
public struct ChangeWords: Sendable {
  /// The sentence.
  public let text: String
  /// Whether it is better or worse for the order.
  public let kind: DriftWords.Kind
}

extension Ticket {
  /// How the immediate fill differs from the preview; nil while unknown, or if both are empty.
  public var change: ChangeWords? {
    guard phase == .sent, let sent, sent.isForeseen, let taken = sent.taken else { return nil }
    let reviewed = facts.reviews ? "reviewed" : "previewed"
    guard let foreseen = sent.foreseen, let expected = foreseen.quantity else {
      guard let prices = taken.prices else { return nil }
      return ChangeWords(
        text: "Nothing was available when \(reviewed); filled \(counted(taken.quantity)) at "
          + "\(span(prices)).", kind: .same)
    }
    let then = "\(counted(expected)) at \(priced(foreseen.price))"
    guard let prices = taken.prices else {
      return ChangeWords(text: "Not filled (\(reviewed): \(then)).", kind: .worse)
    }
    let isSamePrice = prices.best == foreseen.price && prices.worst == foreseen.price
    if isSamePrice, expected == taken.quantity {
      return ChangeWords(text: "Filled as \(reviewed): \(then).", kind: .same)
    }
    let now = "\(counted(taken.quantity)) at \(span(prices))"
    // A smaller fill is never an improvement, whatever its price.
    if taken.quantity < expected {
      return ChangeWords(
        text: "Filled only \(now) (\(reviewed): \(then)).", kind: .worse)
    }
    let isHigher = foreseen.price < prices.worst
    let isWorse = !isSamePrice && isHigher == (sent.order.side == .buy)
    let by = isHigher ? prices.worst.minus(foreseen.price) : foreseen.price.minus(prices.worst)
    let amount = isSamePrice ? nil : by.map { ", \(priced($0)) \(isWorse ? "worse" : "better")" }
    return ChangeWords(
      text: "Filled \(now) (\(reviewed): \(then))\(amount ?? "").",
      kind: isWorse ? .worse : .better)
  }

  private func span(_ prices: (best: FixedDecimal, worst: FixedDecimal)) -> String {
    prices.best == prices.worst
      ? priced(prices.best) : "\(priced(prices.best)) to \(priced(prices.worst))"
  }
}
