// Alerts on a manually driven hub: followed streams, shown firings, and their times.

import MarketModel
import NIOConcurrencyHelpers
import NIOEmbedded
import PriceAlerts
import Testing
import VenueCatalogue

@testable import FeedConnections

/// A disk whose writes a test completes, or fails, by hand.
private final class HeldDisk: Sendable {
  private let waiting = NIOLockedValueBox<[(book: AlertBook, done: @Sendable (Sentence?) -> Void)]>(
    [])

  var keep: AlertService.Keep {
    { book, done in
      self.waiting.withLockedValue { $0.append((book, done)) }
      return true
    }
  }

  /// Completes all pending writes; returns the newest stored value.
  @discardableResult
  func work(_ problem: Sentence? = nil) -> AlertBook? {
    let jobs = waiting.withLockedValue { waiting in
      defer { waiting = [] }
      return waiting
    }
    for job in jobs { job.done(problem) }
    return jobs.last?.book
  }
}

private struct AlertHarness {
  let hub = HubHarness(venues: [.exchange])
  let disk = HeldDisk()
  let service: AlertService
  let stock = InstrumentKey(.exchange, ExchangeCatalogue.symbol)
  /// What pages are shown: "1 of 100 at 101" for each firing, then the problem.
  let shown = Journal<String>()

  /// What pages are shown of the first alert's failed deliveries.
  let failures = Journal<String>()
  /// The numbers of the delivered firings; each delivery fails with "down".
  let delivered = Journal<Int>()

  init(_ kept: AlertBook = AlertBook()) {
    service = AlertService(
      feeds: hub.hub, kept: kept, problem: nil, clock: hub.clock,
      deliver: { [delivered] firing, failed in
        delivered.append(firing.number)
        failed("down")
      },
      keep: disk.keep, close: {})
  }

  func start() async throws {
    let (service, shown, failures) = (service, shown, failures)
    try await hub.loop.executeInContext {
      service.start { state in
        let fired = state.book.firings.map { firing in
          "\(firing.number) of \(firing.condition.level ?? firing.value) at \(firing.value)"
        }
        shown.append(
          (fired + [state.problem?.description].compactMap { $0 }).joined(separator: ", "))
        failures.append(state.failures[1].map { "\($0.count) \($0.reason)" } ?? "")
      }
    }
    try await hub.start()
    await hub.advance(20)
  }

  @discardableResult
  func perform(_ command: AlertCommand) async throws -> AlertProblem? {
    let service = service
    return try await hub.loop.executeInContext { service.perform(command) }
  }

  func tick(_ price: String) async throws {
    try await hub.say("k \(stock.symbol) \(price)")
    await hub.advance(1)
  }

  /// Completes the disk's writes and shows the results on pages.
  @discardableResult
  func keep(_ problem: Sentence? = nil) async -> AlertBook? {
    let book = disk.work(problem)
    await hub.settle()
    return book
  }
}

@Suite struct AlertServiceTests {
  @Test func `instruments with alerts are followed without observers, others not`() async throws {
    let harness = AlertHarness()
    try await harness.start()
    #expect(try await harness.hub.sent() == [])
    #expect(try await harness.perform(.add(harness.stock, .price("100"), repeats: false)) == nil)
    await harness.hub.advance(20)
    #expect(try await harness.hub.sent() == ["subscribe TROAD"])
    try await harness.tick("99")
    try await harness.tick("101")
    await harness.hub.advance(1000)
    #expect(try await harness.hub.sent() == ["subscribe TROAD", "unsubscribe TROAD"])
  }

  @Test func `no firing is shown before it is kept`() async throws {
    let harness = AlertHarness()
    try await harness.start()
    try await harness.perform(.add(harness.stock, .price("100.0"), repeats: true))
    await harness.keep()
    try await harness.tick("99")
    try await harness.tick("101")
    #expect(harness.shown.entries.allSatisfy { $0.isEmpty })
    let kept = try #require(await harness.keep())
    #expect(kept.firings.count == 1)
    #expect(harness.shown.entries.last == "1 of 100 at 101")
  }

  @Test func `a firing is delivered once it is kept, and a failure is shown with its alert`()
    async throws
  {
    let first = AlertHarness()
    try await first.start()
    try await first.perform(.add(first.stock, .price("100"), repeats: true))
    for last in ["99", "101", "99"] { try await first.tick(last) }
    #expect(first.delivered.entries.isEmpty)
    let kept = try #require(await first.keep())
    await first.hub.settle()
    #expect(first.delivered.entries == [1, 2] && first.failures.entries.last == "2 down")
    try await first.perform(.edit(1, .price("101"), repeats: true))
    await first.keep()
    #expect(first.failures.entries.last == "")
    // None again after a restart.
    let second = AlertHarness(kept)
    try await second.start()
    await second.hub.advance(20)
    try await second.tick("101")
    await second.keep()
    await second.hub.settle()
    #expect(second.delivered.entries == [3])
  }

  @Test func `a failing disk is reported, and firings are shown all the same`() async throws {
    let harness = AlertHarness()
    try await harness.start()
    try await harness.perform(.add(harness.stock, .price("100"), repeats: true))
    try await harness.tick("99")
    try await harness.tick("101")
    await harness.keep("No room.")
    #expect(harness.shown.entries.last == "1 of 100 at 101, No room.")
    try await harness.tick("99")
    await harness.keep()
    #expect(harness.shown.entries.last == "1 of 100 at 101, 2 of 100 at 99")
  }

  @Test func `a known price sets an alert's side at once`() async throws {
    let harness = AlertHarness()
    try await harness.start()
    let looking = harness.hub.observe("TROAD", into: Journal<String>())
    await harness.hub.advance(20)
    try await harness.tick("99")
    try await harness.perform(.add(harness.stock, .price("100"), repeats: false))
    try await harness.tick("101")
    await harness.keep()
    #expect(harness.shown.entries.last == "1 of 100 at 101")
    looking.cancel()
  }

  @Test func `an unreachable venue makes an unobserved time, which the next firing names`()
    async throws
  {
    let harness = AlertHarness()
    try await harness.start()
    try await harness.perform(.add(harness.stock, .price("100"), repeats: true))
    await harness.hub.advance(20)
    try await harness.tick("99")
    try await harness.hub.say("reconnect")
    await harness.hub.advance(1)
    let blind = try #require(await harness.keep())
    #expect(blind.blindTimes.count == 1 && blind.blindTimes[0].until == nil)
    await harness.hub.advance(10_000)
    try await harness.hub.open()
    try await harness.tick("101")
    let after = try #require(await harness.keep())
    #expect(after.blindTimes.count == 1 && after.blindTimes[0].until != nil)
    #expect(after.firings.last?.blindSince == blind.blindTimes[0].since)
  }

  @Test func `a restart repeats nothing and loses nothing`() async throws {
    let first = AlertHarness()
    try await first.start()
    try await first.perform(.add(first.stock, .price("100"), repeats: true))
    try await first.tick("99")
    try await first.tick("101")
    let kept = try #require(await first.keep())
    let bytes = kept.json
    let second = AlertHarness(try AlertBook(decoding: bytes.span))
    try await second.start()
    await second.hub.advance(20)
    try await second.tick("101")
    await second.keep()
    #expect(second.shown.entries.last == "1 of 100 at 101")
    try await second.tick("98")
    let after = try #require(await second.keep())
    #expect(second.shown.entries.last == "1 of 100 at 101, 2 of 100 at 98")
    #expect(after.firings.map { $0.blindSince == nil } == [true, true], "101 was seen between")
  }

  @Test func `what was seen is kept every few seconds while something is followed`() async throws {
    let harness = AlertHarness()
    try await harness.start()
    await harness.hub.advance(20_000)
    #expect(await harness.keep() == nil)
    try await harness.perform(.add(harness.stock, .price("100"), repeats: true))
    await harness.keep()
    try await harness.tick("99")
    await harness.hub.advance(5000)
    #expect(await harness.keep()?.alerts.first?.side == .below)
  }

  @Test func `a spread's level may be 0 or less, and survives the disk`() throws {
    let spread = InstrumentKey(.bitmex, Symbol(known: "XBTM26-XBTU26"))
    var book = AlertBook()
    for price in ["-13310.5", "0", "7"] {
      try AlertCommand.add(spread, .price(price), repeats: false)
        .apply(to: &book, at: Timestamp(milliseconds: 1))
    }
    #expect(book.alerts.map(\.condition.level?.description) == ["-13310.5", "0", "7"])
    #expect(try AlertBook(decoding: book.json.span) == book)
  }

  @Test func `an edited alert fires at its new level, also after it had fired`() async throws {
    let harness = AlertHarness()
    try await harness.start()
    try await harness.perform(.add(harness.stock, .price("100"), repeats: false))
    try await harness.tick("99")
    try await harness.tick("101")
    for price in ["0", "1,5", ""] {
      #expect(
        try await harness.perform(.edit(1, .price(price), repeats: true)) == .bad(.price))
    }
    #expect(try await harness.perform(.edit(2, .price("1"), repeats: true)) == .noSuchAlert)
    #expect(try await harness.perform(.edit(1, .price("110"), repeats: false)) == nil)
    await harness.hub.advance(2000)
    try await harness.tick("105")
    try await harness.tick("111")
    await harness.keep()
    #expect(harness.shown.entries.last == "1 of 100 at 101, 2 of 110 at 111")
  }

  @Test func `a repeating alert rests for its cooldown, by the hub's clock`() async throws {
    let harness = AlertHarness()
    try await harness.start()
    try await harness.perform(
      .add(harness.stock, .price("100"), repeats: true, cooldownSeconds: 5))
    for last in ["99", "101", "99"] { try await harness.tick(last) }
    await harness.hub.advance(2000)
    try await harness.tick("101")
    await harness.keep()
    #expect(harness.shown.entries.last == "1 of 100 at 101")
    await harness.hub.advance(4000)
    try await harness.tick("99")
    await harness.keep()
    #expect(harness.shown.entries.last == "1 of 100 at 101, 2 of 100 at 99")
  }

  @Test func `what can't be done is refused and changes nothing`() async throws {
    let harness = AlertHarness()
    try await harness.start()
    let share = try #require(InstrumentKey(text: "isin/US0378331005"))
    #expect(try await harness.perform(.add(share, .price("1"), repeats: false)) == .noTrades)
    for text in ["", "abc", "1,5", "0", "-1", "1e400", " 1"] {
      #expect(
        try await harness.perform(.add(harness.stock, .price(text), repeats: false)) == .bad(.price)
      )
    }
    let pair = InstrumentKey(.kraken, Symbol(known: "ADA/EUR"))
    #expect(try await harness.perform(.add(pair, .price("-1"), repeats: false)) == .bad(.price))
    #expect(try await harness.perform(.remove(1)) == .noSuchAlert)
    #expect(await harness.keep() == nil)
  }

  @Test func `a spread is measured on best prices, and an exchange has no book or volume`()
    async throws
  {
    let harness = AlertHarness()
    try await harness.start()
    let spread = AlertTerms(.spread, level: "1")
    #expect(try await harness.perform(.add(harness.stock, spread, repeats: false)) == nil)
    #expect(
      try await harness.perform(.add(harness.stock, AlertTerms(.book, seconds: 5), repeats: false))
        == .noBook)
    let volume = AlertTerms(.volume, level: "1", seconds: 60)
    #expect(try await harness.perform(.add(harness.stock, volume, repeats: false)) == .noVolume)
    let change = AlertTerms(.change, level: "-x", seconds: 60)
    #expect(try await harness.perform(.add(harness.stock, change, repeats: false)) == .bad(.change))
    await harness.hub.advance(20)
    #expect(try await harness.hub.sent() == ["subscribe TROAD"])
  }

  @Test func `a late book has no spread, and only a doubtful one is invalid`() {
    func state(_ state: FreshnessState, _ status: BookStatus = .synced) -> AlertBookState? {
      let price = Price(units: 7)
      return AlertBookState(
        .book(
          BookView(
            symbol: Symbol(known: "BTC/USD"), status: status,
            freshness: Freshness(state: state, origin: .venue, confirmedAt: nil), bids: [],
            asks: [], bidLevels: 1, askLevels: 1, priceScale: .whole, quantityScale: .whole,
            priceDecimals: .whole, sequence: 1, resyncs: 0,
            top: BookTop(bid: price, ask: price))))
    }
    let seven = FixedDecimal(units: 7, scale: .whole)
    #expect(state(.live) == .live(bid: seven, ask: seven))
    #expect(state(.late) == .late && state(.closed) == .late)
    for bad in [FreshnessState.waiting, .queued, .stale, .resyncing, .disconnected] {
      #expect(state(bad) == .invalid)
    }
    #expect(state(.live, .resyncing) == .invalid && state(.live, .waiting) == .invalid)
  }
}
