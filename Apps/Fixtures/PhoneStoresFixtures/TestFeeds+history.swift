import Foundation
import MarketHistory
package import MarketModel
import MarketStreams
import VenueProtocols

/// Responds to a history request for an instrument, at a time in milliseconds since 1970.
package typealias PlayedAnswer =
  @MainActor (Symbol, HistoryRequest, Int64) -> Result<HistoryResponse, HistoryFailure>

/// A venue's simulated history: requests at the venue's own rate, each with a delayed response.
struct PlayedHistory {
  var queue: HistoryQueue
  /// The delay of a response, in milliseconds.
  let delay: Int64
  let answer: PlayedAnswer
}

struct WaitingChart {
  /// How long a chart waits for the venue's history, in milliseconds: as in the app.
  static let patience: Int64 = 800

  let instrument: InstrumentKey
  let interval: CandleInterval
  let before: Int64?
  let handler: @MainActor (CandlePage?) -> Void

  init(
    _ instrument: InstrumentKey, _ interval: CandleInterval, _ before: Int64?,
    _ handler: @escaping @MainActor (CandlePage?) -> Void
  ) {
    (self.instrument, self.interval) = (instrument, interval)
    (self.before, self.handler) = (before, handler)
  }
}

extension TestFeeds {
  /// Enables a venue's history.
  package func openHistory(
    of venue: Venue, delay: Int64 = 120, answer: @escaping PlayedAnswer
  ) {
    guard let history = venue.adapter.history else { return }
    pasts[venue] = PlayedHistory(queue: HistoryQueue(history), delay: delay, answer: answer)
  }

  // MARK: Requests

  func ask(_ instrument: InstrumentKey, _ requests: [HistoryRequest]) {
    let venue = instrument.venue
    guard pasts[venue] != nil, !requests.isEmpty else { return }
    for request in requests {
      _ = pasts[venue]?.queue.add(HistoryQueue.Question(instrument, request))
    }
    pump(venue)
  }

  private func pump(_ venue: Venue) {
    let now = ClockReading(milliseconds: milliseconds).monotonic
    guard let past = pasts[venue], let step = pasts[venue]?.queue.next(at: now) else { return }
    switch step {
    case .ask(let question, _):
      later(past.delay) { [self] in
        take(past.answer(question.instrument.symbol, question.request, milliseconds), venue)
      }
    case .fail(let question, let failure):
      update(question.instrument) {
        $0.receive(.failure(failure), to: question.request, at: $1)
      }
      pump(venue)
    case .wait(let wait): later(wait) { [self] in pump(venue) }
    case .idle: break
    }
  }

  private func take(_ answer: Result<HistoryResponse, HistoryFailure>, _ venue: Venue) {
    let now = ClockReading(milliseconds: milliseconds).monotonic
    guard let delivery = pasts[venue]?.queue.receive(answer, at: now) else { return }
    for question in delivery.questions {
      update(question.instrument) {
        $0.receive(delivery.response, to: question.request, at: $1)
      }
    }
    pump(venue)
  }

  // MARK: Charts

  /// Delivers a chart's candles, at once or when the venue's history is loaded or late.
  func give(_ chart: WaitingChart) {
    let stream = streams[chart.instrument]
    guard pasts[chart.instrument.venue] != nil, chart.before == nil,
      stream?.history.isAwaited(chart.interval) == true
    else { return chart.handler(stream?.page(of: chart.interval, before: chart.before)) }
    waiting.append(chart)
    later(WaitingChart.patience) { [self] in giveWaiting(chart.instrument, isLate: true) }
  }

  func giveWaiting(_ instrument: InstrumentKey, isLate: Bool = false) {
    let isReady = { [history = streams[instrument]?.history] (chart: WaitingChart) in
      chart.instrument == instrument
        && (isLate || history?.isAwaited(chart.interval) != true)
    }
    let charts = waiting.filter(isReady)
    waiting.removeAll(where: isReady)
    for chart in charts { chart.handler(streams[instrument]?.page(of: chart.interval)) }
  }
}
