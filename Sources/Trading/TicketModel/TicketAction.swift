public import MarketModel

/// An action of the user, the order service or the clock.
public enum TicketAction: Sendable {
  /// External state changed.
  case know(TicketFacts)
  case read(NumberSigns)
  case side(Side)
  case pricing(TicketDraft.Pricing)
  /// Time in force of a limit order.
  case validity(TicketDraft.Validity)
  /// Whether the order only closes a position.
  case reduceOnly(Bool)
  /// What the order waits for.
  case condition(TicketDraft.Condition)
  case type(TicketDraft.Field, String)
  /// A number of lots or ticks up or down.
  case step(TicketDraft.Field, Int64)
  /// A step button went down; it repeats after a delay until ``release``.
  case hold(TicketDraft.Field, Int64)
  case release
  /// The step button was clicked; ignored if it was held.
  case click(TicketDraft.Field, Int64)
  /// Fill in the previous order's quantity.
  case takeLastQuantity
  /// Fill in a percentage of the size at the best opposite price.
  case takeShare(Int64)
  /// Fill in a picked price; starts a new order if an outcome is shown.
  case takePrice(FixedDecimal)
  /// Fill in a picked price and the side that would take it.
  case takeOffer(FixedDecimal, Side)
  /// Fill in the previous order.
  case again
  case key(Side)
  /// Leave the form; the order has this client identifier from now on.
  case goOn(name: String)
  case back
  case place
  case edit
  case next
  /// Resend an order whose outcome is unknown.
  case insist
  /// Give up on an order whose outcome is unknown.
  case abandon
  /// The response to the preview request with this number.
  case previewed(UInt32, PreviewReply)
  /// The order service's response to the order with this client identifier.
  case answered(name: String, OrderReply)
  /// The order's first reported fills: total quantity and prices.
  case became(filled: FixedDecimal, at: [FixedDecimal])
  case notSent(name: String)
  case connected
  /// After a restart: this order still awaits its response.
  case restore(TicketOrder, sentAt: Timestamp)
  /// The time of ``Ticket/wakesAt``.
  case timer
}

/// The result of a preview.
public enum PreviewReply: Sendable {
  /// What would fill at once, and what would not; the worst price and the fee of what would.
  case figures(
    fill: BestLevel?, worst: FixedDecimal? = nil, fee: FixedDecimal? = nil, leaves: FixedDecimal,
    rests: Bool, risk: PreviewRisk = PreviewRisk())
  /// The order would be rejected with this message; `field` is the one to mark, `usual` as in
  /// ``PreviewRisk``.
  case refused(Sentence, field: TicketDraft.Field?, usual: FixedDecimal? = nil)
}

/// What else to know before an order is sent.
public struct PreviewRisk: Sendable {
  /// How much worse than the middle of bid and ask the fill is, in basis points; nil if unknown.
  let slippage: FixedDecimal?
  /// The position after the fill; negative if short, nil if unknown.
  let position: FixedDecimal?
  /// The usual quantity in this market if the order has ten times as much or more; nil otherwise.
  let usual: FixedDecimal?
  /// What a bracket loses at its stop; nil if unknown.
  let loss: FixedDecimal?
  /// How long the order is on its way, in milliseconds; nil if it acts at once.
  let latency: FixedDecimal?

  /// Creates a risk from what is known.
  public init(
    slippage: FixedDecimal? = nil, position: FixedDecimal? = nil, usual: FixedDecimal? = nil,
    loss: FixedDecimal? = nil, latency: FixedDecimal? = nil
  ) {
    (self.loss, self.latency) = (loss, latency)
    (self.slippage, self.position, self.usual) = (slippage, position, usual)
  }
}

extension PreviewReply {
  func marked(for pricing: TicketDraft.Pricing) -> PreviewReply {
    guard case .refused(let message, let field, let usual) = self else { return self }
    return .refused(message, field: field?.meant(by: pricing), usual: usual)
  }

  var usual: FixedDecimal? {
    switch self {
    case .figures(_, _, _, _, _, let risk): risk.usual
    case .refused(_, _, let usual): usual
    }
  }
}

/// The order service's response to an order.
public enum OrderReply: Sendable {
  /// The order exists; `isRepeated` if it already did.
  case placed(order: String?, isRepeated: Bool)
  case refused(Sentence?, field: TicketDraft.Field?, order: String?)
}

/// An effect the host must perform.
public enum TicketEffect: Sendable {
  /// Request a preview; the response carries the number.
  case ask(UInt32, TicketOrder)
  /// Persist the order awaiting its response across restarts; nil to clear it.
  case keep(TicketOrder?, sentAt: Timestamp)
  /// Send the order; `again` if an earlier attempt may have left.
  ///
  /// The client identifier makes repeats idempotent.
  case place(TicketOrder, again: Bool)
  case focus(Focus)
  case reveal
  /// Announce to screen readers; figures are marked as in ``Ticket/title(of:)``.
  case announce(Sentence)

  /// A focus target.
  public enum Focus: Sendable {
    case field(TicketDraft.Field)
    case button
  }
}
