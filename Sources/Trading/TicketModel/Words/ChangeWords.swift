public import MarketModel

/// The difference between preview and fill, as text.
public struct ChangeWords: Sendable {
  /// The sentence.
  public let text: Sentence
  /// Whether it is better or worse for the order.
  public let kind: DriftWords.Kind
}

extension Ticket {
  /// How the immediate fill differs from the preview; nil while unknown, or if both are empty.
  public var change: ChangeWords? {
    guard phase == .sent, let sent, sent.isForeseen, let taken = sent.taken else { return nil }
    let reviewed: Sentence = facts.reviews ? "reviewed" : "previewed"
    guard let foreseen = sent.foreseen, let expected = foreseen.quantity else {
      guard let prices = taken.prices else { return nil }
      let (amount, at) = (counted(taken.quantity), span(prices))
      return ChangeWords(
        text: "Nothing was available when \(reviewed); filled \(amount) at \(at).", kind: .same)
    }
    let (before, then) = (counted(expected), priced(foreseen.price))
    guard let prices = taken.prices else {
      return ChangeWords(text: "Not filled (\(reviewed): \(before) at \(then)).", kind: .worse)
    }
    let isSamePrice = prices.best == foreseen.price && prices.worst == foreseen.price
    if isSamePrice, expected == taken.quantity {
      return ChangeWords(text: "Filled as \(reviewed): \(before) at \(then).", kind: .same)
    }
    let (amount, at) = (counted(taken.quantity), span(prices))
    // A smaller fill is never an improvement, whatever its price.
    if taken.quantity < expected {
      return ChangeWords(
        text: "Filled only \(amount) at \(at) (\(reviewed): \(before) at \(then)).", kind: .worse)
    }
    let isHigher = foreseen.price < prices.worst
    let isWorse = !isSamePrice && isHigher == (sent.order.side == .buy)
    let kind = isWorse ? DriftWords.Kind.worse : .better
    let by = isHigher ? prices.worst.minus(foreseen.price) : foreseen.price.minus(prices.worst)
    guard !isSamePrice, let by else {
      return ChangeWords(
        text: "Filled \(amount) at \(at) (\(reviewed): \(before) at \(then)).", kind: kind)
    }
    return ChangeWords(
      text: """
        Filled \(amount) at \(at) (\(reviewed): \(before) at \(then)), \(priced(by)) \
        \(kind.word).
        """, kind: kind)
  }

  private func span(_ prices: (best: FixedDecimal, worst: FixedDecimal)) -> Sentence {
    prices.best == prices.worst
      ? "\(priced(prices.best))" : "\(priced(prices.best)) to \(priced(prices.worst))"
  }
}
