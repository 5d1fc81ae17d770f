// All figures of a venue at once over HTTP: the quick beginning of a round.

import Logging
import MarketModel
import MarketStreams
import NIOCore
import SocketTransport
import VenueProtocols

extension SurveyService {
  /// Asks for all figures; the names of the instruments first, where they are not known yet.
  func askAll(_ index: Int) {
    let venue = box.value.venues[index]
    guard let (tickers, history, base) = venue.tickers else { return end(index, isGood: true) }
    guard let names = venue.names else { return askNames(index, history, base) }
    let response = fetch(
      base.appending(tickers.path), venue.options, tickers.maximumBytes, loop)
    response.whenComplete { result in
      let now = self.clock.now()
      let freshness = Freshness(state: .live, origin: venue.origin, confirmedAt: now)
      let answer: Result<[DayFigures], HistoryFailure> =
        switch result {
        case .success(let response):
          tickers.read(
            names, response.status, response.body.readableBytesUInt8Span, now.wall, freshness)
        case .failure(let error): .failure(.unavailable(String(describing: error)))
        }
      switch answer {
      case .success(let all):
        for figures in all {
          // What the stream has said knows the change, too.
          let instrument = InstrumentKey(venue.venue, figures.symbol)
          if self.box.value.known[instrument]?.changePercent == nil {
            self.learn(figures, of: instrument)
          }
        }
        self.end(index, isGood: true)
      case .failure(let failure): self.fail(index, failure)
      }
    }
  }

  private func askNames(_ index: Int, _ history: VenueHistory, _ base: Endpoint) {
    guard let path = history.path(.names(.currencies), "") else { return end(index, isGood: true) }
    let options = box.value.venues[index].options
    let response = fetch(base.appending(path), options, history.maximumBytes, loop)
    response.whenComplete { result in
      let answer: Result<HistoryResponse, HistoryFailure> =
        switch result {
        case .success(let response):
          history.read(
            .names(.currencies), "", response.status, response.body.readableBytesUInt8Span)
        case .failure(let error): .failure(.unavailable(String(describing: error)))
        }
      switch answer {
      case .success(.names(let names)):
        self.box.value.venues[index].names = names
        self.askAll(index)
      case .success: self.fail(index, .badAnswer("no names"))
      case .failure(let failure): self.fail(index, failure)
      }
    }
  }

  private func fail(_ index: Int, _ failure: HistoryFailure) {
    let venue = box.value.venues[index].venue
    logger.notice(
      "no figures at once", metadata: ["venue": "\(venue)", "reason": "\(failure)"])
    end(index, isGood: false)
  }

  private func end(_ index: Int, isGood: Bool) {
    box.value.venues[index].rounds.finishAll(isGood: isGood, at: clock.now().monotonic)
    // Not at once: what is asked here may have been answered within the step itself.
    loop.execute { self.goOn(index) }
  }
}
