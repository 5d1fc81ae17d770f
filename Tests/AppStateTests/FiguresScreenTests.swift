// The day's figures on a header or a row: exact, with their window and the age of their own time.

import MarketHistory
import MarketModel
import MarketStreams
import Testing

@testable import AppState

@Suite struct FiguresScreenTests {
  private static let bitcoin = InstrumentKey(.kraken, Symbol(known: "BTC/USD"))
  private static let morning = Timestamp(iso8601: "2026-11-21T09:05:00.000Z")

  private func screen() throws -> FiguresScreen {
    try #require(FiguresScreen(Self.bitcoin, origin: .simulated))
  }

  private func figures(
    _ change: (inout DayFigures) throws -> Void = { _ in }
  ) throws -> ScreenInput {
    var figures = DayFigures(symbol: Self.bitcoin.symbol, freshness: fresh(.live))
    figures.last = try decimal("105899.4")
    figures.change = try decimal("250.0")
    figures.changePercent = try decimal("0.24")
    try change(&figures)
    return .value(MarketKey(.kraken, .figures, Self.bitcoin.symbol), .figures(figures))
  }

  @Test func `it subscribes the figures of its instrument and nothing else`() throws {
    let screen = try screen()
    #expect(screen.wanted == [MarketKey(.kraken, .figures, Self.bitcoin.symbol)])
    #expect(screen.state.figures == nil && screen.state.freshness.state == .waiting)
    #expect(screen.state.windowWords(utcOffset: 0, at: Timestamp(milliseconds: 0)) == nil)
  }

  @Test func `where the venue states none, they are those of its candles`() throws {
    let instrument = InstrumentKey(.bitmex, try symbol("XBTUSD"))
    var screen = try #require(FiguresScreen(instrument, origin: .simulated))
    #expect(screen.wanted.isEmpty && screen.wantedCandles == instrument)
    var figures = DayFigures(
      symbol: instrument.symbol, window: .since(try #require(Self.morning)), freshness: fresh(.live)
    )
    figures.last = try decimal("64250.5")
    screen.take(
      .candles(
        instrument,
        CandleStreamState(
          priceScale: .whole, quantityScale: .whole, priceDecimals: nil,
          freshness: fresh(.stale, 5), ticks: [], history: .ready, revision: 1,
          figures: figures)))
    #expect(screen.state.figures?.last?.description == "64250.5")
    #expect(screen.state.freshness.state == .stale, "as its candles are judged")
  }

  @Test func `there are figures of instruments that exist, at their own venue`() throws {
    #expect(FiguresScreen(InstrumentKey(.bitmex, Self.bitcoin.symbol)) == nil)
    #expect(FiguresScreen(InstrumentKey(.exchange, try symbol("NOPE"))) == nil)
    #expect(FiguresScreen(InstrumentKey(.isin, try symbol("US0378331005"))) != nil)
    #expect(FiguresScreen(InstrumentKey(.isin, try symbol("XBTUSD"))) == nil)
    #expect(FiguresScreen(InstrumentKey(.bitmex, try symbol("XBTUSD"))) != nil)
    #expect(FiguresScreen(InstrumentKey(.kraken, try symbol("ADA/USD"))) != nil)
  }

  @Test func `the venue's figures are shown digit by digit`() throws {
    var screen = try screen()
    screen.take(try figures())
    #expect(screen.state.figures?.last?.description == "105899.4")
    #expect(screen.state.changePercent?.description == "0.24")
    #expect(screen.state.movement == .up && screen.state.freshness == fresh(.live))
    let words = screen.state.windowWords(utcOffset: 0, at: Timestamp(milliseconds: 0))
    #expect(words == "24 h")
  }

  @Test func `where the venue names no percentage it is computed from the window's first price`()
    throws
  {
    var screen = try screen()
    screen.take(
      try figures {
        $0.changePercent = nil
        $0.last = try decimal("150")
        $0.change = try decimal("-50.00")
      })
    #expect(screen.state.changePercent?.description == "-25.00")
    #expect(screen.state.movement == .down)
  }

  @Test func `without a change there is no percentage, whatever the last price`() throws {
    var screen = try screen()
    screen.take(try figures())
    screen.take(
      try figures {
        $0.change = nil
        $0.changePercent = nil
        $0.window = .since(Timestamp(milliseconds: 0))
      })
    #expect(screen.state.changePercent == nil && screen.state.movement == .unchanged)
    screen.take(
      try figures {
        $0.changePercent = nil
        $0.change = $0.last
      })
    #expect(screen.state.changePercent == nil, "nothing is a percentage of nothing")
  }

  @Test func `a snapshot's age counts from its own time, not from its arrival`() throws {
    var screen = try screen()
    let wall = try #require(Timestamp(iso8601: "2026-11-21T09:05:10.000Z"))
    let now = ClockReading(monotonic: MonotonicTime(milliseconds: 60_000), wall: wall)
    let input = try figures { $0.at = Self.morning }
    _ = screen.receive(input, at: now)
    #expect(screen.state.valueTime?.wall == Self.morning)
    #expect(screen.state.valueTime?.monotonic == MonotonicTime(milliseconds: 50_000))
    #expect(AgeText.since(try #require(screen.state.valueTime), at: now) == "10 s ago")
  }

  @Test func `a time ahead of this clock, or a clock that was never set, makes no age`() throws {
    let morning = try #require(Self.morning)
    for wall in [Timestamp(milliseconds: 0), Timestamp(nanoseconds: morning.nanoseconds - 1)] {
      var screen = try screen()
      let now = ClockReading(monotonic: MonotonicTime(milliseconds: 60_000), wall: wall)
      let input = try figures { $0.at = morning }
      _ = screen.receive(input, at: now)
      #expect(screen.state.valueTime?.monotonic == now.monotonic)
    }
    var screen = try screen()
    screen.take(try figures(), 500)
    #expect(screen.state.valueTime == at(0), "no time of its own: when it was confirmed")
  }

  @Test func `figures are worth no more than the venue's connection`() throws {
    var screen = try screen()
    screen.take(connection(.kraken, .live))
    screen.take(try figures())
    #expect(screen.state.freshness.state == .live)
    screen.take(connection(.kraken, .backingOff, since: 100))
    #expect(screen.state.freshness.state == .disconnected && screen.state.figures != nil)
    screen.take(connection(.kraken, .live, since: 200))
    #expect(screen.state.freshness.state == .stale, "not confirmed since the outage")
    screen.take(try figures { $0.freshness = fresh(.live, 300) })
    #expect(screen.state.freshness.state == .live)
    screen.take(connection(.bitmex, .backingOff, since: 400))
    #expect(screen.state.freshness.state == .live, "another venue's")
  }

  @Test func `figures of another instrument, and other values, change nothing`() throws {
    var screen = try screen()
    screen.take(try figures())
    let before = screen.state
    screen.take(try quote(.kraken, "BTC/USD", "1"))
    let other = DayFigures(symbol: try symbol("ETH/USD"), freshness: fresh(.live))
    screen.take(.value(MarketKey(.kraken, .figures, Self.bitcoin.symbol), .figures(other)))
    screen.take(.value(MarketKey(.kraken, .figures, other.symbol), .figures(other)))
    screen.take(.timer, 5000)
    #expect(screen.state == before)
  }

  @Test(arguments: [
    ("2026-11-21T09:05:00.000Z", 0, "2026-11-21T09:07:00.000Z", "since 09:05"),
    ("2026-11-21T09:05:59.999Z", 3600, "2026-11-21T09:07:00.000Z", "since 10:05"),
    ("2026-11-21T09:05:00.000Z", 0, "2026-11-22T09:04:00.000Z", "since 21 Nov, 09:05"),
    ("2026-11-20T23:30:00.000Z", 3600, "2026-11-21T09:04:00.000Z", "since 00:30"),
    ("2026-11-21T00:30:00.000Z", -18_000, "2026-11-21T09:04:00.000Z", "since 20 Nov, 19:30"),
    ("2025-12-31T12:00:00.000Z", 19_800, "2026-01-01T00:00:00.000Z", "since 31 Dec, 17:30"),
  ])
  func `a window shorter than a day shows its start, in the user's time zone`(
    _ start: String, _ offset: Int, _ now: String, _ words: String
  ) throws {
    let window = DayFigures.Window.since(try #require(Timestamp(iso8601: start)))
    let now = try #require(Timestamp(iso8601: now))
    #expect(WindowText.words(window, utcOffset: offset, at: now).description == words)
    #expect(WindowText.words(.last24Hours, utcOffset: offset, at: now) == "24 h")
    #expect(WindowText.name("High", of: window, utcOffset: offset, at: now) == "High \(words)")
    #expect(WindowText.name("High", of: .last24Hours, utcOffset: offset, at: now) == "24 h high")
    #expect(WindowText.name("VWAP", of: .last24Hours, utcOffset: offset, at: now) == "24 h VWAP")
  }
}

/// Instruments with only a last price, and figures that the venue lacks.
@Suite struct QuotedFiguresTests {
  @Test(arguments: ["isin/US0378331005", "bux/sb26493", "echo/AAPL"])
  func `of a quote there are price, direction and changes`(_ id: String) throws {
    let instrument = try #require(InstrumentKey(text: id))
    var screen = try #require(FiguresScreen(instrument, origin: .simulated))
    #expect(screen.wanted == [MarketKey(instrument.venue, .quote, instrument.symbol)])
    #expect(screen.wantedCandles == nil && screen.state.figures == nil)
    screen.take(connection(instrument.venue, .live))
    screen.take(
      try quote(
        instrument.venue, instrument.symbol.text, "10.5", fresh(.live, 5), direction: .up,
        changes: 3))
    #expect(screen.state.figures?.last == (try decimal("10.5")))
    #expect(screen.state.figures?.changes == 3 && screen.state.figures?.direction == .up)
    #expect(screen.state.changePercent == nil && screen.state.movement == .unchanged)
    #expect(screen.state.freshness.state == .live && screen.state.valueTime == at(5))
    screen.take(connection(instrument.venue, .backingOff, since: 9), 9)
    #expect(screen.state.freshness.state == .disconnected)
  }

  @Test(arguments: ["isin/US0000000000", "bux/no.pe", "echo/NOPE", "exchange/NOPE", "bitmex/NO*PE"])
  func `what is in no catalogue has no figures`(_ id: String) throws {
    #expect(FiguresScreen(try #require(InstrumentKey(text: id))) == nil)
  }

  @Test func `an instrument that its venue refuses is unknown until the venue has it`() throws {
    let nope = InstrumentKey(.kraken, try symbol("NOPE/USD"))
    var screen = try #require(FiguresScreen(nope, origin: .simulated))
    #expect(screen.state.isKnown, "nobody has refused it yet")
    let key = MarketKey(.kraken, .figures, nope.symbol)
    var figures = DayFigures(symbol: nope.symbol, freshness: fresh(.live), isKnown: false)
    screen.take(.value(key, .figures(figures)))
    #expect(!screen.state.isKnown && screen.state.figures == nil)
    #expect(screen.state.freshness.state == .waiting)
    figures.isKnown = true
    figures.last = try decimal("1.0")
    screen.take(.value(key, .figures(figures)))
    let last = try decimal("1.0")
    #expect(screen.state.isKnown && screen.state.figures?.last == last)
  }
}
