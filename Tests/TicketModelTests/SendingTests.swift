// One name, one order: lost responses, lost links, restarts, and outcomes.

import MarketModel
import Testing
import TicketModel

@Suite struct SendingTests {
  private static let placed = TicketAction.answered(
    name: "order-1", .placed(order: "7", isRepeated: false))

  @Test("an order is remembered before it is sent, until its answer comes")
  func remembering() throws {
    var run = TicketRun()
    run.place()
    let sent = run.effects.suffix(2)
    guard case .keep(let kept?, _) = try #require(sent.first) else {
      Issue.record("not remembered first")
      return
    }
    #expect(kept.name == "order-1")
    #expect(run.ticket.outcome?.status == "SENT")
    #expect(run.ticket.outcome?.text == "Sent; waiting for the answer.")
    #expect(run.ticket.outcome?.buttons == [])
    run.perform(SendingTests.placed)
    #expect(run.effects.kept == "")
    #expect(run.ticket.outcome?.text == "Order 7 is placed.")
    #expect(run.ticket.outcome?.buttons == [.next])
    #expect(run.ticket.sent?.identifier == "7")
  }

  @Test("what was typed for one instrument is gone at another, and an order keeps its own")
  func instruments() {
    var run = TicketRun()
    run.perform(.type(.quantity, "20"))
    run.know { $0.instrument = "kraken:BTC/USD" }
    #expect(run.ticket.draft.quantity == "")
    run.place()
    #expect(run.placed.map(\.instrument) == ["kraken:BTC/USD"])
    run.know { $0.instrument = "" }
    run.perform(.connected)
    #expect(run.placed.map(\.instrument) == ["kraken:BTC/USD", "kraken:BTC/USD"])
    #expect(run.ticket.repeatable == nil)
  }

  @Test("pressed twice, it is sent once")
  func twice() {
    var run = TicketRun()
    run.place()
    run.perform(.place)
    run.goOn()
    #expect(run.placed.count == 1)
  }

  @Test("a lost response is requested under the same name, after 5 s and at each connection")
  func resending() {
    var run = TicketRun()
    run.place()
    run.pass(4999)
    #expect(run.placed.count == 1)
    run.pass(1)
    #expect(run.placed.count == 2)
    run.perform(.connected)
    #expect(run.placed.map(\.name) == ["order-1", "order-1", "order-1"])
    #expect(run.placedAgain == [false, true, true])
    run.perform(.answered(name: "order-1", .placed(order: "7", isRepeated: true)))
    #expect(
      run.ticket.outcome?.repeated == "It arrived the first time. No duplicate was placed.")
    run.pass(60_000)
    run.perform(.connected)
    #expect(run.placed.count == 3)
  }

  @Test("while the link is down the consequence is shown")
  func offline() {
    var run = TicketRun()
    run.place()
    run.know { $0.isOnline = false }
    #expect(
      run.ticket.outcome?.text.description
        == "Sent; waiting for the answer. The connection is gone. It will be asked for under the "
        + "same name, so it can’t become two orders.")
  }

  @Test("what could not be sent at all is not waited for")
  func unsent() {
    var run = TicketRun()
    run.place()
    run.perform(.notSent(name: "order-1"))
    #expect(run.ticket.outcome?.status == "NOT SENT")
    #expect(run.ticket.outcome?.text == "There was no connection, so nothing was sent.")
    #expect(run.effects.kept == "")
    #expect(run.ticket.outcome?.isAlarming == true)
    #expect(run.perform(.edit).focus == ["quantity"])
    #expect(run.ticket.phase == .form && run.ticket.draft.quantity == "5")
  }

  @Test("what was sent before is waited for, though it could not be sent again")
  func unsentAgain() {
    var run = TicketRun()
    run.place()
    run.pass(5000)
    run.perform(.notSent(name: "order-1"))
    #expect(run.ticket.sent?.state == .waiting)
  }

  @Test("after two minutes it is not resent unless the user confirms")
  func doubtful() {
    var run = TicketRun()
    run.place()
    run.pass(130_000)
    let tries = run.placed.count
    #expect(run.ticket.sent?.state == .doubtful)
    #expect(run.ticket.outcome?.status == "NOT KNOWN")
    #expect(run.ticket.outcome?.buttons == [.insist, .abandon])
    #expect(run.effects.kept == "order-1", "a restart must not forget it")
    run.perform(.connected)
    run.perform(.next)
    run.perform(.takePrice(decimal("45")))
    run.pass(60_000)
    #expect(run.placed.count == tries && run.ticket.phase == .sent)
    run.perform(.insist)
    #expect(run.placed.count == tries + 1 && run.ticket.sent?.state == .waiting)
    run.perform(SendingTests.placed)
    #expect(run.ticket.sent?.state == .placed)
  }

  @Test("or it is left, and may turn up all the same")
  func abandoned() {
    var run = TicketRun()
    run.place()
    run.pass(130_000)
    run.perform(.abandon)
    #expect(run.ticket.outcome?.status == "LEFT" && run.effects.kept == "")
    #expect(
      run.ticket.outcome?.text
        == "It will not be sent again. Should it have arrived after all, the history shows it.")
    run.perform(SendingTests.placed)
    #expect(run.ticket.sent?.state == .placed)
  }

  @Test("resending ends although the wall clock was set back; set forward, the user decides")
  func clocks() {
    var run = TicketRun()
    run.place()
    run.wallOffset = -86_400_000
    run.pass(5000)
    #expect(run.placed.count == 2)
    run.wallOffset = 86_400_000
    run.pass(5000)
    #expect(run.ticket.sent?.state == .doubtful)
  }

  @Test("in one process an order is never sent twice")
  func local() {
    var run = TicketRun(timing: .local)
    run.place()
    run.pass(300_000)
    #expect(run.placed.count == 1 && run.ticket.sent?.state == .waiting)
  }

  @Test("a rejected order is shown, and can be edited with the error at its field")
  func refused() {
    var run = TicketRun()
    run.place()
    run.perform(
      .answered(
        name: "order-1", .refused("The quantity is too big.", field: .quantity, order: "3")))
    #expect(run.effects.announced == ["Order rejected. The quantity is too big."])
    #expect(run.ticket.outcome?.status == "REJECTED")
    #expect(run.ticket.outcome?.text == "The quantity is too big.")
    #expect(run.ticket.outcome?.buttons == [.edit, .next])
    #expect(run.ticket.sent?.identifier == "3")
    #expect(run.perform(.edit).focus == ["quantity"])
    #expect(run.ticket.fault(.quantity) == "The quantity is too big.")
    run.perform(.type(.quantity, "4"))
    #expect(run.ticket.fault(.quantity) == nil)
  }

  @Test("a new order keeps side and kind, and offers the last quantity")
  func next() {
    var run = TicketRun()
    run.perform(.side(.sell))
    run.fill("1200", "46.00")
    run.answer(.figures(fill: nil, leaves: decimal("1200"), rests: true))
    run.goOn()
    run.perform(.place)
    run.perform(.next)
    #expect(run.ticket.phase == .sent, "its answer has not come")
    run.perform(SendingTests.placed)
    #expect(run.perform(.next).focus == ["quantity"])
    #expect(run.ticket.draft.quantity == "" && run.ticket.draft.price == "")
    #expect(run.ticket.draft.side == .sell && run.ticket.draft.pricing == .limit)
    #expect(run.ticket.lastQuantity == "1200")
    #expect(run.ticket.fault(.quantity) == nil)
    run.perform(.takeLastQuantity)
    #expect(run.ticket.draft.quantity == "1200")
  }

  @Test("an offer beside an outcome begins a new order; beside an order that waits it does nothing")
  func offers() {
    var run = TicketRun()
    run.place()
    run.perform(.takePrice(decimal("45.10")))
    #expect(run.ticket.phase == .sent)
    run.perform(SendingTests.placed)
    run.perform(.takePrice(decimal("45.10")))
    #expect(run.ticket.phase == .form && run.ticket.draft.price == "45.10")
    #expect(run.ticket.draft.quantity == "")
  }

  @Test("after a restart the order that waits is in the ticket and is sent again")
  func restart() {
    var run = TicketRun()
    let order = TicketOrder(
      name: "web-1", side: .sell, terms: .limit(price: "46.00", .goodTillCancelled), quantity: "20")
    let effects = run.perform(
      .restore(order, sentAt: Timestamp(milliseconds: run.now.wall.milliseconds - 1000)))
    #expect(run.ticket.phase == .sent && run.ticket.sent?.order.name == "web-1")
    #expect(run.ticket.draft.side == .sell && run.ticket.draft.price == "46.00")
    #expect(effects.contains { if case .place = $0 { true } else { false } })
    run.perform(.notSent(name: "web-1"))
    #expect(run.ticket.sent?.state == .waiting, "it may have arrived before the restart")
    run.perform(.connected)
    #expect(run.placed.map(\.name) == ["web-1", "web-1"])
  }

  @Test("after a long pause it is not sent by itself")
  func oldRestart() {
    var run = TicketRun()
    let order = TicketOrder(
      name: "web-1", side: .buy, terms: .market(protection: nil), quantity: "20")
    run.perform(
      .restore(order, sentAt: Timestamp(milliseconds: run.now.wall.milliseconds - 120_001)))
    #expect(run.placed.isEmpty && run.ticket.sent?.state == .doubtful)
  }

  @Test("a word on another order changes nothing")
  func others() {
    var run = TicketRun()
    run.place()
    run.perform(.answered(name: "order-2", .placed(order: "8", isRepeated: false)))
    run.perform(.notSent(name: "order-2"))
    #expect(run.ticket.sent?.state == .waiting)
    run.perform(SendingTests.placed)
    run.perform(.next)
    run.perform(SendingTests.placed)
    #expect(run.ticket.phase == .form)
  }

  @Test(
    "whatever is done in whatever order, a name is one order that was asked for", arguments: 1...200
  )
  func anything(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var run = TicketRun(timing: seed % 2 == 0 ? .link : .local)
    var asked: Set<String> = []
    var orders: [String: String] = [:]
    for step in 0..<400 {
      let from = run.effects.count
      switch random.next() % 20 {
      case 0:
        run.perform(
          .type(.quantity, ["5", "", "x", "1 2", "7"].randomElement(using: &random) ?? ""))
      case 1:
        run.perform(.type(.price, ["45", "", "y", "44.10"].randomElement(using: &random) ?? ""))
      case 2: run.perform(.pricing(random.next() % 2 == 0 ? .market : .limit))
      case 3: run.perform(.side(random.next() % 2 == 0 ? .buy : .sell))
      case 4, 5, 6:
        asked.insert("name-\(step)")
        run.perform(.goOn(name: "name-\(step)"))
      case 7, 8: run.perform(.place)
      case 9: run.perform(.back)
      case 10:
        run.perform([.edit, .next, .insist, .abandon].randomElement(using: &random) ?? .next)
      case 11, 12: run.foresee()
      case 13: run.perform(.connected)
      case 14: run.know { $0.isOnline.toggle() }
      case 15: run.know { $0.isLive.toggle() }
      case 16: run.pass(Int64(random.next() % 100_000))
      case 17:
        if let name = run.ticket.sent?.order.name {
          run.perform(.answered(name: name, .placed(order: nil, isRepeated: false)))
        }
      case 18:
        if let name = run.ticket.sent?.order.name { run.perform(.notSent(name: name)) }
      default: run.perform(.takePrice(decimal("45.10")))
      }
      for case .place(let order, _) in run.effects[from...] {
        let text = "\(order.side) \(order.quantity) \(order.price ?? "-")"
        #expect(asked.contains(order.name), "seed \(seed)")
        #expect(orders[order.name, default: text] == text, "seed \(seed)")
        orders[order.name] = text
      }
      #expect((run.ticket.phase == .review) == (run.ticket.review != nil), "seed \(seed)")
      #expect((run.ticket.phase == .sent) == (run.ticket.sent != nil), "seed \(seed)")
    }
  }
}
