// Filling in: only the user changes the fields, and an error is shown at its field.

import MarketModel
import Testing
import TicketModel

@Suite struct FillingTests {
  private static let germany = NumberSigns(
    decimal: ",", group: ".", digits: "", currencies: ["$", "USD"])

  @Test("a ticket begins empty, as a market order to buy")
  func beginning() {
    let run = TicketRun()
    #expect(run.ticket.phase == .form)
    #expect(run.ticket.draft.side == .buy && run.ticket.draft.pricing == .market)
    #expect(run.ticket.buttonLabel == "Review buy order")
    #expect(run.ticket.stepHint(.quantity) == "Lot {1}")
    #expect(run.ticket.stepHint(.price) == "Tick {0.01}")
    #expect(run.ticket.previewWords.remainder == "Enter a quantity to preview the order.")
    #expect(run.ticket.fault(.quantity) == nil, "nobody has tried to go on")
    #expect(run.questions.isEmpty)
  }

  @Test("the first step of a quantity is one lot, that of a price the best offer")
  func firstSteps() {
    var run = TicketRun()
    run.perform(.step(.quantity, 1))
    #expect(run.ticket.draft.quantity == "1")
    run.perform(.step(.quantity, 10))
    #expect(run.ticket.draft.quantity == "11")
    run.perform(.pricing(.limit))
    run.perform(.step(.price, -1))
    #expect(run.ticket.draft.price == "45.10")
    run.perform(.step(.price, -1))
    #expect(run.ticket.draft.price == "45.09")
    run.perform(.type(.price, ""))
    run.perform(.side(.sell))
    run.perform(.step(.price, 1))
    #expect(run.ticket.draft.price == "45.01")
    run.perform(.type(.price, ""))
    run.know { $0.market?.bid = nil }
    run.perform(.step(.price, 1))
    #expect(run.ticket.draft.price == "45.05", "the last price, where there is no offer")
  }

  @Test("a step leaves what is no number as it is", arguments: ["ten", "1,00", "1.2.3", "9e9"])
  func noStep(_ typed: String) {
    var run = TicketRun()
    run.perform(.type(.quantity, typed))
    run.perform(.step(.quantity, 1))
    #expect(run.ticket.draft.quantity == typed)
  }

  @Test("steps are written as the reader writes")
  func localSteps() {
    var run = TicketRun(signs: FillingTests.germany)
    run.perform(.pricing(.limit))
    run.perform(.step(.price, 1))
    #expect(run.ticket.draft.price == "45,10")
    run.perform(.step(.price, -1))
    #expect(run.ticket.draft.price == "45,09")
  }

  @Test("a button that is held steps on until it is released, and its click does nothing more")
  func holding() {
    var run = TicketRun()
    run.perform(.hold(.quantity, 1))
    run.pass(399)
    #expect(run.ticket.draft.quantity == "")
    run.pass(1)
    #expect(run.ticket.draft.quantity == "1")
    run.pass(210)
    #expect(run.ticket.draft.quantity == "4")
    run.perform(.release)
    run.pass(1000)
    run.perform(.click(.quantity, 1))
    #expect(run.ticket.draft.quantity == "4")
    run.perform(.hold(.quantity, 1))
    run.pass(50)
    run.perform(.release)
    run.perform(.click(.quantity, 1))
    #expect(run.ticket.draft.quantity == "5")
    run.perform(.click(.quantity, -1))
    #expect(run.ticket.draft.quantity == "4", "a click of the keyboard holds nothing")
  }

  @Test("a held button ends with the form")
  func holdEnds() {
    var run = TicketRun()
    run.fill("5")
    run.foresee()
    run.perform(.hold(.quantity, 1))
    run.goOn()
    run.pass(5000)
    #expect(run.ticket.draft.quantity == "5")
  }

  @Test(
    "what is plainly wrong is said at its field at once, and not asked about",
    arguments: [
      ("ten", "The quantity must be a number in plain digits, such as 100; “ten” is not."),
      (
        "1,00",
        "The quantity must be a number in plain digits, such as 100; “1,00” is not."
      ),
      (
        "1 2",
        "Enter the quantity without separators, e.g. 100; “1 2” is ambiguous."
      ),
      (
        String(repeating: "数", count: 40),
        "The quantity must be a number in plain digits, such as 100; "
          + "“\(String(repeating: "数", count: 24))” is not."
      ),
    ])
  func faults(_ typed: String, _ said: String) {
    var run = TicketRun()
    run.fill(typed)
    #expect(run.ticket.fault(.quantity)?.description == said)
    #expect(run.ticket.previewWords.remainder == nil)
    #expect(run.questions.isEmpty)
    let effects = run.perform(.goOn(name: "a"))
    #expect(effects.focus == ["quantity"])
    #expect(run.ticket.phase == .form)
  }

  @Test("examples are written as the reader writes, near the market")
  func examples() {
    var run = TicketRun(signs: FillingTests.germany)
    run.fill("1", "1.000")
    #expect(
      run.ticket.fault(.price)
        == "Enter the price without separators, e.g. 45,05; “1.000” is ambiguous.")
  }

  @Test("missing fields are marked once the user has tried to continue")
  func missing() {
    var run = TicketRun()
    run.perform(.pricing(.limit))
    #expect(run.ticket.fault(.quantity) == nil && run.ticket.fault(.price) == nil)
    #expect(run.perform(.goOn(name: "a")).focus == ["quantity"])
    #expect(run.ticket.fault(.quantity) == "Enter a quantity.")
    #expect(run.ticket.fault(.price) == "Enter a price.")
    run.perform(.type(.quantity, "5"))
    #expect(run.perform(.goOn(name: "b")).focus == ["price"])
    run.perform(.pricing(.market))
    #expect(run.ticket.fault(.price) == nil, "a market order has no price")
  }

  @Test("the order service's error of a field is shown at the field")
  func serviceFaults() {
    var run = TicketRun()
    run.fill("1.5")
    run.answer(.refused("The quantity must be a multiple of {1}.", field: .quantity))
    #expect(run.ticket.fault(.quantity) == "The quantity must be a multiple of {1}.")
    #expect(run.ticket.previewWords.remainder == nil)
    #expect(run.perform(.goOn(name: "a")).focus == ["quantity"])
    #expect(run.ticket.phase == .form)
    run.perform(.type(.quantity, "1"))
    #expect(run.ticket.fault(.quantity) == nil)
  }

  @Test("a field holds no more than any number needs")
  func bounds() {
    var run = TicketRun()
    run.perform(.type(.quantity, "7"))
    run.perform(.type(.quantity, String(repeating: "9", count: TicketDraft.maximumBytes + 1)))
    #expect(run.ticket.draft.quantity == "7")
  }

  @Test("an offer's price makes a limit order at it")
  func offers() {
    var run = TicketRun(signs: FillingTests.germany)
    run.perform(.type(.quantity, "5"))
    let effects = run.perform(.takePrice(decimal("45.01")))
    #expect(run.ticket.draft.pricing == .limit && run.ticket.draft.price == "45,01")
    #expect(run.ticket.draft.quantity == "5")
    #expect(effects.contains { if case .reveal = $0 { true } else { false } })
  }

  @Test("the market changes nothing that was typed")
  func untouched() {
    var run = TicketRun()
    run.fill("37", "44.44")
    run.know { $0.market?.ask = offer("46.10", "7") }
    #expect(run.ticket.draft.quantity == "37" && run.ticket.draft.price == "44.44")
  }

  @Test("the keys that trade are off until they are switched on")
  func keys() {
    var run = TicketRun()
    run.perform(.key(.sell))
    #expect(run.ticket.draft.side == .buy)
    run.know { $0.hasTradingKeys = true }
    #expect(run.perform(.key(.sell)).focus == ["quantity"])
    #expect(run.ticket.draft.side == .sell)
    run.place()
    run.perform(.key(.buy))
    #expect(run.ticket.phase == .sent, "the order may or may not have arrived")
    run.perform(.answered(name: "order-1", .placed(order: "1", isRepeated: false)))
    run.perform(.key(.buy))
    #expect(run.ticket.phase == .form && run.ticket.draft.side == .buy)
    #expect(run.ticket.draft.quantity == "")
  }
}
