import MarketModel

extension HistoryFailure {
  init(_ error: any Error) {
    let problem = error as? ConnectionProblem
    let words = problem?.description ?? String(describing: error)
    // A reader that reports why the venue failed reports on behalf of the venue.
    if case .reader(let problem)? = problem, !problem.isOfVenue {
      self = .noReader(words)
    } else {
      self = .unavailable(words)
    }
  }
}

extension ReaderProblem {
  fileprivate var isOfVenue: Bool {
    switch self {
    case .venue, .rejected: true
    default: false
    }
  }
}
