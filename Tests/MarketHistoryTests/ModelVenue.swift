import ChartModel
import MarketHistory
import MarketModel

/// The parameters of a run.
struct ModelVenueHabits {
  /// In how many of 1,000 seconds the stream is cut.
  var cuts: Int64 = 8
  /// How many of 1,000 trades the stream loses.
  var losses: Int64 = 2
  /// How many of 100 requests fail.
  var failures: Int64 = 20
  var snapshot = 10
  /// The committed candles in a history response.
  var reach = 6
  var page = 25
  /// In how many of 100 seconds there are trades.
  var busy: Int64 = 20

  init(_ generator: inout SplitMix64) {
    cuts = generator.below(3) * 6
    losses = generator.below(2) * 3
    failures = generator.below(3) * 20
    snapshot = 1 + Int(generator.below(20))
    reach = 1 + Int(generator.below(30))
    page = 5 + Int(generator.below(60))
    busy = 3 + generator.below(60)
  }

  /// No losses and no failures.
  static func calm(_ generator: inout SplitMix64) -> ModelVenueHabits {
    var habits = ModelVenueHabits(&generator)
    (habits.losses, habits.failures, habits.reach) = (0, 0, 720)
    return habits
  }
}

/// A small venue that numbers its trades, with a join of its stream, which is cut and loses
/// messages, and its history, which is late, rejects or fails.
struct ModelVenue {
  /// Whether it pages backwards by number, joins fills of one time and price in its stream, and
  /// sends the latest trade alone after a connection.
  private let isBackwards: Bool
  private let habits: ModelVenueHabits
  private var generator: SplitMix64
  private(set) var harness: HistoryHarness
  /// All trades so far, oldest first.
  private(set) var trades: [VenueTrade] = []
  private let start: Int64
  private var price: Int64 = 100
  private var isConnected = false
  private var reconnectsAt: Int64 = 0
  private var heardAt: Int64 = 0
  private var sent = 0
  private var underWay: [(at: Int64, request: HistoryRequest)] = []

  init(seed: UInt64, isBackwards: Bool = false, habits: (inout SplitMix64) -> ModelVenueHabits) {
    self.isBackwards = isBackwards
    var generator = SplitMix64(seed: seed)
    self.habits = habits(&generator)
    let offset = generator.below(86_400) * 1000
    start = HistoryHarness.noon + offset
    self.generator = generator
    harness = HistoryHarness(at: start, pagesBackwards: isBackwards)
    // The venue has been open for a while.
    harness.time -= 900_000
    for _ in 0..<900 {
      harness.time += 1000
      happen()
    }
    sent = trades.count
    harness.want()
  }

  mutating func step() {
    harness.time += 1000
    happen()
    stream()
    answer()
    harness.asked += harness.join.timer(at: harness.now)
    send()
  }

  /// Runs without losses or failed responses, and begins with a trade.
  ///
  /// Without that trade the loss of the latest one would be undetectable.
  mutating func calmDown(seconds: Int) {
    for second in 0..<seconds {
      harness.time += 1000
      if second == 0 { trade() }
      if isConnected { deliver(losses: 0) } else { connect() }
      answer(failures: 0)
      harness.asked += harness.join.timer(at: harness.now)
      send()
    }
  }

  private mutating func happen() {
    guard generator.below(100) < habits.busy else { return }
    for _ in 0...generator.below(4) { trade() }
  }

  private mutating func trade() {
    price = max(1, price + generator.below(7) - 3)
    // Several trades share one time.
    let time = harness.time - 900 + generator.below(4) * 250
    let last = trades.last?.time.milliseconds ?? 0
    trades.append(
      HistoryHarness.trade(
        Int64(trades.count) + 1000, price, 1 + generator.below(9), at: max(last, time)))
  }

  private mutating func stream() {
    if isConnected, generator.below(1000) < habits.cuts {
      isConnected = false
      reconnectsAt = harness.time + generator.below(generator.below(10) == 0 ? 900 : 90) * 1000
      harness.judge(.disconnected, heard: harness.time - heardAt)
    } else if isConnected {
      deliver(losses: habits.losses)
    } else if harness.time >= reconnectsAt {
      connect()
    }
  }

  private mutating func connect() {
    isConnected = true
    if generator.below(2) == 0 { harness.judge(.live) }
    for trade in trades.suffix(isBackwards ? 1 : habits.snapshot) {
      harness.join.receive(trade, at: harness.now)
    }
    sent = trades.count
    heardAt = harness.time
    harness.judge(.live)
  }

  /// Messages in flight at a cut are lost, although the stream was received since.
  private mutating func deliver(losses: Int64) {
    let newest = harness.time - generator.below(3) * 700
    while sent < trades.count, trades[sent].time.milliseconds <= newest {
      let row = nextRow()
      if generator.below(1000) >= losses { harness.join.receive(row, at: harness.now) }
      sent += Int(row.covered)
    }
    heardAt = harness.time
  }

  /// The next row of the stream.
  private func nextRow() -> VenueTrade {
    let first = trades[sent]
    guard isBackwards else { return first }
    let fills = trades[sent...].prefix { $0.time == first.time && $0.price == first.price }
    return VenueTrade(
      identifier: first.identifier + Int64(fills.count) - 1, covered: Int64(fills.count),
      time: first.time, price: first.price,
      quantity: FixedDecimal(
        units: fills.reduce(0) { $0 + $1.quantity.units }, scale: first.quantity.scale))
  }

  private mutating func send() {
    for request in harness.asked {
      underWay.append((harness.time + 300 + generator.below(4000), request))
    }
    harness.asked = []
  }

  private mutating func answer() { answer(failures: habits.failures) }

  private mutating func answer(failures: Int64) {
    let due = underWay.filter { $0.at <= harness.time }
    underWay.removeAll { $0.at <= harness.time }
    for call in due {
      let response = generator.below(100) < failures ? failure() : response(to: call.request)
      harness.asked += harness.join.receive(response, to: call.request, at: harness.now)
      if generator.below(20) == 0 {
        // The same response again, which is unexpected.
        harness.asked += harness.join.receive(response, to: call.request, at: harness.now)
      }
    }
  }

  private mutating func failure() -> Result<HistoryResponse, HistoryFailure> {
    switch generator.below(3) {
    case 0: .failure(.rateLimited)
    case 1: .failure(.unavailable("busy"))
    default: .failure(.badAnswer("cut"))
    }
  }

  private func response(to request: HistoryRequest) -> Result<HistoryResponse, HistoryFailure> {
    switch request {
    case .names: return .success(.names([:]))
    case .condition: return .success(.condition(.online))
    case .candles(let interval):
      let forming = interval.start(of: harness.time)
      let rows = truth(of: interval).filter { $0.start <= forming }.suffix(habits.reach + 1)
      return .success(
        .candles(
          VenueCandles(
            rows: rows.map(VenueCandle.init(truth:)),
            lastCommitted: forming - interval.milliseconds)))
    case .tradesBefore(let number):
      let page = trades.filter { $0.identifier < number ?? .max }.suffix(habits.page)
      return .success(.trades(VenueTrades(trades: Array(page))))
    case .trades(let cursor):
      let after = Int64(cursor.text) ?? 0
      let page = trades.filter { $0.time.nanoseconds > after }.prefix(habits.page)
      // A page ends where a time ends, as the cursor is a time.
      let whole = trades.filter {
        $0.time.nanoseconds > after && $0.time <= page.last?.time ?? $0.time
      }
      let next = whole.last.map { String($0.time.nanoseconds) } ?? cursor.text
      return .success(.trades(VenueTrades(trades: whole, next: HistoryCursor(next))))
    }
  }

  /// What an uninterrupted recorder has, up to the forming candle.
  func truth(of interval: CandleInterval) -> [Candle] {
    var candles: [Candle] = []
    for trade in trades {
      let start = interval.start(of: trade.time.milliseconds)
      let price = Price(units: trade.price.units * 100_000_000)
      let volume = Quantity(units: trade.quantity.units)
      fill(&candles, until: start, interval)
      if candles.last?.start == start {
        candles[candles.count - 1].add(price, volume: volume, isLatest: true)
      } else {
        candles.append(Candle(start: start, price: price, volume: volume))
      }
    }
    fill(&candles, until: harness.time, interval)
    return candles
  }

  private func fill(_ candles: inout [Candle], until time: Int64, _ interval: CandleInterval) {
    while let last = candles.last, last.start + interval.milliseconds < time {
      candles.append(
        Candle(
          start: last.start + interval.milliseconds, open: last.close, high: last.close,
          low: last.close, close: last.close, volume: .zero, count: 0))
    }
  }
}

extension VenueCandle {
  fileprivate init(truth candle: Candle) {
    func price(_ price: Price) -> FixedDecimal {
      FixedDecimal(units: price.units / 100_000_000, scale: .whole)
    }
    self.init(
      start: candle.start, open: price(candle.open), high: price(candle.high),
      low: price(candle.low), close: price(candle.close),
      volume: FixedDecimal(units: candle.volume.units, scale: .whole), count: candle.count)
  }
}
