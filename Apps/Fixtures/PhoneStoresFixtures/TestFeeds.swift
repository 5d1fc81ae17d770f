import AppState
import Combine
import ChartModel
import Foundation
package import MarketModel
package import MarketStreams
import NIOConcurrencyHelpers
package import PhoneStores

/// Simulated feeds: the test sends values, statuses and time, which are delivered synchronously.
@MainActor package final class TestFeeds {
  package private(set) var milliseconds: Int64 {
    didSet { clock.milliseconds = milliseconds }
  }
  /// The same time for other threads.
  package let clock = SharedClock()
  /// The stores' requests, in order: "start echo".
  package private(set) var asked: [String] = []
  /// The tokens that were set.
  package private(set) var tokens: [String?] = []
  /// Whether product requests never get a response.
  package var isProductSilent = false
  /// The number of observers by stream.
  package private(set) var observers: [MarketKey: Int] = [:]

  /// The number of observers of a stream's events.
  package func eventObservers(of key: MarketKey) -> Int {
    eventHandlers.values.count { $0.keys.contains(key) }
  }

  /// The number of observers of the clock.
  package var timeObservers: Int { timeHandlers.count }

  private var values: [MarketKey: MarketValue] = [:]
  private var statuses: [Venue: ConnectionStatus] = [:]
  private var valueHandlers: [Int: (MarketKey, @MainActor (MarketValue) -> Void)] = [:]
  private var eventHandlers:
    [Int: (keys: Set<MarketKey>, handler: @MainActor (MarketKey, MarketEvent) -> Void)] = [:]
  var streams = CandleStreams()
  /// The venues with history.
  var pasts: [Venue: PlayedHistory] = [:]
  var waiting: [WaitingChart] = []
  private var candleHandlers:
    [Int: (instrument: InstrumentKey, handler: @MainActor (CandleStreamState) -> Void)] = [:]
  private var statusHandlers: [Int: @MainActor (ConnectionStatus) -> Void] = [:]
  private var timeHandlers: [Int: @MainActor () -> Void] = [:]
  private var scheduled: [Int: (at: Int64, handler: @MainActor () -> Void)] = [:]
  private var surveyHandlers: [Int: @MainActor (SurveyState) -> Void] = [:]
  /// The figures of all markets.
  package var survey = SurveyState() {
    didSet { surveyHandlers.values.forEach { $0(survey) } }
  }
  /// Whether a screen follows ``survey``.
  package var isSurveyed: Bool { !surveyHandlers.isEmpty }
  private var next = 0
  private var productAnswers: [Symbol: [Result<Product, ProductFailure>]] = [:]

  /// Starts at a time, in milliseconds since 1970.
  package init(at milliseconds: Int64 = 0) {
    self.milliseconds = milliseconds
    clock.milliseconds = milliseconds
  }

  /// The feeds as the app uses them.
  package var client: FeedClient {
    FeedClient(
      observe: { [self] key, handler in
        observers[key, default: 0] += 1
        if let value = values[key] { handler(value) }
        return keep({ self.valueHandlers[$0] = (key, handler) }) { id in
          self.valueHandlers[id] = nil
          self.observers[key] = (self.observers[key] ?? 1) - 1
        }
      },
      observeEvents: { [self] keys, handler in
        keep({ self.eventHandlers[$0] = (keys, handler) }) { self.eventHandlers[$0] = nil }
      },
      observeCandles: { [self] instrument, handler in
        guard open(instrument) else { return AnyCancellable {} }
        streams.watch(instrument)
        update(instrument) { $0.wantFigures(at: $1) }
        if let state = streams[instrument]?.state { handler(state) }
        return keep({ self.candleHandlers[$0] = (instrument, handler) }) { id in
          self.candleHandlers[id] = nil
          self.close(self.streams.unwatch(instrument))
        }
      },
      candles: { [self] instrument, interval, before, handler in
        guard open(instrument) else { return handler(nil) }
        update(instrument) { $0.want(interval, at: $1) }
        give(WaitingChart(instrument, interval, before, handler))
      },
      observeSurvey: { [self] handler in
        handler(survey)
        return keep({ self.surveyHandlers[$0] = handler }) { self.surveyHandlers[$0] = nil }
      },
      observeConnections: { [self] handler in
        statuses.values.forEach(handler)
        return keep({ self.statusHandlers[$0] = handler }) { self.statusHandlers[$0] = nil }
      },
      observeTime: { [self] handler in
        keep({ self.timeHandlers[$0] = handler }) { self.timeHandlers[$0] = nil }
      },
      schedule: { [self] milliseconds, handler in
        let due = self.milliseconds + milliseconds
        return keep({ self.scheduled[$0] = (due, handler) }) { self.scheduled[$0] = nil }
      },
      start: { [self] in asked.append("start \($0)") },
      resume: { [self] in asked.append("resume \($0)") },
      stop: { [self] in asked.append("stop \($0)") },
      retry: { [self] in asked.append("retry \($0)") },
      useToken: { [self] in tokens.append($0) },
      product: { [self] symbol in
        asked.append("product \(symbol)")
        if isProductSilent {
          // Ends only when the request is cancelled.
          let (stream, end) = AsyncStream<Never>.makeStream()
          for await _ in stream {}
          end.finish()
        }
        guard var answers = productAnswers[symbol], !answers.isEmpty else {
          return .failure(
            ProductFailure(code: "NETWORK", userMessage: "No network.", canRetry: true))
        }
        let answer = answers.removeFirst()
        productAnswers[symbol] = answers
        return answer
      },
      now: { [self] in ClockReading(milliseconds: milliseconds) })
  }

  private func keep(
    _ add: (Int) -> Void, _ remove: @escaping @MainActor (Int) -> Void
  ) -> AnyCancellable {
    next += 1
    let id = next
    add(id)
    return AnyCancellable { MainActor.assumeIsolated { remove(id) } }
  }

  // MARK: Candles

  /// Opens an instrument's candles, as the app's own service does.
  private func open(_ instrument: InstrumentKey) -> Bool {
    guard let (isNew, closed) = streams.open(instrument, origin: .venue) else { return false }
    close(closed)
    guard isNew, let key = CandleStream.key(of: instrument) else { return true }
    observers[key, default: 0] += 1
    for status in statuses.values { update(instrument) { $0.receive(status, at: $1) } }
    if let value = values[key] { update(instrument) { $0.receive(value, at: $1) } }
    return true
  }

  private func close(_ instruments: [InstrumentKey]) {
    for key in instruments.compactMap({ CandleStream.key(of: $0) }) {
      observers[key, default: 1] -= 1
    }
  }

  func update(
    _ instrument: InstrumentKey,
    _ body: (inout CandleStream, ClockReading) -> [HistoryRequest]
  ) {
    let now = ClockReading(milliseconds: milliseconds)
    guard let requests = streams.update(instrument, { body(&$0, now) }),
      let state = streams[instrument]?.state
    else { return }
    defer {
      ask(instrument, requests)
      giveWaiting(instrument)
    }
    for entry in candleHandlers.values where entry.instrument == instrument {
      entry.handler(state)
    }
  }

  private func update(
    following key: MarketKey,
    _ body: (inout CandleStream, ClockReading) -> [HistoryRequest]
  ) {
    for instrument in streams.open where streams[instrument]?.key == key {
      update(instrument, body)
    }
  }

  /// Schedules a handler, in milliseconds from now.
  func later(_ wait: Int64, _ handler: @escaping @MainActor () -> Void) {
    next += 1
    scheduled[next] = (milliseconds + wait, handler)
  }

  // MARK: Events

  /// Sends a stream's new value.
  package func send(_ key: MarketKey, _ value: MarketValue) {
    values[key] = value
    update(following: key) { $0.receive(value, at: $1) }
    for (wanted, handler) in valueHandlers.sorted(by: { $0.key < $1.key }).map(\.value)
    where wanted == key {
      handler(value)
    }
  }

  /// Sends an event on a stream.
  package func happen(_ key: MarketKey, _ event: MarketEvent) {
    update(following: key) {
      $0.receive(event, at: $1)
      return []
    }
    for entry in eventHandlers.values where entry.keys.contains(key) { entry.handler(key, event) }
  }

  /// Changes the phase of a venue's connection.
  package func connection(
    _ venue: Venue, _ phase: ConnectionPhase, reason: Sentence? = nil,
    nextAttemptIn wait: Int64? = nil
  ) {
    var status = ConnectionStatus(
      venue: venue, origin: .simulated, since: ClockReading(milliseconds: milliseconds))
    status.phase = phase
    status.reason = reason
    status.nextAttempt = wait.map { ClockReading(milliseconds: milliseconds + $0) }
    statuses[venue] = status
    for instrument in streams.open { update(instrument) { $0.receive(status, at: $1) } }
    for handler in statusHandlers.values { handler(status) }
  }

  /// Sets the responses to product requests, one after the other.
  package func answer(_ symbol: Symbol, _ answers: Result<Product, ProductFailure>...) {
    productAnswers[symbol, default: []] += answers
  }

  /// Simulates sleep: time passes and nothing happens meanwhile.
  package func sleep(_ amount: Int64) { milliseconds += amount }

  /// Advances time in milliseconds and runs what is due; the timer ticks four times a second.
  package func pass(_ amount: Int64) {
    let end = milliseconds + amount
    while true {
      let tick = (milliseconds / 250 + 1) * 250
      let due = scheduled.values.map(\.at).min().map { max($0, milliseconds) }
      let stop = min(end, tick, due ?? end)
      milliseconds = stop
      for (id, entry) in scheduled where entry.at <= stop {
        scheduled[id] = nil
        entry.handler()
      }
      if stop == tick {
        for instrument in streams.open { update(instrument) { $0.timer(at: $1) } }
        timeHandlers.values.forEach { $0() }
      }
      if stop == end { return }
    }
  }
}

/// A test's time, readable on any thread.
package final class SharedClock: Sendable {
  private let value = NIOLockedValueBox<Int64>(0)

  package var milliseconds: Int64 {
    get { value.withLockedValue { $0 } }
    set { value.withLockedValue { $0 = newValue } }
  }

  package var now: ClockReading { ClockReading(milliseconds: milliseconds) }
}

/// A fixture received an invalid argument.
package struct FixtureError: Error, CustomStringConvertible {
  package let description: String
}

/// A symbol that is certain to be valid.
package func symbol(_ text: String) throws -> Symbol {
  guard let symbol = Symbol(text) else { throw FixtureError(description: "no symbol: \(text)") }
  return symbol
}

/// A decimal that is certain to be valid.
package func decimal(_ text: String) throws -> FixedDecimal {
  guard let decimal = FixedDecimal(text) else {
    throw FixtureError(description: "no decimal: \(text)")
  }
  return decimal
}

extension TestFeeds {
  /// A live quote.
  package func quote(
    _ venue: Venue, _ name: String, _ price: String, _ direction: Direction = .unchanged,
    changes: UInt64 = 0, _ state: FreshnessState = .live
  ) throws {
    let name = try symbol(name)
    send(
      MarketKey(venue, .quote, name),
      .quote(
        QuoteView(
          symbol: name, price: try decimal(price), direction: direction, changes: changes,
          freshness: fresh(state))))
  }

  /// A freshness confirmed now.
  package func fresh(_ state: FreshnessState) -> Freshness {
    Freshness(
      state: state, origin: .simulated, confirmedAt: ClockReading(milliseconds: milliseconds))
  }
}
