// Kraken's history: requests, accepted responses, and rejected ones.

import Foundation
import MarketModel
import Testing

@testable import VenueProtocols

@Suite struct KrakenHistoryTests {
  static let minutes = HistoryRequest.candles(.minute)
  static let page = HistoryRequest.trades(after: HistoryCursor("1762795433971744512"))
  static let name = "XBTUSD=XXBTZUSD"
  static let candleText =
    #"{"error":[],"result":{"XXBTZUSD":["#
    + #"[1762777200,"106038.1","106044.3","106038.1","106040.1","106039.6","0.08317981",3],"#
    + #"[1762777260,"106040.1","106040.1","106040.1","106040.1","0.0","0.00000000",0],"#
    + #"[1762777320,"106048.0","106048.0","106047.5","106048.0","106048.0","0.00109838",2]],"#
    + #""last":1762777260}}"#
  static let tradeText =
    #"{"error":[],"result":{"XXBTZUSD":["#
    + #"["105433.60000","0.00027625",1762795433.9717445,"b","l","",10218208],"#
    + #"["105410.10000","0.00005000",1762795457.8467374,"s","m","",10218209]],"#
    + #""last":"1762795457846737412"}}"#

  private var history: VenueHistory { .kraken }

  @Test("Paths ask by the name that requests take, and for nothing that the venue has not")
  func paths() {
    #expect(history.path(.names(.currencies), "") == "/0/public/AssetPairs")
    #expect(history.path(.names(.tokens), "") == "/0/public/AssetPairs?aclass_base=tokenized_asset")
    #expect(history.path(Self.minutes, Self.name) == "/0/public/OHLC?pair=XBTUSD&interval=1")
    #expect(
      history.path(.candles(.day), "AAPLxUSD@token")
        == "/0/public/OHLC?pair=AAPLxUSD&asset_class=tokenized_asset&interval=1440")
    #expect(
      history.path(Self.page, "AAPLxUSD=AAPLxZUSD@token")
        == "/0/public/Trades?pair=AAPLxUSD&asset_class=tokenized_asset"
        + "&since=1762795433971744512&count=1000")
    #expect(
      history.path(Self.page, Self.name)
        == "/0/public/Trades?pair=XBTUSD&since=1762795433971744512&count=1000")
    #expect(history.path(.candles(.week), Self.name) == nil)
    #expect(history.path(.candles(.second), Self.name) == nil)
    #expect(history.path(.candles(.day), "A-B_C.d=X-Z") != nil)
    let long = String(repeating: "A", count: 33)
    for text in ["", "XBT USD", "A&b=c", "A=B=C", "a/b", "@token", "A@token@token", long] {
      #expect(history.path(Self.minutes, text) == nil, "\(text)")
    }
    for cursor in ["", "-1", "1e9", "123456789012345678901", "1&pair=X"] {
      #expect(history.path(.trades(after: HistoryCursor(cursor)), Self.name) == nil, "\(cursor)")
    }
  }

  @Test("Candles keep their digits, and the forming one is separate")
  func rows() throws {
    let answer = try #require(history.read(Self.minutes, Self.name, Self.candleText).candles)
    #expect(answer.lastCommitted == 1_762_777_260_000 && answer.rows.count == 3)
    let first = try #require(answer.rows.first)
    #expect(first.start == 1_762_777_200_000 && first.count == 3)
    #expect(first.high.description == "106044.3" && first.volume.description == "0.08317981")
    #expect(answer.rows[1].count == 0 && answer.rows[1].volume.units == 0)
  }

  @Test("Trades keep their numbers, and the cursor is passed on as it came")
  func trades() throws {
    let page = try #require(history.read(Self.page, Self.name, Self.tradeText).trades)
    #expect(page.next == HistoryCursor("1762795457846737412"))
    #expect(page.trades.map(\.identifier) == [10_218_208, 10_218_209])
    #expect(page.trades.first?.time.nanoseconds == 1_762_795_433_971_744_500)
    #expect(page.trades.first?.quantity.description == "0.00027625")
    let none = #"{"error":[],"result":{"XBTUSD":[],"last":"17"}}"#
    #expect(history.read(Self.page, Self.name, none).trades?.trades.isEmpty == true)
  }

  @Test("An answer about a token is known by the pair's names alone")
  func tokens() throws {
    let text = Self.candleText.replacingOccurrences(of: "XXBTZUSD", with: "AAPLxUSD")
    #expect(history.read(Self.minutes, "AAPLxUSD@token", text).candles?.rows.count == 3)
    #expect(history.read(Self.minutes, "TSLAxUSD@token", text).isBad)
  }

  @Test("Names are the venue's own, with today's names of Bitcoin and Dogecoin")
  func names() throws {
    let text =
      #"{"error":[],"result":{"XXBTZUSD":{"altname":"XBTUSD","wsname":"XBT/USD"},"#
      + #""XDGXBT":{"wsname":"XDG/XBT","altname":"XDGXBT","fees":[[0,0.4]]},"#
      + #""ETHPYUSD":{"altname":"ETHPYUSD","wsname":"ETH/PYUSD"},"#
      + #""XXBTZUSD.d":{"altname":"XBTUSD.d"},"BAD PAIR":{"altname":"x","wsname":"A/B"},"#
      + #""ODD":{"altname":"ODD&x","wsname":"O/D"},"TWO":{"altname":"TWO","wsname":"T/W/O"}}}"#
    let names = try #require(history.read(.names(.currencies), "", text).names)
    #expect(
      names == [
        Symbol(known: "BTC/USD"): "XBTUSD=XXBTZUSD", Symbol(known: "DOGE/BTC"): "XDGXBT",
        Symbol(known: "ETH/PYUSD"): "ETHPYUSD",
      ])
  }

  @Test(
    "Captured pairs are read",
    arguments: [
      ("rest.asset-pairs.json", "BTC/USDT", "XBTUSDT"),
      ("rest.asset-pairs-tokenized.json", "AAPLx/USD", "AAPLxUSD@token"),
    ])
  func capturedNames(file: String, symbol: String, name: String) throws {
    let url = Bundle.module.url(
      forResource: file, withExtension: nil, subdirectory: "Payloads/kraken")
    let text = try String(contentsOf: #require(url), encoding: .utf8)
    let names = try #require(history.read(.names(.currencies), "", text).names)
    #expect(names == [try #require(Symbol(symbol)): name])
  }

  @Test(
    "An error in a 200 says what it is",
    arguments: [
      (#"["EGeneral:Too many requests"]"#, HistoryFailure.rateLimited),
      (#"["EService:Busy","EAPI:Rate limit exceeded"]"#, .rateLimited),
      (#"["EQuery:Unknown asset pair"]"#, .unknownInstrument),
      (#"["EService:Unavailable"]"#, .unavailable("EService:Unavailable")),
      (#"["EService:Busy"]"#, .unavailable("EService:Busy")),
      (#"["EGeneral:Invalid arguments"]"#, .badAnswer("EGeneral:Invalid arguments")),
    ])
  func errors(list: String, failure: HistoryFailure) {
    for text in [#"{"error":\#(list)}"#, #"{"result":{},"error":\#(list)}"#] {
      #expect(history.read(Self.minutes, Self.name, text).failure == failure, "\(text)")
    }
  }

  @Test("A status that is not 200 is no answer, whatever its body")
  func statuses() {
    #expect(
      history.read(Self.minutes, Self.name, Self.candleText, status: 429).failure == .rateLimited)
    for status in [204, 301, 403, 404, 500, 502, 503, 520] {
      let response = history.read(Self.minutes, Self.name, Self.candleText, status: status)
      #expect(response.failure == .unavailable("HTTP \(status)"))
    }
  }

  @Test("An answer about another pair or of another interval is refused")
  func swapped() {
    #expect(history.read(Self.minutes, "ETHUSD=XETHZUSD", Self.candleText).isBad)
    #expect(history.read(Self.page, "ETHUSD", Self.tradeText).isBad)
    #expect(history.read(.candles(.fiveMinutes), Self.name, Self.candleText).isBad)
    let wide = Self.candleText.replacingOccurrences(of: "1762777260", with: "1762777500")
      .replacingOccurrences(of: "1762777320", with: "1762777800")
    #expect(history.read(.candles(.fiveMinutes), Self.name, wide).candles?.rows.count == 3)
    #expect(history.read(Self.minutes, Self.name, wide).isBad, "five minutes are no minutes")
    #expect(history.read(Self.page, Self.name, Self.candleText).isBad)
    #expect(history.read(Self.minutes, Self.name, Self.tradeText).isBad)
  }

  @Test(
    "One row that can't be refuses all",
    arguments: [
      (#""106047.5""#, #""0""#), (#""106047.5""#, #""-1""#),
      (#""106044.3""#, #""106038.0""#), (#""106047.5""#, #""106049.5""#),
      (#"[1762777260"#, "[1762777261"), (#"[1762777320"#, "[1762777260"),
      (#"[1762777320"#, "[1762777140"), (#""0.08317981""#, #""-0.08317981""#),
      (#""0.00000000",0]"#, #""0.00000001",0]"#), (",3]", ",-3]"), (",3]", ",3.5]"),
      (",3]", ",4294967296]"), (",3]", "]"), (#""106038.1","106044.3""#, #"null,"106044.3""#),
      (#""106044.3""#, #""106044.3 ""#), (#""106044.3""#, #""9999999999999999999999""#),
      (#""106044.3""#, #""1e400""#), (#""106044.3""#, #""""#), (#""106044.3""#, "true"),
      ("[1762777200", "[-60"), ("[1762777200", "[17627772000000000000"),
      (#""last":1762777260"#, #""last":1762777261"#), (#""last":1762777260"#, #""last":-60"#),
      (#""last":1762777260"#, #""last":1762777380"#), (#","last":1762777260"#, ""),
      (#""last":1762777260"#, #""last":1762777260,"last":1762777260"#),
      (#""last""#, #""XETHZUSD":[],"last""#), (#"{"error":[],"#, "{"), ("[]", "null"),
      (#"{"error":[],"#, #"{"error":[],"error":[],"#),
    ])
  func unsoundRows(part: String, other: String) {
    let text = Self.candleText.replacingOccurrences(of: part, with: other)
    #expect(text != Self.candleText)
    #expect(history.read(Self.minutes, Self.name, text).isBad, "\(part) → \(other)")
  }

  @Test(
    "One trade that can't be refuses all",
    arguments: [
      ("10218209", "10218208"), ("10218209", "0"), ("10218209", "-1"), (",10218209", ""),
      (#""105410.10000""#, #""0""#), (#""105410.10000""#, #""-1""#),
      (#""0.00005000""#, #""0""#), ("1762795457.8467374", "1762795400"),
      ("1762795457.8467374", "0"), ("1762795457.8467374", "99999999999999"),
      (#""last":"1762795457846737412""#, #""last":"x""#),
      (#""last":"1762795457846737412""#, #""last":1762795457"#),
      (#""last":"1762795457846737412""#, #""last":"1762795457.5""#),
    ])
  func unsoundTrades(part: String, other: String) {
    let text = Self.tradeText.replacingOccurrences(of: part, with: other)
    #expect(text != Self.tradeText)
    #expect(history.read(Self.page, Self.name, text).isBad, "\(part) → \(other)")
  }

  @Test("More rows than there can be are refused")
  func bounds() {
    let rows = (0..<2001).map {
      #"[\#(1_762_777_200 + $0 * 60),"1","1","1","1","1","1",1]"#
    }.joined(separator: ",")
    let candles = #"{"error":[],"result":{"A":[\#(rows)],"last":1762777200}}"#
    #expect(history.read(Self.minutes, "A", candles).isBad)
    let trades = (1...1001).map { #"["1","1",1762777200,"b","l","",\#($0)]"# }
      .joined(separator: ",")
    #expect(
      history.read(Self.page, "A", #"{"error":[],"result":{"A":[\#(trades)],"last":"1"}}"#).isBad)
    let blank = String(repeating: " ", count: history.maximumBytes)
    #expect(history.read(Self.minutes, Self.name, Self.candleText + blank).isBad)
  }

  @Test("An answer cut at any byte is refused", arguments: [candleText, tradeText])
  func cut(text: String) {
    let bytes = ContiguousArray(text.utf8)
    for end in bytes.indices {
      let part = ContiguousArray(bytes[..<end])
      for request in [Self.minutes, Self.page, .names(.tokens)] {
        #expect(history.read(request, Self.name, 200, part.span).isBad, "cut at \(end)")
      }
    }
  }

  @Test("Flipped bits never make rows that can't be")
  func flipped() {
    for seed in UInt64(1)...3000 {
      var generator = SplitMix64(seed: seed)
      let isCandles = seed % 2 == 0
      var bytes = ContiguousArray((isCandles ? Self.candleText : Self.tradeText).utf8)
      for _ in 0...generator.below(3) {
        let place = Int(generator.below(Int64(bytes.count)))
        bytes[place] ^= 1 << UInt8(generator.below(8))
      }
      let response = history.read(isCandles ? Self.minutes : Self.page, Self.name, 200, bytes.span)
      if let rows = response.candles?.rows {
        #expect(CandleRows.problem(in: rows, of: .minute) == nil, "seed \(seed)")
      }
      if let trades = response.trades?.trades {
        #expect(trades.allSatisfy { $0.price.units > 0 && $0.identifier > 0 }, "seed \(seed)")
        let numbers = trades.map(\.identifier)
        #expect(numbers == Array(Set(numbers)).sorted(), "seed \(seed)")
      }
    }
  }
}
