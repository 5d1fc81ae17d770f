// `Web/types/core.d.ts` declares the same shape.

import MarketModel
import TicketModel

extension Ticket {
  func write(to json: inout TicketJSON, effects: [TicketEffect], at now: ClockReading) {
    json.object { json in
      json.text("phase", phase.wire)
      json.text("side", draft.side.wire)
      json.text("type", draft.pricing.wire)
      json.text("last", lastQuantity)
      json.number("turn", Int64(turn))
      json.number("settle", TicketTiming.settle)
      json.number("wake", wakesAt.map { max(0, $0.milliseconds(since: now.monotonic)) } ?? -1)
      writeField(.quantity, "quantity", to: &json)
      writeField(.price, "price", to: &json)
      writeField(.protection, "protection", to: &json)
      writeField(.trigger, "trigger", to: &json)
      writeField(.profit, "profit", to: &json)
      json.text("condition", draft.condition.wire ?? "none")
      json.text(
        "timeInForce",
        (draft.pricing == .market ? draft.validity.atMarket : draft.validity).wire)
      json.flag("reduceOnly", draft.isReduceOnly)
      json.sentence("again", repeatable.map { title(of: $0) })
      json.array("shares") { json in
        for percent in [25, 50, 100] as [Int64] {
          json.object { json in
            json.number("percent", percent)
            json.text("quantity", share(percent)?.description)
          }
        }
      }
      json.sentence("label", buttonLabel)
      json.flag("isClosed", isClosed)
      json.flag("isBlocked", blocked != nil)
      json.sentence("reason", blocked ?? hint ?? "")
      writePreview(to: &json)
      if let review { write(review, to: &json, at: now) }
      if let sent, let outcome { write(sent, outcome, to: &json) }
      json.array("effects") { json in
        for effect in effects { effect.write(to: &json) }
      }
    }
  }

  private func writeField(
    _ field: TicketDraft.Field, _ name: StaticString, to json: inout TicketJSON
  ) {
    json.object(name) { json in
      json.text("typed", field.text(of: draft))
      json.sentence("hint", stepHint(field) ?? "")
      json.sentence("fault", fault(field) ?? "")
    }
  }

  private func writePreview(to json: inout TicketJSON) {
    let words = previewWords
    json.object("preview") { json in
      json.flag("isEmpty", words.isEmpty)
      json.text("taken", words.taken)
      json.text("together", words.together)
      json.text("worst", words.worst)
      json.text("fee", words.fee)
      json.text("slippage", words.slippage)
      json.text("position", words.position)
      json.sentence("remainder", words.remainder)
      json.sentence("bound", words.bound)
      json.sentence("latency", words.latency)
      switch words.kind {
      case .plain: break
      case .refused: json.text("kind", "refused")
      case .cancelled: json.text("kind", "cancelled")
      }
    }
  }

  private func write(_ review: PinnedReview, to json: inout TicketJSON, at now: ClockReading) {
    json.object("review") { json in
      json.sentence("title", title(of: review.order))
      json.sentence("question", sizeQuestion)
      json.number("age", now.monotonic.milliseconds(since: review.at.monotonic))
      guard let drift = drift(at: now) else { return }
      json.sentence("drift", drift.text)
      json.text("kind", drift.kind.wire)
    }
  }

  private func write(_ sent: SentOrder, _ outcome: OutcomeWords, to json: inout TicketJSON) {
    json.object("sent") { json in
      json.sentence("title", title(of: sent.order))
      json.text("name", sent.order.name)
      json.text("state", sent.state.wire)
      json.text("id", sent.identifier)
      json.flag("isOpen", sent.isOpen)
      json.sentence("status", outcome.status)
      json.sentence("text", outcome.text)
      json.flag("isOwnWord", outcome.isOwnWord)
      json.sentence("repeated", outcome.repeated)
      json.sentence("change", change?.text)
      json.text("kind", change?.kind.wire)
      json.flag("isAlarming", outcome.isAlarming)
      json.array("buttons") { json in
        for button in outcome.buttons {
          json.object { json in
            json.text("act", button.wire)
            json.sentence("label", button.label)
          }
        }
      }
    }
  }
}

extension TicketEffect {
  func write(to json: inout TicketJSON) {
    json.object { json in
      switch self {
      case .ask(let number, let order):
        json.text("do", "ask")
        json.number("number", Int64(number))
        order.write(to: &json)
      case .keep(let order, let sentAt):
        json.text("do", "keep")
        json.number("sentAt", sentAt.milliseconds)
        json.text("validity", order?.validity.wire)
        order?.write(to: &json)
      case .place(let order, let again):
        json.text("do", "place")
        json.flag("again", again)
        order.write(to: &json)
      case .focus(.field(let field)):
        json.text("do", "focus")
        json.text("on", field.wire)
      case .focus(.button):
        json.text("do", "focus")
        json.text("on", "button")
      case .reveal: json.text("do", "reveal")
      case .announce(let text):
        json.text("do", "announce")
        json.sentence("text", text)
      }
    }
  }
}

extension TicketOrder {
  func write(to json: inout TicketJSON) {
    json.object("order") { json in
      json.text("clientId", name)
      json.text("instrument", instrument.utf8.isEmpty ? nil : instrument)
      json.text("type", pricing.wire)
      json.text("side", side.wire)
      json.text("quantity", quantity)
      json.text("price", price)
      json.text("protection", protection)
      switch condition {
      case .none: break
      case .stop: json.text("stop", trigger)
      case .takeProfit: json.text("takeProfit", trigger)
      case .trail: json.text("trail", trigger)
      case .trailPercent: json.text("trailPercent", trigger)
      case .oco: json.text("oco", trigger)
      case .bracket:
        json.text("bracketStop", trigger)
        json.text("bracketProfit", profit)
      }
      if pricing == .limit, !validity.mayRest { json.text("timeInForce", validity.wire) }
      if validity.isPostOnly { json.flag("postOnly", true) }
      if isReduceOnly { json.flag("reduceOnly", true) }
      if let expiry { json.number("expires", expiry.milliseconds) }
    }
  }
}

extension Ticket.Phase {
  var wire: String {
    switch self {
    case .form: "form"
    case .review: "review"
    case .confirmation: "confirmation"
    case .sent: "sent"
    }
  }
}

extension Side {
  var wire: String { self == .buy ? "buy" : "sell" }
}

extension TicketDraft.Pricing {
  var wire: String { self == .market ? "market" : "limit" }
}

extension TicketDraft.Validity {
  var wire: String {
    switch self {
    case .goodTillCancelled: "gtc"
    case .immediateOrCancel: "ioc"
    case .fillOrKill: "fok"
    case .postOnly: "post"
    case .hour: "hour"
    case .day: "day"
    case .week: "week"
    case .postHour: "posthour"
    case .postDay: "postday"
    case .postWeek: "postweek"
    }
  }
}

extension TicketDraft.Condition {
  /// nil for none.
  var wire: String? {
    switch self {
    case .none: nil
    case .stop: "stop"
    case .takeProfit: "takeProfit"
    case .trail: "trail"
    case .trailPercent: "trailPercent"
    case .oco: "oco"
    case .bracket: "bracket"
    }
  }
}

extension TicketDraft.Field {
  var wire: String {
    switch self {
    case .quantity: "quantity"
    case .price: "price"
    case .trigger: "trigger"
    case .profit: "profit"
    case .protection: "protection"
    }
  }

  func text(of draft: TicketDraft) -> String {
    switch self {
    case .quantity: draft.quantity
    case .price: draft.price
    case .trigger: draft.trigger
    case .profit: draft.profit
    case .protection: draft.protection
    }
  }
}

extension DriftWords.Kind {
  /// nil if nothing has changed.
  var wire: String? {
    switch self {
    case .same: nil
    case .better: "better"
    case .worse: "worse"
    }
  }
}

extension SentOrder.State {
  var wire: String {
    switch self {
    case .waiting: "waiting"
    case .placed: "placed"
    case .rejected: "rejected"
    case .unsent: "unsent"
    case .doubtful: "doubtful"
    case .abandoned: "abandoned"
    }
  }
}

extension OutcomeWords.Button {
  var wire: String {
    switch self {
    case .insist: "insist"
    case .abandon: "abandon"
    case .edit: "edit"
    case .next: "next"
    }
  }
}
