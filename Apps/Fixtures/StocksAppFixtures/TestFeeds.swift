import Combine
package import MarketModel

@testable import StocksApp

/// A simulated price stream: the test sends prices and sees what is followed; all happens
/// synchronously.
@MainActor package final class TestFeeds {
  package var time = ClockReading(milliseconds: 1000)
  /// Starts one second after 1970.
  package init() {}

  package private(set) var commands: [String] = []
  private var next = 0
  private var streams: [MarketKey: [Int: @MainActor (MarketValue) -> Void]] = [:]
  private var connections: [Int: @MainActor (ConnectionStatus) -> Void] = [:]
  private var timers: [Int: @MainActor () -> Void] = [:]
  package private(set) var subscriptions: [String] = []

  var feeds: StocksFeeds {
    StocksFeeds(
      observe: { [self] key, handler in
        let id = number()
        streams[key, default: [:]][id] = handler
        subscriptions.append("+\(key.subscription.symbol)")
        return AnyCancellable { [self] in
          MainActor.assumeIsolated {
            streams[key]?[id] = nil
            subscriptions.append("-\(key.subscription.symbol)")
          }
        }
      },
      observeConnection: { [self] handler in
        let id = number()
        connections[id] = handler
        return AnyCancellable { [self] in MainActor.assumeIsolated { connections[id] = nil } }
      },
      observeTime: { [self] handler in
        let id = number()
        timers[id] = handler
        return AnyCancellable { [self] in MainActor.assumeIsolated { timers[id] = nil } }
      },
      start: { [self] in commands.append("start") },
      resume: { [self] in commands.append("resume") }, stop: { [self] in commands.append("stop") },
      retry: { [self] in commands.append("retry") }, now: { [self] in time })
  }

  private func number() -> Int {
    next += 1
    return next
  }

  /// The shares that are followed now.
  package var followed: [String] {
    streams.filter { !$0.value.isEmpty }.map(\.key.subscription.symbol.text).sorted()
  }

  package func advance(_ milliseconds: Int64) {
    time = ClockReading(
      monotonic: time.monotonic.adding(milliseconds: milliseconds),
      wall: Timestamp(milliseconds: time.wall.milliseconds + milliseconds))
    for timer in timers.values { timer() }
  }

  /// The price of a share, by default confirmed now.
  package func quote(
    _ isin: String, _ price: String, _ state: FreshnessState = .live,
    confirmedAt: ClockReading? = nil
  ) throws {
    guard let symbol = Symbol(isin), let price = FixedDecimal(price) else {
      throw FixtureError(description: "no share or no price: \(isin), \(price)")
    }
    let view = QuoteView(
      symbol: symbol, price: price, changes: 1,
      freshness: Freshness(state: state, origin: .venue, confirmedAt: confirmedAt ?? time))
    let handlers = streams[MarketKey(.isin, .quote, symbol)] ?? [:]
    for handler in handlers.values { handler(.quote(view)) }
  }

  package func connection(
    _ phase: ConnectionPhase, reason: Sentence? = nil, nextAttemptIn milliseconds: Int64? = nil
  ) {
    var status = ConnectionStatus(venue: .isin, origin: .venue, since: time)
    status.phase = phase
    status.reason = reason
    status.nextAttempt = milliseconds.map {
      ClockReading(
        monotonic: time.monotonic.adding(milliseconds: $0),
        wall: Timestamp(milliseconds: time.wall.milliseconds + $0))
    }
    for handler in connections.values { handler(status) }
  }
}
