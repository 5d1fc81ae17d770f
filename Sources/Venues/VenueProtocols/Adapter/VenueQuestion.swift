public import MarketModel

/// A request to a venue over HTTP; this list is closed, and the venue's descriptor has the path.
public enum VenueQuestion: Hashable, Sendable {
  /// Its history, by the instrument's name there; the name is "" where none is needed.
  case history(HistoryRequest, name: String)
  /// The figures of all its markets at once.
  case tickers
  /// One of its products.
  case product(Symbol)

  /// Whether a response to an earlier request must not be reused.
  ///
  /// "No later trade" holds only for the moment of the request; then the caller has the stream.
  public var isOfTheMoment: Bool {
    switch self {
    case .history(.trades, _), .history(.tradesBefore, _): true
    default: false
    }
  }
}

extension VenueAdapter {
  /// Path and query of a request, percent-encoded; nil where the venue doesn't support it.
  ///
  /// Relative to the address of its history, or for a product to the venue's own address. `now` is
  /// the present, for venues whose requests name a span of time; 1970 suffices to find out whether
  /// there is such a request.
  public func path(
    of question: VenueQuestion, at now: Timestamp = Timestamp(nanoseconds: 0)
  ) -> String? {
    switch question {
    case .history(let request, let name): history?.path(request, name, at: now)
    case .tickers: tickers?.path
    case .product(let symbol): requests?.productPath(symbol)
    }
  }

  /// The maximum bytes of a response.
  public func maximumBytes(of question: VenueQuestion) -> Int {
    switch question {
    case .history: history?.maximumBytes ?? 0
    case .tickers: tickers?.maximumBytes ?? 0
    case .product: requests?.maximumBytes ?? 0
    }
  }

  /// Whether a response reports a rate limit.
  public func isRefusedForPace(
    _ question: VenueQuestion, status: Int, _ body: Span<UInt8>
  ) -> Bool {
    guard status != 429 else { return true }
    // Rate-limit responses have no other content, so they are short.
    guard let history, body.count <= 4096 else { return false }
    let answer: Result<HistoryResponse, HistoryFailure>
    switch question {
    case .history(let request, let name): answer = history.read(request, name, status, body)
    case .tickers: answer = history.read(.condition, "", status, body)
    case .product: return false
    }
    return answer == .failure(.rateLimited)
  }
}
