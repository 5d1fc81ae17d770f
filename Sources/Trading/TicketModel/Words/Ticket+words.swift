// Texts shared by all clients, with figures marked for the reader's locale: `{$45.10}` is a price,
// `{60}` a quantity, `{ago}` an age.

import MarketModel

extension Ticket {
  /// Why nothing can be sent now; nil if orders can be sent.
  public var blocked: String? {
    guard facts.isOnline else { return "Offline: orders can’t be sent." }
    switch facts.orders {
    case .unknown: return "Loading orders…"
    case .reading: return "Your orders are being read from disk."
    case .failed(let reason): return "Orders are refused: \(reason)"
    case .viewing: return "View only: you can’t place orders."
    case .ready: break
    }
    guard facts.market != nil else { return "Waiting for the exchange." }
    guard !facts.isLive, !(review?.order.condition ?? draft.condition).waits else { return nil }
    if (review?.order.pricing ?? draft.pricing) == .limit {
      let validity = review?.order.validity ?? draft.validity
      if validity == .postOnly { return "A post-only order needs live prices: \(facts.freshness)." }
      guard !validity.mayRest else { return nil }
      return "An order that can’t rest needs live prices: \(facts.freshness). "
        + "One that is good till cancelled can wait for them."
    }
    return "Market orders need live prices (\(facts.freshness)). You can place a limit order."
  }

  /// The rule for a limit order while prices are not live; nil if it does not apply.
  public var hint: String? {
    guard blocked == nil, !facts.isLive, !draft.condition.waits else { return nil }
    return "Prices are not live (\(facts.freshness)): a limit order waits for them."
  }

  /// The label of the button in the form or review.
  public var buttonLabel: String {
    let side = review?.order.side ?? draft.side
    let verb = phase == .form && facts.reviews ? "Review" : "Place"
    return "\(verb) \(side == .buy ? "buy" : "sell") order"
  }

  /// The question about an order of an unusual size; nil unless it has to be confirmed.
  public var sizeQuestion: String? {
    guard phase == .confirmation, let review, let usual = review.reply.usual else { return nil }
    return "Unusually large: \(figure(review.order.quantity, "")). Your usual size in this market "
      + "is \(counted(usual)). Place it anyway?"
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
  public func stepHint(_ field: TicketDraft.Field) -> String? {
    if field == .protection, facts.market != nil {
      if draft.protection.isEmpty { return "none: any price" }
      if !draft.ownsProtection {
        return draft.side == .buy ? "best ask + {0.5}%" : "best bid − {0.5}%"
      }
    }
    if field == .trigger, draft.condition == .trailPercent { return nil }
    return facts.market.map {
      field == .quantity
        ? "Lot {\($0.lot.description)}" : "Tick {\($0.tick.description)}"
    }
  }

  /// A field's error; nil without one.
  ///
  /// Invalid input comes first, then the order service's rejection of the current contents, then
  /// its rejection of the sent order. A missing field is an error only after the first attempt.
  public func fault(_ field: TicketDraft.Field) -> String? {
    if !draft[field].isEmpty || hasTried, let fault = faultInTyping(of: field) { return fault }
    if case .refused(let message, let marked, _)? = preview, marked == field { return message }
    if let refusal, refusal.field == field { return refusal.message }
    return nil
  }

  /// Errors that this device can detect; the order service validates limits, lots and ticks.
  func faultInTyping(of field: TicketDraft.Field) -> String? {
    if field == .price, draft.pricing == .market { return nil }
    if field == .trigger, draft.condition == .none { return nil }
    if field == .profit, draft.condition != .bracket { return nil }
    if field == .protection,
      draft.pricing == .limit || draft.condition != .none || draft.protection.isEmpty
    {
      return nil
    }
    let number = reading(of: field)
    if number.text.isEmpty { return "Enter a \(field.word)." }
    if !number.isDoubtful, number.isNumber { return nil }
    let last = facts.market?.last?.description ?? "45.10"
    let example = signs.typed(field == .quantity ? "100" : last)
    var start = String.UnicodeScalarView()
    start.append(contentsOf: draft[field].unicodeScalars.prefix(24))
    if number.isDoubtful {
      return "Enter the \(field.word) without separators, e.g. \(example); "
        + "“\(String(start))” is ambiguous."
    }
    return "The \(field.word) must be a number in plain digits, such as \(example); "
      + "“\(String(start))” is not."
  }

  /// "Buy {100} TROAD at market", "Sell {40} TROAD at {$45.10} or better".
  public func title(of order: TicketOrder) -> String {
    let at = order.price.map { "at \(figure($0, "$")) or better" } ?? "at market"
    let time =
      switch order.terms {
      case .limit(_, .immediateOrCancel): ", immediate or cancel"
      case .limit(_, .fillOrKill): ", fill or kill"
      case .limit(_, .postOnly): ", post-only"
      case .limit(_, .hour): ", for an hour"
      case .limit(_, .day): ", for a day"
      case .limit(_, .week): ", for a week"
      case .market, .limit: ""
      }
    let what = facts.symbol.utf8.isEmpty ? "" : " \(facts.symbol)"
    return
      "\(order.side == .buy ? "Buy" : "Sell") \(figure(order.quantity, ""))\(what) \(at)"
      + condition(of: order) + time + (order.isReduceOnly ? ", reduce-only" : "")
  }
}

extension Ticket {
  /// ", stop {$99.10}"; empty for an order that waits for nothing.
  private func condition(of order: TicketOrder) -> String {
    switch order.condition {
    case .none: ""
    case .stop: ", stop \(figure(order.trigger ?? "", "$"))"
    case .takeProfit: ", take profit \(figure(order.trigger ?? "", "$"))"
    case .trail, .trailPercent: ", trailing by \(distance(of: order))"
    case .oco: ", or stop \(figure(order.trigger ?? "", "$"))"
    case .bracket:
      ", stop \(figure(order.trigger ?? "", "$")), take profit \(figure(order.profit ?? "", "$"))"
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
