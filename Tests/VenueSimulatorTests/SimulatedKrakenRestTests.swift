// Public calls of the simulated Kraken: the quirks of the real one, and the same trades as the
// stream.

import MarketModel
import Testing

@testable import VenueSimulator

struct SimulatedKrakenRestTests {
  typealias Driver = VenueDriver<SimulatedKraken>

  private func driver(seed: UInt64 = 3, limitsCalls: Bool = false) -> Driver {
    VenueDriver(SimulatedKraken(seed: seed, start: Driver.start, limitsCalls: limitsCalls))
  }

  private func get(
    _ driver: inout Driver, _ method: String, _ query: [(name: String, value: String)] = []
  ) throws -> JSONTree {
    let request = VenueRequest(path: "/0/public/" + method, query: query)
    let answer = driver.venue.respond(to: request, at: driver.now)
    let response = try #require(answer)
    #expect(response.status == 200, "failures are a 200 as well")
    return try JSONTree(response.body)
  }

  private func candles(
    _ driver: inout Driver, _ pair: String, _ interval: Int = 1
  ) throws -> (rows: [[String]], last: Int64) {
    let answer = try get(
      &driver, "OHLC", [(name: "pair", value: pair), (name: "interval", value: "\(interval)")])
    #expect(answer["error"] == .array([]))
    let result = try #require(answer["result"])
    let key = try #require(result.keys.first { $0 != "last" })
    let rows = try #require(result[key]).elements.map { $0.elements.compactMap(\.text) }
    return (rows, try #require(result["last"]?.text.flatMap { Int64($0) }))
  }

  /// All trades after a time, page by page.
  private func trades(
    _ driver: inout Driver, _ pair: String, after since: String, count: Int = 1000
  ) throws -> [[String]] {
    var (rows, since): ([[String]], String) = ([], since)
    while true {
      let answer = try get(
        &driver, "Trades",
        [
          (name: "pair", value: pair), (name: "since", value: since),
          (name: "count", value: "\(count)"),
        ])
      let result = try #require(answer["result"])
      let key = try #require(result.keys.first { $0 != "last" })
      let page = try #require(result[key]).elements.map { $0.elements.map { $0.text ?? "" } }
      rows += page
      since = try #require(result["last"]?.text)
      if page.count < count { return rows }
    }
  }

  /// Open, high, low, close, volume and count of rows of price and quantity.
  private func fold(_ rows: [(price: String, quantity: String)]) throws -> [String] {
    let prices = try rows.map { try #require(FixedDecimal($0.price)) }
    let sizes = try rows.map { try #require(FixedDecimal($0.quantity)) }
    let volume = FixedDecimal(
      units: sizes.reduce(0) { $0 + $1.units }, scale: try #require(sizes.first).scale)
    return try [
      #require(prices.first), #require(prices.max()), #require(prices.min()),
      #require(prices.last), volume,
    ].map { $0.trimmed.description } + ["\(rows.count)"]
  }

  private func figures(_ row: [String]) throws -> [String] {
    try [1, 2, 3, 4, 6].map { try #require(FixedDecimal(row[$0])).trimmed.description } + [row[7]]
  }

  @Test(arguments: ["XBTUSD", "ADAUSD"])
  func `the book has the best levels, and opens a closed pair's`(pair: String) throws {
    var driver = driver()
    driver.run(milliseconds: 1000)
    let query = [(name: "pair", value: pair), (name: "count", value: "20")]
    let answer = try get(&driver, "Depth", query)
    let result = try #require(answer["result"])
    let key = try #require(result.keys.first)
    let symbol = pair == "XBTUSD" ? "BTC/USD" : "ADA/USD"
    let levels = try #require(driver.venue.bookLevels(symbol, depth: 20))
    for (side, rows) in [("bids", levels.bids), ("asks", levels.asks)] {
      let sent = try #require(result[key]?[side]).elements.map { [$0[0]?.text, $0[1]?.text] }
      #expect(sent == rows.map { [$0.price, $0.quantity] } && sent.count == 20)
    }
    let bad = [(name: "pair", value: pair), (name: "count", value: "501")]
    let refused = try get(&driver, "Depth", bad)
    #expect(refused["error"]?.elements.count == 1)
  }

  @Test(arguments: [0, 1, 29_999, 52_999, 53_000, 53_001, 300_000] as [Int64])
  func `720 committed candles and the forming one are there at any moment`(wait: Int64) throws {
    var driver = driver()
    driver.run(milliseconds: wait)
    for pair in ["XBTUSD", "SHIBUSD"] {
      let (rows, last) = try candles(&driver, pair)
      #expect(rows.count == 721)
      let starts = try rows.map { try #require(Int64($0[0])) }
      #expect(zip(starts, starts.dropFirst()).allSatisfy { $1 - $0 == 60 })
      #expect(starts.last == driver.now.milliseconds / 60_000 * 60)
      #expect(last == starts[719], "the last one that cannot change any more")
      for row in rows where row[7] == "0" {
        #expect(row[5] == "0.0" && Set(row[1...4]).count == 1)
        #expect(FixedDecimal(row[6]) == FixedDecimal("0"))
      }
    }
  }

  @Test func `times and counts are numbers, all else are strings`() throws {
    var driver = driver()
    let answer = try get(&driver, "OHLC", [(name: "pair", value: "XBTUSD")])
    let row = try #require(answer["result"]?["XXBTZUSD"]?[3])
    for (index, value) in row.elements.enumerated() {
      if case .number = value {
        #expect([0, 7].contains(index))
      } else {
        #expect((1...6).contains(index))
      }
    }
    let page = try get(&driver, "Trades", [(name: "pair", value: "XBTUSD")])
    let trade = try #require(page["result"]?["XXBTZUSD"]?[0])
    #expect(trade.elements.count == 7)
    #expect(
      trade[0]?.text?.split(separator: ".").last?.count == 5, "five digits, though one counts")
  }

  @Test func `a candle is its trades, over HTTP and on the stream, and stays what it was`() throws {
    for seed in 1...2 as ClosedRange<UInt64> {
      var driver = driver(seed: seed)
      driver.connect(1, VenueRequest(path: "/v2"))
      for pair in ["BTC/USD", "SHIB/USD"] {
        driver.send(
          #"{"method":"subscribe","params":{"channel":"trade","symbol":["\#(pair)"]}}"#, from: 1)
      }
      for _ in 0..<8 {
        driver.run(milliseconds: 30_000)
        // A client that sends nothing for a minute is disconnected.
        driver.send(#"{"method":"ping"}"#, from: 1)
      }
      let heard = driver.now.milliseconds / 60_000 * 60
      var streamed: [String: [Int64: [(price: String, quantity: String)]]] = [:]
      for message in try driver.take(1).map({ try JSONTree($0) })
      where message["channel"]?.text == "trade" {
        for row in message["data"]?.elements ?? [] {
          let time = try #require(row["timestamp"]?.text.flatMap { Timestamp(iso8601: $0) })
          let symbol = try #require(row["symbol"]?.text)
          streamed[symbol, default: [:]][time.milliseconds / 60_000 * 60, default: []].append(
            try (#require(row["price"]?.text), #require(row["qty"]?.text)))
        }
      }
      for (pair, symbol) in [("XBTUSD", "BTC/USD"), ("SHIBUSD", "SHIB/USD")] {
        let rows = try candles(&driver, pair).rows
        let since = try #require(Int64(rows[700][0]))
        let told = try trades(&driver, pair, after: "\(since)000000000", count: 250)
        let identifiers = try told.map { try #require(Int64($0[6])) }
        #expect(zip(identifiers, identifiers.dropFirst()).allSatisfy { $1 == $0 + 1 })
        var byMinute: [Int64: [(price: String, quantity: String)]] = [:]
        for trade in told {
          let seconds = try #require(Int64(trade[2].prefix { $0 != "." }))
          byMinute[seconds / 60 * 60, default: []].append((trade[0], trade[1]))
        }
        var watched = 0
        for row in rows[700...] {
          let start = try #require(Int64(row[0]))
          let case_ = "seed \(seed), \(pair) at \(start)"
          guard row[7] != "0" else {
            #expect(byMinute[start] == nil, "\(case_)")
            continue
          }
          #expect(try fold(#require(byMinute[start])) == figures(row), "\(case_)")
          // The first of the stream's minutes began before the subscription.
          let isWhole = start >= Driver.start.milliseconds / 1000 && start < heard
          guard isWhole, let rows = streamed[symbol]?[start] else { continue }
          #expect(try fold(rows) == figures(row), "\(case_)")
          watched += 1
        }
        #expect(watched >= 3)
        driver.run(milliseconds: 59_000)
        let later = try candles(&driver, pair).rows
        for row in rows.dropLast() {
          guard let again = later.first(where: { $0[0] == row[0] }) else { continue }
          #expect(again == row, "a committed candle does not change")
        }
        _ = driver.take(1)
      }
    }
  }

  @Test func `with a subscriber, no minute ends before the stream has passed it`() throws {
    var driver = driver()
    driver.connect(1, VenueRequest(path: "/v2"))
    driver.send(
      #"{"method":"subscribe","params":{"channel":"trade","symbol":["BTC/USD"]}}"#, from: 1)
    driver.run(milliseconds: 51_000)
    // The host is late: the minute is over, and the steps of its last two seconds have not run.
    let late = Timestamp(milliseconds: driver.now.milliseconds + 2400)
    func rows() throws -> [JSONTree] {
      let request = VenueRequest(path: "/0/public/OHLC", query: [(name: "pair", value: "XBTUSD")])
      let response = driver.venue.respond(to: request, at: late)
      return try JSONTree(#require(response).body)["result"]?["XXBTZUSD"]?.elements ?? []
    }
    let before = try rows()
    _ = driver.venue.advance(to: late)
    let after = try rows()
    #expect(before.last?[0]?.text == "1626993360" && after.last?[0]?.text == "1626993420")
    #expect(Array(before.dropLast().dropFirst()) == Array(after.dropLast(2)))
    #expect(before.last != after[719], "the minute went on")
  }

  @Test func `a coarse candle has the trades of its minutes`() throws {
    var driver = driver()
    let minutes = try candles(&driver, "SOLUSD").rows
    for interval in [5, 15, 30, 60, 240] {
      let coarse = try candles(&driver, "SOLUSD", interval).rows
      #expect(interval < 240 ? coarse.count == 721 : coarse.count > 540)
      for row in coarse.suffix(3).dropLast() {
        let start = try #require(Int64(row[0]))
        let parts = try minutes.filter {
          (start..<(start + Int64(interval) * 60)).contains(try #require(Int64($0[0])))
        }
        guard parts.count == interval else { continue }
        #expect(try parts.map { try #require(Int($0[7])) }.reduce(0, +) == Int(row[7]))
        #expect(parts.first { $0[7] != "0" }?[1] == row[1] && parts.last?[4] == row[4])
      }
    }
    for interval in [1440, 10_080, 21_600] {
      let rows = try candles(&driver, "SOLUSD", interval).rows
      #expect(rows.count >= 90 * 1440 / interval)
    }
  }

  @Test func `since is exclusive, and the forming candle is always there`() throws {
    var driver = driver()
    let (rows, last) = try candles(&driver, "XBTUSD")
    func starts(since: String) throws -> [String] {
      let answer = try get(
        &driver, "OHLC", [(name: "pair", value: "XBTUSD"), (name: "since", value: since)])
      return (answer["result"]?["XXBTZUSD"]?.elements ?? []).compactMap { $0[0]?.text }
    }
    #expect(try starts(since: rows[717][0]) == rows[718...].map { $0[0] })
    #expect(try starts(since: "\(last)") == [rows[720][0]])
    #expect(try starts(since: "99999999999") == [rows[720][0]])
    #expect(try starts(since: "0").count == 721, "nothing older is to be had")
  }

  @Test func `a pair has many names and one key`() throws {
    var driver = driver()
    for name in ["XBTUSD", "XBT/USD", "BTC/USD", "XXBTZUSD"] {
      let answer = try get(&driver, "OHLC", [(name: "pair", value: name)])
      #expect(answer["result"]?.keys == ["XXBTZUSD", "last"])
    }
    let pairs = try get(&driver, "AssetPairs")["result"]
    #expect(
      pairs?.keys.prefix(7) == [
        "XXBTZUSD", "XETHZUSD", "SOLUSD", "XXRPZUSD", "XDGUSD", "SHIBUSD", "XETHXXBT",
      ])
    #expect(pairs?.keys.count == driver.venue.symbols.count)
    #expect(pairs?["XDGUSD"]?["wsname"]?.text == "XDG/USD")
    #expect(pairs?["XETHXXBT"]?["altname"]?.text == "ETHXBT")
    #expect(pairs?["XXBTZUSD"]?["pair_decimals"]?.text == "1")
    let tokens = try get(
      &driver, "AssetPairs", [(name: "aclass_base", value: "tokenized_asset")])["result"]
    #expect(tokens?.keys.first == "AAPLxUSD" && tokens?.keys.count ?? 0 > 60)
    #expect(try get(&driver, "Time")["result"]?["rfc1123"]?.text == "Thu, 22 Jul 21 22:36:07 +0000")
    #expect(try get(&driver, "SystemStatus")["result"]?["status"]?.text == "online")
  }

  @Test(arguments: ["OHLC", "Trades"])
  func `a token's data is returned to requests that mark it as one`(method: String) throws {
    var driver = driver()
    let query = [
      (name: "pair", value: "AAPLxUSD"), (name: "asset_class", value: "tokenized_asset"),
    ]
    let answer = try get(&driver, method, query)
    let result = try #require(answer["result"])
    #expect(result.keys == ["AAPLxUSD", "last"] && result["AAPLxUSD"]?.elements.isEmpty == false)
  }

  @Test func `failures are in the venue's words`() throws {
    var driver = driver()
    let cases: [(String, [(name: String, value: String)], String)] = [
      ("OHLC", [("pair", "NOPE")], "EQuery:Unknown asset pair"),
      ("Ticker", [("pair", "XBTUSD,NOPE")], "EQuery:Unknown asset pair"),
      ("OHLC", [], "EGeneral:Invalid arguments"),
      ("OHLC", [("pair", "XBTUSD"), ("interval", "2")], "EGeneral:Invalid arguments"),
      ("OHLC", [("pair", "XBTUSD"), ("interval", "x")], "EGeneral:Invalid arguments"),
      ("Trades", [("pair", "XBTUSD"), ("count", "1001")], "EGeneral:Invalid arguments"),
      ("Trades", [("pair", "XBTUSD"), ("since", "-1")], "EGeneral:Invalid arguments"),
      (
        "Trades", [("pair", "XBTUSD"), ("since", "99999999999999999999")],
        "EGeneral:Invalid arguments"
      ),
      ("OHLC", [("pair", "AAPLxUSD")], "EGeneral:Invalid arguments"),
      ("Trades", [("pair", "AAPLxUSD")], "EGeneral:Invalid arguments"),
      (
        "OHLC", [("pair", "XBTUSD"), ("asset_class", "tokenized_asset")],
        "EQuery:Unknown asset pair"
      ),
      ("Nothing", [], "EGeneral:Unknown method"),
    ]
    for (method, query, words) in cases {
      let answer = try get(&driver, method, query)
      #expect(answer["error"]?[0]?.text == words && answer["result"] == nil)
    }
    let farthest = [(name: "pair", value: "XBTUSD"), (name: "since", value: "\(Int64.max)")]
    #expect(try get(&driver, "Trades", farthest)["result"]?["last"]?.text == "\(Int64.max)")
    #expect(try get(&driver, "OHLC", farthest)["result"] != nil)
    #expect(driver.venue.respond(to: VenueRequest(path: "/0/private/X"), at: driver.now) == nil)
  }

  @Test func `after fifteen calls at once there is one a second`() throws {
    var driver = driver(limitsCalls: true)
    for _ in 0..<15 { #expect(try get(&driver, "Time")["error"] == .array([])) }
    #expect(try get(&driver, "Time")["error"]?[0]?.text == "EGeneral:Too many requests")
    driver.run(milliseconds: 1000)
    #expect(try get(&driver, "Time")["error"] == .array([]))
    #expect(try get(&driver, "Time")["error"]?[0]?.text == "EGeneral:Too many requests")
  }

  @Test func `a ticker's figures are those of the candles; its open is that of midnight`() throws {
    var driver = driver()
    driver.run(milliseconds: 90_000)
    let told = try get(&driver, "Ticker", [(name: "pair", value: "SOLUSD")])
    let ticker = try #require(told["result"]?["SOLUSD"])
    // The last 1,440 minutes, out of five-minute rows with this minute's end at one of their
    // borders.
    let rows = try candles(&driver, "SOLUSD", 5).rows
    let midnight = driver.now.milliseconds / 86_400_000 * 86_400
    let today = try rows.filter { try #require(Int64($0[0])) >= midnight }
    #expect(ticker["o"]?.text == today.first?[1])
    #expect(try ticker["t"]?[0]?.text == "\(today.map { try #require(Int($0[7])) }.reduce(0, +))")
    #expect(ticker["c"]?[0]?.text == today.last?[4])
    let highest = try today.map { try #require(FixedDecimal($0[2])) }.max()
    #expect(ticker["h"]?[0]?.decimal == highest)
    #expect(try #require(ticker["h"]?[1]?.decimal) >= #require(highest))
    let all = try get(&driver, "Ticker")["result"]
    #expect(all?.keys.count == driver.venue.symbols.count && all?["SOLUSD"] == ticker)
  }

  @Test func `nothing that is asked traps`() {
    var driver = driver()
    for text in HostileInput.texts + ["-9223372036854775808", "9223372036854775807", "1.5"] {
      for (method, name) in [
        ("OHLC", "pair"), ("OHLC", "interval"), ("OHLC", "since"), ("Trades", "since"),
        ("Trades", "count"), ("Ticker", "pair"), (text, "pair"),
      ] {
        let query = [(name: "pair", value: "XBTUSD"), (name: name, value: text)].reversed()
        let request = VenueRequest(path: "/0/public/" + method, query: Array(query))
        let response = driver.venue.respond(to: request, at: driver.now)
        #expect(response.flatMap { try? JSONTree($0.body) }?["error"] != nil, "\(name) \(text)")
      }
    }
  }
}
