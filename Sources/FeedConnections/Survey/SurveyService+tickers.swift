// All figures of a venue at once over HTTP: the quick beginning of a round.

import Logging
import MarketModel
import MarketStreams
import NIOCore
import VenueProtocols

extension SurveyService {
  /// Asks for all figures; the names of the instruments first, where they are not known yet.
  func askAll(_ index: Int) {
    let venue = box.value.venues[index]
    guard let (tickers, history) = venue.tickers else { return end(index, isGood: true) }
    guard let names = venue.names else { return askNames(index, history) }
    venues.ask(venue.venue, .tickers).whenComplete { result in
      let answer: Result<[DayFigures], HistoryFailure> =
        switch result {
        case .success(let response):
          self.read(response, tickers, names)
        case .failure(let error): .failure(HistoryFailure(error))
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

  /// The figures of an answer, dated by when the venue gave it.
  private func read(
    _ answer: VenueAnswer, _ tickers: VenueTickers, _ names: [Symbol: String]
  ) -> Result<[DayFigures], HistoryFailure> {
    let moment = clock.now().earlier(byMilliseconds: answer.ageMilliseconds)
    let freshness = Freshness(state: .live, origin: answer.origin, confirmedAt: moment)
    return tickers.read(
      names, answer.status, answer.body.readableBytesUInt8Span, moment.wall, freshness)
  }

  private func askNames(_ index: Int, _ history: VenueHistory) {
    let question = VenueQuestion.history(.names(.currencies), name: "")
    let venue = box.value.venues[index].venue
    guard venue.descriptor.path(of: question) != nil else { return end(index, isGood: true) }
    venues.ask(venue, question).whenComplete { result in
      let answer: Result<HistoryResponse, HistoryFailure> =
        switch result {
        case .success(let response):
          history.read(
            .names(.currencies), "", response.status, response.body.readableBytesUInt8Span)
        case .failure(let error): .failure(HistoryFailure(error))
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
