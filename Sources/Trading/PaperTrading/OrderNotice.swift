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
    /// A new order waits for its trigger.
    case waits(Trigger)
    /// A waiting order begins to work.
    case triggered(Trigger, Activation)
    /// A resting order filled; `leaves` still rests.
    case filledResting(Execution, leaves: Quantity)
    /// The order was amended; `from` is the previous request.
    case amended(from: OrderRequest, keepsPlace: Bool)
    case cancelled(filled: Quantity, cancelled: Quantity)
    /// Its time has come.
    case expired(filled: Quantity, cancelled: Quantity)
    /// A notice received as text from the process that keeps the orders.
    case told(String, isWarning: Bool)
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
    case .rejected, .immediate(_, remainder: .some), .told(_, isWarning: true): true
    case .immediate, .filledAtOnce, .rests, .waits, .triggered, .filledResting, .amended,
      .cancelled, .expired, .told:
      false
    }
  }

  /// The sentence, such as "Bought 60 of 100 TROAD at 101.50; 40 cancelled: only 60 offered".
  public var text: String {
    switch news {
    case .rejected(let reason):
      "\(rules.text(request.symbol)) order rejected. \(reason.userMessage(under: rules))"
    case .immediate(let fill, let remainder): immediateText(fill, remainder, rules)
    case .filledAtOnce(let fill, let leaves), .filledResting(let fill, let leaves):
      filledText(fill, leaves: leaves, rules)
    case .rests(let best, let market):
      "Order open: \(verb) \(amount(rules)) at \(limitText(rules)) or better; "
        + "\(restingText(best, market, rules))."
    case .waits(let trigger):
      "Order waiting: \(verb) \(amount(rules)) at \(limitText(rules)) after "
        + "\(rules.text(trigger, for: request.side))."
    case .triggered(let trigger, let activation):
      "\(trigger.kind.name) triggered: \(verb) \(amount(rules)) at \(limitText(rules)); "
        + "\(activation.text(trigger, rules))."
    case .amended(let before, let keepsPlace):
      "Order amended: \(verb) \(amount(rules)) at \(limitText(rules)) or better, "
        + "was \(rules.text(before.quantity)) at "
        + "\(before.kind.limit.map { rules.text($0) } ?? "the market"); it "
        + (keepsPlace ? "keeps its place in the queue." : "is last in the queue at its price.")
    case .cancelled(let filled, let cancelled):
      "Order cancelled: " + endText(filled, cancelled)
    case .expired(let filled, let cancelled): "Order expired: " + endText(filled, cancelled)
    case .told(let sentence, _): sentence
    }
  }
}

extension OrderNotice {
  private var verb: String { request.side.rawValue }
  private var done: String { request.side == .buy ? "bought" : "sold" }
  private var doneAtStart: String { request.side == .buy ? "Bought" : "Sold" }

  /// Quantity and symbol: "100 TROAD".
  private func amount(_ rules: TradingRules) -> String {
    "\(rules.text(request.quantity)) \(rules.text(request.symbol))"
  }

  private func endText(_ filled: Quantity, _ cancelled: Quantity) -> String {
    "\(verb) \(rules.text(cancelled)) of \(amount(rules)) at \(limitText(rules))"
      + (filled > .zero ? "; \(rules.text(filled)) had been \(done)." : ".")
  }

  private func limitText(_ rules: TradingRules) -> String {
    request.kind.limit.map { rules.text($0) } ?? "the market"
  }

  private func filledText(_ fill: Execution, leaves: Quantity, _ rules: TradingRules) -> String {
    let price = fill.text(under: rules)
    if fill.quantity == request.quantity {
      return "\(doneAtStart) \(amount(rules)) at \(price)."
    }
    let part =
      "\(doneAtStart) \(rules.text(fill.quantity)) of \(amount(rules)) at \(price)"
    if leaves == .zero { return "\(part); the order is filled." }
    return "\(part); \(rules.text(leaves)) remain open at \(limitText(rules)) or better."
  }

  private func immediateText(
    _ fill: Execution?, _ remainder: Cancellation?, _ rules: TradingRules
  ) -> String {
    guard let remainder else {
      return fill.map { filledText($0, leaves: .zero, rules) } ?? "Nothing happened."
    }
    let filled = fill?.quantity ?? .zero
    let cancelled = Quantity(units: request.quantity.units - filled.units)
    let at = fill.map { " at \($0.text(under: rules))" } ?? ""
    return "\(doneAtStart) \(rules.text(filled)) of \(amount(rules))\(at); "
      + "\(rules.text(cancelled)) cancelled: \(remainder.text(of: request, under: rules))."
  }

  private func restingText(
    _ best: PriceLevel?, _ market: NotLiveReason, _ rules: TradingRules
  ) -> String {
    guard market == .live else { return "there was no live price \(rules.moment)" }
    guard let best, best.quantity > .zero else { return "nothing was offered \(rules.moment)" }
    if request.accepts(best.price) { return "earlier orders had taken what was offered" }
    return "the best offer was \(rules.text(best.price)) \(rules.moment)"
  }
}

extension Cancellation {
  /// Why the request's remainder was cancelled, as a clause: "only 60 offered".
  public func text(of request: OrderRequest, under rules: TradingRules) -> String {
    switch reason {
    case .requested: "as you asked"
    case .linked: "its linked order ended it"
    case .expired: "its time was up"
    case .expiredWhileStopped: "its time was up while Livetape was not running"
    case .reduceOnly: "nothing was left of the position to reduce"
    case .immediateOrCancel: shortage(of: request, rules)
    case .fillOrKill: "all or nothing, and \(shortage(of: request, rules))"
    }
  }

  private func shortage(of request: OrderRequest, _ rules: TradingRules) -> String {
    guard let level, level.quantity > .zero else { return "nothing is offered" }
    let within = request.kind.bound.map { " within \(rules.text($0))" } ?? ""
    guard request.accepts(level.price) else {
      return "nothing offered\(within); the best offer was \(rules.text(level.price))"
    }
    let offered = rules.text(level.quantity)
    if available == level.quantity { return "only \(offered) offered\(within)" }
    if available == .zero { return "earlier orders took all \(offered) offered\(within)" }
    return "earlier orders left only \(rules.text(available)) of the \(offered) offered\(within)"
  }
}
