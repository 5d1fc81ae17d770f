// Trades: history, new ones, and the meaning of a gap in their numbers.

import MarketModel
import Testing

@testable import VenueProtocols

struct KrakenTapeTests {
  private let trades = Subscription(.trades, KrakenHarness.bitcoin)
  private let quote = Subscription(.quote, KrakenHarness.bitcoin)
  private let book = Subscription(.book, KrakenHarness.bitcoin)

  private func started() -> KrakenHarness {
    var harness = KrakenHarness(wanting: trades)
    harness.receive(
      KrakenHarness.trades(
        "snapshot", "5 buy 100.5 0.10000000", "6 sell 100.4 0.20000000",
        "7 buy 100.6 0.30000000"))
    return harness
  }

  private func news(_ harness: KrakenHarness) -> [Int64] {
    harness.effects.compactMap {
      guard case .happened(_, .trade(let trade, _, _)) = $0 else { return nil }
      return trade.size.units / 10_000_000
    }
  }

  private func sizes(_ harness: KrakenHarness) -> [Int64] {
    harness.tape()?.trades.map { $0.size.units / 10_000_000 } ?? []
  }

  @Test func `the first snapshot fills the tape and is no news`() {
    let harness = started()
    #expect(sizes(harness) == [3, 2, 1] && news(harness).isEmpty)
    #expect(harness.effects == [.changed(trades)])
    #expect(harness.tape()?.trades.map(\.side) == [.buy, .sell, .buy])
    #expect(harness.tape()?.freshness.state == .live)
  }

  @Test func `every trade of an update is news, each once, with its scales`() {
    var harness = started()
    let update = KrakenHarness.trades("update", "8 sell 100.5 0.4", "9 sell 100.3 0.5")
    harness.receive(update)
    #expect(news(harness) == [4, 5] && sizes(harness) == [5, 4, 3, 2, 1])
    guard
      case .happened(trades, .trade(let trade, let price, let quantity))? =
        harness.effects.first
    else {
      Issue.record("no news")
      return
    }
    #expect(trade.identifier == 8, "the number by which its history knows it")
    #expect(trade.price.units == 1005 && price.digits == 1 && quantity.digits == 8)
    harness.receive(update)
    #expect(harness.effects.isEmpty, "a message that comes twice")
  }

  @Test func `after an outage the trades that were missed are news`() {
    var harness = started()
    harness.input(.closed)
    harness.input(.opened)
    harness.receive(KrakenHarness.online)
    harness.receive(KrakenHarness.pairs())
    #expect(harness.tape()?.freshness.state == .resyncing)
    harness.receive(
      KrakenHarness.trades("snapshot", "6 sell 100.4 0.2", "7 buy 100.6 0.3", "8 buy 100.7 0.8"))
    #expect(news(harness) == [8] && sizes(harness) == [8, 3, 2, 1])
  }

  @Test func `a snapshot beyond what was known starts the tape again`() {
    var harness = started()
    harness.input(.closed)
    harness.input(.opened)
    harness.receive(KrakenHarness.online)
    harness.receive(KrakenHarness.pairs())
    harness.receive(KrakenHarness.trades("snapshot", "20 sell 100.4 0.6", "21 buy 100.6 0.7"))
    #expect(news(harness) == [6, 7] && sizes(harness) == [7, 6])
  }

  @Test func `falling numbers mean a restarted count of the venue`() {
    var harness = started()
    harness.input(.closed)
    harness.input(.opened)
    harness.receive(KrakenHarness.online)
    harness.receive(KrakenHarness.pairs())
    harness.receive(KrakenHarness.trades("snapshot", "1 sell 100.4 0.6", "2 buy 100.6 0.7"))
    #expect(news(harness).isEmpty && sizes(harness) == [7, 6])
  }

  @Test func `a gap in the numbers refetches the trades, and nothing is lost`() {
    var harness = started()
    harness.receive(KrakenHarness.trades("update", "9 sell 100.3 0.5"))
    #expect(harness.sent == ["unsubscribe trade BTC/USD", "subscribe trade BTC/USD"])
    #expect(harness.tape()?.freshness.state == .resyncing && sizes(harness) == [3, 2, 1])
    harness.receive(KrakenHarness.trades("update", "10 sell 100.3 0.6"))
    #expect(harness.effects.isEmpty)
    harness.receive(
      KrakenHarness.trades(
        "snapshot", "7 buy 100.6 0.3", "8 sell 100.5 0.4", "9 sell 100.3 0.5",
        "10 sell 100.3 0.6"))
    #expect(news(harness) == [4, 5, 6] && sizes(harness) == [6, 5, 4, 3, 2, 1])
  }

  @Test func `a venue with gaps in its own snapshot is not polled for ever`() {
    var harness = KrakenHarness(wanting: trades)
    harness.receive(KrakenHarness.trades("snapshot", "5 buy 100.5 0.1", "9 sell 100.4 0.2"))
    harness.receive(KrakenHarness.trades("update", "12 sell 100.3 0.3"))
    #expect(harness.sent.isEmpty && news(harness) == [3])
  }

  @Test func `thirty trades are kept, all are news`() {
    var harness = started()
    for identifier in 8..<50 {
      harness.receive(
        KrakenHarness.trades("update", "\(identifier) buy 100.5 0.\(identifier % 9 + 1)"))
      #expect(news(harness) == [Int64(identifier % 9 + 1)])
    }
    #expect(harness.tape()?.trades.count == 30)
  }

  @Test func `a quote has the latest trade and the proven book's best prices`() {
    var harness = KrakenHarness(wanting: quote)
    #expect(harness.sent == ["subscribe book BTC/USD 100", "subscribe trade BTC/USD"])
    harness.receive(KrakenHarness.trades("snapshot", "5 buy 100.5 0.1"))
    harness.receive(
      KrakenHarness.book(
        "snapshot", bids: "100.4×0.1", asks: "100.6×2", sum: "100.4×0.10000000 | 100.6×2.00000000"))
    #expect(harness.quote()?.price?.description == "100.5")
    #expect(harness.quote()?.bid?.description == "100.4")
    #expect(harness.quote()?.ask?.description == "100.6")
    harness.receive(KrakenHarness.trades("update", "6 buy 100.6 0.1"))
    #expect(harness.quote()?.direction == .up && harness.quote()?.changes == 1)
    harness.receive(KrakenHarness.book("update", bids: "100.4×0.2", sum: " | "))
    #expect(harness.quote()?.bid == nil, "an unproven book quotes nothing")
    #expect(harness.quote()?.price?.description == "100.6")
  }

  @Test func `an absurd number does not silence the trades that follow it`() {
    var harness = KrakenHarness(wanting: trades)
    harness.receive(KrakenHarness.trades("snapshot", "9223372036854775807 buy 100.5 0.1"))
    harness.receive(KrakenHarness.trades("update", "8 sell 100.4 0.2"))
    #expect(harness.sent == ["unsubscribe trade BTC/USD", "subscribe trade BTC/USD"])
    #expect(harness.tape()?.freshness.state == .resyncing, "not called live")
    harness.receive(KrakenHarness.trades("snapshot", "7 buy 100.6 0.3", "8 sell 100.4 0.2"))
    harness.receive(KrakenHarness.trades("update", "9 sell 100.3 0.4"))
    #expect(sizes(harness) == [4, 2, 3] && harness.tape()?.freshness.state == .live)
  }

  @Test func `a venue's restarted count within a connection is noticed`() {
    var harness = started()
    harness.receive(KrakenHarness.trades("update", "1 sell 100.4 0.2"))
    #expect(harness.sent == ["unsubscribe trade BTC/USD", "subscribe trade BTC/USD"])
    harness.receive(KrakenHarness.trades("snapshot", "1 sell 100.4 0.2"))
    #expect(sizes(harness) == [2])
  }

  @Test func `a venue whose numbers never fit is not asked without pause`() {
    var harness = started()
    harness.receive(KrakenHarness.trades("update", "9 sell 100.3 0.5"))
    #expect(harness.sent.count == 2)
    harness.receive(KrakenHarness.trades("snapshot", "5 buy 100.5 0.1"))
    harness.receive(KrakenHarness.trades("update", "20 sell 100.3 0.6"))
    #expect(harness.sent.isEmpty && harness.tape()?.freshness.state == .resyncing)
    harness.wait(BookSession<KrakenRules>.patienceMilliseconds)
    #expect(harness.sent == ["unsubscribe trade BTC/USD", "subscribe trade BTC/USD"])
  }

  @Test func `a trade from the future is refused and counted, and the tape not called live`() {
    var harness = KrakenHarness(wanting: trades)
    // The harness dates trades to 2026-11-21 08:00 plus as many seconds as their number.
    harness.wall = Timestamp(iso8601: "2026-11-21T07:50:00Z")
    harness.receive(KrakenHarness.trades("snapshot", "5 buy 100.5 0.1"))
    #expect(harness.problems == [.inconsistent] && sizes(harness).isEmpty)
    #expect(harness.tape()?.freshness.state == .stale)
    harness.wall = Timestamp(iso8601: "2026-11-21T08:00:06Z")
    harness.receive(KrakenHarness.trades("update", "6 buy 100.5 0.2"))
    #expect(news(harness) == [2] && harness.tape()?.freshness.state == .live)
  }

  @Test func `what a refused trade leaves behind ages, whatever the book does`() {
    var harness = KrakenHarness(wanting: trades, quote)
    harness.receive(KrakenHarness.trades("snapshot", "5 buy 100.5 0.1"))
    harness.wall = Timestamp(iso8601: "2026-11-21T05:00:00Z")
    harness.receive(KrakenHarness.trades("update", "6 buy 100.5 0.2"))
    let refusedAt = harness.milliseconds
    for _ in 0..<4 {
      harness.wait(1000)
      harness.receive(KrakenHarness.heartbeat)
      harness.receive(
        KrakenHarness.book(
          "snapshot", bids: "100.4×0.1", asks: "100.6×2",
          sum: "100.4×0.10000000 | 100.6×2.00000000"))
      for freshness in [harness.tape()?.freshness, harness.quote()?.freshness] {
        #expect(freshness?.state == .stale)
        #expect(freshness?.confirmedAt?.monotonic == MonotonicTime(milliseconds: refusedAt))
      }
    }
  }

  @Test func `a tape of which every trade was refused has no age`() {
    var harness = KrakenHarness(wanting: trades)
    harness.wall = Timestamp(iso8601: "2026-11-21T05:00:00Z")
    harness.receive(KrakenHarness.trades("snapshot", "5 buy 100.5 0.1"))
    #expect(harness.tape()?.freshness.state == .stale)
    #expect(harness.tape()?.freshness.confirmedAt == nil, "nothing is there to be old")
  }

  @Test func `numbers decide which trade is the newest, whatever the venue's clock`() {
    var harness = started()
    harness.receive(
      KrakenHarness.trades("update", "8 sell 100.5 0.8").replacing("T08:00", with: "T05:00"))
    harness.receive(
      KrakenHarness.trades("update", "9 sell 100.5 0.9").replacing("T08:00", with: "T07:59"))
    #expect(sizes(harness) == [9, 8, 3, 2, 1])
    #expect(harness.tape()?.freshness.state == .live)
  }

  @Test func `a silent connection makes book and tape late at the same moment`() {
    var harness = KrakenHarness(wanting: trades, book)
    harness.receive(
      KrakenHarness.book(
        "snapshot", bids: "100.5×0.10000000", asks: "100.6×0.10000000",
        sum: "100.5×0.10000000 | 100.6×0.10000000"))
    harness.receive(KrakenHarness.trades("snapshot", "5 buy 100.5 0.1"))
    harness.wait(KrakenRules.profile.quietMilliseconds)
    let late = harness.book()?.freshness.state
    #expect(late == harness.tape()?.freshness.state)
    harness.wait(10)
    #expect(harness.book()?.freshness.state == .late)
    #expect(harness.tape()?.freshness.state == .late)
  }
}
