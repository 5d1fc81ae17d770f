// EX2, OB2: an instrument's candles behind the screens.

import ChartModel
import MarketHistory
import MarketModel
import MarketStreams
import Testing
import VenueCatalogue

@Suite struct CandleStreamTests {
  private func stream() throws -> CandleStream {
    try #require(CandleStream(InstrumentKey(.bitmex, try symbol("XBTUSD")), origin: .simulated))
  }

  private func trade(_ price: Int64, _ time: Int64) -> MarketEvent {
    .trade(
      Trade(
        price: Price(units: price), size: Quantity(units: 5), side: .sell,
        time: Timestamp(milliseconds: time), arrival: 1),
      priceScale: Scale(clamping: 1), quantityScale: .whole)
  }

  private func tape(_ symbol: Symbol, _ trades: [Trade] = [], confirmed: Int64) -> MarketValue {
    .trades(
      TapeView(
        symbol: symbol, trades: trades, priceScale: Scale(clamping: 1), quantityScale: .whole,
        priceDecimals: Scale(clamping: 1), freshness: fresh(.live, confirmed)))
  }

  @Test("OB2 only instruments that their venue may have have candles")
  func instruments() throws {
    #expect(CandleStream(InstrumentKey(.bitmex, try symbol("NO*PE"))) == nil)
    #expect(CandleStream(InstrumentKey(.isin, try symbol("XBTUSD"))) == nil)
    #expect(CandleStream(InstrumentKey(.exchange, try symbol("XBTUSD"))) == nil)
    #expect(CandleStream(InstrumentKey(.kraken, try symbol("BTC/USD"))) != nil)
  }

  @Test func `without venue history nothing waits for it`() throws {
    let key = InstrumentKey(.kraken, try symbol("BTC/USD"))
    let (asks, has) = (CandleStream(key), CandleStream(key, canAskHistory: false))
    #expect(try #require(asks).state.history == .loading)
    #expect(try #require(has).state.history == .none)
  }

  @Test("EX2 every trade of a burst is in the candles, in its order")
  func burst() throws {
    var stream = try stream()
    for price in 1...5 { stream.receive(trade(Int64(price), 1000), at: at(1000)) }
    #expect(stream.state.ticks.map(\.arrival) == [1, 2, 3, 4, 5])
    #expect(stream.page(of: .second).candles.last?.volume == Quantity(units: 25))
    #expect(stream.page(of: .second).lastArrival == 5)
    #expect(stream.state.quantityScale == .whole)
  }

  @Test("EX2 a lost connection is a gap, and the stream reports it meanwhile")
  func lost() throws {
    var stream = try stream()
    let xbt = try symbol("XBTUSD")
    _ = stream.receive(connection(.bitmex, .live), at: at(0))
    _ = stream.receive(tape(xbt, confirmed: 1000), at: at(1000))
    #expect(stream.freshness.state == .live)
    _ = stream.receive(connection(.bitmex, .backingOff, since: 2000), at: at(2000))
    #expect(stream.freshness.state == .disconnected)
    _ = stream.receive(connection(.bitmex, .live, since: 5000), at: at(5000))
    #expect(stream.freshness.state == .stale, "nothing has been confirmed yet")
    _ = stream.receive(tape(xbt, confirmed: 5500), at: at(5500))
    #expect(stream.page(of: .second).gaps == [SeriesGap(start: 1000, end: 5500)])
  }

  @Test("EX2 candles begin with the trades that the tape shows, each once")
  func beginning() throws {
    var stream = try stream()
    let xbt = try symbol("XBTUSD")
    let trades = [3, 2, 1].map { arrival in
      Trade(
        price: Price(units: Int64(arrival)), size: Quantity(units: 5), side: .buy,
        time: Timestamp(milliseconds: Int64(arrival) * 1000), arrival: UInt64(arrival))
    }
    let tape = tape(xbt, trades, confirmed: 3000)
    _ = stream.receive(tape, at: at(3000))
    #expect(stream.page(of: .second).candles.count == 3)
    #expect(stream.page(of: .second).seenSince == 1000)
    stream.receive(trade(4, 4000), at: at(4000))
    _ = stream.receive(tape, at: at(4000))
    #expect(stream.state.ticks.map(\.arrival) == [1, 2, 3, 4])
  }

  @Test("OB2 a market with more decimals than usual has its ticks, and its history loads again")
  func manyDecimals() throws {
    let op = try symbol("OP/BTC")
    var stream = try #require(CandleStream(InstrumentKey(.kraken, op), origin: .simulated))
    let asked = stream.want(.minute, at: at(120_000))
    let price = try decimal("0.0000108267")
    let row = VenueCandle(
      start: 60_000, open: price, high: price, low: price, close: price,
      volume: try decimal("2.5"), count: 1)
    let response = HistoryResponse.candles(VenueCandles(rows: [row], lastCommitted: 60_000))
    for request in asked { _ = stream.receive(.success(response), to: request, at: at(120_000)) }
    #expect(stream.page(of: .minute).candles.isEmpty, "eight decimals can't hold the price")
    let revision = stream.state.revision
    let trade = Trade(
      price: Price(units: 108_268), size: Quantity(units: 1), side: .buy,
      time: Timestamp(milliseconds: 120_500), arrival: 1)
    let tape = TapeView(
      symbol: op, trades: [trade], priceScale: price.scale, quantityScale: .whole,
      priceDecimals: price.scale, freshness: fresh(.live, 120_500))
    let again = stream.receive(.trades(tape), at: at(120_500))
    #expect(stream.state.priceScale == price.scale && stream.state.revision > revision)
    #expect(stream.state.ticks.map(\.price) == [Price(units: 108_268)])
    #expect(again.contains(.candles(.minute)))
    for request in again { _ = stream.receive(.success(response), to: request, at: at(121_000)) }
    #expect(stream.page(of: .minute).candles.first?.close == Price(units: price.units))
  }

  private func tick(_ price: String, _ number: UInt64) throws -> MarketEvent {
    .tick(
      MarketTick(
        time: number, last: try decimal(price), bid: try decimal("1"), bidQuantity: .zero,
        ask: try decimal("1000"), askQuantity: .zero), number: number)
  }

  /// The exchange's stock, ticking each second from `start` on.
  private func exchange(from start: Int64, seconds: Int64) throws -> CandleStream {
    var stream = try #require(
      CandleStream(
        InstrumentKey(.exchange, ExchangeCatalogue.symbol), origin: .simulated))
    for second in 0..<seconds {
      let now = at(start + second * 1000)
      stream.receive(try tick("45.10", UInt64(second) + 1), at: now)
      _ = stream.receive(
        .quote(
          QuoteView(
            symbol: ExchangeCatalogue.symbol, price: try decimal("45.10"),
            freshness: fresh(.live, start + second * 1000))), at: now)
      _ = stream.timer(at: at(start + second * 1000 + 999))
    }
    return stream
  }

  @Test("LT15 a partial day has its start, and is not whole", arguments: [12, 120])
  func partOfADay(seconds: Int64) throws {
    let start = 9 * 3_600_000 + 5 * 60_000 + Int64(500)
    let page = try exchange(from: start, seconds: seconds).page(of: .day)
    let candle = try #require(page.candles.last)
    #expect(page.candles.count == 1 && Int64(candle.missing) >= start)
    #expect(page.seenSince.map { abs($0 - start) <= 1000 } == true)
  }

  @Test("LT15 a minute that begins at this very moment lacks nothing")
  func firstMoment() throws {
    var stream = try exchange(from: 60_000, seconds: 60)
    stream.receive(try tick("45.20", 61), at: at(120_000))
    let page = stream.page(of: .minute)
    #expect(page.candles.map(\.start) == [60_000, 120_000])
    #expect(page.candles.last?.missing == 0)
  }

  @Test("A page of the past holds only what is older, at most a thousand candles")
  func older() throws {
    var stream = try stream()
    for second in 0..<1200 { stream.receive(trade(5, Int64(second) * 1000), at: at(0)) }
    let page = stream.page(of: .second, before: 1_150_000)
    #expect(page.candles.count == CandlePage.maximumOlder)
    #expect(page.candles.last?.start == 1_149_000)
    #expect(page.hasOlder)
    #expect(!stream.page(of: .second, before: 5000).hasOlder)
  }
}
