import ChartModel
import Dispatch
import HistoryStore
import Logging
import MarketHistory
import MarketModel
import MarketStreams
import NIOCore
import SocketTransport
import VenueProtocols

extension CandleService {
  /// How long a page waits for the venue's history, in milliseconds.
  private static let patienceMilliseconds: Int64 = 800

  // MARK: Venues

  func ask(_ instrument: InstrumentKey, _ requests: [HistoryRequest]) {
    guard !requests.isEmpty,
      let index = box.value.sources.firstIndex(where: { $0.venue == instrument.venue })
    else { return }
    for request in requests {
      let question = HistoryQueue.Question(instrument, request)
      if !box.value.sources[index].queue.add(question) {
        receive(.failure(.unavailable("too many questions wait")), to: question)
      }
    }
    pump(index)
  }

  func pump(_ index: Int) {
    pumpCharts(index)
    pumpPatiently(index)
  }

  private func pumpCharts(_ index: Int) {
    while !box.value.isOver {
      switch box.value.sources[index].queue.next(at: clock.now().monotonic) {
      case .ask(let question, let name):
        send(question, name, index) { self.take($0, index) }
        return
      case .fail(let question, let failure): receive(.failure(failure), to: question)
      case .wait(let milliseconds):
        // One timer: each would start another for as long as the queue waits.
        box.value.sources[index].pumpTimer?.cancel()
        box.value.sources[index].pumpTimer = loop.scheduleTask(in: .milliseconds(milliseconds)) {
          self.pump(index)
        }
        return
      case .idle: return
      }
    }
  }

  func send(
    _ question: HistoryQueue.Question, _ name: String, _ index: Int, isPatient: Bool = false,
    _ take: @escaping @Sendable (Result<HistoryResponse, HistoryFailure>) -> Void
  ) {
    let source = box.value.sources[index]
    let answer = venues.ask(
      source.venue, .history(question.request, name: name), isPatient: isPatient)
    answer.whenComplete { result in
      let answer: Result<HistoryResponse, HistoryFailure> =
        switch result {
        case .success(let response):
          source.history.read(
            question.request, name, response.status, response.body.readableBytesUInt8Span)
        case .failure(let error): .failure(HistoryFailure(error))
        }
      take(answer)
    }
  }

  private func take(_ answer: Result<HistoryResponse, HistoryFailure>, _ index: Int) {
    guard !box.value.isOver else { return }
    if case .failure(let failure) = answer {
      let venue = box.value.sources[index].venue
      logger.notice("no history", metadata: ["venue": "\(venue)", "reason": "\(failure)"])
    }
    let delivery = box.value.sources[index].queue.receive(answer, at: clock.now().monotonic)
    for question in delivery.questions {
      receive(delivery.response, to: question)
      // Without names, sparklines can't be requested either.
      if case .failure = delivery.response, question.request == .candles(.hour) {
        receiveSpark(delivery.response, to: question)
      }
    }
    pump(index)
  }

  private func receive(
    _ answer: Result<HistoryResponse, HistoryFailure>, to question: HistoryQueue.Question
  ) {
    update(question.instrument) { $0.receive(answer, to: question.request, at: $1) }
  }

  // MARK: Store

  func restore(_ instrument: InstrumentKey) {
    guard let store, isKept(instrument.venue) else { return }
    let now = clock.now().wall.milliseconds
    DispatchQueue.global().async {
      self.restoreSeconds(instrument, store, before: now)
      for interval in CandleInterval.allCases where !interval.isRecorded {
        let kept = try? store.candles(instrument, interval, limit: CandleService.restoredCandles)
        guard let kept, !kept.candles.isEmpty else { continue }
        self.loop.perform {
          self.update(instrument) { stream, _ in
            stream.restore(
              kept.candles(
                priceScale: stream.history.priceScale, quantityScale: kept.quantityScale),
              of: interval, quantityScale: kept.quantityScale)
            return []
          }
        }
      }
    }
  }

  private func restoreSeconds(_ instrument: InstrumentKey, _ store: HistoryStore, before now: Int64)
  {
    guard recorded.contains(instrument) else { return }
    let kept = try? store.candles(instrument, .second, before: now, limit: KeptSeconds.maximumCount)
    guard let kept, !kept.candles.isEmpty else { return }
    loop.perform {
      self.update(instrument) { stream, _ in
        let rows = kept.candles(
          priceScale: stream.recorder.priceScale, quantityScale: kept.quantityScale)
        stream.restore(KeptSeconds(rows, quantityScale: kept.quantityScale))
        return []
      }
    }
  }

  func recordSeconds(_ instrument: InstrumentKey) {
    guard let store, recorded.contains(instrument) else { return }
    let now = clock.now()
    let records = box.value.streams.update(instrument) { stream in
      stream.takeClosedSeconds(at: now).map {
        CandleRecord(
          instrument, .second, priceScale: stream.recorder.priceScale,
          quantityScale: stream.recorder.quantityScale, $0)
      }
    }
    if let records, !records.isEmpty { store.record(records) }
  }

  func withOlder(
    _ page: CandlePage, _ instrument: InstrumentKey, _ before: Int64?
  ) async -> CandlePage {
    var page = page
    guard !page.interval.isRecorded, !page.hasOlder, isKept(instrument.venue) else { return page }
    let oldest = page.candles.first?.start ?? before
    let room = before == nil ? 0 : CandlePage.maximumOlder - page.candles.count
    let older = await kept(instrument, page, before: oldest, limit: room + 1)
    page.hasOlder = older.count > room
    if room > 0 { page.candles = older.suffix(room) + page.candles }
    return page
  }

  private func kept(
    _ instrument: InstrumentKey, _ page: CandlePage, before: Int64?, limit: Int
  ) async -> [Candle] {
    guard let store else { return [] }
    return await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        let kept = try? store.candles(instrument, page.interval, before: before, limit: limit)
        let candles = kept?.candles(priceScale: page.priceScale, quantityScale: page.quantityScale)
        // A candle without any data revokes an earlier one.
        continuation.resume(
          returning: (candles ?? []).filter {
            Int64($0.missing) < page.interval.milliseconds
          })
      }
    }
  }

  // MARK: Pages

  /// Completes with a page, at once or when the venue's history arrives.
  func answer(
    _ promise: EventLoopPromise<CandlePage?>, _ instrument: InstrumentKey,
    _ interval: CandleInterval, _ before: Int64?
  ) {
    guard open(instrument) else { return promise.succeed(nil) }
    box.value.askedAt[instrument] = clock.now().monotonic
    update(instrument) { $0.want(interval, at: $1) }
    guard let stream = box.value.streams[instrument] else { return promise.succeed(nil) }
    guard before == nil, stream.history.isAwaited(interval) else {
      return promise.succeed(stream.page(of: interval, before: before))
    }
    let timeout = loop.scheduleTask(in: .milliseconds(CandleService.patienceMilliseconds)) {
      self.releaseWaiting(for: instrument, isLate: true)
    }
    box.value.waiting.append(
      WaitingPage(
        instrument: instrument, interval: interval, promise: promise, timeout: timeout))
  }

  /// Completes the waiting pages of an instrument whose history has arrived or is late.
  func releaseWaiting(for instrument: InstrumentKey, isLate: Bool = false) {
    guard !box.value.waiting.isEmpty else { return }
    let history = box.value.streams[instrument]?.history
    let isReady = { (page: WaitingPage) in
      page.instrument == instrument && (isLate || history?.isAwaited(page.interval) != true)
    }
    let pages = box.value.waiting.filter(isReady)
    box.value.waiting.removeAll(where: isReady)
    for page in pages {
      page.timeout.cancel()
      page.promise.succeed(box.value.streams[instrument]?.page(of: page.interval))
    }
  }
}
