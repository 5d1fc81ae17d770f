// `livetape watch` of several instruments, of a list, and its report of data origins.

import Foundation
import MarketModel
import NIOCore
import SimulatorServer
import SocketTransport
import TestSupport
import Testing
import VenueCatalogue

@testable import FeedConnections
@testable import LivetapeServer

@Suite(.serialized, .timeLimit(.minutes(10))) struct WatchTableTests {
  private func list(_ members: [String], in folder: TemporaryFolder) throws {
    let names = members.map { "\"\($0)\"" }.joined(separator: ",")
    let json = """
      {"version":1,"next":2,"lists":[{"id":"stars","name":"Stars","members":[\(names)]},\
      {"id":"list-1","name":"Nothing","members":[]}]}
      """
    try Data(json.utf8).write(to: URL(fileURLWithPath: folder.path + "/lists.json"))
  }

  private func latest(_ run: CommandRun) -> [String: NSDictionary] {
    Dictionary(
      run.objects.compactMap { object in
        (object["symbol"] as? String).map { ($0, object) }
      }, uniquingKeysWith: { $1 })
  }

  private func urls(_ venues: [Venue], at addresses: SimulatedVenueAddresses) -> [String] {
    venues.flatMap { ["--url", "\($0)=\(addresses.url(of: $0))"] }
  }

  @Test func `LT13 watch follows several instruments of several venues, an object each`()
    async throws
  {
    try await RunningVenues.with { venues in
      let run = try await CommandRun.patiently {
        ["watch", "kraken:BTC/USD", "exchange:TROAD", "kraken:ETH/USD", "--json"]
          + urls([.kraken, .exchange], at: venues.addresses)
      } until: { run in
        latest(run).values.count { $0["last"] as? String != nil } == 3
      }
      #expect(run.status == 0, "\(run.errors)")
      let symbols = run.objects.suffix(3).map { $0["symbol"] as? String }
      #expect(symbols == ["BTC/USD", "TROAD", "ETH/USD"], "in the order of the arguments")
      let bitcoin = try #require(latest(run)["BTC/USD"])
      #expect(bitcoin["window"] as? String == "24h" && bitcoin["changePercent"] is String)
      #expect(bitcoin["high"] is String && bitcoin["volume"] is String)
      let stock = try #require(latest(run)["TROAD"])
      #expect(stock["last"] is String)
      for unknown in ["change", "changePercent", "window", "high", "volume"] {
        #expect(stock[unknown] is NSNull, "nothing is told of the stock's day: \(unknown)")
      }
      #expect(run.objects.allSatisfy { $0["origin"] as? String != "venue" })
    }
  }

  /// Decimals of a number's text; nil for anything else.
  private func decimals(_ value: Any?) -> Int? {
    (value as? String).map { text in
      text.firstIndex(of: ".").map { text.distance(from: $0, to: text.endIndex) - 1 } ?? 0
    }
  }

  @Test(arguments: [
    ("kraken", "BTC/USD", 1...1), ("bitmex", "XBTUSD", 1...1), ("exchange", "TROAD", 2...2),
    ("echo", "AAPL", 2...2), ("isin", "US0378331005", 2...15),  // which sends up to 15
  ])
  func `watch prints prices with the market's own decimals, zeros at the end too`(
    name: String, symbol: String, expected: ClosedRange<Int>
  ) async throws {
    let venue = try #require(Venue(rawValue: name))
    try await RunningVenues.with { venues in
      let instrument = ["watch", "\(name):\(symbol)"] + urls([venue], at: venues.addresses)
      let run = try await CommandRun.patiently {
        instrument + ["--every", "100", "--json"]
      } until: { run in
        run.objects.last?["price"] is String
          && (!venue.descriptor.books.isEmpty
            ? ((run.objects.last?["trades"] as? [Any])?.count ?? 0) > 20 : true)
      }
      var seen = 0
      // A book may have needed fewer before BitMEX has sent the tick size.
      for object in venue == .bitmex ? run.objects.suffix(1) : run.objects[...] {
        var prices: [Any?] = [object["price"]]
        prices += ((object["bids"] as? [[String]] ?? []) + (object["asks"] as? [[String]] ?? []))
          .map(\.first)
        prices += (object["trades"] as? [NSDictionary] ?? []).map { $0["price"] }
        for price in prices where price is String {
          #expect(decimals(price).map(expected.contains) == true, "\(price ?? "")")
          seen += 1
        }
      }
      #expect(seen > 0, "\(run)")
      let text = try await CommandRun.patiently {
        instrument + ["--every", "500"]
      } until: {
        $0.output.contains(".")
      }
      let head = try #require(text.output.split(separator: "\n").last { $0.hasPrefix(symbol) })
      let number = try #require(head.split(separator: " ").last { Double($0) != nil })
      #expect(decimals(String(number)).map(expected.contains) == true, "\(head)")
      let table = try await CommandRun.patiently {
        instrument + ["kraken:ETH/USD", "--json"]
          + (venue == .kraken ? [] : urls([.kraken], at: venues.addresses))
      } until: {
        latest($0)[symbol]?["last"] is String
      }
      let last = decimals(latest(table)[symbol]?["last"])
      #expect(last.map(expected.contains) == true, "\(table)")
    }
  }

  @Test func `LT13 watch follows a list, also where one of its venues can't be reached`()
    async throws
  {
    let folder = try TemporaryFolder()
    try list(["kraken/ETH/USD", "bitmex/XBTUSD", "kraken/BTC/USD"], in: folder)
    try await RunningVenues.with { venues in
      let run = try await CommandRun.patiently {
        ["watch", "--list", "stars", "--data", folder.path, "--json"]
          + urls([.kraken], at: venues.addresses)
      } until: { run in
        latest(run).values.count { $0["last"] as? String != nil } == 2
      }
      #expect(run.status == 0, "\(run.errors)")
      let symbols = run.objects.suffix(3).map { $0["symbol"] as? String }
      #expect(symbols == ["ETH/USD", "XBTUSD", "BTC/USD"])
      let closed = try #require(latest(run)["XBTUSD"])
      #expect(closed["last"] is NSNull && closed["freshness"] as? String == "disconnected")
    }
  }

  @Test func `LT13 a list that can't be followed gives one clear line`() async throws {
    let folder = try TemporaryFolder()
    let none = try await CommandRun.livetape("watch", "--list", "Stars", "--data", folder.path)
    #expect(none.status == 1 && none.errors.contains("there are no lists in"))
    try list(["bitmex/XBTUSD"], in: folder)
    for (name, words) in [
      ("Moons", "there is no list Moons, only Stars, Nothing"),
      ("nothing", "the list Nothing is empty"), ("Stars", "closed on 23 September 2026"),
    ] {
      let run = try await CommandRun.livetape("watch", "--list", name, "--data", folder.path)
      #expect(run.status == 1 && run.errors.contains(words), "\(name): \(run.errors)")
      #expect(run.errors.split(separator: "\n").count == 1)
    }
    try Data("{\"version\":1".utf8).write(to: URL(fileURLWithPath: folder.path + "/lists.json"))
    let damaged = try await CommandRun.livetape("watch", "--list", "Stars", "--data", folder.path)
    #expect(damaged.status == 1 && damaged.errors.contains("no lists that can be read"))
  }

  @Test(arguments: [
    ["watch"], ["watch", "kraken:BTC/USD", "--data", "/tmp"],
    ["watch", "kraken:BTC/USD", "bux:sb26493", "--url", "ws://127.0.0.1:9/"],
    ["watch", "kraken:BTC/USD", "--url", "bux=http://127.0.0.1:9/"],
    ["watch", "kraken:BTC/USD", "--url", "ws://127.0.0.1:9/", "--url", "kraken=ws://h"],
    ["watch", "kraken:BTC/USD", "--url", "nowhere=ws://127.0.0.1:9/"],
  ])
  func `LT13 watch refuses what does not fit together`(arguments: [String]) async throws {
    let run = try await CommandRun.run(arguments)
    #expect(run.status == 2 && run.output.isEmpty, "\(arguments)")
  }

  @Test func `LT13 the table is plain lines without a terminal`() async throws {
    try await RunningVenues.with { venues in
      let run = try await CommandRun.patiently {
        ["watch", "kraken:BTC/USD", "kraken:ETH/USD"] + urls([.kraken], at: venues.addresses)
      } until: {
        $0.output.contains(" % 24 h")
      }
      #expect(run.status == 0 && !run.output.contains("\u{1B}"))
      let lines = run.output.split(separator: "\n")
      #expect(lines.count % 2 == 0 && lines.last?.hasPrefix("kraken:ETH/USD") == true)
      #expect(lines.last?.contains("simulated") == true, "\(lines.last ?? "")")
    }
  }

  @Test func `an address of a declared simulator is simulated, not custom`() async throws {
    try await RunningVenues.with { venues in
      let endpoint = try Endpoint("http://127.0.0.1:\(venues.addresses.port)/kraken/none")
      let answer = try await HTTPClient.get(
        endpoint, options: .patient(), on: venues.group.next()
      ).get()
      #expect(SimulationHeader.isIn(answer.headers), "\(answer.headers)")
      let run = try await CommandRun.patiently {
        ["watch", "kraken:BTC/USD", "--url", venues.addresses.url(of: .kraken)]
      } until: {
        $0.output.contains("BTC/USD live simulated")
      }
      #expect(run.output.contains("BTC/USD live simulated"), "\(run.output.prefix(400))")
      #expect(!run.output.contains("live custom address"))
    }
  }

  @Test(
    arguments: [
      ([("Livetape-Simulated", "1")], true), ([("livetape-simulated", "1")], true),
      ([("Livetape-Simulated", "0")], false), ([("Livetape-Simulated", "")], false),
      ([("Livetape", "1")], false), ([], false),
    ] as [([(String, String)], Bool)])
  func `only the one header with the one value declares a simulator`(
    headers: [(String, String)], expected: Bool
  ) {
    #expect(SimulationHeader.isIn(headers.map { (name: $0.0, value: $0.1) }) == expected)
  }

  @Test(arguments: [
    (["bitmex:NOPE"], "bitmex:NOPE: BitMEX has no such instrument"),
    (["kraken:NOPE/USD"], "kraken:NOPE/USD: Kraken has no such instrument"),
    (["kraken:BTC/USD", "bitmex:NOPE"], "bitmex:NOPE: BitMEX has no such instrument"),
    (["exchange:NOPE"], "Two Roads Exchange has no NOPE, but TROAD alone"),
    (["kraken:BTC/USD", "exchange:NOPE"], "Two Roads Exchange has no NOPE, but TROAD alone"),
    (["echo:NOPE"], "Price Tracker Echo has no NOPE, only "),
  ])
  func `an instrument that its venue does not have is never live, and shown as unknown at once`(
    names: [String], words: String
  ) async throws {
    try await RunningVenues.with { venues in
      let watched = Set(names.compactMap { Venue(rawValue: String($0.prefix { $0 != ":" })) })
      let run = try await CommandRun.run(
        ["watch", "--every", "10"] + names + urls(watched.sorted(), at: venues.addresses))
      #expect(run.status == 1 && run.errors.contains("livetape: \(words)"), "\(run.errors)")
      #expect(!run.output.contains("NOPE live") && !run.output.contains("NOPE/USD live"))
    }
  }

  @Test func `a list continues with an unknown instrument, and marks it in its line`() async throws
  {
    let folder = try TemporaryFolder()
    try list(["kraken/ETH/USD", "kraken/NOPE/USD"], in: folder)
    try await RunningVenues.with { venues in
      let run = try await CommandRun.patiently {
        ["watch", "--list", "stars", "--data", folder.path, "--json"]
          + urls([.kraken], at: venues.addresses)
      } until: { run in
        latest(run)["ETH/USD"]?["last"] is String
      }
      #expect(run.status == 0, "\(run.errors)")
      #expect(latest(run)["ETH/USD"]?["listed"] as? Bool == true)
      #expect(latest(run)["NOPE/USD"]?["listed"] as? Bool == false)
    }
  }

  @Test func `a recording of what its venue does not have ends at once and leaves no file`()
    async throws
  {
    let folder = try TemporaryFolder()
    try await RunningVenues.with { venues in
      for (name, words) in [
        ("bitmex:NOPE", "BitMEX has no such instrument"),
        ("exchange:NOPE", "Two Roads Exchange has no NOPE, but TROAD alone"),
      ] {
        let venue = try #require(Venue(rawValue: String(name.prefix { $0 != ":" })))
        let file = folder.path + "/nothing.tsv"
        let run = try await CommandRun.livetape(
          "record", name, "--to", file, "--url", "\(venues.addresses.url(of: venue))")
        #expect(run.status == 1 && run.errors.contains(words), "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: file))
      }
    }
  }
}
