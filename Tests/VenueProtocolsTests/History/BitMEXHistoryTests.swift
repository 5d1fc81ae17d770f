// BitMEX's buckets are named by their end.

import Foundation
import MarketModel
import Testing

import VenueCatalogue
@testable import VenueProtocols

@Suite struct BitMEXHistoryTests {
  private static let minute = HistoryRequest.candles(.minute)
  private static let buckets =
    #"[{"timestamp":"2021-07-22T22:37:00.000Z","symbol":"XBTUSD","open":32180.5,"high":32185,"#
    + #""low":32180,"close":32181,"trades":12,"volume":5400,"vwap":32182.1,"lastSize":100},"#
    + #"{"timestamp":"2021-07-22T22:36:00.000Z","symbol":"XBTUSD","open":32180,"high":32180.5,"#
    + #""low":32180,"close":32180.5,"trades":2,"volume":300,"vwap":null}]"#

  private var history: VenueHistory { .bitmex }

  @Test("The end of a bucket becomes the start of a candle, oldest first")
  func rows() throws {
    let answer = try #require(history.read(Self.minute, "XBTUSD", Self.buckets).candles)
    let starts = ["2021-07-22T22:35:00.000Z", "2021-07-22T22:36:00.000Z"]
    #expect(answer.rows.map(\.start) == starts.compactMap { Timestamp(iso8601: $0)?.milliseconds })
    #expect(answer.lastCommitted == answer.rows.last?.start)
    #expect(answer.rows.last?.open.description == "32180.5" && answer.rows.last?.count == 12)
    #expect(history.read(Self.minute, "XBTUSD", "[]").candles?.lastCommitted == nil)
  }

  @Test("Paths ask for whole buckets; what the venue has not is not asked")
  func paths() {
    #expect(
      history.path(Self.minute, "XBTUSD")
        == "/api/v1/trade/bucketed?binSize=1m&partial=false&symbol=XBTUSD&count=1000&reverse=true")
    #expect(history.path(.candles(.fifteenMinutes), "XBTUSD") == nil)
    #expect(history.path(.trades(after: HistoryCursor("1")), "XBTUSD") == nil)
    #expect(history.path(.names(.currencies), "XBTUSD") == nil)
    #expect(history.path(Self.minute, "X&Y") == nil)
  }

  @Test(
    "One bucket that can't be refuses all",
    arguments: [
      ("22:37:00.000Z", "22:37:00.500Z"), ("22:37:00.000Z", "22:36:00.000Z"),
      ("22:37:00.000Z", "22:47:00.000Z"), (#""open":32180.5"#, #""open":null"#),
      (#""open":32180.5"#, #""open":32190"#), (#""symbol":"XBTUSD","open":32180.5"#, #""open":1"#),
      (#""symbol":"XBTUSD","open":32180.5"#, #""symbol":"ETHUSD","open":32180.5"#),
      (#""trades":12"#, #""trades":-1"#), (#""volume":5400"#, #""volume":-5400"#),
      (#""close":32181"#, #""close":32181,"close":32181"#), ("[{", "{"),
    ])
  func unsound(part: String, other: String) throws {
    let range = try #require(Self.buckets.range(of: part))
    let text = Self.buckets.replacingCharacters(in: range, with: other)
    #expect(history.read(Self.minute, "XBTUSD", text).isBad, "\(part) → \(other)")
  }

  @Test("Another instrument's buckets, statuses and cut answers are refused")
  func refused() {
    #expect(history.read(Self.minute, "ETHUSD", Self.buckets).isBad)
    #expect(history.read(.candles(.fiveMinutes), "XBTUSD", Self.buckets).isBad)
    #expect(history.read(Self.minute, "XBTUSD", "{}", status: 404).failure == .unknownInstrument)
    #expect(history.read(Self.minute, "XBTUSD", "{}", status: 429).failure == .rateLimited)
    #expect(
      history.read(Self.minute, "XBTUSD", "{}", status: 503).failure == .unavailable("HTTP 503"))
    let bytes = ContiguousArray(Self.buckets.utf8)
    for end in bytes.indices {
      let part = ContiguousArray(bytes[..<end])
      #expect(history.read(Self.minute, "XBTUSD", 200, part.span).isBad, "cut at \(end)")
    }
  }

  @Test(
    "Every name that the venue may have has a history",
    arguments: [
      "XBTM26-XBTU26", "XBT_USDT", ".BXBT",
    ])
  func names(name: String) throws {
    let path = try #require(history.path(Self.minute, name))
    #expect(path.contains("&symbol=\(name)&"))
    let text = Self.buckets.replacingOccurrences(of: "XBTUSD", with: name)
    #expect(history.read(Self.minute, name, text).candles?.rows.count == 2)
    for bad in ["", "A B", "A&b=c", "A/B", "A%2F", String(repeating: "A", count: 49)] {
      #expect(history.path(Self.minute, bad) == nil, "\(bad)")
    }
  }

  @Test("A spread's candles may be negative, 0, or on both sides of it; unsound ones stay refused")
  func negative() throws {
    func read(_ open: String, _ high: String, _ low: String, _ close: String) -> VenueCandles? {
      history.read(
        Self.minute, "XBTM26-XBTU26",
        #"[{"timestamp":"2026-06-01T22:37:00.000Z","symbol":"XBTM26-XBTU26","open":\#(open),"#
          + #""high":\#(high),"low":\#(low),"close":\#(close),"trades":3,"volume":7}]"#
      ).candles
    }
    let candle = try #require(read("-13310.5", "-13300", "-13320.5", "-13311.5")?.rows.first)
    #expect(candle.open.description == "-13310.5" && candle.low.description == "-13320.5")
    #expect(read("0", "0", "0", "0") != nil && read("-0.5", "0.5", "-1", "0") != nil)
    #expect(read("-13310.5", "-13320.5", "-13300", "-13311.5") == nil, "high below low")
    #expect(read("-13330", "-13300", "-13320.5", "-13311.5") == nil, "open below low")
  }

  @Test("A venue's history goes with its intervals: each has a path, finest first")
  func descriptors() {
    for venue in Venue.allCases {
      guard let history = venue.adapter.history else { continue }
      #expect(history.intervals.contains(.minute))
      #expect(history.intervals == history.intervals.sorted { $0.rawValue < $1.rawValue })
      #expect(history.intervals.allSatisfy { history.path(.candles($0), "XBTUSD") != nil })
      let paths = [HistoryRequest.trades(after: HistoryCursor("1")), .tradesBefore(1)].map {
        history.path($0, "XBTUSD") != nil
      }
      let isBackwards = history.pagesBackwards
      #expect(paths == [history.givesTrades && !isBackwards, isBackwards])
      for list in [NamedAssets.currencies, .tokens] {
        #expect((history.path(.names(list), "") != nil) == history.nameLists.contains(list))
      }
      #expect(venue.descriptor.closure == nil || history.publicAddress == nil)
      #expect(history.simulatedPath == venue.simulatedPrefix)
    }
    #expect(
      Venue.allCases.filter { $0.adapter.history != nil } == [
        .bitmex, .kraken, .coinbase, .okx, .bybit, .bybitLinear, .binance,
      ])
  }
}
