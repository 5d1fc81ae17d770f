// What the survey holds on its event loop.

import MarketModel
import MarketStreams
import NIOCore
import VenueProtocols

/// A venue that is surveyed.
struct SurveyedVenue {
  let venue: Venue
  /// How all figures are asked for at once; nil where they are not.
  let tickers: (VenueTickers, names: VenueHistory)?
  var rounds = SurveyRounds()
  /// What its instruments are called over HTTP; nil before they were asked for.
  var names: [Symbol: String]?
  var listing: FeedObservation?
  var batch: FeedObservation?

  init(_ venue: Venue) {
    self.venue = venue
    if let tickers = venue.descriptor.tickers, let history = venue.descriptor.history {
      self.tickers = (tickers, history)
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
