// The ticker channel, and other stream features of 2026.

import MarketModel
import Testing

@testable import VenueSimulator

struct SimulatedKrakenTickerTests {
  private func driver(seed: UInt64 = 4) -> VenueDriver<SimulatedKraken> {
    var driver = VenueDriver(
      SimulatedKraken(seed: seed, start: VenueDriver<SimulatedKraken>.start, limitsCalls: false))
    driver.connect(1, VenueRequest(path: "/v2"))
    return driver
  }

  private func subscribe(_ channel: String, _ symbol: String, _ extra: String = "") -> String {
    #"{"method":"subscribe","params":{"channel":"\#(channel)","symbol":["\#(symbol)"]\#(extra)}}"#
  }

  @Test func `the status names planned maintenance, and a connection beyond 63 bits`() throws {
    var driver = driver()
    let greeting = driver.take(1).first
    let status = try #require(greeting)
    let row = try #require(JSONTree(status)["data"]?[0])
    #expect(row.keys.suffix(2) == ["upcoming_maintenance", "emergency"])
    #expect(row["emergency"] == .array([]))
    #expect(try UInt64(#require(row["connection_id"]?.text)).map { $0 > UInt64(Int64.max) } == true)
  }

  @Test func `a ticker begins with a snapshot and then follows the trades`() throws {
    var driver = driver()
    _ = driver.take(1)
    driver.send(subscribe("ticker", "SOL/USD"), from: 1)
    let answers = try driver.take(1).map { try JSONTree($0) }
    #expect(answers.count == 2 && answers[0]["success"] == .boolean(true))
    #expect(answers[0]["result"]?.keys == ["channel", "event_trigger", "snapshot", "symbol"])
    #expect(answers[0]["result"]?["event_trigger"]?.text == "trades")
    #expect(answers[1]["type"]?.text == "snapshot")
    #expect(
      answers[1]["data"]?[0]?.keys == [
        "symbol", "bid", "bid_qty", "ask", "ask_qty", "last", "volume", "vwap", "low", "high",
        "change", "change_pct", "trades", "timestamp",
      ])
    driver.send(subscribe("trade", "SOL/USD"), from: 1)
    driver.run(milliseconds: 60_000)
    var last: (price: String, time: String)?
    var told = 0
    for message in try driver.take(1).map({ try JSONTree($0) })
    where message["type"]?.text == "update" {
      let row = try #require(message["data"]?.elements.last)
      if message["channel"]?.text == "trade" {
        last = try (#require(row["price"]?.text), #require(row["timestamp"]?.text))
      } else if message["channel"]?.text == "ticker" {
        let trade = try #require(last, "a ticker follows a trade")
        #expect(row["last"]?.text == trade.price && row["timestamp"]?.text == trade.time)
        let (low, high) = try (#require(row["low"]?.decimal), #require(row["high"]?.decimal))
        let price = try #require(row["last"]?.decimal)
        #expect(low <= price && price <= high)
        last = nil
        told += 1
      }
    }
    #expect(told > 3 && last == nil)
  }

  @Test func `a day's figures are those of 1,440 minutes`() throws {
    var driver = driver()
    _ = driver.take(1)
    driver.send(subscribe("ticker", "BTC/USD"), from: 1)
    let snapshot = try driver.take(1).last.map { try JSONTree($0) }
    let row = try #require(snapshot?["data"]?[0])
    let minute = MarketTape.minute(MarketTape.microseconds(driver.now))
    var sum = TapeCandle.none
    for minute in (minute - 1439)...minute { sum.add(driver.venue.tapes[0].candle(minute)) }
    let pair = driver.venue.pairs[0]
    #expect(row["volume"]?.text == pair.quantity(lots: sum.lots).description)
    #expect(row["high"]?.text == pair.price(sum.high).description)
    #expect(row["low"]?.text == pair.price(sum.low).description)
    #expect(row["trades"]?.text == "\(sum.count)")
    let before = try #require(driver.venue.tapes[0].close(before: minute - 1439))
    #expect(row["change"]?.text == pair.price(sum.close - before).description)
    let percent = Double(sum.close - before) / Double(before) * 100
    #expect(abs(try #require(Double(row["change_pct"]?.text ?? "")) - percent) < 0.006)
  }

  @Test func `with bbo only changes of the best prices are sent`() throws {
    var driver = driver()
    _ = driver.take(1)
    driver.send(subscribe("ticker", "ETH/USD", #","event_trigger":"bbo""#), from: 1)
    driver.send(subscribe("book", "ETH/USD", #","depth":10"#), from: 1)
    driver.run(milliseconds: 20_000)
    let rows = try driver.take(1).map { try JSONTree($0) }.filter {
      $0["channel"]?.text == "ticker"
    }.map { try #require($0["data"]?[0]) }
    let touches = rows.map { row in
      ["bid", "bid_qty", "ask", "ask_qty"].map { row[$0]?.text }
    }
    #expect(touches.count > 20)
    #expect(zip(touches, touches.dropFirst()).allSatisfy { $0 != $1 })
    let book = try #require(driver.venue.bookLevels("ETH/USD", depth: 1))
    #expect(
      touches.last == [
        book.bids[0].price, book.bids[0].quantity, book.asks[0].price, book.asks[0].quantity,
      ])
  }

  @Test func `a pair has one ticker a connection, of a known trigger`() {
    var driver = driver()
    _ = driver.take(1)
    driver.send(subscribe("ticker", "ETH/USD", #","event_trigger":"x""#), from: 1)
    #expect(driver.take(1).first?.contains("Event trigger not supported") == true)
    driver.send(subscribe("ticker", "ETH/USD"), from: 1)
    _ = driver.take(1)
    driver.send(subscribe("ticker", "ETH/USD", #","event_trigger":"bbo""#), from: 1)
    #expect(driver.take(1).first?.contains("Already subscribed") == true)
  }

  @Test func `tokenised stocks are listed on request`() throws {
    let tokens = KrakenDirectory.all.pairs.filter(\.isToken).count
    let all = KrakenDirectory.all.pairs.count
    for (wanted, count) in [
      ("", all - tokens), (#","include_tokenized_assets":true"#, all),
    ] {
      var driver = driver()
      _ = driver.take(1)
      driver.send(#"{"method":"subscribe","params":{"channel":"instrument"\#(wanted)}}"#, from: 1)
      let pairs = try driver.take(1).last.map { try JSONTree($0) }?["data"]?["pairs"]
      #expect(pairs?.elements.count == count)
      #expect(pairs?.elements.contains { $0["symbol"]?.text == "AAPLx/USD" } == (count == all))
    }
  }
}
