// What it means for a venue's past that nobody answered.

import MarketModel

extension HistoryFailure {
  /// From the error of ``VenueAsking/ask(_:_:isPatient:abandoned:)``.
  init(_ error: any Error) {
    let problem = error as? ConnectionProblem
    let words = problem?.description ?? String(describing: error)
    // A reader that says why the venue has not answered speaks for the venue.
    if case .reader(let problem)? = problem, !problem.isOfVenue {
      self = .noReader(words)
    } else {
      self = .unavailable(words)
    }
  }
}

extension ReaderProblem {
  fileprivate var isOfVenue: Bool {
    if case .venue = self { true } else { false }
  }
}
