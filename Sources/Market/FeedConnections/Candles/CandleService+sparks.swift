import ChartModel
import Dispatch
public import MarketModel
public import MarketStreams
import HistoryStore
import MarketHistory
import NIOCore
import SocketTransport
import VenueProtocols

struct SparkWait {
  var promises: [UInt64: (promise: EventLoopPromise<SparkResponse>, timeout: Scheduled<Void>)] = [:]
  /// The line of the stored hours, used if the venue does not respond.
  var kept: SparkLine?
}

extension CandleService {
  /// How long a caller waits for a line, in milliseconds; the request itself stays.
  static let sparkPatienceMilliseconds: Int64 = 10_000
  static let maximumSparkWaiting = 200

  /// The closes of an instrument's last 24 hours, without opening a stream.
  ///
  /// All charts go before its request to the venue, so the result may be ``SparkResponse/late``.
  public func spark(of instrument: InstrumentKey) async -> SparkResponse {
    let promise = loop.makePromise(of: SparkResponse.self)
    loop.perform { self.answer(promise, sparkOf: instrument) }
    return (try? await promise.futureResult.get()) ?? .late
  }

  private func answer(_ promise: EventLoopPromise<SparkResponse>, sparkOf instrument: InstrumentKey)
  {
    guard !box.value.isOver else { return promise.succeed(.late) }
    if let known = knownSpark(instrument) { return promise.succeed(known) }
    guard box.value.sparkWaiting < CandleService.maximumSparkWaiting else {
      return promise.succeed(.late)
    }
    let id = box.value.nextSparkWaiter
    box.value.nextSparkWaiter &+= 1
    let isFirst = box.value.sparks[instrument] == nil
    let patience = TimeAmount.milliseconds(CandleService.sparkPatienceMilliseconds)
    let timeout = loop.scheduleTask(in: patience) { self.giveUp(id, instrument) }
    box.value.sparks[instrument, default: SparkWait()].promises[id] = (promise, timeout)
    box.value.sparkWaiting += 1
    // A repeated request shows that the line is visible now: it moves to the front.
    if isFirst { readSpark(instrument) } else { askSpark(instrument) }
  }

  private func knownSpark(_ instrument: InstrumentKey) -> SparkResponse? {
    let now = clock.now()
    guard CandleStream.key(of: instrument) != nil else {
      return CandleStreams.hasCandles(instrument.venue) ? .unknown : .line(.empty)
    }
    let open = openSpark(instrument)
    if let open, open.isWhole { return .line(open) }
    return box.value.board.answer(instrument, at: now)
  }

  private func openSpark(_ instrument: InstrumentKey) -> SparkLine? {
    guard let history = box.value.streams[instrument]?.history else { return nil }
    return SparkLine(
      history.candles(of: .hour), priceScale: history.priceScale, at: clock.now().wall)
  }

  private func readSpark(_ instrument: InstrumentKey) {
    guard let store, isKept(instrument.venue) else { return foundSpark(nil, instrument) }
    let now = clock.now().wall
    DispatchQueue.global().async {
      let kept = try? store.candles(instrument, .hour, limit: SparkLine.hours + 1)
      let line = kept.map { SparkLine($0.candles, priceScale: $0.priceScale, at: now) }
      self.loop.perform { self.foundSpark(line, instrument) }
    }
  }

  private func foundSpark(_ kept: SparkLine?, _ instrument: InstrumentKey) {
    guard !box.value.isOver, box.value.sparks[instrument] != nil else { return }
    let open = openSpark(instrument)
    let best = [kept, open].compactMap { $0 }.filter { !$0.closes.isEmpty }
      .max { count($0) < count($1) }
    if kept?.isWhole == true || !hasSource(instrument.venue) {
      let line = best ?? .empty
      return release(.line(line), instrument, isLastWord: line.isWhole)
    }
    box.value.sparks[instrument]?.kept = best
    askSpark(instrument)
  }

  private func count(_ line: SparkLine) -> Int { line.closes.count { $0 != nil } }

  private func hasSource(_ venue: Venue) -> Bool {
    box.value.sources.contains { $0.venue == venue }
  }

  private func askSpark(_ instrument: InstrumentKey) {
    guard let index = box.value.sources.firstIndex(where: { $0.venue == instrument.venue })
    else { return }
    let question = HistoryQueue.Question(instrument, .candles(.hour))
    if let late = box.value.sources[index].queue.addPatient(question) {
      release(.late, late.instrument, isLastWord: nil)
    }
    pump(index)
  }

  /// Sends requests that no chart waits behind.
  func pumpPatiently(_ index: Int) {
    while !box.value.isOver {
      switch box.value.sources[index].queue.nextPatient(at: clock.now().monotonic) {
      case .ask(let question, let name):
        send(question, name, index, isPatient: true) { self.takeSpark($0, index) }
        return
      case .fail(let question, let failure): receiveSpark(.failure(failure), to: question)
      case .wait(let milliseconds):
        guard !box.value.sources[index].isPumpDue else { return }
        box.value.sources[index].isPumpDue = true
        _ = loop.scheduleTask(in: .milliseconds(milliseconds)) {
          self.box.value.sources[index].isPumpDue = false
          self.pump(index)
        }
        return
      case .idle: return
      }
    }
  }

  private func takeSpark(_ answer: Result<HistoryResponse, HistoryFailure>, _ index: Int) {
    guard !box.value.isOver else { return }
    let now = clock.now().monotonic
    if let question = box.value.sources[index].queue.receivePatient(answer, at: now) {
      receiveSpark(answer, to: question)
    }
    pump(index)
  }

  func receiveSpark(
    _ answer: Result<HistoryResponse, HistoryFailure>, to question: HistoryQueue.Question
  ) {
    let instrument = question.instrument
    switch answer {
    case .success(.candles(let candles)):
      let line = SparkLine(candles, at: clock.now().wall)
      if isKept(instrument.venue) { store?.record(candles.latestHours(of: instrument)) }
      release(.line(line), instrument, isLastWord: true)
    case .failure(.unknownInstrument): release(.unknown, instrument, isLastWord: true)
    default:
      let kept = box.value.sparks[instrument]?.kept
      release(kept.map { .line($0) } ?? .late, instrument, isLastWord: false)
    }
  }

  /// Completes the waiters; caches the response if `isLastWord` is not nil.
  private func release(_ answer: SparkResponse, _ instrument: InstrumentKey, isLastWord: Bool?) {
    if let isLastWord {
      box.value.board.keep(answer, of: instrument, isLastWord: isLastWord, at: clock.now())
    }
    guard let wait = box.value.sparks.removeValue(forKey: instrument) else { return }
    box.value.sparkWaiting -= wait.promises.count
    for waiter in wait.promises.values {
      waiter.timeout.cancel()
      waiter.promise.succeed(answer)
    }
  }

  private func giveUp(_ id: UInt64, _ instrument: InstrumentKey) {
    guard let waiter = box.value.sparks[instrument]?.promises.removeValue(forKey: id) else {
      return
    }
    box.value.sparkWaiting -= 1
    waiter.promise.succeed(.late)
  }
}

extension VenueCandles {
  fileprivate func latestHours(of instrument: InstrumentKey) -> [CandleRecord] {
    // Prices as in an open stream or finer, quantities in the finest scale of these.
    let prices = rows.flatMap { [$0.open, $0.high, $0.low, $0.close] }
    let scales = (
      max(Scale(clamping: 8), prices.map(\.scale).max() ?? .whole),
      rows.map(\.volume.scale).max() ?? .whole
    )
    return rows.filter { $0.start <= lastCommitted ?? .min }.suffix(SparkLine.hours)
      .compactMap { row in
        let prices = [row.open, row.high, row.low, row.close].compactMap {
          $0.exactly(at: scales.0)
        }
        guard prices.count == 4, let volume = row.volume.exactly(at: scales.1) else { return nil }
        return CandleRecord(
          instrument, .hour, priceScale: scales.0, quantityScale: scales.1,
          Candle(
            start: row.start, open: Price(units: prices[0].units),
            high: Price(units: prices[1].units), low: Price(units: prices[2].units),
            close: Price(units: prices[3].units), volume: Quantity(units: volume.units),
            count: row.leastCount, source: .venue))
      }
  }
}
