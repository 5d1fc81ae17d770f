// The small lines of lists: their data, their lifetime, and that no chart waits for them.

import ChartModel
import MarketHistory
import MarketModel
import MarketStreams
import Testing
import VenueProtocols

@Suite struct SparkTests {
  private let hour = CandleInterval.hour.milliseconds
  private var now: ClockReading { at(30 * hour + 600_000) }

  private func candle(_ hours: Int64, _ close: Int64, missing: Int32 = 0) -> Candle {
    Candle(
      start: hours * hour, open: Price(units: close), high: Price(units: close),
      low: Price(units: close), close: Price(units: close), volume: .zero, missing: missing,
      source: .venue)
  }

  @Test("A line has 24 whole hours and the forming one, with gaps where data is missing")
  func line() throws {
    var candles = (0...30).map { candle($0, 1000 + $0) }
    candles[10].count = 0
    candles.remove(at: 20)
    let line = SparkLine(candles, priceScale: Scale(clamping: 1), at: now.wall)
    #expect(line.from == 6 * hour && line.closes.count == 25)
    #expect(try line.closes.first == decimal("100.6") && line.closes.last == decimal("103"))
    #expect(line.closes[4] == nil && line.closes[14] == nil)
    #expect(line.closes.count { $0 == nil } == 2)
    #expect(!line.isWhole && line.source == .venue)
  }

  @Test("A line is as good as its worst hour, and missing without any close")
  func source() {
    var candles = (6...29).map { candle($0, 7) }
    #expect(SparkLine(candles, priceScale: .whole, at: now.wall).isWhole)
    candles[3].source = .trades
    #expect(SparkLine(candles, priceScale: .whole, at: now.wall).source == .trades)
    candles[5].missing = 1000
    let part = SparkLine(candles, priceScale: .whole, at: now.wall)
    #expect(part.source == .seen && !part.isWhole && part.closes[5] != nil)
    #expect(SparkLine([candle(3, 7)], priceScale: .whole, at: now.wall).closes.isEmpty)
    let forming = SparkLine([candle(30, 7)], priceScale: .whole, at: now.wall)
    #expect(forming.closes.last != nil && forming.source == .seen)
  }

  @Test("An answer holds until its hour ends, one that is not the last word for a minute")
  func holding() throws {
    var board = SparkBoard()
    let (one, other) = try (
      InstrumentKey(.kraken, symbol("ADA/USD")), InstrumentKey(.kraken, symbol("SOL/USD"))
    )
    board.keep(.unknown, of: one, isLastWord: true, at: now)
    board.keep(.late, of: other, isLastWord: false, at: now)
    #expect(board.answer(one, at: at(31 * hour - 1)) == .unknown)
    #expect(board.answer(one, at: at(31 * hour)) == nil)
    #expect(board.answer(other, at: at(30 * hour + 659_999)) == .late)
    #expect(board.answer(other, at: at(30 * hour + 660_000)) == nil)
  }

  @Test("No more answers are kept than there is room for, the oldest go")
  func room() throws {
    var board = SparkBoard()
    for number in 0...SparkBoard.maximumCount {
      let key = try InstrumentKey(.kraken, symbol("A\(number)/USD"))
      board.keep(.unknown, of: key, isLastWord: true, at: now)
    }
    #expect(board.count == SparkBoard.maximumCount)
    #expect(try board.answer(InstrumentKey(.kraken, symbol("A0/USD")), at: now) == nil)
  }

  @Test("A chart's question overtakes a hundred lines that wait, and goes at once")
  func overtaking() throws {
    var queue = HistoryQueue(try #require(Venue.kraken.adapter.history))
    var names: [Symbol: String] = [:]
    for number in 0..<100 {
      let pair = try symbol("A\(number)/USD")
      names[pair] = "A\(number)USD"
      let question = HistoryQueue.Question(InstrumentKey(.kraken, pair), .candles(.hour))
      for _ in 0..<2 {
        let dropped = queue.addPatient(question)
        #expect(dropped == nil)
      }
    }
    _ = queue.next(at: at(0).monotonic)
    let early = queue.nextPatient(at: at(0).monotonic)
    #expect(early == .idle, "there are no names yet")
    _ = queue.receive(.success(.names(names)), at: at(0).monotonic)
    let delayed = queue.nextPatient(at: at(0).monotonic)
    #expect(delayed == .wait(1000), "two calls stay for charts")
    guard case .ask(let line, _) = queue.nextPatient(at: at(1000).monotonic) else {
      Issue.record("no line is asked for")
      return
    }
    #expect(try line.instrument.symbol == symbol("A99/USD"), "the latest comes first")
    for interval in [CandleInterval.minute, .hour] {
      let chart = HistoryQueue.Question(line.instrument, .candles(interval))
      let isTaken = queue.add(chart)
      #expect(isTaken)
      guard case .ask(chart, _) = queue.next(at: at(1000).monotonic) else {
        Issue.record("the chart waits, though only a line is under way")
        return
      }
      let heard = queue.receive(.failure(.badAnswer("")), at: at(1000).monotonic)
      #expect(heard.questions == [chart])
    }
    let answered = queue.receivePatient(.failure(.badAnswer("")), at: at(1000).monotonic)
    #expect(answered == line)
    var asked = 0
    for second in 2...200 {
      guard case .ask = queue.nextPatient(at: at(Int64(second) * 1000).monotonic) else { continue }
      asked += 1
      _ = queue.receivePatient(.failure(.badAnswer("")), at: at(Int64(second) * 1000).monotonic)
    }
    #expect(asked == 99, "all others are asked, one a second")
  }

  @Test("At most two hundred lines wait: the one that waited longest gives way")
  func bound() throws {
    var queue = HistoryQueue(try #require(Venue.bitmex.adapter.history))
    let questions = try (0...200).map {
      HistoryQueue.Question(InstrumentKey(.bitmex, try symbol("A\($0)")), .candles(.hour))
    }
    let dropped = questions.compactMap { queue.addPatient($0) }
    #expect(dropped == [questions[0]])
  }

  @Test("Without names all pending requests fail, lines too")
  func noNames() throws {
    var queue = HistoryQueue(try #require(Venue.kraken.adapter.history))
    let line = try HistoryQueue.Question(InstrumentKey(.kraken, symbol("ADA/USD")), .candles(.hour))
    _ = queue.addPatient(line)
    _ = queue.next(at: at(0).monotonic)
    let heard = queue.receive(.failure(.badAnswer("cut")), at: at(1).monotonic)
    #expect(heard.questions == [line])
  }
}
