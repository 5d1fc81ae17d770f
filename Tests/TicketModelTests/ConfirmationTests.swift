// Orders of ten times the usual size are confirmed once.

import MarketModel
import Testing

@testable import TicketModel

@Suite struct ConfirmationTests {
  private func reviewed(_ quantity: String, usual: String?, reviews: Bool = true) -> TicketRun {
    var run = TicketRun()
    run.know { ($0.reviews, $0.symbol) = (reviews, "TROAD") }
    run.fill(quantity)
    run.answer(
      .figures(
        fill: offer("45.10", quantity), leaves: decimal("0"), rests: false,
        risk: PreviewRisk(usual: usual.map(decimal))))
    run.goOn()
    run.pass(400)
    return run
  }

  @Test(arguments: [true, false])
  func `ten times the usual size asks once, naming both`(reviews: Bool) {
    var run = reviewed("50", usual: "5", reviews: reviews)
    if reviews {
      #expect(run.ticket.phase == .review && run.ticket.sizeQuestion == nil)
      run.perform(.place)
    }
    #expect(run.ticket.phase == .confirmation && run.placed.isEmpty)
    #expect(
      run.ticket.sizeQuestion
        == "Unusually large: {50}. Your usual size in this market is {5}. Place it anyway?")
    #expect(run.ticket.previewWords.taken == "{50} × {$45.10}")
    #expect(run.ticket.buttonLabel == "Place buy order" && !run.ticket.isClosed)
    run.pass(400)
    run.perform(.place)
    #expect(run.ticket.phase == .sent && run.placed.map(\.quantity) == ["50"])
    run.perform(.place)
    #expect(run.placed.count == 1)
  }

  @Test func `a press meant for the review does not confirm`() {
    var run = reviewed("50", usual: "5")
    run.perform(.place)
    run.perform(.place, pressedAt: run.milliseconds)
    #expect(run.ticket.phase == .confirmation && run.placed.isEmpty)
  }

  @Test func `going back returns to the form, and the question comes again`() {
    var run = reviewed("50", usual: "5")
    run.perform(.place)
    run.perform(.back)
    #expect(run.ticket.phase == .form && run.ticket.sizeQuestion == nil)
    run.goOn()
    run.perform(.place)
    #expect(run.ticket.phase == .confirmation && run.placed.isEmpty)
  }

  @Test func `another market or a picked price ends the question`() {
    var run = reviewed("50", usual: "5")
    run.perform(.place)
    run.know { $0.instrument = "kraken:BTC/USD" }
    #expect(run.ticket.phase == .form && run.ticket.sizeQuestion == nil)
    run = reviewed("50", usual: "5")
    run.perform(.place)
    run.perform(.takePrice(decimal("44")))
    #expect(run.ticket.phase == .form)
  }

  @Test func `nothing is sent while the question is open and prices are not live`() {
    var run = reviewed("50", usual: "5")
    run.perform(.place)
    run.know { $0.isLive = false }
    run.perform(.place)
    #expect(run.ticket.phase == .confirmation && run.placed.isEmpty)
  }

  @Test func `a limit order that waits for prices needs the confirmation too`() {
    var run = TicketRun()
    run.know { $0.isLive = false }
    run.fill("50", "45")
    run.answer(.refused("Prices are not live.", field: nil, usual: decimal("5")))
    run.goOn()
    run.perform(.place)
    #expect(run.ticket.phase == .confirmation)
  }

  @Test func `an order of an ordinary size is sent without a confirmation`() {
    let run = reviewed("50", usual: nil, reviews: false)
    #expect(run.ticket.phase == .sent && run.placed.map(\.quantity) == ["50"])
  }

  @Test func `the preview states slippage and the position with its unit`() {
    func words(_ symbol: String, _ instrument: String, _ position: String) -> PreviewWords {
      var run = TicketRun()
      run.know { ($0.symbol, $0.instrument) = (symbol, instrument) }
      run.fill("5")
      run.answer(
        .figures(
          fill: offer("45.10", "5"), leaves: decimal("0"), rests: false,
          risk: PreviewRisk(slippage: decimal("12"), position: decimal(position))))
      return run.ticket.previewWords
    }
    #expect(words("TROAD", "", "5").slippage == "{12}")
    #expect(words("TROAD", "", "5").position == "{5} TROAD")
    #expect(words("BTC/USD", "kraken:BTC/USD", "-0.5").position == "{-0.5} BTC")
    #expect(words("BTC-USDT", "okx:BTC-USDT", "0").position == "{0} BTC")
    #expect(words("BTCUSDT", "binance:BTCUSDT", "2").position == "{2}")
  }
}
