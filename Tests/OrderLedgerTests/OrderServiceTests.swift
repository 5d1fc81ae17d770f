// The service acknowledges nothing before it is stored, and loses nothing that it acknowledged.

import Foundation
import MarketModel
import PaperTrading
import TestSupport
import Testing

import OrderLedger
@testable import OrderService

@Suite struct OrderServiceTests {
  @Test func `a market order takes what is offered and its answer is on disk when it comes`()
    async throws
  {
    let folder = try LedgerFolder()
    let run = ServiceRun(path: folder.path)
    try run.tick(1, ask: "101.50", 60)
    let answer = try await run.place(.buy, "100", named: "a")
    #expect(answer == .placed(OrderIdentifier(number: 1), isRepeated: false))
    let stored = try LedgerReader(path: folder.path)
    #expect(stored.verification.isIntact && stored.verification.eventCount == 3)
    await run.settle()
    #expect(
      run.notices.map(\.text) == [
        "Bought 60 of 100 AAPL at 101.50; 40 cancelled: only 60 offered."
      ])
    #expect(run.notices.map(\.isWarning) == [true])
    #expect(run.lines == ["CANCELLED 60/100"])
    #expect(run.overview?.counts == [.cancelled: 1])
    #expect(run.overview?.storage?.eventCount == 3)
    #expect(run.overview?.storage?.head == stored.verification.headHash?.description)
  }

  @Test func `what gathers while the disk is busy is one commit and no answer comes before it`()
    async throws
  {
    let store = ScriptedStore()
    let run = ServiceRun(opening: store.opener)
    try run.tick(1, ask: "45.10", 1000)
    await run.settle()
    store.isHeld.with { $0 = true }
    let answers = Locked<[OrderResponse]>([])
    for number in 0...10 {
      run.service.submit(.place(try run.ticket(.buy, "5", at: "45.10", named: "o\(number)"))) {
        answer in
        answers.with { $0.append(answer) }
      }
      // The first order keeps the disk busy; the ten others arrive meanwhile.
      if number == 0 { await Self.wait(for: store.reached) }
    }
    #expect(answers.with { $0.isEmpty })
    #expect(run.overview?.total == 0)
    store.isHeld.with { $0 = false }
    store.release.signal()
    await run.settle()
    #expect(store.state.with { $0.commits } == [2, 20])
    #expect(
      answers.with { $0 }
        == (1...11).map { .placed(OrderIdentifier(number: $0), isRepeated: false) })
  }

  @Test func `while the disk fails orders are refused with the reason and taken again after it`()
    async throws
  {
    let store = ScriptedStore()
    let run = ServiceRun(opening: store.opener)
    try run.tick(1, ask: "45.10", 30)
    let waiting = try await run.place(.buy, "10", at: "45.00", named: "waiting")
    #expect(waiting == .placed(OrderIdentifier(number: 1), isRepeated: false))
    let full = LedgerError.diskFull(path: "/x")
    store.state.with { $0.failure = full }
    let refused = try await run.place(.buy, "10", named: "a")
    #expect(refused == .refused(.init(full.userMessage)))
    try run.tick(2, bid: "44.90", ask: "45.00", 30)
    await run.settle()
    #expect(run.overview?.failure == full.userMessage)
    #expect(run.lines == ["PENDING 0/10"], "a fill that is not stored is none")
    let cancel = await run.service.response(to: .cancel(OrderIdentifier(number: 1)))
    #expect(cancel == .refused(.init(full.userMessage)))
    store.state.with { $0.failure = nil }
    run.pass(1000)
    try run.tick(3, bid: "44.90", ask: "45.00", 30)
    await run.settle()
    #expect(run.overview?.failure == nil)
    #expect(run.lines == ["FILLED 10/10"])
    let again = try await run.place(.buy, "10", named: "a")
    #expect(again == .placed(OrderIdentifier(number: 2), isRepeated: false))
  }

  @Test func `a ledger that can't be opened is tried again at most once a second`() async throws {
    let store = ScriptedStore()
    store.state.with { $0.failure = .inUse(path: "/x") }
    let run = ServiceRun(opening: store.opener)
    for number in 1...20 {
      try run.tick(UInt64(number), ask: "45.10", 30)
      await run.settle()
    }
    #expect(store.state.with { $0.openings } == 1)
    run.pass(1000)
    try run.tick(21, ask: "45.10", 30)
    await run.settle()
    #expect(store.state.with { $0.openings } == 2)
    #expect(run.overview?.failure == LedgerError.inUse(path: "/x").userMessage)
  }

  @Test func `a limit below the market waits over a restart and fills when the offer comes`()
    async throws
  {
    let folder = try LedgerFolder()
    let first = ServiceRun(path: folder.path)
    try first.tick(1, ask: "45.10", 30)
    _ = try await first.place(.buy, "10", at: "44.50", named: "patient")
    await first.service.close()
    let second = ServiceRun(path: folder.path)
    await second.settle()
    #expect(second.lines == ["PENDING 0/10"])
    try second.tick(1, bid: "44.40", ask: "44.45", 4)
    await second.settle()
    #expect(second.lines == ["PARTIALLY FILLED 4/10"])
    try second.tick(2, bid: "44.40", ask: "44.50", 40)
    await second.settle()
    #expect(second.lines == ["FILLED 10/10"])
    #expect(
      second.notices.last?.text
        == "Bought 6 of 10 AAPL at 44.50; the order is filled.")
  }

  @Test func `one name is one order also after a restart and when the market has moved`()
    async throws
  {
    let folder = try LedgerFolder()
    let one = OrderIdentifier(number: 1)
    let first = ServiceRun(path: folder.path)
    try first.tick(1, ask: "45.10", 30)
    _ = try await first.place(.buy, "10", at: "44.50", named: "a")
    let again = try await first.place(.buy, "10", at: "44.50", named: "a")
    #expect(again == .placed(one, isRepeated: true))
    await first.service.close()
    let second = ServiceRun(path: folder.path)
    try second.tick(1, bid: "0.02", ask: "0.03", 30)
    let afterwards = try await second.place(.buy, "10", at: "44.50", named: "a")
    #expect(afterwards == .placed(one, isRepeated: true))
    for (quantity, price) in [("11", "44.50"), ("x", "44.50"), ("10", "44.51")] {
      let other = try await second.place(.buy, quantity, at: price, named: "a")
      #expect(other == .refused(.otherOrder(one)))
    }
    await second.settle()
    #expect(second.overview?.total == 1)
  }

  @Test func `a slip in a field is answered and not noted, a market that is down is noted`()
    async throws
  {
    let folder = try LedgerFolder()
    let run = ServiceRun(path: folder.path)
    let slip = try await run.place(.buy, "1,5", named: "a")
    guard case .refused(let refusal) = slip else {
      Issue.record("\(slip)")
      return
    }
    #expect(refusal.field == .quantity && refusal.order == nil)
    let down = try await run.place(.buy, "10", named: "b")
    guard case .refused(let noted) = down else {
      Issue.record("\(down)")
      return
    }
    #expect(noted.order == OrderIdentifier(number: 1) && noted.field == nil)
    let repeated = try await run.place(.buy, "10", named: "b")
    #expect(repeated == down, "a retry gets the same verdict")
    await run.settle()
    #expect(run.lines == ["REJECTED 0/10"])
  }

  @Test func `a preview returns what would be filled and places nothing`() async throws {
    let run = ServiceRun(opening: ScriptedStore().opener)
    let ticket = try run.ticket(.buy, "100", at: "45.10", named: "p")
    let early = await run.service.response(to: .preview(ticket))
    #expect(
      early == .refused(.init("No live prices: none has arrived yet.")))
    try run.tick(7, ask: "45.05", 36)
    let answer = await run.service.response(to: .preview(ticket))
    guard case .preview(let figures) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(figures.fill?.quantity.units == 36 && figures.leavesQuantity.units == 64)
    #expect(figures.remainderRests && figures.tickNumber == 7)
    await run.settle()
    #expect(run.overview?.total == 0)
  }

  @Test func `a preview is of the moment of its request, whatever has queued behind it`()
    async throws
  {
    let store = ScriptedStore()
    let run = ServiceRun(opening: store.opener)
    try run.tick(1, ask: "45.10", 60)
    store.isHeld.with { $0 = true }
    let answers = Locked<[OrderResponse]>([])
    let keep: @Sendable (OrderResponse) -> Void = { answer in answers.with { $0.append(answer) } }
    run.service.submit(.place(try run.ticket(.buy, "10", named: "first")), reply: keep)
    await Self.wait(for: store.reached)
    run.service.submit(.preview(try run.ticket(.buy, "100", named: "p")), reply: keep)
    run.service.submit(.place(try run.ticket(.buy, "50", named: "second")), reply: keep)
    store.isHeld.with { $0 = false }
    store.release.signal()
    await run.settle()
    guard case .preview(let figures)? = answers.with({ $0.dropFirst().first }) else {
      Issue.record("no figures")
      return
    }
    #expect(figures.fill?.quantity.units == 50)
    #expect(answers.with { $0.count } == 3)
  }

  @Test func `a tick that can't be used is counted and leaves no market until the next good one`()
    async throws
  {
    let run = ServiceRun(opening: ScriptedStore().opener)
    try run.tick(1, ask: "45.10", 30)
    try run.tick(2, ask: "60.1023456789", 30)
    let refused = try await run.place(.buy, "5", named: "a")
    let message = RejectionReason.marketNotLive(.unusable).userMessage(under: run.service.rules)
    guard case .refused(let refusal) = refused else {
      Issue.record("an order met a market that is no more: \(refused)")
      return
    }
    #expect(refusal.message == message)
    try run.tick(3, bid: "45.20", ask: "45.10", 30)
    _ = try await run.place(.buy, "5", named: "b")
    try run.tick(4, ask: "60.10", 30)
    _ = try await run.place(.buy, "5", named: "c")
    await run.settle()
    #expect(run.overview?.skippedTicks == 2)
    #expect(run.lines == ["FILLED 5/5", "REJECTED 0/5", "REJECTED 0/5"])
  }

  @Test func `an order is refused by the age of the tick at its own moment`() async throws {
    let run = ServiceRun(opening: ScriptedStore().opener)
    let start = MonotonicTime(milliseconds: run.milliseconds.with { $0 })
    try run.tick(1, ask: "45.10", 30, lateAt: start.adding(milliseconds: 3000))
    await run.settle()
    // The process was stopped: the market's staleness was not reported.
    run.pass(20_000)
    _ = try await run.place(.buy, "5", named: "a")
    _ = try await run.place(.buy, "5", at: "45.10", named: "b")
    // The response arrives before the list.
    await run.settle()
    #expect(run.lines == ["PENDING 0/5", "REJECTED 0/5"])
    try run.tick(2, ask: "45.05", 30, lateAt: start.adding(milliseconds: 23_000))
    await run.settle()
    #expect(run.lines == ["FILLED 5/5", "REJECTED 0/5"])
  }

  @Test func `a second service on the same ledger is refused until the first closes`() async throws
  {
    let folder = try LedgerFolder()
    let first = ServiceRun(path: folder.path)
    await first.settle()
    let second = ServiceRun(path: folder.path)
    try second.tick(1, ask: "45.10", 30)
    let refused = try await second.place(.buy, "5", named: "a")
    #expect(refused == .refused(.init(LedgerError.inUse(path: "").userMessage)))
    await first.service.close()
    second.pass(1000)
    try second.tick(2, ask: "45.10", 30)
    await second.settle()
    try second.tick(3, ask: "45.10", 30)
    let taken = try await second.place(.buy, "5", named: "a")
    #expect(taken == .placed(OrderIdentifier(number: 1), isRepeated: false))
  }

  @Test func `a damaged ledger is set aside and no order is taken until the next start`()
    async throws
  {
    let folder = try LedgerFolder()
    try folder.fill()
    var bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path))
    for index in 4000..<9000 where index < bytes.count { bytes[index] ^= 0x5a }
    try bytes.write(to: URL(fileURLWithPath: folder.path))
    let run = ServiceRun(path: folder.path)
    let refused = try await run.place(.buy, "5", named: "a")
    guard case .refused(let refusal) = refused else {
      Issue.record("\(refused)")
      return
    }
    #expect(refusal.message.description.contains("orders.sqlite.damaged-"))
    await run.settle()
    #expect(run.overview?.failure == refusal.message)
    await run.service.close()
    let next = ServiceRun(path: folder.path)
    await next.settle()
    #expect(next.overview?.failure == nil && next.overview?.total == 0)
  }

  @Test func `a folder that can't be made or written refuses orders with that reason`() async throws
  {
    let folder = try LedgerFolder()
    try Data("x".utf8).write(to: URL(fileURLWithPath: folder.path))
    let run = ServiceRun(path: folder.path + "/below/orders.sqlite")
    let refused = try await run.place(.buy, "5", named: "a")
    #expect(
      refused == .refused(.init(LedgerError.notWritable(path: "", detail: "").userMessage)))
  }

  @Test func `the history is a file, newest first, or the reason why there is none`() async throws {
    let folder = try LedgerFolder()
    let run = ServiceRun(path: folder.path)
    try run.tick(1, ask: "45.10", 36)
    _ = try await run.place(.buy, "10", named: "a")
    _ = try await run.place(.sell, "5", at: "60", named: "b")
    let csv = try await run.service.file(as: .csv).get()
    #expect(csv.name == "livetape-orders.csv" && csv.orderCount == 2)
    let lines = csv.text.split(separator: "\n")
    #expect(lines.count == 3 && lines[1].hasPrefix("2,b,AAPL,sell,limit,5,0,,60,PENDING,"))
    let json = try await run.service.file(as: .json).get()
    #expect(json.name == "livetape-orders.json" && json.text.hasPrefix("[{\"order\":2,"))
    let fills = try await run.service.fills().get()
    #expect(fills.name == "livetape-fills.csv" && fills.orderCount == 1)
    #expect(fills.text.split(separator: "\r\n").last?.hasSuffix(",AAPL,1,buy,10,45.1,,") == true)
    await run.service.close()
    let none = ServiceRun(path: "/dev/null/orders.sqlite")
    await #expect(throws: LedgerError.self) { try await none.service.file(as: .csv).get() }
    await #expect(throws: LedgerError.self) { try await none.service.fills().get() }
  }

  @Test func `which ledger is opened and closed, and where it ends, is reported`() async throws {
    let folder = try LedgerFolder()
    func states(_ run: ServiceRun) -> [(Bool, LedgerState)] {
      run.news.with { all in
        all.compactMap { item in
          switch item {
          case .opened(let state): (true, state)
          case .closed(let state): (false, state)
          default: nil
          }
        }
      }
    }
    let first = ServiceRun(path: folder.path)
    try first.tick(1, ask: "45.02", 50)
    _ = try await first.place(.buy, "5", named: "a")
    await first.service.close()
    let told = states(first)
    #expect(told.map(\.0) == [true, false])
    #expect(told[0].1.isNew && told[0].1.sequence == 0)
    let reader = try LedgerReader(path: folder.path)
    let end = LedgerState(
      identity: try #require(try LedgerIdentity.stored(at: folder.path)),
      sequence: reader.history.lastSequence,
      head: try #require(reader.verification.headHash?.description))
    #expect(told[1].1 == end && end.sequence > 0)
    let second = ServiceRun(path: folder.path)
    await second.settle()
    #expect(states(second).map(\.1) == [end])
    await second.service.close()
  }

  @Test func `a closed service refuses everything`() async throws {
    let run = ServiceRun(opening: ScriptedStore().opener)
    await run.service.close()
    let refused = try await run.place(.buy, "5", named: "a")
    #expect(refused == .refused(.init("Livetape is stopping. Nothing was ordered.")))
  }

  /// Waits off the cooperative threads.
  private static func wait(for semaphore: DispatchSemaphore) async {
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      DispatchQueue.global().async {
        if !semaphore.waitPatiently() { Issue.record("nobody signalled") }
        done.resume()
      }
    }
  }
}

@Suite struct ExpiryServiceTests {
  private func place(_ run: ServiceRun, until expiry: Int64) async throws -> OrderResponse {
    await run.service.response(
      to: .place(
        OrderTicket(
          clientIdentifier: try #require(ClientOrderIdentifier("gtd")), side: .buy,
          kind: .limit(price: "44"), quantity: "5",
          terms: OrderTerms(expiry: Timestamp(milliseconds: expiry)))))
  }

  @Test func `an order expires at its time without any other input`() async throws {
    let folder = try LedgerFolder()
    let run = ServiceRun(path: folder.path)
    let now = run.milliseconds.with { $0 }
    #expect(
      try await place(run, until: now)
        == .refused(
          OrderResponse.Refusal(
            "The time of expiry must be in the future, and at most a year ahead.", isFinal: true)))
    #expect(
      try await place(run, until: now + 5000)
        == .placed(OrderIdentifier(number: 1), isRepeated: false))
    await run.service.passTime()
    #expect(run.lines == ["PENDING 0/5"])
    run.pass(5000)
    await run.service.passTime()
    #expect(run.lines == ["CANCELLED 0/5"])
    #expect(run.notices.last?.text == "Order expired: buy 5 of 5 AAPL at 44.00.")
  }

  @Test func `an order that expired while the program was stopped ends at its start`() async throws
  {
    let folder = try LedgerFolder()
    let first = ServiceRun(path: folder.path)
    let start = first.milliseconds.with { $0 }
    first.pass(-10_000)
    _ = try await place(first, until: start - 5000)
    await first.service.close()
    let second = ServiceRun(path: folder.path)
    await second.settle()
    #expect(second.lines == ["CANCELLED 0/5"])
    #expect(
      second.overview?.reports.first.flatMap { report in
        report.receipt.unfilled?.text(under: report.rules)
      } == "Cancelled: its time was up while Livetape was not running.")
    await second.service.close()
  }
}

@Suite struct MarketServiceTests {
  private let symbol = Symbol(known: "kraken:BTC/USD")

  private func ticket(
    _ name: String, _ quantity: String, at limit: String? = nil
  ) throws -> OrderTicket {
    OrderTicket(
      clientIdentifier: try #require(ClientOrderIdentifier(name)), instrument: symbol, side: .buy,
      kind: limit.map { .limit(price: $0) } ?? .market, quantity: quantity)
  }

  private func book(_ sequence: UInt64, ask: Int64, _ size: Int64) -> MarketInput {
    func row(_ price: Int64) -> BookRow {
      BookRow(
        price: Price(units: price), size: Quantity(units: size),
        accumulated: Quantity(units: size))
    }
    return .book(
      BookView(
        symbol: symbol, status: .synced, freshness: .waiting(.venue), bids: [row(ask - 1)],
        asks: [row(ask), row(ask + 5)], bidLevels: 1, askLevels: 2,
        priceScale: Scale(clamping: 1), quantityScale: Scale(clamping: 2),
        priceDecimals: Scale(clamping: 1), sequence: sequence, resyncs: 0), currency: "USD")
  }

  @Test func `orders in a market are stored with it and continue after a restart`() async throws {
    let folder = try LedgerFolder()
    let run = ServiceRun(path: folder.path)
    let early = await run.service.response(to: .place(try ticket("early", "1")))
    #expect(
      early == .refused(.init("No prices of {kraken:BTC/USD} have arrived yet.")))
    run.service.receive(book(1, ask: 1000, 150), of: symbol)
    let preview = await run.service.response(to: .preview(try ticket("p", "2.5")))
    guard case .preview(let figures) = preview else {
      Issue.record("\(preview)")
      return
    }
    #expect(figures.rules.text(figures.fill?.average ?? AveragePrice.zero) == "100.2")
    let fine = await run.service.response(to: .place(try ticket("fine", "0.001")))
    #expect(
      fine
        == .refused(
          .init(
            "The quantity must be a multiple of 0.01; “0.001” is not.", field: .quantity,
            isFinal: true)))
    let placed = await run.service.response(to: .place(try ticket("a", "2.5")))
    #expect(placed == .placed(OrderIdentifier(number: 1), isRepeated: false))
    let resting = await run.service.response(to: .place(try ticket("b", "0.5", at: "99.0")))
    #expect(resting == .placed(OrderIdentifier(number: 2), isRepeated: false))
    await run.settle()
    #expect(run.overview?.openMarkets == [symbol])
    #expect(run.lines == ["PENDING 0/50", "FILLED 250/250"])
    await run.service.close()
    let again = ServiceRun(path: folder.path)
    await again.settle()
    #expect(again.overview?.openMarkets == [symbol])
    // The queue of the first run is gone, and so are the trades since: all of it is possible.
    again.service.receive(book(1, ask: 1000, 150), of: symbol)
    again.service.receive(.missedTrades, of: symbol)
    await again.settle()
    let order = await again.service.report(of: OrderIdentifier(number: 2))?.order
    #expect(order?.possibleQuantity.units == 50 && order?.filledQuantity == .zero)
    let repeated = await again.service.response(to: .place(try ticket("a", "2.5")))
    #expect(repeated == .placed(OrderIdentifier(number: 1), isRepeated: true))
    let file = try await again.service.file(as: .csv).get()
    #expect(file.text.contains("1,a,kraken:BTC/USD,buy,market,2.5,2.5,"))
    await again.service.close()
    #expect(try LedgerReader(path: folder.path).verification.isIntact)
  }

  @Test func `fills by a market's trades are reported ten times a second, the last one too`()
    async throws
  {
    let folder = try LedgerFolder()
    let run = ServiceRun(path: folder.path, holdsPauses: true)
    run.service.receive(book(1, ask: 1000, 150), of: symbol)
    for number in 1...20 {
      _ = await run.service.response(to: .place(try ticket("b\(number)", "0.5", at: "99.0")))
    }
    await run.settle()
    run.pass(OrderService.newsMilliseconds)
    let before = run.news.with { $0.count(where: isOverview) }
    for number in 1...20 {
      let trade = Trade(
        price: Price(units: 980), size: Quantity(units: 50), side: .sell,
        time: Timestamp(milliseconds: 1_790_000_000_500), arrival: UInt64(number),
        identifier: Int64(number))
      run.service.receive(
        .trade(trade, priceScale: Scale(clamping: 1), quantityScale: Scale(clamping: 2)),
        of: symbol)
      await run.settle()
    }
    #expect(run.news.with { $0.count(where: isOverview) } == before + 1)
    #expect(run.overview?.openCount == 19)
    #expect(run.notices.count(where: \.isFill) == 20, "each fill is noticed at once")
    run.pauses?.yield()
    while run.overview?.openCount != 0 { await Task.yield() }
    await run.service.close()
  }

  private func isOverview(_ news: TradingNews) -> Bool {
    if case .overview = news { true } else { false }
  }

  @Test func `a market's books do not flood the news`() async throws {
    let folder = try LedgerFolder()
    let run = ServiceRun(path: folder.path)
    run.service.receive(book(1, ask: 1000, 150), of: symbol)
    _ = await run.service.response(to: .place(try ticket("b", "0.5", at: "90.0")))
    await run.settle()
    let before = run.news.with(\.count)
    for sequence in 2...200 as ClosedRange<UInt64> {
      run.service.receive(book(sequence, ask: 1000 + Int64(sequence % 7), 150), of: symbol)
      await run.settle()
    }
    #expect(run.news.with(\.count) - before <= 4)
    await run.service.close()
  }
}

extension OrderNotice {
  fileprivate var isFill: Bool { if case .filledResting = news { true } else { false } }
}

extension AveragePrice {
  fileprivate static let zero =
    AveragePrice(notional: 0, quantity: Quantity(units: 1)) ?? unreachable()
}
