import MarketModel
import Testing

@testable import VenueProtocols

extension VenueHistory {
  func read(
    _ request: HistoryRequest, _ name: String, _ text: String, status: Int = 200
  ) -> Result<HistoryResponse, HistoryFailure> {
    let bytes = ContiguousArray(text.utf8)
    return read(request, name, status, bytes.span)
  }
}

extension Result<HistoryResponse, HistoryFailure> {
  /// The rows; nil for anything but candles.
  var candles: VenueCandles? {
    if case .success(.candles(let candles)) = self { candles } else { nil }
  }

  var trades: VenueTrades? {
    if case .success(.trades(let trades)) = self { trades } else { nil }
  }

  var names: [Symbol: String]? {
    if case .success(.names(let names)) = self { names } else { nil }
  }

  var failure: HistoryFailure? {
    if case .failure(let failure) = self { failure } else { nil }
  }

  var isBad: Bool {
    if case .failure(.badAnswer) = self { true } else { false }
  }
}
