public import MarketModel

/// A notice about one order: what was filled, what happened to the remainder, and why.
public struct OrderNotice: Hashable, Sendable {
  /// What happened.
  public enum News: Hashable, Sendable {
    case rejected(RejectionReason)
    /// An order that can't rest: its fill, if any, and why its remainder, if any, was cancelled.
    case immediate(Execution?, remainder: Cancellation?)
    /// A new limit order filled on arrival; `leaves` rests.
    case filledAtOnce(Execution, leaves: Quantity)
    /// A new limit order rests; `best` is the best opposite level of a live market.
    case rests(best: PriceLevel?, market: NotLiveReason)
    /// A new order is on its way to the venue.
    case travels(milliseconds: Int64)
    /// A cancellation is on its way to the venue.
    case cancellationSent(milliseconds: Int64)
    /// An amendment is on its way to the venue.
    case amendmentSent(milliseconds: Int64)
    /// An amendment could not be made when it reached the venue.
    case amendmentRefused(AmendProblem)
    /// A new order waits for its trigger.
    case waits(Trigger)
    /// A waiting order begins to work.
    case triggered(Trigger, Activation)
    /// A resting order filled; `leaves` still rests.
    case filledResting(Execution, leaves: Quantity)
    /// The order was amended; `from` is the previous request.
    case amended(from: OrderRequest, keepsPlace: Bool)
    /// The order is being amended, which the venue may have refused as it may have filled before.
    case amendedLate(upTo: Quantity)
    /// A waiting order was amended, and waits for this trigger.
    case waitsAmended(Trigger)
    case cancelled(filled: Quantity, cancelled: Quantity)
    /// Its time has come.
    case expired(filled: Quantity, cancelled: Quantity)
    /// A notice received as text from the process that keeps the orders.
    case told(Sentence, isWarning: Bool)
  }

  /// The order.
  public let order: OrderIdentifier
  /// The order's request.
  public let request: OrderRequest
  /// What happened.
  public let news: News
  /// The steps and bounds of the order's instrument.
  public let rules: TradingRules
  /// When.
  public let time: Timestamp

  package init(
    _ order: OrderIdentifier, _ request: OrderRequest, _ news: News, under rules: TradingRules,
    at time: Timestamp
  ) {
    self.rules = rules
    self.order = order
    self.request = request
    self.news = news
    self.time = time
  }

  /// Whether the order got less than requested and the user should see it at once.
  public var isWarning: Bool {
    switch news {
    case .rejected, .immediate(_, remainder: .some), .amendmentRefused, .told(_, isWarning: true):
      true
    case .immediate, .filledAtOnce, .rests, .travels, .cancellationSent, .amendmentSent, .waits,
      .triggered, .filledResting, .amended, .amendedLate, .waitsAmended, .cancelled, .expired,
      .told:
      false
    }
  }

  /// The sentence, such as "Bought 60 of 100 TROAD at 101.50; 40 cancelled: only 60 offered".
  public var text: Sentence {
    switch news {
    case .rejected(let reason):
      "\(rules.text(request.symbol)) order rejected. \(reason.userMessage(under: rules))"
    case .immediate(let fill, let remainder): immediateText(fill, remainder)
    case .filledAtOnce(let fill, let leaves), .filledResting(let fill, let leaves):
      filledText(fill, leaves: leaves)
    case .rests(let best, let market):
      "Order open: \(side) \(amount) at \(limit) or better; \(restingText(best, market))."
    case .travels(let milliseconds):
      "Order sent: \(work); it acts in \(rules.text(milliseconds)) ms."
    case .cancellationSent(let milliseconds):
      "Cancellation sent: \(work); it acts in \(rules.text(milliseconds)) ms."
    case .amendmentSent(let milliseconds):
      "Amendment sent: \(work); it acts in \(rules.text(milliseconds)) ms."
    case .amendmentRefused(let problem):
      "Not amended: \(work). \(problem.userMessage(under: rules))"
    case .waits(let trigger):
      "Order waiting: \(work) after \(rules.text(trigger, for: request.side))."
    case .triggered(let trigger, let activation):
      trigger.kind == .stop
        ? "Stop triggered: \(work); \(activation.text(trigger, rules))."
        : "Take-profit triggered: \(work); \(activation.text(trigger, rules))."
    case .waitsAmended(let trigger):
      "Order amended: \(work) after \(rules.text(trigger, for: request.side))."
    case .amended(let before, let keepsPlace): amendedText(before, keepsPlace)
    case .amendedLate(let possible):
      """
      Amendment in doubt: \(work) may have filled before it arrived. Up to \
      \(rules.text(possible)) may be filled.
      """
    case .cancelled(let filled, let cancelled): cancelledText(filled, cancelled)
    case .expired(let filled, let cancelled): expiredText(filled, cancelled)
    case .told(let sentence, _): sentence
    }
  }
}

extension OrderNotice {
  private var side: Sentence { request.side == .buy ? "buy" : "sell" }
  private var done: Sentence { request.side == .buy ? "bought" : "sold" }
  private var doneAtStart: Sentence { request.side == .buy ? "Bought" : "Sold" }

  /// Quantity and symbol: "100 TROAD".
  private var amount: String { "\(rules.text(request.quantity)) \(rules.text(request.symbol))" }

  private var limit: Sentence { limit(of: request) }

  private func limit(of request: OrderRequest) -> Sentence {
    request.kind.limit.map { "\(rules.text($0))" } ?? "the market"
  }

  /// "buy 100 TROAD at the market".
  private var work: Sentence {
    request.kind.limit.map { "\(side) \(amount) at \(rules.text($0))" }
      ?? "\(side) \(amount) at the market"
  }

  private func amendedText(_ before: OrderRequest, _ keepsPlace: Bool) -> Sentence {
    let (quantity, price) = (rules.text(before.quantity), limit(of: before))
    return keepsPlace
      ? """
      Order amended: \(side) \(amount) at \(limit) or better, was \(quantity) at \(price); it \
      keeps its place in the queue.
      """
      : """
      Order amended: \(side) \(amount) at \(limit) or better, was \(quantity) at \(price); it \
      is last in the queue at its price.
      """
  }

  private func cancelledText(_ filled: Quantity, _ cancelled: Quantity) -> Sentence {
    let part = rules.text(cancelled)
    guard filled > .zero else {
      return "Order cancelled: \(side) \(part) of \(amount) at \(limit)."
    }
    return """
      Order cancelled: \(side) \(part) of \(amount) at \(limit); \(rules.text(filled)) had \
      been \(done).
      """
  }

  private func expiredText(_ filled: Quantity, _ cancelled: Quantity) -> Sentence {
    let part = rules.text(cancelled)
    guard filled > .zero else { return "Order expired: \(side) \(part) of \(amount) at \(limit)." }
    return """
      Order expired: \(side) \(part) of \(amount) at \(limit); \(rules.text(filled)) had been \
      \(done).
      """
  }

  private func filledText(_ fill: Execution, leaves: Quantity) -> Sentence {
    let price = fill.text(under: rules)
    if fill.quantity == request.quantity { return "\(doneAtStart) \(amount) at \(price)." }
    let part = rules.text(fill.quantity)
    if leaves == .zero {
      return "\(doneAtStart) \(part) of \(amount) at \(price); the order is filled."
    }
    return """
      \(doneAtStart) \(part) of \(amount) at \(price); \(rules.text(leaves)) remain open at \
      \(limit) or better.
      """
  }

  private func immediateText(_ fill: Execution?, _ remainder: Cancellation?) -> Sentence {
    guard let remainder else {
      return fill.map { filledText($0, leaves: .zero) } ?? "Nothing happened."
    }
    let filled = fill?.quantity ?? .zero
    let (part, why) = (rules.text(filled), remainder.text(of: request, under: rules))
    let rest = rules.text(Quantity(units: request.quantity.units - filled.units))
    guard let price = fill?.text(under: rules) else {
      return "\(doneAtStart) \(part) of \(amount); \(rest) cancelled: \(why)."
    }
    return "\(doneAtStart) \(part) of \(amount) at \(price); \(rest) cancelled: \(why)."
  }

  private func restingText(_ best: PriceLevel?, _ market: NotLiveReason) -> Sentence {
    guard market == .live else { return "there was no live price \(rules.moment)" }
    guard let best, best.quantity > .zero else { return "nothing was offered \(rules.moment)" }
    if request.accepts(best.price) { return "earlier orders had taken what was offered" }
    return "the best offer was \(rules.text(best.price)) \(rules.moment)"
  }
}

extension Cancellation {
  /// Why the request's remainder was cancelled, as a clause: "only 60 offered".
  public func text(of request: OrderRequest, under rules: TradingRules) -> Sentence {
    switch reason {
    case .requested: "as you asked"
    case .linked: "its linked order ended it"
    case .expired: "its time was up"
    case .expiredWhileStopped: "its time was up while Livetape was not running"
    case .postOnly: "it would have taken at its arrival"
    case .reduceOnly: "nothing was left of the position to reduce"
    case .immediateOrCancel: shortage(of: request, rules)
    case .fillOrKill: "all or nothing, and \(shortage(of: request, rules))"
    }
  }

  private func shortage(of request: OrderRequest, _ rules: TradingRules) -> Sentence {
    guard let level, level.quantity > .zero else { return "nothing is offered" }
    let offered = rules.text(level.quantity)
    let (best, rest) = (rules.text(level.price), rules.text(available))
    guard let bound = request.kind.bound.map({ rules.text($0) }) else {
      if !request.accepts(level.price) { return "nothing offered; the best offer was \(best)" }
      if available == level.quantity { return "only \(offered) offered" }
      if available == .zero { return "earlier orders took all \(offered) offered" }
      return "earlier orders left only \(rest) of the \(offered) offered"
    }
    guard request.accepts(level.price) else {
      return "nothing offered within \(bound); the best offer was \(best)"
    }
    if available == level.quantity { return "only \(offered) offered within \(bound)" }
    if available == .zero { return "earlier orders took all \(offered) offered within \(bound)" }
    return "earlier orders left only \(rest) of the \(offered) offered within \(bound)"
  }
}
