// OKX's candles: newest first, one for every interval.

import Foundation
import MarketModel
import Testing

import VenueCatalogue
@testable import VenueProtocols

@Suite struct OKXHistoryTests {
  private static let minute = HistoryRequest.candles(.minute)
  private var history: VenueHistory { .okx }

  private static func rows(_ rows: String...) -> String {
    #"{"code":"0","msg":"","data":[\#(rows.joined(separator: ","))]}"#
  }

  private static let forming =
    #"["1757076060000","112647.6","112647.6","112501.5","112501.5","0.7","82057.1","82057.1","0"]"#
  private static let closed =
    #"["1757076000000","112691.9","112762","112628","112628","2.98","336525.1","336525.1","1"]"#
  private static let empty =
    #"["1757075940000","112691.9","112691.9","112691.9","112691.9","0","0","0","1"]"#

  @Test("Captured rows are sorted, with the forming minute last")
  func captured() throws {
    let text = try CapturedBooks.text("rest.candles-1m-BTC-USDT-2025-09-05.json", "okx")
    let answer = try #require(history.read(Self.minute, "BTC-USDT", text).candles)
    #expect(
      answer.rows.map(\.start) == [
        1_757_058_120_000, 1_757_058_180_000, 1_757_076_000_000, 1_757_076_060_000,
      ])
    #expect(answer.lastCommitted == 1_757_076_000_000)
    #expect(answer.rows.first?.hasTrades == false && answer.rows.last?.hasTrades == true)
    #expect(answer.rows.allSatisfy { $0.count == nil }, "the venue does not count trades")
    #expect(answer.rows.last?.volume.description == "0.72920729")
  }

  @Test("No rows are an empty history")
  func nothing() {
    #expect(history.read(Self.minute, "BTC-USDT", Self.rows()).candles?.rows.isEmpty == true)
  }

  @Test("Paths ask for days at midnight UTC; what the venue has not is not asked")
  func paths() {
    #expect(
      history.path(Self.minute, "BTC-USDT")
        == "/api/v5/market/history-candles?instId=BTC-USDT&bar=1m&limit=300")
    #expect(history.path(.candles(.day), "BTC-USDT")?.contains("bar=1Dutc") == true)
    #expect(history.path(.candles(.hour), "BTC-USDT")?.contains("bar=1H&") == true)
    #expect(history.path(.trades(after: HistoryCursor("1")), "BTC-USDT") == nil)
    #expect(history.path(.names(.currencies), "") == nil && history.path(.condition, "") == nil)
    #expect(history.path(Self.minute, "X&Y") == nil)
  }

  @Test(
    "One row that can't be refuses all",
    arguments: [
      (#""1757076060000""#, #""1757076060500""#), (#""1757076060000""#, #""1757076000000""#),
      (#""112647.6","112647.6""#, #""112647.6","1""#), (#""112691.9","112762""#, #""","112762""#),
      (#""2.98""#, #""-2.98""#), (#""336525.1","1""#, #""336525.1","0""#),
      (#""336525.1","1""#, #""336525.1","2""#), (#""82057.1","0""#, #""82057.1""#),
      (#""112762""#, "null"), ("[[", "["),
    ])
  func unsound(part: String, other: String) throws {
    let text = Self.rows(Self.forming, Self.closed, Self.empty)
    #expect(history.read(Self.minute, "BTC-USDT", text).candles?.rows.count == 3)
    let range = try #require(text.range(of: part))
    let changed = text.replacingCharacters(in: range, with: other)
    #expect(history.read(Self.minute, "BTC-USDT", changed).isBad, "\(part) → \(other)")
  }

  @Test("Codes and statuses have their meaning")
  func failures() {
    func failure(_ text: String, status: Int = 200) -> HistoryFailure? {
      guard
        case .failure(let failure) = history.read(
          Self.minute, "X", status, Array(text.utf8).span)
      else { return nil }
      return failure
    }
    #expect(
      failure(#"{"code":"51001","data":[],"msg":"Instrument ID doesn't exist."}"#)
        == .unknownInstrument)
    #expect(failure(#"{"code":"50011","msg":"Too Many Requests"}"#, status: 429) == .rateLimited)
    #expect(failure("", status: 429) == .rateLimited)
    #expect(
      failure(#"{"code":"50001","data":[],"msg":"Busy"}"#, status: 503)
        == .unavailable("OKX 50001: Busy"))
    #expect(failure("<html>", status: 403) == .unavailable("HTTP 403"))
    #expect(failure(#"{"code":"51000","msg":"bar"}"#, status: 400) == .badAnswer("OKX 51000: bar"))
    for end in 0..<Self.rows(Self.closed).utf8.count {
      let cut = String(Self.rows(Self.closed).prefix(end))
      #expect(history.read(Self.minute, "BTC-USDT", cut).isBad, "cut at \(end)")
    }
  }
}
