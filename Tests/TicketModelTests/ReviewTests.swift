// From form to review: why nothing can be sent, the market's drift since the review, and misplaced
// presses.

import MarketModel
import Testing
import TicketModel

@Suite struct ReviewTests {
  @Test("the reasons why nothing can be sent are shown in order")
  func blocked() {
    var run = TicketRun()
    run.fill("5")
    run.foresee()
    run.know { $0.isLive = false }
    run.know { $0.freshness = "stale · 12 s ago" }
    #expect(
      run.ticket.blocked
        == "Market orders need live prices (stale · 12 s ago). You can place a limit order.")
    run.know { $0.market = nil }
    #expect(run.ticket.blocked == "Waiting for prices.")
    run.know { $0.orders = .failed("The disk is full.") }
    #expect(run.ticket.blocked == "Orders are refused: The disk is full.")
    run.know { $0.orders = .reading }
    #expect(run.ticket.blocked == "Your orders are being read from disk.")
    run.know { $0.orders = .unknown }
    #expect(run.ticket.blocked == "Loading orders…")
    run.know { $0.isOnline = false }
    #expect(run.ticket.blocked == "Offline: orders can’t be sent.")
    #expect(run.ticket.isClosed)
    run.goOn()
    #expect(run.ticket.phase == .form)
  }

  @Test("a limit order waits for live prices, with a notice")
  func hint() {
    var run = TicketRun()
    run.know { $0.isLive = false }
    run.know { $0.freshness = "stale" }
    run.fill("5", "45.50")
    #expect(run.ticket.blocked == nil)
    #expect(run.ticket.hint == "Prices are not live (stale): a limit order waits for them.")
    run.answer(.refused("Prices are not live.", field: nil))
    run.goOn()
    #expect(run.ticket.phase == .review, "it may be refused now and placed all the same")
    run.know { $0.isLive = true }
    #expect(run.ticket.hint == nil)
  }

  @Test("a market order that would be refused is not reviewed")
  func refused() {
    var run = TicketRun()
    run.fill("5")
    run.answer(.refused("Too many open orders.", field: nil))
    run.goOn()
    #expect(run.ticket.phase == .form)
    #expect(run.ticket.previewWords.remainder == "Too many open orders.")
  }

  @Test("the button waits for the order service to judge the fields")
  func checking() {
    var run = TicketRun()
    run.fill("5")
    run.goOn()
    #expect(run.ticket.isChecking && run.ticket.isClosed && run.ticket.phase == .form)
    run.goOn()
    run.foresee()
    #expect(run.ticket.phase == .review && run.ticket.review?.order.name == "order-1")
  }

  @Test("whatever is changed, or a lost link, ends the wait")
  func notChecking() {
    var run = TicketRun()
    run.fill("5")
    run.goOn()
    run.perform(.type(.quantity, "6"))
    #expect(!run.ticket.isChecking)
    run.goOn()
    run.know { $0.isOnline = false }
    #expect(!run.ticket.isChecking)
    run.foresee()
    #expect(run.ticket.phase == .form)
  }

  @Test("what was reviewed is pinned")
  func pinned() {
    var run = TicketRun()
    run.fill("60")
    run.foresee("60")
    run.goOn()
    #expect(run.ticket.review.map { run.ticket.title(of: $0.order) } == "Buy {60} at market")
    #expect(run.ticket.buttonLabel == "Place buy order")
    run.perform(.type(.quantity, "99"))
    run.perform(.side(.sell))
    run.know { $0.market?.ask = offer("45.14", "10") }
    #expect(run.ticket.previewWords.taken == "{60} × {$45.10}")
    run.pass(400)
    run.perform(.place)
    #expect(run.placed.map(\.quantity) == ["60"] && run.placed.first?.side == .buy)
  }

  @Test("the market's drift is shown, with its direction for the user")
  func drift() {
    var run = TicketRun()
    run.fill("60")
    run.foresee("60")
    run.goOn()
    #expect(run.drift == "Best ask unchanged since review {ago}: {$45.10}.")
    run.know { $0.market?.ask = offer("45.10", "10") }
    #expect(run.drift == "Best ask unchanged since review {ago}: {$45.10}, quantity {60} → {10}.")
    run.know { $0.market?.ask = offer("45.14", "10") }
    #expect(
      run.drift == "Best ask moved {$45.10} → {$45.14} since review (+{$0.04}, worse).")
    #expect(run.ticket.drift(at: run.now)?.kind == .worse)
    run.know { $0.market?.ask = offer("45", "10") }
    run.pass(3000)
    #expect(
      run.drift == "Best ask moved {$45.10} → {$45} since review {ago} (−{$0.10}, better).")
    #expect(run.ticket.drift(at: run.now)?.kind == .better)
    run.know { $0.market?.ask = nil }
    #expect(run.drift == "Best ask was {$45.10} at review {ago}; none now.")
  }

  @Test("a sale is better off with a higher best buy")
  func driftOfASale() {
    var run = TicketRun()
    run.perform(.side(.sell))
    run.fill("5")
    run.foresee()
    run.know { $0.market?.bid = nil }
    run.goOn()
    #expect(run.drift == "Best bid: none at review, none now.")
    run.know { $0.market?.bid = offer("45.00", "1") }
    #expect(run.drift == "Best bid: none at review, {$45.00} now.")
    run.perform(.back)
    run.pass(400)
    run.foresee()
    run.goOn()
    run.know { $0.market?.bid = offer("45.02", "1") }
    #expect(run.ticket.drift(at: run.now)?.kind == .better)
  }

  @Test("going back keeps what was typed and requests a new preview")
  func back() {
    var run = TicketRun()
    run.fill("60")
    run.foresee("60")
    run.goOn()
    run.pass(1000)
    let effects = run.perform(.back)
    #expect(run.ticket.phase == .form && run.ticket.draft.quantity == "60")
    #expect(effects.focus == ["button"])
    #expect(run.questions.count == 2)
    run.goOn()
    run.know { $0.isLive = false }
    #expect(run.perform(.back).focus == ["quantity"], "the button is closed")
  }

  @Test("a press that was made before the ticket changed does nothing")
  func earlyPresses() {
    var run = TicketRun()
    run.fill("5")
    run.foresee()
    let pressed = run.milliseconds
    run.perform(.goOn(name: "a"), pressedAt: pressed)
    #expect(run.ticket.phase == .review)
    run.pass(1000)
    run.perform(.place, pressedAt: pressed + 399)
    #expect(run.placed.isEmpty, "however late it is heard")
    run.perform(.place, pressedAt: run.milliseconds)
    #expect(run.placed.count == 1)
  }

  @Test("without a review one press places, once")
  func withoutReview() {
    var run = TicketRun()
    run.know { $0.reviews = false }
    run.fill("5")
    run.foresee()
    #expect(run.ticket.buttonLabel == "Place buy order")
    run.goOn()
    run.goOn()
    run.perform(.place)
    #expect(run.ticket.phase == .sent)
    #expect(run.placed.map(\.name) == ["order-1"])
  }

  @Test("nothing is placed while nothing can be sent")
  func blockedReview() {
    var run = TicketRun()
    run.fill("5")
    run.foresee()
    run.goOn()
    run.pass(400)
    run.know { $0.isLive = false }
    run.perform(.place)
    #expect(run.placed.isEmpty && run.ticket.phase == .review)
  }
}

extension TicketRun {
  var drift: Sentence? { ticket.drift(at: now)?.text }
}
