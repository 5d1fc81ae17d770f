// Previews: few requests, the latest order counts, and the figures are the service's.

import MarketModel
import Testing
import TicketModel

@Suite struct PreviewTests {
  @Test("what is typed quickly is asked about at most five times a second, the last of it surely")
  func fewQuestions() {
    var run = TicketRun()
    for text in ["1", "12", "123", "1234", "12345", "123456"] {
      run.perform(.type(.quantity, text))
      run.pass(20)
    }
    #expect(run.questions.map(\.order.quantity) == ["1"])
    run.pass(200)
    #expect(run.questions.map(\.order.quantity) == ["1", "123456"])
    run.pass(10_000)
    #expect(run.questions.count == 2)
  }

  @Test("in one process the next question waits for the answer, and for nothing else")
  func localQuestions() {
    var run = TicketRun(timing: .local)
    run.perform(.type(.quantity, "1"))
    run.perform(.type(.quantity, "12"))
    #expect(run.questions.count == 1)
    run.perform(
      .previewed(1, .figures(fill: offer("45.10", "1"), leaves: decimal("0"), rests: false)))
    #expect(run.questions.map(\.order.quantity) == ["1", "12"])
    #expect(run.ticket.preview == nil, "that was the answer to another order")
  }

  @Test("an answer to an older question is not shown")
  func oldAnswers() {
    var run = TicketRun()
    run.fill("7")
    run.pass(1000)
    run.fill("9")
    #expect(run.questions.map(\.number) == [1, 2])
    run.perform(
      .previewed(2, .figures(fill: offer("45.10", "9"), leaves: decimal("0"), rests: false)))
    #expect(run.ticket.previewWords.taken == "{9} × {$45.10}")
    run.perform(
      .previewed(1, .figures(fill: offer("45.10", "7"), leaves: decimal("0"), rests: false)))
    #expect(run.ticket.previewWords.taken == "{9} × {$45.10}")
    run.perform(.previewed(77, .refused("Never asked.", field: nil)))
    #expect(run.ticket.preview?.isFigures == true)
  }

  @Test(arguments: [("45.1", nil), ("45.2", "{$45.2}")])
  func `the fee is shown, and the worst price if there are several`(worst: String, text: String?) {
    var run = TicketRun()
    run.fill("7")
    run.perform(
      .previewed(
        1,
        .figures(
          fill: offer("45.10", "7"), worst: decimal(worst), fee: decimal("0.8125"),
          leaves: decimal("0"), rests: false)))
    #expect(run.ticket.previewWords.worst == text && run.ticket.previewWords.fee == "{$0.81}")
  }

  @Test("when the market moves the figures stay until there are newer ones")
  func refreshing() {
    var run = TicketRun()
    run.fill("5")
    run.foresee()
    run.pass(1000)
    run.know { $0.market?.ask = offer("45.20", "3") }
    #expect(run.questions.count == 2)
    #expect(run.ticket.previewWords.taken == "{5} × {$45.10}")
    run.know { $0.freshness = "live still" }
    run.pass(1000)
    #expect(run.questions.count == 2, "the market is the same")
    run.know { $0.market?.revision += 1 }
    run.pass(1000)
    #expect(run.questions.count == 3, "own orders changed")
  }

  @Test("after the link was lost the question is asked again")
  func reconnecting() {
    var run = TicketRun()
    run.fill("5")
    run.pass(1000)
    run.perform(.connected)
    #expect(run.questions.map(\.number) == [1, 2])
    run.perform(.previewed(2, .refused("No.", field: nil)))
    #expect(run.ticket.previewWords.remainder == "No.")
    #expect(run.ticket.previewWords.kind == .refused)
  }

  @Test("a side or a kind that is chosen again asks nothing")
  func sameOrder() {
    var run = TicketRun()
    run.fill("5")
    run.foresee()
    run.perform(.side(.buy))
    run.pass(1000)
    #expect(run.questions.count == 1 && run.ticket.preview != nil)
    run.perform(.side(.sell))
    #expect(run.ticket.preview == nil)
    #expect(run.ticket.previewWords.remainder == "Updating preview…")
  }

  @Test("the fill is shown with its price and its total")
  func figures() {
    var run = TicketRun()
    run.fill("60")
    run.foresee("60")
    let words = run.ticket.previewWords
    #expect(words.taken == "{60} × {$45.10}" && words.together == "{$2706.00}")
    #expect(words.remainder == nil && words.kind == .plain)
  }

  @Test(
    "the remainder rests or is cancelled, and the reason is said",
    arguments: [
      ("60", "60", "40", true, "{40} will rest at {$44.00}."),
      (nil, "60", "100", true, "All {100} will rest at {$44.00}."),
      ("60", "60", "40", false, "{40} will be cancelled: only {60} available."),
      ("60", "24", "40", false, "{40} will be cancelled: only {60} available."),
      (
        "10", "60", "40", false,
        "{40} will be cancelled: earlier orders leave only {10} of the {60} available."
      ),
      (
        nil, "60", "40", false,
        "All {40} will be cancelled: earlier orders use all {60} available."
      ),
      (nil, nil, "40", false, "All {40} will be cancelled: nothing is available."),
      (nil, "0", "40", false, "All {40} will be cancelled: nothing is available."),
    ] as [(String?, String?, String, Bool, String)])
  func remainders(
    _ filled: String?, _ offered: String?, _ leaves: String, _ rests: Bool, _ said: String
  ) {
    var run = TicketRun()
    run.know {
      $0.market?.ask = BestLevel(price: decimal("45.10"), quantity: offered.map(decimal))
    }
    run.fill("100", rests ? "44.00" : nil)
    run.answer(
      .figures(
        fill: filled.map { offer("45.10", $0) }, leaves: decimal(leaves), rests: rests))
    #expect(run.ticket.previewWords.remainder?.description == said)
    #expect(run.ticket.previewWords.kind == (rests ? .plain : .cancelled))
  }
}
