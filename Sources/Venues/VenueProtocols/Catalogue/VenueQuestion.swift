// What a venue is ever asked over HTTP, as a closed list: whoever asks names the question, and the
// venue's own row says where that lies.

public import MarketModel

/// A question to a venue over HTTP.
public enum VenueQuestion: Hashable, Sendable {
  /// Its past, by the instrument's name there; the name is "" where none is needed.
  case history(HistoryRequest, name: String)
  /// The figures of all its markets at once.
  case tickers
  /// One of its products.
  case product(Symbol)

  /// Whether an answer of before the question is none: that there is no later trade holds for the
  /// moment only, and whoever asks has heard the stream from the question on.
  public var isOfTheMoment: Bool {
    if case .history(.trades, _) = self { true } else { false }
  }
}

extension VenueDescriptor {
  /// Path and query of a question, percent-encoded; nil where the venue can't be asked that.
  ///
  /// Below the address of its history, and of a product below the venue's own.
  public func path(of question: VenueQuestion) -> String? {
    switch question {
    case .history(let request, let name): history?.path(request, name)
    case .tickers: tickers?.path
    case .product(let symbol): requests?.productPath(symbol)
    }
  }

  /// The most bytes of an answer.
  public func maximumBytes(of question: VenueQuestion) -> Int {
    switch question {
    case .history: history?.maximumBytes ?? 0
    case .tickers: tickers?.maximumBytes ?? 0
    case .product: requests?.maximumBytes ?? 0
    }
  }

  /// Whether an answer says that this was one question too many.
  public func isRefusedForPace(
    _ question: VenueQuestion, status: Int, _ body: Span<UInt8>
  ) -> Bool {
    guard status != 429 else { return true }
    // An answer that says so says nothing else.
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
