// Binance's candles: oldest first, the forming one last, with the number of trades.

import Foundation
import MarketModel
import Testing

import VenueCatalogue
@testable import VenueProtocols

@Suite struct BinanceHistoryTests {
  private var history: VenueHistory { .binance }

  @Test("Captured rows have counts, and the last one is forming")
  func captured() throws {
    let text = try CapturedBooks.text("rest.klines-1m-BTCUSDT-2020-05-06.json", "binance")
    let answer = try #require(history.read(.candles(.minute), "BTCUSDT", text).candles)
    #expect(answer.rows.count == 60 && answer.rows.first?.start == 1_588_740_120_000)
    #expect(answer.rows.first?.count == 282 && answer.rows.first?.open.description == "9033.34")
    #expect(answer.lastCommitted == 1_588_743_600_000)
    #expect(history.read(.candles(.fiveMinutes), "BTCUSDT", text).isBad)
    for end in 0..<1000 {
      #expect(history.read(.candles(.minute), "BTCUSDT", String(text.prefix(end))).isBad)
    }
  }

  @Test("Paths name the interval; past trades are not requested")
  func paths() {
    #expect(
      history.path(.candles(.minute), "BTCUSDT")
        == "/api/v3/klines?symbol=BTCUSDT&interval=1m&limit=1000")
    #expect(history.path(.candles(.day), "BTCUSDT")?.contains("interval=1d&") == true)
    #expect(history.path(.trades(after: HistoryCursor("1")), "BTCUSDT") == nil)
    #expect(history.path(.candles(.minute), "X&Y") == nil)
  }

  @Test("Hours without a row are no defect")
  func holes() throws {
    func row(_ start: Int64) -> String {
      #"[\#(start),"1.0","2.0","0.5","1.5","7.0",\#(start + 59_999),"9",3,"0","0","0"]"#
    }
    let text = "[\(row(60_000)),\(row(120_000)),\(row(7_320_000))]"
    let answer = try #require(history.read(.candles(.minute), "X", text).candles)
    #expect(answer.rows.count == 3 && answer.rows.first?.volume.description == "7")
  }

  @Test("Codes and statuses have their meaning")
  func failures() throws {
    func failure(_ text: String, status: Int) -> HistoryFailure? {
      history.read(.candles(.minute), "X", text, status: status).failure
    }
    #expect(failure(#"{"code":-1121,"msg":"Invalid symbol."}"#, status: 400) == .unknownInstrument)
    #expect(failure("", status: 429) == .rateLimited)
    #expect(failure("", status: 418) == .rateLimited)
    #expect(
      failure("<html>", status: 451)
        == .unavailable("HTTP 451: Binance rejects this location"))
    #expect(
      failure(#"{"code":-1120,"msg":"Invalid interval."}"#, status: 400)
        == .badAnswer("Binance -1120: Invalid interval."))
    #expect(failure("", status: 503) == .unavailable("HTTP 503"))
    #expect(history.read(.candles(.minute), "X", "[]").candles?.rows.isEmpty == true)
  }
}
