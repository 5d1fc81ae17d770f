// What the survey holds on its event loop.

import MarketModel
import MarketStreams
import NIOCore
import SocketTransport
import VenueProtocols

/// Asks for an endpoint over HTTP, with a bound on the body's bytes; the seam between the survey
/// and its requests, so that it runs in tests without any.
typealias HTTPFetch =
  @Sendable (Endpoint, ClientOptions, _ maximumBodyBytes: Int, any EventLoop)
  -> EventLoopFuture<HTTPClientResponse>

/// A venue that is surveyed.
struct SurveyedVenue {
  let venue: Venue
  /// How all figures are asked for at once, and where; nil where they are not.
  let tickers: (VenueTickers, names: VenueHistory, base: Endpoint)?
  /// How requests are sent there.
  let options: ClientOptions
  /// Where its values come from.
  let origin: DataOrigin
  var rounds = SurveyRounds()
  /// What its instruments are called over HTTP; nil before they were asked for.
  var names: [Symbol: String]?
  var listing: FeedObservation?
  var batch: FeedObservation?

  init(_ address: VenueAddress) {
    venue = address.venue
    origin = address.origin
    options = address.options
    if let tickers = venue.descriptor.tickers, let history = venue.descriptor.history,
      let base = address.history
    {
      self.tickers = (tickers, history, base)
    } else {
      tickers = nil
    }
  }
}

/// The state of a survey.
struct SurveyHost {
  var venues: [SurveyedVenue]
  var known = SurveyState()
  /// Whether observers have not heard of all of it.
  var isNews = false
  var observers: [UInt64: @Sendable (SurveyState) -> Void] = [:]
  var connections: FeedObservation?
  /// Runs while somebody observes.
  var timer: RepeatedTask?
}
