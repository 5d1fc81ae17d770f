import Digest
import Foundation
import GRDB
import MarketModel
@testable import OrderLedger
import PaperTrading
import Testing

@Suite struct `Listing and exporting` {
  @Test func `there is nothing to read where no ledger is`() throws {
    let folder = try LedgerFolder()
    #expect(throws: LedgerError.notFound(path: folder.path)) {
      try LedgerReader(path: folder.path)
    }
  }

  @Test func `an empty file and another program's database are no ledgers`() throws {
    let empty = try LedgerFolder()
    try Data().write(to: URL(fileURLWithPath: empty.path))
    #expect(throws: LedgerError.notALedger(path: empty.path)) {
      try LedgerReader(path: empty.path)
    }
    let foreign = try LedgerFolder()
    let database = try DatabaseQueue(path: foreign.path)
    try database.write { try $0.execute(sql: "CREATE TABLE song (title TEXT)") }
    try database.close()
    let before = try Data(contentsOf: URL(fileURLWithPath: foreign.path))
    #expect(throws: LedgerError.notALedger(path: foreign.path)) {
      try LedgerReader(path: foreign.path)
    }
    for policy in [OrderLedger.DamagePolicy.refuse, .setAside] {
      #expect(throws: LedgerError.notALedger(path: foreign.path)) { try foreign.open(policy) }
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: foreign.path)) == before, "left as it is")
  }

  @Test func `orders are listed newest first, and by status`() throws {
    let folder = try LedgerFolder()
    let history = try folder.fill(200)
    let reader = try LedgerReader(path: folder.path)
    #expect(reader.orders().map(\.identifier) == history.orders.reversed().map(\.identifier))
    let cancelled = reader.orders(.cancelled)
    #expect(!cancelled.isEmpty && cancelled.allSatisfy { $0.life.status == .cancelled })
  }

  @Test func `an exported ledger is verified by its lines alone`() throws {
    let folder = try LedgerFolder()
    try folder.fill(200)
    let reader = try LedgerReader(path: folder.path)
    var lines: [String] = []
    try reader.export(.json) { lines.append($0) }
    #expect(lines.count == Int(reader.verification.eventCount) + 1)
    var previous: [UInt8] = []
    for (index, line) in lines.enumerated() {
      let start = "{\"sequence\":\(index),\"hash\":\""
      #expect(line.hasPrefix(start))
      let hash = line.dropFirst(start.count).prefix(64)
      let payload = line.dropFirst(start.count + 64 + "\",\"event\":".count).dropLast(2)
      let expected = SHA256Digest.hash(Array(previous) + Array(payload.utf8))
      #expect(ChainHash(String(hash))?.bytes == expected, "line \(index)")
      #expect(try JSONSerialization.jsonObject(with: Data(payload.utf8)) is [String: Any])
      previous = expected
    }
    #expect(ChainHash(bytes: previous) == reader.verification.headHash)
  }

  @Test func `the same events are exported as CSV`() throws {
    let folder = try LedgerFolder()
    try folder.fill(20)
    let reader = try LedgerReader(path: folder.path)
    var lines: [String] = []
    try reader.export(.csv) { lines.append($0) }
    #expect(lines.first == "sequence,hash,event\n")
    #expect(lines.count == Int(reader.verification.eventCount) + 2)
    let genesis = Genesis(folder.rules).payload.split(
      separator: "\"", omittingEmptySubsequences: false
    )
    .joined(separator: "\"\"")
    #expect(lines.dropFirst().first?.hasSuffix(",\"\(genesis)\"\n") == true)
  }

  @Test func `the order table has exact decimals, in CSV and in JSON`() throws {
    let folder = try LedgerFolder()
    var trader = PaperTrader(rules: folder.rules)
    let now = ClockReading(milliseconds: 1_790_000_000_000)
    let offer = PriceLevel(price: Price(units: 45_100_000), quantity: Quantity(units: 60))
    _ = trader.handle(
      .feed(
        .tick(TopOfBook(number: 1, venueTime: 1, bid: nil, ask: offer)), of: folder.rules.symbol),
      at: now)
    for (name, kind) in [("a", OrderType.limit(Price(units: 45_500_000))), ("b", .market)] {
      let request = OrderRequest(
        clientIdentifier: try #require(ClientOrderIdentifier(name)), symbol: folder.rules.symbol,
        side: .buy, kind: kind, quantity: Quantity(units: 50))
      _ = trader.handle(.place(request), at: now)
    }
    let expiry = Timestamp(milliseconds: 1_790_000_060_000)
    let requests = [
      OrderRequest(
        clientIdentifier: try #require(ClientOrderIdentifier("c")), symbol: folder.rules.symbol,
        side: .sell, kind: .market, quantity: Quantity(units: 10),
        trigger: Trigger(.stop, at: Price(units: 40_000_000), trail: .basisPoints(250)),
        link: OrderLink(.oco, to: OrderIdentifier(number: 1)),
        terms: OrderTerms(isReduceOnly: true, expiry: expiry)),
      OrderRequest(
        clientIdentifier: try #require(ClientOrderIdentifier("d")), symbol: folder.rules.symbol,
        side: .buy, kind: .limit(Price(units: 40_000_000)), quantity: Quantity(units: 10),
        terms: OrderTerms(isPostOnly: true)),
    ]
    for request in requests { _ = trader.handle(.place(request), at: now) }
    let table = OrderTable(Genesis(folder.rules), of: trader.history)
    let orders = Array(trader.history.orders)
    let time = "2026-09-21T14:13:20.000Z"
    #expect(
      table.text(orders, as: .csv) == """
        order,client_id,symbol,side,type,quantity,filled,average,limit,status,placed,changed,\
        time_in_force,protection,possible,trigger,trigger_price,triggered,trail,linked_to,\
        post_only,reduce_only,expires
        1,a,AAPL,buy,limit,50,50,45.1,45.5,FILLED,\(time),\(time),GTC,,50,,,,,,,,
        2,b,AAPL,buy,market,50,10,45.1,,CANCELLED,\(time),\(time),IOC,,10,,,,,,,,
        3,c,AAPL,sell,market,10,0,,,REJECTED,\(time),\(time),IOC,,0,stop,40,,2.5%,1,,yes,\(expiry)
        4,d,AAPL,buy,limit,10,0,,40,PENDING,\(time),\(time),GTC,,0,,,,,,yes,,

        """)
    let json = table.text(orders, as: .json)
    #expect(
      json.contains(#"{"order":2,"client_id":"b","symbol":"AAPL","side":"buy","type":"market""#))
    let list = try #require(
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
    #expect(list.count == 4 && list[1]["limit"] == nil && list[0]["average"] as? String == "45.1")
    #expect(table.text([], as: .json) == "[]\n")
  }
}
