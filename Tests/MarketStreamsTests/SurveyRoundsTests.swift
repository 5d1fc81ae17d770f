// The survey's pace: a batch at a time, a round in five minutes, none without observers.

import MarketModel
import MarketStreams
import Testing

struct SurveyRoundsTests {
  /// A survey that an expectation may advance.
  private final class Driver {
    var rounds = SurveyRounds()
    func steps(at time: MonotonicTime) -> [SurveyRounds.Step] { rounds.steps(at: time) }
    func watch(_ isWatched: Bool) { rounds.watch(isWatched) }
    func connect(_ isConnected: Bool, at time: MonotonicTime) {
      rounds.connect(isConnected, at: time)
    }
    func list(_ markets: [Symbol]) { rounds.list(markets) }
    func take(_ market: Symbol) { rounds.take(market) }
    func finishAll(isGood: Bool, at time: MonotonicTime) {
      rounds.finishAll(isGood: isGood, at: time)
    }
  }

  private final class Known {
    var state = SurveyState()
    func take(_ figures: DayFigures, of instrument: InstrumentKey) -> Bool {
      state.take(figures, of: instrument)
    }
  }

  private func at(_ milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(nanoseconds: milliseconds * 1_000_000)
  }

  private func markets(_ count: Int) -> [Symbol] {
    (0..<count).compactMap { Symbol("C\($0 + 1000)/USD") }
  }

  /// An observed survey of many markets, past its fast beginning.
  private func survey(of count: Int) -> Driver {
    let rounds = Driver()
    rounds.watch(true)
    rounds.connect(true, at: at(0))
    rounds.list(markets(count))
    _ = rounds.steps(at: at(0))
    rounds.finishAll(isGood: true, at: at(0))
    return rounds
  }

  @Test func `where all figures come at once no market is followed`() {
    let rounds = Driver()
    rounds.rounds = SurveyRounds(followsMarkets: false)
    rounds.watch(true)
    rounds.connect(true, at: at(0))
    rounds.list(markets(3))
    #expect(rounds.steps(at: at(0)) == [.askAll])
    rounds.finishAll(isGood: true, at: at(0))
    #expect(rounds.steps(at: at(1000)) == [] && rounds.steps(at: at(299_000)) == [])
    #expect(rounds.steps(at: at(300_000)) == [.askAll])
  }

  @Test func `nothing is requested without observers, a connection or a listing`() {
    let rounds = Driver()
    #expect(rounds.steps(at: at(0)) == [])
    rounds.watch(true)
    #expect(rounds.steps(at: at(0)) == [])
    rounds.connect(true, at: at(0))
    #expect(rounds.steps(at: at(0)) == [])
    rounds.list(markets(1))
    #expect(rounds.steps(at: at(0)) == [.askAll])
    #expect(rounds.steps(at: at(0)) == [], "the answer is waited for")
  }

  @Test func `batches of 50 go a second apart, each let go when its figures are there`() {
    let rounds = survey(of: 120)
    let all = markets(120)
    #expect(rounds.steps(at: at(0)) == [.follow(Array(all[..<50]))])
    for market in all[..<50] { rounds.take(market) }
    #expect(rounds.steps(at: at(300)) == [.letGo])
    #expect(rounds.steps(at: at(900)) == [])
    #expect(rounds.steps(at: at(1000)) == [.follow(Array(all[50..<100]))])
    for market in all[53..<100] { rounds.take(market) }
    #expect(rounds.steps(at: at(3999)) == [], "three are missing")
    #expect(
      rounds.steps(at: at(4000)) == [.letGo, .follow(Array(all[50..<53] + all[100...]))],
      "they go with the next batch")
    for market in all[100...] { rounds.take(market) }
    #expect(rounds.steps(at: at(6999)) == [])
    #expect(rounds.steps(at: at(7000)) == [.letGo])
    #expect(rounds.steps(at: at(33_999)) == [], "the second time after a pause")
    #expect(rounds.steps(at: at(34_000)) == [.follow(Array(all[50..<53]))])
    for market in all[50..<53] { rounds.take(market) }
    #expect(rounds.steps(at: at(34_250)) == [.letGo])
    #expect(rounds.steps(at: at(299_999)) == [])
    #expect(rounds.steps(at: at(300_000)) == [.askAll])
    rounds.finishAll(isGood: true, at: at(300_000))
    #expect(rounds.steps(at: at(300_000)) == [.follow(Array(all[..<50]))])
  }

  @Test func `there is never more than one batch, and each market once in a round`() {
    let rounds = survey(of: 1400)
    var following = 0
    var asked: [Symbol] = []
    for milliseconds in stride(from: Int64(0), to: 200_000, by: 250) {
      for step in rounds.steps(at: at(milliseconds)) {
        switch step {
        case .follow(let batch):
          following += 1
          asked += batch
          for market in batch { rounds.take(market) }
        case .letGo: following -= 1
        case .askAll: Issue.record("once is enough")
        }
        #expect((0...1).contains(following))
      }
    }
    #expect(asked == markets(1400))
  }

  @Test func `it ends with its last observer, and continues where it was with the next`() {
    let rounds = survey(of: 120)
    let all = markets(120)
    _ = rounds.steps(at: at(0))
    for market in all[..<40] { rounds.take(market) }
    rounds.watch(false)
    #expect(rounds.steps(at: at(100)) == [.letGo])
    #expect(rounds.steps(at: at(5000)) == [])
    rounds.watch(true)
    #expect(rounds.steps(at: at(6000)) == [.follow(Array(all[40..<90]))])
  }

  @Test func `a lost connection lets go and leaves the venue alone for a while`() {
    let rounds = survey(of: 120)
    _ = rounds.steps(at: at(0))
    rounds.connect(false, at: at(100))
    #expect(rounds.steps(at: at(100)) == [.letGo])
    rounds.connect(true, at: at(200))
    #expect(rounds.steps(at: at(30_000)) == [])
    #expect(
      rounds.steps(at: at(30_100)) == [.follow(Array(markets(120)[..<50]))],
      "the interrupted batch comes first")
  }

  @Test func `refusals of all figures at once make the pauses longer, up to sixteen minutes`() {
    let rounds = Driver()
    rounds.watch(true)
    rounds.connect(true, at: at(0))
    rounds.list(markets(1))
    var now: Int64 = 0
    for pause: Int64 in [60, 120, 240, 480, 960, 960] {
      #expect(rounds.steps(at: at(now)).contains(.askAll), "\(now)")
      rounds.finishAll(isGood: false, at: at(now))
      now += pause * 1000 - 1
      #expect(!rounds.steps(at: at(now)).contains(.askAll), "\(now)")
      // Earlier requests are cancelled before.
      now += 1
      rounds.take(markets(1)[0])
    }
  }

  @Test func `a market that is listed during a round joins it`() {
    let rounds = survey(of: 2)
    #expect(rounds.steps(at: at(0)) == [.follow(markets(2))])
    rounds.list(markets(3))
    for market in markets(2) { rounds.take(market) }
    #expect(rounds.steps(at: at(1000)) == [.letGo, .follow(Array(markets(3)[2...]))])
  }

  @Test func `a market that is gone is not requested any more`() {
    let rounds = survey(of: 120)
    _ = rounds.steps(at: at(0))
    rounds.list(Array(markets(120)[40..<60]))
    #expect(rounds.steps(at: at(3000)) == [.letGo, .follow(Array(markets(120)[40..<60]))])
  }

  @Test func `figures are replaced by newer or more complete ones`() {
    let key = InstrumentKey(.kraken, Symbol(known: "BTC/USD"))
    func figures(_ price: String, percent: String? = nil, _ at: Int64) -> DayFigures {
      var figures = DayFigures(symbol: key.symbol, freshness: .waiting(.simulated))
      (figures.last, figures.at) = (FixedDecimal(price), Timestamp(milliseconds: at))
      figures.changePercent = percent.flatMap { FixedDecimal($0) }
      return figures
    }
    let known = Known()
    #expect(known.take(figures("1", 100), of: key))
    #expect(!known.take(figures("1", 100), of: key))
    #expect(!known.take(figures("2", 99), of: key), "older")
    #expect(known.take(figures("3", percent: "1.0", 90), of: key), "it knows the change")
    #expect(known.take(figures("4", percent: "1.1", 101), of: key))
    #expect(!known.take(figures("3", percent: "1.0", 90), of: key))
    #expect(known.state.rows.count == 1 && known.state[key]?.last == FixedDecimal("4"))
  }
}
