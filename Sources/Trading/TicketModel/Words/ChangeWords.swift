// What became of what was reviewed: the last look beside what the order took.

import MarketModel

/// The change in words.
public struct ChangeWords: Sendable {
  /// The sentence.
  public let text: String
  /// For the order, against it, or neither.
  public let kind: DriftWords.Kind
}

extension Ticket {
  /// How what the order took at once differs from what it would have taken at the last look.
  ///
  /// Nil while that is not known, and where neither took anything.
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
    // Less than was expected is no improvement, whatever its price.
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
