import MarketModel

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
  /// What would happen to the remainder, why the order would be rejected, or a placeholder.
  public internal(set) var remainder: String?
  /// What happens beyond the protection price of a market order.
  public internal(set) var bound: String?
  /// The kind of ``remainder``.
  public internal(set) var kind = Kind.plain
  /// Whether there is no response yet.
  public let isEmpty: Bool

  init(_ reply: PreviewReply?, order: TicketOrder?, best: BestLevel?, hint: String?) {
    isEmpty = reply == nil
    switch reply {
    case nil: remainder = hint
    case .refused(let message, let field)?:
      kind = .refused
      // A field's own error is shown at the field.
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

  /// The best level may be partly used: earlier orders may have taken from this tick.
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

  /// Why a FOK order would not fill; what earlier orders left is unknown.
  private static func missing(_ wanted: FixedDecimal?, of offered: FixedDecimal) -> String {
    if let wanted, offered < wanted { return "only \(counted(offered)) offered" }
    return "earlier orders took some of the \(counted(offered)) offered now"
  }

  private static func shortage(_ fill: BestLevel?, _ offered: FixedDecimal) -> String {
    guard let had = fill?.quantity, had.units > 0 else {
      return "earlier orders took all of the \(counted(offered)) offered now"
    }
    // The preview may be a tick old: its fill was offered even if less is offered now.
    if had >= offered { return "only \(counted(had)) offered" }
    return "earlier orders left only \(counted(had)) of the \(counted(offered)) offered now"
  }
}

extension Ticket {
  /// The preview of the reviewed order, or of the form.
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
