// The command line's contract with scripts.

import Foundation
import MarketModel
import OrderLedger
import PaperTrading
import SimulatorServer
import Testing

@testable import LivetapeServer

@Suite(.serialized, .timeLimit(.minutes(10))) struct CommandTests {
  @Test func `watch ends with the simulator's own book of 20 and 20 levels, uncrossed`()
    async throws
  {
    try await RunningVenues.with { venues in
      let run = try await CommandRun.patiently {
        [
          "watch", "bitmex:XBTUSD", "--url", venues.addresses.url(of: .bitmex), "--every", "500",
          "--json",
        ]
      } until: { run in
        run.objects.count >= 4 && run.objects.last?["status"] as? String == "synced"
          && run.objects.last?["freshness"] as? String == "live"
      }
      #expect(run.status == 0, "\(run.errors)")
      let last = try #require(run.objects.last)
      #expect(run.objects.count >= 4)
      #expect(last["status"] as? String == "synced")
      #expect(run.objects.contains { $0["freshness"] as? String == "live" })
      #expect(last["resyncs"] as? Int == 0)
      let bids = try #require(last["bids"] as? [[String]])
      let asks = try #require(last["asks"] as? [[String]])
      #expect(bids.count == 20 && asks.count == 20)
      let best = try #require(decimal(bids[0][0]))
      #expect(best < (try #require(decimal(asks[0][0]))))
      #expect(try descending(bids.map { $0[0] }) && descending(asks.map { $0[0] }.reversed()))
      #expect((last["bidLevels"] as? Int ?? 0) > 5000 && (last["askLevels"] as? Int ?? 0) > 3000)
    }
  }

  @Test func `OB7 watch ends with the simulated Kraken's proven book and its trades`() async throws
  {
    try await RunningVenues.with { venues in
      let run = try await CommandRun.patiently {
        [
          "watch", "kraken:BTC/USD", "--url", venues.addresses.url(of: .kraken), "--every", "500",
          "--json",
        ]
      } until: { run in
        run.objects.last?["status"] as? String == "synced"
          && (run.objects.last?["trades"] as? [Any])?.count == 30
      }
      #expect(run.status == 0, "\(run.errors)")
      let last = try #require(run.objects.last)
      #expect(last["status"] as? String == "synced")
      #expect(last["resyncs"] as? Int == 0)
      let bids = try #require(last["bids"] as? [[String]])
      let asks = try #require(last["asks"] as? [[String]])
      #expect(bids.count == 20 && asks.count == 20)
      #expect(try #require(decimal(bids[0][0])) < (try #require(decimal(asks[0][0]))))
      #expect(try descending(bids.map { $0[0] }) && descending(asks.map { $0[0] }.reversed()))
      #expect(last["bidLevels"] as? Int == 100 && last["askLevels"] as? Int == 100)
      #expect((last["trades"] as? [Any])?.count == 30)
    }
  }

  @Test func `LT3 watch reports at the end how long Kraken's messages took, by its own clock`()
    async throws
  {
    try await RunningVenues.with { venues in
      let url = venues.addresses.url(of: .kraken)
      func report(_ run: CommandRun) -> [String: Any]? {
        run.objects.last?["report"] as? [String: Any]
      }
      func rungs(_ run: CommandRun) -> Set<String> {
        let rungs = report(run)?["rungs"] as? [[String: Any]] ?? []
        return Set(rungs.compactMap { $0["rung"] as? String })
      }
      let run = try await CommandRun.patiently {
        ["watch", "kraken:BTC/USD", "--url", url, "--json", "--latency"]
      } until: { run in
        rungs(run) == ["socket", "decoded", "state"]
      }
      #expect(run.status == 0, "\(run.errors)")
      #expect(rungs(run) == ["socket", "decoded", "state"])
      let clock = try #require(report(run)?["clock"] as? [String: Any])
      #expect(clock["method"] as? String == "pings")
      let (offset, within) = (clock["offset"] as? Int ?? .max, clock["within"] as? Int ?? 0)
      #expect(offset.magnitude <= within.magnitude, "one machine has one clock")
    }
  }

  @Test func `OB7 a recording of Kraken replays to both of its books`() async throws {
    let folder = try TemporaryFolder()
    let file = URL(fileURLWithPath: folder.path + "/kraken.tsv")
    try await RunningVenues.with { venues in
      let run = try await CommandRun.patiently {
        try? FileManager.default.removeItem(at: file)
        return [
          "record", "kraken:BTC/USD", "kraken:ETH/BTC", "--to", file.path, "--url",
          venues.addresses.url(of: .kraken),
        ]
      } until: { _ in
        let run = try await CommandRun.livetape("replay", file.path, "--venue", "kraken", "--json")
        return run.objects.count == 2
          && run.objects.allSatisfy { $0["status"] as? String == "synced" }
      }
      #expect(run.status == 0, "\(run.errors)")
    }
    let run = try await CommandRun.livetape("replay", file.path, "--venue", "kraken", "--json")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.objects.map { $0["symbol"] as? String } == ["BTC/USD", "ETH/BTC"])
    #expect(run.objects.allSatisfy { $0["status"] as? String == "synced" })
    let text = try await CommandRun.livetape(
      "replay", file.path, "--venue", "kraken", "--symbol", "BTC/USD")
    let trade = try #require((run.objects.first?["trades"] as? [NSDictionary])?.first)
    // The text has the market's decimals, JSON none that are 0.
    let last = try #require(text.output.firstMatch(of: #/ ([\d.]+) at ([\d.]+), /#))
    for (key, digits) in [("size", last.1), ("price", last.2)] {
      #expect((trade[key] as? String).flatMap(decimal) == decimal("\(digits)"), "\(trade)")
    }
    let lines = try String(contentsOf: file, encoding: .utf8)
    let end = try #require(Double(lines.split(separator: "\n").last?.prefix { $0 != "\t" } ?? ""))
    try Data((lines + "\(end + 60)\t{\"channel\":\"heartbeat\"}\n").utf8).write(to: file)
    let silent = try await CommandRun.livetape(
      "replay", file.path, "--venue", "kraken", "--symbol", "BTC/USD")
    #expect(silent.output.contains(#/BTC/USD (late|stale) \d\d s ago /#), "\(silent.output)")
  }

  @Test func `LT12 a recording confirms receipts of paper orders, or refutes them`() async throws {
    let folder = try TemporaryFolder()
    let file = URL(fileURLWithPath: folder.path + "/kraken.tsv")
    let replay = ["replay", file.path, "--venue", "kraken", "--json"]
    func state(_ run: CommandRun) -> (asks: [[String]], trades: [NSDictionary])? {
      guard let last = run.objects.last, last["status"] as? String == "synced",
        let asks = last["asks"] as? [[String]], let trades = last["trades"] as? [NSDictionary],
        !asks.isEmpty, !trades.isEmpty
      else { return nil }
      return (asks, trades)
    }
    try await RunningVenues.with { venues in
      _ = try await CommandRun.patiently {
        try? FileManager.default.removeItem(at: file)
        return [
          "record", "kraken:BTC/USD", "--to", file.path, "--url",
          venues.addresses.url(of: .kraken),
        ]
      } until: { _ in
        state(try await CommandRun.run(replay)) != nil
      }
    }
    let (asks, trades) = try #require(state(try await CommandRun.run(replay)))
    var lines = try String(contentsOf: file, encoding: .utf8)
    let end = try #require(Double(lines.split(separator: "\n").last?.prefix { $0 != "\t" } ?? ""))
    for later in [30, 60] { lines += "\(end + Double(later))\t{\"channel\":\"heartbeat\"}\n" }
    try Data(lines.utf8).write(to: file)

    let fills = try PaperFills(folder, ask: asks[0], trade: trades[0], at: end)
    try fills.write()
    let run = try await CommandRun.run(replay + ["--receipts", folder.path])
    #expect(run.status == 1 && run.errors.contains("refutes a receipt"), "\(run.errors)")
    #expect(
      run.objects.map { $0["result"] as? String } == [
        "confirmed", "confirmed", "contradicted", "confirmed", "missing", "not recorded",
      ], "\(run.output)")
    let other = try await CommandRun.livetape(
      "replay", file.path, "--venue", "coinbase", "--receipts", folder.path)
    #expect(other.errors.contains("no fills of paper orders at coinbase"), "\(other.errors)")
  }

  @Test func `OB7 a closed venue is named, with its date`() async throws {
    let run = try await CommandRun.livetape("watch", "bitmex:XBTUSD", "--seconds", "1")
    #expect(run.status == 1 && run.errors.contains("closed on 23 September 2026"))
  }

  @Test func `watch follows every venue and its last object has a price`() async throws {
    try await RunningVenues.with { venues in
      for (venue, symbol) in [
        (Venue.isin, "US0378331005"), (.bux, "sb26493"), (.echo, "AAPL"), (.exchange, "TROAD"),
      ] {
        func hasPrice(_ run: CommandRun) -> Bool {
          (run.objects.last?["price"] as? String).flatMap(decimal) != nil
        }
        let run = try await CommandRun.patiently {
          ["watch", "\(venue):\(symbol)", "--url", venues.addresses.url(of: venue), "--json"]
        } until: {
          hasPrice($0)
        }
        #expect(run.status == 0 && hasPrice(run), "\(venue): \(run.errors)")
      }
    }
  }

  @Test func `replay of the captured session gives the expected checkpoints`() async throws {
    let payloads = repositoryFolder().appending(path: "Tests/VenueProtocolsTests/Payloads/bitmex")
    let run = try await CommandRun.livetape(
      "replay", payloads.appending(path: "2021-07-22.XBTUSD.server.tsv").path, "--json",
      "--checkpoint-every", "100")
    #expect(run.status == 0, "\(run.errors)")
    let file = payloads.appending(path: "2021-07-22.XBTUSD.expected.json")
    let expected = try JSONSerialization.jsonObject(with: try Data(contentsOf: file))
    let checkpoints = try #require((expected as? NSDictionary)?["checkpoints"] as? [NSDictionary])
    var compared = 0
    for object in run.objects {
      let after = try #require(object["after"] as? Int)
      guard let wanted = checkpoints.first(where: { $0["after_message"] as? Int == after })
      else { continue }
      compared += 1
      #expect(object["bidLevels"] as? Int == wanted["bid_levels"] as? Int)
      #expect(object["askLevels"] as? Int == wanted["ask_levels"] as? Int)
      #expect(rows(object["bids"]) == rows(wanted["bids20"]), "bids after \(after)")
      #expect(rows(object["asks"]) == rows(wanted["asks20"]), "asks after \(after)")
    }
    #expect(compared >= checkpoints.count - 1, "every checkpoint but that after message 7")
    #expect(run.objects.last?["after"] as? Int == 1339)
  }

  /// Bare messages, messages with a time, and with a source column between responses over HTTP.
  @Test(arguments: 0..<3)
  func `a recording may name the sources of its messages, or lack times`(form: Int) async throws {
    let payloads = repositoryFolder().appending(path: "Tests/VenueProtocolsTests/Payloads/coinbase")
    let name = "advanced-level2-BTC-USD-2026-08-24"
    let messages = try String(
      contentsOf: payloads.appending(path: name + ".jsonl"), encoding: .utf8
    ).split(separator: "\n").map(String.init)
    let answer = "https://api.coinbase.com/api/v3/brokerage/market/products/BTC-USD\t{}"
    let lines = messages.enumerated().map { index, message in
      switch form {
      case 0: message
      case 1: "17956000\(10 + index).25\t\(message)"
      default: "17956000\(10 + index)\t" + (index == 3 ? answer : "ws\t\(message)")
      }
    }
    let file = try TemporaryFile()
    try Data(lines.joined(separator: "\n").utf8).write(to: file.url)
    let run = try await CommandRun.livetape(
      "replay", file.url.path, "--venue", "coinbase", "--json", "--checkpoint-every", "1")
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    let last = try #require(run.objects.last)
    #expect(last["after"] as? Int == messages.count)
    // The fourth line is an acknowledgement with a number: without it a message is missing.
    #expect(last["status"] as? String == (form == 2 ? "resyncing" : "synced"))
    #expect((last["bids"] as? [[String]])?.first?.first == "78856.05")
  }

  @Test func `what was recorded replays to a book that is synced`() async throws {
    try await RunningVenues.with { venues in
      let folder = try TemporaryFolder()
      let file = URL(fileURLWithPath: folder.path + "/bitmex.tsv")
      let replay = ["replay", file.path, "--json", "--symbol", "XBTUSD"]
      let recorded = try await CommandRun.patiently {
        try? FileManager.default.removeItem(at: file)
        return [
          "record", "bitmex:XBTUSD", "--url", venues.addresses.url(of: .bitmex), "--to", file.path,
        ]
      } until: { _ in
        try await CommandRun.run(replay).objects.last?["status"] as? String == "synced"
      }
      #expect(recorded.status == 0, "\(recorded.errors)")
      let again = try await CommandRun.livetape(
        "record", "bitmex:XBTUSD", "--url", venues.addresses.url(of: .bitmex), "--to", file.path)
      #expect(again.status == 1 && again.errors.contains("exists already"))
      let run = try await CommandRun.run(replay)
      #expect(run.objects.last?["status"] as? String == "synced", "\(run.errors)")
      #expect((run.objects.last?["bids"] as? [Any])?.count == 20)
    }
  }

  @Test func `a recording of nothing leaves no file in the way of the next one`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/nothing.tsv"
    let run = try await CommandRun.livetape(
      "record", "bitmex:XBTUSD", "--url", "ws://127.0.0.1:9/", "--to", path, "--seconds", "0.1")
    #expect(run.status == 1 && run.errors.contains("nothing was received"), "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test(arguments: [
    ["watch", "nowhere:XBTUSD"], ["watch", "bitmex"], ["watch", "bitmex:XBTUSD", "--url", "x"],
    ["watch", "bitmex:XBTUSD", "--seconds", "-1"], ["serve", "--port", "70000"],
    ["serve", "--bitmex-url", "http://127.0.0.1/"], ["serve", "--venues", "dreamt"],
    ["serve", "--no-such-flag"], ["replay"], ["replay", "f", "--checkpoint-every", "0"],
    ["replay", "f", "--venue", "isin"], ["replay", "f", "--venue", "nowhere"],
    ["watch", "kraken:BTC/USD", "--url", "http://127.0.0.1:9/"],
    ["record", "bux:sb26493", "--to", "f", "--url", "ws://127.0.0.1:9/"],
    ["simulate", "--seed", "-1"], ["no-such-command"],
  ])
  func `a wrong flag or argument gives usage and status 2`(arguments: [String]) async throws {
    let run = try await CommandRun.run(arguments)
    #expect(run.status == 2, "\(arguments)")
    #expect(run.errors.contains("Usage:") || run.errors.contains("help"), "\(run.errors)")
    #expect(run.output.isEmpty)
  }

  @Test(arguments: [
    (["kraken"], "VENUE=URL"), (["nowhere=ws://127.0.0.1:9"], "there is no venue nowhere"),
    (["kraken=x"], "not a URL: x"), (["kraken=http://h"], "starts with ws:// or wss://"),
    (["exchange=ws://h"], "starts with tcp://"), (["=ws://h"], "there is no venue"),
    (["kraken=ws://h", "--url", "kraken=ws://g"], "kraken has two URLs; give it one"),
    (["kraken=ws://h", "--kraken-url", "ws://h"], "kraken has two URLs; give it one"),
  ])
  func `an unusable venue URL is rejected with the reason in one line`(
    arguments: [String], words: String
  ) async throws {
    let run = try await CommandRun.run(["serve", "--url"] + arguments)
    #expect(run.status == 2 && run.output.isEmpty)
    #expect(run.errors.split(separator: "\n").first?.contains(words) == true, "\(run.errors)")
  }

  @Test func `help names every venue for --url and none of the older flags`() async throws {
    let run = try await CommandRun.run(["serve", "--help"])
    #expect(run.status == 0 && run.output.contains("--url <venue=url>"))
    for venue in Venue.allCases {
      #expect(run.output.contains("\(venue): ") && !run.output.contains("--\(venue)-url"))
    }
  }

  @Test(arguments: [
    ["replay", "/no/such/file"], ["replay", "/"],
    ["watch", "bitmex:XBTUSD", "--url", "ws://127.0.0.1:9/", "--seconds", "1", "--json"],
    ["watch", "exchange:TROAD", "--seconds", "1"],
    ["record", "bitmex:XBTUSD", "--to", "/no/such/folder/file"],
  ])
  func `a failure gives one clear line and status 1`(arguments: [String]) async throws {
    let run = try await CommandRun.run(arguments)
    #expect(run.status == 1, "\(arguments)")
    let lines = run.errors.split(separator: "\n")
    #expect(lines.count == 1 && lines[0].hasPrefix("livetape: "), "\(run.errors)")
  }

  @Test func `an output without room for a line gives one clear line and status 1`() async throws {
    let recording = repositoryFolder().appending(
      path: "Tests/VenueProtocolsTests/Payloads/bitmex/2021-07-22.XBTUSD.server.tsv")
    try await RunningVenues.with { venues in
      let url = venues.addresses.url(of: .kraken)
      for command in [
        ["watch", "kraken:BTC/USD", "--url", url, "--seconds", "30"],
        ["watch", "kraken:BTC/USD", "kraken:ETH/USD", "--url", url, "--seconds", "30"],
        ["history", "kraken:BTC/USD", "--url", url, "--csv"],
        ["replay", recording.path],
      ] {
        let run = try await CommandRun.run(command, writingTo: "/dev/full")
        #expect(run.status == 1, "\(command)")
        #expect(run.errors == "livetape: can't write the output: No space left on device\n")
      }
    }
  }

  @Test func `a port that is taken gives one clear line and status 1`() async throws {
    try await RunningVenues.with { venues in
      let port = String(venues.addresses.port)
      let data = try TemporaryFolder()
      for command in [
        ["serve", "--port", port, "--data", data.path], ["simulate", "--port", port],
      ] {
        let run = try await CommandRun.run(command)
        #expect(run.status == 1)
        #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
        #expect(run.errors.contains("in use"))
      }
    }
  }

  @Test(arguments: [["--help"], ["--version"], ["help", "watch"]])
  func `help that can't be written is a failure in words`(arguments: [String]) async throws {
    let run = try await CommandRun.run(arguments, writingTo: "/dev/full")
    #expect(run.status == 1)
    #expect(run.errors == "livetape: can't write the output: No space left on device\n")
  }

  @Test func `errors that can't be written end no command otherwise than they should`()
    async throws
  {
    let failed = try await CommandRun.run(["watch", "exchange:NOPE"], errorsTo: "/dev/full")
    #expect(failed.status == 1)
    let misused = try await CommandRun.run(["watch"], errorsTo: "/dev/full")
    #expect(misused.status == 2)
  }

  @Test func `what steers a terminal is not repeated in an error`() async throws {
    let run = try await CommandRun.livetape("watch", "kraken:\u{1B}[2J\u{7}\u{9B}\u{202E}")
    #expect(run.status == 2)
    #expect(run.errors.contains("kraken:\u{FFFD}[2J\u{FFFD}\u{FFFD}\u{FFFD}"))
    #expect(run.errors.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 })
  }

  @Test func `a recording reports why its file can't be created, and follows no link`() async throws
  {
    let folder = try TemporaryFolder()
    let nowhere = try await CommandRun.livetape(
      "record", "exchange:TROAD", "--to", folder.path + "/none/file", "--url", "tcp://127.0.0.1:9")
    #expect(nowhere.status == 1 && nowhere.errors.contains("none/file: No such file or directory"))
    let link = folder.path + "/link"
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: folder.path + "/elsewhere")
    let linked = try await CommandRun.livetape(
      "record", "exchange:TROAD", "--to", link, "--url", "tcp://127.0.0.1:9", "--seconds", "0.1")
    #expect(linked.status == 1 && linked.errors.contains("exists already"), "\(linked.errors)")
  }

  @Test func `a recording without a price of its one instrument holds nothing of it`()
    async throws
  {
    let file = try TemporaryFile()
    try file.handle.write(contentsOf: Data("1790000000.5\tno,tick\n".utf8))
    let run = try await CommandRun.livetape(
      "replay", file.url.path, "--venue", "exchange", "--symbol", "TROAD")
    #expect(run.status == 1 && run.errors.contains("holds nothing of TROAD"), "\(run.errors)")
    let other = try await CommandRun.livetape(
      "replay", file.url.path, "--venue", "exchange", "--symbol", "NOPE")
    #expect(other.status == 1 && other.errors.contains("has no NOPE, but TROAD alone"))
  }

  @Test func `a truncated or damaged recording reports the place and uses the rest`() async throws {
    let payload = repositoryFolder().appending(
      path: "Tests/VenueProtocolsTests/Payloads/bitmex/2021-07-22.XBTUSD.server.tsv")
    var bytes = try Data(contentsOf: payload)
    bytes.removeLast(40)
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    try bytes.write(to: file)
    let cut = try await CommandRun.livetape("replay", file.path, "--json")
    #expect(cut.status == 0)
    #expect(cut.errors.contains(":1339:"))
    try Data("not a recording\n".utf8).write(to: file)
    let spoilt = try await CommandRun.livetape("replay", file.path)
    #expect(spoilt.status == 1 && spoilt.errors.contains(":1:"))
  }
}

private func decimal(_ text: String) -> FixedDecimal? { FixedDecimal(text) }

private func descending(_ prices: [String]) throws -> Bool {
  let values = try prices.map { try #require(FixedDecimal($0)) }
  return zip(values, values.dropFirst()).allSatisfy { $0 > $1 }
}

/// Rows as texts, whether their sizes are numbers or strings.
private func rows(_ value: Any?) -> [[String]] {
  (value as? [[Any]] ?? []).map { row in row.map { "\($0)" } }
}

/// A ledger of bought orders that cite a recording's last level and last trade: rightly, with
/// another quantity, at a moment without such a level, and after the recording.
private struct PaperFills {
  private let folder: TemporaryFolder
  private let stock: TradingRules
  private let market: TradingRules
  private var events: [OrderEvent] = []

  init(_ folder: TemporaryFolder, ask: [String], trade: NSDictionary, at end: Double) throws {
    self.folder = folder
    stock = TradingRules(oneStock: try #require(Symbol("TROAD")))
    let symbol = try #require(Symbol("kraken:BTC/USD"))
    let (tenths, scale) = (Scale(clamping: 1), Scale(clamping: 8))
    func number(_ text: Any?) throws -> FixedDecimal {
      try #require((text as? String).flatMap(decimal))
    }
    func price(_ text: Any?) throws -> Price {
      Price(units: try #require(try number(text).exactly(at: tenths)?.units))
    }
    let size = try #require(try number(ask[1]).exactly(at: scale)?.units)
    let row = BookRow(price: try price(ask[0]), size: Quantity(units: size), accumulated: .zero)
    let book = BookView(
      symbol: symbol, status: .synced, freshness: .waiting(.venue), bids: [], asks: [row],
      bidLevels: 0, askLevels: 1, priceScale: tenths, quantityScale: scale,
      priceDecimals: tenths, sequence: 1, resyncs: 0, tick: Price(units: 1))
    market = try #require(TradingRules(market: symbol, currency: "USD", book: book))
    let offered = market.lots(try number(ask[1]))
    let (traded, printed) = (market.lots(try number(trade["size"])), try price(trade["price"]))
    let identifier = try #require((trade["id"] as? String).flatMap(Int64.init))
    let now = Timestamp(milliseconds: Int64(end * 1000))
    add(.listed(market), at: now)
    func proof(_ quantity: Quantity) -> TradeProof {
      TradeProof(number: identifier, price: printed, quantity: quantity, ahead: .zero)
    }
    for (cited, offered, seconds) in [
      (nil, offered, 0), (proof(traded), .zero, 0),
      (proof(Quantity(units: traded.units + 1)), .zero, 0),
      (nil, offered, 0), (nil, Quantity(units: offered.units + 1), 30), (nil, offered, 3600),
    ] as [(TradeProof?, Quantity, Int64)] {
      // One rested: it paid its limit for a better level.
      let isMaker = events.count == 7
      let paid = cited?.price ?? Price(units: row.price.units + (isMaker ? 3 : 0))
      let order = OrderIdentifier(number: UInt64(events.count / 2 + 1))
      let request = OrderRequest(
        clientIdentifier: try #require(ClientOrderIdentifier("order-\(order)")), symbol: symbol,
        side: .buy, kind: .limit(paid), quantity: Quantity(units: 100))
      let time = Timestamp(milliseconds: now.milliseconds + seconds * 1000)
      add(.accepted(Placement(identifier: order, request: request, arrival: nil)), at: time)
      add(
        .filled(
          order,
          OrderFill(
            quantity: request.quantity, price: paid, offered: offered, tickNumber: 1, venueTime: 0,
            fee: FillFee(isMaker: isMaker, amount: 1), proof: cited)), at: time)
    }
  }

  private mutating func add(_ change: OrderEvent.Change, at time: Timestamp) {
    events.append(OrderEvent(sequence: UInt64(events.count + 1), time: time, change: change))
  }

  func write() throws {
    let path = folder.path + "/" + OrderLedger.fileName
    let opened = try OrderLedger.open(at: path, rules: stock, now: Timestamp(milliseconds: 0))
    try opened.ledger.append(events)
    try opened.ledger.close()
  }
}
