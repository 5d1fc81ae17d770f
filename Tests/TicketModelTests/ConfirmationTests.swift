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

  @Test(
    arguments: [
      ("49", "5", false), ("49.999", "5.0", false), ("50.0", "5", true), ("5", "0.5", true),
      ("0.4999999", "0.05", false), ("0.5", "0.050000", true), ("50", nil, false),
      ("50", "0", false), ("9223372036854775807", "1", true),
      ("9223372036854775807", "922337203685477580", true),
      ("9223372036854775807", "922337203685477581", false),
      ("92.233720368547758", "9.223372036854775807", false),
      ("92.23372036854775807", "9.223372036854775807", true),
      ("9.223372036854775807", "0.922337203685477581", false),
      ("9.223372036854775807", "0.922337203685477580", true),
    ] as [(String, String?, Bool)])
  func `ten times is exact, whatever the sizes`(quantity: String, usual: String?, isAsked: Bool) {
    var run = reviewed("1", usual: usual, reviews: false)
    run = reviewed(quantity, usual: usual, reviews: false)
    guard FixedDecimal(plain: quantity) != nil else {
      return #expect(run.ticket.phase != .confirmation, "not a number of 63 bits")
    }
    #expect((run.ticket.phase == .confirmation) == isAsked)
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
