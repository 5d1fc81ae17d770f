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

  // MARK: Trades

  private static let newest = HistoryRequest.tradesBefore(nil)

  private static func row(
    _ identifier: String = #""734864333""#, instrument: String = "BTC-USDT",
    _ members: String = #""sz":"0.00013669","px":"102537.9","ts":"1747087163557""#
  ) -> String {
    #"{"instId":"\#(instrument)","side":"sell","tradeId":\#(identifier),\#(members)}"#
  }

  @Test func `captured trades come oldest first`() throws {
    let text =
      #"{"code":"0","msg":"","data":[{"instId":"BTC-USDT","side":"sell","sz":"0.00013669","#
      + #""px":"102537.9","tradeId":"734864333","ts":"1747087163557"},{"instId":"BTC-USDT","#
      + #""side":"buy","sz":"0.0000125","px":"102537.9","tradeId":"734864332","#
      + #""ts":"1747087161666"}]}"#
    for request in [Self.newest, .tradesBefore(734_864_334)] {
      let page = try #require(history.read(request, "BTC-USDT", text).trades)
      #expect(page.trades.map(\.identifier) == [734_864_332, 734_864_333])
      #expect(page.trades.last?.time == Timestamp(milliseconds: 1_747_087_163_557))
      #expect(page.trades.last?.price == FixedDecimal("102537.9"))
      #expect(page.trades.last?.quantity == FixedDecimal("0.00013669"))
    }
  }

  @Test func `pages of trades are requested by number, backwards`() {
    let path = "/api/v5/market/history-trades?instId=BTC-USDT&type=1&limit=100"
    #expect(history.path(Self.newest, "BTC-USDT") == path)
    #expect(history.path(.tradesBefore(734), "BTC-USDT") == path + "&after=734")
    #expect(history.path(.tradesBefore(0), "BTC-USDT") == nil)
    #expect(history.path(.tradesBefore(-5), "BTC-USDT") == nil)
    #expect(history.path(Self.newest, "X&Y") == nil)
    #expect(history.givesTrades && history.pagesBackwards)
  }

  @Test func `no trades are an empty page`() {
    #expect(history.read(Self.newest, "BTC-USDT", Self.rows()).trades?.trades.isEmpty == true)
  }

  @Test func `numbers that do not fall refuse the page, holes among them do not`() {
    func page(_ numbers: Int..., before: Int64? = nil) -> Result<HistoryResponse, HistoryFailure> {
      let rows = numbers.map { Self.row("\"\($0)\"") }.joined(separator: ",")
      return history.read(.tradesBefore(before), "BTC-USDT", Self.rows(rows))
    }
    #expect(page(9, 8, 7).trades?.trades.map(\.identifier) == [7, 8, 9])
    #expect(page(9, 7).trades?.trades.map(\.identifier) == [7, 9])
    #expect(page(9, 9, 8).isBad && page(8, 9).isBad && page(9, 8, 9).isBad)
    #expect(page(9, 8, before: 10).trades?.trades.count == 2)
    #expect(page(9, 8, before: 9).isBad && page(12, before: 9).isBad)
  }

  @Test(arguments: [
    row("0"), row("-4"), row("1.5"), row("null"), row(#""99999999999999999999""#), row(#""x""#),
    row(instrument: "ETH-USDT"), row(instrument: ""), "{}", "7", "[]",
    row(#""9""#, #""sz":"0","px":"1","ts":"1""#), row(#""9""#, #""sz":"-1","px":"1","ts":"1""#),
    row(#""9""#, #""sz":"1","px":"0","ts":"1""#), row(#""9""#, #""sz":"1","px":"1","ts":"-1""#),
    row(#""9""#, #""sz":"1","px":"1""#), row(#""9""#, #""sz":"1","px":"1","px":"1","ts":"1""#),
    row(#""9""#, #""sz":"1e400","px":"1","ts":"1""#), row(#""9""#, #""sz":"","px":"1","ts":"1""#),
  ])
  func `a trade that can't be refuses the page`(_ row: String) {
    let text = Self.rows(Self.row(), row)
    #expect(history.read(Self.newest, "BTC-USDT", text).isBad, "\(row)")
  }

  @Test func `more trades than requested, and a page cut anywhere, are refused`() {
    let rows = (1...101).reversed().map { Self.row("\"\($0)\"") }
    let hundred = Self.rows(rows.dropLast().joined(separator: ","))
    #expect(history.read(Self.newest, "BTC-USDT", hundred).trades?.trades.count == 100)
    let more = Self.rows(rows.joined(separator: ","))
    #expect(history.read(Self.newest, "BTC-USDT", more).isBad)
    let text = Self.rows(Self.row())
    for end in 0..<text.utf8.count {
      #expect(history.read(Self.newest, "BTC-USDT", String(text.prefix(end))).isBad, "\(end)")
    }
  }

  @Test func `errors of trades have the meaning of others`() {
    func failure(_ text: String, _ status: Int) -> HistoryFailure? {
      history.read(Self.newest, "BTC-USDT", text, status: status).failure
    }
    #expect(failure(#"{"code":"50011","data":[],"msg":"Too Many Requests"}"#, 429) == .rateLimited)
    #expect(failure("", 429) == .rateLimited)
    #expect(failure(#"{"code":"51001","data":[],"msg":"none"}"#, 200) == .unknownInstrument)
    #expect(failure("<html>", 503) == .unavailable("HTTP 503"))
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
