// What the screens' stores need of the world, as a value: the live one stands on one feed hub, a
// test's own on its hands. Everything here happens on the main thread.

public import Combine
public import FeedConnections
import Foundation
public import MarketModel
public import MarketStreams
import VenueProtocols

/// The feeds, the clock and the product requests that all stores share.
@MainActor public struct FeedClient {
  /// Ends when it is let go.
  public typealias Observation = AnyCancellable

  /// Follows a stream: its present value, then the newest whenever there is a newer.
  public var observe: (MarketKey, @escaping @MainActor (MarketValue) -> Void) -> Observation
  /// Follows everything that streams bring, one by one.
  public var observeEvents:
    (Set<MarketKey>, @escaping @MainActor (MarketKey, MarketEvent) -> Void) -> Observation
  /// Follows an instrument's candles: their present state, then the newest whenever there is one.
  public var observeCandles:
    (InstrumentKey, @escaping @MainActor (CandleStreamState) -> Void) -> Observation
  /// Gets an instrument's candles of an interval, the newest or those before a time; nil when there
  /// is no such instrument.
  public var candles:
    (
      InstrumentKey, CandleInterval, _ before: Int64?, @escaping @MainActor (CandlePage?) -> Void
    ) -> Void
  /// Follows the connections of all venues: their present statuses, then each change.
  public var observeConnections: (@escaping @MainActor (ConnectionStatus) -> Void) -> Observation
  /// Calls about four times a second.
  public var observeTime: (@escaping @MainActor () -> Void) -> Observation
  /// Calls once, so many milliseconds from now.
  public var schedule: (Int64, @escaping @MainActor () -> Void) -> Observation
  /// Connects a venue and keeps it connected.
  public var start: (Venue) -> Void
  /// Disconnects a venue until it is started again.
  public var stop: (Venue) -> Void
  /// Ends a venue's wait before its next attempt.
  public var retry: (Venue) -> Void
  /// Gives BUX another token and connects anew; nil takes the token away.
  public var useToken: (String?) -> Void
  /// Loads a product.
  public var product: (Symbol) async -> Result<Product, ProductFailure>
  /// Both clocks at this moment.
  public var now: () -> ClockReading

  /// Puts a client together.
  public init(
    observe: @escaping (MarketKey, @escaping @MainActor (MarketValue) -> Void) -> Observation,
    observeEvents:
      @escaping (
        Set<MarketKey>, @escaping @MainActor (MarketKey, MarketEvent) -> Void
      ) -> Observation,
    observeCandles:
      @escaping (InstrumentKey, @escaping @MainActor (CandleStreamState) -> Void) -> Observation,
    candles:
      @escaping (
        InstrumentKey, CandleInterval, Int64?, @escaping @MainActor (CandlePage?) -> Void
      ) -> Void,
    observeConnections: @escaping (@escaping @MainActor (ConnectionStatus) -> Void) -> Observation,
    observeTime: @escaping (@escaping @MainActor () -> Void) -> Observation,
    schedule: @escaping (Int64, @escaping @MainActor () -> Void) -> Observation,
    start: @escaping (Venue) -> Void, stop: @escaping (Venue) -> Void,
    retry: @escaping (Venue) -> Void, useToken: @escaping (String?) -> Void,
    product: @escaping (Symbol) async -> Result<Product, ProductFailure>,
    now: @escaping () -> ClockReading
  ) {
    self.observe = observe
    self.observeEvents = observeEvents
    self.observeCandles = observeCandles
    self.candles = candles
    self.observeConnections = observeConnections
    self.observeTime = observeTime
    self.schedule = schedule
    self.start = start
    self.stop = stop
    self.retry = retry
    self.useToken = useToken
    self.product = product
    self.now = now
  }
}

// MARK: - Live client

// One hub for all observers (PT6).

extension FeedClient {
  /// How often stores are told that time has passed.
  private static let timerMilliseconds = 250

  /// A client of one hub, shared by all screens.
  ///
  /// - Parameters:
  ///   - hub: what connects.
  ///   - candles: the candles of the hub's streams.
  ///   - venues: where the hub's venues are.
  ///   - products: loads products; nil where there is no venue for them.
  ///   - token: the token that product requests send, kept up to date by ``useToken``.
  ///   - clock: the hub's own.
  /// - Returns: the client; it connects nothing by itself.
  public static func live(
    hub: FeedHub, candles: CandleService, venues: VenueList, products: ProductClient?,
    token: TokenBox, clock: HubClock = .live
  ) -> FeedClient {
    FeedClient(
      observe: { key, handler in hub.publisher(for: key).newestOnMain(handler) },
      observeEvents: { keys, handler in
        let inbox = EventInbox(handler)
        let observation = hub.observeEvents(keys) { key, event, _ in inbox.take(key, event) }
        return AnyCancellable { observation.cancel() }
      },
      observeCandles: { instrument, handler in
        let inbox = NewestInbox(handler)
        let observation = candles.observe(instrument) { inbox.take($0) }
        return AnyCancellable { observation.cancel() }
      },
      candles: { instrument, interval, before, handler in
        Task { handler(await candles.candles(of: instrument, interval, before: before)) }
      },
      observeConnections: { handler in hub.connectionPublisher.newestOnMain(handler) },
      observeTime: { handler in
        let timer = DispatchSource.makeTimerSource(queue: .main)
        timer.schedule(
          deadline: .now() + .milliseconds(timerMilliseconds),
          repeating: .milliseconds(timerMilliseconds),
          // So that the system can wake up once for several.
          leeway: .milliseconds(timerMilliseconds / 5))
        timer.setEventHandler { MainActor.assumeIsolated(handler) }
        timer.activate()
        return AnyCancellable { timer.cancel() }
      },
      schedule: { milliseconds, handler in
        let work = DispatchWorkItem { MainActor.assumeIsolated(handler) }
        DispatchQueue.main.asyncAfter(
          deadline: .now() + .milliseconds(Int(milliseconds)), execute: work)
        return AnyCancellable { work.cancel() }
      },
      start: { hub.start($0) }, stop: { hub.stop($0) }, retry: { hub.retry($0) },
      useToken: { text in
        token.replace(text)
        for (venue, headers) in venues.headers(token: token.token) {
          hub.restart(venue, headers: headers)
        }
      },
      product: { identifier in
        guard let products else {
          return .failure(
            ProductFailure(
              code: "NO_VENUE", userMessage: "No venue for products is set up.", canRetry: false))
        }
        return await products.product(identifier)
      },
      now: clock.now)
  }
}
