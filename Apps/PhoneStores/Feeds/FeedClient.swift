public import Combine
public import FeedConnections
import Foundation
public import MarketModel
public import MarketStreams
import VenueCatalogue

/// The feeds, clock and product requests of all stores: live on one feed hub, or a test's own.
///
/// Everything here happens on the main thread.
@MainActor public struct FeedClient {
  /// Ends when it is released.
  public typealias Observation = AnyCancellable

  /// Follows a stream: its present value, then the newest after each change.
  public var observe: (MarketKey, @escaping @MainActor (MarketValue) -> Void) -> Observation
  /// Follows all events of streams, one by one.
  public var observeEvents:
    (Set<MarketKey>, @escaping @MainActor (MarketKey, MarketEvent) -> Void) -> Observation
  /// Follows an instrument's candles: their present state, then the newest after each change.
  public var observeCandles:
    (InstrumentKey, @escaping @MainActor (CandleStreamState) -> Void) -> Observation
  /// Loads an instrument's candles of an interval, the newest or those before a time; nil for an
  /// unknown instrument.
  public var candles:
    (
      InstrumentKey, CandleInterval, _ before: Int64?, @escaping @MainActor (CandlePage?) -> Void
    ) -> Void
  /// Follows the figures of all markets, requested from the venues only meanwhile.
  public var observeSurvey: (@escaping @MainActor (SurveyState) -> Void) -> Observation
  /// Follows the connections of all venues: their present statuses, then each change.
  public var observeConnections: (@escaping @MainActor (ConnectionStatus) -> Void) -> Observation
  /// Calls about four times a second.
  public var observeTime: (@escaping @MainActor () -> Void) -> Observation
  /// Calls once, after that many milliseconds.
  public var schedule: (Int64, @escaping @MainActor () -> Void) -> Observation
  /// Connects a venue and keeps it connected.
  public var start: (Venue) -> Void
  /// Connects a venue that the app or the network interrupted.
  public var resume: (Venue) -> Void
  /// Disconnects a venue until it is started again.
  public var stop: (Venue) -> Void
  /// Skips a venue's wait before its next attempt.
  public var retry: (Venue) -> Void
  /// Sets BUX's token and reconnects; nil removes the token.
  public var useToken: (String?) -> Void
  /// Loads a product.
  public var product: (Symbol) async -> Result<Product, ProductFailure>
  /// Both clocks now.
  public var now: () -> ClockReading

  /// Creates a client.
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
    observeSurvey: @escaping (@escaping @MainActor (SurveyState) -> Void) -> Observation,
    observeConnections: @escaping (@escaping @MainActor (ConnectionStatus) -> Void) -> Observation,
    observeTime: @escaping (@escaping @MainActor () -> Void) -> Observation,
    schedule: @escaping (Int64, @escaping @MainActor () -> Void) -> Observation,
    start: @escaping (Venue) -> Void, resume: @escaping (Venue) -> Void,
    stop: @escaping (Venue) -> Void, retry: @escaping (Venue) -> Void,
    useToken: @escaping (String?) -> Void,
    product: @escaping (Symbol) async -> Result<Product, ProductFailure>,
    now: @escaping () -> ClockReading
  ) {
    self.observe = observe
    self.observeEvents = observeEvents
    self.observeCandles = observeCandles
    self.candles = candles
    self.observeSurvey = observeSurvey
    self.observeConnections = observeConnections
    self.observeTime = observeTime
    self.schedule = schedule
    self.start = start
    self.resume = resume
    self.stop = stop
    self.retry = retry
    self.useToken = useToken
    self.product = product
    self.now = now
  }
}

// MARK: - Live client

extension FeedClient {
  private static let timerMilliseconds = 250

  /// A client of one hub, shared by all screens (PT6).
  ///
  /// - Parameters:
  ///   - hub: the connections.
  ///   - candles: the candles of the hub's streams.
  ///   - survey: the figures of the hub's markets.
  ///   - venues: the addresses of the hub's venues.
  ///   - products: loads products; nil when no venue has any.
  ///   - token: the token of product requests, kept current by ``useToken``.
  ///   - clock: the hub's clock.
  /// - Returns: the client; it connects nothing by itself.
  public static func live(
    hub: FeedHub, candles: CandleService, survey: SurveyService, venues: VenueList,
    products: ProductClient?, token: TokenBox, clock: HubClock = .live
  ) -> FeedClient {
    let time = MainClock(start: MainClock.timer(milliseconds: timerMilliseconds))
    return FeedClient(
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
      observeSurvey: { handler in
        let inbox = NewestInbox(handler)
        let observation = survey.observe { inbox.take($0) }
        return AnyCancellable { observation.cancel() }
      },
      observeConnections: { handler in hub.connectionPublisher.newestOnMain(handler) },
      observeTime: { time.observe($0) },
      schedule: { milliseconds, handler in
        let work = DispatchWorkItem { MainActor.assumeIsolated(handler) }
        DispatchQueue.main.asyncAfter(
          deadline: .now() + .milliseconds(Int(milliseconds)), execute: work)
        return AnyCancellable { work.cancel() }
      },
      start: { hub.start($0) }, resume: { hub.resume($0) }, stop: { hub.stop($0) },
      retry: { hub.retry($0) },
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
