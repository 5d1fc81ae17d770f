// All of Kraken's tickers in one response: accepted and rejected rows.

import MarketModel
import Testing

@testable import VenueProtocols

struct KrakenTickersTests {
  private let now = Timestamp(milliseconds: 1_790_000_000_000)
  private let names = [
    Symbol(known: "BTC/USD"): "XBTUSD=XXBTZUSD", Symbol(known: "ADA/EUR"): "ADAEUR",
    Symbol(known: "NIL/USD"): "NILUSD",
  ]

  private func read(_ body: String, status: Int = 200) -> Result<[DayFigures], HistoryFailure> {
    let bytes = Array(body.utf8)
    return KrakenTickers.read(names, status: status, bytes.span, at: now, .waiting(.simulated))
  }

  private func row(_ price: String, high: String = "3.0", low: String = "1.0") -> String {
    #"{"a":["2.1","1","1.000"],"b":["2.0","1","1.000"],"c":["\#(price)","0.1"],"#
      + #""v":["1.0","163.28908096"],"p":["2.5","2.25"],"t":[35,3276],"l":["1.5","\#(low)"],"#
      + #""h":["2.5","\#(high)"],"o":"1.00000"}"#
  }

  private func answer(_ rows: String) -> String { #"{"error":[],"result":{\#(rows)}}"# }

  @Test func `price and the figures of 24 hours are read, never those of today`() throws {
    let all = try read(
      answer(#""XXBTZUSD":\#(row("2.05000")),"ADAEUR":\#(row("2.0")),"UNKNOWN":\#(row("1.0"))"#)
    ).get()
    #expect(all.map(\.symbol.text) == ["BTC/USD", "ADA/EUR"])
    let bitcoin = try #require(all.first)
    #expect(bitcoin.last?.description == "2.05000" && bitcoin.at == now)
    #expect(bitcoin.high?.description == "3.0" && bitcoin.low?.description == "1.0")
    #expect(bitcoin.volume?.description == "163.28908096")
    #expect(bitcoin.vwap?.description == "2.25" && bitcoin.trades == 3276)
    #expect(bitcoin.change == nil && bitcoin.changePercent == nil, "no day ago is in it")
    #expect(bitcoin.window == .last24Hours)
  }

  @Test func `a market without a price is left out`() throws {
    let empty = row("0.0", high: "0.0", low: "0.0")
    #expect(try read(answer(#""NILUSD":\#(empty)"#)).get().isEmpty)
  }

  @Test func `errors in a 200 are understood`() {
    #expect(read(#"{"error":["EGeneral:Too many requests"]}"#) == .failure(.rateLimited))
    #expect(read("", status: 429) == .failure(.rateLimited))
    #expect(read(#"{"error":[]}"#) == .failure(.badAnswer("no result")))
    #expect(read("{}", status: 502) == .failure(.unavailable("HTTP 502")))
  }

  @Test func `an answer that can't be is refused as a whole`() {
    let good = row("2.0")
    let bad = [
      answer(#""XXBTZUSD":\#(good),"XBTUSD":\#(good)"#), answer(#""XXBTZUSD":[]"#),
      answer(#""XXBTZUSD":\#(row("-2.0"))"#), answer(#""XXBTZUSD":\#(row("2,0"))"#),
      answer(#""XXBTZUSD":\#(row("2.0", high: "1.0", low: "2.0"))"#),
      answer(#""XXBTZUSD":{"c":[{}]}"#), answer(#""XXBTZUSD":{"v":["1.0",true]}"#),
      answer(#""XXBTZUSD":{"c":["1.0"],"c":["1.0"]}"#), #"{"error":[],"result":7}"#, "[]", "",
    ]
    for body in bad {
      guard case .failure = read(body) else {
        Issue.record("\(body) was taken")
        continue
      }
    }
    let whole = Array(answer(#""XXBTZUSD":\#(good)"#).utf8)
    for end in whole.indices {
      let cut = String(decoding: whole[..<end], as: UTF8.self)
      guard case .failure = read(cut) else {
        Issue.record("\(cut) was taken")
        continue
      }
    }
  }
}
