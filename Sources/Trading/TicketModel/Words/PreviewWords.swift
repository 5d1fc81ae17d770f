public import MarketModel

/// A preview as text, taken from the order service's response.
public struct PreviewWords: Sendable {
  /// The kind of ``remainder``.
  public enum Kind: Hashable, Sendable {
    case plain
    case refused
    case cancelled
  }

  /// Quantity and price of the fill: "{60} × {$45.10}".
  public internal(set) var taken: String?
  /// The fill's cost or proceeds.
  public internal(set) var together: String?
  /// The worst price of several.
  public internal(set) var worst: String?
  /// The venue's fee.
  public internal(set) var fee: String?
  /// How much worse than the middle of bid and ask the fill is, in basis points.
  public internal(set) var slippage: String?
  /// The position after the fill, with its unit: "{0.5} BTC".
  public internal(set) var position: String?
  /// What would happen to the remainder, why the order would be rejected, or a placeholder.
  public internal(set) var remainder: Sentence?
  /// What happens beyond the protection price of a market order.
  public internal(set) var bound: Sentence?
  /// How long the order is on its way before it acts; nil if it acts at once.
  public internal(set) var latency: Sentence?
  /// The kind of ``remainder``.
  public internal(set) var kind = Kind.plain
  /// Whether there is no response yet.
  public let isEmpty: Bool

  init(
    _ reply: PreviewReply?, order: TicketOrder?, best: BestLevel?, unit: String, hint: Sentence?
  ) {
    isEmpty = reply == nil
    switch reply {
    case nil: remainder = hint
    case .refused(let message, let field, _)?:
      kind = .refused
      // A field's own error is shown at the field.
      remainder = field == nil ? message : nil
    case .figures(let fill, let worst, let fee, let leaves, let rests, let risk)?:
      latency = risk.latency.map { "Reaches the venue in \(counted($0)) ms; prices may move." }
      if let fill, let quantity = fill.quantity {
        taken = "\(counted(quantity)) × \(priced(fill.price))"
        together = fill.price.times(quantity).map(priced)
        self.worst = worst.flatMap { $0.trimmed == fill.price.trimmed ? nil : priced($0) }
        // An estimate, in the digits of the market's prices.
        let digits = max(best?.price.scale ?? .whole, Scale(clamping: 2))
        self.fee = fee.map { priced($0.rounded(to: digits) ?? $0) }
        slippage = risk.slippage.map(counted)
        position = risk.position.map { unit.utf8.isEmpty ? counted($0) : "\(counted($0)) \(unit)" }
      }
      bound = order?.protection.map {
        order?.side == .sell
          ? "Won’t fill below \(figure($0, "$")); the rest is cancelled."
          : "Won’t fill above \(figure($0, "$")); the rest is cancelled."
      }
      if order?.condition == .bracket, let loss = risk.loss {
        let digits = max(best?.price.scale ?? .whole, Scale(clamping: 2))
        bound = "Worst loss at the stop, before fees: \(priced(loss.rounded(to: digits) ?? loss))."
      }
      if let order, order.condition.waits, let trigger = order.trigger {
        remainder = PreviewWords.waiting(order, trigger)
        return
      }
      guard leaves.units > 0 else { return }
      let isAllOrNothing = order?.validity == .fillOrKill
      let left: Sentence =
        fill != nil
        ? "\(counted(leaves))"
        : isAllOrNothing && !rests ? "all \(counted(leaves))" : "All \(counted(leaves))"
      if rests {
        remainder = "\(left) will rest at \(figure(order?.price ?? "", "$"))."
      } else {
        kind = .cancelled
        let why = PreviewWords.whyNoMore(fill, best, order)
        remainder =
          isAllOrNothing
          ? "Fill or kill: \(left) will be cancelled; \(why)."
          : "\(left) will be cancelled: \(why)."
      }
    }
  }

  /// What an order waits for, and what it does then.
  private static func waiting(_ order: TicketOrder, _ trigger: String) -> Sentence {
    let (limit, isBuy) = (order.price.map { figure($0, "$") }, order.side == .buy)
    if order.condition.trails {
      let gap = distance(of: order)
      guard let limit else {
        return isBuy
          ? "Follows the best price at a distance of \(gap), then buys at market."
          : "Follows the best price at a distance of \(gap), then sells at market."
      }
      return isBuy
        ? "Follows the best price at a distance of \(gap), then buys at \(limit) or better."
        : "Follows the best price at a distance of \(gap), then sells at \(limit) or better."
    }
    let price = figure(trigger, "$")
    let way: Sentence = order.isRising ? "higher" : "lower"
    guard let limit else {
      return isBuy
        ? "Waits until the price is \(price) or \(way), then buys at market."
        : "Waits until the price is \(price) or \(way), then sells at market."
    }
    return isBuy
      ? "Waits until the price is \(price) or \(way), then buys at \(limit) or better."
      : "Waits until the price is \(price) or \(way), then sells at \(limit) or better."
  }

  /// The best level may be partly used: earlier orders may have taken from this tick.
  private static func whyNoMore(
    _ fill: BestLevel?, _ best: BestLevel?, _ order: TicketOrder?
  ) -> Sentence {
    guard let best, let offered = best.quantity, offered.units > 0 else {
      return "nothing is available"
    }
    let bound = order?.bound
    if fill == nil, let order, let bound,
      order.side == .buy ? bound < best.price : best.price < bound
    {
      return order.side == .buy
        ? "no asks at \(priced(bound)) or lower; best ask \(priced(best.price))"
        : "no bids at \(priced(bound)) or higher; best bid \(priced(best.price))"
    }
    let isAllOrNothing = order?.validity == .fillOrKill
    let wanted = order.flatMap { FixedDecimal(plain: $0.quantity) }
    let price = bound.map(priced)
    return isAllOrNothing
      ? missing(wanted, of: offered, at: price) : shortage(fill, offered, at: price)
  }

  /// Why a FOK order would not fill; what earlier orders left is unknown.
  private static func missing(
    _ wanted: FixedDecimal?, of offered: FixedDecimal, at bound: String?
  ) -> Sentence {
    if let wanted, offered < wanted { return only(offered, at: bound) }
    let all = counted(offered)
    return bound.map { "earlier orders use part of the \(all) available at \($0) or better" }
      ?? "earlier orders use part of the \(all) available"
  }

  private static func shortage(
    _ fill: BestLevel?, _ offered: FixedDecimal, at bound: String?
  ) -> Sentence {
    let all = counted(offered)
    guard let had = fill?.quantity, had.units > 0 else {
      return bound.map { "earlier orders use all \(all) available at \($0) or better" }
        ?? "earlier orders use all \(all) available"
    }
    // The preview may be a tick old: its fill was offered even if less is offered now.
    if had >= offered { return only(had, at: bound) }
    let rest = counted(had)
    return bound.map {
      "earlier orders leave only \(rest) of the \(all) available at \($0) or better"
    } ?? "earlier orders leave only \(rest) of the \(all) available"
  }

  private static func only(_ quantity: FixedDecimal, at bound: String?) -> Sentence {
    bound.map { "only \(counted(quantity)) available at \($0) or better" }
      ?? "only \(counted(quantity)) available"
  }
}

extension Ticket {
  /// The preview of the reviewed order, or of the form.
  public var previewWords: PreviewWords {
    if let review {
      return PreviewWords(
        review.reply, order: review.order, best: review.best, unit: unit, hint: nil)
    }
    return PreviewWords(
      preview, order: questions.judged, best: facts.market?.opposite(of: draft.side),
      unit: unit, hint: previewHint)
  }

  private var previewHint: Sentence? {
    let (isLimit, waits) = (draft.pricing == .limit, draft.condition != .none)
    if reading(of: .quantity).text.isEmpty || (isLimit && reading(of: .price).text.isEmpty)
      || (waits && reading(of: .trigger).text.isEmpty)
      || (draft.condition == .bracket && reading(of: .profit).text.isEmpty)
    {
      return isLimit || waits
        ? "Enter a quantity and price to preview the order."
        : "Enter a quantity to preview the order."
    }
    return order == nil ? nil : "Updating preview…"
  }
}
