// Only the user changes the fields.

public import MarketModel

extension Ticket {
  /// The order in the form, in digits with a point; nil while a field is missing or invalid.
  var order: TicketOrder? {
    guard faultInTyping(of: .quantity) == nil, faultInTyping(of: .price) == nil else { return nil }
    guard faultInTyping(of: .protection) == nil, faultInTyping(of: .trigger) == nil,
      faultInTyping(of: .profit) == nil
    else {
      return nil
    }
    // The market to protect from is that at the trigger.
    let protection = draft.condition == .none ? reading(of: .protection).text : ""
    let terms: TicketOrder.Terms =
      draft.pricing == .limit
      ? .limit(price: reading(of: .price).text, draft.validity)
      : .market(protection: protection.isEmpty ? nil : protection)
    return TicketOrder(
      name: "preview", instrument: facts.instrument, side: draft.side, terms: terms,
      quantity: reading(of: .quantity).text, condition: draft.condition,
      trigger: reading(of: .trigger).text, profit: reading(of: .profit).text,
      isReduceOnly: draft.isReduceOnly, waits: draft.validity)
  }

  @inline(never)
  func reading(of field: TicketDraft.Field) -> TypedNumber {
    TypedNumber(draft[field], signs: signs, isAmount: field != .quantity)
  }

  /// Converts typed text to digits with a point; nil if it is not a number or is ambiguous.
  public func plain(_ text: String, isAmount: Bool) -> String? {
    let number = TypedNumber(text, signs: signs, isAmount: isAmount)
    return number.isNumber && !number.isDoubtful ? number.text : nil
  }

  /// Digits with a point as the reader types them.
  public func typed(_ digits: String) -> String { signs.typed(digits) }

  mutating func edit(_ change: (inout TicketDraft) -> Void) {
    guard phase == .form else { return }
    change(&draft)
    edited()
  }

  @inline(never)
  mutating func edited() {
    isChecking = false
    refusal = nil
    protect()
    questions.want(order)
  }

  /// Unless the user has edited it, the protection price follows the market.
  @inline(never)
  mutating func protect() {
    guard !draft.ownsProtection else { return }
    let standard = facts.protects ? facts.market?.protection(for: draft.side) : nil
    draft.protection = standard.map { signs.typed($0.description) } ?? ""
  }

  mutating func type(_ text: String, into field: TicketDraft.Field) {
    guard text.utf8.count <= TicketDraft.maximumBytes else { return }
    edit { $0[field] = text }
  }

  /// Steps a field by lots or ticks; an empty price field starts at the best opposite price.
  ///
  /// Invalid input is left unchanged.
  mutating func step(_ field: TicketDraft.Field, _ count: Int64) {
    guard phase == .form, let market = facts.market else { return }
    let typed = reading(of: field)
    let step = field == .quantity ? market.lot : market.tick
    let maximum = field == .quantity ? market.maximumQuantity : market.maximumPrice
    let isDistance = field == .trigger && draft.condition.trails
    if isDistance, typed.text.isEmpty { return put(step, field) }
    if field == .price || field == .trigger || field == .profit, typed.text.isEmpty {
      if let start = market.opposite(of: draft.side)?.price ?? market.last { put(start, field) }
      return
    }
    if field == .protection, typed.text.isEmpty {
      if let start = market.protection(for: draft.side) { put(start, .protection) }
      return
    }
    if typed.text.isEmpty { return put(step, .quantity) }
    guard !typed.isDoubtful, let value = FixedDecimal(plain: typed.text),
      let next = value.stepped(by: step, count, maximum: maximum)
    else { return }
    put(next, field)
  }

  @inline(never)
  mutating func put(_ value: FixedDecimal, _ field: TicketDraft.Field) {
    type(signs.typed(value.description), into: field)
  }

  mutating func take(_ price: FixedDecimal, _ side: Side?) -> [TicketEffect] {
    guard leaveForForm() else { return [] }
    draft.side = side ?? draft.side
    if draft.condition.waits, !draft.condition.trails, draft.pricing == .market {
      put(price, .trigger)
    } else {
      draft.pricing = .limit
      put(price, .price)
    }
    return [.reveal]
  }

  /// A percentage of the size at the best opposite price, in whole lots and at least one.
  ///
  /// nil if nothing is offered or the size is unknown.
  public func share(_ percent: Int64) -> FixedDecimal? {
    guard let market = facts.market, let offered = market.opposite(of: draft.side)?.quantity,
      offered.units > 0
    else { return nil }
    return offered.share(percent, of: market.lot, maximum: market.maximumQuantity)
  }

  /// The last order if it was for the current instrument; nil without one.
  public var repeatable: TicketOrder? {
    lastOrder.flatMap { $0.instrument.isSame(as: facts.instrument) ? $0 : nil }
  }

  mutating func repeatLast() -> [TicketEffect] {
    guard let repeatable, leaveForForm() else { return [] }
    fill(with: repeatable)
    edited()
    return [.reveal, .focus(blocked != nil ? .field(.quantity) : .button)]
  }

  mutating func fill(with order: TicketOrder) {
    (draft.side, draft.pricing) = (order.side, order.pricing)
    draft.quantity = signs.typed(order.quantity)
    draft.price = signs.typed(order.price ?? "")
    if order.pricing == .limit || order.condition.waits { draft.validity = order.validity }
    (draft.condition, draft.trigger) = (order.condition, signs.typed(order.trigger ?? ""))
    draft.profit = signs.typed(order.profit ?? "")
    draft.isReduceOnly = order.isReduceOnly
  }

  mutating func trade(_ side: Side) -> [TicketEffect] {
    guard facts.hasTradingKeys, leaveForForm() else { return [] }
    edit { $0.side = side }
    return [.reveal, .focus(.field(.quantity))]
  }
}
