// Texts shared by all clients, with figures marked for the reader's locale: `{$45.10}` is a price,
// `{60}` a quantity, `{ago}` an age.

public import MarketModel

extension Ticket {
  /// Why nothing can be sent now; nil if orders can be sent.
  public var blocked: Sentence? {
    guard facts.isOnline else { return "Offline: orders can’t be sent." }
    switch facts.orders {
    case .unknown: return "Loading orders…"
    case .reading: return "Your orders are being read from disk."
    case .failed(let reason): return "Orders are refused: \(reason)"
    case .viewing: return "View only: you can’t place orders."
    case .ready: break
    }
    guard facts.market != nil else { return "Waiting for prices." }
    guard !facts.isLive, !(review?.order.condition ?? draft.condition).waits else { return nil }
    if (review?.order.pricing ?? draft.pricing) == .limit {
      let validity = review?.order.validity ?? draft.validity
      if validity.isPostOnly { return "A post-only order needs live prices: \(facts.freshness)." }
      guard !validity.mayRest else { return nil }
      return """
        An order that can’t rest needs live prices: \(facts.freshness). One that is good till \
        cancelled can wait for them.
        """
    }
    return "Market orders need live prices (\(facts.freshness)). You can place a limit order."
  }

  /// The rule for a limit order while prices are not live; nil if it does not apply.
  public var hint: Sentence? {
    guard blocked == nil, !facts.isLive, !draft.condition.waits else { return nil }
    return "Prices are not live (\(facts.freshness)): a limit order waits for them."
  }

  /// The label of the button in the form or review.
  public var buttonLabel: Sentence {
    let isBuy = (review?.order.side ?? draft.side) == .buy
    if phase == .form, facts.reviews { return isBuy ? "Review buy order" : "Review sell order" }
    return isBuy ? "Place buy order" : "Place sell order"
  }

  /// The question about an order of an unusual size; nil unless it has to be confirmed.
  public var sizeQuestion: Sentence? {
    guard phase == .confirmation, let review, let usual = review.reply.usual else { return nil }
    return """
      Unusually large: \(figure(review.order.quantity, "")). Your usual size in this market is \
      \(counted(usual)). Place it anyway?
      """
  }

  /// The unit of quantities: the stock's symbol, or a pair's base currency; empty if unknown.
  var unit: String {
    let symbol = facts.symbol.utf8
    if facts.instrument.utf8.isEmpty { return facts.symbol }
    let end = symbol.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "-") }
    return end.map { String(decoding: Array(symbol[..<$0]), as: UTF8.self) } ?? ""
  }

  /// Whether the button in the form or review is disabled.
  public var isClosed: Bool { blocked != nil || (phase == .form && isChecking) }

  /// The hint beside a field: its step size or default.
  public func stepHint(_ field: TicketDraft.Field) -> Sentence? {
    if field == .protection, facts.market != nil {
      if draft.protection.isEmpty { return "none: any price" }
      if !draft.ownsProtection {
        let share = "{0.5}"
        return draft.side == .buy ? "best ask + \(share)%" : "best bid − \(share)%"
      }
    }
    if field == .trigger, draft.condition == .trailPercent { return nil }
    return facts.market.map {
      field == .quantity
        ? "Lot \(counted($0.lot))" : "Tick \(counted($0.tick))"
    }
  }

  /// A field's error; nil without one.
  ///
  /// Invalid input comes first, then the order service's rejection of the current contents, then
  /// its rejection of the sent order. A missing field is an error only after the first attempt.
  public func fault(_ field: TicketDraft.Field) -> Sentence? {
    if !draft[field].isEmpty || hasTried, let fault = faultInTyping(of: field) { return fault }
    if case .refused(let message, let marked, _)? = preview, marked == field { return message }
    if let refusal, refusal.field == field { return refusal.message }
    return nil
  }

  /// Errors that this device can detect; the order service validates limits, lots and ticks.
  func faultInTyping(of field: TicketDraft.Field) -> Sentence? {
    if field == .price, draft.pricing == .market { return nil }
    if field == .trigger, draft.condition == .none { return nil }
    if field == .profit, draft.condition != .bracket { return nil }
    if field == .protection,
      draft.pricing == .limit || draft.condition != .none || draft.protection.isEmpty
    {
      return nil
    }
    let number = reading(of: field)
    if number.text.isEmpty { return field.request }
    if !number.isDoubtful, number.isNumber { return nil }
    let last = facts.market?.last?.description ?? "45.10"
    let example = signs.typed(field == .quantity ? "100" : last)
    var start = String.UnicodeScalarView()
    start.append(contentsOf: draft[field].unicodeScalars.prefix(24))
    let text = String(start)
    return number.isDoubtful
      ? "Enter the \(field.word) without separators, e.g. \(example); “\(text)” is ambiguous."
      : """
      The \(field.word) must be a number in plain digits, such as \(example); “\(text)” is not.
      """
  }

  /// "Buy {100} TROAD at market", "Sell {40} TROAD at {$45.10} or better".
  public func title(of order: TicketOrder) -> Sentence {
    let what = facts.symbol.utf8.isEmpty ? "" : " \(facts.symbol)"
    let amount = figure(order.quantity, "") + what
    let title = condition(of: order, after: basics(of: order, amount))
    let timed: Sentence =
      switch order.validity {
      case .immediateOrCancel where order.pricing == .limit: "\(title), immediate or cancel"
      case .fillOrKill: "\(title), fill or kill"
      case .postOnly: "\(title), post-only"
      case .hour: "\(title), for an hour"
      case .day: "\(title), for a day"
      case .week: "\(title), for a week"
      case .postHour: "\(title), post-only, for an hour"
      case .postDay: "\(title), post-only, for a day"
      case .postWeek: "\(title), post-only, for a week"
      case .immediateOrCancel, .goodTillCancelled: title
      }
    return order.isReduceOnly ? "\(timed), reduce-only" : timed
  }
}

extension Ticket {
  private func basics(of order: TicketOrder, _ amount: String) -> Sentence {
    guard let price = order.price.map({ figure($0, "$") }) else {
      return order.side == .buy ? "Buy \(amount) at market" : "Sell \(amount) at market"
    }
    return order.side == .buy
      ? "Buy \(amount) at \(price) or better" : "Sell \(amount) at \(price) or better"
  }

  private func condition(of order: TicketOrder, after title: Sentence) -> Sentence {
    let trigger = figure(order.trigger ?? "", "$")
    return switch order.condition {
    case .none: title
    case .stop: "\(title), stop \(trigger)"
    case .takeProfit: "\(title), take profit \(trigger)"
    case .trail, .trailPercent: "\(title), trailing by \(distance(of: order))"
    case .oco: "\(title), or stop \(trigger)"
    case .bracket: "\(title), stop \(trigger), take profit \(figure(order.profit ?? "", "$"))"
    }
  }
}

/// "{$1.50}" or "{0.5}%".
func distance(of order: TicketOrder) -> String {
  order.condition == .trail
    ? figure(order.trigger ?? "", "$") : "\(figure(order.trigger ?? "", ""))%"
}

/// A marked figure; text that is too long for a number stays as typed.
@inline(never)
func figure(_ text: String, _ sign: String) -> String {
  FixedDecimal(plain: text).map { "{\(sign)\($0.description)}" } ?? text
}

// Inlined, these two would be a tenth of the page's ticket code.
@inline(never)
func priced(_ value: FixedDecimal) -> String { "{$\(value.description)}" }

@inline(never)
func counted(_ value: FixedDecimal) -> String { "{\(value.description)}" }
