// What a person, the order service or the clock does to the ticket, and what the ticket asks of its
// host.

public import MarketModel

/// Something that happened.
public enum TicketAction: Sendable {
  /// What the ticket acts on is this now.
  case know(TicketFacts)
  /// The reader writes numbers so.
  case read(NumberSigns)
  /// Buy or sell.
  case side(Side)
  /// Market or limit.
  case pricing(TicketDraft.Pricing)
  /// How long a limit order is to hold.
  case validity(TicketDraft.Validity)
  /// This stands in a field now, by the person's hand.
  case type(TicketDraft.Field, String)
  /// So many lots or ticks up, or down.
  case step(TicketDraft.Field, Int64)
  /// A step button went down; it steps on after a while, until ``release``.
  case hold(TicketDraft.Field, Int64)
  /// The step button went up, or its press went elsewhere.
  case release
  /// The step button was clicked; nothing when it was held.
  case click(TicketDraft.Field, Int64)
  /// The quantity of the order before, once more.
  case takeLastQuantity
  /// So many hundredths of what is offered at the best price.
  case takeShare(Int64)
  /// An offer's price goes into the ticket; beside an outcome that begins a new order.
  case takePrice(FixedDecimal)
  /// The same, with the side of the order that would take the offer.
  case takeOffer(FixedDecimal, Side)
  /// The order before, once more.
  case again
  /// A key that trades, once those are switched on.
  case key(Side)
  /// From the form onwards; the order has this name from here.
  case goOn(name: String)
  /// Back to the form; what was typed is still there.
  case back
  /// Places what was reviewed.
  case place
  /// Back to the form with what was refused.
  case edit
  /// An empty ticket for the next order.
  case next
  /// A person's word on an order of which nobody knows: send it again after all.
  case insist
  /// Or leave it.
  case abandon
  /// What an order would do: the response to the question of this number.
  case previewed(UInt32, PreviewReply)
  /// The order service's word on the order of this name.
  case answered(name: String, OrderReply)
  /// The order that was sent was filled with so much at its first sight, at these prices.
  case became(filled: FixedDecimal, at: [FixedDecimal])
  /// There was no connection to send the order of this name over.
  case notSent(name: String)
  /// The link stands (again).
  case connected
  /// After a restart: this order still waits for its answer.
  case restore(TicketOrder, sentAt: Timestamp)
  /// What has changed is on screen from now on.
  case drawn
  /// The time that ``Ticket/wakesAt`` said.
  case timer
}

/// What an order would do.
public enum PreviewReply: Sendable {
  /// What would be taken of the best offer, and what not.
  case figures(fill: BestLevel?, leaves: FixedDecimal, rests: Bool)
  /// It would be refused, in the order service's words; `field` is the one to mark.
  case refused(String, field: TicketDraft.Field?)
}

extension PreviewReply {
  /// The same with the field that is meant, for an order of this kind.
  func marked(for pricing: TicketDraft.Pricing) -> PreviewReply {
    guard case .refused(let message, let field) = self else { return self }
    return .refused(message, field: field?.meant(by: pricing))
  }
}

/// What came of an order that was sent.
public enum OrderReply: Sendable {
  /// It exists; `isRepeated` when it did before.
  case placed(order: String?, isRepeated: Bool)
  /// It was refused, in the order service's words.
  case refused(String?, field: TicketDraft.Field?, order: String?)
}

/// What the host has to do.
public enum TicketEffect: Sendable {
  /// Ask what the order would do; the response carries the number.
  case ask(UInt32, TicketOrder)
  /// Remember, over a restart, the order that waits for its answer; nil for none.
  case keep(TicketOrder?, sentAt: Timestamp)
  /// Send the order. The same name again is the same order; `again` says whether it may have left
  /// before.
  case place(TicketOrder, again: Bool)
  /// Bring the keyboard to what is to be done next.
  case focus(Focus)
  /// Bring the ticket into sight.
  case reveal
  /// Tell a screen reader; figures are marked as in ``Ticket/title(of:)``.
  case announce(String)

  /// Where the keyboard goes.
  public enum Focus: Sendable {
    /// To a field.
    case field(TicketDraft.Field)
    /// To the button of the form.
    case button
  }
}
