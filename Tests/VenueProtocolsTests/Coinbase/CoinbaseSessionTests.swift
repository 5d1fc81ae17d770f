// The session against messages in the venue's order: one count of all messages, books, trades,
// figures.

import MarketModel
import Testing

@testable import VenueProtocols

struct CoinbaseSessionTests {
  private let book = Subscription(.book, CoinbaseHarness.bitcoin)
  private let other = Subscription(.book, CoinbaseHarness.ether)
  private let trades = Subscription(.trades, CoinbaseHarness.bitcoin)
  private let figures = Subscription(.figures, CoinbaseHarness.bitcoin)

  private func live() -> CoinbaseHarness {
    var harness = CoinbaseHarness(wanting: book, other, trades)
    harness.say(CoinbaseHarness.status())
    harness.say(CoinbaseHarness.book("snapshot", bids: "100.5×0.1 99×2", asks: "101×1.5"))
    harness.say(CoinbaseHarness.book("snapshot", bids: "10×1", asks: "11×1", of: "ETH-USD"))
    harness.say(CoinbaseHarness.trades("snapshot", "7 SELL 100.6 0.3", "6 BUY 100.5 0.2"))
    return harness
  }

  @Test func `heartbeats are subscribed at once, everything else after the first message`() {
    var harness = CoinbaseHarness(wanting: book, trades, figures, isOpen: false)
    harness.input(.opened)
    #expect(harness.sent == ["subscribe heartbeats"])
    harness.say(CoinbaseHarness.subscriptions)
    #expect(harness.effects.contains(.ready))
    #expect(
      harness.sent == [
        "subscribe status BTC-USD", "subscribe level2 BTC-USD", "subscribe market_trades BTC-USD",
        "subscribe ticker BTC-USD",
      ])
  }

  @Test func `a venue that sends no first message is left after its time`() {
    var harness = CoinbaseHarness(wanting: book, isOpen: false)
    harness.input(.opened)
    harness.wait(14_000)
    #expect(!harness.reconnects)
    harness.wait(1500)
    #expect(harness.reconnects)
  }

  @Test func `a snapshot and its updates are a valid book`() {
    var harness = live()
    #expect(harness.book()?.status == .synced && harness.book()?.freshness.state == .live)
    #expect(harness.table() == "100.5×0.1 99×2 | 101×1.5")
    harness.say(CoinbaseHarness.book("update", bids: "100.5×0.200 98×1", asks: "101×0.000 102×4"))
    #expect(harness.table() == "100.5×0.2 99×2 98×1 | 102×4")
    #expect(harness.effects.contains(.changed(book)))
  }

  @Test func `the claim counts the connection's messages since the snapshot`() {
    var harness = live()
    #expect(harness.book()?.unbroken?.messages == 3 && harness.book()?.proof == nil)
    harness.say(CoinbaseHarness.heartbeat)
    harness.say(CoinbaseHarness.book("update", bids: "100.5×5"))
    #expect(harness.book()?.unbroken?.messages == 5)
    #expect(harness.book()?.unbroken?.at == harness.now)
    harness.next += 1
    harness.say(CoinbaseHarness.heartbeat)
    #expect(harness.book()?.unbroken == nil)
  }

  @Test func `an empty update, and the removal of an unknown price, are ordinary`() {
    var harness = live()
    harness.say(CoinbaseHarness.book("update"))
    #expect(harness.effects.isEmpty && harness.book()?.status == .synced)
    harness.say(CoinbaseHarness.book("update", bids: "42×0", asks: "4242×0.00000000"))
    #expect(harness.table() == "100.5×0.1 99×2 | 101×1.5")
    #expect(harness.book()?.status == .synced && harness.problems.isEmpty)
  }

  @Test func `the loss of any message of the connection invalidates every book of it`() {
    var harness = live()
    harness.next += 1
    harness.say(CoinbaseHarness.heartbeat)
    #expect(harness.reconnects)
    #expect(harness.effects.contains(.resynced(book)) && harness.effects.contains(.resynced(other)))
    #expect(harness.book()?.status == .resyncing && harness.book()?.doubt == .gap)
    #expect(harness.book(CoinbaseHarness.ether)?.status == .resyncing)
    #expect(harness.tape()?.freshness.state == .resyncing)
    harness.say(CoinbaseHarness.book("update", bids: "100.5×7"))
    #expect(harness.effects.isEmpty, "nothing more of the connection is used")
    #expect(harness.table() == "100.5×0.1 99×2 | 101×1.5")
  }

  @Test func `after a gap a new connection makes everything valid again`() {
    var harness = live()
    harness.next += 5
    harness.say(CoinbaseHarness.heartbeat)
    harness.input(.closed)
    harness.open()
    harness.say(CoinbaseHarness.book("snapshot", bids: "90×1", asks: "91×1"))
    harness.say(
      CoinbaseHarness.trades("snapshot", "8 SELL 100.7 1", "7 SELL 100.6 0.3", "6 BUY 100.5 0.2"))
    #expect(harness.table() == "90×1 | 91×1" && harness.book()?.status == .synced)
    #expect(harness.tape()?.trades.map(\.identifier) == [8, 7, 6])
    #expect(
      harness.effects.contains { effect in
        if case .happened(trades, .trade(let trade, _, _)) = effect {
          trade.identifier == 8
        } else {
          false
        }
      }, "a trade that was missed is reported")
  }

  @Test func `a repeated message is ignored, a restarted count ends the connection`() {
    var harness = live()
    let update = CoinbaseHarness.text(
      CoinbaseHarness.book("update", bids: "100.5×3"), number: harness.next)
    harness.next += 1
    harness.receive(update)
    let once = harness.book()?.sequence
    for _ in 0..<50 { harness.receive(update) }
    #expect(harness.effects.isEmpty && harness.book()?.sequence == once)
    #expect(harness.table() == "100.5×3 99×2 | 101×1.5")
    var long = harness
    for _ in 0..<20 { long.say(CoinbaseHarness.heartbeat) }
    for number in 0..<Int64(CoinbaseCounter.restartLength) {
      #expect(!long.reconnects)
      long.receive(CoinbaseHarness.text(CoinbaseHarness.heartbeat, number: number))
    }
    #expect(long.reconnects && long.book()?.status == .resyncing)
    for number in 0...harness.next {
      #expect(!harness.reconnects)
      harness.receive(CoinbaseHarness.text(CoinbaseHarness.heartbeat, number: number))
    }
    #expect(harness.reconnects, "a restarted count never joins the former one")
  }

  @Test func `a crossed book is invalid and needs a new connection`() {
    var harness = live()
    harness.say(CoinbaseHarness.book("update", bids: "101×1"))
    #expect(harness.reconnects && harness.book()?.doubt == .crossed)
    #expect(harness.book()?.status == .resyncing)
  }

  @Test func `updates before the snapshot are dropped, a later snapshot replaces the book`() {
    var harness = CoinbaseHarness(wanting: book)
    harness.say(CoinbaseHarness.book("update", bids: "100×1"))
    #expect(harness.book()?.status == .waiting && harness.table() == " | ")
    harness.say(CoinbaseHarness.book("snapshot"))
    #expect(harness.book()?.status == .synced && harness.book()?.bidLevels == 0)
    harness.say(CoinbaseHarness.book("snapshot", bids: "100×1", asks: "101×1"))
    harness.say(CoinbaseHarness.book("snapshot", bids: "90×1", asks: "91×1"))
    #expect(harness.table() == "90×1 | 91×1" && harness.book()?.status == .synced)
  }

  @Test func `a product of which nothing comes is unknown, a known one's book is fetched again`() {
    var harness = CoinbaseHarness(wanting: book, other)
    harness.say(CoinbaseHarness.status())
    harness.say(CoinbaseHarness.book("snapshot", bids: "10×1", asks: "11×1", of: "ETH-USD"))
    harness.wait(15_100)
    #expect(harness.reconnects, "BTC-USD is known, but has no book")
    var unknown = CoinbaseHarness(wanting: book, other)
    unknown.say(CoinbaseHarness.book("snapshot", bids: "10×1", asks: "11×1", of: "ETH-USD"))
    unknown.wait(15_100)
    #expect(!unknown.reconnects && unknown.problems == [.unknownSymbol])
    #expect(unknown.book()?.isKnown == false)
    #expect(unknown.book(CoinbaseHarness.ether)?.status == .synced)
  }

  @Test func `a second name of a product in dollars is refused without a request`() {
    let alias = Subscription(.book, CoinbaseHarness.symbol("BTC-USDC"))
    var harness = CoinbaseHarness(wanting: alias)
    #expect(harness.sent.isEmpty && harness.problems == [.unknownSymbol])
    harness.input(.wanted([Subscription(.book, CoinbaseHarness.symbol("USDT-USDC"))]))
    #expect(harness.sent.isEmpty && harness.problems.isEmpty, "it waits for the list")
  }

  @Test func `an error is reported and changes nothing`() {
    var harness = live()
    harness.receive(#"{"type":"error","message":"authentication failure"}"#)
    #expect(harness.problems == [.venueError])
    harness.say(CoinbaseHarness.heartbeat)
    #expect(harness.effects.isEmpty && harness.book()?.status == .synced)
  }

  @Test func `every public error text is readable`() throws {
    for line in try CoinbasePayloads.lines("errors.jsonl") where line.contains("advanced ws") {
      var harness = live()
      let start = try #require(line.firstRange(of: #""payload": ""#)?.upperBound)
      let payload = String(line[start...].dropLast(2)).replacing(#"\""#, with: #"""#)
      harness.receive(payload)
      #expect(harness.problems == [.venueError], "\(payload)")
    }
  }

  // MARK: Freshness

  @Test func `heartbeats keep a silent book late at worst, silence makes it stale`() {
    var harness = live()
    for _ in 0..<60 {
      harness.milliseconds += 990
      harness.say(CoinbaseHarness.heartbeat)
    }
    #expect(harness.book()?.freshness.state == .late)
    harness.milliseconds += 23_600
    #expect(harness.book()?.freshness.state == .stale)
    harness.receive(CoinbaseHarness.text(CoinbaseHarness.heartbeat, number: 3))
    #expect(harness.book()?.freshness.state == .stale, "a repeated message confirms nothing")
  }

  @Test func `a reconnect during a repair subscribes to each once`() {
    var harness = live()
    harness.next += 1
    harness.say(CoinbaseHarness.heartbeat)
    harness.input(.closed)
    #expect(harness.book()?.freshness.state == .disconnected)
    harness.next = 0
    harness.input(.opened)
    #expect(harness.sent == ["subscribe heartbeats"])
    harness.say(CoinbaseHarness.subscriptions)
    #expect(
      harness.sent == [
        "subscribe status BTC-USD ETH-USD", "subscribe level2 BTC-USD ETH-USD",
        "subscribe market_trades BTC-USD",
      ])
  }

  @Test func `an unsubscription during a repair leaves nothing behind`() {
    var harness = live()
    harness.next += 1
    harness.say(CoinbaseHarness.heartbeat)
    harness.input(.wanted([]))
    harness.input(.closed)
    harness.open()
    #expect(harness.sent.isEmpty)
    harness.input(.wanted([book]))
    #expect(harness.sent == ["subscribe status BTC-USD", "subscribe level2 BTC-USD"])
    #expect(harness.table() == " | ")
  }

  @Test func `a wall clock that jumps changes no book and no freshness`() {
    var harness = live()
    harness.wall = Timestamp(milliseconds: 1)
    harness.say(CoinbaseHarness.book("update", bids: "100.5×5"))
    #expect(harness.book()?.freshness.state == .live)
    harness.wall = Timestamp(milliseconds: 4_000_000_000_000)
    harness.say(CoinbaseHarness.book("update", bids: "100.5×6"))
    #expect(harness.book()?.freshness.state == .live && harness.book()?.status == .synced)
  }

  // MARK: Steps

  @Test func `a product's steps decide decimals and ticks, whenever they come`() {
    for first in [true, false] {
      var harness = CoinbaseHarness(wanting: book)
      if first { harness.say(CoinbaseHarness.status(price: "0.5")) }
      harness.say(CoinbaseHarness.book("snapshot", bids: "100.5×0.1", asks: "101×1.5"))
      if !first {
        #expect(harness.book()?.priceDecimals.digits == 1, "of the prices seen")
        harness.say(CoinbaseHarness.status(price: "0.5"))
      }
      let view = harness.book()
      #expect(view?.priceDecimals.digits == 1 && view?.tick.units == 50_000_000)
      #expect(view?.priceScale.digits == 8 && view?.quantityScale.digits == 8)
    }
  }

  @Test func `whole sizes of a coin that costs nearly nothing have no decimals`() {
    var harness = CoinbaseHarness(wanting: book)
    harness.say(CoinbaseHarness.status(price: "0.0000000001", size: "1"))
    harness.say(
      CoinbaseHarness.book(
        "snapshot", bids: "0.0000000012×900000000000000", asks: "0.0000000013×1"))
    #expect(harness.book()?.status == .synced)
    #expect(harness.table() == "0.0000000012×900000000000000 | 0.0000000013×1")
    var unnamed = CoinbaseHarness(wanting: book)
    unnamed.say(
      CoinbaseHarness.book("snapshot", bids: "0.0012×900000000000000", asks: "0.0013×1"))
    #expect(unnamed.table() == "0.0012×900000000000000 | 0.0013×1")
  }

  @Test func `a product that is offline is closed`() {
    var harness = live()
    harness.say(CoinbaseHarness.status(status: "offline"))
    #expect(harness.book()?.freshness.state == .closed)
  }

  // MARK: Figures

  @Test func `the figures of the day are the venue's, the change follows from the percentage`() {
    var harness = CoinbaseHarness(wanting: figures)
    harness.say(
      CoinbaseHarness.ticker(
        "snapshot",
        #""price":"63320.73","volume_24_h":"6629.927726","low_24_h":"63235.88","#
          + #""high_24_h":"64416.3","low_52_w":"57717.55","high_52_w":"126296","#
          + #""price_percent_chg_24_h":"0.03813791548644","best_bid":"63320.73","#
          + #""best_ask":"63320.74","best_bid_quantity":"0.12636254","#
          + #""best_ask_quantity":"0.49679101""#))
    let day = harness.figures()
    #expect(day?.last == FixedDecimal("63320.73") && day?.volume == FixedDecimal("6629.927726"))
    #expect(day?.low == FixedDecimal("63235.88") && day?.high == FixedDecimal("64416.3"))
    #expect(day?.changePercent?.description == "0.04")
    #expect(day?.change?.description == "24.14")
    #expect(day?.bid == FixedDecimal("63320.73") && day?.askSize == FixedDecimal("0.49679101"))
    harness.say(
      CoinbaseHarness.ticker(
        "update", #""price":"95","price_percent_chg_24_h":"-5","best_bid":"","best_ask":null"#))
    #expect(harness.figures()?.change?.description == "-5")
    #expect(harness.figures()?.bid == nil && harness.figures()?.direction == .down)
  }

  @Test(arguments: [
    ("100", "100", "50"), ("1", "-50", "-1"), ("63320.73", "0", "0.00"), ("3", "-100", nil),
    ("3", "-101", nil), ("2", "0.00000000000001", "0"),
  ])
  func `a change is exact to the price's last digit`(
    last: String, percent: String, change: String?
  ) {
    let found = CoinbaseFigures.change(last: FixedDecimal(last), percent: FixedDecimal(percent))
    #expect(found?.description == change)
  }

  // MARK: Checkpoints and times

  @Test func `a checkpoint brings another session to the same state, which counts on`() throws {
    var first = live()
    first.input(.wanted([book, other, trades, figures]))
    first.say(
      CoinbaseHarness.ticker("snapshot", #""price":"95","price_percent_chg_24_h":"-5.123456""#))
    var second = CoinbaseHarness(wanting: book, other, trades, figures, isOpen: false)
    second.input(.opened)
    let request = CheckpointRequest(streams: [book, other, trades, figures], isWhole: true)
    for message in try #require(first.session.checkpoint(request)) {
      second.receive(bytes: message.bytes)
      #expect(second.problems.isEmpty)
    }
    second.next = first.next
    #expect(second.table() == first.table())
    #expect(second.table(CoinbaseHarness.ether) == first.table(CoinbaseHarness.ether))
    #expect(second.tape()?.trades.map(\.identifier) == first.tape()?.trades.map(\.identifier))
    #expect(second.tape()?.trades.map(\.side) == first.tape()?.trades.map(\.side))
    #expect(second.figures()?.change == first.figures()?.change)
    #expect(second.book()?.tick == first.book()?.tick)
    for update in ["100.5×5", "100.5×6"] {
      first.say(CoinbaseHarness.book("update", bids: update))
      second.say(CoinbaseHarness.book("update", bids: update))
      #expect(second.table() == first.table() && second.book()?.status == .synced)
    }
    second.next += 1
    second.say(CoinbaseHarness.heartbeat)
    #expect(second.book()?.status == .resyncing)
  }

  @Test func `the times of updates are those of their rows`() {
    let session = CoinbaseSession(origin: .simulated)
    func times(_ message: (channel: String, events: String)) -> VenueTimes? {
      session.times(in: Array(CoinbaseHarness.text(message, number: 1).utf8).span)
    }
    let time = Timestamp(iso8601: "2026-08-24T22:34:13.788063Z")
    #expect(times(CoinbaseHarness.book("update", bids: "1×1")) == time.map(VenueTimes.event))
    #expect(times(CoinbaseHarness.book("update")) == nil)
    #expect(times(CoinbaseHarness.book("snapshot", bids: "1×1")) == nil)
    #expect(times(CoinbaseHarness.heartbeat) == nil)
    #expect(
      times(CoinbaseHarness.trades("update", "1 BUY 1 1"))
        == .event(Timestamp(milliseconds: 500)))
  }
}
