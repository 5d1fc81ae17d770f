// What differs at Bybit's perpetuals: changed figures alone, trades without numbers, empty texts.

import MarketModel
import Testing
import VenueCatalogue

@testable import VenueProtocols

@Suite struct BybitLinearTests {
  private let figures = Subscription(.figures, BybitHarness.bitcoin)
  private let trades = Subscription(.trades, BybitHarness.bitcoin)

  private static let snapshot = BybitHarness.ticker(
    #""lastPrice":"61874.00","prevPrice24h":"62484.60","highPrice24h":"62752.90","#
      + #""lowPrice24h":"61000.10","volume24h":"98430.1050""#)

  private func spelled(_ figures: DayFigures?) -> [String?] {
    [
      figures?.last, figures?.change, figures?.changePercent, figures?.high, figures?.low,
      figures?.volume,
    ].map { $0?.trimmed.description }
  }

  @Test func `a delta changes the figures that it names, and the change with them`() {
    var harness = BybitLinearHarness(wanting: figures)
    harness.receive(Self.snapshot)
    let whole = ["61874", "-610.6", "-0.98", "62752.9", "61000.1", "98430.105"]
    #expect(spelled(harness.figures()) == whole)
    #expect(harness.figures()?.last?.description == "61874", "zeros at the end are no digits")
    harness.receive(BybitHarness.tickerDelta(#","markPrice":"61875.06","bid1Price":"61873.90""#))
    harness.receive(BybitHarness.tickerDelta(""))
    #expect(spelled(harness.figures()) == whole)
    harness.receive(BybitHarness.tickerDelta(#","lastPrice":"61884.60""#))
    #expect(spelled(harness.figures()) == ["61884.6", "-600", "-0.96"] + whole.suffix(3))
    #expect(harness.figures()?.direction == .up)
    harness.receive(BybitHarness.tickerDelta(#","prevPrice24h":"61884.60","volume24h":"98431""#))
    #expect(spelled(harness.figures()) == ["61884.6", "0", "0", "62752.9", "61000.1", "98431"])
  }

  @Test func `a delta before the snapshot means nothing`() {
    var harness = BybitLinearHarness(wanting: figures)
    harness.receive(BybitHarness.tickerDelta(#","lastPrice":"1""#))
    #expect(harness.figures()?.last == nil)
    harness.receive(Self.snapshot)
    harness.input(.closed)
    harness.input(.opened)
    harness.receive(BybitHarness.tickerDelta(#","lastPrice":"1""#))
    #expect(spelled(harness.figures()).first == "61874", "the figures of the last connection")
    #expect(harness.figures()?.freshness.state != .live)
    harness.receive(Self.snapshot)
    #expect(harness.figures()?.freshness.state == .live)
  }

  @Test func `after an unreadable ticker the figures wait for a snapshot`() {
    var harness = BybitLinearHarness(wanting: figures)
    harness.receive(Self.snapshot)
    harness.receive(BybitHarness.tickerDelta(#","lastPrice":"x""#))
    #expect(harness.figures()?.freshness.state == .resyncing)
    harness.receive(BybitHarness.tickerDelta(#","highPrice24h":"70000""#))
    #expect(harness.figures()?.high?.description == "62752.9")
    harness.receive(Self.snapshot)
    #expect(harness.figures()?.freshness.state == .live)
  }

  @Test func `the state is written so that a delta continues it`() throws {
    var harness = BybitLinearHarness(wanting: figures)
    harness.receive(Self.snapshot)
    let request = CheckpointRequest(streams: [figures], isWhole: true)
    let messages = try #require(harness.session.checkpoint(request))
    var follower = BybitLinearHarness(wanting: figures)
    for message in messages { follower.receive(bytes: message.bytes) }
    let delta = BybitHarness.tickerDelta(#","lastPrice":"61884.60""#)
    harness.receive(delta)
    follower.receive(delta)
    #expect(spelled(follower.figures()) == spelled(harness.figures()))
  }

  @Test func `the captured ticker and its delta are read`() throws {
    var replay = BybitReplay<BybitLinear>()
    let text = try CapturedBooks.text("ws-tickers-linear-BTCUSDT-2024-05-15.jsonl", "bybit")
    for line in text.split(separator: "\n") {
      let problem = replay.process(Array(line.utf8).span, at: ClockReading(milliseconds: 1))
      #expect(problem == nil)
    }
    #expect(replay.messages == 2)
  }

  @Test func `trades have no numbers, and a repeated one is recognised by its UUID`() {
    var harness = BybitLinearHarness(wanting: trades)
    func trade(_ identifier: String) -> String {
      #"{"topic":"publicTrade.BTCUSDT","type":"snapshot","ts":1672304486868,"data":[{"#
        + #""T":1672304486865,"s":"BTCUSDT","S":"Buy","v":"0.001","p":"16578.50","#
        + #""L":"PlusTick","i":"\#(identifier)","BT":false,"seq":1783284617}]}"#
    }
    harness.wall = Timestamp(milliseconds: 1_672_304_487_000)
    harness.receive(trade("20f43950-d8dd-5b31-9112-a178eb6023af"))
    harness.receive(trade("20f43950-d8dd-5b31-9112-a178eb6023af"))
    harness.receive(trade("4c1e1a5a-0d0f-5a0a-8f5e-0c64f0b7c6f2"))
    #expect(harness.tape()?.trades.count == 2)
    #expect(!Venue.bybitLinear.adapter.numbersTrades)
    #expect(Venue.bybitLinear.adapter.history?.givesTrades == false)
  }

  @Test func `an empty text acknowledges, and the text of a refusal names the topic`() throws {
    let nope = Symbol(known: "NOPE")
    var harness = BybitLinearHarness(wanting: trades, Subscription(.trades, nope))
    harness.receive(
      #"{"success":false,"ret_msg":"error:handler not found,topic:publicTrade.NOPE","#
        + #""conn_id":"x","op":"subscribe"}"#)
    let value = harness.session.value(for: Subscription(.trades, nope), at: harness.now)
    guard case .trades(let view) = value else {
      Issue.record("no trades: \(String(describing: value))")
      return
    }
    #expect(!view.isKnown)
    harness.receive(BybitHarness.response("subscribe", 2))
    #expect(harness.effects.isEmpty)
  }

  @Test func `candles are those of linear contracts`() {
    let history = Venue.bybitLinear.adapter.history
    #expect(
      history?.path(.candles(.minute), "BTCUSDT")
        == "/v5/market/kline?category=linear&symbol=BTCUSDT&interval=1&limit=1000")
  }
}
