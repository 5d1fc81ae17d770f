// A market order's protection price: it follows the market until the user changes it.

import MarketModel
import Testing
import TicketModel

@Suite struct ProtectionTests {
  private func protecting() -> TicketRun {
    var run = TicketRun()
    run.know { $0.protects = true }
    return run
  }

  @Test("it is half a percent beyond the best price, on the next tick outwards")
  func standard() {
    var run = protecting()
    #expect(run.ticket.draft.protection == "45.33")
    run.perform(.side(.sell))
    #expect(run.ticket.draft.protection == "44.78")
    #expect(run.ticket.stepHint(.protection) == "best bid − {0.5}%")
    run.fill("5")
    run.pass(200)
    #expect(run.questions.last?.order.protection == "44.78")
  }

  @Test("without a best price, or on a host without protection, it is absent")
  func none() {
    var run = protecting()
    run.know { $0.market?.ask = nil }
    #expect(run.ticket.draft.protection.isEmpty)
    run.know {
      $0.market?.ask = offer("45.10", "60")
      $0.protects = false
    }
    #expect(run.ticket.draft.protection.isEmpty)
  }

  @Test("it follows the market, and the preview stays until there is a newer one")
  func following() {
    var run = protecting()
    run.fill("5")
    run.foresee()
    run.pass(1000)
    run.know { $0.market?.ask = offer("45.20", "60") }
    #expect(run.ticket.draft.protection == "45.43" && run.ticket.preview != nil)
    #expect(run.ticket.previewWords.bound == "Won’t fill above {$45.33}; the rest is cancelled.")
    #expect(run.questions.last?.order.protection == "45.43")
    run.foresee()
    #expect(run.ticket.previewWords.bound == "Won’t fill above {$45.43}; the rest is cancelled.")
    run.goOn()
    #expect(run.ticket.review?.order.protection == "45.43")
  }

  @Test("what the user types stays, and a response about another price is not shown")
  func typed() {
    var run = protecting()
    run.fill("5")
    run.foresee()
    run.perform(.type(.protection, "45.20"))
    #expect(run.ticket.preview == nil)
    run.perform(
      .previewed(1, .figures(fill: offer("45.10", "5"), leaves: decimal("0"), rests: false)))
    #expect(run.ticket.preview == nil)
    run.know { $0.market?.ask = offer("45.30", "60") }
    #expect(run.ticket.draft.protection == "45.20")
    run.answer(.figures(fill: nil, leaves: decimal("5"), rests: false))
    #expect(
      run.ticket.previewWords.remainder?.description
        == "All {5} will be cancelled: no asks at {$45.20} or lower; "
        + "best ask {$45.30}.")
  }

  @Test("emptied it is off, also for the next order; a price of its own is for one order")
  func off() {
    var run = protecting()
    run.perform(.type(.protection, ""))
    run.place()
    #expect(run.placed.last?.protection == nil)
    run.perform(.answered(name: "order-1", .placed(order: "1", isRepeated: false)))
    run.pass(400)
    run.perform(.next)
    #expect(run.ticket.draft.protection.isEmpty)
    run.perform(.type(.protection, "45.2"))
    run.place()
    #expect(run.placed.last?.protection == "45.2")
    run.perform(.answered(name: "order-2", .placed(order: "2", isRepeated: false)))
    run.pass(400)
    run.perform(.next)
    #expect(run.ticket.draft.protection == "45.33")
  }

  @Test("the order service's word on a market order's price is about its protection")
  func refused() {
    var run = protecting()
    run.fill("5")
    run.perform(.type(.protection, "45.001"))
    run.answer(.refused("Not a tick.", field: .price))
    #expect(run.ticket.fault(.protection) == "Not a tick.")
    #expect(run.ticket.fault(.price) == nil)
    run.perform(.type(.protection, "x"))
    #expect(
      run.ticket.fault(.protection)?.description.hasPrefix("The protection price must be") == true)
    run.goOn()
    #expect(run.ticket.phase == .form)
  }

  @Test("a fill-or-kill preview is all or nothing, and can't wait for live prices")
  func fillOrKill() {
    var run = TicketRun()
    run.perform(.validity(.fillOrKill))
    run.fill("100", "45.10")
    run.answer(.figures(fill: nil, leaves: decimal("100"), rests: false))
    #expect(
      run.ticket.previewWords.remainder
        == "Fill or kill: all {100} will be cancelled; only {60} available at {$45.10} or better.")
    run.know { $0.isLive = false }
    #expect(
      run.ticket.blocked?.description.hasPrefix("An order that can’t rest needs live prices")
        == true)
    run.perform(.validity(.goodTillCancelled))
    #expect(run.ticket.blocked == nil)
  }

  @Test(
    "shares of what is offered are whole lots, and at least one",
    arguments: [(25, "60", "15"), (50, "37", "18"), (100, "37", "37"), (25, "3", "1")]
      as [(Int64, String, String)])
  func shares(_ percent: Int64, _ offered: String, _ expected: String) {
    var run = TicketRun()
    run.know { $0.market?.ask = offer("45.10", offered) }
    run.perform(.takeShare(percent))
    #expect(run.ticket.draft.quantity == expected)
    run.know { $0.market?.ask = offer("45.10", "0") }
    #expect(run.ticket.share(percent) == nil)
  }

  @Test("an offer that is taken fills price and side; the order before can be had once more")
  func offers() {
    var run = TicketRun()
    run.perform(.takeOffer(decimal("45.01"), .sell))
    #expect(run.ticket.draft.side == .sell && run.ticket.draft.price == "45.01")
    run.perform(.again)
    #expect(run.ticket.draft.quantity.isEmpty, "there was none")
    run.fill("7", "45.01")
    run.foresee("7")
    run.goOn()
    run.pass(400)
    run.perform(.place)
    run.perform(.answered(name: "order-1", .placed(order: "1", isRepeated: false)))
    run.pass(400)
    run.perform(.next)
    run.perform(.side(.buy))
    run.perform(.again)
    #expect(run.ticket.draft.side == .sell && run.ticket.draft.pricing == .limit)
    #expect(run.ticket.draft.quantity == "7" && run.ticket.draft.price == "45.01")
  }

  @Test(
    "immediate-or-cancel and fill-or-kill hold for one order",
    arguments: [TicketDraft.Validity.immediateOrCancel, .fillOrKill], [false, true])
  func validityOfOneOrder(_ validity: TicketDraft.Validity, _ takesOffer: Bool) {
    var run = TicketRun()
    run.fill("5", "45.10")
    run.perform(.validity(validity))
    run.foresee()
    run.goOn()
    run.pass(400)
    run.perform(.place)
    #expect(run.placed.last?.validity == validity)
    run.perform(.answered(name: "order-1", .placed(order: "1", isRepeated: false)))
    run.pass(400)
    run.perform(takesOffer ? .takeOffer(decimal("45.10"), .buy) : .next)
    #expect(run.ticket.draft.validity == .goodTillCancelled)
  }

  @Test("a title and an announced refusal name the market")
  func market() {
    var run = TicketRun()
    run.know { $0.symbol = "TROAD" }
    run.place()
    #expect(run.ticket.sent.map { run.ticket.title(of: $0.order) } == "Buy {5} TROAD at market")
    run.perform(.answered(name: "order-1", .refused("Too many.", field: nil, order: nil)))
    #expect(run.effects.announced == ["TROAD order rejected. Too many."])
  }

  @Test(
    "the receipt says what became of what was reviewed",
    arguments: [
      ("5", ["45.10"], "Filled as reviewed: {5} at {$45.10}.", DriftWords.Kind.same),
      (
        "5", ["45.12"],
        "Filled {5} at {$45.12} (reviewed: {5} at {$45.10}), {$0.02} worse.", .worse
      ),
      (
        "5", ["45.09", "45.08"],
        "Filled {5} at {$45.08} to {$45.09} (reviewed: {5} at {$45.10}), {$0.01} better.", .better
      ),
      ("3", ["45.10"], "Filled only {3} at {$45.10} (reviewed: {5} at {$45.10}).", .worse),
      // Less than expected is not an improvement, however good its price.
      ("3", ["45.06"], "Filled only {3} at {$45.06} (reviewed: {5} at {$45.10}).", .worse),
      ("0", [], "Not filled (reviewed: {5} at {$45.10}).", .worse),
    ] as [(String, [String], String, DriftWords.Kind)])
  func changes(_ filled: String, _ prices: [String], _ text: String, _ kind: DriftWords.Kind) {
    var run = TicketRun()
    run.place()
    run.perform(.became(filled: decimal(filled), at: prices.map(decimal)))
    #expect(run.ticket.change == nil, "the answer has not come")
    run.perform(.answered(name: "order-1", .placed(order: "1", isRepeated: false)))
    run.perform(.became(filled: decimal(filled), at: prices.map(decimal)))
    #expect(run.ticket.change?.text.description == text && run.ticket.change?.kind == kind)
    run.perform(.became(filled: decimal("99"), at: [decimal("1")]))
    #expect(
      run.ticket.change?.text.description == text, "what comes later is no answer to the review")
  }
}

@Suite struct ConditionTests {
  @Test func `an order that waits is sent with its trigger and without a protection price`() {
    var run = TicketRun()
    run.know { $0.protects = true }
    run.perform(.condition(.stop))
    run.perform(.type(.quantity, "5"))
    run.pass(1000)
    #expect(run.asked.isEmpty, "no trigger yet")
    run.perform(.type(.trigger, "46"))
    run.pass(1000)
    #expect(run.asked.last?.trigger == "46")
    #expect(run.asked.last?.protection == nil)
    // It can wait without live prices.
    run.know { $0.isLive = false }
    #expect(run.ticket.blocked == nil)
    run.perform(.condition(.none))
    run.pass(1000)
    #expect(run.asked.last?.trigger == nil && run.asked.last?.protection != nil)
    #expect(run.ticket.blocked != nil)
  }

  @Test func `a bracket needs both exits, and an alternative a limit order`() {
    var run = TicketRun()
    run.perform(.condition(.bracket))
    run.perform(.type(.quantity, "5"))
    run.perform(.type(.trigger, "40"))
    run.pass(1000)
    #expect(run.asked.isEmpty)
    run.perform(.type(.profit, "50"))
    run.pass(1000)
    #expect(run.asked.last?.trigger == "40" && run.asked.last?.profit == "50")
    run.perform(.condition(.oco))
    #expect(run.ticket.draft.pricing == .limit)
    run.perform(.pricing(.market))
    #expect(run.ticket.draft.condition == .none)
  }
}

extension TicketRun {
  fileprivate var asked: [TicketOrder] {
    effects.compactMap { if case .ask(_, let order) = $0 { order } else { nil } }
  }
}
