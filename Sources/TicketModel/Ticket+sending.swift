// Sending: one name, one order, until an answer comes or a person decides.

import MarketModel

extension Ticket {
  mutating func send(_ review: PinnedReview, _ now: ClockReading) -> [TicketEffect] {
    let order = review.order
    var sent = SentOrder(order: order, sentAt: now.wall, triedAt: now.monotonic)
    if case .figures(let fill, _, _) = review.reply {
      (sent.foreseen, sent.isForeseen) = (fill, true)
    }
    (self.sent, lastOrder) = (sent, order)
    (phase, self.review) = (.sent, nil)
    // On this device before it is on the wire: a restart in between must not forget it.
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

  /// Sends the order that waits again, under its name; one that is too old waits for a person.
  mutating func sendAgain(_ now: ClockReading) -> [TicketEffect] {
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
        let what = facts.symbol.utf8.isEmpty ? "Order" : "\(facts.symbol) order"
        effects.append(.announce("\(what) rejected. \(message)"))
      }
      state = .rejected
    }
    self.sent = sent
    return end(state) + effects
  }

  /// What an order took when it was first seen; what a limit order takes later is no answer to the
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
