// What an order would do, in words and figures: the order service's response, no guess.

import MarketModel

/// A preview in words.
public struct PreviewWords: Sendable {
  /// What kind of sentence ``remainder`` is.
  public enum Kind: Hashable, Sendable {
    /// A plain one.
    case plain
    /// The order would be refused.
    case refused
    /// Something would be cancelled.
    case cancelled
  }

  /// Quantity and price of what would be taken: "{60} × {$45.10}".
  public internal(set) var taken: String?
  /// What that costs or brings.
  public internal(set) var together: String?
  /// What would become of the rest, why the order would be refused, or what stands here meanwhile.
  public internal(set) var remainder: String?
  /// What is beyond the protection price of a market order.
  public internal(set) var bound: String?
  /// What kind of sentence that is.
  public internal(set) var kind = Kind.plain
  /// Whether there is no response yet.
  public let isEmpty: Bool

  init(_ reply: PreviewReply?, order: TicketOrder?, best: BestLevel?, hint: String?) {
    isEmpty = reply == nil
    switch reply {
    case nil: remainder = hint
    case .refused(let message, let field)?:
      kind = .refused
      // A field's own fault is said at the field.
      remainder = field == nil ? message : nil
    case .figures(let fill, let leaves, let rests)?:
      if let fill, let quantity = fill.quantity {
        taken = "\(counted(quantity)) × \(priced(fill.price))"
        together = fill.price.times(quantity).map(priced)
      }
      bound = order?.protection.map { "Beyond \(figure($0, "$")): cancelled." }
      guard leaves.units > 0 else { return }
      let left = (fill == nil ? "All " : "") + counted(leaves)
      if rests {
        remainder = "\(left) would rest at \(figure(order?.price ?? "", "$")) or better."
      } else {
        kind = .cancelled
        let all = order?.validity == .fillOrKill ? "all or nothing, and " : ""
        let why = PreviewWords.whyNoMore(fill, best, order)
        remainder = "\(left) would be cancelled: \(all)\(why)."
      }
    }
  }

  /// Not all that is offered can be had: earlier orders may have taken of this tick.
  private static func whyNoMore(
    _ fill: BestLevel?, _ best: BestLevel?, _ order: TicketOrder?
  ) -> String {
    guard let best, let offered = best.quantity, offered.units > 0 else {
      return "nothing is offered"
    }
    let bound = order?.bound
    if fill == nil, let order, let bound,
      order.side == .buy ? bound < best.price : best.price < bound
    {
      return "nothing offered within \(priced(bound)); the best offer is \(priced(best.price))"
    }
    let isAllOrNothing = order?.validity == .fillOrKill
    let wanted = order.flatMap { FixedDecimal(plain: $0.quantity) }
    let why = isAllOrNothing ? missing(wanted, of: offered) : shortage(fill, offered)
    return why + (bound.map { " within \(priced($0))" } ?? "")
  }

  /// Why an order for all or nothing gets nothing: what earlier orders have left is not said.
  private static func missing(_ wanted: FixedDecimal?, of offered: FixedDecimal) -> String {
    if let wanted, offered < wanted { return "only \(counted(offered)) offered" }
    return "earlier orders took some of the \(counted(offered)) offered now"
  }

  private static func shortage(_ fill: BestLevel?, _ offered: FixedDecimal) -> String {
    guard let had = fill?.quantity, had.units > 0 else {
      return "earlier orders took all of the \(counted(offered)) offered now"
    }
    // What was had was offered, also where that was a tick ago and less is offered now.
    if had >= offered { return "only \(counted(had)) offered" }
    return "earlier orders left only \(counted(had)) of the \(counted(offered)) offered now"
  }
}

extension Ticket {
  /// The preview of what is reviewed, or else of what is filled in.
  public var previewWords: PreviewWords {
    if let review {
      return PreviewWords(review.reply, order: review.order, best: review.best, hint: nil)
    }
    return PreviewWords(
      preview, order: questions.judged, best: facts.market?.opposite(of: draft.side),
      hint: previewHint)
  }

  private var previewHint: String? {
    let isLimit = draft.pricing == .limit
    if reading(of: .quantity).text.isEmpty || (isLimit && reading(of: .price).text.isEmpty) {
      return isLimit
        ? "Enter a quantity and a price to see what would happen."
        : "Enter a quantity to see what would happen."
    }
    return order == nil ? nil : "Asking what would happen…"
  }
}
