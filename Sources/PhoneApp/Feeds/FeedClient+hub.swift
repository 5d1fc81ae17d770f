// The live client: one hub, whoever observes (PT6).

import Combine
public import FeedConnections
import Foundation
import MarketModel
import MarketStreams
import VenueProtocols

extension FeedClient {
  /// How often stores are told that time has passed.
  static let timerMilliseconds = 250

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
