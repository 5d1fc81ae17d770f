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
  }

  /// The sentence; `{ago}` marks the time since the review began.
  public let text: String
  /// The direction.
  public let kind: Kind
}

extension Ticket {
  /// How far the market has moved since the review began; nil outside a review.
  public func drift(at now: ClockReading) -> DriftWords? {
    guard let review else { return nil }
    let isBuy = review.order.side == .buy
    let name = isBuy ? "Best ask" : "Best bid"
    let latest = facts.market?.opposite(of: review.order.side)
    guard let then = review.best else {
      let price = latest.map { priced($0.price) } ?? "none"
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
    let isWorse = isBuy == isHigher
    let isNew = now.monotonic.milliseconds(since: review.at.monotonic) < 1000
    let by = isHigher ? latest.price.minus(then.price) : then.price.minus(latest.price)
    let amount = by.map { "\(isHigher ? "+" : "−")\(priced($0)), " } ?? ""
    let moved = "moved \(priced(then.price)) → \(priced(latest.price)) since review"
    return DriftWords(
      text: "\(name) \(moved)\(isNew ? "" : " {ago}") (\(amount)\(isWorse ? "worse" : "better")).",
      kind: isWorse ? .worse : .better)
  }

  private func same(_ name: String, _ then: BestLevel, _ now: BestLevel) -> String {
    var text = "\(name) unchanged since review {ago}: \(priced(then.price))"
    if then.quantity != now.quantity {
      let sizes = (then.quantity.map(counted) ?? "none", now.quantity.map(counted) ?? "none")
      text += ", quantity \(sizes.0) → \(sizes.1)"
    }
    return text + "."
  }
}
