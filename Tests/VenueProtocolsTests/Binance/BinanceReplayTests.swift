// What only captures of Binance have.

import MarketModel
import Testing

@testable import VenueProtocols

@Suite struct BinanceReplayTests {
  @Test func `prices have the digits in use, not the eight that the venue writes`() throws {
    let capture = try #require(CapturedBooks.all.first { $0.venue == .binance })
    let replay = try capture.play(capture.messages())
    let now = ClockReading(milliseconds: 5000)
    let view = try #require(replay.bookView(for: capture.symbol, at: now))
    #expect(view.priceScale.digits == 5 && view.priceDecimals.digits == 5)
    #expect(view.quantityScale.digits == 1)
  }

  @Test func `a recording without a snapshot shows its trades and no book`() throws {
    let text = try CapturedBooks.text(
      "testnet-trade-bookTicker-depth-BTCUSDT-2026-09-13.jsonl", "binance")
    var replay = BinanceReplay()
    for line in text.split(separator: "\n") {
      replay.process(Array(line.utf8).span, at: ClockReading(milliseconds: 500))
    }
    let now = ClockReading(milliseconds: 1000)
    #expect(replay.rejectedMessages == 0 && replay.messages == 23)
    #expect(replay.bookView(for: BinanceHarness.bitcoin, at: now)?.status == .waiting)
    let tape = try #require(replay.tapeView(for: BinanceHarness.bitcoin, at: now))
    #expect(tape.trades.count == text.split(separator: "\n").count { $0.contains("@trade\"") })
  }

  @Test func `a captured ticker gives the day's figures`() throws {
    let text = try CapturedBooks.text("ws-ticker-BNBBTC-2020-01-28.jsonl", "binance")
    let symbol = Symbol(known: "BNBBTC")
    var session = BinanceSession(origin: .simulated)
    let (figures, now) = (Subscription(.figures, symbol), ClockReading(milliseconds: 10))
    _ = session.handle(.wanted([figures]), at: now)
    _ = session.handle(.opened, at: now)
    _ = session.receive(Array(text.utf8).span, kind: .text, at: now)
    guard case .figures(let view)? = session.value(for: figures, at: now) else {
      Issue.record("no figures")
      return
    }
    #expect(view.last?.description == "9338.96" && view.change?.description == "420.97")
    #expect(view.changePercent?.description == "4.72" && view.trades == 600_436)
    #expect(view.volume?.description == "72229.53692")
  }
}
