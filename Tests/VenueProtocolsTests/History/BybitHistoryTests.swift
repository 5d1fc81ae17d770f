// Bybit's candles: newest first, the forming one by the venue's own time.

import Foundation
import MarketModel
import Testing

import VenueCatalogue
@testable import VenueProtocols

@Suite struct BybitHistoryTests {
  private var history: VenueHistory { .bybit }

  @Test("Captured rows are sorted, with the forming hour last")
  func captured() throws {
    let text = try CapturedBooks.text("rest.kline-60-linear-BTCUSDT-2026-08-15.json", "bybit")
    let answer = try #require(history.read(.candles(.hour), "BTCUSDT", text).candles)
    #expect(answer.rows.map(\.start) == [1_786_816_800_000, 1_786_820_400_000])
    #expect(answer.lastCommitted == 1_786_816_800_000)
    #expect(answer.rows.first?.volume.description == "385.721")
    #expect(answer.rows.allSatisfy { $0.count == nil && $0.hasTrades })
    for end in 0..<text.utf8.count - 1 {
      #expect(history.read(.candles(.hour), "BTCUSDT", String(text.prefix(end))).isBad)
    }
  }

  @Test("Paths ask for spot pairs; past trades are not asked")
  func paths() {
    #expect(
      history.path(.candles(.minute), "BTCUSDT")
        == "/v5/market/kline?category=spot&symbol=BTCUSDT&interval=1&limit=1000")
    #expect(history.path(.candles(.day), "BTCUSDT")?.contains("interval=D&") == true)
    #expect(history.path(.trades(after: HistoryCursor("1")), "BTCUSDT") == nil)
    #expect(history.path(.candles(.minute), "X&Y") == nil)
  }

  @Test(
    "An impossible time of the response is rejected",
    arguments: [
      "-9223372036854775808", "-1", "9223372036854775807",
    ])
  func impossibleTimes(time: String) {
    let text =
      #"{"retCode":0,"retMsg":"OK","result":{"list":[["1786820400000","1","1","1","1","1","1"]]},"#
      + #""time":\#(time)}"#
    #expect(history.read(.candles(.minute), "X", text).isBad)
  }

  @Test("Codes and statuses have their meaning")
  func failures() {
    func failure(_ text: String, status: Int = 200) -> HistoryFailure? {
      history.read(.candles(.minute), "X", text, status: status).failure
    }
    #expect(
      failure(#"{"retCode":10001,"retMsg":"Not supported symbols","result":{},"time":1}"#)
        == .unknownInstrument)
    #expect(failure(#"{"retCode":10006,"retMsg":"Too many visits!","result":{}}"#) == .rateLimited)
    #expect(
      failure(#"{"retCode":10016,"retMsg":"Timeout","result":{}}"#)
        == .unavailable("Bybit 10016: Timeout"))
    #expect(
      failure("<html>", status: 403)
        == .unavailable("HTTP 403: Bybit rejects this location or its requests"))
    let empty = #"{"retCode":0,"retMsg":"OK","result":{"list":[]},"time":1790319460076}"#
    #expect(history.read(.candles(.minute), "X", empty).candles?.rows.isEmpty == true)
  }
}
