// Filling in: nothing but the person changes what stands in the fields.

import MarketModel

extension Ticket {
  /// The order as it stands, in digits with a point; nil while something is missing or plainly
  /// wrong.
  var order: TicketOrder? {
    guard faultInTyping(of: .quantity) == nil, faultInTyping(of: .price) == nil else { return nil }
    return TicketOrder(
      name: "preview", side: draft.side,
      price: draft.pricing == .limit ? reading(of: .price).text : nil,
      quantity: reading(of: .quantity).text)
  }

  func reading(of field: TicketDraft.Field) -> TypedNumber {
    TypedNumber(draft[field], signs: signs, isAmount: field == .price)
  }

  mutating func edit(_ change: (inout TicketDraft) -> Void) {
    guard phase == .form else { return }
    change(&draft)
    edited()
  }

  mutating func edited() {
    isChecking = false
    refusal = nil
    questions.want(order)
  }

  mutating func type(_ text: String, into field: TicketDraft.Field) {
    guard text.utf8.count <= TicketDraft.maximumBytes else { return }
    edit { $0[field] = text }
  }

  /// Lots or ticks from what was typed; from an empty field the price begins at the best offer.
  ///
  /// What is no number is left as it is.
  mutating func step(_ field: TicketDraft.Field, _ count: Int64) {
    guard phase == .form, let market = facts.market else { return }
    let typed = reading(of: field)
    let step = field == .quantity ? market.lot : market.tick
    let maximum = field == .quantity ? market.maximumQuantity : market.maximumPrice
    if field == .price, typed.text.isEmpty {
      if let start = market.opposite(of: draft.side)?.price ?? market.last { put(start, .price) }
      return
    }
    if typed.text.isEmpty { return put(step, .quantity) }
    guard !typed.isDoubtful, let value = FixedDecimal(plain: typed.text),
      let next = value.stepped(by: step, count, maximum: maximum)
    else { return }
    put(next, field)
  }

  private mutating func put(_ value: FixedDecimal, _ field: TicketDraft.Field) {
    type(signs.typed(value.description), into: field)
  }

  mutating func take(_ price: FixedDecimal) -> [TicketEffect] {
    guard leaveForForm() else { return [] }
    draft.pricing = .limit
    put(price, .price)
    return [.reveal]
  }

  mutating func trade(_ side: Side) -> [TicketEffect] {
    guard facts.hasTradingKeys, leaveForForm() else { return [] }
    edit { $0.side = side }
    return [.reveal, .focus(.field(.quantity))]
  }
}
