public import MarketModel

/// The ticket of one instrument: filled in, reviewed, sent.
///
/// A pure state machine: time, the market and the order service's responses are inputs; effects are
/// outputs. Only a user action advances it.
///
/// A review is one order, however often the button is pressed: the order has its client identifier
/// from then on and is sent under it until a response arrives.
public struct Ticket: Sendable {
  /// The phase of the ticket.
  public enum Phase: Hashable, Sendable {
    case form
    case review
    /// The order is ten times the usual size or more and has to be confirmed.
    case confirmation
    /// The order was sent; its outcome stays until the user continues.
    case sent
  }

  /// The current phase.
  public internal(set) var phase = Phase.form
  /// The contents of the fields.
  public internal(set) var draft = TicketDraft()
  /// The quantity of the previous order; empty without one.
  public internal(set) var lastQuantity = ""
  /// The last order sent; nil without one.
  public internal(set) var lastOrder: TicketOrder?
  /// The order under review.
  public internal(set) var review: PinnedReview?
  /// The order that was sent.
  public internal(set) var sent: SentOrder?
  /// Whether the button waits for the order service to validate the fields.
  public internal(set) var isChecking = false
  /// Counts changes of phase and outcome.
  public internal(set) var turn: UInt32 = 0
  /// External state: market, connection, settings.
  public internal(set) var facts = TicketFacts()

  var signs = NumberSigns.plain
  var questions = PreviewQuestions()
  var hold: StepHold?
  /// Whether the user has tried to continue; missing fields are reported from then on.
  var hasTried = false
  var refusal: (field: TicketDraft.Field, message: Sentence)?
  /// Kept after it has passed: a press may be reported late.
  private var settlesAt: MonotonicTime?
  /// Whether the host still has to be woken at `settlesAt`.
  private var isSettling = false
  private var nextName = ""
  let timing: TicketTiming

  /// Creates an empty ticket.
  public init(timing: TicketTiming) { self.timing = timing }

  /// What the order would do now; nil while unknown.
  public var preview: PreviewReply? { questions.reply }

  /// Whether a press made at a time was meant for the current contents.
  public func isSettled(at time: MonotonicTime) -> Bool { settlesAt.map { $0 <= time } ?? true }

  /// When to perform ``TicketAction/timer`` next; nil for never.
  public var wakesAt: MonotonicTime? {
    var times: [MonotonicTime] = []
    if phase == .form, let due = questions.due(timing) { times.append(due) }
    if let hold, hold.next != .never { times.append(hold.next) }
    if let settlesAt, isSettling { times.append(settlesAt) }
    if let sent, sent.state == .waiting, let wait = timing.resendAfter {
      times.append(sent.triedAt.adding(milliseconds: wait))
    }
    return times.min()
  }

  /// Performs an action and returns the effects for the host, in order.
  ///
  /// `pressedAt` is when the pointer or button went down, if any; a press meant for the previous
  /// contents is ignored.
  public mutating func perform(
    _ action: TicketAction, at now: ClockReading, pressedAt: MonotonicTime? = nil
  ) -> [TicketEffect] {
    if let pressedAt, !isSettled(at: pressedAt) { return [] }
    let before = (phase, sent?.state)
    var effects = take(action, now)
    if phase != .form { hold = nil }
    if before != (phase, sent?.state) {
      turn &+= 1
      settle(now.monotonic)
    }
    if phase == .form, let question = questions.question(timing, at: now.monotonic) {
      effects.append(question)
    }
    return effects
  }

  private mutating func take(_ action: TicketAction, _ now: ClockReading) -> [TicketEffect] {
    switch action {
    case .know(let facts): know(facts)
    case .read(let signs):
      self.signs = signs
      protect()
      questions.want(order)
    case .side(let side): edit { $0.side = side }
    case .pricing(let pricing):
      edit {
        $0.pricing = pricing
        if pricing == .market, $0.condition == .oco { $0.condition = .none }
      }
    case .validity(let validity):
      edit {
        $0.validity = validity
        if !validity.mayRest, $0.condition == .oco { $0.condition = .none }
      }
    case .reduceOnly(let isReduceOnly): edit { $0.isReduceOnly = isReduceOnly }
    case .condition(let condition):
      edit {
        $0.condition = condition
        // A market order leaves nothing to cancel.
        if condition == .oco { ($0.pricing, $0.validity) = (.limit, .goodTillCancelled) }
      }
    case .type(let field, let text): type(text, into: field)
    case .step(let field, let count): step(field, count)
    case .hold(let field, let count):
      hold = StepHold(
        field: field, count: count, next: now.monotonic.adding(milliseconds: TicketTiming.hold))
    case .release: if hold?.hasRepeated == false { hold = nil } else { hold?.next = .never }
    case .click(let field, let count):
      if hold?.hasRepeated != true { step(field, count) }
      hold = nil
    case .takeLastQuantity:
      type(signs.typed(lastQuantity), into: .quantity)
      return [.focus(.field(.quantity))]
    case .takeShare(let percent): share(percent).map { put($0, .quantity) }
    case .takePrice(let price): return take(price, nil)
    case .takeOffer(let price, let side): return take(price, side)
    case .again: return repeatLast()
    case .key(let side): return trade(side)
    case .goOn(let name): return goOn(name, now)
    case .back: return back()
    case .place: return place(now)
    case .edit: return edit()
    case .next: return next()
    case .insist, .abandon, .answered, .became, .notSent, .connected, .restore:
      return hear(action, now)
    case .previewed(let number, let reply):
      guard questions.take(number, reply.marked(for: draft.pricing)), isChecking else { return [] }
      isChecking = false
      return decide(now)
    case .timer: return timer(now)
    }
    return []
  }

  private mutating func know(_ facts: TicketFacts) {
    let isMoved = facts.market != self.facts.market
    let isProtecting = facts.protects != self.facts.protects
    if !facts.instrument.isSame(as: self.facts.instrument) { leave() }
    self.facts = facts
    if isMoved || isProtecting {
      protect()
      questions.follow(order)
      questions.refresh()
    }
    if !facts.isOnline { isChecking = false }
  }

  /// Clears what was typed for another instrument; an order that was sent stays.
  private mutating func leave() {
    questions = PreviewQuestions()
    lastQuantity = ""
    if phase == .sent { return }
    let side = draft.side
    draft = TicketDraft()
    (draft.side, hasTried, refusal, isChecking) = (side, false, nil, false)
    beginForm()
  }

  private mutating func settle(_ now: MonotonicTime) {
    settlesAt = now.adding(milliseconds: TicketTiming.settle)
    isSettling = true
  }

  private mutating func timer(_ now: ClockReading) -> [TicketEffect] {
    if isSettled(at: now.monotonic) { isSettling = false }
    if var held = hold, held.next <= now.monotonic {
      step(held.field, held.count)
      held.hasRepeated = true
      held.next = now.monotonic.adding(milliseconds: TicketTiming.repeats)
      hold = held
    }
    guard let sent, sent.state == .waiting, let wait = timing.resendAfter,
      now.monotonic.milliseconds(since: sent.triedAt) >= wait
    else { return [] }
    return sendAgain(now)
  }

  // MARK: Review and submission

  private mutating func goOn(_ name: String, _ now: ClockReading) -> [TicketEffect] {
    guard phase == .form, !isChecking else { return [] }
    hasTried = true
    for field in [TicketDraft.Field.quantity, .trigger, .profit, .price, .protection]
    where faultInTyping(of: field) != nil {
      return [.focus(.field(field))]
    }
    guard blocked == nil else { return [] }
    nextName = name
    guard preview == nil else { return decide(now) }
    isChecking = true
    return []
  }

  /// Proceeds to the review unless the order service rejects the order.
  private mutating func decide(_ now: ClockReading) -> [TicketEffect] {
    guard let reply = preview, let order = questions.judged, blocked == nil else { return [] }
    if case .refused(_, let field, _) = reply {
      if let field { return [.focus(.field(field))] }
      // Without live prices a limit order can rest: the only rejected preview that can be reviewed.
      guard draft.pricing == .limit else { return [] }
    }
    let review = PinnedReview(
      order: order.named(nextName, at: now.wall), reply: reply,
      best: facts.market?.opposite(of: draft.side),
      at: now)
    guard facts.reviews else { return confirm(review, now) }
    self.review = review
    phase = .review
    return []
  }

  private mutating func back() -> [TicketEffect] {
    guard phase == .review || phase == .confirmation else { return [] }
    beginForm()
    questions.refresh()
    return [.focus(blocked != nil ? .field(.quantity) : .button)]
  }

  private mutating func place(_ now: ClockReading) -> [TicketEffect] {
    guard let review, blocked == nil else { return [] }
    return phase == .review ? confirm(review, now) : send(review, now)
  }

  /// Sends an order, one of an unusual size only after a confirmation.
  private mutating func confirm(_ review: PinnedReview, _ now: ClockReading) -> [TicketEffect] {
    guard review.reply.usual != nil else { return send(review, now) }
    (self.review, phase) = (review, .confirmation)
    return []
  }

  private mutating func edit() -> [TicketEffect] {
    guard phase == .sent, let sent, sent.state == .rejected || sent.state == .unsent else {
      return []
    }
    beginForm()
    edited()
    if let field = sent.field, let message = sent.message { refusal = (field, message) }
    return [.focus(.field(sent.field ?? .quantity))]
  }

  private mutating func next() -> [TicketEffect] {
    guard phase == .sent, sent?.isOpen == false else { return [] }
    clear()
    return [.focus(.field(.quantity))]
  }

  /// Returns to the form for a picked price or a trading key.
  ///
  /// false while an order may or may not have arrived.
  mutating func leaveForForm() -> Bool {
    if phase == .sent {
      guard sent?.isOpen == false else { return false }
      clear()
    }
    beginForm()
    return true
  }

  private mutating func beginForm() {
    (phase, review, sent) = (.form, nil, nil)
  }

  private mutating func clear() {
    if let sent { lastQuantity = sent.order.quantity }
    (draft.quantity, draft.price, hasTried) = ("", "", false)
    // IOC, FOK and triggers apply to one order only.
    (draft.validity, draft.condition, draft.trigger) = (.goodTillCancelled, .none, "")
    (draft.profit, draft.isReduceOnly) = ("", false)
    // A removed protection price stays removed; an edited one was for one order.
    if !draft.protection.isEmpty { draft.ownsProtection = false }
    beginForm()
    edited()
  }
}

extension MonotonicTime {
  static let never = MonotonicTime(nanoseconds: .max)
}

// MARK: - Sending

// One client identifier is one order, until a response arrives or the user decides.

extension Ticket {
  mutating func send(_ review: PinnedReview, _ now: ClockReading) -> [TicketEffect] {
    let order = review.order
    var sent = SentOrder(order: order, sentAt: now.wall, triedAt: now.monotonic)
    if case .figures(let fill, _, _, _, _, _) = review.reply {
      (sent.foreseen, sent.isForeseen) = (fill, true)
    }
    (self.sent, lastOrder) = (sent, order)
    (phase, self.review) = (.sent, nil)
    // Stored on this device before it is sent, so it survives a restart in between.
    return [.keep(order, sentAt: now.wall), .place(order, again: false)]
  }

  mutating func hear(_ action: TicketAction, _ now: ClockReading) -> [TicketEffect] {
    switch action {
    case .insist:
      guard var sent, sent.state == .doubtful else { return [] }
      (sent.state, sent.sentAt, sent.triedAt) = (.waiting, now.wall, now.monotonic)
      self.sent = sent
      return [.keep(sent.order, sentAt: now.wall), .place(sent.order, again: true)]
    case .abandon: return sent?.state == .doubtful ? end(.abandoned) : []
    case .answered(let name, let reply): return answered(name, reply)
    case .became(let quantity, let prices): return became(quantity, prices)
    case .notSent(let name):
      guard let sent, sent.order.name.isSame(as: name), sent.state == .waiting, !sent.hasLeft
      else { return [] }
      return end(.unsent)
    case .connected:
      questions.refresh()
      return sent?.state == .waiting ? sendAgain(now) : []
    case .restore(let order, let sentAt): return restore(order, sentAt, now)
    default: return []
    }
  }

  /// Resends the pending order under its identifier; one that is too old needs the user's decision.
  private mutating func sendAgain(_ now: ClockReading) -> [TicketEffect] {
    guard var sent else { return [] }
    sent.hasLeft = true
    sent.triedAt = now.monotonic
    self.sent = sent
    let age = now.wall.nanoseconds &- sent.sentAt.nanoseconds
    if age > timing.tooOld &* 1_000_000 { return end(.doubtful) }
    return [.place(sent.order, again: true)]
  }

  private mutating func answered(_ name: String, _ reply: OrderReply) -> [TicketEffect] {
    guard var sent, phase == .sent, sent.order.name.isSame(as: name) else { return [] }
    var effects: [TicketEffect] = []
    let state: SentOrder.State
    switch reply {
    case .placed(let order, let isRepeated):
      sent.identifier = order ?? sent.identifier
      (sent.message, sent.field) = (nil, nil)
      sent.isRepeated = sent.isRepeated || isRepeated
      state = .placed
    case .refused(let message, let field, let order):
      sent.identifier = order ?? sent.identifier
      let meant = field?.meant(by: sent.order.pricing)
      (sent.message, sent.field, sent.isRepeated) = (message, meant, false)
      if let message, sent.state != .rejected {
        effects.append(
          .announce(
            facts.symbol.utf8.isEmpty
              ? "Order rejected. \(message)" : "\(facts.symbol) order rejected. \(message)"))
      }
      state = .rejected
    }
    self.sent = sent
    return end(state) + effects
  }

  /// The order's first reported fills; later fills of a limit order are not compared with the
  /// review.
  private mutating func became(
    _ quantity: FixedDecimal, _ prices: [FixedDecimal]
  ) -> [TicketEffect] {
    guard var sent, sent.state == .placed, sent.taken == nil else { return [] }
    var range: (best: FixedDecimal, worst: FixedDecimal)?
    for price in prices {
      let (low, high) = range.map { (min($0.best, price), max($0.worst, price)) } ?? (price, price)
      range = (low, high)
    }
    if sent.order.side == .sell, let both = range { range = (both.worst, both.best) }
    sent.taken = SentOrder.Taken(quantity: quantity, prices: range)
    self.sent = sent
    return []
  }

  private mutating func end(_ state: SentOrder.State) -> [TicketEffect] {
    guard var sent else { return [] }
    sent.state = state
    self.sent = sent
    return [.keep(sent.isOpen ? sent.order : nil, sentAt: sent.sentAt)]
  }

  private mutating func restore(
    _ order: TicketOrder, _ sentAt: Timestamp, _ now: ClockReading
  ) -> [TicketEffect] {
    guard phase != .sent else { return [] }
    fill(with: order)
    edited()
    sent = SentOrder(order: order, sentAt: sentAt, triedAt: now.monotonic)
    (phase, review) = (.sent, nil)
    return sendAgain(now)
  }
}
