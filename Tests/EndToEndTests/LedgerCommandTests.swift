// The contract of `livetape ledger` with scripts.

import Foundation
import MarketModel
import OrderLedger
import PaperTrading
import Testing

@Suite(.serialized, .timeLimit(.minutes(10))) struct LedgerCommandTests {
  /// A folder with two orders: a partly filled market order and a resting limit order.
  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let rules = TradingRules(oneStock: try #require(Symbol("TROAD")))
    let path = folder.path + "/" + OrderLedger.fileName
    let opened = try OrderLedger.open(at: path, rules: rules, now: Timestamp(milliseconds: 0))
    var trader = PaperTrader(rules: rules, history: opened.history)
    let offer = PriceLevel(price: Price(units: 45_100_000), quantity: Quantity(units: 60))
    let now = ClockReading(milliseconds: 1_790_000_000_000)
    let inputs: [TradingInput] = [
      .feed(.tick(TopOfBook(number: 1, venueTime: 1, bid: nil, ask: offer)), of: rules.symbol),
      .place(try request("a", .market, rules)),
      .place(try request("b", .limit(Price(units: 44_500_000)), rules)),
    ]
    try opened.ledger.append(inputs.flatMap { trader.handle($0, at: now).events })
    try opened.ledger.close()
    return folder
  }

  private func request(
    _ name: String, _ kind: OrderType, _ rules: TradingRules
  ) throws -> OrderRequest {
    OrderRequest(
      clientIdentifier: try #require(ClientOrderIdentifier(name)), symbol: rules.symbol,
      side: .buy, kind: kind, quantity: Quantity(units: 100))
  }

  @Test func `list prints the newest first as text, CSV and JSON`() async throws {
    let folder = try folder()
    let text = try await CommandRun.livetape("ledger", "list", "--data", folder.path)
    #expect(text.status == 0, "\(text.errors)")
    let lines = text.output.split(separator: "\n")
    #expect(lines.count == 3 && lines[0].hasPrefix("order"))
    #expect(lines[1].hasSuffix("PENDING") && lines[2].contains("45.1"))
    let csv = try await CommandRun.livetape("ledger", "list", "--csv", "--data", folder.path)
    #expect(
      csv.status == 0 && csv.output.contains("\n1,a,TROAD,buy,market,100,60,45.1,,CANCELLED,"))
    let json = try await CommandRun.livetape("ledger", "list", "--json", "--data", folder.path)
    let orders = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [NSDictionary]
    #expect(orders?.map { $0["order"] as? Int } == [2, 1])
  }

  @Test func `verify reports an intact ledger and names damage with status 1`() async throws {
    let folder = try folder()
    let whole = try await CommandRun.livetape("ledger", "verify", "--json", "--data", folder.path)
    #expect(whole.status == 0 && whole.errors.isEmpty)
    let report = try #require(whole.objects.first)
    #expect(report["intact"] as? Bool == true && report["events"] as? Int == 4)
    #expect(report["orders"] as? Int == 2 && report["anchored"] as? Bool == true)
    let file = URL(fileURLWithPath: folder.path + "/" + OrderLedger.fileName)
    var bytes = try Data(contentsOf: file)
    let found = try #require(bytes.range(of: Data("\"quantity\":60".utf8)))
    bytes.replaceSubrange(found, with: Data("\"quantity\":61".utf8))
    try bytes.write(to: file)
    let damaged = try await CommandRun.livetape("ledger", "verify", "--data", folder.path)
    #expect(damaged.status == 1)
    #expect(damaged.output.hasPrefix("DAMAGED: "))
    #expect(damaged.errors.split(separator: "\n").count == 1)
    #expect(damaged.errors.contains("event 2: its hash does not follow"), "\(damaged.errors)")
    let listed = try await CommandRun.livetape("ledger", "list", "--csv", "--data", folder.path)
    #expect(listed.status == 1 && listed.output.contains("1,a,"), "what is whole is printed")
  }

  @Test func `verify of an empty file reports that it is no ledger, with status 1`() async throws {
    let folder = try TemporaryFolder()
    try Data().write(to: URL(fileURLWithPath: folder.path + "/" + OrderLedger.fileName))
    for command in ["verify", "list", "export"] {
      let run = try await CommandRun.livetape("ledger", command, "--data", folder.path)
      #expect(run.status == 1 && run.output.isEmpty)
      #expect(run.errors.hasSuffix("is not a ledger\n"), "\(run.errors)")
    }
  }

  @Test func `export gives every event with a hash that any tool can follow`() async throws {
    let folder = try folder()
    let json = try await CommandRun.livetape("ledger", "export", "--data", folder.path)
    #expect(json.status == 0 && json.objects.count == 5)
    #expect(json.objects.map { $0["sequence"] as? Int } == [0, 1, 2, 3, 4])
    let verified = try await CommandRun.livetape(
      "ledger", "verify", "--json", "--data", folder.path)
    #expect(json.objects.last?["hash"] as? String == verified.objects.first?["head"] as? String)
    let csv = try await CommandRun.livetape("ledger", "export", "--csv", "--data", folder.path)
    #expect(csv.output.hasPrefix("sequence,hash,event\n0,"))
    #expect(csv.output.split(separator: "\n").count == 6)
  }

  @Test(arguments: ["list", "verify", "export"])
  func `a folder without a ledger gives one clear line and status 1`(command: String) async throws {
    let folder = try TemporaryFolder()
    let run = try await CommandRun.livetape("ledger", command, "--data", folder.path)
    #expect(run.status == 1 && run.output.isEmpty)
    let lines = run.errors.split(separator: "\n")
    #expect(lines.count == 1 && lines[0].hasSuffix("orders.sqlite: not found"), "\(run.errors)")
  }

  @Test(arguments: [
    ["ledger", "list", "--csv", "--json"], ["ledger", "verify", "extra"], ["ledger", "burn"],
    ["ledger", "list", "--data"], ["ledger", "list", "--data", ""],
  ])
  func `a wrong flag gives usage and status 2`(arguments: [String]) async throws {
    let run = try await CommandRun.run(arguments)
    #expect(run.status == 2, "\(arguments)")
    #expect(run.output.isEmpty && run.errors.contains("Usage:"), "\(run.errors)")
  }
}
