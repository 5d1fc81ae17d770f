public import MarketModel

/// How far the market has moved since the review began, as text.
public struct DriftWords: Sendable {
  /// The direction of the move.
  public enum Kind: Hashable, Sendable {
    /// Unchanged, or not comparable.
    case same
    /// In favour of the order.
    case better
    /// Against the order.
    case worse

    /// "worse" for what is against the order, else "better".
    var word: Sentence { self == .worse ? "worse" : "better" }
  }

  /// The sentence; `{ago}` marks the time since the review began.
  public let text: Sentence
  /// The direction.
  public let kind: Kind
}

extension Ticket {
  /// How far the market has moved since the review began; nil outside a review.
  public func drift(at now: ClockReading) -> DriftWords? {
    guard let review else { return nil }
    let isBuy = review.order.side == .buy
    let name: Sentence = isBuy ? "Best ask" : "Best bid"
    let latest = facts.market?.opposite(of: review.order.side)
    guard let then = review.best else {
      let price: Sentence = latest.map { "\(priced($0.price))" } ?? "none"
      return DriftWords(text: "\(name): none at review, \(price) now.", kind: .same)
    }
    guard let latest else {
      return DriftWords(
        text: "\(name) was \(priced(then.price)) at review {ago}; none now.", kind: .same)
    }
    guard then.price != latest.price else {
      return DriftWords(text: same(name, then, latest), kind: .same)
    }
    let isHigher = then.price < latest.price
    let kind = isBuy == isHigher ? DriftWords.Kind.worse : .better
    let isNew = now.monotonic.milliseconds(since: review.at.monotonic) < 1000
    let by = isHigher ? latest.price.minus(then.price) : then.price.minus(latest.price)
    let amount = by.map { (isHigher ? "+" : "−") + priced($0) }
    let change: Sentence = amount.map { "\($0), \(kind.word)" } ?? kind.word
    let (from, to) = (priced(then.price), priced(latest.price))
    return DriftWords(
      text: isNew
        ? "\(name) moved \(from) → \(to) since review (\(change))."
        : "\(name) moved \(from) → \(to) since review {ago} (\(change)).",
      kind: kind)
  }

  private func same(_ name: Sentence, _ then: BestLevel, _ now: BestLevel) -> Sentence {
    let price = priced(then.price)
    guard then.quantity != now.quantity else {
      return "\(name) unchanged since review {ago}: \(price)."
    }
    let (before, after) = (size(then), size(now))
    return "\(name) unchanged since review {ago}: \(price), quantity \(before) → \(after)."
  }

  private func size(_ level: BestLevel) -> Sentence {
    level.quantity.map { "\(counted($0))" } ?? "none"
  }
}
